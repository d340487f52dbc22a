"""A second rigorous arithmetic: mpmath's intervals, with kernels that share no code with Arb.

Used only to check proofs again.  The normal law is enclosed by two classical expansions: the odd power series of
``(Phi(x) - 1/2) / phi(x)``, whose terms are positive and whose tail is below a geometric series, for ``|x| <= 3``; and
Laplace's continued fraction of the Mills ratio, whose convergents lie alternately above and below it, beyond.
Monotone functions are evaluated at the ends of an interval.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath

from proofs_numeric import special
from proofs_numeric.arithmetic import Arithmetic, exact

_SERIES_BELOW = 3


@functools.lru_cache(maxsize=16)
def _context(bits: int) -> Any:
    context = mpmath.ctx_iv.MPIntervalContext()
    context.prec = bits
    return context


@dataclass(frozen=True)
class Interval(Arithmetic):
    """mpmath intervals at ``bits`` bits: every value is a rigorous enclosure."""

    bits: int = 96
    name = "interval"
    encloses = True

    @property
    def context(self) -> Any:
        """The private interval context of this precision."""
        return _context(self.bits)

    def number(self, value: Any) -> Any:
        if isinstance(value, str):
            if value == "infinity":
                return self.context.mpf([mpmath.inf, mpmath.inf])
            value = exact(value)
        if isinstance(value, Fraction):
            return self.context.mpf(value.numerator) / self.context.mpf(value.denominator)
        return self.context.mpf(value)

    def interval(self, lower: Any, upper: Any) -> Any:
        """Return an interval that contains ``[lower, upper]``."""
        return self.between(lower, upper)

    def between(self, x: Any, y: Any) -> Any:
        x, y = self.number(x), self.number(y)
        return self.context.mpf([min(x.a, y.a).a, max(x.b, y.b).b])

    def monotone(self, function: Any, x: Any, *, increasing: bool = True) -> Any:
        """Image of an interval under a monotone function given at points."""
        at_a, at_b = function(self.number(x).a), function(self.number(x).b)
        return self.context.mpf([at_a.a, at_b.b] if increasing else [at_b.a, at_a.b])

    @property
    def pi(self) -> Any:
        return +self.context.pi

    def exp(self, x: Any) -> Any:
        return self.context.exp(x)

    def expm1(self, x: Any) -> Any:
        return self.context.exp(x) - 1

    def log(self, x: Any) -> Any:
        return self.context.log(x)

    def log1p(self, x: Any) -> Any:
        return self.context.log(1 + self.number(x))

    def sqrt(self, x: Any) -> Any:
        return self.context.sqrt(x)

    def maximum(self, *xs: Any) -> Any:
        values = [self.number(x) for x in xs]
        return self.context.mpf([max(v.a for v in values).a, max(v.b for v in values).b])

    def minimum(self, *xs: Any) -> Any:
        values = [self.number(x) for x in xs]
        return self.context.mpf([min(v.a for v in values).a, min(v.b for v in values).b])


def _power_series(A: Interval, x: Any) -> Any:
    """Sum of ``x^(2k+1) / (1 3 5 ... (2k+1))`` at a point ``0 <= x <= 3``, tail included."""
    square, term = x * x, x
    total, k = x, 0
    smallest = A.context.mpf(2) ** -(A.bits + 8)
    while True:
        k += 1
        term = term * square / (2 * k + 1)
        total = total + term
        ratio = square / (2 * k + 3)
        if ratio.b < 1 and (term.b == 0 or term.b < smallest.a):
            tail = term * ratio / (1 - ratio)
            return total + A.context.mpf([0, tail.b])


def _mills_ratio(A: Interval, x: Any) -> Any:
    """Mills ratio at a point ``x > 3``: between two consecutive convergents of Laplace's continued fraction."""
    terms = 8 + math.ceil((0.5 * A.bits / float(x.a.mid)) ** 2 / 4)

    def convergent(depth: int) -> Any:
        value = x
        for k in range(depth, 0, -1):
            value = x + k / value
        return 1 / value

    first, second = convergent(terms), convergent(terms + 1)
    return A.between(first, second)


def _lower_tail(A: Interval, x: Any) -> Any:
    """Enclosure of ``Phi(x)`` at a point."""
    if x.a >= -_SERIES_BELOW and x.b <= _SERIES_BELOW:
        sign = 1 if x.a >= 0 else -1
        return A.context.mpf(1) / 2 + sign * special.normal_pdf(A, x) * _power_series(A, x * sign)
    tail = special.normal_pdf(A, x) * _mills_ratio(A, abs(x))
    return tail if x.b < 0 else 1 - tail


@special.normal_cdf.register
def _(A: Interval, x: Any) -> Any:
    return A.monotone(functools.partial(_lower_tail, A), x)


@special.log_normal_cdf.register
def _(A: Interval, x: Any) -> Any:
    def at(point: Any) -> Any:
        if point.a > _SERIES_BELOW:
            return A.log1p(-_lower_tail(A, -point))
        return A.log(_lower_tail(A, point))

    return A.monotone(at, x)


@special.mills.register
def _(A: Interval, x: Any) -> Any:
    def at(point: Any) -> Any:
        if point.a > _SERIES_BELOW:
            return _mills_ratio(A, point)
        return _lower_tail(A, -point) / special.normal_pdf(A, point)

    return A.monotone(at, x, increasing=False)


@special.gaussian_profile.register
def _(A: Interval, epsilon: Any, mu: Any) -> Any:
    epsilon, mu = A.number(epsilon), A.number(mu)
    if mu.a == 0 and mu.b == 0:
        return A.maximum(0, -A.expm1(epsilon))
    half, ratio = mu / 2, epsilon / mu
    return special.normal_cdf(A, half - ratio) - A.exp(epsilon) * special.normal_cdf(A, -half - ratio)


def _quantile_at(A: Interval, q: Any) -> Any:
    """Enclosure of the x with ``Phi(-x) = q`` at a point ``0 < q < 1``: bisection on certified signs from each side."""

    def below(x: Any) -> bool:
        return bool(_lower_tail(A, -x).a > q.b)

    def above(x: Any) -> bool:
        return bool(_lower_tail(A, -x).b < q.a)

    low, high = A.context.mpf(-1), A.context.mpf(1)
    while not below(low):
        low = 2 * low
    while not above(high):
        high = 2 * high
    return A.between(_last(A, below, low, high), _last(A, above, high, low))


def _last(A: Interval, certain: Any, inside: Any, outside: Any) -> Any:
    """The last point, going from ``inside`` to ``outside``, at which the predicate is seen to hold."""
    for _step in range(A.bits):
        middle = A.context.mpf(((inside + outside) / 2).mid)
        inside, outside = (middle, outside) if certain(middle) else (inside, middle)
    return inside


@special.normal_quantile_complement.register
def _(A: Interval, q: Any) -> Any:
    return A.monotone(functools.partial(_quantile_at, A), q, increasing=False)


@special.normal_quantile.register
def _(A: Interval, p: Any) -> Any:
    return -special.normal_quantile_complement(A, p)
