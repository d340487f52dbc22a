"""The discrete mechanism whose halved noise is rounded down to whole counts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
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
class Floored(BatchMechanism):
    """Algorithm 4 with (Z + Z_i) // 2."""

    inner: correct.DiscreteCorrelated

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N releases in whole counts."""
        keys, counts = columns_of(histogram, k=self.inner.k)
        values = counts + self.inner.noise(n, len(keys), rng) // 2
        values[values <= float(1 + self.inner.gap)] = np.nan
        return keys, values


def build(*, k: Exact, sigma: Exact, gap: Exact) -> Floored:
    """Theorem 21's mechanism in whole counts."""
    return Floored(correct.build(k=k, sigma=sigma, gap=gap))


_PARAMETERS = {"k": 2, "sigma": 2, "gap": 5}

CONTROL = Control(
    id="correlated_discrete_floored",
    title="halved noise is rounded down to whole counts",
    mechanism="discrete_correlated",
    satisfies="lebeda2025.thm21",
    build=build,
    parameters=_PARAMETERS,
    pair=counters(
        "n1",
        "both counters new: a whole count above 6 was at least 7, that is above 6.5",
        _PARAMETERS,
        new=2,
        shared=(),
        changed=0,
        profile=partial(correct.all_new_profile, k=2, sigma=Fraction(2), gap=Fraction(11, 2)),
    ),
    epsilon=1,
    proof=(
        "Counts are whole, so rounding down the noise is rounding down the release: a function of what Algorithm 4 "
        "puts out. A count above the threshold after rounding was above it before, so fewer new counters pass."
    ),
)
