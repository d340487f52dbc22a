"""The smallest event that still refutes: fewer cells, merged, in fewer digits."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from auditor.search.events import Event
from auditor.search.partitions import Thresholds
from auditor.statistics.betting import Floats, Hypotheses, predicted_growth
from auditor.statistics.sample import Sample

KEPT_GROWTH = 0.97
"""Share of the predicted growth that a smaller event has to keep."""
KEPT_BY_HALF_LINE = 0.85
"""Share that a single threshold has to keep: most of the rest is noise that intervals were fitted to."""


def half_lines(partition: Thresholds) -> list[tuple[int, ...]]:
    """Return the cells of "feature <= cut" and "feature > cut", each with and without the missing releases."""
    low = [tuple(range(1, size)) for size in range(2, partition.cells)]
    high = [tuple(range(size, partition.cells)) for size in range(2, partition.cells)]
    return [(*missing, *cells) for cells in low + high for missing in ((), (0,))]


def shrink(event: Event, left: Sample, right: Sample, hypotheses: Hypotheses) -> Event:
    """Return the smallest event found that keeps the predicted growth: fewer cells, merged, in fewer digits.

    One that promises no growth has nothing to keep and stays as it is.

    Args:
        event: learnt event.
        left: past releases (never the ones a confirmation is judged on).
        right: past releases.
        hypotheses: the claim.
    """
    totals = np.array([len(left), len(right)])
    cells = np.stack([event.partition.counts(side) for side in (left, right)])

    def growths(candidates: Sequence[tuple[int, ...]]) -> Floats:
        inside = np.stack([cells[:, list(members)].sum(axis=1) for members in candidates], axis=1)
        return predicted_growth(hypotheses, inside, totals, event.direction)

    def rounded(members: tuple[int, ...], wanted: float) -> Event:
        def keeps(candidate: Event) -> bool:
            inside = np.array([[candidate.count(left)], [candidate.count(right)]])
            return float(predicted_growth(hypotheses, inside, totals, event.direction)[0]) >= wanted

        return round_cuts(replace(event, members=members), keeps)

    full = float(growths([event.members])[0])
    if full <= 0:
        return event
    lines = half_lines(event.partition) if isinstance(event.partition, Thresholds) else []
    if lines:  # none without a cut: the event is then whether the feature is there
        found = growths(lines)
        if found.max(initial=0.0) >= KEPT_BY_HALF_LINE * full:
            return rounded(lines[int(found.argmax())], KEPT_GROWTH * float(found.max()))
    members, wanted = event.members, KEPT_GROWTH * full
    while len(members) > 1:
        smaller = [tuple(cell for cell in members if cell != left_out) for left_out in members]
        found = growths(smaller)
        if found.max() < wanted:
            break
        members = smaller[int(found.argmax())]
    if isinstance(event.partition, Thresholds):
        return rounded(members, wanted)
    return replace(event, members=members)


def round_cuts(event: Event, keeps: Callable[[Event], bool]) -> Event:
    """Return the event with only the cut points its predicate needs, in as few digits as `keeps` allows."""
    partition = event.partition
    if not isinstance(partition, Thresholds):
        return event
    inside = [cell in event.members for cell in range(partition.cells)]
    needed = [cut for place, cut in enumerate(partition.cuts) if inside[place + 1] != inside[place + 2]]
    exact = rebuilt(event, tuple(needed), inside)
    for digits in range(1, 17):
        rounded = tuple(float(f"{cut:.{digits}g}") for cut in needed)
        if len(set(rounded)) == len(needed) and list(rounded) == sorted(rounded):
            candidate = rebuilt(event, rounded, inside)
            if keeps(candidate):
                return candidate
    return exact


def rebuilt(event: Event, cuts: tuple[float, ...], inside: list[bool]) -> Event:
    """Return the event over fewer cuts: intervals alternate, the first one and the missing cell stay as they were."""
    members = [0] if inside[0] else []
    members += [cell for cell in range(1, len(cuts) + 2) if inside[1] == (cell % 2 == 1)]
    feature = event.partition.feature if isinstance(event.partition, Thresholds) else None
    if feature is None:
        return event
    return Event(Thresholds(feature, cuts), tuple(members), event.direction)
