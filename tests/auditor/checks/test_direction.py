"""Every declared direction has a verdict of its own; one that is turned round is refuted."""

from dataclasses import replace

import pytest

from auditor.checks.direction import DIRECTION, check_directions, direction_claim
from auditor.engine.registry import registry
from auditor.findings.finding import verdict_of
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, Source
from proofs_numeric.statements.kinds import DeltaBound, Identity
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.checks.claims import context

CLAIMS = registry().claims
PLAIN = [
    name
    for name, claim in CLAIMS.items()
    if (claim.rises or claim.falls) and claim.cost == 1 and claim.id.startswith(("bharadwaj", "rogers", "wilkins"))
][::5]


def claim(formula, **directions):
    """A claim of a delta over x and x_2, the value of one of them always the larger."""
    box = Box((Parameter("x", "", upper=4), Parameter("x_2", "", lower=0, upper=1)))
    return Claim(
        id="t.one", source=Source("t", ""), title="", statement="", kind=DeltaBound(formula), domain=box, **directions
    )


def branching(formula):
    """The formula, of which the kernel sees no slope."""
    return lambda A, **at: formula(A, **at) if formula(A, **at) >= 0 else A.number(0)


def verdicts(subject):
    """By parameter."""
    result = check_directions(subject, context())
    assert all(one.id == f"{subject.id}::{DIRECTION}::{one.id.rpartition('::')[2]}" for one in result)
    return {one.id.rpartition("::")[2]: one.verdict for one in result}


def turned(one):
    """The claim with all its directions turned round."""
    return replace(one, rises=one.falls, falls=one.rises, moves={})


def test_a_false_direction_is_refuted_and_a_true_one_is_not():
    """Searched alone, and also where the second value's name is that of another parameter."""
    product = claim(branching(lambda A, *, x, x_2: A.number(x) * x_2 / 8), rises=("x", "x_2"))
    assert verdicts(product) == {"x": Verdict.CONSISTENT, "x_2": Verdict.CONSISTENT}
    assert verdicts(turned(product)) == {"x": Verdict.REFUTED, "x_2": Verdict.REFUTED}


def test_an_argument_decides_only_for_its_own_direction():
    """The kernel proves one; a search decides the other."""
    rising = claim(lambda A, *, x, x_2: A.number(x) / 8 + x_2 / 4, rises=("x",))
    assert verdicts(rising) == {"x": Verdict.PROVED}
    assert verdicts(replace(rising, rises=(), falls=("x",))) == {"x": Verdict.REFUTED}


def test_a_direction_that_turns_late_is_refuted_near_a_point_that_the_claim_names():
    """It rises but between 3 and 3.01."""
    bent = claim(
        lambda A, *, x, x_2: (A.number(x) + A.maximum(0, x_2 + 2 - 1000 * abs(A.number(x) - 3)) / 2) / 16,
        rises=("x",),
        points=({"x": 3, "x_2": 0},),
    )
    assert verdicts(bent) == {"x": Verdict.REFUTED}


def test_the_delta_of_new_counters_was_declared_to_rise_with_their_number():
    """At sigma = 4, gap = 30 it falls from 4.4e-8 at one counter to 3.1e-10 at eight."""
    declared = replace(CLAIMS["lebeda2025.thm21.delta_inf"], rises=("k",))
    assert verdicts(declared)["k"] is Verdict.REFUTED


def test_a_proved_direction_proves_nothing_else_of_its_claim_and_a_refuted_one_refutes_it():
    """The claim's own statement has been searched, and is not proved."""
    eighth = lambda A, *, x, x_2: A.number(x) / 8
    searched = list(check_directions(claim(branching(eighth), rises=("x",)), context()))
    proof = claim(eighth, rises=("x",))
    proved = list(check_directions(proof, context()))
    own = searched[0].model_copy(update={"check": "lemma.search"})
    assert [one.verdict for one in proved] == [Verdict.PROVED]
    assert verdict_of([own, *proved]) is Verdict.CONSISTENT
    assert verdict_of([own, *check_directions(turned(proof), context())]) is Verdict.REFUTED


def test_a_claim_without_a_value_has_no_direction():
    """Said with the remedy."""
    number = Identity(lambda A, *, x, x_2: A.number(x), lambda A, *, x, x_2: A.number(x))
    with pytest.raises(ValueError, match=r"expected a claim with a value .* remove 'x' from rises and falls"):
        direction_claim(replace(claim(lambda A, *, x, x_2: x), kind=number), "x")


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAIN)
def test_directions_of_ours_are_not_refuted_and_turned_round_they_are(name):
    """Unless the value is constant wherever it was compared."""
    one = CLAIMS[name]
    assert Verdict.REFUTED not in verdicts(replace(one, moves={})).values()
    round_ = verdicts(turned(one))
    searched = verdicts(replace(one, kind=DeltaBound(branching(one.formula)), moves={}))
    assert {way for way, verdict in round_.items() if verdict is not Verdict.REFUTED} <= {
        way for way, verdict in searched.items() if verdict is Verdict.UNDECIDED
    }
