"""Discrete noise is clipped at its deviation: the table of the sampler is cut off where it is still likely."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.correlated_stability_histogram.mechanism import columns_of
from mechanisms.correlated_stability_histogram.pairs import counters, far_count
from mechanisms.discrete_correlated import mechanism as correct
from mechanisms.mechanism import BatchMechanism, Fault
from mechanisms.noise.discrete_gaussian import Table
from proofs_numeric.lebeda2025.discrete import DiscreteGaussian
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact


class ClippedNoise(BatchMechanism):
    """Algorithm 4 with |Z|, |Z_i| at most their deviations."""

    def __init__(self, inner: correct.DiscreteCorrelated) -> None:
        """Keep the parameters of the discrete mechanism."""
        self.inner = inner

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N releases with bounded noise."""
        keys, counts = columns_of(histogram, k=self.inner.k)
        noise = _clipped(self.inner.own_scale, (n, len(keys)), rng) + _clipped(self.inner.shared_scale, (n, 1), rng)
        values = counts + noise / 2
        values[values <= float(1 + self.inner.gap)] = np.nan
        return keys, values


def _clipped(scale: float, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.int64]:
    bound = math.floor(scale)
    return np.clip(Table(scale).sample(rng, shape), -bound, bound)


def build(*, k: Exact, sigma: Exact, gap: Exact) -> ClippedNoise:
    """Theorem 21's mechanism with noise of bounded size."""
    return ClippedNoise(correct.build(k=k, sigma=sigma, gap=gap))


def profile(A: Any, epsilon: Any, _direction: Direction, *, sigma: int) -> Any:
    """One counter far above the threshold, k = 1: the sum of two clipped laws, moved by two half steps."""
    law, bound, factor = DiscreteGaussian(A, A.number(2 * sigma)), 2 * sigma, A.exp(A.number(epsilon))
    clipped = {x: law.survival(bound) if abs(x) == bound else law.pmf(x) for x in range(-bound, bound + 1)}
    sums = {x: A.number(0) for x in range(-2 * bound - 2, 2 * bound + 3)}
    for x, p in clipped.items():
        for y, q in clipped.items():
            sums[x + y] = sums[x + y] + p * q
    return A.sum(A.maximum(0, sums[x - 2] - factor * sums[x]) for x in range(-2 * bound, 2 * bound + 3))


_PARAMETERS = {"k": 1, "sigma": 1, "gap": 30}

FAULT = Fault(
    id="correlated_discrete_clipped_noise",
    title="discrete noise is clipped at its deviation",
    mechanism="discrete_correlated",
    violates="lebeda2025.thm21",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=counters(
        "n2",
        "the only counter far above the threshold and changed",
        _PARAMETERS,
        new=0,
        shared=(far_count(threshold=Fraction(31), sigma=Fraction(1)),),
        changed=1,
        profile=partial(profile, sigma=1),
    ),
    direction=Direction.FORWARD,
    epsilon=3,
    explanation="Values that the smaller count never reaches: no epsilon covers them.",
)
