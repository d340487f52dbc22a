"""Shrinking of events that refute: fewer cells, merged intervals, fewer digits."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from auditor.search.events import Event
from auditor.search.partitions import Thresholds
from auditor.statistics.betting import Floats, Hypotheses, predicted_growth
from auditor.statistics.sample import Sample

MIN_GROWTH_SHARE = 0.97
"""Least share of the predicted growth for a smaller event."""
MIN_HALF_LINE_SHARE = 0.85
"""Least share for a single threshold: most of the rest is noise that the intervals fit."""


def half_lines(partition: Thresholds) -> list[tuple[int, ...]]:
    """Return the cells of "feature <= cut" and "feature > cut", each with and without the missing releases."""
    low = [tuple(range(1, size)) for size in range(2, partition.cells)]
    high = [tuple(range(size, partition.cells)) for size in range(2, partition.cells)]
    return [(*missing, *cells) for cells in low + high for missing in ((), (0,))]


def shrink(event: Event, left: Sample, right: Sample, hypotheses: Hypotheses) -> Event:
    """Return a smaller event with nearly the predicted growth: fewer cells, merged intervals, fewer digits.

    An event without predicted growth is returned unchanged.

    Args:
        event: learnt event.
        left: past releases, disjoint from those of a confirmation.
        right: past releases.
        hypotheses: the claim.
    """
    totals = np.array([len(left), len(right)])
    cells = np.stack([event.partition.counts(side) for side in (left, right)])

    def growths(candidates: Sequence[tuple[int, ...]]) -> Floats:
        inside = np.stack([cells[:, list(members)].sum(axis=1) for members in candidates], axis=1)
        return predicted_growth(hypotheses, inside, totals, event.direction)

    def rounded(members: tuple[int, ...], least: float) -> Event:
        def keeps(candidate: Event) -> bool:
            inside = np.array([[candidate.count(left)], [candidate.count(right)]])
            return float(predicted_growth(hypotheses, inside, totals, event.direction)[0]) >= least

        return round_cuts(replace(event, members=members), keeps)

    full = float(growths([event.members])[0])
    if full <= 0:
        return event
    lines = half_lines(event.partition) if isinstance(event.partition, Thresholds) else []
    if lines:  # empty without a cut: the event is then the presence or absence of the feature
        growth = growths(lines)
        if growth.max(initial=0.0) >= MIN_HALF_LINE_SHARE * full:
            return rounded(lines[int(growth.argmax())], MIN_GROWTH_SHARE * float(growth.max()))
    members, least = event.members, MIN_GROWTH_SHARE * full
    while len(members) > 1:
        smaller = [tuple(cell for cell in members if cell != left_out) for left_out in members]
        growth = growths(smaller)
        if growth.max() < least:
            break
        members = smaller[int(growth.argmax())]
    if isinstance(event.partition, Thresholds):
        return rounded(members, least)
    return replace(event, members=members)


def round_cuts(event: Event, keeps: Callable[[Event], bool]) -> Event:
    """Return the event with only the cut points of its predicate, in as few digits as `keeps` allows."""
    partition = event.partition
    if not isinstance(partition, Thresholds):
        return event
    inside = [cell in event.members for cell in range(partition.cells)]
    needed = [cut for place, cut in enumerate(partition.cuts) if inside[place + 1] != inside[place + 2]]
    exact = with_cuts(event, tuple(needed), inside)
    for digits in range(1, 17):
        rounded = tuple(float(f"{cut:.{digits}g}") for cut in needed)
        if len(set(rounded)) == len(needed) and list(rounded) == sorted(rounded):
            candidate = with_cuts(event, rounded, inside)
            if keeps(candidate):
                return candidate
    return exact


def with_cuts(event: Event, cuts: tuple[float, ...], inside: list[bool]) -> Event:
    """Return the event over fewer cuts: intervals alternate; the first interval and the missing cell are unchanged."""
    members = [0] if inside[0] else []
    members += [cell for cell in range(1, len(cuts) + 2) if inside[1] == (cell % 2 == 1)]
    feature = event.partition.feature if isinstance(event.partition, Thresholds) else None
    if feature is None:
        return event
    return Event(Thresholds(feature, cuts), tuple(members), event.direction)
