"""Mutants of claims: small changes that make a true statement false, to test that each check can fail.

A mutant has the claim's domain and changes one formula by a stated amount. The index of claims lists the claims without
a refuted mutant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.statements.claim import Claim, Role
from proofs_numeric.statements.kinds import (
    Calibration,
    Definition,
    DeltaBound,
    FiniteStatement,
    Identity,
    Inequality,
    Law,
    Mean,
    Monotonicity,
    Quantity,
    Reading,
    Recurrence,
)

NUDGE = Fraction(1, 10**6)


def scale_formula(formula: Formula, factor: Fraction) -> Formula:
    """Return the formula times a factor."""

    def mutant(A: Any, **parameters: Any) -> Any:
        return formula(A, **parameters) * A.number(factor)

    return mutant


def mutants(claim: Claim) -> Iterator[tuple[str, Claim]]:
    """Yield (text of the change, mutant) of a claim that is expected to hold; none if no change is meaningful.

    Mutants have no proofs: the searching, sampling and enumerating checks alone test them.
    """
    kind = claim.kind
    match kind:
        case DeltaBound(exact=exact_formula) if exact_formula is not None:
            factor = (
                1 + NUDGE if claim.role is Role.EXACT else Fraction(1, 2) if claim.role is Role.UPPER else Fraction(2)
            )
            text = f"formula times {factor}"
            yield text, replace(claim, kind=replace(kind, formula=scale_formula(kind.formula, factor), proof=None))
        case DeltaBound(oracle=oracle) if oracle is not None:
            scaled_kind = replace(kind, formula=scale_formula(kind.formula, 1 + NUDGE), proof=None)
            yield "formula times 1 + 1e-6, against its definition", replace(claim, kind=scaled_kind)
        case Calibration():
            # A loose value is refuted only if it is much too small.
            text, factor = (
                ("value halved", Fraction(1, 2)) if claim.loose else ("value times 1 - 1e-3", 1 - 1000 * NUDGE)
            )
            yield text, replace(claim, kind=replace(kind, formula=scale_formula(kind.formula, factor), proof=None))
        case Identity() | Recurrence(relation="="):
            moved_side = replace(kind, right=scale_formula(kind.right, 1 + NUDGE), proof=None)
            yield "right side times 1 + 1e-6", replace(claim, kind=moved_side)
        case Inequality() | Recurrence():
            swapped = replace(kind, left=kind.right, right=kind.left, proof=None)
            yield "sides swapped", replace(claim, kind=swapped)
        case Monotonicity():
            reversed_kind = replace(kind, increasing=not kind.increasing, proof=None)
            yield "direction turned", replace(claim, kind=reversed_kind)
        case Quantity():
            factor = Fraction(200) if kind.reading is Reading.ORDER else Fraction(16, 10)
            yield (
                f"value times {factor}",
                replace(claim, kind=replace(kind, formula=scale_formula(kind.formula, factor))),
            )
        case Law():
            probability = kind.probability
            moved_law = replace(kind, probability=lambda A: probability(A) / 4 + A.number(Fraction(1, 3)))
            yield "probability p moved to 1/3 + p/4", replace(claim, kind=moved_law)
        case Mean():
            yield (
                "value times 1.3",
                replace(claim, kind=replace(kind, value=scale_formula(kind.value, Fraction(13, 10)))),
            )
        case Definition():
            accepts = kind.accepts
            yield "predicate negated", replace(claim, kind=replace(kind, accepts=lambda value: not accepts(value)))
        case FiniteStatement():
            holds = kind.holds
            yield (
                "statement negated",
                replace(claim, kind=replace(kind, holds=lambda case: not holds(case), proof=None)),
            )
        case _:
            return
