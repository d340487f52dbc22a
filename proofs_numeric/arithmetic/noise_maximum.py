"""How likely the largest of normal noises ``X_i + b X`` passes t, where X is shared; all are standard normal.

    P[none of l passes] = E[Phi(t - b X)^l].

Quadrature.  The trapezoidal rule with step h on ``f(x) = phi(x) F(t - b x)``, where F is ``Phi^l`` or ``1 - Phi^l``:

1. ``|Phi(u + iv)| <= e^{v^2/2} Phi(u)`` (shift the contour of the integral of phi), and the same for ``Phi(-.)``.
2. So ``|F(u + iv)| <= e^{l v^2/2} F(u)``: for ``1 - Phi^l = Phi(-.) (1 + Phi + ... + Phi^{l-1})`` term by term.
3. So the integral of ``|f(x + ia)|`` over x is at most ``e^{c a^2/2} I``, ``c = 1 + l b^2``, I the integral of f.
4. The rule errs by at most ``theta I``, ``theta = 2 e^{c a^2/2} / (e^{2 pi a/h} - 1)``, for every a > 0 (Trefethen and
   Weideman 2014, Theorem 5.1); best near ``a = 2 pi/(h c)``.

Where ``b > 1`` the largest own noise M is integrated instead, X in closed form: ``f(m) = l phi(m) Phi(m)^(l-1)
Phi(+-(m - t)/b)`` has ``c = l + 1/b^2`` by step 1, for b times fewer nodes.

The error is relative, so a delta of 1e-300 costs no more digits than one of 1e-3.  Nodes outside a window are bounded
by normal tails.  For complex t (inside another integral) step 3 holds with one more factor ``e^{l |Im t|^2/2}`` and an
absolute bound is used.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np
from scipy import special as scipy_special

from proofs_numeric.arithmetic import Arithmetic, Ball, ComplexBall, Float64, MpReal, Number
from proofs_numeric.arithmetic.roots import increasing_root
from proofs_numeric.arithmetic.special import normal_cdf, normal_pdf

_LOG_2 = math.log(2.0)
_FAR = 1e140
"""Deviations that stand for any more: their squares are doubles, and every probability is 0 or 1 long before."""
_REACH = 9.0
"""Deviations from its mode beyond which a density of curvature 1 is below rounding."""
_MODE_WIDTH = 0.25
"""How near a mode is found."""
_LARGEST_GRID = 2**21
"""Doubles of a sum that are worked out at once."""
_LOG_SQRT_2PI = 0.5 * math.log(2 * math.pi)


def geometric_sum(A: Arithmetic, ratio: Number, terms: int) -> Number:
    """``1 + ratio + ... + ratio^(terms - 1)`` in O(log terms) products, without subtraction; ``terms >= 0``."""
    total, power = A.number(0), A.number(1)  # sums of n terms and ratio^n, for n the leading bits of ``terms``
    for bit in f"{terms:b}":
        total, power = total * (1 + power), power * power
        if bit == "1":
            total, power = total * ratio + 1, power * ratio
    return total


def _step(log_error: float, curvature: float) -> float:
    """Step at which theta is about ``exp(-log_error)``, rounded to few bits so that nodes are exact."""
    step = math.sqrt(2 * math.pi**2 / (log_error * curvature))
    mantissa, exponent = math.frexp(step)
    return math.ldexp(math.floor(mantissa * 1024) / 1024, exponent)


def _theta(A: Arithmetic, step: Number, curvature: Number) -> Any:
    a = 2 * A.pi / (step * curvature)
    return 2 * A.exp(curvature * a * a / 2) / A.expm1(2 * A.pi * a / step)


def _dyadic(A: Arithmetic, value: float) -> Number:
    return A.number(Fraction(value))


@functools.singledispatch
def released(A: Arithmetic, *, l: int, t: Number, b: Number, bits: int | None = None) -> Number:
    """``1 - E[Phi(t - b X)^l]``: some of l passes.

    ``t`` any real, ``b > 0``, ``l >= 0``.  Full relative accuracy, or
    about ``bits`` bits of it where that is enough.
    """
    t, b = A.number(t), A.number(b)
    if l == 0:
        return A.number(0)
    if l == 1:
        return normal_cdf(A, -t / A.sqrt(1 + b * b))
    if b > 1:
        return _by_maximum(A, l=l, t=t, b=b, bits=bits, passes=True)
    log_error = _LOG_2 * ((A.bits if bits is None else bits) + 4)
    curvature = 1 + l * b * b
    step = _step(log_error, float(curvature))
    t_size, b_size = max(0.0, float(t)), float(b)
    reach = math.sqrt(2 * (log_error + math.log(l) + math.log1p(t_size))) + 2 * step
    centre = t_size * b_size / (1 + b_size * b_size)

    def density(x: Number) -> Number:
        # From the side on which 1 - Phi^l keeps its digits; a power is known of a wide ball too, its logarithm is not.
        y = t - b * x
        none = A.expm1(l * A.log1p(-normal_cdf(A, -y))) if y > 0 else normal_cdf(A, y) ** l - 1
        return -A.exp(-x * x / 2) * none

    h, first, last = _dyadic(A, step), math.floor((centre - reach) / step), math.ceil((centre + reach) / step)
    value = h / A.sqrt(2 * A.pi) * A.sum(density(h * i) for i in range(first, last + 1))
    if not A.encloses:
        return value
    # Left out: f <= (l/2) e^{-T^2/2} phi(x - centre, variance 1/(1+b^2)) where t - b x >= 0, f <= phi elsewhere.
    spread = A.sqrt(1 + b * b)
    mode = A.maximum(0, t) * b / (1 + b * b)
    right, left = h * last - h, h * first + h
    gaussian = l * A.exp(-(A.maximum(0, t) ** 2) / (2 * spread * spread)) / spread
    outside = gaussian * (normal_cdf(A, (left - mode) * spread) + normal_cdf(A, (mode - right) * spread)) + (
        normal_cdf(A, -A.maximum(A.maximum(0, t) / b - h, right))
        + (A.number(0) if t >= 0 else normal_cdf(A, A.minimum(left, A.maximum(0, t) / b)))  # as t may be below 0
    )
    theta = _theta(A, h, curvature)
    return (value + A.between(0, outside)) / (1 + A.between(-theta, theta))


@released.register
def _(A: Float64, *, l: Number, t: Number, b: Any, bits: int | None = None) -> Any:
    l, t, b = np.broadcast_arrays(np.asarray(l, dtype=np.float64), np.asarray(t, dtype=np.float64), b)
    flat = (np.atleast_1d(l).ravel(), np.atleast_1d(t).ravel(), np.atleast_1d(b).ravel())
    return np.exp(_log_released_float(*flat)).reshape(l.shape)[()]


def _log_integral(
    exponent: Callable[..., Any], rise: Callable[..., Any], around: tuple[Any, Any], curvature: float, *axes: Any
) -> Any:
    """``log of the integral of e^exponent(x, *axes)`` over x in doubles, axes of shape (n,).

    ``exponent`` is concave with a curvature of at least 1, ``rise`` its slope, which changes its sign in ``around``;
    for ``curvature`` see `_log_concave_integral`.
    """
    low, high = around
    while np.any(high - low > np.maximum(_MODE_WIDTH, 1e-15 * np.abs(low))):
        middle = (low + high) / 2
        up = rise(middle, *axes) > 0
        low, high = np.where(up, middle, low), np.where(up, high, middle)
    step = math.sqrt(2 * math.pi**2 / (38 * curvature))
    count = math.ceil((_REACH + _MODE_WIDTH) / step)
    nodes, value = np.arange(-count, count + 1) * step, np.empty(low.shape)
    size = math.ceil(_LARGEST_GRID / nodes.size)
    for start in range(0, value.size, size):
        part = slice(start, start + size)
        logs = exponent(low[part, None] + nodes, *(axis[part, None] for axis in axes))
        top = np.max(logs, axis=1)
        value[part] = top + np.log(np.sum(np.exp(logs - top[:, None]), axis=1) * step)
    return value


def _log_released_float(l: Any, t: Any, b: Any) -> Any:
    """Log of the trapezoidal sum; l, t, b of shape (n,)."""
    t = np.clip(t, -_FAR, _FAR)
    value, large = np.full(t.shape, -np.inf), b > 1
    at = large & (l > 0)
    if at.any():
        value[at] = _log_by_maximum(l[at], t[at], b[at], passes=True)
    at = np.flatnonzero(~large & (l > 0))
    for start in range(0, at.size, 512):  # bounded memory for a million values of l
        part = at[start : start + 512]
        value[part] = _log_by_shared(l[part], t[part], b[part])
    return np.minimum(0.0, value)


def _log_by_shared(l: Any, t: Any, b: Any) -> Any:
    """``log(1 - E[Phi(t - b X)^l])`` over X, ``b <= 1``."""
    with np.errstate(divide="ignore", invalid="ignore", under="ignore", over="ignore"):
        step = math.sqrt(2 * math.pi**2 / (38 * float(np.max(1 + l * b * b))))
        centre = np.maximum(t, 0) * b / (1 + b * b)
        reach = math.sqrt(2 * (38 + math.log(max(2.0, float(np.max(l))))))
        x = centre[:, None] + np.arange(-math.ceil(reach / step), math.ceil(reach / step) + 1) * step
        y = t[:, None] - b[:, None] * x
        log_value = np.log(-np.expm1(l[:, None] * np.minimum(scipy_special.log_ndtr(y), -5e-324)))
        # Far out the union bound is exact to rounding, and does not underflow.
        rows, columns = np.nonzero(y > math.sqrt(2 * (37 + math.log(max(2.0, float(np.max(l)))))))
        log_value[rows, columns] = np.log(l[rows]) + scipy_special.log_ndtr(-y[rows, columns])
        exponent = log_value - x * x / 2
        top = np.max(exponent, axis=1)
        total = np.sum(np.exp(exponent - top[:, None]), axis=1)
        return top + np.log(total * step) - _LOG_SQRT_2PI


def _log_by_maximum(l: Any, t: Any, b: Any, *, passes: bool = False) -> Any:
    """Either probability's logarithm over the largest of the own noises, ``l >= 1``, ``b > 1``; shape (n,)."""
    side = 1.0 if passes else -1.0

    def exponent(m: Any, l: Any, t: Any, b: Any) -> Any:
        return (l - 1) * scipy_special.log_ndtr(m) + scipy_special.log_ndtr(side * (m - t) / b) - m * m / 2

    def rise(m: Any, l: Any, t: Any, b: Any) -> Any:
        return (l - 1) * _hazard(-m) + side / b * _hazard(side * (t - m) / b) - m

    around = np.minimum(t, 0) - 1, np.maximum(t, 0) + np.sqrt(2 * np.log(l)) + 2
    curvature = float(np.max(l + (1 / b) ** 2))
    return np.log(l) + _log_integral(exponent, rise, around, curvature, l, t, b) - _LOG_SQRT_2PI


def _hazard(x: Any) -> Any:
    """``phi(x)/Phi(-x)`` in doubles."""
    return math.sqrt(2 / math.pi) / scipy_special.erfcx(x / math.sqrt(2))


def log_released(*, l: int, t: Number, b: float) -> Any:
    """Float64 log of :func:`released` for an array of t, down to probabilities no double holds."""
    t = np.asarray(t, dtype=np.float64)
    flat = t.ravel()
    return _log_released_float(np.full(flat.shape, l), flat, np.full(flat.shape, b)).reshape(t.shape)[()]


@functools.singledispatch
def unreleased(A: Arithmetic, *, l: int, t: Number, b: Number, bits: int | None = None) -> Any:
    """``E[Phi(t - b X)^l]``: none of l passes.  Full relative accuracy, or about ``bits`` bits where that is enough.

    Where it is too small for the precision, or below about ``e^-10^24``: its bound, that one of them does not pass.
    """
    t, b = A.number(t), A.number(b)
    if l == 0:
        return A.number(1)
    if b > 1:
        return _by_maximum(A, l=l, t=t, b=b, bits=bits, passes=False)

    def density(x: Number) -> Any:
        return normal_pdf(A, x) * normal_cdf(A, t - b * x) ** l

    def fall(x: float) -> float:
        return x + l * float(b) * float(_hazard(float(b) * x - float(t)))

    integral = _log_concave_integral(A, density, 1 + l * b * b, fall, (-1.0, 0.0), bits)
    return A.between(normal_cdf(A, t / A.sqrt(1 + b * b)), 0) if integral is None else integral


def _by_maximum(A: Arithmetic, *, l: int, t: Number, b: Number, bits: int | None, passes: bool) -> Number:
    """``P[M + b X > t]``, or of the complement, by the law of the largest own noise M: few nodes where b is large.

    An integral over X has ``b`` times as many. Where it is too small for the precision: a bound, and 0.
    """
    side = 1 if passes else -1

    def density(m: Number) -> Number:
        return l * normal_pdf(A, m) * normal_cdf(A, m) ** (l - 1) * normal_cdf(A, side * (m - t) / b)

    def fall(m: float) -> float:
        shared, level = float(b), float(t)
        return m - (l - 1) * float(_hazard(-m)) - side / shared * float(_hazard(side * (level - m) / shared))

    around = min(0.0, float(t)) - 1, max(0.0, float(t)) + math.sqrt(2 * math.log(l)) + 2
    integral = _log_concave_integral(A, density, l + 1 / (b * b), fall, around, bits)
    if integral is not None:
        return integral
    tail = normal_cdf(A, -side * t / A.sqrt(1 + b * b))
    below: Number = A.between(A.minimum(1, l * tail) if passes else tail, 0)
    return below


def _log_concave_integral(
    A: Arithmetic,
    density: Callable[[Any], Any],
    curvature: Number,
    fall: Callable[[float], float],
    around: tuple[float, float],
    bits: int | None,
) -> Number | None:
    """Integral over the line by the trapezoidal rule; None where its place or its values are not known.

    Args:
        A: the arithmetic.
        density: positive, log-concave and entire, ``|density(x + ia)| <= density(x) e^(curvature a^2/2)``.
        curvature: see there.
        fall: minus the slope of its logarithm in doubles: where to begin, nothing rests on it.
        around: where that changes its sign, or what is to be doubled until it does.
        bits: accuracy that is enough.

    """
    accuracy = A.bits if bits is None else bits
    step = _step(_LOG_2 * (accuracy + 4), float(curvature))
    h, (low, high) = _dyadic(A, step), around
    while fall(low) > 0:
        low *= 2
    middle = float(increasing_root(Float64(), fall, low, high)) / step
    if not abs(middle) < _KNOWN_PLACE:
        return None
    start = round(middle)
    first = total = density(h * start)
    for side in (1, -1):
        before, i = first, start
        while True:
            i += side
            here = density(h * i)
            if A.encloses and here.rel_accuracy_bits() < _LEAST_ACCURACY:
                return None  # exponents this large need more bits than A has
            total = total + here
            ratio = here / before
            # Outward ratios only fall, so what is left is at most a geometric series.
            if 2 * ratio < 1 and here * 2**accuracy < total:
                total = total + A.between(0, here * ratio / (1 - ratio))
                break
            before = here
    theta = _theta(A, h, curvature)
    integral: Number = h * total / (1 + A.between(-theta, theta))
    return integral


@unreleased.register
def _(A: Float64, *, l: Any, t: Number, b: Any, bits: int | None = None) -> Any:
    return np.exp(log_unreleased(l=l, t=t, b=b))


_LEAST_ACCURACY = 8
_KNOWN_PLACE = 2.0**45
"""Nodes from 0, within which a double tells the place of one."""


def _log_of_most(l: Any, t: Any, b: Any) -> Any:
    """``log E[Phi(t - b X)^l]`` near 0, as one less the complement; shape (n,)."""
    return np.log1p(-np.exp(_log_released_float(l, t, b)))


def _log_silent(l: Any, t: Any, b: Any) -> Any:
    """The same, far from 0, over X, ``b <= 1``."""

    def exponent(x: Any, l: Any, t: Any, b: Any) -> Any:
        return l * scipy_special.log_ndtr(t - b * x) - x * x / 2

    def rise(x: Any, l: Any, t: Any, b: Any) -> Any:
        return -x - l * b * _hazard(b * x - t)

    around = -l * b * (np.maximum(-t, 0) + 1), np.zeros(t.shape)
    return _log_integral(exponent, rise, around, float(np.max(1 + l * b * b)), l, t, b) - _LOG_SQRT_2PI


def log_unreleased(*, l: int, t: Number, b: float) -> Any:
    """Float64 ``log E[Phi(t - b X)^l]`` for an array of t, to a relative 1e-12 of it or of its exponential."""
    t = np.clip(np.asarray(t, dtype=np.float64), -_FAR, _FAR)
    if l == 0:
        return np.zeros(t.shape)[()]
    if l == 1:
        return scipy_special.log_ndtr(t / math.hypot(1, b))
    flat = t.ravel()
    value = np.empty(flat.shape)
    # Below the middle of one counter's law the survival is integrated, above it its complement.
    high = flat > (2.0 + math.log(l) / 2) * math.hypot(1, b)
    for chosen, form in ((high, _log_of_most), (~high, _log_by_maximum if b > 1 else _log_silent)):
        if chosen.any():
            here = flat[chosen]
            value[chosen] = form(np.full(here.shape, float(l)), here, np.full(here.shape, float(b)))
    return value.reshape(t.shape)[()]


@dataclass(frozen=True)
class ConditionalSurvival:
    """``g(t) = E[Phi(t - b X)^l]`` for many t: nodes and weights are prepared once.

    Called with real or complex t, in the arithmetic (of the same precision) that t belongs to.  Enclosures are accurate
    to about ``2^-bits`` absolutely.
    """

    A: Arithmetic
    l: int
    b: Any
    bits: int

    @functools.cached_property
    def _rule(self) -> tuple[list[tuple[Any, Any]], Any, Any]:
        A, log_error = self.A, _LOG_2 * (self.bits + 4)
        step = _step(log_error, 1 + self.l * float(self.b) ** 2)
        count = math.ceil(math.sqrt(2 * log_error) / step) + 1
        h, root = _dyadic(A, step), A.sqrt(A.number(2))
        scale = h / A.number(2) ** self.l
        nodes = [(self.b * h * i / root, scale * normal_pdf(A, h * i)) for i in range(-count, count + 1)]
        return nodes, h, h * count

    def __call__(self, A: Arithmetic, t: Number) -> Number:
        """Value at t."""
        if self.l == 0:
            return A.number(1)
        if self.l == 1:
            return normal_cdf(A, t / A.sqrt(1 + self.b * self.b))
        nodes, h, last = self._rule
        erfc: Callable[[Any], Any] = A.context.erfc if isinstance(A, MpReal) else _erfc
        shifted = t / self.A.sqrt(self.A.number(2))
        value = A.number(0)
        for node, weight in nodes:
            value = value + erfc(node - shifted) ** self.l * weight
        if not isinstance(A, Ball):
            return value
        imaginary = abs(t.imag) if isinstance(t, flint.acb) else flint.arb(0)
        curvature = 1 + self.l * self.b * self.b
        a = 2 * flint.arb.pi() / (h * curvature)
        rule = 2 * (a * a / 2 + self.l * (imaginary + self.b * a) ** 2 / 2).exp() / (2 * flint.arb.pi() * a / h).expm1()
        outside = 2 * (self.l * imaginary * imaginary / 2).exp() * normal_cdf(self.A, h - last)
        error = flint.arb(0, (rule + outside).upper())
        return value + (flint.acb(error, error) if isinstance(A, ComplexBall) else error)


def _erfc(x: Any) -> Any:
    return x.erfc()


@dataclass(frozen=True)
class LatticeSurvival:
    """``g(t - step i)`` at integers i, g as in `ConditionalSurvival`.

    The nodes of its rule lie on a lattice that holds all of them, so each value of Phi is found once.  Enclosures are
    accurate to about ``2^-bits`` of g and ``2^-reach`` absolutely.
    """

    A: Arithmetic
    l: int
    t: Any
    b: Any
    step: Any
    bits: int
    reach: int

    @functools.cached_property
    def _rule(self) -> tuple[int, list[tuple[int, Any]], Any, Any]:
        A, curvature = self.A, 1 + self.l * self.b * self.b
        spacing = _step(_LOG_2 * (self.bits + 4), float(curvature)) * float(self.b)
        fine = max(1, math.ceil(float(self.step) / spacing))
        stride = max(1, math.floor(spacing * fine / float(self.step)))
        h = stride * self.step / (fine * self.b)
        count = math.ceil(math.sqrt(2 * _LOG_2 * (self.reach + 4)) / float(h)) + 1
        weights = [(stride * m, h * normal_pdf(A, h * m)) for m in range(-count, count + 1)]
        theta = _theta(A, h, curvature)
        return fine, weights, 1 + A.between(-theta, theta), A.between(0, 2 * normal_cdf(A, -h * count))

    @functools.cached_property
    def _silent(self) -> Callable[[int], Any]:
        A, unit = self.A, self.step / self._rule[0]
        return functools.cache(lambda n: normal_cdf(A, self.t - n * unit) ** self.l)

    def __call__(self, i: int) -> Any:
        """Value at ``t - step i``."""
        if self.l == 1:
            return normal_cdf(self.A, (self.t - i * self.step) / self.A.sqrt(1 + self.b * self.b))
        fine, weights, rule, outside = self._rule
        total = self.A.sum(weight * self._silent(i * fine + m) for m, weight in weights)
        return total / rule + outside if self.A.encloses else total
