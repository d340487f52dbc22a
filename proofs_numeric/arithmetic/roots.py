"""Roots of increasing functions and values at a peak, in every arithmetic."""

import functools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from proofs_numeric.arithmetic.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.ball import Ball
from proofs_numeric.arithmetic.enclosure import NotEnclosedError
from proofs_numeric.arithmetic.float64 import Float64
from proofs_numeric.arithmetic.mpreal import MpReal
from proofs_numeric.arithmetic.special import as_fraction

Increasing = Callable[..., Any]
"""``function(x, *parameters)``, which does not fall as x grows."""


@functools.singledispatch
def increasing_root(A: Arithmetic, function: Increasing, lower: Number, upper: Number, *parameters: Number) -> Number:
    """Zero in x of ``function(x, *parameters)``, increasing in x, between `lower` and `upper`.

    It is `lower` where the function is not negative there, `upper` where it is not positive there.  In doubles the ends
    and the parameters broadcast, and every digit is asked for that the function's own rounding leaves; an arithmetic of
    enclosures encloses the zero, and that of every function that the parameters enclose.

    Raises:
        NotEnclosedError: an enclosing arithmetic knows nothing about the function at a point that it needs.

    """
    raise NotImplementedError(A)


@increasing_root.register
def _(A: Float64, function: Increasing, lower: Any, upper: Any, *parameters: Number) -> Any:
    from scipy.optimize import brentq

    def root(low: float, high: float, *at: Number) -> float:
        if function(low, *at) >= 0:
            return low
        if function(high, *at) <= 0:
            return high
        if high > sys.float_info.max:
            if function(sys.float_info.max, *at) <= 0:
                return high
            high = sys.float_info.max
        return float(brentq(function, low, high, args=at, **_FINEST))

    if all(np.ndim(x) == 0 for x in (lower, upper, *parameters)):
        return np.float64(root(lower, upper, *parameters))
    return np.vectorize(root, otypes=[np.float64])(lower, upper, *parameters)


_FINEST = {"xtol": 5e-324, "rtol": 4 * sys.float_info.epsilon, "maxiter": 5_000}
"""SciPy's finest tolerance, relative to the root however small that is, in as many steps as it takes."""


@increasing_root.register
def _(A: MpReal, function: Increasing, lower: Number, upper: Number, *parameters: Number) -> Number:
    return _near_zero(A, lambda x: function(x, *parameters), A.number(lower), A.number(upper), 2**10 * A.context.eps)


def _near_zero(A: MpReal, value: Callable[[Any], Any], a: Number, b: Number, tolerance: Number) -> Number:
    """Chandrupatla's method (1997), to a tolerance relative to the root, between the ends `a < b`.

    mpmath's own finders end at an absolute tolerance of the function, or not at all.
    """
    at_a, at_b = value(a), value(b)
    if at_a >= 0:
        return a
    if at_b <= 0:
        return b
    part = A.number(1) / 2
    while True:
        x = a + part * (b - a)
        here = value(x)
        # The root lies between a, the newest point, and b; c is the point before them.
        if here * at_a > 0:
            c, at_c = a, at_a
        else:
            c, at_c, b, at_b = b, at_b, a, at_a
        a, at_a = x, here
        best = a if abs(at_a) < abs(at_b) else b
        least_part = tolerance * abs(best) / abs(b - a)
        if here == 0 or not least_part < 1 / 2:
            return best
        xi, phi = (a - b) / (c - b), (at_a - at_b) / (at_c - at_b)
        part = A.number(1) / 2
        if phi**2 < xi and (1 - phi) ** 2 < 1 - xi:  # the parabola through the three is monotone
            part = at_a / (at_b - at_a) * at_c / (at_b - at_c)
            part += (c - a) / (b - a) * at_a / (at_c - at_a) * at_b / (at_c - at_b)
        part = min(1 - least_part, max(least_part, part))


def enclosed_root(A: Arithmetic, function: Increasing, lower: Any, upper: Any, *parameters: Number) -> Any:
    """`increasing_root` in balls or intervals: certified signs on both sides of mpmath's root of the middles."""

    def value(x: Number) -> Any:
        return A.number(function(x, *parameters))

    lower, upper = A.number(lower), A.number(upper)
    low, high = lower.lower(), upper.upper()
    if value(low) >= 0:
        return lower
    if value(high) <= 0:
        return upper
    near = MpReal(A.bits * 3 // 10)  # its guard digits make it finer than A

    def middle(x: Number) -> Any:
        image = value(_point(A, x))
        if not image.is_finite():
            raise NotEnclosedError(f"expected an increasing function known at {x}, got {image} at {A.bits} bits")
        mantissa, exponent = image.mid().man_exp()
        return near.context.ldexp(near.context.mpf(int(mantissa)), int(exponent))

    first, last = near.number(as_fraction(low)), near.number(as_fraction(high))
    guess = _point(A, _near_zero(near, middle, first, last, near.context.ldexp(1, 20 - A.bits)))

    def certain(end: Number, side: int) -> Any:
        """The point next to the guess with a certain sign; the end where there is none."""
        step = (guess if guess != 0 else end - guess) / 2**A.bits
        spread = side * abs(step).mid()
        while (end - guess - spread) * side > 0:
            point = (guess + spread).mid()
            if value(point) * side > 0:
                return point
            spread = 4 * spread
        return end

    return certain(low, -1).union(certain(high, 1))


increasing_root.register(Ball, enclosed_root)


def peak_value(A: Arithmetic, function: Callable[[Any], Any], lower: Any, upper: Any, steps: int = 200) -> Any:
    """Value about the peak of a function with one hill between `lower` and `upper`, by steps of golden section."""
    part = (A.sqrt(A.number(5)) - 1) / 2
    for _step in range(steps):
        one, two = upper - part * (upper - lower), lower + part * (upper - lower)
        lower, upper = (one, upper) if function(one) < function(two) else (lower, two)
    return function((lower + upper) / 2)


def _point(A: Any, x: Number) -> Any:
    return A.number(as_fraction(x)).mid()
