"""Floating point: the noise is drawn in half precision and added to the count in doubles, unrounded.

The sum is exact, so a released value y can come from a count c only if y - c is a half-precision number. Near zero
these are dense (2^-24 apart), near one they are sparse (2^-10): the low bits of y say how far it is from the count.
Wider formats leak the same way, further down.
"""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows, widened
from mechanisms.mechanism import Fault
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact


class HalfPrecisionNoise(correct.GaussianSparseHistogram):
    """Releases C + v with v rounded to half precision and the sum in doubles."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        noise = (self.sigma * rng.standard_normal((n, counts.size))).astype(np.float16)
        noisy = counts + noise.astype(np.float64)
        return np.where((counts >= self.least_count) & (noisy >= self.tau_star), noisy, np.nan)


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> HalfPrecisionNoise:
    """Algorithm 1 as naive floating-point code."""
    return HalfPrecisionNoise(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


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
    found: list[tuple[_Cell, _Cell | None]] = []
    for x, (a, b) in cell.items():
        if not start <= x <= 9:
            continue
        partner = cell.get(x + sign)
        if partner is None and found and found[-1][1] is None:
            found[-1] = ((found[-1][0][0], b), None)
        else:
            found.append(((a, b), partner))
    return tuple(found)


def profile(A: Any, epsilon: Any, direction: Direction, *, sigma: Exact) -> Any:
    """Counts tau* and tau* - 1: sum over the outputs of max(0, P - e^epsilon Q), enumerated; scalar epsilon.

    A row is out at noise x >= 0 in left and x >= 1 in right; left at x is right at x + 1. Noise beyond 9 users is left
    out: less than Phi(-8 / sigma).
    """
    e, (first, other, masses) = A.exp(A.number(epsilon)), _masses(A, sigma, direction)
    held = A.maximum(0, first - e * other)
    out = A.sum(mass if partner is None else A.maximum(0, mass - e * partner) for mass, partner in masses)
    return widened(A, held + out, normal_cdf(A, -A.number(8) / A.number(sigma)))


@functools.lru_cache(maxsize=2)
def _masses(A: Any, sigma: Exact, direction: Direction) -> tuple[Any, Any, list[tuple[Any, Any]]]:
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


_PARAMETERS = {"c_u": 1, "sigma": 1, "gap": 5, "mu_o": 0, "tau": 1}

FAULT = Fault(
    id="half_precision_noise",
    title="naive floating point: low bits give the count away",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "wc5",
        [6],
        "one changed row with count tau* in left",
        adjacency(_PARAMETERS),
        functools.partial(profile, sigma=1),
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="Released at noise below 1 a value has low bits, at noise above 1 it has none: they deny tau* - 1.",
)
