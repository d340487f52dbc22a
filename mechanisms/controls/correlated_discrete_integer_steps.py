"""The discrete mechanism in whole steps with the noise of Algorithm 4, neither halved nor scaled down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mechanisms.correlated_stability_histogram.mechanism import columns_of
from mechanisms.correlated_stability_histogram.pairs import counters
from mechanisms.discrete_correlated import mechanism as correct
from mechanisms.mechanism import BatchMechanism, Control

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact


@dataclass(frozen=True)
class IntegerSteps(BatchMechanism):
    """Counts plus Z + Z_i, where Algorithm 4 adds half of it."""

    inner: correct.DiscreteCorrelated

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N releases; the threshold is as far above 1 in deviations of the noise."""
        keys, counts = columns_of(histogram, k=self.inner.k)
        values = counts + self.inner.noise(n, len(keys), rng)
        values[values <= 1 + 2 * float(self.inner.gap)] = np.nan
        return keys, values


def build(*, k: Exact, sigma: Exact, gap: Exact) -> IntegerSteps:
    """Theorem 21's mechanism in whole steps."""
    return IntegerSteps(correct.build(k=k, sigma=sigma, gap=gap))


_PARAMETERS = {"k": 4, "sigma": 4, "gap": 12}

CONTROL = Control(
    id="correlated_discrete_integer_steps",
    title="whole steps with the variance that half-integer steps have before halving",
    mechanism="discrete_correlated",
    satisfies="lebeda2025.thm21",
    build=build,
    parameters=_PARAMETERS,
    pair=counters(
        "n2",
        "all counters shared and far above the threshold, 3 of 4 changed",
        _PARAMETERS,
        new=0,
        shared=(400,) * 4,
        changed=3,
        profile=None,
    ),
    epsilon=1,
    proof=(
        "Noise Z + Z_i with parameters 4 sigma^2/sqrt(k) and 4 sigma^2 in whole steps is Algorithm 4's release of "
        "2 H_i with changes of one half-unit instead of two: differences of the lift are halved, so the divergence is "
        "no larger; a new counter passes 1 + 2 tau exactly when (Z + Z_i)/2 > tau."
    ),
)
