"""Events learnt from past releases: frozen predicates with a description, and the smallest one that still refutes.

A learner divides the outputs into cells (`Partition`), orders them from most left-like to most right-like (`View`), and
the candidate events are the first cells (forward) and the last cells (backward) of that order. Learning looks at past
releases only; it decides nothing, so it may compare as many features as it likes. Features compete by the log-wealth
that bets chosen on one half of the past would have gained on the other half: the best event maximises growth, which is
not p - e^epsilon q.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from auditor.search.features import FractionalPart, LowestBit, fit_score, scalar_features
from auditor.search.partitions import (
    Categories,
    Partition,
    Thresholds,
    categories_of,
    cut_points,
    table_of,
    take,
    thresholds_of,
)
from auditor.statistics.betting import (
    PSEUDO_COUNT,
    Counts,
    Floats,
    Hypotheses,
    event_counts,
    partners,
    place_bets,
)
from mechanisms.pair import Direction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.statistics.sample import Sample

LEARNT_FROM = 4096
"""Most releases a side from which features are compared; cut points and orders use all of them."""
HALVES = slice(0, None, 2), slice(1, None, 2)
"""Even releases, on which bets on a feature are chosen, and odd ones, on which they are played; then the reverse."""
FINALISTS = 4
"""Features whose bets are played out; the others lose on their frequencies alone."""
MOST_FOR_PROMISE = 4.0
"""Most nats credited for growth against epsilon / 2, and against 0: decides while nothing clearly violates epsilon."""
PRICE_OF_ODD_FEATURE = 6.0
"""Nats by which a feature of the floating-point grid has to beat a plain one: on few releases it is only noise."""
PRICE_OF_FREE_ORDER = 4.0
"""Nats by which the order by likelihood ratio has to beat the natural ones, which cannot overfit."""


class Order(StrEnum):
    """How the cells are ordered from most left-like to most right-like."""

    ASCENDING = "ascending"
    """Small values speak for the left histogram."""
    DESCENDING = "descending"
    """Large values speak for the left histogram."""
    RATIO = "ratio"
    """By the estimated likelihood ratio."""


@dataclass(frozen=True)
class View:
    """A partition with an order of its cells.

    Attributes:
        partition: the cells.
        order: permutation of the cells, most left-like first.

    """

    partition: Partition
    order: tuple[int, ...]

    def counts(self, left: Sample, right: Sample) -> Counts:
        """Return (cells, 2) counts in the view's order."""
        return table_of(self.partition, left, right)[list(self.order)]

    def event(self, direction: Direction, size: int) -> Event:
        """Return the event of the first (forward) or last (backward) `size` cells."""
        cells = self.order[:size] if direction is Direction.FORWARD else self.order[-size:]
        return Event(self.partition, tuple(sorted(cells)), direction)


@dataclass(frozen=True)
class Event:
    """A frozen predicate on releases that speaks for one direction.

    Attributes:
        partition: the cells.
        members: cells that make up the event, increasing.
        direction: FORWARD when likelier on the left.

    """

    partition: Partition
    members: tuple[int, ...]
    direction: Direction

    @property
    def text(self) -> str:
        """The predicate for people."""
        return self.partition.describe(self.members)

    def count(self, sample: Sample) -> int:
        """Return how many of the releases are in the event."""
        return int(self.partition.counts(sample)[list(self.members)].sum())

    def counts(self, left: Sample, right: Sample) -> Counts:
        """Return (2, 2) counts as of a two-cell view: the event first if FORWARD, last if BACKWARD."""
        rows = []
        for sample in (left, right):
            inside = self.count(sample)
            rows.append((inside, len(sample) - inside))
        table = np.array(rows, dtype=np.int64).T
        return table if self.direction is Direction.FORWARD else table[::-1]


def coarsen(view: View, sizes: Sequence[int]) -> View:
    """Return a view with only the first `sizes` cells of `view` as candidate events: fewer cuts to look at.

    Args:
        view: fine cells of a feature, or categories, which cost nothing and are kept.
        sizes: increasing numbers of cells, each in 1..cells - 1.

    """
    if isinstance(view.partition, Categories):
        return view
    rank = {cell: place for place, cell in enumerate(view.order)}
    group = [int(np.searchsorted(sizes, rank[cell], side="right")) for cell in range(view.partition.cells)]
    kept = [place for place in range(1, view.partition.cells - 1) if group[place] != group[place + 1]]
    first_cells = [0, 1, *(place + 1 for place in kept)]
    order = sorted(range(len(first_cells)), key=lambda cell: (group[first_cells[cell]], rank[first_cells[cell]]))
    cuts = tuple(view.partition.cuts[place - 1] for place in kept)
    return View(Thresholds(view.partition.feature, cuts), tuple(order))


def ratio_order(counts: Counts) -> tuple[int, ...]:
    """Return the cells by decreasing estimated likelihood ratio of left to right; ties keep their place."""
    smoothed = (counts + PSEUDO_COUNT) / (counts.sum(axis=0) + 2 * PSEUDO_COUNT)
    return tuple(np.argsort(-np.log(smoothed[:, 0] / smoothed[:, 1]), kind="stable").tolist())


def played_growth(hypotheses: Hypotheses, train: Counts, judge: Counts) -> Floats:
    """Return the log-wealth that the best bets by `train` gain on `judge`, (H,); 0 where they would not bet.

    Args:
        hypotheses: H nulls.
        train: (K, 2) counts in the order of a view.
        judge: (K, 2) counts of other releases in the same order.

    """
    partner = partners(train)
    bets = place_bets(hypotheses, event_counts(train, partner), partner)
    adaptive = replace(bets, stakes=bets.stakes[:, :, :1])
    played = event_counts(judge, partner)[None]
    gains = adaptive.log_gains(played, np.exp(hypotheses.epsilon), hypotheses.forward, hypotheses.backward)
    growth = bets.growth.reshape(len(hypotheses), -1)
    best = gains.reshape(len(hypotheses), -1)[np.arange(len(hypotheses)), growth.argmax(axis=1)]
    return np.where(growth.max(axis=1) > 0, best, 0.0)


def order_of(order: Order, counts: Counts) -> tuple[int, ...]:
    """Return the cells in an order; `counts` decide for the likelihood ratio."""
    match order:
        case Order.ASCENDING:
            return tuple(range(len(counts)))
        case Order.DESCENDING:
            return tuple(range(len(counts) - 1, -1, -1))
        case Order.RATIO:
            return ratio_order(counts)


def glance(counts: Counts, e_epsilon: Floats) -> float:
    """Return how many standard errors the best candidate event stands out by at any epsilon: a cheap first look."""
    n = np.maximum(counts.sum(axis=0), 1)
    ordered = counts[list(ratio_order(counts))]
    first = np.cumsum(ordered, axis=0)[:-1] / n
    last = np.cumsum(ordered[::-1, ::-1], axis=0)[:-1] / n[::-1]
    p, q = np.concatenate([first, last]).T
    e = e_epsilon[:, None]
    spread = np.sqrt((p * (1 - p) + e * e * (q * (1 - q)) + 1.0 / n.min()) / n.min())
    return float(((p - e * q) / spread).max(initial=0.0))


def orders_of(partition: Partition, counts: Counts) -> tuple[Order, ...]:
    """Return the orders worth trying: the natural one in its better direction, and the free one."""
    if isinstance(partition, Categories):
        return (Order.RATIO,)
    below = np.cumsum(counts, axis=0)[:-1] / np.maximum(1, counts.sum(axis=0))
    shift = below[:, 0] - below[:, 1]
    natural = Order.ASCENDING if shift.max(initial=0.0) >= -shift.min(initial=0.0) else Order.DESCENDING
    return natural, Order.RATIO


def is_odd(partition: Partition) -> bool:
    """Return whether the cells look at how a number is represented, not at how large it is."""
    return isinstance(partition, Thresholds) and isinstance(partition.feature, FractionalPart | LowestBit)


def learn_view(left: Sample, right: Sample, hypotheses: Hypotheses) -> View:
    """Learn from past releases a partition and an order of its cells.

    Args:
        left: past releases of the left histogram, with the same columns as `right`.
        right: past releases of the right histogram.
        hypotheses: one hypothesis, the claim that bets are to refute.

    """
    n = min(len(left), len(right))
    step = max(1, n // LEARNT_FROM)
    few_left, few_right = take(left, slice(None, None, step)), take(right, slice(None, None, step))
    softer = hypotheses.epsilon * np.array([1.0, 0.5, 0.0])
    nested = Hypotheses(softer, np.tile(hypotheses.forward, 3), np.tile(hypotheses.backward, 3), hypotheses.directions)
    forms = categories_of(few_left, few_right)
    partitions: list[Partition] = []
    tables: list[list[Counts]] = []
    if len(forms.names) > 1 or not left.keys:
        partitions.append(forms)
        tables.append([table_of(forms, take(few_left, half), take(few_right, half)) for half in HALVES])
    features = scalar_features(few_left, few_right)
    if len(left.keys) > 1:
        features = (*features, fit_score(take(few_left, HALVES[0]), take(few_right, HALVES[0])))
    for feature in features:
        columns = feature.column(few_left), feature.column(few_right)
        cells = Thresholds(feature, cut_points(np.concatenate(columns), min(map(len, columns))))
        partitions.append(cells)
        tables.append([np.stack([cells.counts_of(column[half]) for column in columns], axis=1) for half in HALVES])
    looks = [glance(a + b, np.exp(softer)) for a, b in tables]
    finalists = sorted(range(len(partitions)), key=lambda place: -looks[place])[:FINALISTS]
    best_score, best = -np.inf, (partitions[finalists[0]], Order.RATIO)
    for place in sorted(finalists):
        first, second = tables[place]
        orders = orders_of(partitions[place], first + second)
        for kind in orders:
            gained = np.zeros(len(nested))
            for train, judge in ((first, second), (second, first)):
                order = list(order_of(kind, train))
                gained += played_growth(nested, train[order], judge[order])
            score = max(0.0, gained[0]) + np.minimum(MOST_FOR_PROMISE, gained[1:]).sum()
            score -= PRICE_OF_FREE_ORDER * (len(orders) > 1 and kind is Order.RATIO)
            score -= PRICE_OF_ODD_FEATURE * is_odd(partitions[place])
            if score > best_score:
                best_score, best = score, (partitions[place], kind)
    chosen, kind = best
    partition = chosen if isinstance(chosen, Categories) else thresholds_of(chosen.feature, left, right)
    table = table_of(partition, left, right)
    if kind is not Order.RATIO:  # which end is left-like shows in all releases better than in those compared
        kind = orders_of(partition, table)[0]
    return View(partition, order_of(kind, table))
