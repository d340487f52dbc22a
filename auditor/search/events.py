"""Events learnt from past releases: frozen predicates with a description.

A learner divides the outputs into cells (`Partition`) and orders them from most left-like to most right-like (`View`).
The candidate events are the first cells (forward) and the last cells (backward) of this order. Learning uses past
releases only and decides nothing, so it may compare any number of features. A feature is scored by the log-wealth that
bets chosen on one half of the past gain on the other half: the best event maximises growth, not p - e^epsilon q.
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
    distinguishing_keys,
    distinguishing_parts,
    fit_score,
    scalar_features,
)
from auditor.search.partitions import (
    Crossed,
    OneSided,
    Partition,
    Thresholds,
    categories_of,
    count_columns,
    crossed,
    half_tables,
    one_sided,
    repeats,
    table_of,
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
"""Standard errors of a difference that is often due to chance."""
MOST_SCORED = 256
"""Most columns of a score, chosen by difference between the sides: time and memory of the fit are quadratic."""
SCORED_A_RELEASE = 8
"""Most columns of a score per release of its fit: with few releases, more columns add time and no information."""
MOST_ATOMS = 12
"""Columns whose single values are features."""
FINALISTS = 4
"""Features that are scored by their bets; the others are excluded by their frequencies."""
SOFTER = np.array([1.0, 0.9, 0.75, 0.5, 0.0])
"""Multiples of the claimed epsilon at which features are scored."""
MOST_FOR_PROMISE = 4.0
"""Most nats credited for growth against each softer epsilon; decisive while no event clearly violates the claim."""
PRICE_OF_ODD_FEATURE = 6.0
"""Nats subtracted from a feature of the floating-point grid: on few releases such features fit noise."""
CROSSED_IS_ODDER = 4
"""Multiple of this price for a crossed feature: its events are hard to read, so it must be clearly better."""
PRICE_OF_FREE_ORDER = 4.0
"""Nats subtracted from the order by likelihood ratio; the natural orders cannot overfit."""


class Order(StrEnum):
    """How the cells are ordered from most left-like to most right-like."""

    ASCENDING = "ascending"
    """Small values are left-like."""
    DESCENDING = "descending"
    """Large values are left-like."""
    INWARD = "inward"
    """Values near the median are left-like."""
    OUTWARD = "outward"
    """Values distant from the median are left-like."""
    RATIO = "ratio"
    """By the estimated likelihood ratio."""


NATURAL = (Order.ASCENDING, Order.DESCENDING, Order.INWARD, Order.OUTWARD)
"""Orders without fitted parameters."""


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
    """A frozen predicate on releases, with the direction that it tests.

    Attributes:
        partition: the cells.
        members: the cells whose union is the event, increasing.
        direction: FORWARD if the event is likelier on the left.
    """

    partition: Partition
    members: tuple[int, ...]
    direction: Direction

    @property
    def text(self) -> str:
        """The predicate as text."""
        return with_letters(self.partition.describe(self.members))

    def count(self, sample: Sample) -> int:
        """Return the number of releases in the event."""
        return int(self.partition.counts(sample)[list(self.members)].sum())

    def counts(self, left: Sample, right: Sample) -> Counts:
        """Return the counts of the two-cell view, (2, 2): the event first if FORWARD, last if BACKWARD."""
        rows = []
        for sample in (left, right):
            inside = self.count(sample)
            rows.append((inside, len(sample) - inside))
        table = np.array(rows, dtype=np.int64).T
        return table if self.direction is Direction.FORWARD else table[::-1]


def ratio_order(counts: Counts) -> tuple[int, ...]:
    """Return the cells by decreasing estimated likelihood ratio of left to right; the sort is stable."""
    return tuple(np.argsort(-log_ratios(counts, counts.sum(axis=0)), kind="stable").tolist())


def log_ratios(counts: Counts, totals: Counts) -> Floats:
    """Return the estimated log-likelihood ratio of left to right in each cell, (K,).

    Args:
        counts: (K, 2).
        totals: releases of each side, (2,) or (K, 2).
    """
    smoothed = (counts + PSEUDO_COUNT) / (totals + 2 * PSEUDO_COUNT)
    return np.asarray(np.log(smoothed[:, 0] / smoothed[:, 1]))


def played_growth(hypotheses: Hypotheses, train: Counts, judge: Counts) -> Floats:
    """Return the log-wealth that all candidate bets, weighted by gains on `train`, gain on `judge`, (H,).

    Args:
        hypotheses: H nulls.
        train: (K, 2) counts in the order of a view.
        judge: (K, 2) counts of other releases in the same order.
    """
    return played_growths(hypotheses, [(train, judge)])[:, 0]


def played_growths(hypotheses: Hypotheses, views: Sequence[tuple[Counts, Counts]]) -> Floats:
    """Return `played_growth` of (train, judge) of each of several views, (H, views), in one pass."""
    starts = np.cumsum([0, *(len(train) - 1 for train, _judge in views[:-1])])
    paired = [partners(train) for train, _judge in views]
    past, new = (
        np.concatenate([event_counts(each, places) for each, places in zip(tables, paired, strict=True)], axis=-1)
        for tables in zip(*views, strict=True)
    )
    bets = place_bets(hypotheses, past, np.concatenate([p + start for p, start in zip(paired, starts, strict=True)]))
    past_gains, new_gains = bets.log_gains_on(
        [past[None], new[None]], np.exp(hypotheses.epsilon), hypotheses.forward, hypotheses.backward
    )
    with np.errstate(divide="ignore"):
        weights = past_gains + np.log(hypotheses.shares()[..., None])
    wealth, capital = (
        np.logaddexp.reduceat(log_sum_exp(each, (1, 2)), starts, axis=-1) for each in (weights + new_gains, weights)
    )
    return np.asarray(wealth - capital)


def order_of(order: Order, counts: Counts) -> tuple[int, ...]:
    """Return the cells in an order; `counts`, (K, 2), give the median and the likelihood ratios."""
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
    """Return the excess of each candidate event over each hypothesis in standard errors, (H, 2, K - 1).

    Args:
        counts: (K, 2), in the order of a view.
        hypotheses: H nulls.

    Returns: the events of the first 1..K - 1 cells (forward), then those of the last 1..K - 1 cells (backward);
        -infinity for an event that is too frequent on the other side to violate the hypothesis.
    """
    return _standardised(*event_rates(counts), counts.sum(axis=0).min(), hypotheses)


def _standardised(p: Floats, q: Floats, least: Counts, hypotheses: Hypotheses) -> Floats:
    """Return the standard scores, (H, 2, J), of events with shares p and q, (2, J), of at least `least` releases."""
    least = np.maximum(1, least)
    e = np.exp(hypotheses.epsilon)[:, None, None]
    delta = np.stack([hypotheses.forward, hypotheses.backward], axis=1)[:, :, None]
    spread = np.sqrt((p * (1 - p) + e * e * (q * (1 - q)) + 1.0 / least) / least)
    allowed = e * q + delta
    return np.where(allowed < 1.0, (p - allowed) / spread, -np.inf)


def screening_scores(tables: Sequence[Counts], hypotheses: Hypotheses) -> Floats:
    """Return the excess of each table's best event in standard errors, averaged over hypotheses, (tables,).

    The average replaces the maximum, which is the score at epsilon 0, where a large difference may violate no claim.

    Args:
        tables: (K, 2) counts each, with any K >= 2; cells are ordered by likelihood ratio.
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
    """Return the candidate orders: the natural one that separates the sides best, and the likelihood ratio."""
    if not isinstance(partition, Thresholds):
        return (Order.RATIO,)

    def apart(order: Order) -> float:
        """Return the largest excess of the left distribution function over the right one along an order."""
        below = counts[list(order_of(order, counts))].cumsum(axis=0) / np.maximum(1, counts.sum(axis=0))
        return float((below[:, 0] - below[:, 1]).max())

    return max(NATURAL, key=apart), Order.RATIO


def is_odd(partition: Partition) -> bool:
    """Return whether the cells depend on the representation of a number, not on its magnitude alone."""
    if isinstance(partition, Crossed):
        return True
    return isinstance(partition, Thresholds) and isinstance(partition.feature, FractionalPart | LowestBit)


@dataclass(frozen=True)
class Contender:
    """A candidate feature with its counts on each half of the past.

    A fitted score is biased on the releases of its fit, so each half is counted by the score of the other half.

    Attributes:
        halves: the cells for even releases, and for odd ones.
        tables: (cells, 2) counts of the even releases, and of the odd ones.
    """

    halves: tuple[Partition, Partition]
    tables: tuple[Counts, Counts]

    @property
    def partition(self) -> Partition:
        """The cells for even releases."""
        return self.halves[0]

    @property
    def counts(self) -> Counts:
        """Counts of all releases, (cells, 2)."""
        return self.tables[0] + self.tables[1]


def unfitted(partition: Partition, past: PastReleases) -> Contender:
    """Return the contender that counts even and odd releases in equal cells."""
    return Contender((partition, partition), half_tables(partition, past))


def atoms_of(feature: Feature, past: PastReleases) -> Contender:
    """Return the contender of the values that one side alone released; the values of each half count the other."""
    distinct = past.distinct(feature)
    odd, even = (one_sided(feature, *(side.values for side in half)) for half in distinct)
    tables = (
        np.stack([cells.counts_of(*side, len(of)) for side, of in zip(half, releases, strict=True)], axis=1)
        for cells, half, releases in zip((even, odd), distinct, past.halves, strict=True)
    )
    return Contender((even, odd), (next(tables), next(tables)))


class CrossFitted:
    """Scores fitted to the odd and to the even releases; each scores the other half.

    Args:
        past: releases of both sides.
        keys: columns of the scores.
    """

    def __init__(self, past: PastReleases, keys: tuple[str | Part, ...]) -> None:
        even, odd = past.halves
        of_odd = fit_score(*odd, keys)
        self.scores = of_odd, fit_score(*even, keys, of_odd)
        left, right = past.columns(self.scores[0])
        self._scored = (left[HALVES[0]], right[HALVES[0]]), tuple(map(self.scores[1].column, past.halves[1]))

    def counted(self, cuts: tuple[float, ...]) -> Contender:
        """Return the contender of the scores with given cuts."""
        even, odd = (Thresholds(score, cuts) for score in self.scores)
        return Contender((even, odd), (count_columns(even, *self._scored[0]), count_columns(odd, *self._scored[1])))


def scores_of(options: Sequence[tuple[Contender, Order]], nested: Hypotheses) -> list[float]:
    """Return the credit of each (contender, order) in nats: gains on one half of bets chosen on the other, less prices.

    Args:
        options: contenders with an order of their cells.
        nested: the levels of the claim, then these levels with smaller epsilons, by the multiples of `SOFTER`; the
            level of largest credit counts.
    """
    views = []
    for each, order in options:
        for train, judge in (each.tables, each.tables[::-1]):
            places = list(order_of(order, train))
            views.append((train[places], judge[places]))
    growths = played_growths(nested, views)
    gained = (growths[:, ::2] + growths[:, 1::2]).reshape(len(SOFTER), -1, len(options))
    scores = (np.maximum(0.0, gained[0]) + np.clip(gained[1:], 0.0, MOST_FOR_PROMISE).sum(axis=0)).max(axis=0)
    return [score - price_of(*option) for score, option in zip(scores.tolist(), options, strict=True)]


def price_of(contender: Contender, order: Order) -> float:
    """Return the nats by which a contender in an order must exceed a plain one in a natural order."""
    free = order is Order.RATIO and isinstance(contender.partition, Thresholds)
    odd = CROSSED_IS_ODDER if isinstance(contender.partition, Crossed) else is_odd(contender.partition)
    return PRICE_OF_FREE_ORDER * free + PRICE_OF_ODD_FEATURE * odd


@dataclass(frozen=True)
class ViewChoice:
    """A view with the counts of the releases by which it was chosen.

    Attributes:
        view: cells in an order.
        past: (cells, 2) counts of the past releases in the view's order; a fitted score counts releases outside its
            fit, so that the predicted growth is not biased.
    """

    view: View
    past: Counts


def contenders_of(past: PastReleases, parts: tuple[Part, ...]) -> list[Contender]:
    """Return the contenders of past releases: their forms, and the cells of each feature."""
    forms = categories_of(past.left, past.right)
    features = scalar_features(past.left, past.right, parts)
    cells: list[Partition] = [forms] if len(forms.names) > 1 or not past.left.keys else []
    cells += (thresholds_of(feature, past) for feature in features)
    cells += (crossed(Value(bit.key), bit, past) for bit in features if isinstance(bit, LowestBit))
    return [unfitted(each, past) for each in cells]


def outstanding(left: Sample, right: Sample, hypotheses: Hypotheses) -> float:
    """Return the excess over the claim, on odd releases, of the best event of even releases, in standard errors.

    The result is reduced by NOISE, so a positive value is significant. It is a cheap screening of a pair.
    """
    best, excess = -np.inf, 0.0
    for each in contenders_of(PastReleases(left, right), distinguishing_parts(left, right)):
        even, odd = each.tables
        order = list(ratio_order(even))
        scores = standard_scores(even[order], hypotheses)
        if scores.max(initial=-np.inf) > best:
            best = float(scores.max())
            excess = float(standard_scores(odd[order], hypotheses).flat[scores.argmax()])
    return excess - NOISE


def learn(left: Sample, right: Sample, hypotheses: Hypotheses) -> ViewChoice:
    """Return a partition and an order of its cells, learnt from past releases.

    Args:
        left: past releases of the left histogram, with the columns of `right`.
        right: past releases of the right histogram.
        hypotheses: the levels of the claim to be refuted.
    """
    past = PastReleases(left, right)
    softer = np.outer(SOFTER, hypotheses.epsilon).ravel()
    forward, backward = (np.tile(delta, len(SOFTER)) for delta in (hypotheses.forward, hypotheses.backward))
    nested = Hypotheses(softer, forward, backward, hypotheses.directions)
    parts = distinguishing_parts(left, right)
    contenders = contenders_of(past, parts)
    contenders += [atoms_of(value, past) for key in left.keys[:MOST_ATOMS] if repeats(value := Value(key), past)]
    scored = min(MOST_SCORED, SCORED_A_RELEASE * len(past))
    keys: tuple[str | Part, ...] = (*distinguishing_keys(left, right, scored), *parts)
    if len(keys) > 1:
        scores = CrossFitted(past, keys)
        contenders.append(scores.counted(thresholds_of(scores.scores[0], past).cuts))
    pure = Hypotheses(softer, np.zeros(len(softer)), np.zeros(len(softer)), hypotheses.directions)
    ranking = np.argsort(-screening_scores([each.counts for each in contenders], pure), kind="stable")[:FINALISTS]
    finalists = [contenders[place] for place in ranking]
    options = [(each, kind) for each in finalists for kind in orders_of(each.partition, each.counts)]
    chosen, kind = options[int(np.argmax(scores_of(options, nested)))]
    partition, counts = chosen.partition, chosen.counts
    if isinstance(partition, Thresholds) and isinstance(partition.feature, Score):
        partition = thresholds_of(fit_score(left, right, keys, scores.scores[0]), past)
        counts = scores.counted(partition.cuts).counts
    elif isinstance(partition, OneSided):
        partition = one_sided(
            partition.feature, *(side[np.isfinite(side)] for side in map(np.unique, past.columns(partition.feature)))
        )
    if kind is not Order.RATIO:  # all releases determine the left-like end better than those of the finalists
        kind = orders_of(partition, counts)[0]
    order = order_of(kind, counts)
    if hypotheses.new_key is not None:  # cells without releases of the other side move to the end of this direction
        other = 1 if hypotheses.new_key is Direction.FORWARD else 0
        order = tuple(sorted(order, key=lambda cell: bool(counts[cell, other]) == bool(other)))
    return ViewChoice(View(partition, order), counts[list(order)])


def coarsen(choice: ViewChoice, hypotheses: Hypotheses, number: int) -> ViewChoice:
    """Return a view with fewer candidate events: the events that violate the claim most clearly in each direction.

    Args:
        choice: fine cells of a feature; other partitions are returned unchanged.
        hypotheses: the levels of the claim.
        number: events to keep per direction and level.
    """
    view = choice.view
    if not isinstance(view.partition, Thresholds):
        return choice
    best = np.argsort(-standard_scores(choice.past, hypotheses), axis=-1, kind="stable")[..., :number] + 1
    sizes = np.union1d(best[:, 0], view.partition.cells - best[:, 1])
    rank = {cell: place for place, cell in enumerate(view.order)}
    group = [int(np.searchsorted(sizes, rank[cell], side="right")) for cell in range(view.partition.cells)]
    borders = [place for place in range(1, view.partition.cells - 1) if group[place] != group[place + 1]]
    first_cells = [0, 1, *(place + 1 for place in borders)]
    order = sorted(range(len(first_cells)), key=lambda cell: (group[first_cells[cell]], rank[first_cells[cell]]))
    cuts = tuple(view.partition.cuts[place - 1] for place in borders)
    by_cell = choice.past[[rank[cell] for cell in range(view.partition.cells)]]
    merged = np.add.reduceat(by_cell, first_cells, axis=0)
    return ViewChoice(View(Thresholds(view.partition.feature, cuts), tuple(order)), merged[order])
