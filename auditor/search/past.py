"""Past releases for learning events, with cached and sorted values of each feature."""

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from auditor.search.features import Feature, Floats
from auditor.statistics.sample import Sample

HALVES = slice(0, None, 2), slice(1, None, 2)
"""Even and odd releases: bets on a feature are chosen on one half and evaluated on the other, both ways."""

Sides = tuple[Sample, Sample]
"""Releases of the left histogram, and of the right one, with equal columns."""


class Distinct(NamedTuple):
    """Finite values, increasing, and their multiplicities."""

    values: Floats
    counts: NDArray[np.int64]


def take(sample: Sample, part: slice) -> Sample:
    """Return the releases of a slice."""
    index = None if sample.shape_index is None else sample.shape_index[part]
    return Sample(sample.keys, sample.values[part], sample.shapes, index)


class PastReleases:
    """Past releases of both sides, with cached values of features.

    Args:
        left: releases of the left histogram.
        right: releases of the right histogram, with the columns of `left`.
    """

    def __init__(self, left: Sample, right: Sample) -> None:
        self.left, self.right = left, right
        self._columns: dict[Feature, tuple[Floats, Floats]] = {}
        self._increasing: dict[Feature, Floats] = {}

    def __len__(self) -> int:
        """Return the smaller number of releases of the two sides."""
        return min(len(self.left), len(self.right))

    @cached_property
    def halves(self) -> tuple[Sides, Sides]:
        """Even releases and odd releases, each with both sides."""
        even, odd = ((take(self.left, half), take(self.right, half)) for half in HALVES)
        return even, odd

    def columns(self, feature: Feature) -> tuple[Floats, Floats]:
        """Return the values of a feature, left and right, (n,) each."""
        if feature not in self._columns:
            self._columns[feature] = feature.column(self.left), feature.column(self.right)
        return self._columns[feature]

    def increasing(self, feature: Feature) -> Floats:
        """Return the finite values of the feature in all releases, sorted."""
        if feature not in self._increasing:
            pooled = np.sort(np.concatenate(self.columns(feature)))  # NaN comes last
            first, last = pooled.searchsorted(-np.inf, side="right"), pooled.searchsorted(np.inf)
            self._increasing[feature] = pooled[first:last]
        return self._increasing[feature]

    def distinct(self, feature: Feature) -> list[list[Distinct]]:
        """Return the distinct values of the feature, by half and side."""
        columns = [[column[half] for column in self.columns(feature)] for half in HALVES]
        return [[Distinct(*np.unique(one[np.isfinite(one)], return_counts=True)) for one in half] for half in columns]
