"""Planted faults of Algorithm 3: reductions that are no reduction, and a floor that is released too."""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from mechanisms.correlated_stability_histogram.mechanism import CorrelatedStabilityHistogram
from mechanisms.gaussian_sparse_histogram.mechanism import round_to_grid
from mechanisms.histogram import Histogram, Released
from mechanisms.mechanism import BatchMechanism
from mechanisms.top_k.mechanism import MECHANISM, TopK
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.mixed_pair import squared_distance
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.expression import lift, sqrt, symbols
from proofs_numeric.expression import profile as gaussian
from proofs_numeric.lebeda2025.algorithm_3 import kept_largest
from proofs_numeric.lebeda2025.definition_9.misra_gries import merge_subtracting_kth_if_more
from proofs_numeric.lebeda2025.neighbours import far_count
from proofs_numeric.statements.neighbours import Direction, Neighbours

TWO: dict[str, Any] = {"k": 2, "sigma": 4, "gap": 20}
"""Parameters at which one of two counters of `HIGH` is kept on one side only."""
HIGH = far_count(threshold=Fraction(1 + TWO["gap"]), sigma=Fraction(TWO["sigma"]))


class KeepsLargest(TopK):
    """Algorithm 3 without the subtraction."""

    def reduce(self, histogram: Histogram) -> dict[str, int]:
        """The k largest counts as they are, ties by key."""
        return kept_largest(histogram, self.inner.k)


class SubtractsIfMore(TopK):
    """Algorithm 3 that leaves k counters as they are and lowers k + 1 by the k-th."""

    def reduce(self, histogram: Histogram) -> dict[str, int]:
        """The histogram itself where it is k-sparse, else its counts above the k-th, less it."""
        return merge_subtracting_kth_if_more([{key: count for key, count in histogram.items() if count}], self.inner.k)


def one_side_profile(
    A: Arithmetic, _epsilon: Any, _direction: Direction, *, k: int, sigma: int, gap: int, count: int = HIGH
) -> Number:
    """At least the probability that the key which only one side keeps passes; at most 1."""
    passes = normal_cdf(A, (count - 1 - gap) / (A.number(sigma) * A.sqrt(1 + 1 / A.sqrt(A.number(k)))))
    return A.between(passes, 1)


_PRESENT = 8
"""Counters of the widest neighbours for k = 1."""
_ANY = 10**6
_SKIPPED: dict[str, Any] = {"k": 1, "sigma": 2, "gap": 20}


class NoiseForOne(CorrelatedStabilityHistogram):
    """Algorithm 2 that takes more counters than its noise is made for."""

    @property
    def shared_scale(self) -> float:
        """Deviation for k = 1."""
        return self.sigma


def skipped(mechanism: TopK) -> NoiseForOne:
    """Algorithm 2 with the noise of k = 1 on any number of counters."""
    return NoiseForOne(**(vars(mechanism.inner) | {"k": _ANY}))


@dataclass(frozen=True)
class ReleasesFloor(BatchMechanism):
    """Algorithm 3 with the subtracted count, noised, in a column of its own."""

    inner: TopK
    releases_only_input_keys = False

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N releases, each with the floor."""
        noise = self.inner.inner
        ordered = sorted(histogram.values(), reverse=True)
        floor = ordered[noise.k] if len(ordered) > noise.k else 0
        keys, values = self.inner.release_many(histogram, n, rng)
        column = round_to_grid(floor + noise.sigma * rng.standard_normal((n, 1)), noise.grid)
        return (*keys, "floor"), np.concatenate([values, column], axis=1)


_EPSILON, _K, _SIGMA = symbols("epsilon k sigma")
_FLOOR: dict[str, Any] = {"k": 4, "sigma": 2, "gap": 20}

FAULTS = (
    MECHANISM.broken(
        id="correlated_top_k_without_subtraction", title="Top-k keeps the k largest counts without subtracting",
        subclass=KeepsLargest, parameters=TWO,
        pair=Neighbours(
            "tie", {"k0": HIGH, "k1": HIGH, "k2": HIGH}, {"k0": HIGH - 1, "k1": HIGH, "k2": HIGH},
            "three tied counts, of which the user's falls behind: k0 is kept on one side only, k2 on the other only",
        ),
        profile=partial(one_side_profile, **TWO),
        explanation="Which of tied counters survives depends on one user: two counters change by their whole height.",
    ),
    MECHANISM.broken(
        id="correlated_top_k_kth_if_more",
        title="the k-th count is subtracted, but only if more than k counters are non-zero", subclass=SubtractsIfMore,
        parameters=TWO, pair="n3", profile=partial(one_side_profile, **TWO),
        explanation="Whether a high count is subtracted at all depends on one user, who holds a third key.",
    ),
    MECHANISM.broken(
        id="correlated_top_k_skipped", title="the reduction to k counters is skipped", change=skipped,
        parameters=_SKIPPED, pair="wide",
        profile=gaussian(_EPSILON, sqrt(squared_distance(d=_PRESENT, j=4, ratio=lift(1))) / _SIGMA),
        explanation="Noise for one counter hides a change of one; four of eight are 2.4 times as far apart.",
    ),
    MECHANISM.broken(
        id="correlated_top_k_floor_released",
        title="the count that Top-k subtracts is released with noise sigma and not accounted for", change=ReleasesFloor,
        parameters=_FLOOR, pair="n3", profile=gaussian(_EPSILON, sqrt(_K + sqrt(_K) + 4) / (2 * _SIGMA)),
        explanation="The floor moves against the counters, so its own noise adds 1/sigma^2 to the squared distance.",
    ),
)  # fmt: skip
