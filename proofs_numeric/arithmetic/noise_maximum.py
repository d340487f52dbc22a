"""How likely the largest of normal noises ``X_i + b X`` passes t, where X is shared; all are standard normal.

    P[none of l passes] = E[Phi(t - b X)^l].

Quadrature.  The trapezoidal rule with step h on ``f(x) = phi(x) F(t - b x)``, where F is ``Phi^l`` or ``1 - Phi^l``:

1. ``|Phi(u + iv)| <= e^{v^2/2} Phi(u)`` (shift the contour of the integral of phi), and the same for ``Phi(-.)``.
2. So ``|F(u + iv)| <= e^{l v^2/2} F(u)``: for ``1 - Phi^l = Phi(-.) (1 + Phi + ... + Phi^{l-1})`` term by term.
3. So the integral of ``|f(x + ia)|`` over x is at most ``e^{c a^2/2} I``, ``c = 1 + l b^2``, I the integral of f.
4. The rule errs by at most ``theta I``, ``theta = 2 e^{c a^2/2} / (e^{2 pi a/h} - 1)``, for every a > 0 (Trefethen and
   Weideman 2014, Theorem 5.1); best near ``a = 2 pi/(h c)``.

The error is relative, so a delta of 1e-300 costs no more digits than one of 1e-3.  Nodes outside a window are bounded
by normal tails.  For complex t (inside another integral) step 3 holds with one more factor ``e^{l |Im t|^2/2}`` and an
absolute bound is used.
"""

from __future__ import annotations

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


def _theta(A: Arithmetic, step: float, curvature: Number) -> Any:
    a = 2 * A.pi / (_dyadic(A, step) * curvature)
    return 2 * A.exp(curvature * a * a / 2) / A.expm1(2 * A.pi * a / _dyadic(A, step))


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
        + normal_cdf(A, A.minimum(left, A.maximum(0, t) / b)) * _certainly_negative(A, t)
    )
    theta = _theta(A, step, curvature)
    return (value + A.between(0, outside)) / (1 + A.between(-theta, theta))


def _certainly_negative(A: Arithmetic, t: Number) -> Number:
    """1 unless ``t`` is certainly non-negative, then 0: whether the Gaussian bound leaves out a left part."""
    return A.number(0 if t >= 0 else 1)


@released.register
def _(A: Float64, *, l: Number, t: Number, b: Any, bits: int | None = None) -> Number:
    l, t, b = np.broadcast_arrays(np.asarray(l, dtype=np.float64), np.asarray(t, dtype=np.float64), b)
    flat = (np.atleast_1d(l).ravel(), np.atleast_1d(t).ravel(), np.atleast_1d(b).ravel())
    values = np.empty(flat[0].shape)
    for start in range(0, values.size, 512):  # bounded memory for a million values of l
        part = slice(start, start + 512)
        values[part] = np.exp(_log_released_float(*(axis[part] for axis in flat)))
    return values.reshape(l.shape)[()]


def _log_released_float(l: Any, t: Any, b: Any) -> Any:
    """Log of the trapezoidal sum; l, t, b of shape (n,)."""
    t = np.clip(t, -_FAR, _FAR)
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
        value = np.minimum(0.0, top + np.log(total * step) - _LOG_SQRT_2PI)
        return np.where(l == 0, -np.inf, value)


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
    wanted = A.bits if bits is None else bits
    curvature = 1 + l * b * b
    step = _step(_LOG_2 * (wanted + 4), float(curvature))
    h = _dyadic(A, step)

    def density(i: int) -> Any:
        x = h * i
        return normal_pdf(A, x) * normal_cdf(A, t - b * x) ** l

    at_most = A.between(normal_cdf(A, t / A.sqrt(1 + b * b)), 0)
    middle = _most_likely(l, float(t), float(b)) / step
    if not abs(middle) < _KNOWN_PLACE:
        return at_most
    start = round(middle)
    total = density(start)
    for side in (1, -1):
        before, i = total if side == 1 else density(start), start
        while True:
            i += side
            here = density(i)
            if A.encloses and here.rel_accuracy_bits() < _LEAST_ACCURACY:
                return at_most  # exponents this large need more bits than A has
            total = total + here
            ratio = here / before
            # phi Phi^l is log-concave: outward ratios only fall, so what is left is at most a geometric series.
            if 2 * ratio < 1 and here * 2**wanted < total:
                total = total + A.between(0, here * ratio / (1 - ratio))
                break
            before = here
    theta = _theta(A, step, curvature)
    return h * total / (1 + A.between(-theta, theta))


@unreleased.register
def _(A: Float64, *, l: Any, t: Number, b: Any, bits: int | None = None) -> Any:
    return np.exp(log_unreleased(l=l, t=t, b=b))


_LEAST_ACCURACY = 8
_KNOWN_PLACE = 2.0**45
"""Nodes from 0, within which a double tells the place of one."""


def _most_likely(l: int, t: float, b: float) -> float:
    """Where ``phi(x) Phi(t - b x)^l`` is about largest: a starting point, nothing rests on it."""

    def fall(x: float) -> float:
        return x + l * b * math.sqrt(2 / math.pi) / float(scipy_special.erfcx((b * x - t) / math.sqrt(2)))

    low = -1.0
    while fall(low) > 0:
        low *= 2
    return float(increasing_root(Float64(), fall, low, 0.0))


def log_unreleased(*, l: int, t: Number, b: float) -> Any:
    """Float64 ``log E[Phi(t - b X)^l]`` for an array of t; accurate where it is above -600, and where it is tiny."""
    t = np.clip(np.asarray(t, dtype=np.float64), -_FAR, _FAR)
    if l == 0:
        return np.zeros(t.shape)[()]
    if l == 1:
        return scipy_special.log_ndtr(t / math.sqrt(1 + b * b))
    flat = t.ravel()
    value = np.empty(flat.shape)
    # Below the middle of one counter's law the survival is integrated, above it its complement.
    high = flat > (2.0 + math.log(l) / 2) * math.sqrt(1 + b * b)
    if high.any():
        ones = np.ones(int(high.sum()))
        value[high] = np.log1p(-np.exp(_log_released_float(l * ones, flat[high], b * ones)))
    low = ~high
    if low.any():
        step = math.sqrt(2 * math.pi**2 / (38 * (1 + l * b * b)))
        x = np.arange(-math.ceil(9 / step), math.ceil(9 / step) + 1) * step
        exponent = l * scipy_special.log_ndtr(flat[low, None] - b * x) - x * x / 2
        top = np.max(exponent, axis=-1)
        total = np.sum(np.exp(exponent - top[:, None]), axis=-1)
        value[low] = top + np.log(total * step) - _LOG_SQRT_2PI
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
    def spacing(self) -> float:
        """Largest step of the rule in t."""
        return _step(_LOG_2 * (self.bits + 4), 1 + self.l * float(self.b) ** 2) * float(self.b)

    @property
    def reach(self) -> float:
        """Half-width of the rule's window in X."""
        return math.sqrt(2 * _LOG_2 * (self.bits + 4))

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
