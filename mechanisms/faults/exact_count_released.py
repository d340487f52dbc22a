"""The noise decides, and the true count is released."""

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


class ExactCounts(correct.GaussianSparseHistogram):
    """Releases C where C + v >= tau*."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return np.where(np.isnan(super()._noisy_counts(counts, n, rng)), np.nan, counts)


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> ExactCounts:
    """Algorithm 1 with noise for the decision only."""
    return ExactCounts(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1}

FAULT = Fault(
    id="exact_count_released",
    title="noise for the decision only",
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
        # The values differ whenever the row is out: profile 1 up to the probability that it is held back.
        profile,
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="Every released value is the true count.",
)
