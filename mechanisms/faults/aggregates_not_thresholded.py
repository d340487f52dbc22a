"""The count's row is held back below tau*, its aggregates are not: they are joined before the filter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mechanisms.faults.threshold_on_true_count import disjoint_profile
from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows
from mechanisms.mechanism import Fault
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from mechanisms.mechanism import Exact, Parameters


class AggregatesForAll(correct.GaussianSparseHistogram):
    """Releases the noisy aggregates of every group in the input."""

    def _noisy_values(
        self, values: ArrayLike, released: NDArray[np.float64], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        return super()._noisy_values(values, np.zeros_like(released), rng)


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact, tau: Exact = 1) -> AggregatesForAll:
    """Algorithm 1 whose aggregates pass no threshold."""
    return AggregatesForAll(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


_PARAMETERS: Parameters = {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": "1/2", "tau": 1}

FAULT = Fault(
    id="aggregates_not_thresholded",
    title="aggregates released without their count",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows("wc1", [1], "one group of one user against no group", adjacency(_PARAMETERS), disjoint_profile),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="The aggregate's key is out whenever the group exists.",
)
