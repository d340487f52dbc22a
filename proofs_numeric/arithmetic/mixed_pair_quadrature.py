"""Approximate hockey sticks of mixed pairs, in mpmath and in doubles: by quadrature."""

import functools
import itertools
import math
from typing import Any

import numpy as np
from mpmath.calculus.quadrature import GaussLegendre

from proofs_numeric.arithmetic import Arithmetic, Float64, MpReal, Number
from proofs_numeric.arithmetic.mixed_pair import MixedPair
from proofs_numeric.arithmetic.noise_maximum import ConditionalSurvival, LatticeSurvival, log_unreleased, unreleased
from proofs_numeric.arithmetic.roots import increasing_root
from proofs_numeric.arithmetic.special import gaussian_profile, log_gaussian_profile, normal_pdf


def quadrature(A: Arithmetic, pair: MixedPair) -> Any:
    """Hockey stick of the pair, to within rounding."""
    if pair.told_apart_by_release is not None:
        return pair.told_apart_by_release
    low, high = pair.ends
    if high <= low * (1 + A.number(2) ** -A.bits):
        return high
    return A.maximum(low, A.minimum(high, _integrated(A, pair)))


@functools.singledispatch
def _integrated(A: Arithmetic, pair: MixedPair) -> Any:
    """The same, by quadrature."""
    raise NotImplementedError(A)


# --- mpmath -----------------------------------------------------------------------------------------------------------


@_integrated.register
def _(A: MpReal, pair: MixedPair) -> Any:
    base = pair.new if pair.forward else A.number(0)
    depth = _LOG_10 * (A.digits + 10)
    rough = pair.in_float64()
    window, log_size = _window(rough, float(A.log(base)) if base > 0 else -math.inf, depth)
    if window is None:
        return base
    roots = level_roots(rough, *window)
    width = _width(rough, roots)
    # Where mu_1 rounds the kinks off so little that the integral does not see it, it is 0.
    if pair.kinked or (roots and math.log(max(float(pair.mu_1) * width, 5e-324)) < log_size - depth):
        width = 0.0
    # How rare a silence matters: in reverse e^epsilon of it is held against 1.
    least = min(-float(_log_g(rough, window[1])), -log_size if pair.forward else max(0.0, float(pair.epsilon)))
    bits = A.bits + 16 + math.ceil(least / math.log(2))
    if window[1] - window[0] <= _GENTLE * width:
        return base + _trapezoid(A, pair, bits, window, width)
    return base + _panels(A, pair, bits, roots, window, width)


_LOG_10 = math.log(10.0)
_GENTLE = 256.0
"""Widths of a bend in a window that the trapezoidal rule resolves as cheaply as graded panels would."""
_FARTHEST = 1024.0
"""Deviations beyond which no window reaches: what is out there is below e^-5e5."""


def _log_integrand(pair: MixedPair, x: Any) -> Any:
    """About the logarithm of the integrand of a pair in doubles."""
    log_g, mu_1 = _log_g(pair, x), float(pair.mu_1)
    level = _level_float(pair, x, log_g)
    with np.errstate(divide="ignore"):
        stick = np.log(-np.expm1(np.minimum(level, 0)))
    if mu_1 > 0:
        stick = np.maximum(stick, log_gaussian_profile(np.maximum(level, 0), np.full(np.shape(x), mu_1)))
    return stick - 0.5 * (x * x if pair.forward else (x + float(pair.mu_2)) ** 2) + (log_g if pair.forward else 0)


def log_integral(pair: MixedPair, log_least: float) -> float:
    """About the logarithm of a pair's integral, which may be no double, or ``log_least`` where that is more."""
    return _window(pair, log_least, 0.0)[1]


def _window(pair: MixedPair, log_base: float, depth: float) -> tuple[tuple[float, float] | None, float]:
    """Where the integrand is above ``e^-depth`` of the sum, None where nowhere; and the logarithm of its size."""
    centre, reach = 0.0 if pair.forward else -float(pair.mu_2), 8.0
    while True:
        x = centre + np.linspace(-reach, reach, int(16 * reach) + 1)
        logs = _log_integrand(pair, x)
        log_size = max(log_base, float(np.max(logs)))
        if reach >= _FARTHEST or reach * reach / 2 > depth - log_size:
            break
        reach *= 2
    inside = np.flatnonzero(logs > log_size - depth)
    if not inside.size:
        return None, log_size
    step = x[1] - x[0]
    return (float(x[inside[0]] - step), float(x[inside[-1]] + step)), log_size


def _integrand_at(A: MpReal, pair: MixedPair, x: Number, g: Number, *, kinked: bool | None = None) -> Any:
    if g > 0:
        return pair.integrand(A, x, g, kinked=kinked)
    return A.number(0) if pair.forward else normal_pdf(A, x + pair.mu_2)


def _panels(
    A: MpReal, pair: MixedPair, bits: int, roots: list[float], window: tuple[float, float], width: float
) -> Any:
    """Gauss-Legendre between the changes of sign of the level: kinks, or rounded off over a ``width`` that is not 0."""
    kinked = not width
    rule = ConditionalSurvival(A, pair.l, pair.b, bits)

    def silence(x: Number) -> Any:
        t = pair.t - pair.slope * x
        return rule(A, t) if bits < 2 * A.bits else unreleased(A, l=pair.l, t=t, b=pair.b)

    def level(x: Number) -> Any:
        return pair.level(x, A.log(silence(x)))

    def bend(x: float) -> Number:
        # A kink misplaced by h costs h^2.
        left, right = A.number(x) - ROOM, A.number(x) + ROOM
        rising = 1 if level(right) > 0 else -1
        return increasing_root(A, lambda y: rising * level(y), left, right)

    halvings = -math.log2(width) if width else 0.0
    if not kinked and halvings <= _DEEP:
        points = list(map(A.number, _graded_edges(roots, window, halvings)))
    else:
        away = 0.0 if kinked else width * (math.sqrt(2 * _LOG_10 * (A.digits + 10)) + 2)
        ends = [A.number(window[0])]
        for kink in map(bend, roots):
            ends += [kink - away, kink + away]
        ends.append(A.number(window[1]))
        points = []
        for place, (left, right) in enumerate(itertools.pairwise(ends)):
            parts = math.ceil(float(right - left) / (_WIDE if place % 2 == 0 else 2 * (width or 1)))
            points += A.context.linspace(left, right, parts + 1) if parts > 0 else []

    def integrand(x: Number) -> Any:
        return _integrand_at(A, pair, x, silence(x), kinked=kinked)

    nodes = _nodes(A)
    return A.sum(
        half * A.sum(weight * integrand(middle + half * node) for node, weight in nodes)
        for middle, half in (((left + right) / 2, (right - left) / 2) for left, right in itertools.pairwise(points))
        if half > 0
    )


@functools.cache
def _nodes(A: MpReal) -> Any:
    """Nodes and weights of Gauss-Legendre on [-1, 1], to the digits of A on a panel of smooth parts."""
    degree = 4 + math.ceil(math.log2(max(A.digits, 15) / 15))  # 3 2^(degree - 1) nodes
    return GaussLegendre(A.context).calc_nodes(degree, A.bits)


_DEEP = 20.0
"""Halvings of a unit panel beyond which a root's surroundings are straight where the kink is rounded off."""
_WIDE = 2.5
"""Widest panel of Gauss-Legendre."""


def _trapezoid(A: MpReal, pair: MixedPair, bits: int, window: tuple[float, float], width: float) -> Any:
    """Trapezoidal rule in x, halved until it settles."""
    levels = max(6, 3 - math.floor(math.log2(width)))
    centre, reach = A.number(sum(window) / 2), (window[1] - window[0]) / 2
    # g's error is relative; its window reaches to where the rarest silence comes from.
    silence = LatticeSurvival(
        A, pair.l, pair.t - pair.slope * centre, pair.b, pair.slope / 2**levels, A.bits + 16, bits
    )

    def value(i: int) -> Any:
        return _integrand_at(A, pair, centre + A.number(i) / 2**levels, silence(i))

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


def _log_g(pair: MixedPair, x: Number) -> Any:
    return log_unreleased(l=pair.l, t=float(pair.t) - float(pair.slope) * np.asarray(x), b=float(pair.b))


ROOM = 2.0**-20
"""Half-width of the interval in which a root found in doubles is looked for."""


def level_roots(pair: MixedPair, low: float, high: float) -> list[float]:
    """Where the level changes sign (float64): at most two points, as ``ln g`` is concave."""
    grid = np.linspace(low, high, 65)
    values = np.asarray(_level_float(pair, grid, _log_g(pair, grid)))
    changes = np.flatnonzero(np.signbit(values[1:]) != np.signbit(values[:-1]))
    return [_bisected(pair, grid[i], grid[i + 1]) for i in changes]


def _bisected(pair: MixedPair, low: float, high: float) -> float:
    """Sign change of the level: sixteen parts three times, then the chord, whose error is of the part's square."""
    left = right = 0.0
    for _round in range(3):
        grid = np.linspace(low, high, 17)
        values = np.asarray(_level_float(pair, grid, _log_g(pair, grid)))
        index = int(np.flatnonzero(np.signbit(values[1:]) != np.signbit(values[:-1]))[0])
        low, high, left, right = grid[index], grid[index + 1], values[index], values[index + 1]
    return float(low + (high - low) * left / (left - right)) if np.isfinite(right - left) else float((low + high) / 2)


def _level_float(pair: MixedPair, x: Number, log_g: Number) -> Any:
    mu_2, epsilon = float(pair.mu_2), float(pair.epsilon)
    loss = mu_2 * x + mu_2 * mu_2 / 2 + log_g
    return epsilon - loss if pair.forward else epsilon + loss


@_integrated.register
def _(A: Float64, pair: MixedPair) -> Any:
    mu_1, mu_2 = float(pair.mu_1), float(pair.mu_2)
    least = max(float(pair.new), float(pair.gaussian)) if pair.forward else float(pair.gaussian)
    reach = math.sqrt(2 * (36 - math.log(max(least, 1e-300)))) + 0.5
    centre = 0.0 if pair.forward else -mu_2
    window = (centre - reach, centre + reach)
    roots = level_roots(pair, *window)
    width = _width(pair, roots)
    edges = _graded_edges(roots, window, min(40.0, -math.log2(width)) if width else 0.0)
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


def _width(pair: MixedPair, roots: list[float]) -> float:
    """Over which x the level moves by ``mu_1`` at the steepest of its roots; 1 where there is none."""
    mu_1 = float(pair.mu_1)
    if not roots or mu_1 == 0:
        return float(mu_1 > 0 or not roots)
    near = np.array(roots)[:, None] + np.array([-1e-4, 1e-4])
    slopes = np.abs(np.diff(_level_float(pair, near, _log_g(pair, near)))) / 2e-4
    return min(1.0, mu_1 / max(float(slopes.max()), 1e-300))
