"""Variants of the geometric sparse histogram that look wrong and are not."""

from fractions import Fraction

import numpy as np

from mechanisms.geometric_sparse_histogram.mechanism import MECHANISM, GeometricSparseHistogram, build
from mechanisms.histogram import Histogram, Released
from mechanisms.mechanism import Boundary
from proofs_numeric.arithmetic.formula import Value


class Capped(GeometricSparseHistogram):
    """Released counts are capped at a hundred above the threshold."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N releases, none above the cap."""
        keys, values = super().release_many(histogram, n, rng)
        return keys, np.minimum(values, self.threshold + 100)


def capped(**parameters: Value) -> Capped:
    """The mechanism, then the cap."""
    return Capped(**vars(build(**parameters)))


def strictly_above(*, threshold: Value, **parameters: Value) -> GeometricSparseHistogram:
    """The mechanism with "> threshold - 1"."""
    exact = build(threshold=threshold, **parameters)
    return GeometricSparseHistogram(Fraction(exact.scale), exact.threshold - 1, Boundary.EXCLUSIVE)


CONTROLS = (
    MECHANISM.neutral(
        id="geometric_sparse_histogram_strictly_above", title='"> threshold - 1" in place of ">= threshold"',
        build=strictly_above, pair="new_keys",
        proof="Noisy counts are integers: above T - 1 and at least T are the same event.",
    ),
    MECHANISM.neutral(
        id="geometric_sparse_histogram_capped", title="released counts are capped at a hundred above the threshold",
        build=capped, pair="moved",
        proof="The cap is a function of the released values alone, after the threshold has decided: post-processing. "
        "The pair's profile, that of the mechanism without a cap, is an upper bound.",
    ),
)  # fmt: skip
