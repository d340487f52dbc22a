"""tau = 0 as the paper's Table 1 allows: the printed delta is read at gap = tau* - 0 (erratum E1).

Algorithm 1 visits nonempty groups only, so tau = 0 acts as tau = 1 and the true gap is tau* - 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from mechanisms.gaussian_sparse_histogram.mechanism import GaussianSparseHistogram, grid_for
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows, rows_profile
from mechanisms.mechanism import BatchMechanism, Fault
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact


@dataclass(frozen=True)
class AnyTau(BatchMechanism):
    """Algorithm 1 as printed, for any real tau: nonempty groups with count >= tau."""

    tau: float
    tau_star: float
    sigma: float

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases; groups below tau are left out before the noise is drawn."""
        visited = {key: count for key, count in histogram.items() if count >= self.tau}
        mechanism = GaussianSparseHistogram(1, self.tau_star, self.sigma, grid=grid_for(self.sigma))
        return mechanism.release_many(visited, n, rng)


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 0) -> AnyTau:
    """Algorithm 1 with this tau, whatever it is, and tau* = tau + gap; counts only."""
    del c_u, mu_o  # bounded upstream; no aggregates here
    return AnyTau(float(Fraction(tau)), float(Fraction(tau) + Fraction(gap)), float(Fraction(sigma)))


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 5, "mu_o": 0, "tau": 0}

FAULT = Fault(
    id="tau_zero",
    title="tau = 0, as printed",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.impossible_key",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "wc1",
        [1],
        "one changed row with count 1, the smallest that is visited",
        adjacency(_PARAMETERS),
        partial(rows_profile, at_threshold=1, far=0, sigma=2, gap=4),
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="A lone user's group is released with probability 1 - Phi((tau* - 1)/sigma), not 1 - Phi(tau*/sigma).",
)
