"""Events learnt from past releases: frozen predicates with a description, and the smallest one that still refutes.

A learner divides the outputs into cells (`Partition`), orders them from most left-like to most right-like (`View`), and
the candidate events are the first cells (forward) and the last cells (backward) of that order. Learning looks at past
releases only; it decides nothing, so it may compare as many features as it likes. Features compete by the log-wealth
that bets chosen on one half of the past would have gained on the other half: the best event maximises growth, which is
not p - e^epsilon q.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from auditor.printable import with_letters
from auditor.search.features import (
    Feature,
    FractionalPart,
    LowestBit,
    Score,
    Value,
    fit_score,
    scalar_features,
    telling_keys,
    telling_parts,
)
from auditor.search.partitions import (
    Crossed,
    Partition,
    Seen,
    Thresholds,
    categories_of,
    crossed,
    halved,
    repeats,
    seen,
    table_of,
    tabled,
    thresholds_of,
)
from auditor.search.past import HALVES, PastReleases
from auditor.statistics.betting import (
    PSEUDO_COUNT,
    Counts,
    Floats,
    Hypotheses,
    event_counts,
    event_rates,
    log_sum_exp,
    partners,
    place_bets,
)
from auditor.statistics.forms import Part
from auditor.statistics.sample import Sample
from proofs_numeric.statements.neighbours import Direction

NOISE = 2.0
"""Standard errors that chance makes often."""
MOST_SCORED = 256
"""Columns that a score weighs, the most telling ones: its fit takes time and memory by their square."""
SCORED_A_RELEASE = 8
"""Columns that a score weighs for each release that it is fitted to: of few, more tell nothing and take long."""
MOST_ATOMS = 12
"""Columns whose values are looked at one by one."""
FINALISTS = 4
"""Features whose bets are played out; the others lose on their frequencies alone."""
SOFTER = np.array([1.0, 0.9, 0.75, 0.5, 0.0])
"""Features compete against these multiples of the claimed epsilon."""
MOST_FOR_PROMISE = 4.0
"""Most nats credited for growth against each softer epsilon: decides while nothing clearly violates the claimed one."""
PRICE_OF_ODD_FEATURE = 6.0
"""Nats by which a feature of the floating-point grid has to beat a plain one: on few releases it is only noise."""
CROSSED_IS_ODDER = 4
"""Times that price for one that is crossed with another: nobody reads its event, so it is for what no other shows."""
PRICE_OF_FREE_ORDER = 4.0
"""Nats by which the order by likelihood ratio has to beat the natural ones, which cannot overfit."""


class Order(StrEnum):
    """How the cells are ordered from most left-like to most right-like."""

    ASCENDING = "ascending"
    """Small values speak for the left histogram."""
    DESCENDING = "descending"
    """Large values speak for the left histogram."""
    INWARD = "inward"
    """Values near the median speak for the left histogram."""
    OUTWARD = "outward"
    """Values far from the median speak for the left histogram."""
    RATIO = "ratio"
    """By the estimated likelihood ratio."""


NATURAL = (Order.ASCENDING, Order.DESCENDING, Order.INWARD, Order.OUTWARD)
"""Orders that nothing is fitted to."""


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
        return with_letters(self.partition.describe(self.members))

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


def ratio_order(counts: Counts) -> tuple[int, ...]:
    """Return the cells by decreasing estimated likelihood ratio of left to right; ties keep their place."""
    return tuple(np.argsort(-log_ratios(counts, counts.sum(axis=0)), kind="stable").tolist())


def log_ratios(counts: Counts, totals: Counts) -> Floats:
    """Return the estimated log-likelihood ratio of left to right in each cell, (K,), of so many releases a side."""
    smoothed = (counts + PSEUDO_COUNT) / (totals + 2 * PSEUDO_COUNT)
    return np.asarray(np.log(smoothed[:, 0] / smoothed[:, 1]))


def played_growth(hypotheses: Hypotheses, train: Counts, judge: Counts) -> Floats:
    """Return the log-wealth that bets gain on `judge`, (H,): all candidate bets, weighed by what they gain on `train`.

    Args:
        hypotheses: H nulls.
        train: (K, 2) counts in the order of a view.
        judge: (K, 2) counts of other releases in the same order.
    """
    return played_growths(hypotheses, [(train, judge)])[:, 0]


def played_growths(hypotheses: Hypotheses, views: Sequence[tuple[Counts, Counts]]) -> Floats:
    """Return what `played_growth` does for (train, judge) of each of several views, (H, views): all in one pass."""
    starts = np.cumsum([0, *(len(train) - 1 for train, _judge in views[:-1])])
    beside = [partners(train) for train, _judge in views]
    past, new = (
        np.concatenate([event_counts(each, places) for each, places in zip(tables, beside, strict=True)], axis=-1)
        for tables in zip(*views, strict=True)
    )
    bets = place_bets(hypotheses, past, np.concatenate([p + start for p, start in zip(beside, starts, strict=True)]))
    seen, played = bets.log_gains_on(
        [past[None], new[None]], np.exp(hypotheses.epsilon), hypotheses.forward, hypotheses.backward
    )
    with np.errstate(divide="ignore"):
        weights = seen + np.log(hypotheses.shares()[..., None])
    wealth, capital = (
        np.logaddexp.reduceat(log_sum_exp(each, (1, 2)), starts, axis=-1) for each in (weights + played, weights)
    )
    return np.asarray(wealth - capital)


def order_of(order: Order, counts: Counts) -> tuple[int, ...]:
    """Return the cells in an order; `counts` decide for the likelihood ratio."""
    match order:
        case Order.ASCENDING:
            return tuple(range(len(counts)))
        case Order.DESCENDING:
            return tuple(range(len(counts) - 1, -1, -1))
        case Order.INWARD | Order.OUTWARD:
            pooled = counts.sum(axis=1)
            off_middle = np.abs(2 * pooled.cumsum() - pooled - pooled.sum())
            return tuple(np.argsort(off_middle if order is Order.INWARD else -off_middle, kind="stable").tolist())
        case Order.RATIO:
            return ratio_order(counts)


def standard_scores(counts: Counts, hypotheses: Hypotheses) -> Floats:
    """Return by how many standard errors each candidate event violates each hypothesis, (H, 2, K - 1).

    Args:
        counts: (K, 2), in the order of a view.
        hypotheses: H nulls.

    Returns: of the first 1..K - 1 cells against the right law, then of the last 1..K - 1 against the left one;
        -infinity for an event so frequent there that no probability would violate the hypothesis.
    """
    return _standardised(*event_rates(counts), counts.sum(axis=0).min(), hypotheses)


def _standardised(p: Floats, q: Floats, least: Counts, hypotheses: Hypotheses) -> Floats:
    """Return the standard scores, (H, 2, J), of events with these shares, (2, J), of so many releases a side."""
    least = np.maximum(1, least)
    e = np.exp(hypotheses.epsilon)[:, None, None]
    delta = np.stack([hypotheses.forward, hypotheses.backward], axis=1)[:, :, None]
    spread = np.sqrt((p * (1 - p) + e * e * (q * (1 - q)) + 1.0 / least) / least)
    allowed = e * q + delta
    return np.where(allowed < 1.0, (p - allowed) / spread, -np.inf)


def glances(tables: Sequence[Counts], hypotheses: Hypotheses) -> Floats:
    """Return how many standard errors the best event of each stands out by, on average over hypotheses: a first look.

    The largest one would be that at epsilon 0, where what differs most need not violate anything.

    Args:
        tables: (K, 2) counts each, with any K >= 2; cells are taken by their likelihood ratio.
        hypotheses: H nulls.
    """
    sizes = np.array([*map(len, tables)])
    starts = np.cumsum(sizes) - sizes
    view, counts = np.repeat(np.arange(len(tables)), sizes), np.concatenate(tables)
    totals = np.add.reduceat(counts, starts)[view]
    counts = counts[np.lexsort((-log_ratios(counts, totals), view))]
    inside = np.cumsum(counts, axis=0)
    inside -= (inside - counts)[starts][view]
    events = np.delete(np.arange(len(counts)), starts + sizes - 1)
    first, totals = inside[events], totals[events]
    n = np.maximum(1, totals)
    forward, backward = (first / n).T, ((totals - first) / n).T
    scores = _standardised(
        np.stack([forward[0], backward[1]]), np.stack([forward[1], backward[0]]), totals.min(axis=1), hypotheses
    )
    best = np.maximum.reduceat(scores.max(axis=1), starts - np.arange(len(tables)), axis=-1)
    return np.asarray(np.maximum(0.0, best).mean(axis=0))


def orders_of(partition: Partition, counts: Counts) -> tuple[Order, ...]:
    """Return the orders worth trying: the natural one that tells most, and the free one."""
    if not isinstance(partition, Thresholds):
        return (Order.RATIO,)

    def apart(order: Order) -> float:
        """The largest excess of the left distribution over the right one along an order."""
        below = counts[list(order_of(order, counts))].cumsum(axis=0) / np.maximum(1, counts.sum(axis=0))
        return float((below[:, 0] - below[:, 1]).max())

    return max(NATURAL, key=apart), Order.RATIO


def is_odd(partition: Partition) -> bool:
    """Return whether the cells look at how a number is represented, not at how large it is alone."""
    if isinstance(partition, Crossed):
        return True
    return isinstance(partition, Thresholds) and isinstance(partition.feature, FractionalPart | LowestBit)


@dataclass(frozen=True)
class Contender:
    """A feature that competes: its cells as each half of the past counts them.

    A fitted score flatters the releases that it was fitted to, so each half is counted by the score of the other one.

    Attributes:
        halves: the cells for even releases, and for odd ones.
        tables: (cells, 2) counts of the even releases, and of the odd ones.
    """

    halves: tuple[Partition, Partition]
    tables: tuple[Counts, Counts]

    @property
    def partition(self) -> Partition:
        """The cells, as even releases are counted."""
        return self.halves[0]

    @property
    def counts(self) -> Counts:
        """Counts of all releases, (cells, 2)."""
        return self.tables[0] + self.tables[1]


def alike(partition: Partition, past: PastReleases) -> Contender:
    """Return the contender that counts even and odd releases in the same cells."""
    return Contender((partition, partition), halved(partition, past))


def atoms_of(feature: Feature, past: PastReleases) -> Contender:
    """Return the contender of the values that one side alone gave: those of each half count the other one."""
    distinct = past.distinct(feature)
    odd, even = (seen(feature, *(side.values for side in half)) for half in distinct)
    tables = (
        np.stack([cells.counts_of(*side, len(of)) for side, of in zip(half, releases, strict=True)], axis=1)
        for cells, half, releases in zip((even, odd), distinct, past.halves, strict=True)
    )
    return Contender((even, odd), (next(tables), next(tables)))


class CrossFitted:
    """Scores that are fitted to the odd and to the even releases: each scores the other half.

    Args:
        past: releases of both sides.
        keys: columns that a score weighs.
    """

    def __init__(self, past: PastReleases, keys: tuple[str | Part, ...]) -> None:
        even, odd = past.halves
        of_odd = fit_score(*odd, keys)
        self.scores = of_odd, fit_score(*even, keys, of_odd)
        left, right = past.columns(self.scores[0])
        self._scored = (left[HALVES[0]], right[HALVES[0]]), tuple(map(self.scores[1].column, past.halves[1]))

    def counted(self, cuts: tuple[float, ...]) -> Contender:
        """Return the contender with these cuts."""
        even, odd = (Thresholds(score, cuts) for score in self.scores)
        return Contender((even, odd), (tabled(even, *self._scored[0]), tabled(odd, *self._scored[1])))


def scores_of(options: Sequence[tuple[Contender, Order]], nested: Hypotheses) -> list[float]:
    """Return the nats credited to contenders in orders: what bets chosen on one half gain on the other one."""
    views = []
    for each, order in options:
        for train, judge in (each.tables, each.tables[::-1]):
            places = list(order_of(order, train))
            views.append((train[places], judge[places]))
    growths = played_growths(nested, views)
    gained = growths[:, ::2] + growths[:, 1::2]
    scores = np.maximum(0.0, gained[0]) + np.clip(gained[1:], 0.0, MOST_FOR_PROMISE).sum(axis=0)
    return [score - price_of(*option) for score, option in zip(scores.tolist(), options, strict=True)]


def price_of(contender: Contender, order: Order) -> float:
    """Return the nats by which a contender in an order has to beat a plain one in a natural order."""
    free = order is Order.RATIO and isinstance(contender.partition, Thresholds)
    odd = CROSSED_IS_ODDER if isinstance(contender.partition, Crossed) else is_odd(contender.partition)
    return PRICE_OF_FREE_ORDER * free + PRICE_OF_ODD_FEATURE * odd


@dataclass(frozen=True)
class Learnt:
    """A view and what it saw of the releases it was learnt from.

    Attributes:
        view: cells in an order.
        past: (cells, 2) counts of the past releases in the view's order; a fitted score counts releases that it was
            not fitted to, so that the past does not promise more than the future keeps.
    """

    view: View
    past: Counts


def contenders_of(past: PastReleases, parts: tuple[Part, ...]) -> list[Contender]:
    """Return the forms of past releases, and the cells of each feature."""
    forms = categories_of(past.left, past.right)
    features = scalar_features(past.left, past.right, parts)
    cells: list[Partition] = [forms] if len(forms.names) > 1 or not past.left.keys else []
    cells += (thresholds_of(feature, past) for feature in features)
    cells += (crossed(Value(bit.key), bit, past) for bit in features if isinstance(bit, LowestBit))
    return [alike(each, past) for each in cells]


def outstanding(left: Sample, right: Sample, hypotheses: Hypotheses) -> float:
    """Return by how many standard errors the event that even releases single out violates the claim on odd ones.

    Less NOISE, so that what is above 0 stands out. A cheap look at a pair, before anything is learnt of it.
    """
    best, judged = -np.inf, 0.0
    for each in contenders_of(PastReleases(left, right), telling_parts(left, right)):
        seen_before, odd = each.tables
        order = list(ratio_order(seen_before))
        scores = standard_scores(seen_before[order], hypotheses)
        if scores.max(initial=-np.inf) > best:
            best = float(scores.max())
            judged = float(standard_scores(odd[order], hypotheses).flat[scores.argmax()])
    return judged - NOISE


def learn(left: Sample, right: Sample, hypotheses: Hypotheses) -> Learnt:
    """Learn from past releases a partition and an order of its cells.

    Args:
        left: past releases of the left histogram, with the same columns as `right`.
        right: past releases of the right histogram.
        hypotheses: one hypothesis, the claim that bets are to refute.
    """
    past = PastReleases(left, right)
    softer = hypotheses.epsilon * SOFTER
    forward, backward = (np.tile(delta, len(softer)) for delta in (hypotheses.forward, hypotheses.backward))
    nested = Hypotheses(softer, forward, backward, hypotheses.directions)
    parts = telling_parts(left, right)
    contenders = contenders_of(past, parts)
    contenders += [atoms_of(value, past) for key in left.keys[:MOST_ATOMS] if repeats(value := Value(key), past)]
    scored = min(MOST_SCORED, SCORED_A_RELEASE * len(past))
    keys: tuple[str | Part, ...] = (*telling_keys(left, right, scored), *parts)
    if len(keys) > 1:
        scores = CrossFitted(past, keys)
        contenders.append(scores.counted(thresholds_of(scores.scores[0], past).cuts))
    pure = Hypotheses(softer, np.zeros(len(softer)), np.zeros(len(softer)), hypotheses.directions)
    ranked = np.argsort(-glances([each.counts for each in contenders], pure), kind="stable")[:FINALISTS]
    finalists = [contenders[place] for place in ranked]
    options = [(each, kind) for each in finalists for kind in orders_of(each.partition, each.counts)]
    chosen, kind = options[int(np.argmax(scores_of(options, nested)))]
    partition, counts = chosen.partition, chosen.counts
    if isinstance(partition, Thresholds) and isinstance(partition.feature, Score):
        partition = thresholds_of(fit_score(left, right, keys, scores.scores[0]), past)
        counts = scores.counted(partition.cuts).counts
    elif isinstance(partition, Seen):
        partition = seen(
            partition.feature, *(side[np.isfinite(side)] for side in map(np.unique, past.columns(partition.feature)))
        )
    if kind is not Order.RATIO:  # which end is left-like shows in all releases better than in those compared
        kind = orders_of(partition, counts)[0]
    order = order_of(kind, counts)
    if hypotheses.new_key is not None:  # what the other side has never shown is bet on before anything shows it
        other = 1 if hypotheses.new_key is Direction.FORWARD else 0
        order = tuple(sorted(order, key=lambda cell: bool(counts[cell, other]) == bool(other)))
    return Learnt(View(partition, order), counts[list(order)])


def coarsen(learnt: Learnt, hypotheses: Hypotheses, number: int) -> Learnt:
    """Return a view with fewer candidate events: those of each direction that violate the claim most clearly.

    Args:
        learnt: fine cells of a feature, or categories, which cost nothing and are kept.
        hypotheses: one hypothesis.
        number: events a direction that are kept.
    """
    view = learnt.view
    if not isinstance(view.partition, Thresholds):
        return learnt
    first, last = standard_scores(learnt.past, hypotheses)[0]
    best = [np.argsort(-scores, kind="stable")[:number] + 1 for scores in (first, last)]
    sizes = np.union1d(best[0], view.partition.cells - best[1])
    rank = {cell: place for place, cell in enumerate(view.order)}
    group = [int(np.searchsorted(sizes, rank[cell], side="right")) for cell in range(view.partition.cells)]
    kept = [place for place in range(1, view.partition.cells - 1) if group[place] != group[place + 1]]
    first_cells = [0, 1, *(place + 1 for place in kept)]
    order = sorted(range(len(first_cells)), key=lambda cell: (group[first_cells[cell]], rank[first_cells[cell]]))
    cuts = tuple(view.partition.cuts[place - 1] for place in kept)
    by_cell = learnt.past[[rank[cell] for cell in range(view.partition.cells)]]
    merged = np.add.reduceat(by_cell, first_cells, axis=0)
    return Learnt(View(Thresholds(view.partition.feature, cuts), tuple(order)), merged[order])
