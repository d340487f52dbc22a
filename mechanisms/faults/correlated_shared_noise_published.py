"""The shared noise is published beside the counters, as if it were public randomness."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from mechanisms.correlated_stability_histogram import mechanism as correct
from mechanisms.correlated_stability_histogram.pairs import all_changed
from mechanisms.faults.correlated_shared_noise_omitted import profile
from mechanisms.gaussian_sparse_histogram.mechanism import round_to_grid
from mechanisms.mechanism import BatchMechanism, Fault
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact


@dataclass(frozen=True)
class PublishesShared(BatchMechanism):
    """Algorithm 2 with a column for Z."""

    inner: correct.CorrelatedStabilityHistogram
    releases_only_input_keys = False

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N releases and their shared noise."""
        keys, counts = correct.columns_of(histogram, k=self.inner.k)
        shared = rng.standard_normal((n, 1)) * self.inner.shared_scale
        values = counts + shared + self.inner.sigma * rng.standard_normal((n, counts.size))
        released = round_to_grid(np.concatenate([values, shared], axis=1), self.inner.grid)
        released[:, :-1][values <= self.inner.tau_star] = np.nan
        return (*keys, "shared"), released


def build(*, k: Exact, sigma: Exact, gap: Exact, tau: Exact = 1) -> PublishesShared:
    """Algorithm 2 that publishes Z."""
    return PublishesShared(correct.build(k=k, sigma=sigma, gap=gap, tau=tau))


_PARAMETERS = {"k": 4, "sigma": 2, "gap": 20, "tau": 1}

FAULT = Fault(
    id="correlated_shared_noise_published",
    title="the shared noise is published",
    mechanism="correlated_stability_histogram",
    violates="lebeda2025.csh.exact",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=all_changed(_PARAMETERS, partial(profile, k=4, sigma=2)),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="Less the shared noise the counters are independent: a change of all is at distance sqrt(k)/sigma.",
)
