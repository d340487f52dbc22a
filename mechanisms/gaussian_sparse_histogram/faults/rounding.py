"""Rounding in the wrong place: low bits that tell the count."""

import functools
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.faults.noise import WithNoise, told_apart_profile
from mechanisms.gaussian_sparse_histogram.law import widened
from mechanisms.gaussian_sparse_histogram.mechanism import MECHANISM
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.wilkins2024.neighbours import FAR

_GRID = 4.0


class RoundedNoise(WithNoise):
    """The noise is rounded to a grid of 4 users, the release is not: counts show through their remainders.

    The mistake behind most floating-point leaks, without floating point: rounding must come after the addition.
    """

    def _noise(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return correct.round_to_grid(self.sigma * rng.standard_normal((n, counts.size)), _GRID)


_BITS = 6


class GridFollowsCount(correct.GaussianSparseHistogram):
    """Rounds C + v to six significant bits of C: coarsely for large groups, finely for small ones."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        grid = np.ldexp(1.0, np.frexp(counts)[1] - _BITS)
        noisy = counts + self.sigma * rng.standard_normal((n, counts.size))
        released = (counts >= self.least_count) & (noisy >= self.tau_star)
        return np.where(released, np.rint(noisy / grid) * grid, np.nan)


_COUNT, _REACH = 128, 80


def grid_profile(A: Arithmetic, epsilon: Number, direction: Direction, *, sigma: Value) -> Number:
    """Counts 128, on a grid of 4, and 127, on a grid of 2: enumerated over the even numbers up to 40 sigma away."""
    s, e = A.number(sigma), A.exp(A.number(epsilon))

    def mass(value: int, count: int, grid: int) -> Any:
        if value % grid:
            return A.number(0)
        low, high = (
            (A.number(value - count) - A.number(grid) / 2) / s,
            (A.number(value - count) + A.number(grid) / 2) / s,
        )
        return normal_cdf(A, high) - normal_cdf(A, low) if value < count else normal_cdf(A, -low) - normal_cdf(A, -high)

    sides = [(_COUNT, 4), (_COUNT - 1, 2)]
    first, second = sides if direction is Direction.FORWARD else sides[::-1]
    values = range(_COUNT - _REACH, _COUNT + _REACH + 1, 2)
    total = A.sum(A.maximum(0, mass(value, *first) - e * mass(value, *second)) for value in values)
    return widened(A, total, 4 * normal_cdf(A, A.number(1 - FAR)))


class HalfPrecisionNoise(correct.GaussianSparseHistogram):
    """Releases C + v with v rounded to half precision and the sum in doubles, unrounded.

    The sum is exact, so a released value y can come from a count c only if y - c is a half-precision number. Near zero
    these are dense (2^-24 apart), near one they are sparse (2^-10): the low bits of y say how far it is from the count.
    Wider formats leak the same way, further down.
    """

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        noise = (self.sigma * rng.standard_normal((n, counts.size))).astype(np.float16)
        noisy = counts + noise.astype(np.float64)
        return np.where((counts >= self.least_count) & (noisy >= self.tau_star), noisy, np.nan)


_Cell = tuple[float, float]


@functools.cache
def _cells(start: int, sign: int) -> tuple[tuple[_Cell, _Cell | None], ...]:
    """Rounding cells of the half-precision numbers x in [start, 9], each with the cell of x + sign if that is one too.

    A run of numbers without a partner is merged into one cell.
    """
    half = np.arange(2**16, dtype=np.uint16).view(np.float16).astype(np.float64)
    numbers = np.unique(half[np.isfinite(half) & (np.abs(half) < 11)])
    edges = (numbers[1:] + numbers[:-1]) / 2
    cell = {x: (a, b) for x, a, b in zip(numbers[1:-1].tolist(), edges.tolist(), edges[1:].tolist(), strict=False)}
    cells: list[tuple[_Cell, _Cell | None]] = []
    for x, (a, b) in cell.items():
        if not start <= x <= 9:
            continue
        partner = cell.get(x + sign)
        if partner is None and cells and cells[-1][1] is None:
            cells[-1] = ((cells[-1][0][0], b), None)
        else:
            cells.append(((a, b), partner))
    return tuple(cells)


def half_precision_profile(A: Arithmetic, epsilon: Number, direction: Direction, *, sigma: Value) -> Number:
    """Counts tau* and tau* - 1: sum over the outputs of max(0, P - e^epsilon Q), enumerated; scalar epsilon.

    A row is out at noise x >= 0 in left and x >= 1 in right; left at x is right at x + 1. Noise beyond 9 users is left
    out: less than Phi(-8 / sigma).
    """
    e, (first, other, masses) = A.exp(A.number(epsilon)), _masses(A, sigma, direction)
    far_part = A.maximum(0, first - e * other)
    out = A.sum(mass if partner is None else A.maximum(0, mass - e * partner) for mass, partner in masses)
    return widened(A, far_part + out, normal_cdf(A, -A.number(8) / A.number(sigma)))


@functools.lru_cache(maxsize=2)
def _masses(A: Arithmetic, sigma: Value, direction: Direction) -> tuple[Any, Any, list[tuple[Any, Any]]]:
    """Probabilities that nothing is out, left and right, and of every cell with that of its partner."""
    s = A.number(sigma)
    start, sign = (0, 1) if direction is Direction.FORWARD else (1, -1)

    def tail(x: float) -> Any:
        return normal_cdf(A, -A.number(Fraction(x)) / s)

    def mass(cell: _Cell) -> Any:
        return tail(cell[0]) - tail(cell[1])

    cells = _cells(start, sign)
    (first, _), *_rest = cells
    (other, _), *_rest = _cells(start + sign, -sign)
    masses = [(mass(cell), None if partner is None else mass(partner)) for cell, partner in cells]
    return tail(-first[0]), tail(-other[0]), masses


ONE_ROW = {"c_u": 1}

FAULTS = (
    MECHANISM.broken(
        id="rounded_noise", title="the noise is rounded instead of the release",
        parameters={"c_u": 1, "sigma": 8, "gap": 30}, pair="wc2", subclass=RoundedNoise, profile=told_apart_profile,
        explanation="A released value modulo 4 is the true count modulo 4.",
    ),
    MECHANISM.broken(
        id="grid_follows_count", title="the rounding grid follows the true count", parameters=ONE_ROW, pair="wc2",
        direction=Direction.BACKWARD, subclass=GridFollowsCount, profile=partial(grid_profile, sigma=2),
        explanation="A value that is no multiple of 4 denies the count 128: its low bits give the count's size away.",
    ),
    MECHANISM.broken(
        id="half_precision_noise", title="naive floating point: low bits give the count away",
        parameters={"c_u": 1, "sigma": 1, "gap": 5}, pair="wc5.at", subclass=HalfPrecisionNoise,
        profile=partial(half_precision_profile, sigma=1),
        explanation="Released at noise below 1 a value has low bits, at noise above 1 it has none: they deny tau* - 1.",
    ),
)  # fmt: skip
