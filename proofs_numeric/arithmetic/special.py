"""The primitives of the field, one definition and one kernel per arithmetic.

Each primitive dispatches on its first argument, the arithmetic ``A``.  Float64 kernels may switch regimes to keep
their relative accuracy; ball kernels enclose whichever way they go, and intersect two enclosures where neither is
tight.  Domains are the real line unless said otherwise.
"""

import functools
import itertools
import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import flint
import numpy as np
from mpmath.libmp import to_rational

from proofs_numeric.arithmetic.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.ball import Ball, ComplexBall, both
from proofs_numeric.arithmetic.float64 import Float64
from proofs_numeric.arithmetic.mpreal import MpReal
from proofs_numeric.arithmetic.rational import Rational

_SQRT_2 = math.sqrt(2.0)
_SQRT_HALF_PI = math.sqrt(math.pi / 2)
_FAR = 37.0
"""Standard deviations beyond which a tail is below 1e-299, and ``log(1 - tail)`` is its negative."""
_SMALL_INTEGRAL = 1e-8
"""Guard digits make up for the digits that an integral above it loses to an absolute error."""
_LOOKED_AT = (1 / 64, 1 / 2, 63 / 64)
"""Shares of an interval at which a multiprecision integrand is looked at for its size."""
_GAUSS_DEGREE = 6
"""Up to 96 nodes, which do where the integrand is smooth; elsewhere the double exponential rule takes over."""
_SPARE_DIGITS = 5
_LOG_SQRT_2PI = 0.5 * math.log(2 * math.pi)
_LITTLE_CHANGE = flint.arb(2) ** -10
_UNDERFLOWS = 2**24
"""Arguments beyond it have error functions that few bits tell from 0."""


def normal_pdf(A: Arithmetic, x: Number) -> Number:
    """Density phi of the standard normal law."""
    return A.exp(-x * x / 2) / A.sqrt(2 * A.pi)


@functools.singledispatch
def normal_cdf(A: Arithmetic, x: Number) -> Number:
    """Distribution function Phi of the standard normal law, relative accuracy kept in both tails below 1/2."""
    raise NotImplementedError(A)


@normal_cdf.register
def _(A: Float64, x: Number) -> Any:
    from scipy import special as scipy_special

    value = scipy_special.ndtr(x)
    return np.where(x < -_FAR, _far_tail(-x), value)[()] if np.any(x < -_FAR) else value


def _far_tail(x: Any) -> Any:
    """``Phi(-x)`` in doubles for large x, below the least normal one too, where SciPy says 0."""
    from scipy import special as scipy_special

    x = np.maximum(x, _FAR)
    return np.exp(-x * x / 2 + np.log(scipy_special.erfcx(x / _SQRT_2) / 2))


@normal_cdf.register
def _(A: MpReal, x: Number) -> Any:
    return A.context.erfc(-A.number(x) / A.sqrt(2)) / 2


@normal_cdf.register
def _(A: Ball, x: Number) -> Any:
    return _erfc(A.number(x) * _minus_root_half(flint.ctx.prec)) / 2


@functools.lru_cache(maxsize=64)
def _minus_root_half(bits: int) -> Any:
    """``-1/sqrt(2)`` at the working precision."""
    del bits
    return -flint.arb(0.5).sqrt()


def _erfc(y: Any) -> Any:
    """``erfc`` of a ball.  Arb alone widens inexact arguments by far more than the function moves in the far tail."""
    if not isinstance(y, flint.arb) or not y.is_finite():
        return y.erfc()
    # |d log erfc / dy| <= 2 y + 2 for y >= 0, from erfc(y) >= (2/sqrt(pi)) e^(-y^2) / (y + sqrt(y^2 + 2)), and
    # <= 2 e^(-y^2) for y <= 0, from erfc(y) >= 1.
    last = y.upper()
    change = y.rad() * (2 * last + 2 if last > 0 else 2 * (-last * last).exp())
    if change < _LITTLE_CHANGE:
        value = y.mid().erfc() * flint.arb(1, change + change * change)  # |e^c - 1| <= c + c^2 for |c| <= 1
    else:
        value = y.lower().erfc().union(y.upper().erfc())
    # Arb takes powers of a ball about exactly 0 for indeterminate.
    return flint.arb(0).union(value.upper()) if last > _UNDERFLOWS and value.mid() == 0 else value


def laplace_tail(A: Arithmetic, x: Number) -> Number:
    """``P[Laplace(1) > x]`` for any real x: one of the two parts is constant on each side of 0."""
    x = A.number(x)
    return A.exp(-A.maximum(x, 0)) / 2 - A.expm1(A.minimum(x, 0)) / 2


@functools.singledispatch
def log_normal_cdf(A: Arithmetic, x: Number) -> Number:
    """``log Phi(x)``, to full relative accuracy on the whole line (``-phi(x)/x``-like for large x)."""
    raise NotImplementedError(A)


@log_normal_cdf.register
def _(A: Float64, x: Number) -> Any:
    from scipy import special as scipy_special

    value = scipy_special.log_ndtr(x)
    return np.where(x > _FAR, -_far_tail(x), value)[()] if np.any(x > _FAR) else value


@log_normal_cdf.register
def _(A: MpReal, x: Number) -> Any:
    x = A.number(x)
    return A.log1p(-normal_cdf(A, -x)) if x > 0 else A.log(normal_cdf(A, x))


@log_normal_cdf.register
def _(A: Ball, x: Number) -> Any:
    # Both expressions enclose the same number: the first is tight on the left, the second on the right.
    x = A.number(x)
    if x > 0:
        return A.log1p(-normal_cdf(A, -x))
    left = A.log(normal_cdf(A, x))
    if x < -_UNDERFLOWS and not left.is_finite():
        # phi(x)/(|x| + 1/|x|) <= Phi(x) <= phi(x)/|x|.
        return -x * x / 2 - A.log(-x * A.sqrt(2 * A.pi)) + A.between(-1 / (x * x), 0)
    return left if x < 0 else both(left, A.log1p(-normal_cdf(A, -x)))


@log_normal_cdf.register
def _(A: ComplexBall, x: Number) -> Any:
    return A.log(normal_cdf(A, x))


@functools.singledispatch
def normal_quantile(A: Arithmetic, p: Number) -> Number:
    """``Phi^{-1}(p)`` for p in (0, 1); for p near 1 use :func:`normal_quantile_complement`."""
    raise NotImplementedError(A)


@normal_quantile.register
def _(A: Float64, p: Number) -> Any:
    from scipy import special as scipy_special

    return scipy_special.ndtri(p)


@normal_quantile.register
def _(A: MpReal, p: Number) -> Number:
    return -normal_quantile_complement(A, p)


@normal_quantile.register
def _(A: Ball, p: Number) -> Any:
    return -A.sqrt(2) * (2 * A.number(p)).erfcinv()


@functools.singledispatch
def normal_quantile_complement(A: Arithmetic, q: Number) -> Number:
    """``Phi^{-1}(1 - q)`` for q in (0, 1), to full relative accuracy for tiny q."""
    raise NotImplementedError(A)


@normal_quantile_complement.register
def _(A: Float64, q: Number) -> Any:
    from scipy import special as scipy_special

    return -scipy_special.ndtri(q)


@normal_quantile_complement.register
def _(A: MpReal, q: Number) -> Any:
    from scipy import special as scipy_special

    q = A.number(q)
    if q > A.number(1) / 2:
        return -normal_quantile_complement(A, 1 - q)
    log_q = A.log(q)
    x = A.number(float(-scipy_special.ndtri_exp(float(log_q))))
    for _step in range(A.context.prec.bit_length() + 4):  # Newton on log Phi(-x) = log q doubles the digits
        tail = normal_cdf(A, -x)
        x = x + (A.log(tail) - log_q) * tail / normal_pdf(A, x)
    return x


@normal_quantile_complement.register
def _(A: Ball, q: Number) -> Any:
    return A.sqrt(2) * (2 * A.number(q)).erfcinv()


@functools.singledispatch
def mills(A: Arithmetic, x: Number) -> Number:
    """Mills ratio ``Phi(-x) / phi(x)``."""
    return normal_cdf(A, -x) / normal_pdf(A, x)


@mills.register
def _(A: Float64, x: Number) -> Any:
    from scipy import special as scipy_special

    return _SQRT_HALF_PI * scipy_special.erfcx(np.asarray(x) / _SQRT_2)


@functools.singledispatch
def gaussian_profile(A: Arithmetic, epsilon: Number, mu: Number) -> Any:
    """Hockey stick of two unit normals at distance ``mu >= 0`` (no unit) at any real ``epsilon`` (nats).

    ``f(mu, epsilon) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)``, exact; at ``mu = 0`` its limit
    ``max(0, 1 - e^epsilon)``.  Source: Balle and Wang 2018, Theorem 8; wilkins2024 Theorem 2.2 and (A.8).
    """
    raise NotImplementedError(A)


def gaussian_profile_direct(A: Arithmetic, epsilon: Number, mu: Number) -> Number:
    """:func:`gaussian_profile` as its definition reads, with whatever cancels."""
    half, ratio = mu / 2, epsilon / mu
    return normal_cdf(A, half - ratio) - A.exp(epsilon) * normal_cdf(A, -half - ratio)


@gaussian_profile.register
def _(A: MpReal, epsilon: Number, mu: Number) -> Any:
    epsilon, mu = A.number(epsilon), A.number(mu)
    if mu == 0:
        return A.maximum(0, -A.expm1(epsilon))
    digits = A.digits
    while True:
        # The two terms may agree in their leading digits: work with as many more as they lose.
        wide = MpReal(digits)
        e, m = wide.number(epsilon), wide.number(mu)
        left = normal_cdf(wide, m / 2 - e / m)
        value = left - wide.exp(e) * normal_cdf(wide, -m / 2 - e / m)
        if value > 0:
            lost = wide.context.log10(left / value)
            if lost + A.digits < digits + 12:
                return A.number(value)
        digits *= 2


@gaussian_profile.register
def _(A: Ball, epsilon: Number, mu: Number) -> Any:
    epsilon, mu = A.number(epsilon), A.number(mu)
    if isinstance(mu, flint.arb) and mu.is_zero():
        return A.maximum(0, -A.expm1(epsilon))
    return gaussian_profile_direct(A, epsilon, mu)


@functools.cache
def _gauss_legendre() -> tuple[Any, Any]:
    """24 nodes and weights on [-1, 1]."""
    return np.polynomial.legendre.leggauss(24)


@gaussian_profile.register
def _(A: Float64, epsilon: Number, mu: Number) -> Number:
    epsilon, mu = np.broadcast_arrays(np.asarray(epsilon, dtype=np.float64), np.asarray(mu, dtype=np.float64))
    value = np.empty(epsilon.shape)
    positive = mu > 0
    value[~positive] = np.maximum(0.0, -np.expm1(np.minimum(epsilon[~positive], 0.0)))
    e, m = np.abs(epsilon[positive]), mu[positive]
    forward = _gaussian_profile_float(e, m)
    # Reflection f(mu, -e) = 1 - e^-e + e^-e f(mu, e) keeps every term positive.
    value[positive] = np.where(epsilon[positive] < 0, -np.expm1(-e) + np.exp(-e) * forward, forward)
    return value[()]


def _gaussian_profile_float(epsilon: Any, mu: Any) -> Any:
    """``f`` for ``epsilon >= 0`` and ``mu > 0`` as ``phi(a) [R(a) - R(b)]``, ``R = Phi/phi``, ``a - b = mu``.

    For ``mu < 1`` the difference cancels and is replaced by the integral of ``R'(x) = 1 + x R(x)`` over ``[b, a]``
    (24 Gauss-Legendre nodes: R is entire and the interval shorter than one).
    """
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        log_density, rest = _profile_parts(epsilon, mu)
        # Beyond |a| = 40 the density underflows before anything else does.
        return np.where(mu / 2 - epsilon / mu < -40, 0.0, np.exp(log_density) * rest)


def log_gaussian_profile(epsilon: Any, mu: Any) -> Any:
    """About the logarithm of ``f`` in doubles, where ``f`` is none, too; ``epsilon >= 0`` and ``mu > 0``."""
    with np.errstate(all="ignore"):
        log_density, rest = _profile_parts(epsilon, mu)
        return log_density + np.log(np.maximum(np.nan_to_num(rest), 5e-324))


def _profile_parts(epsilon: Any, mu: Any) -> tuple[Any, Any]:
    """``log phi(a)`` and what it multiplies, or 0 and ``f`` where ``a > 0`` and ``mu >= 1``."""
    log_density, rest = np.empty(mu.shape), np.empty(mu.shape)
    near = mu < 1
    for chosen, form in ((near, _near_profile), (~near, _far_profile)):
        if chosen.any():
            log_density[chosen], rest[chosen] = form(epsilon[chosen], mu[chosen])
    return log_density, rest


def _near_profile(epsilon: Any, mu: Any) -> tuple[Any, Any]:
    ratio = epsilon / mu
    a = mu / 2 - ratio
    nodes, weights = _gauss_legendre()
    x = -ratio[..., None] + (mu[..., None] / 2) * nodes
    slope = 1 + x * mills(Float64(), -x)
    return -a * a / 2 - _LOG_SQRT_2PI, (mu / 2) * (slope @ weights)


def _far_profile(epsilon: Any, mu: Any) -> tuple[Any, Any]:
    from scipy import special as scipy_special

    ratio = epsilon / mu
    a, b = mu / 2 - ratio, -mu / 2 - ratio
    log_density = -a * a / 2 - _LOG_SQRT_2PI
    whole = scipy_special.ndtr(a) - np.exp(log_density) * mills(Float64(), -b)
    change: Any = mills(Float64(), np.maximum(-a, 0.0)) - mills(Float64(), -b)
    above: Any = a > 0
    return np.where(above, 0.0, log_density), np.where(above, whole, change)


@functools.singledispatch
def binomial_tail(A: Arithmetic, n: int, p: Number, k: int) -> Number:
    """``P[Bin(n, p) >= k]`` for integers ``n >= 0`` and any integer ``k``; p in [0, 1]."""
    if k <= 0:
        return A.number(1)
    if k > n:
        return A.number(0)
    return A.sum(binomial_pmf(A, n, p, j) for j in range(k, n + 1))


_EXACT_TRIALS = 10_000
"""A tail of more trials is a fraction of millions of digits."""


@binomial_tail.register
def _(A: Rational, n: int, p: Any, k: int) -> Any:
    if n > _EXACT_TRIALS:
        raise NotImplementedError(f"expected at most {_EXACT_TRIALS} trials for a tail as a fraction, got {n}")
    if k <= 0 or k > n:
        return A.number(int(k <= 0))
    p = Fraction(p)
    hit, missed = p.numerator, p.denominator - p.numerator
    if not missed:
        return A.number(1)
    # Over one denominator: a fraction for each mass would be reduced each time.
    mass = total = math.comb(n, k) * hit**k * missed ** (n - k)
    for j in range(k, n):
        mass = mass * ((n - j) * hit) // ((j + 1) * missed)
        total += mass
    return Fraction(total, p.denominator**n)


@binomial_tail.register
def _(A: MpReal, n: int, p: Number, k: int) -> Any:
    if k <= 0 or k > n:
        return A.number(int(k <= 0))
    p = A.number(p)
    total = term = math.comb(n, k) * p**k * (1 - p) ** (n - k)
    for j in range(k, n):
        term = term * (n - j) * p / ((j + 1) * (1 - p))
        total = total + term
        if j > 2 * n * p and term < total * A.context.eps / 8:
            break  # the rest is below a geometric series of ratio 1/2
    return total


@binomial_tail.register
def _(A: Float64, n: Number, p: Number, k: Number) -> Number:
    from scipy import special as scipy_special

    n, k = np.asarray(n), np.asarray(k)
    inside = scipy_special.betainc(np.maximum(k, 1), np.maximum(n - k + 1, 1), p)
    return np.where(k <= 0, 1.0, np.where(k > n, 0.0, inside))[()]


@binomial_tail.register
def _(A: Ball, n: int, p: Number, k: int) -> Any:
    if k <= 0:
        return A.number(1)
    if k > n:
        return A.number(0)
    success: Any = A.number(p)
    if not success.is_finite():
        return success
    return _ball_tail(flint.ctx.prec, n, success.mid().man_exp(), success.rad().man_exp(), k)


@functools.lru_cache(maxsize=4096)
def _ball_tail(_precision: int, n: int, middle: tuple[Any, Any], radius: tuple[Any, Any], k: int) -> Any:
    """The tail at a ball p, as it rises from end to end: formulas of the same tails are compared at the same points."""
    p = flint.arb(middle, radius)
    if p.is_exact():
        return _tail_at(n, p, k)
    low, high = p.lower().max(flint.arb(0)), p.upper().min(flint.arb(1))
    return _tail_at(n, low, k).union(_tail_at(n, high, k))


_MOST_TERMS = 4096
"""Of a tail that is summed; Arb's incomplete beta function takes as long as this many."""


def _tail_at(n: int, p: Any, k: int) -> Any:
    """The tail at an exact p: the terms on the side of the mean where they fall, from the largest on.

    Arb's incomplete beta function is a hundred times slower at a few thousand trials, and without a digit far below the
    mean.
    """
    if not 0 < p < 1:
        return flint.arb(p >= 1)
    q = 1 - p
    mean = n * float(p.mid())
    above = k > mean
    away, spread = abs(k - mean), 1.5 * flint.ctx.prec * mean * float(q.mid())
    if not q > 0 or math.sqrt(away * away + spread) - away > _MOST_TERMS:
        return p.beta_lower(flint.arb(k), flint.arb(n - k + 1), regularized=True)
    v = k if above else k - 1
    largest = _mass(n, p, v)
    odds, tiny = (p / q if above else q / p), flint.arb(2) ** -flint.ctx.prec
    term = total = flint.arb(1)
    left = n - v if above else v
    for step in range(left):
        ratio = odds * (left - step) / (n - left + step + 1)
        term *= ratio
        total += term
        if term < tiny and ratio < 1 and (rest := term * ratio / (1 - ratio)) < tiny:
            total += flint.arb(0).union(rest)
            break
    return largest * total if above else 1 - largest * total


@functools.singledispatch
def binomial_pmf(A: Arithmetic, n: int, p: Number, k: int) -> Number:
    """``P[Bin(n, p) = k]`` for integers ``0 <= k <= n``; p in (0, 1)."""
    p = A.number(p)
    return A.number(math.comb(n, k)) * p**k * (1 - p) ** (n - k)


@binomial_pmf.register
def _(A: Ball, n: int, p: Number, k: int) -> Any:
    return _mass(n, A.number(p), k)


def _mass(n: int, p: Any, k: int) -> Any:
    return flint.arb(n).bin(min(k, n - k)) * p**k * (1 - p) ** (n - k)


def logistic(A: Arithmetic, x: Number) -> Number:
    """``1 / (1 + e^-x)``."""
    return 1 / (1 + A.exp(-x))


def discrete_gaussian_normaliser(A: Arithmetic, sigma: Number, terms: int) -> Number:
    """Sum of ``exp(-x^2 / (2 sigma^2))`` over the integers, enclosed.

    ``terms`` integers on each side are summed; the tail beyond is at most a geometric series and is added as an
    enclosure for balls (``terms >= sigma^2`` is not needed, ``terms >= 1`` is).  Source: lebeda2025 Definition 15.
    """
    body = 1 + 2 * A.sum(A.exp(-A.number(x * x) / (2 * sigma * sigma)) for x in range(1, terms + 1))
    return body + 2 * discrete_gaussian_tail_bound(A, sigma, terms + 1)


def discrete_gaussian_tail_bound(A: Arithmetic, sigma: Number, start: int) -> Number:
    """Sum of ``exp(-x^2/(2 sigma^2))`` over integers ``x >= start``, enclosed (0 where values are no enclosures).

    With ``x = start + i`` each term is at most ``exp(-start^2/(2 sigma^2)) exp(-i start / sigma^2)``.
    """
    sigma = A.number(sigma)
    first = A.exp(-A.number(start * start) / (2 * sigma * sigma))
    upper = first / -A.expm1(-A.number(start) / (sigma * sigma))
    return A.between(A.number(0), upper)


@functools.singledispatch
def integral(
    A: Arithmetic,
    integrand: Callable[[Arithmetic, Number], Number],
    lower: Number,
    upper: Number,
    *,
    bits: int | None = None,
    scale: Number = 1,
) -> Number:
    """Integral of ``integrand(A, x)`` over the finite interval ``[lower, upper]``.

    Rigorous for balls (the integrand is then called with complex balls and must be holomorphic near the interval,
    or turn indeterminate where it is not); adaptive quadrature otherwise.  ``bits`` is how wide an enclosure is good
    enough (default: the working precision), relative to the integral and to ``scale``; other arithmetics ignore it.
    """
    raise NotImplementedError(A)


@integral.register
def _(
    A: Float64,
    integrand: Callable[[Arithmetic, Number], Number],
    lower: Number,
    upper: Number,
    *,
    bits: int | None = None,
    scale: Number = 1,
) -> Number:
    from scipy import integrate

    value, _error = integrate.quad(
        lambda x: float(integrand(A, x)), float(lower), float(upper), epsabs=0, epsrel=1e-13, limit=400
    )
    return np.float64(value)


@integral.register
def _(
    A: MpReal,
    integrand: Callable[[Arithmetic, Number], Number],
    lower: Number,
    upper: Number,
    *,
    bits: int | None = None,
    scale: Number = 1,
) -> Any:
    ends = [A.number(lower), A.number(upper)]
    width = ends[1] - ends[0]
    size = max(abs(integrand(A, ends[0] + width * share)) for share in _LOOKED_AT)
    if 0 < size < A.context.inf:  # as multiples of what it is about: mpmath stops at an absolute error
        value, error = A.context.quad(
            lambda x: integrand(A, x) / size, ends, method="gauss-legendre", maxdegree=_GAUSS_DEGREE, error=True
        )
        if error <= abs(value) * A.context.mpf(10) ** -(A.digits + _SPARE_DIGITS):
            return value * size
    value = ratio = A.context.quad(lambda x: integrand(A, x), ends)
    # A small integral is asked for again, as a multiple of what was found.
    while abs(value) < _SMALL_INTEGRAL and value != 0 and abs(ratio - 1) > _SMALL_INTEGRAL:
        ratio = A.context.quad(lambda x: integrand(A, x) / value, ends)  # noqa: B023 - called at once
        value = value * ratio
    return value


@integral.register
def _(
    A: Ball,
    integrand: Callable[[Arithmetic, Number], Number],
    lower: Number,
    upper: Number,
    *,
    bits: int | None = None,
    scale: Number = 1,
) -> Number:
    def complex_integrand(z: Any, analytic: bool) -> Any:
        return integrand(ComplexBall(A.bits, analytic=bool(analytic)), z)

    relative = flint.arb(2) ** -(A.bits if bits is None else bits)
    absolute = relative * A.number(scale)
    ends = A.number(lower), A.number(upper)
    return flint.acb.integral(complex_integrand, *ends, rel_tol=relative, abs_tol=absolute).real


def integral_over(A: Arithmetic, integrand: Callable[[Arithmetic, Number], Number], ends: Iterable[Number]) -> Number:
    """Integral from the first of the ends to the last, cell by cell."""
    return A.sum(integral(A, integrand, lower, upper) for lower, upper in itertools.pairwise(ends))


def in_balls(A: MpReal, function: Callable[..., Any], **parameters: Any) -> Any:
    """Return the middle of what a formula that is defined in balls gives at exact parameters."""
    with Ball(A.bits + 64) as ball:
        exact = {name: x if isinstance(x, int) else ball.number(as_fraction(x)) for name, x in parameters.items()}
        result = function(ball, **exact)
    return A.number(as_fraction(result))


def as_fraction(value: Any) -> Fraction:
    """Exact rational value of an exact number, a finite double, a finite mpf, or the middle of an enclosure."""
    if isinstance(value, int | Fraction):
        return Fraction(value)
    if hasattr(value, "mid"):
        mantissa, exponent = map(int, value.mid().man_exp())
        return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)
    if hasattr(value, "_mpf_") and value.context.isfinite(value):
        return Fraction(*map(int, to_rational(value._mpf_)))
    return Fraction(float(value))
