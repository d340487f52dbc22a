"""The number that a proved claim evaluates is one that its statement is about."""

from dataclasses import replace

import pytest

from auditor.checks.lemma import proof_of
from auditor.checks.mutation import scale_formula
from auditor.engine.registry import registry
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove
from proofs_numeric.statements.kinds import FiniteStatement, Identity, Inequality, Instances
from proofs_numeric.statements.tactics import Tactic

KNOWN = registry().claims
EVALUATED = [
    name
    for name, one in KNOWN.items()
    if one.evaluates is not None
    and isinstance(one.kind, Identity | Inequality | FiniteStatement)
    and isinstance(proof_of(one), Tactic)
]


@pytest.mark.parametrize("name", EVALUATED)
def test_a_claim_that_evaluates_another_number_than_its_statement_has_is_not_proved(name):
    """A multiple of it."""
    claim = KNOWN[name]
    with pytest.raises(TacticError, match="as the number that is evaluated"):
        prove(replace(claim, evaluates=scale_formula(claim.evaluates, "1.001")), KNOWN)


def test_the_number_of_a_statement_about_cases_that_has_none_is_not_evaluated():
    """Of a recurrence, or of nothing at every size."""
    claim = next(one for one in KNOWN.values() if isinstance(getattr(one.kind, "holds", None), Instances))
    with pytest.raises(TacticError, match="as the number that is evaluated"):
        prove(replace(claim, evaluates=lambda A, **_at: A.number(1)), KNOWN)
