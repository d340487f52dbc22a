"""Every claim that the kernel proves: its proof closes on the statement, and on none of the statement's mutants."""

from dataclasses import replace

import pytest

from auditor.checks.lemma import proof_of
from auditor.checks.mutation import NUDGE, scale_formula
from auditor.engine.registry import registry
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove
from proofs_numeric.statements.cuts import Reduced
from proofs_numeric.statements.kinds import (
    Calibration,
    DeltaBound,
    FiniteStatement,
    Identity,
    Inequality,
    Monotonicity,
    Recurrence,
)
from proofs_numeric.statements.profiles import Counts, Repeated, Samples
from proofs_numeric.statements.shared import SharedCounters
from proofs_numeric.statements.tactics import Tactic
from tests.proofs_numeric.kernel.attacks import untied

KNOWN = registry().claims
PROVED = [identifier for identifier in KNOWN if isinstance(proof_of(KNOWN[identifier]), Tactic)]
SAMPLE = {"lebeda2025.lem8.opt", "rogers2024.thm10.union", "rogers2024.thm9.list", "rogers2024.thm9.mediant"}
"""Tried in every run: a square, an induction and recurrences."""
PAPERS = ("bharadwaj2022.", "lebeda2025.")
"""Of the other papers SymPy takes minutes to give up on a mutant; their proofs close in every audit."""
ELSEWHERE = (Counts, Samples, Repeated, SharedCounters)
"""Pairs whose bounds `test_profiles` and `test_shared` attack."""
ATTACKED = [
    name
    for name in PROVED
    if name in SAMPLE
    or (name.startswith(PAPERS) and not isinstance(getattr(KNOWN[name].kind, "pairs", None), ELSEWHERE))
]


def mutant(claim):
    """The claim's statement made false, with its proof left as it is."""
    kind = claim.kind
    match kind:
        case Inequality() | Recurrence(relation="<=" | "<"):
            return replace(kind, left=kind.right, right=kind.left)
        case Identity() | Recurrence():
            return replace(kind, right=scale_formula(kind.right, 1 + NUDGE))
        case Monotonicity():
            return replace(kind, increasing=not kind.increasing)
        case Calibration():
            achieved = kind.achieved
            return replace(kind, achieved=lambda A, **values: 2 * achieved(A, **values))
        case DeltaBound():
            return replace(kind, formula=scale_formula(kind.formula, 1 + NUDGE))
        case FiniteStatement(every=Recurrence() as every):
            return replace(kind, every=replace(every, left=every.right, right=every.left))
        case FiniteStatement(every=Reduced() as every):
            few = replace(every, most=lambda A, **values: every.most(A, **values) - 2)
            return replace(kind, holds=untied, every=few)
    raise TypeError(f"expected a claim that can be proved, got {claim.id}")


@pytest.mark.parametrize(
    "identifier", [name if name in SAMPLE else pytest.param(name, marks=pytest.mark.slow) for name in ATTACKED]
)
def test_the_proof_closes_on_the_statement_and_not_on_its_mutant(identifier):
    """Sides swapped, a side times 1 + 1e-6, the other direction, twice the delta; every audit closes the statements."""
    claim = KNOWN[identifier]
    if identifier in SAMPLE:
        assert prove(claim, KNOWN).claim == identifier
    with pytest.raises(TacticError):
        prove(replace(claim, kind=mutant(claim)), KNOWN)
