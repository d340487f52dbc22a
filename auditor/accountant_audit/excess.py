"""Excess epsilon of a loose answer, and what an unsafe answer lacks in the unit of the returned number."""

import itertools
import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from auditor.accountant_audit.judge import ESTIMATE, UPPER, Judge
from auditor.accountant_audit.solved import DELTA, Solved
from auditor.target.target import Answer, Returned, Several
from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.statements.claim import QuantityKind
from proofs_numeric.statements.kinds import Calibration, DeltaBound

EPSILON = "epsilon"
BITS = 128
RELATIVE = 1e-6
"""Relative accuracy of the exact epsilon."""
Curve = Callable[[float], float]
STEP = 1.01
"""Factor between two values that show whether delta falls with a parameter."""
MOST_DOUBLINGS = 40
"""Largest number of steps away from the stated value until delta is at most the target."""
COARSE = 1e-7
"""Relative accuracy of a needed value."""
MOST_EVALUATIONS = 40
"""Largest number of evaluations of delta in the search of a needed value: a limit that every machine reaches alike."""


@dataclass(frozen=True)
class Shortfall:
    """A number of an unsafe answer, or the stated epsilon, and the number that would have been right.

    Args:
        name: name of the number.
        stated: the returned or stated number.
        needed: the nearest number at which the exact delta is at most the stated delta.
    """

    name: str
    stated: float
    needed: float

    @property
    def text(self) -> str:
        """The needed number, and its difference from the stated one: in percent, or absolute for epsilon."""
        bound = "at least" if self.needed > self.stated else "at most"
        if self.name == EPSILON:
            return f"the true epsilon is {self.needed:.5g}, {self.needed - self.stated:.2g} more"
        percent = 100 * abs(self.stated / self.needed - 1)
        way = "small" if self.needed > self.stated else "large"
        return f"{self.name} has to be {bound} {self.needed:.5g}, so it is {percent:.2g} % too {way}"


def shortfalls(judge: Judge, values: Mapping[str, Any], answer: Answer) -> list[Shortfall]:
    """Return what an unsafe answer lacks: in its own unit, if it is a single parameter, and in epsilon.

    Args:
        judge: judge of the answer.
        values: exact arguments.
        answer: an unsafe answer.
    """
    numbers = _numbers(judge, answer)
    results: list[tuple[str, Curve, float, float, bool]] = []
    kind = judge.claim.kind
    returned = [one.name for one in kind.parameters] if isinstance(kind, Solved) else [judge.claim.quantity.value]
    calibrated = isinstance(kind, Calibration) and kind.target in values and len(numbers) == 1
    if isinstance(kind, Calibration) and calibrated and returned != [EPSILON]:

        def achieved(at: float) -> float:
            return _evaluate(lambda A, **p: _delta(judge, A, {returned[0]: Fraction(at)}, p, exact=True), values)

        whole = isinstance(kind, Solved) and kind.parameters[0].integer
        results.append((returned[0], achieved, float(numbers[0]), float(values[kind.target]), whole))
    of_epsilon = _curve(judge, values, numbers, exact=True)
    if of_epsilon is not None:
        curve, epsilon, delta = of_epsilon
        results.append((EPSILON, curve, epsilon, delta, False))
    needed = [(name, stated, _needed(curve, stated, target, whole)) for name, curve, stated, target, whole in results]
    shortages = [Shortfall(name, stated, number) for name, stated, number in needed if number is not None]
    return [one for one in shortages if abs(one.needed - one.stated) > 10 * COARSE * one.stated]


def _above(curve: Curve, target: float, at: float) -> float:
    """Return the logarithm of delta at a value less that of its target."""
    return math.log(max(curve(at), sys.float_info.min)) - math.log(target)


def _needed(curve: Curve, stated: float, target: float, whole: bool) -> float | None:
    """Return the number nearest to a stated one at which delta is the target; None if it is not found.

    Of whole numbers it is the nearest one at which delta is at most the target.
    """
    from scipy.optimize import brentq

    evaluations = itertools.count(1)

    def above(at: float) -> float:
        if next(evaluations) > MOST_EVALUATIONS:
            raise ArithmeticError
        return _above(curve, target, at)

    try:
        if not (stated > 0 and target > 0) or above(stated) <= 0:
            return None
        factor = STEP if above(STEP * stated) < above(stated) else 1 / STEP
        near = stated
        for _ in range(MOST_DOUBLINGS):
            far = near * factor
            if above(far) <= 0:
                low, high = sorted((near, far))
                needed = float(brentq(above, low, high, xtol=COARSE * low, rtol=COARSE))
                if not whole:
                    return needed
                nearest = float(round(needed))
                return nearest if above(nearest) <= 0 else nearest + math.copysign(1, needed - stated)
            near, factor = far, factor**2 if abs(math.log2(factor)) < 1 else factor
    except (ArithmeticError, ValueError):
        return None
    return None


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

    parts = _curve(judge, values, _numbers(judge, answer))
    if parts is None:
        return None
    curve, epsilon, delta = parts
    if not (0 < delta < 1 and 0 <= epsilon < math.inf):
        return None

    above = partial(_above, curve, delta)
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
        answers = dict(zip(judge.returns, parts, strict=True))
        parts = (answers.get(UPPER) or answers[ESTIMATE],)
    numbers = [part.value for part in parts if isinstance(part, Returned)]
    return numbers if len(numbers) == len(parts) else []


def _curve(
    judge: Judge, values: Mapping[str, Any], numbers: list[Fraction], *, exact: bool = False
) -> tuple[Curve, float, float] | None:
    """Return the claim's delta as a function of epsilon, and the stated epsilon and delta.

    Args:
        judge: judge of the answer.
        values: exact arguments.
        numbers: the numbers of the answer.
        exact: whether the exact delta replaces that of a claim which is an upper bound.
    """
    claim, kind = judge.claim, judge.claim.kind
    fixed: dict[str, Any] = {}
    if not numbers:
        return None
    if isinstance(kind, Solved):
        solved = kind.at(values, numbers)
        if isinstance(solved, str):
            return None
        fixed = solved
    elif isinstance(kind, Calibration) and kind.target == DELTA.name:
        fixed = {EPSILON if claim.quantity is QuantityKind.EPSILON else "": numbers[0]}
    elif claim.quantity is QuantityKind.DELTA:
        fixed = {DELTA.name: numbers[0]}
    stated = {**values, **fixed}
    if EPSILON not in stated or DELTA.name not in stated:
        return None

    def curve(epsilon: float) -> float:
        moved = {name: Fraction(epsilon) if name == EPSILON else value for name, value in fixed.items()}
        point = {name: Fraction(epsilon) if name == EPSILON else value for name, value in values.items()}
        return _evaluate(lambda A, **p: _delta(judge, A, moved, p, exact=exact), point)

    return curve, float(stated[EPSILON]), float(stated[DELTA.name])


def _evaluate(formula: Callable[..., Any], point: Mapping[str, Any]) -> float:
    """Return a formula's value as a double; raise ArithmeticError without a finite one."""
    value = evaluate_in(Ball(BITS), formula, point)
    if not value.is_finite():
        raise ArithmeticError
    return float(value.mid())


def _delta(judge: Judge, A: Any, fixed: Mapping[str, Any], point: Mapping[str, Any], *, exact: bool) -> Any:
    """Return the claim's delta at a point, given the returned values; `exact`: the exact delta below an upper bound."""
    kind = judge.claim.kind
    if isinstance(kind, Calibration):
        achieved = (exact and kind.achieved_at_least) or kind.achieved
        value = fixed if isinstance(kind, Solved) else A.number(next(iter(fixed.values())))
        return achieved(A, value=value, **point)
    formula = (exact and isinstance(kind, DeltaBound) and kind.exact) or judge.claim.formula
    assert formula is not None  # noqa: S101 - a judge has one
    return formula(A, **point)
