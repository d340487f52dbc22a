"""Interval kernels of common functions of the papers' formulas: integer parts, maxima over rows, binomial tails.

Importing this module registers them.
"""

import math
from collections.abc import Callable
from typing import Any

from proofs_numeric.arithmetic import integer_part, largest, special
from proofs_numeric.arithmetic.interval import Interval
from proofs_numeric.wilkins2024.theorem_5_4 import lower_threshold

MOST_TERMS = 20_000
"""Most terms in the sum of a binomial tail."""
MOST_ROWS = 2_000
"""Most rows of a maximum that is computed row by row."""


class NoIntervalError(ArithmeticError):
    """No interval kernel applies. Causes: too many terms, no quadrature."""


def _whole(end: Any) -> int:
    """Return the integer part of an end point."""
    if not end.is_finite():
        raise NoIntervalError(f"expected a finite number to take the integer part of, got {end}")
    return int(end.floor())


@integer_part.floors.register
def _(A: Interval, x: Any) -> range:
    x = A.number(x)
    return range(_whole(x.a), _whole(x.b) + 1)


@lower_threshold.ceiling.register
def _(A: Interval, x: Any) -> Any:
    x = A.number(x)
    return A.between(-_whole(-x.a), -_whole(-x.b))


@largest.largest_term.register
def _(A: Interval, term: Callable[[Any], Any], number: int, search: Any = None) -> Any:
    del search
    if number > MOST_ROWS:
        raise NoIntervalError(f"expected at most {MOST_ROWS} rows to compare one by one, got {number}")
    return A.maximum(*map(term, range(number)))


@special.binomial_tail.register
def _(A: Interval, n: int, p: Any, k: int) -> Any:
    if k <= 0 or k > n:
        return A.number(1 if k <= 0 else 0)
    p = A.number(p)
    odds = p / (1 - p)
    total = term = A.number(math.comb(n, k)) * p**k * (1 - p) ** (n - k)
    for j in range(k, min(n, k + MOST_TERMS)):
        ratio = odds * (n - j) / (j + 1)
        # Ratios fall: from here on the terms are below a geometric series.
        if ratio.b < 1 and (rest := term * ratio / (1 - ratio)).b < total.a / 2**A.bits:
            return total + A.between(0, rest)
        term = term * ratio
        total = total + term
    if k + MOST_TERMS < n:
        raise NoIntervalError(f"expected a tail of at most {MOST_TERMS} terms, got n={n}, k={k}")
    return total


def _no_quadrature(*_: Any, **__: Any) -> Any:
    raise NoIntervalError("expected a formula without an integral: intervals have no quadrature here")


special.integral.register(Interval, _no_quadrature)
