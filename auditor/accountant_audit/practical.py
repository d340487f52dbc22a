"""The practical range of accountants, and the corners outside it, whose answers do not decide a verdict.

A call is a corner if a parameter, or the true delta or epsilon, lies outside its range. A delta above the range is no
corner.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from auditor.accountant_audit.judge import Judge, Judgement, Kind
from proofs_numeric.statements.claim import QuantityKind
from proofs_numeric.statements.kinds import Calibration

PRACTICAL: Mapping[str, tuple[Fraction, Fraction]] = {
    "delta": (Fraction(1, 10**15), Fraction(1, 100)),
    "epsilon": (Fraction(1, 100), Fraction(20)),
    "k": (Fraction(1), Fraction(10**5)),
    "alpha": (Fraction(1, 10**15), Fraction(1000)),
}
"""Least and largest practical value of a parameter or quantity; a requested delta of 0 is practical, too.

`alpha` is the level of a test up to 1, and the order of a Renyi divergence above.
"""
LEAST_ORDER = Fraction(101, 100)
"""Least practical order of a Renyi divergence."""


def nearest_practical(name: str, value: Fraction) -> Fraction:
    """Return the value in the practical range of a parameter that is nearest to a given one."""
    low, high = PRACTICAL.get(name, (value, value))
    return min(max(value, low), high)


def has_practical_parameters(values: Mapping[str, Any]) -> bool:
    """Return whether every parameter with a practical range lies in it."""
    numbers = {name: Fraction(values[name]) for name in PRACTICAL if name in values}
    if 1 < numbers.get("alpha", 0) < LEAST_ORDER:
        return False
    pure = numbers.get("delta") == 0
    return all(
        PRACTICAL[name][0] <= value <= PRACTICAL[name][1] or (pure and name == "delta")
        for name, value in numbers.items()
    )


def range_of(judge: Judge, values: Mapping[str, Any], judgement: Judgement) -> tuple[bool, bool]:
    """Return whether a call is practical, and whether it is a corner.

    Args:
        judge: judge of the answer.
        values: exact parameters.
        judgement: judgement of the answer; a missing truth is evaluated for invalid answers.
    """
    if not has_practical_parameters(values):
        return False, True
    quantity = judge.claim.quantity
    if quantity.value not in PRACTICAL:
        return True, False
    low, high = PRACTICAL[quantity.value]
    if quantity is QuantityKind.EPSILON and isinstance(judge.claim.kind, Calibration):
        if judgement.kind in {Kind.INVALID, Kind.UNSAFE}:  # the returned epsilon does not bound the needed one
            inside = judge.needs_epsilon_within(values, low, high)
        else:
            inside = judgement.number is None or low <= judgement.number <= high
        return inside, not inside
    truth = judgement.truth
    if truth is None and judgement.kind is Kind.INVALID:
        truth = judge.truth_at(values)
    if truth is None:
        return True, False
    corner = not truth >= float(low) or (quantity is QuantityKind.EPSILON and not truth <= float(high))
    return not corner and bool(truth <= float(high)), corner
