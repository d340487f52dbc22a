"""Variants of the geometric sparse histogram that look wrong and are not."""

from dataclasses import replace
from functools import partial

import numpy as np

from mechanisms.geometric_sparse_histogram.mechanism import MECHANISM, GeometricSparseHistogram
from mechanisms.histogram import Histogram, Released
from mechanisms.mechanism import Boundary


class Capped(GeometricSparseHistogram):
    """Released counts are capped at a hundred above the threshold."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N releases, none above the cap."""
        keys, values = super().release_many(histogram, n, rng)
        return keys, np.minimum(values, self.threshold + 100)


_T = int(MECHANISM.parameters["threshold"])

CONTROLS = (
    MECHANISM.neutral(
        id="geometric_sparse_histogram_strictly_above", title='"> threshold - 1" in place of ">= threshold"',
        change=partial(replace, threshold=_T - 1, boundary=Boundary.EXCLUSIVE), pair="new_keys",
        proof="Noisy counts are integers: above T - 1 and at least T are the same event.",
    ),
    MECHANISM.neutral(
        id="geometric_sparse_histogram_capped", title="released counts are capped at a hundred above the threshold",
        subclass=Capped, pair="moved",
        proof="The cap is a function of the released values alone, after the threshold has decided: post-processing. "
        "The pair's profile, that of the mechanism without a cap, is an upper bound.",
    ),
)  # fmt: skip
