"""Released values of the correlated histogram are rounded to whole counts and clipped."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from mechanisms.correlated_stability_histogram import mechanism as correct
from mechanisms.correlated_stability_histogram.pairs import counters, pair_profile
from mechanisms.mechanism import Control

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact


class Rounded(correct.CorrelatedStabilityHistogram):
    """Algorithm 2 with whole, clipped values."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return np.clip(np.rint(super()._noisy_counts(counts, n, rng)), 0, 10**6)


def build(*, k: Exact, sigma: Exact, gap: Exact, tau: Exact = 1) -> Rounded:
    """Algorithm 2 with whole, clipped values."""
    return Rounded(**vars(correct.build(k=k, sigma=sigma, gap=gap, tau=tau)))


_PARAMETERS = {"k": 4, "sigma": 4, "gap": 12, "tau": 1}

CONTROL = Control(
    id="correlated_rounded",
    title="values rounded to whole counts and clipped",
    mechanism="correlated_stability_histogram",
    satisfies="lebeda2025.csh.exact",
    build=build,
    parameters=_PARAMETERS,
    pair=counters(
        "n1",
        "all counters new: whether any is released does not depend on rounding",
        _PARAMETERS,
        new=4,
        shared=(),
        changed=0,
        profile=partial(pair_profile, k=4, sigma=4, gap=12, l=4, j=0),
    ),
    epsilon=1,
    proof="Rounding and clipping to public constants are functions of the release alone: post-processing.",
)
