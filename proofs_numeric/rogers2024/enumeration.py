"""Small histograms, neighbours, tops and partial sums: what the finite statements enumerate.

A histogram is a sorted tuple of (label, positive count).  The label order is fixed in advance and breaks ties.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, product
from typing import Any

Items = tuple[tuple[str, int], ...]

LABELS = "abcdef"


def histograms(labels: int, largest: int) -> Iterator[Items]:
    """Every histogram on the first ``labels`` labels with counts up to ``largest`` (absent when 0)."""
    for counts in product(range(largest + 1), repeat=labels):
        yield tuple((label, count) for label, count in zip(LABELS, counts, strict=False) if count)


def neighbours(larger: Items, delta_0: int, delta_inf: int) -> Iterator[Items]:
    """Every smaller histogram that one user's removal leaves: 1 to ``delta_0`` counts down by 1 to ``delta_inf``."""
    for decreases in product(*(range(min(count, delta_inf) + 1) for _label, count in larger)):
        if 1 <= sum(d > 0 for d in decreases) <= delta_0:
            yield tuple((label, c - d) for (label, c), d in zip(larger, decreases, strict=True) if c > d)


def neighbour_pairs(labels: int, largest: int, delta_0: int, delta_inf: int) -> Iterator[tuple[Items, Items]]:
    """Every (larger, smaller) pair on ``labels`` labels."""
    for larger in histograms(labels, largest):
        for smaller in neighbours(larger, delta_0, delta_inf):
            yield larger, smaller


def ranking(items: Items) -> list[tuple[str, int]]:
    """Items by falling count, ties by label."""
    return sorted(items, key=lambda item: (-item[1], item[0]))


def top(items: Items, k_bar: int) -> dict[str, int]:
    """The ``k_bar`` items of largest count, ties by label."""
    return dict(ranking(items)[:k_bar])


def count_at(items: Items, rank: int) -> int:
    """``c_(rank)``, 0 when there are fewer items."""
    ranks = ranking(items)
    return ranks[rank - 1][1] if rank <= len(ranks) else 0


def tops_under_any_tie_order(items: Items, k_bar: int) -> Iterator[frozenset[str]]:
    """Every set of labels that some tie-breaking rule could return as the top ``k_bar``."""
    boundary = count_at(items, k_bar)
    sure = [label for label, count in items if count > boundary]
    tied = [label for label, count in items if count == boundary]
    for choice in combinations(tied, min(k_bar - len(sure), len(tied))):
        yield frozenset((*sure, *choice))


def common(left: Mapping[str, Any], right: Mapping[str, Any]) -> list[str]:
    """Labels of both, sorted."""
    return sorted(set(left) & set(right))


def with_names(*names: str) -> Callable[[tuple[Any, ...]], dict[str, object]]:
    """How a witness names the parts of a case."""
    return lambda case: dict(zip(names, case, strict=True))


# --- partial sums of the binary mechanism -------------------------------------------------------------------------


def levels(L: int) -> int:
    """``ceil(log2(L + 1))`` as an exact integer."""
    return int(L).bit_length()


def floor_levels(L: int) -> int:
    """``floor(log2(L + 1))`` as an exact integer."""
    return (int(L) + 1).bit_length() - 1


def cells_of_sum(round_: int) -> list[tuple[int, int]]:
    """Cells (first, last round) whose noisy values add up to the count after ``round_``: one per binary digit 1."""
    cells = []
    while round_:
        low = round_ & -round_
        cells.append((round_ - low + 1, round_))
        round_ -= low
    return cells[::-1]


def cells_of_event(round_: int, L: int) -> list[int]:
    """Last rounds of the cells that contain the event of ``round_`` in a stream of length ``L``."""
    path = []
    while round_ <= L:
        path.append(round_)
        round_ += round_ & -round_
    return path
