"""A second rigorous arithmetic: mpmath's intervals, with kernels that share no code with Arb.

Used only to check proofs again.  The normal law is enclosed by two classical expansions: the odd power series of
``(Phi(x) - 1/2) / phi(x)``, whose terms are positive and whose tail is below a geometric series, for ``|x| <= 3``; and
Laplace's continued fraction of the Mills ratio, whose convergents lie alternately above and below it, beyond.
Monotone functions are evaluated at the ends of an interval.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath
from mpmath.libmp import finf, fnan, fninf, mpi_mid, round_floor, to_float, to_int

from proofs_numeric.arithmetic import special
from proofs_numeric.arithmetic.arithmetic import Arithmetic, Number, exact
from proofs_numeric.arithmetic.roots import enclosed_root, increasing_root

_SERIES_BELOW = 3
_SMALL = 2.0**-7
"""Below it exp(x) - 1 and log(1 + x) are power series, which keep the digits of tiny numbers."""


def _binary(operation: Callable[[Any, Any], Any], *, reflected: bool = False) -> Any:
    def method(self: IntervalNumber, other: Any) -> Any:
        plain = other.iv if isinstance(other, IntervalNumber) else other
        value = operation(plain, self.iv) if reflected else operation(self.iv, plain)
        return IntervalNumber(self.context, value) if isinstance(value, self.context.mpf) else value

    return method


def _unary(operation: Callable[[Any], Any]) -> Any:
    def method(self: IntervalNumber) -> IntervalNumber:
        return IntervalNumber(self.context, operation(self.iv))

    return method


class IntervalNumber:
    """An interval of mpmath, with what formulas ask of an enclosure besides arithmetic, in the words of Arb's balls.

    Comparisons are true, false, or None where the intervals overlap.
    """

    __slots__ = ("context", "iv")

    def __init__(self, context: Any, value: Any) -> None:
        self.context = context
        self.iv = context.mpf(value)

    __add__, __radd__ = _binary(operator.add), _binary(operator.add, reflected=True)
    __sub__, __rsub__ = _binary(operator.sub), _binary(operator.sub, reflected=True)
    __mul__, __rmul__ = _binary(operator.mul), _binary(operator.mul, reflected=True)
    __truediv__, __rtruediv__ = _binary(operator.truediv), _binary(operator.truediv, reflected=True)
    __pow__, __rpow__ = _binary(operator.pow), _binary(operator.pow, reflected=True)
    __neg__, __pos__, __abs__ = _unary(operator.neg), _unary(operator.pos), _unary(abs)
    __lt__, __le__, __gt__, __ge__ = map(_binary, (operator.lt, operator.le, operator.gt, operator.ge))
    __eq__, __ne__ = _binary(operator.eq), _binary(operator.ne)

    def __hash__(self) -> int:
        return hash(self.iv)

    def __repr__(self) -> str:
        return repr(self.iv)

    def __float__(self) -> float:
        """About the middle: for choosing steps and windows only."""
        return float(to_float(mpi_mid(self.ends, self.context.prec)))

    @property
    def ends(self) -> tuple[Any, Any]:
        """Both ends, in mpmath's raw form."""
        first, last = self.iv._mpi_
        return first, last

    @property
    def a(self) -> IntervalNumber:
        """The left end."""
        return IntervalNumber(self.context, self.iv.a)

    @property
    def b(self) -> IntervalNumber:
        """The right end."""
        return IntervalNumber(self.context, self.iv.b)

    def lower(self) -> IntervalNumber:
        """The left end."""
        return self.a

    def upper(self) -> IntervalNumber:
        """The right end."""
        return self.b

    def mid(self) -> IntervalNumber:
        """A point in the middle."""
        return IntervalNumber(self.context, self.iv.mid)

    def man_exp(self) -> tuple[int, int]:
        """Integers ``m, e`` with ``m 2^e`` the point."""
        sign, mantissa, exponent, _bits = self.ends[0]
        return (-int(mantissa) if sign else int(mantissa)), int(exponent)

    def floor(self) -> int:
        """The integer part of a point."""
        return int(to_int(self.ends[0], round_floor))

    def to(self, last: IntervalNumber) -> IntervalNumber:
        """From the left end of this to the right end of another."""
        return IntervalNumber(self.context, [self.iv.a, last.iv.b])

    def union(self, other: Number) -> Any:
        """The hull of both."""
        other = IntervalNumber(self.context, getattr(other, "iv", other))
        return min(self.a, other.a).to(max(self.b, other.b))

    def max(self, other: Number) -> Any:
        """The larger of the two."""
        other = IntervalNumber(self.context, getattr(other, "iv", other))
        return max(self.a, other.a).to(max(self.b, other.b))

    def is_exact(self) -> bool:
        """Whether it is one point."""
        first, last = self.ends
        return bool(first == last)

    def is_finite(self) -> bool:
        """Whether both ends are finite."""
        return all(isfinite(end) for end in self.ends)


def isfinite(end: Any) -> bool:
    """Whether an end, in mpmath's raw form, is a number."""
    return end not in (finf, fninf, fnan)


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
        if isinstance(value, IntervalNumber):
            value = value.iv
        if isinstance(value, str):
            value = [mpmath.inf, mpmath.inf] if value == "infinity" else exact(value)
        if isinstance(value, Fraction):
            value = self.context.mpf(value.numerator) / self.context.mpf(value.denominator)
        return IntervalNumber(self.context, value)

    def interval(self, lower: Number, upper: Number) -> Any:
        """Return an interval that contains ``[lower, upper]``."""
        return self.between(lower, upper)

    def between(self, x: Any, y: Number) -> Any:
        x, y = self.number(x), self.number(y)
        return x.union(y)

    def monotone(self, function: Any, x: Number, *, increasing: bool = True) -> Any:
        """Image of an interval under a monotone function given at points."""
        at_a, at_b = function(self.number(x).a), function(self.number(x).b)
        return at_a.to(at_b) if increasing else at_b.to(at_a)

    @property
    def pi(self) -> Any:
        return IntervalNumber(self.context, +self.context.pi)

    def exp(self, x: Number) -> Any:
        return IntervalNumber(self.context, self.context.exp(self.number(x).iv))

    def expm1(self, x: Number) -> Any:
        return self.monotone(self._expm1_at, x)

    def _expm1_at(self, x: Any) -> Any:
        if not abs(x) < _SMALL:
            return self.exp(x) - 1
        # The terms beyond n sum to at most twice the next one, as |x| < 1/2.
        total = term = x
        for n in range(2, self._terms()):
            term = term * x / n
            total = total + term
        rest = 2 * abs(term)
        return total + (-rest.b).to(rest.b)

    def log(self, x: Number) -> Any:
        return IntervalNumber(self.context, self.context.log(self.number(x).iv))

    def log1p(self, x: Number) -> Any:
        return self.monotone(self._log1p_at, x)

    def _log1p_at(self, x: Any) -> Any:
        if not abs(x) < _SMALL:
            return self.log(1 + x)
        total = power = x
        for n in range(2, self._terms()):
            power = -power * x
            total = total + power / n
        rest = 2 * abs(power * x)
        return total + (-rest.b).to(rest.b)

    def _terms(self) -> int:
        """Terms after which a series with ratios below `_SMALL` is below the precision."""
        return 3 + self.bits // 7

    def sqrt(self, x: Number) -> Any:
        return IntervalNumber(self.context, self.context.sqrt(self.number(x).iv))

    def maximum(self, *xs: Number) -> Any:
        values = [self.number(x) for x in xs]
        return max(v.a for v in values).to(max(v.b for v in values))

    def minimum(self, *xs: Number) -> Any:
        values = [self.number(x) for x in xs]
        return min(v.a for v in values).to(min(v.b for v in values))


def _power_series(A: Interval, x: Any) -> Any:
    """Sum of ``x^(2k+1) / (1 3 5 ... (2k+1))`` at a point ``0 <= x <= 3``, tail included."""
    square, term = x * x, x
    total, k = x, 0
    smallest = A.number(2) ** -(A.bits + 8)
    while True:
        k += 1
        term = term * square / (2 * k + 1)
        total = total + term
        ratio = square / (2 * k + 3)
        if ratio.b < 1 and (term.b == 0 or term.b < smallest.a):
            tail = term * ratio / (1 - ratio)
            return total + A.number(0).to(tail)


def _mills_ratio(A: Interval, x: Any) -> Any:
    """Mills ratio at a point ``x > 3``: between two consecutive convergents of Laplace's continued fraction."""
    terms = 8 + math.ceil((0.5 * A.bits / float(x.a)) ** 2 / 4)

    def convergent(depth: int) -> Any:
        value = x
        for k in range(depth, 0, -1):
            value = x + k / value
        return 1 / value

    first, second = convergent(terms), convergent(terms + 1)
    return A.between(first, second)


class TooMuchEffortError(ArithmeticError):
    """A number would take too long. Causes: roots of functions that hold roots, sums of very many terms."""


@dataclass
class Effort:
    """Evaluations of the normal law at points, in units of 96 bits: what nearly all time goes to.

    A limit on it ends what would take minutes, at the same place on every machine.
    """

    most: int = 4_000
    spent: float = 0.0

    def spend(self, bits: int) -> None:
        """Count one evaluation."""
        self.spent += bits / 96
        if self.spent > self.most:
            raise TooMuchEffortError(f"expected at most {self.most} evaluations of the normal law, got more")


effort = Effort()


def _lower_tail(A: Interval, x: Any) -> Any:
    """Enclosure of ``Phi(x)`` at a point."""
    effort.spend(A.bits)
    if x.a >= -_SERIES_BELOW and x.b <= _SERIES_BELOW:
        sign = 1 if x.a >= 0 else -1
        return A.number(1) / 2 + sign * special.normal_pdf(A, x) * _power_series(A, x * sign)
    tail = special.normal_pdf(A, x) * _mills_ratio(A, abs(x))
    return tail if x.b < 0 else 1 - tail


increasing_root.register(Interval, enclosed_root)


@special.normal_cdf.register
def _(A: Interval, x: Number) -> Any:
    return A.monotone(functools.partial(_lower_tail, A), x)


@special.log_normal_cdf.register
def _(A: Interval, x: Number) -> Any:
    def at(point: Any) -> Any:
        if point.a > _SERIES_BELOW:
            return A.log1p(-_lower_tail(A, -point))
        return A.log(_lower_tail(A, point))

    return A.monotone(at, x)


@special.mills.register
def _(A: Interval, x: Number) -> Any:
    def at(point: Any) -> Any:
        if point.a > _SERIES_BELOW:
            return _mills_ratio(A, point)
        return _lower_tail(A, -point) / special.normal_pdf(A, point)

    return A.monotone(at, x, increasing=False)


@special.gaussian_profile.register
def _(A: Interval, epsilon: Number, mu: Any) -> Any:
    epsilon, mu = A.number(epsilon), A.number(mu)
    if mu.a == 0 and mu.b == 0:
        return A.maximum(0, -A.expm1(epsilon))
    half, ratio = mu / 2, epsilon / mu
    return special.normal_cdf(A, half - ratio) - A.exp(epsilon) * special.normal_cdf(A, -half - ratio)


def _quantile_at(A: Interval, q: Number) -> Number:
    """Enclosure of the x with ``Phi(-x) = q`` at a point ``0 < q < 1``: ``Phi(-|x|) <= e^(-x^2/2) / 2`` bounds it."""
    return increasing_root(
        A, lambda x: A.log(q) - special.log_normal_cdf(A, -x), -A.sqrt(-2 * A.log1p(-q)), A.sqrt(-2 * A.log(q))
    )


@special.normal_quantile_complement.register
def _(A: Interval, q: Number) -> Any:
    return A.monotone(functools.partial(_quantile_at, A), q, increasing=False)


@special.normal_quantile.register
def _(A: Interval, p: Number) -> Number:
    return -special.normal_quantile_complement(A, p)
