"""The aggregates of released counters come out without noise of their own."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.correlated_stability_histogram import aggregates as correct
from mechanisms.correlated_stability_histogram.mechanism import CorrelatedStabilityHistogram
from mechanisms.correlated_stability_histogram.pairs import FAR, all_changed
from mechanisms.mechanism import Fault
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.gaussian_sparse_histogram.mechanism import Aggregates
    from mechanisms.mechanism import Exact, Parameters


class ExactColumns(CorrelatedStabilityHistogram):
    """Algorithm 2 whose columns are what the records add up to."""

    def _columns(
        self,
        aggregates: Aggregates,
        counts: NDArray[np.float64],
        released: NDArray[np.float64],
        _rng: np.random.Generator,
    ) -> NDArray[np.float64]:
        values = np.zeros((*released.shape, len(aggregates.names)))
        values += counts[:, None] * np.asarray(aggregates.contribution)
        values[np.isnan(released)] = np.nan
        return values


def build(*, k: Exact, sigma: Exact, gap: Exact, mu_o: Exact, tau: Exact = 1) -> ExactColumns:
    """Section 6 without the noise of the aggregates."""
    return ExactColumns(**vars(correct.build(k=k, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


def profile(A: Any, _epsilon: Any, _direction: Direction, *, k: int) -> Any:
    """A released column tells the count; counters this far above the threshold are released but for Phi(-40) each."""
    return A.between(1 - k * normal_cdf(A, A.number(-FAR)), 1)


_PARAMETERS: Parameters = {"k": 2, "sigma": 2, "gap": 8, "mu_o": "1/2", "tau": 1}

FAULT = Fault(
    id="correlated_aggregates_without_noise",
    title="aggregates have no noise of their own",
    mechanism="correlated_stability_histogram_aggregates",
    violates="lebeda2025.sec6.agg.delta",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=replace(all_changed(_PARAMETERS, partial(profile, k=2)), id="n2"),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="The threshold hides which counters exist; what comes out with one is as exact as it was put in.",
)
