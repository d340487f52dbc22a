"""Variants of the integer sparse histogram that look wrong and are not."""

from dataclasses import replace
from functools import partial

import numpy as np

from mechanisms.histogram import Histogram, Released
from mechanisms.integer_sparse_histogram.mechanism import MECHANISM, IntegerSparseHistogram
from mechanisms.mechanism import Boundary


class Bucketed(IntegerSparseHistogram):
    """Released counts are rounded down to multiples of three."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N releases in steps of three."""
        keys, values = super().release_many(histogram, n, rng)
        return keys, np.floor(values / 3) * 3


_T = int(MECHANISM.parameters["threshold"])

CONTROLS = (
    MECHANISM.neutral(
        id="integer_sparse_histogram_strictly_above", title='"> threshold - 1" in place of ">= threshold"',
        change=partial(replace, threshold=_T - 1, boundary=Boundary.EXCLUSIVE), pair="new_keys",
        proof="Noisy counts are integers: above T - 1 and at least T are the same event.",
    ),
    MECHANISM.neutral(
        id="integer_sparse_histogram_bucketed",
        title="released counts are rounded down to multiples of three, below the threshold too", subclass=Bucketed,
        pair="moved",
        proof="Rounding is a function of the released values alone, after the threshold has decided: post-processing. "
        "The pair's profile, that of the unrounded mechanism, is an upper bound.",
    ),
)  # fmt: skip
