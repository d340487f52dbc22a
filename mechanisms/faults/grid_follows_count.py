"""Values are rounded to six significant bits of the true count: coarsely for large groups, finely for small ones."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import FAR, adjacency, changed_rows, widened
from mechanisms.mechanism import Fault
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact

_BITS = 6


class GridFollowsCount(correct.GaussianSparseHistogram):
    """Rounds C + v to multiples of 2^(floor(log2 C) - 5)."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        grid = np.ldexp(1.0, np.frexp(counts)[1] - _BITS)
        noisy = counts + self.sigma * rng.standard_normal((n, counts.size))
        released = (counts >= self.least_count) & (noisy >= self.tau_star)
        return np.where(released, np.rint(noisy / grid) * grid, np.nan)


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> GridFollowsCount:
    """Algorithm 1 with a grid that depends on the data."""
    return GridFollowsCount(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


_COUNT, _REACH = 128, 80


def profile(A: Any, epsilon: Any, direction: Direction, *, sigma: Exact) -> Any:
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


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1}

FAULT = Fault(
    id="grid_follows_count",
    title="the rounding grid follows the true count",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "power_of_two",
        [_COUNT],
        "the changed row far above tau*, its count a power of two in left",
        adjacency(_PARAMETERS),
        partial(profile, sigma=2),
    ),
    direction=Direction.BACKWARD,
    epsilon=1,
    explanation="A value that is no multiple of 4 denies the count 128: its low bits give the count's size away.",
)
