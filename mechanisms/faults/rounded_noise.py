"""The noise is rounded to the grid, the release is not: counts show through their remainders.

The mistake behind most floating-point leaks, without floating point: rounding must come after the addition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mechanisms.faults.noise_reused_across_rows import profile
from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows, far_count
from mechanisms.mechanism import Fault
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact

_GRID = 4.0


class RoundedNoise(correct.GaussianSparseHistogram):
    """Releases C + 4 round(v / 4)."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        noisy = counts + correct.round_to_grid(self.sigma * rng.standard_normal((n, counts.size)), _GRID)
        return np.where((counts >= self.least_count) & (noisy >= self.tau_star), noisy, np.nan)


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> RoundedNoise:
    """Algorithm 1 with noise on a grid of 4 users."""
    return RoundedNoise(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


_PARAMETERS = {"c_u": 1, "sigma": 8, "gap": 30, "mu_o": 0, "tau": 1}

FAULT = Fault(
    id="rounded_noise",
    title="the noise is rounded instead of the release",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "wc2",
        [far_count(tau_star=31, sigma=8)],
        "the changed row far above tau*",
        adjacency(_PARAMETERS),
        # Remainders modulo 4 differ whenever the row is out: profile 1 up to the probability that it is held back.
        profile,
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="A released value modulo 4 is the true count modulo 4.",
)
