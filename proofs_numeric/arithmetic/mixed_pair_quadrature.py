"""Approximate hockey sticks of mixed pairs, in mpmath and in doubles: by quadrature."""

from __future__ import annotations

import functools
import itertools
import math
from typing import Any

import numpy as np

from proofs_numeric.arithmetic import Arithmetic, Float64, MpReal, Number
from proofs_numeric.arithmetic.mixed_pair import MixedPair
from proofs_numeric.arithmetic.noise_maximum import ConditionalSurvival, log_unreleased
from proofs_numeric.arithmetic.roots import increasing_root
from proofs_numeric.arithmetic.special import gaussian_profile, normal_pdf


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
    size = max(base, pair.gaussian, A.number("1e-400"))
    reach = math.sqrt(2 * (2.31 * (A.digits + 10) - float(A.log(size)))) + 1
    centre = 0.0 if pair.forward else -float(pair.mu_2)
    roots = [x for x in level_roots(pair, centre - reach, centre + reach) if abs(x - centre) < reach]
    if not pair.kinked and _bend(pair, roots) <= _GENTLE:
        return base + _trapezoid(A, pair, centre, reach)
    return base + _panels(A, pair, roots, (centre - reach, centre + reach))


_GENTLE = 3.0
"""Halvings of a unit panel that the trapezoidal rule resolves as cheaply as graded panels would."""


def _integrand_at(A: MpReal, pair: MixedPair, x: Number, g: Number) -> Any:
    if g > 0:
        return pair.integrand(A, x, g)
    return A.number(0) if pair.forward else normal_pdf(A, x + pair.mu_2)


def _panels(A: MpReal, pair: MixedPair, roots: list[float], window: tuple[float, float]) -> Number:
    """Gauss-Legendre between the bends (kinks at mu_1 = 0, refined to working precision), graded towards them."""
    rule = ConditionalSurvival(A, pair.l, pair.b, A.bits + 16)

    def level(x: Number) -> Any:
        return pair.level(x, A.log(rule(A, pair.t - pair.slope * x)))

    def bend(x: Number) -> Number:
        # A kink misplaced by h costs h^2.
        left, right = A.number(x) - ROOM, A.number(x) + ROOM
        rising = 1 if level(right) > 0 else -1
        return increasing_root(A, lambda y: rising * level(y), left, right)

    bends = list(map(bend, roots)) if pair.kinked else roots
    ends = [A.number(window[0]), *map(A.number, bends), A.number(window[1])]
    if pair.kinked:
        points = [x for left, right in itertools.pairwise(ends) for x in A.context.linspace(left, right, 4)]
    else:
        points = list(map(A.number, _graded_edges(roots, window, _bend(pair, roots))))

    def integrand(x: Number) -> Any:
        return _integrand_at(A, pair, x, rule(A, pair.t - pair.slope * x))

    return A.sum(
        A.context.quad(integrand, [left, right], method="gauss-legendre")
        for left, right in itertools.pairwise(points)
        if left < right
    )


def _trapezoid(A: MpReal, pair: MixedPair, centre: float, reach: float) -> Any:
    """Trapezoidal rule in x, halved until it settles.

    The nodes of g's own rule are laid on the same grid, so each value of Phi is found once.
    """
    l, levels = pair.l, 6
    rule = ConditionalSurvival(A, l, pair.b, A.bits + 16)
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


def _bend(pair: MixedPair, roots: list[float]) -> float:
    """Halvings from a unit panel down to the width over which the level moves by ``mu_1``."""
    mu_1 = float(pair.mu_1)
    if not roots or mu_1 == 0:
        return 0.0
    near = np.array(roots)[:, None] + np.array([-1e-4, 1e-4])
    slopes = np.abs(np.diff(_level_float(pair, near, _log_g(pair, near)))) / 2e-4
    return min(40.0, max(0.0, math.log2(max(float(slopes.max()), 1e-300) / mu_1)))
