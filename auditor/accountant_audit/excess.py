"""Excess epsilon of an answer: the epsilon that a user loses because the accountant is loose."""

import math
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from auditor.accountant_audit.judge import ESTIMATE, UPPER, Judge
from auditor.accountant_audit.solved import DELTA, Solved
from auditor.target.target import Answer, Returned, Several
from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.statements.claim import QuantityKind
from proofs_numeric.statements.kinds import Calibration

EPSILON = "epsilon"
BITS = 128
RELATIVE = 1e-6
"""Relative accuracy of the exact epsilon."""
Curve = Callable[[float], float]


def excess_epsilon(judge: Judge, values: Mapping[str, Any], answer: Answer) -> float | None:
    """Return the stated epsilon minus the least epsilon at which the exact delta is at most the stated delta.

    The arguments or the answer state epsilon and delta. A returned noise or threshold is used as a parameter.

    Args:
        judge: judge of the answer.
        values: exact arguments.
        answer: an answer that is not below the truth.

    Returns:
        The excess, >= 0; None if the claim has no epsilon or no delta, or if the exact delta cannot be evaluated.
    """
    from scipy.optimize import brentq

    found = _curve(judge, values, _numbers(judge, answer))
    if found is None:
        return None
    curve, epsilon, delta = found
    if not (0 < delta < 1 and 0 <= epsilon < math.inf):
        return None

    def above(at: float) -> float:
        return math.log(max(curve(at), sys.float_info.min)) - math.log(delta)

    try:
        if epsilon == 0 or above(0.0) <= 0:
            return epsilon
        if above(epsilon) >= 0:  # right up to the last bit
            return 0.0
        return epsilon - float(brentq(above, 0.0, epsilon, xtol=RELATIVE * epsilon, rtol=RELATIVE))
    except (ArithmeticError, ValueError):
        return None


def _numbers(judge: Judge, answer: Answer) -> list[Fraction]:
    """Return the numbers of an answer that are compared with the claim; empty if one is not finite."""
    parts = answer.parts if isinstance(answer, Several) else (answer,)
    if judge.returns:
        named = dict(zip(judge.returns, parts, strict=True))
        parts = (named.get(UPPER) or named[ESTIMATE],)
    numbers = [part.value for part in parts if isinstance(part, Returned)]
    return numbers if len(numbers) == len(parts) else []


def _curve(judge: Judge, values: Mapping[str, Any], numbers: list[Fraction]) -> tuple[Curve, float, float] | None:
    """Return the exact delta as a function of epsilon, and the stated epsilon and delta."""
    claim, kind = judge.claim, judge.claim.kind
    named: dict[str, Any] = {}
    if not numbers:
        return None
    if isinstance(kind, Solved):
        solved = kind.at(values, numbers)
        if isinstance(solved, str):
            return None
        named = solved
    elif isinstance(kind, Calibration) and kind.target == DELTA.name:
        named = {EPSILON if claim.quantity is QuantityKind.EPSILON else "": numbers[0]}
    elif claim.quantity is QuantityKind.DELTA:
        named = {DELTA.name: numbers[0]}
    stated = {**values, **named}
    if EPSILON not in stated or DELTA.name not in stated:
        return None

    def curve(epsilon: float) -> float:
        moved = {name: Fraction(epsilon) if name == EPSILON else value for name, value in named.items()}
        point = {name: Fraction(epsilon) if name == EPSILON else value for name, value in values.items()}
        value = evaluate_in(Ball(BITS), lambda A, **p: _delta(judge, A, moved, p), point)
        if not value.is_finite():
            raise ArithmeticError
        return float(value.mid())

    return curve, float(stated[EPSILON]), float(stated[DELTA.name])


def _delta(judge: Judge, A: Any, named: Mapping[str, Any], point: Mapping[str, Any]) -> Any:
    """Return the exact delta at a point, given the returned values."""
    kind = judge.claim.kind
    if isinstance(kind, Solved):
        return kind.achieved(A, value=named, **point)
    if isinstance(kind, Calibration):
        return kind.achieved(A, value=A.number(next(iter(named.values()))), **point)
    assert judge.claim.formula is not None  # noqa: S101 - a judge has one
    return judge.claim.formula(A, **point)
