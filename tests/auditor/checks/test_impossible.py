"""Numbers that cannot be are errors of the suite, whichever check shows them."""

import flint
import pytest

from auditor.checks import lemma, numeric
from auditor.checks.check import Check
from auditor.checks.impossible import impossible
from auditor.engine.plan import Settings, Unit
from auditor.engine.registry import Registry
from auditor.engine.unit import run_unit
from auditor.findings.evidence import WitnessEvidence
from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.ball import ContradictionError, both
from proofs_numeric.arithmetic.enclosure import compare
from proofs_numeric.statements.claim import QuantityKind, Role
from proofs_numeric.statements.kinds import DeltaBound, Inequality
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.checks.claims import claim, context

above = lambda A, *, x: A.number(1) + (1 + x) / 10
below = lambda A, *, x: -(1 + x) / 10


@pytest.mark.parametrize(
    ("formula", "role", "what"),
    [
        (above, Role.EXACT, "outside"),
        (above, Role.LOWER, "outside"),
        (above, Role.UPPER, ""),
        (below, Role.UPPER, "outside"),
    ],
)
def test_a_probability_outside_its_range_cannot_be(formula, role, what):
    """Only an upper bound may exceed 1; nothing may be below 0; what is no probability may be anything."""
    subject = claim(DeltaBound(formula), quantity=QuantityKind.DELTA, role=role)
    assert what in impossible(subject, numeric.check_value(subject, context()))
    ratio = claim(DeltaBound(formula), quantity=QuantityKind.RATIO, role=role)
    assert not impossible(ratio, numeric.check_value(ratio, context()))


def test_a_witness_with_both_sides_above_one_cannot_be():
    """Two bounds that both say nothing: whichever check shows them, and of probabilities alone."""
    of_numbers = claim(Inequality(lambda A, *, x: above(A, x=x) + 1, above))
    witness = lemma.search_counterexample(of_numbers, context())
    assert isinstance(witness[0].evidence[0], WitnessEvidence)
    assert not impossible(of_numbers, witness)
    of_deltas = claim(of_numbers.kind, quantity=QuantityKind.DELTA)
    assert "both sides" in impossible(of_deltas, witness)


def test_the_runner_makes_them_errors(monkeypatch):
    """Not a verdict about the claim: the suite is wrong."""
    subject = claim(DeltaBound(above), quantity=QuantityKind.DELTA)
    check = Check("numeric.value", "", "", "", "", lambda _s, _k: True, numeric.check_value)
    catalogue = Registry(claims={subject.id: subject}, checks={check.name: check})
    monkeypatch.setattr("auditor.engine.unit.registry", lambda: catalogue)
    (found,) = run_unit(Unit(subject.id, check.name), Settings("quick", 0, "1e-6"), {})
    assert found["verdict"] == Verdict.ERROR
    assert "outside [0, 1]" in found["headline"]


def test_enclosures_that_do_not_meet_are_never_one_of_them():
    """Nor "undefined here", which would leave the point out."""
    one, three = (Ball(64).interval(x, x + 1) for x in (1, 3))
    with pytest.raises(ContradictionError, match="expected two enclosures of one number to meet"):
        both(one, three)
    assert both(one, flint.arb.nan()) == one or both(one, flint.arb.nan()).contains(one)
    assert both(flint.arb.nan(), three).contains(three)
    assert both(one, Ball(64).interval(2, 3)).contains(2)
    left = lambda A: both(A.number(1), A.number(2))
    with pytest.raises(ContradictionError):
        compare(left, lambda A: A.number(0), {})
