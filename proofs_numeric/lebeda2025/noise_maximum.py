"""The largest of the correlated noises: how likely a counter of 1 passes the threshold (Lemma 10).

With ``t = tau/sigma`` and ``b = k^{-1/4}`` the noise is ``sigma (X_i + b X)``, X, X_i standard normal, and

    P[no counter of l passes] = E[Phi(t - b X)^l].

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

from proofs_numeric.arithmetic import Arithmetic, Ball, ComplexBall, Float64, MpReal
from proofs_numeric.special import log_normal_cdf, normal_cdf, normal_pdf

_LOG_2 = math.log(2.0)
_LOG_SQRT_2PI = 0.5 * math.log(2 * math.pi)


def shared_slope(A: Arithmetic, k: int) -> Any:
    """``b = k^{-1/4}``: standard deviation of the shared noise in units of sigma."""
    return 1 / A.sqrt(A.sqrt(A.number(k)))


def working_bits(A: Arithmetic) -> int:
    """Bits to which quadratures in ``A`` are driven."""
    if isinstance(A, Ball):
        return A.bits
    return math.ceil(3.33 * (A.digits + 10)) if isinstance(A, MpReal) else 56


def geometric_sum(A: Arithmetic, ratio: Any, terms: int) -> Any:
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


def _theta(A: Arithmetic, step: float, curvature: Any) -> Any:
    a = 2 * A.pi / (_dyadic(A, step) * curvature)
    return 2 * A.exp(curvature * a * a / 2) / A.expm1(2 * A.pi * a / _dyadic(A, step))


def _dyadic(A: Arithmetic, value: float) -> Any:
    return A.number(Fraction(value))


@functools.singledispatch
def released(A: Arithmetic, *, l: int, t: Any, b: Any) -> Any:
    """``1 - E[Phi(t - b X)^l]``: some of l counters at the lower threshold is released.

    ``t = tau/sigma`` any real, ``b > 0`` the shared noise in units of sigma, ``l >= 0``.  Full relative accuracy.
    """
    t, b = A.number(t), A.number(b)
    if l == 0:
        return A.number(0)
    if l == 1:
        return normal_cdf(A, -t / A.sqrt(1 + b * b))
    log_error = _LOG_2 * (working_bits(A) + 4)
    curvature = 1 + l * b * b
    step = _step(log_error, float(curvature))
    t_size, b_size = max(0.0, float(t)), float(b)
    reach = math.sqrt(2 * (log_error + math.log(l) + math.log1p(t_size))) + 2 * step
    centre = t_size * b_size / (1 + b_size * b_size)

    def density(x: Any) -> Any:
        tail = normal_cdf(A, b * x - t)
        return normal_pdf(A, x) * tail * geometric_sum(A, 1 - tail, l)

    first, last = math.floor((centre - reach) / step), math.ceil((centre + reach) / step)
    value = _dyadic(A, step) * A.sum(density(_dyadic(A, step) * i) for i in range(first, last + 1))
    if not isinstance(A, Ball):
        return value
    # Left out: f <= (l/2) e^{-T^2/2} phi(x - centre, variance 1/(1+b^2)) where t - b x >= 0, f <= phi elsewhere.
    h, spread = _dyadic(A, step), A.sqrt(1 + b * b)
    mode = A.maximum(0, t) * b / (1 + b * b)
    right, left = h * last - h, h * first + h
    gaussian = l * A.exp(-(A.maximum(0, t) ** 2) / (2 * spread * spread)) / spread
    outside = gaussian * (normal_cdf(A, (left - mode) * spread) + normal_cdf(A, (mode - right) * spread)) + (
        normal_cdf(A, -A.maximum(A.maximum(0, t) / b - h, right))
        + normal_cdf(A, A.minimum(left, A.maximum(0, t) / b)) * _certainly_negative(A, t)
    )
    theta = _theta(A, step, curvature)
    return (value + A.number(0).union(outside)) / (1 + (-theta).union(theta))


def _certainly_negative(A: Ball, t: Any) -> Any:
    """1 unless ``t`` is certainly non-negative, then 0: whether the Gaussian bound leaves out a left part."""
    return A.number(0 if t >= 0 else 1)


@released.register
def _(A: Float64, *, l: Any, t: Any, b: Any) -> Any:
    l, t, b = np.broadcast_arrays(np.asarray(l, dtype=np.float64), np.asarray(t, dtype=np.float64), b)
    flat = (np.atleast_1d(l).ravel(), np.atleast_1d(t).ravel(), np.atleast_1d(b).ravel())
    values = np.empty(flat[0].shape)
    for start in range(0, values.size, 512):  # bounded memory for a million values of l
        part = slice(start, start + 512)
        values[part] = np.exp(_log_released_float(*(axis[part] for axis in flat)))
    return values.reshape(l.shape)[()]


def _log_released_float(l: Any, t: Any, b: Any) -> Any:
    """Log of the trapezoidal sum; l, t, b of shape (n,)."""
    with np.errstate(divide="ignore", invalid="ignore", under="ignore", over="ignore"):
        step = math.sqrt(2 * math.pi**2 / (38 * float(np.max(1 + l * b * b))))
        centre = np.maximum(t, 0) * b / (1 + b * b)
        reach = math.sqrt(2 * (38 + math.log(max(2.0, float(np.max(l))))))
        x = centre[:, None] + np.arange(-math.ceil(reach / step), math.ceil(reach / step) + 1) * step
        y = t[:, None] - b[:, None] * x
        log_union = np.log(l)[:, None] + scipy_special.log_ndtr(-y)  # union bound on the probability of release
        log_value = np.where(
            log_union < -37, log_union, np.log(-np.expm1(l[:, None] * np.minimum(scipy_special.log_ndtr(y), -5e-324)))
        )
        exponent = log_value - x * x / 2
        top = np.max(exponent, axis=1)
        total = np.sum(np.exp(exponent - top[:, None]), axis=1)
        value = np.minimum(0.0, top + np.log(total * step) - _LOG_SQRT_2PI)
        return np.where(l == 0, -np.inf, value)


@functools.singledispatch
def unreleased(A: Arithmetic, *, l: int, t: Any, b: Any) -> Any:
    """``E[Phi(t - b X)^l]``: none of l counters at the lower threshold is released; absolute accuracy."""
    return ConditionalSurvival(A, l, A.number(b), working_bits(A))(A, A.number(t))


@unreleased.register
def _(A: Float64, *, l: Any, t: Any, b: Any) -> Any:
    return np.exp(log_unreleased(l=l, t=t, b=b))


def log_unreleased(*, l: int, t: Any, b: float) -> Any:
    """Float64 ``log E[Phi(t - b X)^l]`` for an array of t; accurate where it is above -600."""
    t = np.asarray(t, dtype=np.float64)
    if l == 0:
        return np.zeros(t.shape)[()]
    if l == 1:
        return scipy_special.log_ndtr(t / math.sqrt(1 + b * b))
    step = math.sqrt(2 * math.pi**2 / (38 * (1 + l * b * b)))
    x = np.arange(-math.ceil(9 / step), math.ceil(9 / step) + 1) * step
    exponent = l * scipy_special.log_ndtr(t[..., None] - b * x) - x * x / 2
    top = np.max(exponent, axis=-1)
    total = np.sum(np.exp(exponent - top[..., None]), axis=-1)
    return top + np.log(total * step) - _LOG_SQRT_2PI


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

    def __call__(self, A: Arithmetic, t: Any) -> Any:
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


def split_probability(A: Arithmetic, *, k: int, sigma: Any, gap: Any) -> Any:
    """``psi = Phi(tau / ((1 + k^{-1/4}) sigma))``: tau split between Z and Z_i in the ratio of their deviations."""
    return normal_cdf(A, gap / ((1 + shared_slope(A, k)) * sigma))


def log_split_probability(A: Arithmetic, *, k: int, sigma: Any, gap: Any) -> Any:
    """``log psi``."""
    return log_normal_cdf(A, gap / ((1 + shared_slope(A, k)) * sigma))
