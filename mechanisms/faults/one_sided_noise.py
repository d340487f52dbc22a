"""Noise is made non-negative so that no count is understated: |v| in place of v."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import FAR, adjacency, changed_rows, far_count, widened
from mechanisms.mechanism import Fault
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact


class OneSided(correct.GaussianSparseHistogram):
    """Releases C + |v|."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        noisy = counts + self.sigma * np.abs(rng.standard_normal((n, counts.size)))
        released = (counts >= self.least_count) & (noisy >= self.tau_star)
        return np.where(released, correct.round_to_grid(noisy, self.grid), np.nan)


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> OneSided:
    """Algorithm 1 with half-normal noise."""
    return OneSided(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


def profile(A: Any, epsilon: Any, direction: Direction, *, sigma: Exact) -> Any:
    """Two half-normals one apart: below the larger count only the smaller one is possible."""
    epsilon, s = A.number(epsilon), A.number(sigma)
    e, half = A.exp(epsilon), A.number(1) / 2
    if direction is Direction.FORWARD:
        x = A.maximum(0, s * s * epsilon - half)
        value = 2 * (normal_cdf(A, -x / s) - e * normal_cdf(A, -(x + 1) / s))
    else:
        x = A.maximum(0, -s * s * epsilon - half)
        value = 1 - 2 * normal_cdf(A, -(x + 1) / s) - e * (1 - 2 * normal_cdf(A, -x / s))
    return widened(A, value, -normal_cdf(A, A.number(-FAR)))


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1}

FAULT = Fault(
    id="one_sided_noise",
    title="noise without its negative half",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "wc2",
        [far_count(tau_star=7, sigma=2)],
        "the changed row far above tau*",
        adjacency(_PARAMETERS),
        partial(profile, sigma=2),
    ),
    direction=Direction.BACKWARD,
    epsilon=1,
    explanation="A value below N denies the count N.",
)
