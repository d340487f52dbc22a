"""What is released beside noisy counts, or in their place."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.faults.noise import told_apart_profile
from mechanisms.gaussian_sparse_histogram.mechanism import MECHANISM
from mechanisms.histogram import Histogram, Released
from mechanisms.laws.events import DISJOINT


class ExactCounts(correct.GaussianSparseHistogram):
    """Releases C where C + v >= tau*."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return np.where(np.isnan(super()._noisy_counts(counts, n, rng)), np.nan, counts)


class SortedByCount(correct.GaussianSparseHistogram):
    """Algorithm 1 whose output is ordered by the true counts, ties by name."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases; the columns are in the order in which `release` emits the keys."""
        keys, values = super().release_many(histogram, n, rng)
        order = sorted(range(len(keys)), key=lambda i: (-histogram[keys[i]], keys[i]))
        return tuple(keys[i] for i in order), values[:, order]


class WithSuppressedCount(correct.GaussianSparseHistogram):
    """Algorithm 1 with one more key: how many groups were held back, exactly, as a quality figure."""

    releases_only_input_keys = False
    """No: `suppressed` is a key of every release."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases with the number of groups at or above tau that were held back."""
        keys, values = super().release_many(histogram, n, rng)
        visited = [histogram[key] >= self.least_count for key in keys]
        suppressed = np.sum(np.isnan(values[:, visited]), axis=1, dtype=np.float64)
        return (*keys, "suppressed"), np.column_stack([values, suppressed])


class AggregatesForAll(correct.GaussianSparseHistogram):
    """The count's row is held back below tau*, its aggregates are not: they are joined before the filter."""

    def _noisy_values(
        self, values: ArrayLike, released: NDArray[np.float64], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        return super()._noisy_values(values, np.zeros_like(released), rng)


ONE_ROW = {"c_u": 1}

FAULTS = (
    MECHANISM.broken(
        id="exact_count_released", title="noise for the decision only", parameters=ONE_ROW, pair="wc2",
        subclass=ExactCounts, profile=told_apart_profile, explanation="Every released value is the true count.",
    ),
    MECHANISM.broken(
        id="keys_by_true_count", title="keys in the order of true counts", parameters=ONE_ROW, pair="wc6",
        subclass=SortedByCount, profile=told_apart_profile,
        explanation="The order of keys is a noiseless comparison of true counts.",
    ),
    MECHANISM.broken(
        id="suppressed_count_published", title="the number of suppressed groups is published", parameters=ONE_ROW,
        pair="wc1", subclass=WithSuppressedCount, profile=DISJOINT,
        explanation="Released and suppressed groups add up to the number of groups: 1 in left, 0 in right.",
    ),
    MECHANISM.broken(
        id="aggregates_not_thresholded", title="aggregates released without their count",
        parameters={"c_u": 1, "mu_o": "1/2"}, pair="wc1", subclass=AggregatesForAll, profile=DISJOINT,
        explanation="The aggregate's key is out whenever the group exists.",
    ),
)  # fmt: skip
