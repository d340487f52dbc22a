"""The correlated Gaussian mechanism adds noise to counters that are not zero, and releases zeros as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mechanisms.correlated_gaussian import mechanism as correct
from mechanisms.faults.threshold_on_true_count import disjoint_profile
from mechanisms.mechanism import Fault
from mechanisms.pair import Pair
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact


class ZerosExact(correct.CorrelatedGaussian):
    """Lemma 8 with the sparse noise of Algorithm 2 and no threshold."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N releases in which a zero is a zero."""
        keys, values = super().release_many(histogram, n, rng)
        values[:, [not histogram.get(key, 0) for key in keys]] = 0.0
        return keys, values


def build(*, k: Exact, sigma: Exact) -> ZerosExact:
    """Lemma 8 with noise where there is something to hide, as it seems."""
    return ZerosExact(**vars(correct.build(k=k, sigma=sigma)))


_PARAMETERS = {"k": 2, "sigma": 2}

FAULT = Fault(
    id="correlated_gaussian_zeros_exact",
    title="zero counters are released without noise",
    mechanism="correlated_gaussian",
    violates="lebeda2025.lem8.exact",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair("new", {"k0": 1}, {}, "one new counter", correct.adjacency(_PARAMETERS), disjoint_profile),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="A counter that is not exactly zero was not zero.",
)
