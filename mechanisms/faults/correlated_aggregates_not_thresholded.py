"""Aggregates are released for every counter of the input, whatever holds the counter back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mechanisms.correlated_stability_histogram import aggregates as correct
from mechanisms.correlated_stability_histogram.mechanism import CorrelatedStabilityHistogram
from mechanisms.correlated_stability_histogram.pairs import counters
from mechanisms.faults.threshold_on_true_count import disjoint_profile
from mechanisms.mechanism import Fault
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.gaussian_sparse_histogram.mechanism import Aggregates
    from mechanisms.mechanism import Exact, Parameters


class ColumnsForAll(CorrelatedStabilityHistogram):
    """Algorithm 2 whose columns pass no threshold."""

    def _columns(
        self,
        aggregates: Aggregates,
        counts: NDArray[np.float64],
        released: NDArray[np.float64],
        rng: np.random.Generator,
    ) -> NDArray[np.float64]:
        return super()._columns(aggregates, counts, np.zeros_like(released), rng)


def build(*, k: Exact, sigma: Exact, gap: Exact, mu_o: Exact, tau: Exact = 1) -> ColumnsForAll:
    """Section 6 with columns that are joined before the threshold."""
    return ColumnsForAll(**vars(correct.build(k=k, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


_PARAMETERS: Parameters = {"k": 2, "sigma": 2, "gap": 8, "mu_o": "1/2", "tau": 1}

FAULT = Fault(
    id="correlated_aggregates_not_thresholded",
    title="aggregates are released without their counter",
    mechanism="correlated_stability_histogram_aggregates",
    violates="lebeda2025.sec6.agg.delta",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=counters("n1", "both counters new", _PARAMETERS, new=2, shared=(), changed=0, profile=disjoint_profile),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="A new counter's column is out whenever the counter exists.",
)
