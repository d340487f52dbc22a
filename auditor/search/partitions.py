"""Partitions of outputs into cells: intervals of a feature, forms of releases, and counts of releases in cells."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from auditor.search.features import Feature
from auditor.search.past import HALVES, PastReleases
from auditor.statistics.betting import Counts, Floats
from auditor.statistics.sample import Sample

FEW = 4096
"""Most values that are sorted into cells one by one; more values are compared with each cut in one pass."""
MOST_CATEGORIES = 24
FEWEST_CUTS, MOST_CUTS = 6, 24
MANY, FEWEST_REPEATS = 96, 8
"""Distinct values beyond which single values share cells, and repeated values from which the law counts as discrete."""
CROSSED = 8
"""Intervals of each of two crossed features."""
TAIL_COUNT = 4
"""Fewest pooled releases beyond an outermost cut."""


def more_than(cut: float) -> str:
    """Return "> cut", or ">= y" if the next double y has the shorter text."""
    above = float(np.nextafter(cut, np.inf)) + 0.0  # no negative zero in a text
    return f">= {above!r}" if len(repr(above)) < len(repr(cut)) else f"> {cut!r}"


def at_most(cut: float) -> str:
    """Return "<= cut", or "< y" if the next double y has the shorter text."""
    above = float(np.nextafter(cut, np.inf)) + 0.0  # no negative zero in a text
    return f"< {above!r}" if len(repr(above)) < len(repr(cut)) else f"<= {cut!r}"


@dataclass(frozen=True)
class Thresholds:
    """Cells of one feature: missing, then the intervals between cut points, closed above.

    Attributes:
        feature: the compared number.
        cuts: cut points, increasing.

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

    def places_of(self, column: Floats) -> NDArray[np.int64]:
        """Return the cell of each value of the feature, (n,)."""
        if len(column) <= FEW:
            cells = np.searchsorted(np.array(self.cuts), column) + 1
            cells[np.isnan(column)] = 0
            return cells
        above = (~np.isnan(column)).astype(np.int16)
        for cut in self.cuts:
            above += column > cut
        return above.astype(np.int64)

    def counts_of(self, column: Floats) -> NDArray[np.int64]:
        """Return the number of the feature's values in each cell, (cells,)."""
        if len(column) <= FEW:
            return np.bincount(self.places_of(column), minlength=self.cells).astype(np.int64)
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
    """Cells by the form of a release: keys in order, another JSON value, an exception; the last cell is the rest."""

    names: tuple[str, ...]

    @property
    def cells(self) -> int:
        """Number of cells."""
        return len(self.names) + 1

    def counts(self, sample: Sample) -> NDArray[np.int64]:
        """Return how many releases fall in each cell, (cells,)."""
        names, counts = sample.forms
        place = {name: cell for cell, name in enumerate(self.names)}
        cells = np.zeros(self.cells, dtype=np.int64)
        np.add.at(cells, [place.get(name, len(self.names)) for name in names], counts)
        return cells

    def describe(self, cells: Sequence[int]) -> str:
        """Return the union of cells as a predicate."""
        outputs = [f"output is {self.names[cell]}" for cell in sorted(cells) if cell < len(self.names)]
        if len(self.names) in cells:
            excluded = [name for cell, name in enumerate(self.names) if cell not in cells]
            none = "output is none of " if len(excluded) > 1 else "output is not "
            return none + ", ".join(excluded) if excluded else "any output"
        return " or ".join(outputs)


@dataclass(frozen=True, eq=False)
class OneSided:
    """Cells by the values of past releases: released by the left alone, by the right alone, any other value or none.

    Noise on a grid with gaps gives each neighbour many rare values that are impossible on the other.

    Attributes:
        feature: the compared number.
        left, right: values that one side alone released, increasing.

    """

    feature: Feature
    left: Floats
    right: Floats

    @property
    def cells(self) -> int:
        """Number of cells."""
        return 3

    def counts(self, sample: Sample) -> NDArray[np.int64]:
        """Return how many releases fall in each cell, (3,)."""
        column = self.feature.column(sample)
        return self.counts_of(column, np.ones(len(column), dtype=np.int64), len(column))

    def counts_of(self, values: Floats, counts: NDArray[np.int64], n: int) -> NDArray[np.int64]:
        """Return the number of n releases in each cell, (3,), from distinct values and their counts."""
        one_sided = [int(counts[among(side, values)].sum()) for side in (self.left, self.right)]
        return np.array([*one_sided, n - sum(one_sided)], dtype=np.int64)

    def describe(self, cells: Sequence[int]) -> str:
        """Return the union of cells as a predicate."""
        sides = ((self.left, "left"), (self.right, "right"))
        sets = [f"the {len(v)} values that only the {side} gave ({_few(v)})" for v, side in sides]
        inside = [text for cell, text in enumerate(sets) if cell in cells]
        if 2 in cells:
            outside = [text for text in sets if text not in inside]
            return f"{self.feature.text} is none of {' or of '.join(outside)}" if outside else "any output"
        return f"{self.feature.text} is one of {' or of '.join(inside)}"


@dataclass(frozen=True)
class Crossed:
    """Cells of two features: each pair of a cell of the first feature and a cell of the second.

    If the grid of the noise is coarser than the grid of its sum with the count, small noise reveals the count to both
    features together, and to neither alone.
    """

    first: Thresholds
    second: Thresholds

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.first.cells * self.second.cells

    def counts(self, sample: Sample) -> NDArray[np.int64]:
        """Return how many releases fall in each cell, (cells,)."""
        places = self.places_of(self.first.feature.column(sample), self.second.feature.column(sample))
        return np.bincount(places, minlength=self.cells).astype(np.int64)

    def places_of(self, first: Floats, second: Floats) -> NDArray[np.int64]:
        """Return the cell of each pair of values of the two features, (n,)."""
        return self.first.places_of(first) * self.second.cells + self.second.places_of(second)

    def describe(self, cells: Sequence[int]) -> str:
        """Return the union of cells as a predicate; cells of the first with equal cells of the second are merged."""
        split: dict[int, list[int]] = {}
        for cell in sorted(cells):
            split.setdefault(cell // self.second.cells, []).append(cell % self.second.cells)
        merged: dict[tuple[int, ...], list[int]] = {}
        for one, others in split.items():
            merged.setdefault(tuple(others), []).append(one)
        return " or ".join(
            f"({self.first.describe(ones)})"
            + (f" and ({self.second.describe(others)})" if len(others) < self.second.cells else "")
            for others, ones in merged.items()
        )


def among(values: Floats, column: Floats) -> NDArray[np.bool_]:
    """Return whether each number of a column is one of the increasing `values`, (n,)."""
    padded = np.append(values, np.nan)  # larger numbers are compared with NaN, which is unequal
    return np.asarray(padded[np.searchsorted(values, column)] == column)


def _few(values: Floats) -> str:
    return ", ".join(map(repr, values[:3].tolist())) + (", ..." if len(values) > 3 else "")


def one_sided(feature: Feature, left: Floats, right: Floats) -> OneSided:
    """Return the cells of the values, increasing, that past releases of one side alone have."""
    return OneSided(feature, *(np.setdiff1d(*both, assume_unique=True) for both in ((left, right), (right, left))))


def repeats(feature: Feature, past: PastReleases) -> bool:
    """Return whether a feature has too many values for single cells, and repeats enough of them to be discrete."""
    values = past.increasing(feature)
    distinct = np.count_nonzero(values[1:] != values[:-1]) + 1
    return bool(distinct > MANY and len(values) - distinct >= FEWEST_REPEATS)


Partition = Thresholds | Categories | OneSided | Crossed


def cut_points(present: Floats, n: int) -> tuple[float, ...]:
    """Return cut points for pooled values: even quantiles, geometric tails, and the ends of atoms.

    Args:
        present: pooled finite values of a feature, increasing.
        n: releases per dataset behind them.

    """
    if not len(present):
        return ()
    even = int(np.clip(1.5 * n**0.3, FEWEST_CUTS, MOST_CUTS))
    starts = np.flatnonzero(np.concatenate([[True], present[1:] != present[:-1]]))
    distinct, counts = present[starts], np.diff(np.concatenate([starts, [len(present)]]))
    atoms = distinct[counts * 2 * even >= len(present)] if len(distinct) > even else distinct[: 4 * MOST_CUTS]
    quantiles = present[_quantile_places(len(present), even)]
    inside = quantiles[quantiles < present[-1]]
    isolated = (np.nextafter(atoms, -np.inf), atoms[atoms < present[-1]])
    return tuple(sorted({cut for cuts in (inside, *isolated) for cut in cuts.tolist()}))


@lru_cache(maxsize=64)  # features of one set of releases have equal numbers of values
def _quantile_places(size: int, even: int) -> NDArray[np.int64]:
    tails = 2.0 ** -np.arange(3.0, 40.0)
    tails = tails[tails * size >= TAIL_COUNT]
    levels = np.concatenate([np.arange(1, even) / even, tails, 1.0 - tails])
    return (np.sort(levels) * (size - 1)).astype(np.int64)


def categories_of(left: Sample, right: Sample) -> Categories:
    """Return the most frequent forms of past releases, most frequent first."""
    totals: dict[str, int] = {}
    for sample in (left, right):
        names, counts = sample.forms
        for name, count in zip(names, counts.tolist(), strict=True):
            totals[name] = totals.get(name, 0) + count
    ranking = sorted((name for name in totals if totals[name]), key=lambda name: (-totals[name], name))
    return Categories(tuple(ranking[:MOST_CATEGORIES]))


def thresholds_of(feature: Feature, past: PastReleases) -> Thresholds:
    """Return the cells of a feature with cut points from past releases."""
    return Thresholds(feature, cut_points(past.increasing(feature), len(past)))


def crossed(first: Feature, second: Feature, past: PastReleases) -> Crossed:
    """Return the crossed cells of two features, with even quantiles of each."""
    return Crossed(_evenly(first, past), _evenly(second, past))


def _evenly(feature: Feature, past: PastReleases) -> Thresholds:
    present = past.increasing(feature)
    places = (np.arange(1, CROSSED) / CROSSED * (len(present) - 1)).astype(np.int64)
    return Thresholds(feature, tuple(np.unique(present[places]).tolist()) if len(present) else ())


def table_of(partition: Partition, left: Sample, right: Sample) -> Counts:
    """Return the number of releases of each side in each cell, (cells, 2)."""
    return np.stack([partition.counts(left), partition.counts(right)], axis=1)


def half_tables(partition: Partition, past: PastReleases) -> tuple[Counts, Counts]:
    """Return the tables of even and of odd releases, (cells, 2) each."""
    if isinstance(partition, Thresholds):
        return half_tables_of_columns(partition, *past.columns(partition.feature))
    if isinstance(partition, Crossed):
        first, second = (past.columns(each.feature) for each in (partition.first, partition.second))
        left, right = (partition.places_of(*columns) for columns in zip(first, second, strict=True))
        return half_tables_of_places(partition.cells, left, right)
    even, odd = (table_of(partition, *half) for half in past.halves)
    return even, odd


def half_tables_of_columns(partition: Thresholds, left: Floats, right: Floats) -> tuple[Counts, Counts]:
    """Return the tables of even and of odd releases, (cells, 2) each, from the feature's values on each side."""
    if max(len(left), len(right)) > 2 * FEW:
        even, odd = (count_columns(partition, left[half], right[half]) for half in HALVES)
        return even, odd
    places = partition.places_of(np.concatenate([left, right]))
    return half_tables_of_places(partition.cells, places[: len(left)], places[len(left) :])


def count_columns(partition: Thresholds, left: Floats, right: Floats) -> Counts:
    """Return the number of the feature's values of each side in each cell, (cells, 2)."""
    return np.stack([partition.counts_of(np.ascontiguousarray(side)) for side in (left, right)], axis=1)


def half_tables_of_places(cells: int, left: NDArray[np.int64], right: NDArray[np.int64]) -> tuple[Counts, Counts]:
    """Return the tables of even and of odd releases, (cells, 2) each, from the cell of each release of each side."""
    places = 4 * np.concatenate([left, right])
    places[1 : len(left) : 2] += 2
    places[len(left) :] += 1
    places[len(left) + 1 :: 2] += 2
    table = np.bincount(places, minlength=4 * cells).reshape(cells, 2, 2).astype(np.int64)
    return table[:, 0], table[:, 1]
