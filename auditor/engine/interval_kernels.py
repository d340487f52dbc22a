"""Interval kernels of what the papers' formulas share beyond the normal law: integer parts, roots, maxima over rows.

Roots of monotone functions are enclosed by bisection from both sides, moved on certified signs only.  Importing this
module registers them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from proofs_numeric.arithmetic import integer_part, roots, special
from proofs_numeric.arithmetic.interval import Interval
from proofs_numeric.statements import concentrated
from proofs_numeric.wilkins2024.section_7 import f_dp
from proofs_numeric.wilkins2024.theorem_5_4 import calibrations, lower_threshold

MOST_TERMS = 20_000
"""Terms up to which a binomial tail is summed."""
MOST_ROWS = 2_000
"""Rows up to which a maximum over rows is taken term by term."""
FURTHEST = 12
"""Squarings of a bracket before a root is given up."""


class NoIntervalError(ArithmeticError):
    """Intervals have no answer here. Causes: too many terms, a root too far out, no quadrature."""


def _whole(end: Any) -> int:
    """``floor`` of a point."""
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


def root(A: Interval, increasing: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """Enclosure of the zero of an increasing function between two points, negative at one and positive at the other."""
    return A.between(
        A.last(lambda x: bool(increasing(x).b < 0), low, high),
        A.last(lambda x: bool(increasing(x).a > 0), high, low),
    )


def positive_root(A: Interval, increasing: Callable[[Any], Any]) -> Any:
    """Enclosure of the zero of an increasing function on the positive reals, however small or large."""

    def sign(x: Any) -> int:
        value = increasing(x)
        return -1 if value.b < 0 else 1 if value.a > 0 else 0

    low = high = A.number(1)
    for _step in range(FURTHEST):
        if sign(low) < 0:
            break
        low = (low * low / 4).mid()
    for _step in range(FURTHEST):
        if sign(high) > 0:
            break
        high = (high * high * 4).mid()
    if not (sign(low) < 0 < sign(high)):
        raise NoIntervalError("expected a sign change between the ends of a bracket, got none")
    while high > 2 * low and (middle_sign := sign(middle := A.sqrt(low * high).mid())):
        low, high = (middle, high) if middle_sign < 0 else (low, middle)
    return root(A, increasing, low, high)


@roots.increasing_root.register
def _(A: Interval, function: Callable[[Any], Any], lower: Any, upper: Any) -> Any:
    return root(A, lambda x: A.number(function(x)), A.number(lower).a, A.number(upper).b)


@concentrated.best_excess.register
def _(A: Interval, rho: Any, epsilon: Any) -> Any:
    rho, epsilon = A.number(rho), A.number(epsilon)
    return positive_root(A, lambda x: (1 + 2 * x) * rho - epsilon - A.log1p(1 / x))


@calibrations.gaussian_epsilon.register
def _(A: Interval, *, delta: Any, mu: Any) -> Any:
    delta, mu = A.number(delta), A.number(mu)
    if special.gaussian_profile(A, 0, mu).b <= delta.a:
        return A.number(0)
    return positive_root(A, lambda epsilon: delta - special.gaussian_profile(A, epsilon, mu))


@calibrations.gaussian_mu.register
def _(A: Interval, *, epsilon: Any, delta: Any) -> Any:
    epsilon, delta = A.number(epsilon), A.number(delta)
    return positive_root(A, lambda mu: special.gaussian_profile(A, epsilon, mu) - delta)


@f_dp.delta_f_dp.register
def _(A: Interval, *, c_u: int, **parameters: Any) -> Any:
    if c_u > MOST_ROWS:
        raise NoIntervalError(f"expected at most {MOST_ROWS} rows to compare one by one, got c_u={c_u}")
    return f_dp.literal_f_dp(A, c_u=c_u, **parameters)


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
