"""Cells of outputs: intervals of a feature, or the form of a release; how many releases fall in each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from auditor.search.features import Feature
from auditor.statistics.betting import Counts, Floats
from auditor.statistics.sample import Sample

if TYPE_CHECKING:
    from collections.abc import Sequence

FEW = 4096
"""Up to this many values are sorted into cells one by one; more are compared with each cut at once."""
MOST_CATEGORIES = 24
FEWEST_CUTS, MOST_CUTS = 6, 24
TAIL_COUNT = 4
"""Fewest pooled releases beyond an outermost cut."""


def more_than(cut: float) -> str:
    """Return "> cut", or ">= y" where y is the next double and the shorter number."""
    above = float(np.nextafter(cut, np.inf)) + 0.0  # no negative zero in a text
    return f">= {above!r}" if len(repr(above)) < len(repr(cut)) else f"> {cut!r}"


def at_most(cut: float) -> str:
    """Return "<= cut", or "< y" where y is the next double and the shorter number."""
    above = float(np.nextafter(cut, np.inf)) + 0.0  # no negative zero in a text
    return f"< {above!r}" if len(repr(above)) < len(repr(cut)) else f"<= {cut!r}"


@dataclass(frozen=True)
class Thresholds:
    """Cells of one feature: missing, then the intervals between cut points, closed above.

    Attributes:
        feature: the number that is compared.
        cuts: increasing.

    """

    feature: Feature
    cuts: tuple[float, ...]

    @property
    def cells(self) -> int:
        """Number of cells."""
        return len(self.cuts) + 2

    def counts(self, sample: Sample) -> NDArray[np.int64]:
        """Return how many releases fall in each cell, (cells,)."""
        return self.counts_of(self.feature.column(sample))

    def counts_of(self, column: Floats) -> NDArray[np.int64]:
        """Return how many of the feature's values fall in each cell, (cells,)."""
        if len(column) <= FEW:
            cells = np.searchsorted(np.array(self.cuts), column) + 1
            cells[np.isnan(column)] = 0
            return np.bincount(cells, minlength=self.cells).astype(np.int64)
        above = [np.count_nonzero(column > cut) for cut in self.cuts]
        present = len(column) - np.count_nonzero(np.isnan(column))
        return np.diff(np.array([0, *above[::-1], present, len(column)]))[::-1].astype(np.int64)

    def describe(self, cells: Sequence[int]) -> str:
        """Return the union of cells as a predicate."""
        name = self.feature.text
        parts = [f"{name} is missing"] if 0 in cells else []
        bounds = [-np.inf, *self.cuts, np.inf]
        intervals: list[list[float]] = []
        for cell in sorted(c for c in cells if c > 0):
            if intervals and intervals[-1][1] == bounds[cell - 1]:
                intervals[-1][1] = bounds[cell]
            else:
                intervals.append([bounds[cell - 1], bounds[cell]])
        for low, high in intervals:
            if np.isinf(low) and np.isinf(high):
                parts.append(f"{name} is present")
            elif np.isinf(low):
                parts.append(f"{name} {at_most(high)}")
            elif np.isinf(high):
                parts.append(f"{name} {more_than(low)}")
            elif np.nextafter(low, np.inf) == high:
                parts.append(f"{name} = {high!r}")
            else:
                parts.append(f"{name} {more_than(low)} and {at_most(high)}")
        return " or ".join(parts)


@dataclass(frozen=True)
class Categories:
    """Cells by the form of a release: released keys in order, another JSON value, an exception; last, any other."""

    names: tuple[str, ...]

    @property
    def cells(self) -> int:
        """Number of cells."""
        return len(self.names) + 1

    def counts(self, sample: Sample) -> NDArray[np.int64]:
        """Return how many releases fall in each cell, (cells,)."""
        names, counts = sample.forms()
        place = {name: cell for cell, name in enumerate(self.names)}
        found = np.zeros(self.cells, dtype=np.int64)
        np.add.at(found, [place.get(name, len(self.names)) for name in names], counts)
        return found

    def describe(self, cells: Sequence[int]) -> str:
        """Return the union of cells as a predicate."""
        named = [f"output is {self.names[cell]}" for cell in sorted(cells) if cell < len(self.names)]
        if len(self.names) in cells:
            excluded = [name for cell, name in enumerate(self.names) if cell not in cells]
            return "output is none of " + ", ".join(excluded) if excluded else "any output"
        return " or ".join(named)


Partition = Thresholds | Categories


def cut_points(values: Floats, n: int) -> tuple[float, ...]:
    """Return cut points for pooled values: even quantiles, ever smaller tails, and atoms on their own.

    Args:
        values: pooled feature values, NaN for missing ones.
        n: releases a side behind them.

    """
    present = np.sort(values[np.isfinite(values)])
    if not len(present):
        return ()
    even = int(np.clip(1.5 * n**0.3, FEWEST_CUTS, MOST_CUTS))
    distinct, counts = np.unique(present, return_counts=True)
    atoms = distinct[counts * 2 * even >= len(present)] if len(distinct) > even else distinct[: 4 * MOST_CUTS]
    tails = 2.0 ** -np.arange(3.0, 40.0)
    tails = tails[tails * len(present) >= TAIL_COUNT]
    levels = np.concatenate([np.arange(1, even) / even, tails, 1.0 - tails])
    quantiles = np.quantile(present, np.sort(levels), method="lower")
    inside = quantiles[quantiles < present[-1]]
    return tuple(np.unique(np.concatenate([inside, np.nextafter(atoms, -np.inf), atoms[atoms < present[-1]]])).tolist())


def categories_of(left: Sample, right: Sample) -> Categories:
    """Return the most frequent forms of past releases, most frequent first."""
    totals: dict[str, int] = {}
    for sample in (left, right):
        names, counts = sample.forms()
        for name, count in zip(names, counts.tolist(), strict=True):
            totals[name] = totals.get(name, 0) + count
    ranked = sorted((name for name in totals if totals[name]), key=lambda name: (-totals[name], name))
    return Categories(tuple(ranked[:MOST_CATEGORIES]))


def thresholds_of(feature: Feature, left: Sample, right: Sample) -> Thresholds:
    """Return the cells of a feature with cut points from past releases."""
    pooled = np.concatenate([feature.column(left), feature.column(right)])
    return Thresholds(feature, cut_points(pooled, min(len(left), len(right))))


def take(sample: Sample, part: slice) -> Sample:
    """Return some of the releases."""
    index = None if sample.shape_index is None else sample.shape_index[part]
    return Sample(sample.keys, sample.values[part], sample.shapes, index)


def table_of(partition: Partition, left: Sample, right: Sample) -> Counts:
    """Return how many releases of each side fall in each cell, (cells, 2)."""
    return np.stack([partition.counts(left), partition.counts(right)], axis=1)
