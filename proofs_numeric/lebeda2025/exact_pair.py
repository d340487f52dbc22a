"""The exact hockey stick of the correlated stability histogram on one pair of neighbours.

The pair (l, j) with ``d = k - l``: l counters are 1 under H' and absent under H; d counters are shared and far above
the threshold, j of them one larger under H'.

1. Every pair of neighbours is a post-processing of some (l, j): supports are nested, all new counts are 1, at most
   k - l counters are shared; smaller shared counts, counts at the threshold and fewer shared counters lose information.
2. The shared outputs carry two independent statistics.  Along the change, ``N(0, 1)`` against ``N(mu_1, 1)``,
   ``mu_1^2 = j (d - j)/(d sigma^2)``; along the mean, ``N(0, s_2^2)`` against ``N(j/d, s_2^2)``,
   ``s_2^2 = sigma^2 (d + gamma)/(d gamma)``, that is ``mu_2 = (j/d)/s_2`` in its own unit x (standard normal under
   H').
3. Given the mean, Z has standard deviation ``sigma/sqrt(gamma + d)`` and mean ``sigma x sqrt(d/(gamma (gamma + d)))``
   under H'.  So no new counter is released with probability
   ``g(x) = E[Phi(t - x sqrt(d/(gamma (gamma+d))) - X/sqrt(gamma + d))^l]``, ``t = tau/sigma``.
4. Forward (H' first) the event "some new counter" has probability 0 under H:
   ``A_l + int phi(x) g(x) HS(mu_1, epsilon - mu_2 x - mu_2^2/2 - ln g(x)) dx``.
   Reverse: ``int phi(x + mu_2) HS(mu_1, epsilon + mu_2 x + mu_2^2/2 + ln g(x)) dx``.
5. Two enclosures that cost nothing: forward lies between ``max(A_l, HS(mu_j))`` and ``1 - (1 - A_l)(1 - HS(mu_j))``,
   ``mu_j^2 = mu_1^2 + mu_2^2`` (upper end: ``g -> sup_S [g P'(S) - e^epsilon P(S)]`` is convex and 0 at g = 0, so the
   integrand is at most ``phi g HS(mu_1, epsilon - L_2)``; g falls and HS rises in x, so Chebyshev's association
   inequality splits the integral); reverse lies between ``max(HS(mu_j), 1 - e^epsilon (1 - A_l))`` and 1.
"""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np
from scipy import special as scipy_special

from proofs_numeric.arithmetic import Arithmetic, Ball, ComplexBall, Float64, MpReal
from proofs_numeric.claim import Box, Claim, DeltaBound, QuantityKind, Role
from proofs_numeric.lebeda2025.noise_maximum import (
    ConditionalSurvival,
    log_unreleased,
    released,
    shared_slope,
    working_bits,
)
from proofs_numeric.lebeda2025.oracle import pair_delta_by_definition
from proofs_numeric.lebeda2025.parameters import DIRECTION, EPSILON, GAP, K_SMALL, SIGMA, J, L, ours
from proofs_numeric.special import gaussian_profile, integral, normal_cdf, normal_pdf

_LOG_2 = math.log(2.0)


def shared_mu(A: Arithmetic, *, k: int, sigma: Any, d: int, j: int) -> Any:
    """``mu_j = sqrt(j - j^2/(d + sqrt(k)))/sigma``: distance of the shared counters' laws when j of d change."""
    gamma = A.sqrt(A.number(k))
    return A.sqrt(j * (d - j + gamma) / (d + gamma)) / sigma if j else A.number(0)


def worst_change(k: int, d: int) -> int:
    """The integer ``j <= d`` that maximises ``j - j^2/(d + sqrt(k))``, by integers alone.

    The step from j to j + 1 gains iff ``2j + 1 < d + sqrt(k)``.
    """
    root = math.isqrt(k)
    root += root * root < k
    return min(d, max(0, -((1 - d - root) // 2)))


def shared_delta(A: Arithmetic, *, epsilon: Any, k: int, sigma: Any, d: int) -> Any:
    """``dg(d; epsilon)``: the worst hockey stick of d shared counters when nothing else changes."""
    return gaussian_profile(A, epsilon, shared_mu(A, k=k, sigma=sigma, d=d, j=worst_change(k, d)))


def new_released(A: Arithmetic, *, k: int, sigma: Any, gap: Any, l: int) -> Any:
    """``A_l``: probability that some of l new counters is released."""
    return released(A, l=l, t=gap / sigma, b=shared_slope(A, k))


def pair_delta(
    A: Arithmetic,
    *,
    epsilon: Any,
    k: int,
    sigma: Any,
    gap: Any,
    l: int,
    j: int,
    direction: str,
    bits: int | None = None,
) -> Any:
    """Exact hockey stick of the pair (l, j) at ``epsilon`` of either sign; ``0 <= j <= k - l``.

    ``bits`` asks balls for a wider, cheaper enclosure.
    """
    epsilon, sigma, gap = A.number(epsilon), A.number(sigma), A.number(gap)
    return _shape(k, l, j).delta(A, epsilon=epsilon, sigma=sigma, gap=gap, forward=direction == "forward", bits=bits)


@functools.lru_cache(maxsize=4096)
def _shape(k: int, l: int, j: int) -> _Pair:
    if not (k >= 1 and 0 <= l <= k and 0 <= j <= k - l):
        raise ValueError(f"expected 0 <= l <= k and 0 <= j <= k - l (counters), got k={k}, l={l}, j={j}")
    return _Pair(k, l, j)


@dataclass(frozen=True)
class _Pair:
    k: int
    l: int
    j: int

    def delta(self, A: Arithmetic, *, epsilon: Any, sigma: Any, gap: Any, forward: bool, bits: int | None) -> Any:
        d = self.k - self.l
        mu = shared_mu(A, k=self.k, sigma=sigma, d=d, j=self.j)
        if self.l == 0:
            return gaussian_profile(A, epsilon, mu)
        new = new_released(A, k=self.k, sigma=sigma, gap=gap, l=self.l)
        if d == 0:
            if forward:
                return A.maximum(new, new - (1 - new) * A.expm1(epsilon))
            return A.maximum(0, new - A.expm1(epsilon) * (1 - new))
        return _mixed(
            A, _Mixed(self, A, epsilon, sigma, gap, new, gaussian_profile(A, epsilon, mu), forward), bits=bits
        )


@dataclass(frozen=True)
class _Mixed:
    """A pair with new and shared counters, in one arithmetic."""

    pair: _Pair
    A: Arithmetic
    epsilon: Any
    sigma: Any
    gap: Any
    new: Any
    gaussian: Any
    forward: bool

    @functools.cached_property
    def d(self) -> int:
        return self.pair.k - self.pair.l

    @functools.cached_property
    def gamma(self) -> Any:
        return self.A.sqrt(self.A.number(self.pair.k))

    @functools.cached_property
    def mu_1(self) -> Any:
        j, d = self.pair.j, self.d
        return self.A.sqrt(self.A.number(j * (d - j)) / d) / self.sigma

    @functools.cached_property
    def mu_2(self) -> Any:
        d = self.d
        return self.A.number(self.pair.j) / d * self.A.sqrt(d * self.gamma / (d + self.gamma)) / self.sigma

    @functools.cached_property
    def t(self) -> Any:
        return self.gap / self.sigma

    @functools.cached_property
    def slope(self) -> Any:
        return self.A.sqrt(self.d / (self.gamma * (self.gamma + self.d)))

    @functools.cached_property
    def b(self) -> Any:
        return 1 / self.A.sqrt(self.gamma + self.d)

    def in_float64(self) -> _Mixed:
        """The same pair in doubles."""
        A = Float64()
        epsilon, sigma, gap = (A.number(float(x)) for x in (self.epsilon, self.sigma, self.gap))
        new, gaussian = A.number(float(self.new)), A.number(float(self.gaussian))
        return _Mixed(self.pair, A, epsilon, sigma, gap, new, gaussian, self.forward)

    def level(self, x: Any, log_g: Any) -> Any:
        """Privacy-loss level left to the change, at mean x."""
        loss = self.mu_2 * x + self.mu_2 * self.mu_2 / 2 + log_g
        return self.epsilon - loss if self.forward else self.epsilon + loss

    def integrand(self, A: Arithmetic, x: Any, g: Any) -> Any:
        """Integrand of step 4 (without ``A_l``)."""
        level = self.level(x, A.log(g))
        density = normal_pdf(A, x) * g if self.forward else normal_pdf(A, x + self.mu_2)
        if self.pair.j in {0, self.d}:
            # HS(0, level), in a form whose sign a wide ball still knows.
            return density * _positive_part(A, -A.expm1(level))
        other = normal_pdf(A, x + self.mu_2) if self.forward else normal_pdf(A, x) * g
        first = density * normal_cdf(A, self.mu_1 / 2 - level / self.mu_1)
        return first - A.exp(self.epsilon) * other * normal_cdf(A, -self.mu_1 / 2 - level / self.mu_1)


def _positive_part(A: Arithmetic, x: Any) -> Any:
    if isinstance(A, ComplexBall):
        return x.real_max(flint.acb(0), analytic=A.analytic)
    return A.maximum(0, x)


@functools.singledispatch
def _mixed(A: Arithmetic, pair: _Mixed, *, bits: int | None) -> Any:
    raise NotImplementedError(A)


# --- ball -------------------------------------------------------------------------------------------------------------


@_mixed.register
def _(A: Ball, pair: _Mixed, *, bits: int | None) -> Any:
    bits = A.bits // 2 if bits is None else bits  # the other half is left to rounding and to ln g where g is small
    if pair.forward:
        least = A.maximum(pair.new, pair.gaussian)
        known = least.union(pair.new + (1 - pair.new) * pair.gaussian)
        if pair.pair.j == 0 and pair.epsilon >= 0:
            return pair.new
    else:
        # The event "shared counters alone", and the whole space.
        least = A.maximum(pair.gaussian, 1 - A.exp(pair.epsilon) * (1 - pair.new), 0)
        known = least.union(A.number(1))
    if known.rel_accuracy_bits() >= bits:
        return known
    log_size = _log_size(pair, least)
    if not log_size > _LEAST_LOG_SIZE:
        return known
    found = _integrated(A, pair, bits, log_size) + (pair.new if pair.forward else 0)
    return known.intersection(found) if found.is_finite() and found.overlaps(known) else known


_LEAST_LOG_SIZE = -5e5
"""Below it (delta < 1e-217147) the window of the quadrature would be too long; the free enclosure is returned."""


def _log_size(pair: _Mixed, least: Any) -> float:
    """About the log of the result, for choosing windows and tolerances only."""
    lower = least.lower()
    log_least = float(lower.log()) if lower > 0 else -math.inf
    rough = float(_mixed(Float64(), pair.in_float64(), bits=None))
    return min(0.0, max(log_least, math.log(rough) if rough > 0 else -math.inf))


def _integrated(A: Ball, pair: _Mixed, bits: int, log_size: float) -> Any:
    """Enclosure of the integral of step 4 to ``2^-bits e^log_size``."""
    log_error = bits * _LOG_2 - log_size
    reach = _dyadic(math.sqrt(2 * log_error) + 1)
    cut = _cut(pair, log_error)
    mu_2 = pair.mu_2
    low = -reach if pair.forward else -reach - mu_2
    high = reach if pair.forward else reach - mu_2
    tail = normal_cdf(A, -reach)
    left_out = A.number(0).union(2 * tail)
    log_least = 0.0
    if cut is not None:
        cut_ball = _dyadic(cut)
        high = high.min(cut_ball)
        log_least = min(
            0.0, float(log_unreleased(l=pair.pair.l, t=float(pair.t) - float(pair.slope) * cut, b=float(pair.b)))
        )
        # Beyond the cut g is at most its value there, and 1 - e^level <= HS <= 1.
        rule = ConditionalSurvival(A, pair.pair.l, pair.b, math.ceil((log_error - log_least) / _LOG_2) + 8)
        g_cut = A.maximum(0, rule(A, pair.t - pair.slope * cut_ball))
        beyond = A.number(0).union(g_cut * normal_cdf(A, -cut_ball))
        if pair.forward:
            left_out = left_out + beyond
        else:
            left_out = left_out + normal_cdf(A, -(cut_ball + mu_2)) - A.exp(pair.epsilon) * beyond
    rule = ConditionalSurvival(A, pair.pair.l, pair.b, math.ceil((log_error - log_least) / _LOG_2) + 8)

    def integrand(C: Arithmetic, x: Any) -> Any:
        return pair.integrand(C, x, rule(C, pair.t - pair.slope * x))

    if not low < high:
        return left_out + A.number(0).union(A.number(1))
    return integral(A, integrand, low, high, bits=bits, scale=_dyadic(math.exp(max(log_size, -700.0)))) + left_out


def _cut(pair: _Mixed, log_error: float) -> float | None:
    """Mean x (a short double) beyond which "no new counter" is too rare to matter, or None within the window."""
    l, t, slope, b = pair.pair.l, float(pair.t), float(pair.slope), float(pair.b)
    extra = 0.0 if pair.forward else max(0.0, float(pair.epsilon))

    def log_rest(x: float) -> float:
        return extra + float(log_unreleased(l=l, t=t - slope * x, b=b)) + float(scipy_special.log_ndtr(-x))

    low, high = -math.sqrt(2 * log_error), math.sqrt(2 * log_error)
    if log_rest(high) >= -log_error or log_unreleased(l=l, t=t - slope * high, b=b) > -8:
        return None
    for _step in range(24):
        middle = (low + high) / 2
        low, high = (low, middle) if log_rest(middle) < -log_error else (middle, high)
    return math.ceil(high * 64) / 64


def _dyadic(value: float) -> Any:
    return flint.arb(value)


# --- mpmath -----------------------------------------------------------------------------------------------------------


@_mixed.register
def _(A: MpReal, pair: _Mixed, *, bits: int | None) -> Any:
    base = pair.new if pair.forward else A.number(0)
    if pair.forward and pair.pair.j == 0 and pair.epsilon >= 0:
        return base
    size = max(base, pair.gaussian, A.number("1e-400"))
    reach = math.sqrt(2 * (2.31 * (A.digits + 10) - float(A.log(size)))) + 1
    centre = 0.0 if pair.forward else -float(pair.mu_2)
    roots = [x for x in _level_roots(pair, centre - reach, centre + reach) if abs(x - centre) < reach]
    if pair.pair.j not in {0, pair.d} and _bend(pair, roots) <= _GENTLE:
        return base + _trapezoid(A, pair, centre, reach)
    return base + _panels(A, pair, roots, (centre - reach, centre + reach))


_GENTLE = 3.0
"""Halvings of a unit panel that the trapezoidal rule resolves as cheaply as graded panels would."""


def _integrand_at(A: MpReal, pair: _Mixed, x: Any, g: Any) -> Any:
    if g > 0:
        return pair.integrand(A, x, g)
    return A.number(0) if pair.forward else normal_pdf(A, x + pair.mu_2)


def _panels(A: MpReal, pair: _Mixed, roots: list[float], window: tuple[float, float]) -> Any:
    """Gauss-Legendre between the bends (kinks at mu_1 = 0, refined to working precision), graded towards them."""
    rule = ConditionalSurvival(A, pair.pair.l, pair.b, working_bits(A) + 16)

    def level(x: Any) -> Any:
        return pair.level(x, A.log(rule(A, pair.t - pair.slope * x)))

    kinks = pair.pair.j in {0, pair.d}
    # A kink misplaced by h costs h^2.
    bends = (
        [A.context.findroot(level, (x, x + A.number("1e-6")), tol=A.number(10) ** -A.digits) for x in roots]
        if kinks
        else roots
    )
    ends = [A.number(window[0]), *map(A.number, bends), A.number(window[1])]
    if kinks:
        points = [x for left, right in itertools.pairwise(ends) for x in A.context.linspace(left, right, 4)]
    else:
        points = list(map(A.number, _graded_edges(roots, window, _bend(pair, roots))))

    def integrand(x: Any) -> Any:
        return _integrand_at(A, pair, x, rule(A, pair.t - pair.slope * x))

    return A.sum(
        A.context.quad(integrand, [left, right], method="gauss-legendre")
        for left, right in itertools.pairwise(points)
        if left < right
    )


def _trapezoid(A: MpReal, pair: _Mixed, centre: float, reach: float) -> Any:
    """Trapezoidal rule in x, halved until it settles.

    The nodes of g's own rule are laid on the same grid, so each value of Phi is found once.
    """
    l, levels = pair.pair.l, 6
    rule = ConditionalSurvival(A, l, pair.b, working_bits(A) + 16)
    finest = float(pair.slope) / 2**levels
    fine = max(1, math.ceil(finest / rule.spacing))
    unit = pair.slope / (2**levels * fine)
    stride = max(1, math.floor(rule.spacing * 2**levels * fine / float(pair.slope)))
    inner = stride * unit / pair.b
    count = math.ceil(rule.reach / float(inner)) + 1
    weights = [inner * normal_pdf(A, inner * m) for m in range(-count, count + 1)]
    start, root = pair.t - pair.slope * A.number(centre), A.sqrt(A.number(2))

    @functools.cache
    def power(n: int) -> Any:
        return (A.context.erfc((n * unit - start) / root) / 2) ** l

    def value(i: int) -> Any:
        g = A.sum(w * power(i * fine + m * stride) for m, w in zip(range(-count, count + 1), weights, strict=True))
        return _integrand_at(A, pair, A.number(centre) + A.number(i) / 2**levels, g)

    last = math.ceil(reach * 2**levels)
    total, previous, result = A.number(0), None, A.number(0)
    for level in range(1, levels + 1):
        gap = 2 ** (levels - level)
        fresh = [i for i in range(-(last // gap) * gap, last + 1, gap) if level == 1 or (i // gap) % 2]
        total = total + A.sum(map(value, fresh))
        previous, result = result, total * gap / 2**levels
        if abs(result - previous) <= abs(result) * A.number(10) ** -(A.digits // 2 + 4):
            break  # halving squares the error: the last value has twice the digits that agree
    return result


# --- float64 ----------------------------------------------------------------------------------------------------------

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(14)


def _log_g(pair: _Mixed, x: Any) -> Any:
    return log_unreleased(l=pair.pair.l, t=float(pair.t) - float(pair.slope) * np.asarray(x), b=float(pair.b))


def _level_roots(pair: _Mixed, low: float, high: float) -> list[float]:
    """Where the level changes sign (float64): at most two points, as ``ln g`` is concave."""
    grid = np.linspace(low, high, 65)
    values = np.asarray(_level_float(pair, grid, _log_g(pair, grid)))
    changes = np.flatnonzero(np.signbit(values[1:]) != np.signbit(values[:-1]))
    return [_bisected(pair, grid[i], grid[i + 1]) for i in changes]


def _bisected(pair: _Mixed, low: float, high: float) -> float:
    """Sign change of the level: sixteen parts three times, then the chord, whose error is of the part's square."""
    left = right = 0.0
    for _round in range(3):
        grid = np.linspace(low, high, 17)
        values = np.asarray(_level_float(pair, grid, _log_g(pair, grid)))
        index = int(np.flatnonzero(np.signbit(values[1:]) != np.signbit(values[:-1]))[0])
        low, high, left, right = grid[index], grid[index + 1], values[index], values[index + 1]
    return float(low + (high - low) * left / (left - right)) if np.isfinite(right - left) else float((low + high) / 2)


def _level_float(pair: _Mixed, x: Any, log_g: Any) -> Any:
    mu_2, epsilon = float(pair.mu_2), float(pair.epsilon)
    loss = mu_2 * x + mu_2 * mu_2 / 2 + log_g
    return epsilon - loss if pair.forward else epsilon + loss


@_mixed.register
def _(A: Float64, pair: _Mixed, *, bits: int | None) -> Any:
    if pair.forward and pair.pair.j == 0 and pair.epsilon >= 0:
        return pair.new
    mu_1, mu_2 = float(pair.mu_1), float(pair.mu_2)
    least = max(float(pair.new), float(pair.gaussian)) if pair.forward else float(pair.gaussian)
    reach = math.sqrt(2 * (36 - math.log(max(least, 1e-300)))) + 0.5
    centre = 0.0 if pair.forward else -mu_2
    window = (centre - reach, centre + reach)
    roots = _level_roots(pair, *window)
    edges = _graded_edges(roots, window, _bend(pair, roots))
    half = np.diff(edges)[:, None] / 2
    x = ((edges[1:] + edges[:-1])[:, None] / 2 + half * _NODES).ravel()
    log_g = _log_g(pair, x)
    with np.errstate(over="ignore", under="ignore"):
        stick = gaussian_profile(A, _level_float(pair, x, log_g), mu_1)
        log_density = -0.5 * (x * x if pair.forward else (x + mu_2) ** 2) + (log_g if pair.forward else 0)
        total = np.sum(np.exp(log_density) * stick * (half * _WEIGHTS).ravel()) / math.sqrt(2 * math.pi)
    return np.float64(total + (pair.new if pair.forward else 0.0))


def _graded_edges(roots: list[float], window: tuple[float, float], halvings: float) -> Any:
    """Panels no wider than 5/4, shrinking towards the bends by ``halvings`` halvings."""
    widths = 2.0 ** np.arange(-1.0, -halvings - 1.0, -1.5)
    grades = [x + side * width for x in roots for width in widths for side in (-1, 1)]
    unit = np.linspace(*window, math.ceil((window[1] - window[0]) / 1.25) + 1)
    edges = np.unique(np.concatenate([unit, roots, grades]))
    return edges[(edges >= window[0]) & (edges <= window[1])]


def _bend(pair: _Mixed, roots: list[float]) -> float:
    """Halvings from a unit panel down to the width over which the level moves by ``mu_1``."""
    mu_1 = float(pair.mu_1)
    if not roots or mu_1 == 0:
        return 0.0
    near = np.array(roots)[:, None] + np.array([-1e-4, 1e-4])
    slopes = np.abs(np.diff(_level_float(pair, near, _log_g(pair, near)))) / 2e-4
    return min(40.0, max(0.0, math.log2(max(float(slopes.max()), 1e-300) / mu_1)))


# --- claim ------------------------------------------------------------------------------------------------------------


def _fits(*, k: int, l: int, j: int, **_rest: Any) -> bool:
    return l + j <= k


CLAIMS = (
    Claim(
        id="lebeda2025.csh.exact.pair",
        source=ours("Section 8 (open problem)"),
        title="exact delta of one pair of neighbours",
        statement=r"\delta_{l,j}^{\to}(\epsilon) = A_l + \int \varphi(x) g(x) f(\mu_1, \epsilon - L_2(x) - \ln g(x))dx",
        kind=DeltaBound(
            formula=pair_delta,
            oracle=pair_delta_by_definition,
            oracle_points=(
                {"epsilon": "0.3", "k": 3, "sigma": 2, "gap": 3, "l": 1, "j": 1, "direction": "forward"},
                {"epsilon": "0.1", "k": 4, "sigma": 2, "gap": 4, "l": 1, "j": 2, "direction": "forward"},
                {"epsilon": "0.3", "k": 3, "sigma": 2, "gap": 3, "l": 1, "j": 2, "direction": "reverse"},
                {"epsilon": "0.3", "k": 3, "sigma": 2, "gap": 3, "l": 1, "j": 0, "direction": "reverse"},
                {"epsilon": "0.3", "k": 3, "sigma": 2, "gap": 3, "l": 2, "j": 1, "direction": "forward"},
            ),
        ),
        domain=Box((EPSILON, K_SMALL, SIGMA, GAP, L, J, DIRECTION), _fits, "l + j <= k"),
        quantity=QuantityKind.DELTA,
        role=Role.EXACT,
        points=(
            {"epsilon": 0, "k": 6, "sigma": 100000, "gap": 564930, "l": 3, "j": 2, "direction": "forward"},
            {"epsilon": Fraction(3, 10), "k": 3, "sigma": 2, "gap": 3, "l": 1, "j": 2, "direction": "reverse"},
            {"epsilon": Fraction(3, 10), "k": 3, "sigma": 2, "gap": 3, "l": 1, "j": 0, "direction": "reverse"},
        ),
    ),
)
