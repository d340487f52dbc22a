"""Variants of the discrete correlated stability histogram, in whole counts, that keep its claim."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from mechanisms.correlated_stability_histogram.mechanism import columns_of
from mechanisms.discrete_correlated.mechanism import MECHANISM, DiscreteCorrelated
from mechanisms.histogram import Histogram, Released
from mechanisms.mechanism import BatchMechanism


@dataclass(frozen=True)
class Floored(BatchMechanism):
    """Algorithm 4 with (Z + Z_i) // 2."""

    inner: DiscreteCorrelated

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N releases in whole counts."""
        keys, counts = columns_of(histogram, k=self.inner.k)
        values = counts + self.inner.noise(n, len(keys), rng) // 2
        values[values <= float(1 + self.inner.gap)] = np.nan
        return keys, values


@dataclass(frozen=True)
class IntegerSteps(BatchMechanism):
    """Counts plus Z + Z_i, where Algorithm 4 adds half of it."""

    inner: DiscreteCorrelated

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N releases; the threshold is as far above 1 in deviations of the noise."""
        keys, counts = columns_of(histogram, k=self.inner.k)
        values = counts + self.inner.noise(n, len(keys), rng)
        values[values <= 1 + 2 * float(self.inner.gap)] = np.nan
        return keys, values


CONTROLS = (
    MECHANISM.neutral(
        id="correlated_discrete_floored", title="halved noise is rounded down to whole counts", change=Floored,
        parameters={"k": 2, "sigma": 2, "gap": 5},  # a whole count above 6 is at least 7, that is above 6.5
        pair="n1",  # a whole count above 6 is at least 7, that is above 6.5
        at={"gap": Fraction(11, 2)},  # a whole count above 6 is at least 7, that is above 6.5
        proof="Counts are whole, so rounding down the noise is rounding down the release: a function of what "
        "Algorithm 4 puts out. A count above the threshold after rounding was above it before, so fewer new counters "
        "pass.",
    ),
    MECHANISM.neutral(
        id="correlated_discrete_integer_steps",
        title="whole steps with the variance that half-integer steps have before halving", change=IntegerSteps,
        pair="n2", unknown_law=True,
        proof="Noise Z + Z_i with parameters 4 sigma^2/sqrt(k) and 4 sigma^2 in whole steps is Algorithm 4's release "
        "of 2 H_i with changes of one half-unit instead of two: differences of the lift are halved, so the divergence "
        "is no larger; a new counter passes 1 + 2 tau exactly when (Z + Z_i)/2 > tau.",
    ),
)  # fmt: skip
