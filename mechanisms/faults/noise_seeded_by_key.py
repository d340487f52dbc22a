"""The noise of a row is seeded by its key, for reproducible reports: it never changes."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from mechanisms.faults.threshold_on_true_count import disjoint_profile
from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows, far_count
from mechanisms.mechanism import Fault
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact


class SeededByKey(correct.GaussianSparseHistogram):
    """Algorithm 1 with v a fixed function of the key."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N equal releases: the generator is not used."""
        del rng
        keys, counts = self._columns(histogram)
        seeds = [int.from_bytes(hashlib.sha256(key.encode()).digest()[:8]) for key in keys]
        noisy = counts + self.sigma * np.array([np.random.default_rng(seed).standard_normal() for seed in seeds])
        released = (counts >= self.least_count) & (noisy >= self.tau_star)
        row = np.where(released, correct.round_to_grid(noisy, self.grid), np.nan)
        return keys, np.tile(row, (n, 1))


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> SeededByKey:
    """Algorithm 1 with noise fixed by the key."""
    return SeededByKey(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1}

FAULT = Fault(
    id="noise_seeded_by_key",
    title="noise fixed by the key",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "wc2",
        [far_count(tau_star=7, sigma=2)],
        "the changed row far above tau*: released on both sides, one apart",
        adjacency(_PARAMETERS),
        disjoint_profile,
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="Releases are deterministic, and differ between neighbours.",
)
