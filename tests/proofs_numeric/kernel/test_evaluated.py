"""The number that a proved claim evaluates is one that its statement is about, and it moves as its proofs say."""

from dataclasses import replace

import pytest

from auditor.checks.direction import direction_claim
from auditor.checks.lemma import proof_of
from auditor.checks.mutation import scale_formula
from auditor.engine.registry import registry
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove
from proofs_numeric.statements.kinds import FiniteStatement, Identity, Inequality
from proofs_numeric.statements.tactics import Ordered, Tactic

KNOWN = registry().claims
EVALUATED = [
    name
    for name, one in KNOWN.items()
    if one.evaluates is not None
    and isinstance(one.kind, Identity | Inequality | FiniteStatement)
    and isinstance(proof_of(one), Tactic)
]
MOVES = [
    (name, parameter)
    for name, one in KNOWN.items()
    for parameter, proof in one.moves.items()
    if isinstance(proof, Tactic) and not isinstance(proof, Ordered)  # of a value that ignores its parameter
]
QUICK = {"standard.gaussian.composition", "rogers2024.thm9.T", "lebeda2025.lem8", "wilkins2024.thm4.1"}


@pytest.mark.parametrize("name", EVALUATED)
def test_a_claim_that_evaluates_another_number_than_its_statement_has_is_not_proved(name):
    """A multiple of it."""
    claim = KNOWN[name]
    with pytest.raises(TacticError, match="as the number that is evaluated"):
        prove(replace(claim, evaluates=scale_formula(claim.evaluates, "1.001")), KNOWN)


def test_the_number_of_a_statement_about_cases_that_has_none_is_not_evaluated():
    """Of a recurrence, or of nothing at every size."""
    claim = next(one for one in KNOWN.values() if getattr(one.kind, "instances", None) is not None)
    with pytest.raises(TacticError, match="as the number that is evaluated"):
        prove(replace(claim, evaluates=lambda A, **_at: A.number(1)), KNOWN)


@pytest.mark.parametrize(
    ("name", "parameter"), [pytest.param(*one, marks=[] if one[0] in QUICK else [pytest.mark.slow]) for one in MOVES]
)
def test_the_proof_of_a_direction_does_not_close_on_the_other(name, parameter):
    """What never falls is not proved never to rise."""
    claim = direction_claim(KNOWN[name], parameter)
    assert prove(claim, KNOWN).claim == name
    with pytest.raises(TacticError):
        prove(replace(claim, kind=replace(claim.kind, increasing=not claim.kind.increasing)), KNOWN)
