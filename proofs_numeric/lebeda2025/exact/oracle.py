"""Hockey sticks from the definition of the mechanism, in doubles; no formula shared with the exact analysis.

The outputs of the j changed counters, and of the d - j others, enter only through their two means (a sufficient
statistic of equal normals).  Joint densities are integrals over the shared noise, the excess of one density over
``e^epsilon`` times the other is integrated where it is positive: exactly to its ends in one mean, by the trapezoidal
rule in the other.  Bounds on several releases: noise on a grid, covariances solved.
"""

import functools
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from proofs_numeric.expression.vocabulary import *

Density = Callable[[NDArray[np.float64], float], NDArray[np.float64]]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(120)


def pair_delta_by_definition(
    A: Arithmetic, *, k: int, l: int, j: int, direction: str, gamma: Number | None = None, **at: Number
) -> Number:
    """Hockey stick of the pair (l, j), ``1 <= l < k``, to about 12 digits of 1; gamma is sqrt(k) unless given."""
    s, tau, factor = float(at["sigma"]), float(at["gap"]), math.exp(float(at["epsilon"]))
    d, eta = k - l, s / math.sqrt(_ratio(k, gamma))
    z = np.linspace(-9 * eta, 9 * eta, 181)
    weight = np.exp(-0.5 * (z / eta) ** 2) / (eta * math.sqrt(2 * math.pi)) * (z[1] - z[0])
    silent = weight * special.ndtr((tau - z) / s) ** l
    blocks = [size for size in (j, d - j) if size]

    def law(size: int, y: NDArray[np.float64], shift: float) -> NDArray[np.float64]:
        width = s / math.sqrt(size)
        return np.exp(-0.5 * ((y[..., None] - shift - z) / width) ** 2) / (width * math.sqrt(2 * math.pi))

    def density(y: NDArray[np.float64], other: float, shift: float, weights: Any) -> NDArray[np.float64]:
        rest = law(blocks[1], np.array(other), 0.0) if len(blocks) > 1 else 1.0
        return np.asarray(law(blocks[0], y, shift) * rest @ weights)

    larger, smaller = (1.0 if j else 0.0, silent), (0.0, weight)
    first, second = (larger, smaller) if direction == "forward" else (smaller, larger)

    def excess(y: NDArray[np.float64], other: float) -> NDArray[np.float64]:
        return density(y, other, *first) - factor * density(y, other, *second)

    reach = 9 * (eta + s)
    if len(blocks) == 1:
        total = _positive_part(excess, -reach, reach + 1, 0.0)
    else:
        others = np.linspace(-reach, reach, 241)
        total = sum(_positive_part(excess, -reach, reach + 1, other) for other in others) * (others[1] - others[0])
    return A.number(Fraction(float(total + (1 - silent.sum() if direction == "forward" else 0.0))))


def _positive_part(excess: Density, low: float, high: float, other: float) -> float:
    from scipy.optimize import brentq  # a fifth of a CPU second to load, which no evaluation needs

    grid = np.linspace(low, high, 97)
    signs = excess(grid, other) > 0
    roots = [
        brentq(lambda y: float(excess(np.array(y), other)), grid[i], grid[i + 1], xtol=1e-13)
        for i in np.flatnonzero(signs[1:] != signs[:-1])
    ]
    total = 0.0
    for left, right in zip([low, *roots], [*roots, high], strict=True):
        half = (right - left) / 2
        values = excess((left + right) / 2 + half * _NODES, other)
        if values.sum() > 0:
            total += half * float(values @ _WEIGHTS)
    return total


def delta_by_definition(
    A: Arithmetic, *, k: int, m: int | None = None, gamma: Number | None = None, **at: Any
) -> Number:
    """Largest hockey stick over every pair (l, j) in both directions, for small k: no certificate, no collapse.

    A user changes at most m counters, all k unless given; gamma is sqrt(k) unless given.
    """
    e, most, ratio = float(at["epsilon"]), m or k, _ratio(k, gamma)
    new = _passes(most, ratio, 181, **at)
    values = [new, 1 - math.exp(e) * (1 - new), *(_changed(k, j, ratio, **at) for j in range(1, most + 1))]
    for l in range(1, min(k, most + 1)):
        for j in range(min(k, most) - l + 1):
            pair = functools.partial(pair_delta_by_definition, A, k=k, l=l, j=j, gamma=gamma, **at)
            values += [float(pair(direction=way)) for way in ("forward", "reverse")]
    return A.number(Fraction(max(values)))


def _ratio(k: int, gamma: Number | None) -> float:
    return math.sqrt(k) if gamma is None else float(gamma)


def _passes(l: int, ratio: float, nodes: int, *, sigma: Number, gap: Number, **_rest: Number) -> float:
    """Probability that some of l new counters is released, on a grid of the shared noise."""
    s = float(sigma)
    z = np.linspace(-9, 9, nodes)
    weight = np.exp(-z * z / 2) / math.sqrt(2 * math.pi) * (z[1] - z[0])
    return float(weight @ -np.expm1(l * special.log_ndtr((float(gap) - z * s / math.sqrt(ratio)) / s)))


def _changed(
    d: int, j: int, ratio: float, *, epsilon: Number, sigma: Number, releases: int = 1, mu_o: Number = 0, **_gap: Number
) -> float:
    """Hockey stick of j changes of d shared counters: the distance from the solved system (I + 1 1^T/gamma) x = change.

    mu_o is the distance of a column beside each counter.
    """
    e, change = float(epsilon), (np.arange(d) < j).astype(np.float64)
    covariance = float(sigma) ** 2 * (np.eye(d) + np.full((d, d), 1 / ratio))
    one = float(change @ np.linalg.solve(covariance, change)) + float(mu_o) ** 2 * float(change @ change)
    mu = math.sqrt(releases * one)
    return float(special.ndtr(mu / 2 - e / mu) - math.exp(e) * special.ndtr(-mu / 2 - e / mu))


def _ceilings(
    *, releases: int, k: int, m: int | None = None, gamma: Number | None = None, **at: Number
) -> Iterator[tuple[float, float]]:
    """For l = 0, ..., m: log P[none of l new counters passes in any release], and the worst change beside them."""
    most, ratio = k if m is None else m, _ratio(k, gamma)
    for l in range(most + 1):
        changes = (_changed(k - l, j, ratio, releases=releases, **at) for j in range(1, most - l + 1))
        yield releases * float(np.log1p(-_passes(l, ratio, 2001, **at))), max(changes, default=0.0)


def same_data_by_definition(A: Arithmetic, **at: Any) -> Number:
    """Of several releases of the same data: the largest ``1 - silent (1 - worst)`` over l."""
    return A.number(Fraction(max(-np.expm1(silent + np.log1p(-worst)) for silent, worst in _ceilings(**at))))


def chosen_data_by_definition(A: Arithmetic, **at: Any) -> Number:
    """Of data chosen as one goes: the same of most new counters and of the worst change beside none."""
    (_none, worst), *_between, (silent, _without) = _ceilings(**at)
    return A.number(Fraction(-np.expm1(silent + np.log1p(-worst))))
