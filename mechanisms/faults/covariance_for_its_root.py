"""The aggregates' noise is standard normals times Sigma instead of a square root of Sigma."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows, far_count, rows_profile
from mechanisms.mechanism import Fault
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from mechanisms.mechanism import Exact


class CovarianceAsFactor(correct.GaussianSparseHistogram):
    """Draws m = Sigma z with z standard normal: covariance Sigma^2."""

    def _noisy_values(
        self, values: ArrayLike, released: NDArray[np.float64], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        covariance = np.asarray(self.aggregates.covariance if self.aggregates else ())
        noise = rng.standard_normal((*released.shape, len(covariance))) @ covariance
        noisy = correct.round_to_grid(np.asarray(values) + noise, self.grid)
        noisy[np.isnan(released)] = np.nan
        return noisy


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact, tau: Exact = 1) -> CovarianceAsFactor:
    """Algorithm 1 with one aggregate column of variance 1 / mu_o^2, whose noise has variance 1 / mu_o^4."""
    return CovarianceAsFactor(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": 2, "tau": 1}

FAULT = Fault(
    id="covariance_for_its_root",
    title="Sigma used for its square root",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "wc2",
        [far_count(tau_star=7, sigma=2)],
        "the changed row far above tau*, with its aggregate",
        adjacency(_PARAMETERS),
        partial(rows_profile, at_threshold=0, far=1, sigma=2, gap=6, mu_o=4),
    ),
    direction=Direction.FORWARD,
    epsilon=4,
    explanation="With Sigma below 1 the noise is smaller than promised: distance mu_o^2 instead of mu_o.",
)
