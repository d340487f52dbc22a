"""Laplace noise of the same standard deviation in place of Gaussian noise."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows
from mechanisms.mechanism import Fault
from mechanisms.noise import laplace
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact


class LaplaceNoise(correct.GaussianSparseHistogram):
    """Algorithm 1 with Laplace noise of scale sigma / sqrt(2)."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        noisy = counts + laplace.sample(rng, (n, counts.size), scale=self.sigma / math.sqrt(2))
        released = (counts >= self.least_count) & (noisy >= self.tau_star)
        return np.where(released, correct.round_to_grid(noisy, self.grid), np.nan)


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> LaplaceNoise:
    """Algorithm 1 with the Laplace law."""
    return LaplaceNoise(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


def profile(A: Any, epsilon: Any, direction: Direction, *, sigma: Exact, gap: Exact) -> Any:
    """One row at tau: released with the Laplace tail r in left, never in right."""
    e = A.exp(A.number(epsilon))
    released = laplace.survival(A, A.number(gap), scale=A.number(sigma) / A.sqrt(A.number(2)))
    if direction is Direction.FORWARD:
        return released + A.maximum(0, 1 - released - e)
    return A.maximum(0, 1 - e * (1 - released))


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 5, "mu_o": 0, "tau": 1}

FAULT = Fault(
    id="laplace_noise",
    title="Laplace noise of the same standard deviation",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.impossible_key",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "wc1",
        [1],
        "one changed row at tau: only left can release it",
        adjacency(_PARAMETERS),
        partial(profile, sigma=2, gap=5),
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="The Laplace tail at the gap is heavier than the Gaussian one: new keys come out twice as often.",
)
