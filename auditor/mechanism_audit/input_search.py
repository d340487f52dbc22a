"""Chooses the data sets that an audit gives a target: what is known of its input, searched for a large privacy loss."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.inputs.candidates import Candidate
from auditor.inputs.data import Data, Rows
from auditor.inputs.histograms import FEW, LARGEST_POWER, LEAST_POWER, HistogramModel
from auditor.inputs.ranking import LARGEST_LOSS
from auditor.inputs.rows import RowModel
from auditor.inputs.search import FIRST_RELEASES, SECOND_RELEASES, Ranked, Search
from auditor.inputs.strategies import draw_pairs, histogram_pairs, row_pairs
from auditor.inputs.tables import Table
from auditor.inputs.values import Values
from auditor.mechanism_audit.request import NEXT_TO_NOTHING
from auditor.mechanism_audit.sampler import LONG, Pace, Sampler
from auditor.target.target import MisbehavedError
from proofs_numeric.statements.adjacency import EachAnswer, ReplaceUser

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from auditor.inputs.strategies import Strategy
    from auditor.mechanism_audit.promise import Level, Promise
    from auditor.mechanism_audit.request import MechanismRequest
    from proofs_numeric.statements.neighbours import Neighbours

RANK_SECONDS, DRAW_SECONDS, AGAIN_SECONDS = 1.5, 1.0, 3.0
"""CPU seconds, in an audit of the usual budget, for ranking the catalogue and the pairs drawn after it, and for each of
the steps after that: ranking the best pairs again, trying whether the target takes them, and ranking all pairs."""
MEANINGFUL = 0.5
"""Share of the claimed epsilon from which on estimated losses decide which pairs are left out."""
CLEAR = 1.25
"""Times the claimed epsilon from which on an estimated loss gets its pair more of the capital."""
RANKED_SHARE = 0.5
"""Capital of the pairs whose estimated loss is as large."""
STRATEGY = "the user's strategy"
"""The family of the pairs that the user's strategy yields."""
DRAWN = 150
"""Pairs that are drawn from strategies at most."""
UNNAMED_KEYS = 6
"""Keys of histograms where nobody names keys."""
GROWS = 3.0
"""Times as long as a release of count 2^10 that one of 2^20 may take, for larger counts to be tried."""
LEAST_RELEASE = 1e-4
"""CPU seconds of a release below which its growth with the count is not judged."""


@dataclass(frozen=True)
class Inputs:
    """What the search of data sets found.

    Attributes:
        pairs: the best pairs within the data and the declarations, the best first.
        losses: their estimated privacy losses.
        beyond: the best pair of each kind that lies beyond them.
        search: all that was tried.
    """

    pairs: tuple[Neighbours, ...]
    losses: tuple[float, ...]
    beyond: tuple[Ranked, ...]
    search: Search


def values_of(data: Data | None, declared: Sequence[float] | None) -> Values:
    """Return the values that rows have: those declared, else those of the data; 1 if there are neither."""
    own = [value for *_, value in data.rows] if isinstance(data, Rows) else []
    integers = data.layout.integers if isinstance(data, Table) else None
    if declared is not None:
        low, high, *special = declared
        return Values(
            low, high, tuple(special), tuple(v for v in own if low <= v <= high), declared=True, integers=integers
        )
    if not isinstance(data, Rows):
        return Values()
    low, high = data.value_ends
    none = isinstance(data, Table) and data.layout.value is None
    return Values(low, high, data.special_values, tuple(own), declared=none, integers=integers)


def search_inputs(
    sampler: Sampler, promise: Promise, request: MechanismRequest, data: Data | None, seed: int
) -> Inputs:
    """Return the data sets worth betting on; how many pairs were ranked is a stage of the pace.

    Errors:
        MisbehavedError: the target hangs, dies or returns no JSON value on data within what is known.
        BudgetSpentError: the budget is over.
    """
    search = Search(sampler, seed, sampler.pace.clock, release_seconds=sampler.expected_seconds)
    if sampler.yielded:
        _ranked(search, sampler.pace, RANK_SECONDS, (Candidate(pair, STRATEGY) for pair in sampler.yielded))
    if not sampler.rows:
        _search_histograms(search, sampler, promise, data)
    elif not isinstance(promise.adjacency, EachAnswer):
        _search_rows(search, sampler, promise, request, data)
    search.second = _second(sampler, len(search.contenders()))
    best = _accepted(search, sampler, seed) if search.ranked else []
    sampler.moved = sampler.moved or any(one.loss > 0 for one in search.ranked)
    return Inputs(
        tuple(one.candidate.pair for one in best), tuple(one.loss for one in best), tuple(search.best_beyond()), search
    )


def _second(sampler: Sampler, pairs: int) -> int:
    """Return how many releases per data set rank pairs again in their share of the time: a stage of the pace."""
    pace = sampler.pace
    affordable = pace.share_of(AGAIN_SECONDS) / max(1e-9, 2 * max(1, pairs) * sampler.expected_seconds)
    releases = min(SECOND_RELEASES, int(affordable)) if affordable >= FIRST_RELEASES else 0
    limit = pace.limit()
    releases = releases if limit is None else limit
    pace.drawn.append(releases)
    return releases


def _accepted(search: Search, sampler: Sampler, seed: int) -> list[Ranked]:
    """Return the best pairs that the target takes, of a slow one as many as time allows: a stage of the pace."""
    pace, found, tried = sampler.pace, list[Ranked](), 0
    limit, until = pace.limit(), pace.clock() + pace.share_of(AGAIN_SECONDS)
    for one in search.best():
        if tried >= limit if limit is not None else tried and pace.clock() >= until:
            break
        tried += 1
        found += [one] if sampler.accepts(one.candidate.pair, seed) else []
    pace.drawn.append(tried)
    return found


def _search_rows(
    search: Search, sampler: Sampler, promise: Promise, request: MechanismRequest, data: Data | None
) -> None:
    adjacency, own = promise.adjacency, data if isinstance(data, Rows) else None
    replaces = isinstance(adjacency, ReplaceUser)
    c_u = adjacency.most_changed // 2 if replaces else adjacency.most_changed
    keys = tuple(sampler.keys or sampler.looked_up or ("k0", "k1", "k2"))
    declared = (request.c_u is not None or sampler.one_record, request.per_key is not None or sampler.one_record)
    model = RowModel(
        own, keys, values_of(data, request.values), c_u, adjacency.per_key, replaces, declared, search.seed
    )
    _ranked(search, sampler.pace, RANK_SECONDS, model.candidates())
    _ranked(search, sampler.pace, RANK_SECONDS / 2, model.beyond())
    _draw(search, sampler.pace, lambda: row_pairs(model, [one for one in search.reached if isinstance(one, Rows)]))


def _search_histograms(search: Search, sampler: Sampler, promise: Promise, data: Data | None) -> None:
    adjacency, pace = promise.adjacency, sampler.pace
    unnamed = tuple(f"k{i}" for i in range(max(UNNAMED_KEYS, min(adjacency.most_changed, 2 * UNNAMED_KEYS))))
    known = tuple(sampler.keys or sampler.looked_up)
    keys = known or unnamed
    largest = sampler.largest if data is not None else 2**LARGEST_POWER
    model = HistogramModel(keys, bool(known), adjacency, largest, search.seed)
    _ranked(search, pace, RANK_SECONDS / 2, model.powers(LEAST_POWER, FEW))
    more = largest > 2**FEW and (pace.planned is not None or _takes_no_longer(sampler, keys[0], search.seed))
    _ranked(search, pace, RANK_SECONDS / 2, model.powers(FEW + 1, LARGEST_POWER) if more else ())
    _ranked(search, pace, RANK_SECONDS, model.candidates())
    _draw(search, pace, lambda: histogram_pairs(model, [dict(one) for one in search.reached]))


def _takes_no_longer(sampler: Sampler, key: str, seed: int) -> bool:
    """Return whether a release of 2^20 users takes about as long as one of 2^10."""
    try:
        small, large = (sampler.survey([{key: n}], 4, seed, 1.0).batch.cpu_seconds / 4 for n in (2**10, 2**20))
    except MisbehavedError:
        return False
    return large <= max(GROWS * small, LEAST_RELEASE) and large <= LONG


def _ranked(search: Search, pace: Pace, seconds: float, candidates: Iterable[Candidate]) -> None:
    """Rank pairs for so many CPU seconds of an audit of the usual budget; their number is a stage of the pace."""
    with _stage(search, pace, seconds):
        search.rank(candidates)


def _draw(search: Search, pace: Pace, strategy: Callable[[], Strategy]) -> None:
    """Rank pairs drawn from a strategy; their number is a stage of the pace."""
    with _stage(search, pace, DRAW_SECONDS):
        if search.ranked and not search.over:
            draw_pairs(strategy(), search.estimate, DRAWN, search.seed)


@contextmanager
def _stage(search: Search, pace: Pace, seconds: float) -> Iterator[None]:
    search.count, search.limit = 0, pace.limit()
    search.until = pace.clock() + pace.share_of(seconds)
    yield
    pace.drawn.append(search.count)


def with_ranked(
    sampler: Sampler,
    pairs: Sequence[Neighbours],
    weights: Sequence[float],
    inputs: Inputs,
    level: Level,
    kept: Container[str],
) -> tuple[tuple[Neighbours, ...], tuple[float, ...]]:
    """Return the pairs with those that were ranked best, and the capital each starts with.

    Of pairs with the same estimated loss, to the last digit, the one of fewest keys is bet on: with the same draws the
    target does the same on them. Where pure epsilon is claimed and estimates are large enough to mean something, pairs
    of less than half the largest loss are left out, but for those whose ids are `kept`; estimates say nothing of what
    is rare. Pairs of a loss above the claimed epsilon get half of the capital together.
    """
    inputs.search.second = _second(sampler, len(pairs))
    others = inputs.search.ranked_again([Candidate(pair, pair.id) for pair in pairs])
    losses = {one.candidate.pair.id: one.loss for one in others}
    ranked = zip(inputs.pairs, inputs.losses, strict=True)
    new = {pair.id: loss for pair, loss in ranked if loss > 0 or not pairs}
    largest = max([*losses.values(), *new.values()], default=0.0)
    known = bool(others) and level.delta <= NEXT_TO_NOTHING and largest >= MEANINGFUL * level.epsilon
    least = largest / 2 if known else 0.0
    share = dict(zip((pair.id for pair in pairs), weights, strict=True))
    own = [pair for pair in pairs if pair.id in kept or losses.get(pair.id, 0.0) >= least]
    added = [pair for pair in inputs.pairs if pair.id in new]
    chosen = _unlike([*own, *added], {**losses, **new}, kept)
    clear = [pair for pair in chosen if {**losses, **new}.get(pair.id, 0.0) > CLEAR * level.epsilon]
    weight = {pair.id: share.get(pair.id, 1.0 / (len(pairs) + len(added))) for pair in chosen}
    total = sum(weight.values())
    part = RANKED_SHARE if clear else 0.0
    capital = [(1 - part) * weight[pair.id] / total + (part / len(clear) if pair in clear else 0.0) for pair in chosen]
    return tuple(chosen), tuple(capital)


def _unlike(pairs: Sequence[Neighbours], losses: Mapping[str, float], kept: Container[str]) -> list[Neighbours]:
    """Return the pairs without those whose loss another one of no more keys has; of no loss and of the largest all."""
    first: dict[float, str] = {}
    for pair in sorted(pairs, key=lambda pair: (pair.id not in kept, len(pair.left.keys() | pair.right.keys()))):
        first.setdefault(losses.get(pair.id, 0.0), pair.id)
    return [
        pair
        for pair in pairs
        if pair.id in kept or not 0 < (loss := losses.get(pair.id, 0.0)) < LARGEST_LOSS or first[loss] == pair.id
    ]
