"""Choice of the datasets that an audit gives a target: a search for a large privacy loss within the declarations."""

from __future__ import annotations

import math
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any

from auditor.inputs.candidates import MANY_KEYS, Candidate
from auditor.inputs.constants import LONGEST_TEXT, MOST_TEXTS, compared_texts, counts_of_code
from auditor.inputs.data import Data, Rows
from auditor.inputs.histograms import FEW, LARGEST_POWER, LEAST_POWER, HistogramModel
from auditor.inputs.ranking import LARGEST_LOSS, raises
from auditor.inputs.rows import LARGEST_DATA, LEAST_SHARE, MOST_SHARE, SIZES, RowModel
from auditor.inputs.search import FIRST_RELEASES, SECOND_RELEASES, EstimatedPair, Search
from auditor.inputs.tables import Table
from auditor.inputs.values import Values
from auditor.mechanism_audit.pair_search import FEW_USERS, LARGEST_COUNT, large_jumps
from auditor.mechanism_audit.sampler import FEWEST_LOOKS, LISTED, LONG, Pace, Sampler, strings_of
from auditor.target.target import MisbehavedError
from proofs_numeric.statements.adjacency import EachAnswer, ReplaceUser

if TYPE_CHECKING:
    from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence

    from auditor.mechanism_audit.promise import Promise
    from auditor.mechanism_audit.request import MechanismRequest
    from auditor.target.target import Batch
    from proofs_numeric.statements.neighbours import Neighbours

RANK_SECONDS, DRAW_SECONDS, AGAIN_SECONDS = 1.5, 1.0, 3.0
"""CPU seconds at the default budget. First: ranking the catalogue. Second: ranking the pairs drawn after it. Third:
each later step (ranking the best pairs again, testing whether the target accepts them, ranking all pairs)."""
JUMP_LOOKS = 25
"""Approximate number of data sets looked at to find where a released number jumps."""
MEANINGFUL = 0.5
"""Share of the claimed epsilon from which estimated losses decide which pairs are left out."""
CLEAR = 1.25
"""Multiple of the claimed epsilon from which an estimated loss gives its pair more capital."""
CLEARLY_MORE, MOST_CHECKED = 1.5, 4
"""Multiple of the loss of a pair of few keys from which a pair of many keys is tested, and number of such pairs that
are ranked again."""
RANKED_SHARE = 0.5
"""Share of the capital for the pairs above that multiple."""
ADDING_SQUARES = frozenset({"rho", "mu"})
"""Measures under which the squares of the losses of several numbers add."""
PAIRS_SHARE, ALIKE_SHARE, FEWEST_PAIRS = 0.4, 0.1, 2
"""Share of the remaining time in which one pair of each kind must get its releases, share in which all pairs must, and
number of pairs that are tested in any case."""
ALIKE = 0.95
"""Ratio of two estimated losses from which their pairs are alike."""
STRATEGY = "the user's strategy"
"""Family of the pairs from the user's strategy."""
DRAWN_PAIRS, FEWEST_DRAWN_PAIRS = 150, 10
"""Numbers of pairs drawn from strategies: at the default budget, and at least at a smaller budget."""
UNNAMED_KEYS = 6
"""Number of keys of histograms if no keys are named."""
GROWS = 3.0
"""Largest ratio of the time of a release of count 2^20 to one of count 2^10 at which larger counts are tried."""
STEPS_ABOVE, PRECONDITION_RELEASES = (100, 7, 3, 2, 1, 0), 16
"""Further users above a count, and releases of each dataset, by which an exception counts as a precondition."""
LEAST_RELEASE = 1e-4
"""CPU seconds of a release below which its growth with the count is ignored."""


@dataclass(frozen=True)
class Inputs:
    """Result of the search of datasets.

    Attributes:
        pairs: the best pairs within the data and the declarations, best first.
        losses: their estimated privacy losses.
        beyond: the best pair of each kind beyond the data and the declarations.
        search: all pairs tried.
        bounds: options that declare the bounds of the user's data, for those that the caller did not declare.
        notes: the largest data tried, if they are smaller than asked for.
    """

    pairs: tuple[Neighbours, ...]
    losses: tuple[float, ...]
    beyond: tuple[EstimatedPair, ...]
    search: Search
    bounds: Mapping[str, Any] = field(default_factory=dict)
    notes: Sequence[str] = ()


def values_of(data: Data | None, declared: Sequence[float] | None) -> Values:
    """Return the values of rows: declared values, otherwise values of the data; 1 if there are neither."""
    data_values = [value for *_, value in data.rows] if isinstance(data, Rows) else []
    integers = data.layout.integers if isinstance(data, Table) else None
    finite_values = [value for value in (*data_values, *(declared or ())) if math.isfinite(value)]
    whole = bool(data_values) and all(float(value).is_integer() for value in finite_values)
    if declared is not None:
        low, high, *special = declared
        return Values(low, high, tuple(special), tuple(data_values), declared=True, integers=integers, whole=whole)
    if not isinstance(data, Rows):
        return Values()
    low, high = data.value_ends
    none = isinstance(data, Table) and data.layout.value is None
    return Values(low, high, data.special_values, tuple(data_values), declared=none, integers=integers, whole=whole)


def search_inputs(
    sampler: Sampler,
    promise: Promise,
    request: MechanismRequest,
    data: Data | None,
    yielded: Sequence[Neighbours],
    seed: int,
) -> Inputs:
    """Return the pairs of datasets worth testing; the recorded block counts include the numbers of ranked pairs.

    Args:
        sampler: source of the releases.
        promise: claim.
        request: options.
        data: the user's data.
        yielded: neighbouring pairs of the user's strategy.
        seed: seed of all draws.

    Errors:
        MisbehavedError: the target hangs, dies or returns no JSON value on data within the declarations.
        BudgetSpentError: the budget is exhausted.
    """
    search = Search(sampler, seed, sampler.pace.clock, release_seconds=sampler.expected_seconds)
    search.order = 2 if promise.measure.keys() & ADDING_SQUARES else 1
    if yielded:
        _rank_pairs(search, sampler.pace, RANK_SECONDS, (Candidate(pair, STRATEGY) for pair in yielded))
    bounds: Mapping[str, Any] = {}
    notes: list[str] = []
    if not sampler.rows:
        bounds = _search_histograms(search, sampler, promise, request, data, notes)
    elif not isinstance(promise.adjacency, EachAnswer):
        bounds = _search_rows(search, sampler, promise, request, data, notes)
    notes += _preconditions(search)
    search.second = _second(sampler, len(search.contenders()))
    best = _accepted(search, sampler, seed) if search.estimates else []
    best = [*_of_many_keys(search, sampler, seed), *(one for one in best if not _has_many_keys(one))]
    sampler.record_difference(has_difference=any(one.loss > 0 for one in search.estimates))
    return Inputs(
        tuple(one.candidate.pair for one in best), tuple(one.loss for one in best), tuple(search.best_beyond()), search,
        {name: bound for name, bound in bounds.items() if getattr(request, name) in (None, ())}, notes,
    )  # fmt: skip


def _has_many_keys(one: EstimatedPair) -> bool:
    return one.candidate.family.startswith(MANY_KEYS)


def _of_many_keys(search: Search, sampler: Sampler, seed: int) -> list[EstimatedPair]:
    """Return the pair of fewest keys that loses clearly more than the same pair of few keys; empty without one.

    A release of many keys takes the time of many releases. So pairs of many keys that lose no more are left out.
    """
    families: dict[str, list[EstimatedPair]] = {}
    for one in sorted(filter(_has_many_keys, search.estimates), key=_keys_of):
        families.setdefault(one.candidate.family, []).append(one)
    more = [(few, one) for few, *many in families.values() for one in many if one.loss > CLEARLY_MORE * few.loss]
    for few, one in sorted(more, key=lambda pair: _keys_of(pair[1]))[:MOST_CHECKED]:
        again = {each.candidate.pair.id: each for each in search.estimate_again([few.candidate, one.candidate])}
        loss, usual = (again.get(each.candidate.pair.id, each).loss for each in (one, few))
        if loss > CLEARLY_MORE * usual and sampler.accepts(one.candidate.pair, seed):
            return [replace(one, loss=loss)]
    return []


def _keys_of(one: EstimatedPair) -> int:
    return len(one.candidate.pair.left)


def _preconditions(search: Search) -> list[str]:
    """Return a note on the data beyond the user's on which the target raises: no output, as if nobody had such data."""
    preconditions = search.preconditions
    if not preconditions:
        return []
    more = f" and {len(preconditions) - LISTED} more" if len(preconditions) > LISTED else ""
    errors, remedies = (dict.fromkeys(parts) for parts in zip(*preconditions.values(), strict=True))
    where = f"raises {', '.join(errors)} on data beyond yours ({', '.join([*preconditions][:LISTED])}{more})"
    return [f"{where}: taken as a precondition, not as an output; to audit it: {'; '.join(remedies)}"]


def _second(sampler: Sampler, pairs: int) -> int:
    """Return the releases per dataset for which there is time to rank pairs again, and record the number."""
    pace = sampler.pace
    affordable = pace.share_of(AGAIN_SECONDS) / max(1e-9, 2 * max(1, pairs) * sampler.expected_seconds)
    releases = min(SECOND_RELEASES, int(affordable)) if affordable >= FIRST_RELEASES else 0
    return pace.decide(releases)


def _accepted(search: Search, sampler: Sampler, seed: int) -> list[EstimatedPair]:
    """Return the best pairs that the target accepts, as many as time allows, and record the number tried."""
    pace = sampler.pace
    until = pace.clock() + pace.share_of(AGAIN_SECONDS)
    best = search.best()  # takes part of the time
    best_pairs = pace.within(best, until - pace.clock(), fewest=1)
    return [one for one in best_pairs if sampler.accepts(one.candidate.pair, seed)]


def _search_rows(
    search: Search, sampler: Sampler, promise: Promise, request: MechanismRequest, data: Data | None, notes: list[str]
) -> dict[str, Any]:
    """Rank pairs of rows, and return options that declare the bounds of the data; note the largest data tried."""
    adjacency, rows = promise.adjacency, data if isinstance(data, Rows) else None
    replaces = isinstance(adjacency, ReplaceUser)
    c_u = adjacency.most_changed // 2 if replaces else adjacency.most_changed
    known_keys = tuple(sampler.keys or sampler.looked_up)
    keys = known_keys or ("k0", "k1", "k2")
    declared = (request.c_u is not None or sampler.one_record, request.per_key is not None or sampler.one_record)
    most = request.largest_count or LARGEST_DATA
    largest = most if rows is None else sampler.largest
    new_keys = data.new_keys if isinstance(data, Table) and not (replaces or request.keys) else ()
    model = RowModel(
        rows, keys, values_of(data, request.values), c_u, adjacency.per_key, replaces, declared, search.seed, largest,
        most, new_keys, has_keys=bool(known_keys),
    )  # fmt: skip
    _rank_pairs(search, sampler.pace, RANK_SECONDS, model.candidates())
    reached = _rank_by_size(search, sampler.pace, RANK_SECONDS / (2 if request.largest_count is None else 0.5), model)
    notes += _largest_tried(request, reached)
    texts = () if known_keys else (*_released_labels(sampler, search.seed), *compared_texts(search.steps))
    opened = _open_keys(sampler, promise, request, data)
    of_code = replace(model, keys=tuple(dict.fromkeys((*texts, *keys))))
    counts = counts_of_code(search.steps, min(model.limit, 2 * reached))
    _rank_pairs(search, sampler.pace, RANK_SECONDS / 2, of_code.of_counts(counts))
    _rank_pairs(search, sampler.pace, RANK_SECONDS / 2, of_code.candidates() if texts else ())
    _rank_pairs(search, sampler.pace, RANK_SECONDS / 2, model.alike(opened=opened))
    _rank_pairs(search, sampler.pace, RANK_SECONDS / 2, model.beyond())
    _rank_pairs(search, sampler.pace, RANK_SECONDS / 2, model.of_shares(_jumps(search, sampler, model, reached)))
    _draw(search, sampler.pace, model)
    values = model.values
    bounds: dict[str, Any] = {} if rows is None else {"largest_count": largest}
    bounds |= {} if sampler.one_record else {"c_u": c_u, "per_key": adjacency.per_key}
    low = min(0.0, values.low) if rows is None else values.low  # a range of one value would leave nothing to vary
    bounds |= {} if values.declared else {"values": (low, values.high, *values.special)}
    return bounds | ({"keys": keys} if (opened and rows is not None) or new_keys else {})


def _jumps(search: Search, sampler: Sampler, model: RowModel, reached: int) -> tuple[int, ...]:
    """Return numbers of users of the largest value at which a released number jumps, for example by rounding."""
    if model.values.low == model.values.high or min(model.largest, model.limit, reached) < 2 * MOST_SHARE:
        return ()

    @cache
    def look(count: int) -> Batch | None:
        return sampler.look_at(model.mixed(count), search.seed, FEWEST_LOOKS)

    began = sampler.pace.clock()
    look(LEAST_SHARE)
    seconds = JUMP_LOOKS * (sampler.pace.clock() - began)
    is_fast = sampler.pace.decide_whether(seconds <= sampler.pace.share_of(RANK_SECONDS))
    return large_jumps(look, MOST_SHARE, LEAST_SHARE, rounded=True) if is_fast else ()


def _released_labels(sampler: Sampler, seed: int) -> list[str]:
    """Return the texts in a few releases of data that lack them: keys that the code may know."""
    batch = sampler.look_at({sampler.first_key: 2}, seed)
    texts = set[str]() if batch is None else {text for shape in batch.shapes or () for text in strings_of(shape)}
    return sorted(text for text in texts - {sampler.first_key} if 0 < len(text) <= LONGEST_TEXT)[:MOST_TEXTS]


def _search_histograms(
    search: Search, sampler: Sampler, promise: Promise, request: MechanismRequest, data: Data | None, notes: list[str]
) -> dict[str, Any]:
    """Rank pairs of histograms, and return options that declare the bounds of the data; note the largest data tried."""
    adjacency, pace = promise.adjacency, sampler.pace
    unnamed = tuple(f"k{i}" for i in range(max(UNNAMED_KEYS, min(adjacency.most_changed, 2 * UNNAMED_KEYS))))
    known_keys = tuple(sampler.keys or sampler.looked_up)
    keys = known_keys or unnamed
    most_users = request.largest_count or 2**LARGEST_POWER
    largest = sampler.largest if data is not None else most_users
    model = HistogramModel(keys, bool(known_keys), adjacency, largest, search.seed, most_users)
    small = LEAST_POWER, FEW
    _rank_pairs(search, pace, RANK_SECONDS / 2, chain(model.roundings(*small), model.powers(*small)))
    more = (
        most_users > 2**FEW
        and not sampler.few
        and (pace.planned is not None or _takes_no_longer(sampler, keys[0], search.seed))
    )
    large = FEW + 1, LARGEST_POWER
    _rank_pairs(search, pace, RANK_SECONDS / 2, chain(model.roundings(*large), model.powers(*large)) if more else ())
    notes += _largest_tried(request, 2 ** (LARGEST_POWER if more else FEW))
    if data is None and request.largest_count is None and (most := _most_accepted(search, sampler)) is not None:
        model = replace(model, largest=most, limit=most)
        search.leave_out_above(most)
        notes.append(
            f"raises from {most + 1} users on ({sampler.error}): taken as a precondition, not as an output; give "
            f"--largest-count {most + 1} to audit the exception as an output"
        )
    _rank_pairs(search, pace, RANK_SECONDS, model.candidates())
    texts = () if known_keys else (*compared_texts(search.steps), *_released_labels(sampler, search.seed))
    _rank_pairs(search, pace, RANK_SECONDS / 2, model.of_code(texts))
    counts = counts_of_code(search.steps, 2 ** (LARGEST_POWER if more else FEW))
    _rank_pairs(search, pace, RANK_SECONDS / 2, model.of_counts(counts))
    _rank_pairs(search, pace, RANK_SECONDS / 2, model.zeros(beyond=data is None or 0 not in data.values()))
    opened = _open_keys(sampler, promise, request, data)
    _rank_pairs(search, pace, RANK_SECONDS / 2, model.alike(opened=opened, beyond=data is not None))
    _draw(search, pace, model)
    if data is None:
        return {}
    return {"largest_count": largest, **({"keys": keys} if opened else {})}


def _most_accepted(search: Search, sampler: Sampler) -> int | None:
    """Return the most users of a histogram if more break a precondition of the target; None without a precondition.

    Counts that no caller declared may be outside the domain of a mechanism, for example above 32 bits. An exception
    is a precondition if every release raises from some count on and smaller counts are accepted. An exception at single
    counts, or from a count of at most `LARGEST_COUNT` on, stays an output.
    """
    least = math.inf
    for pair in [one.pair for one in search.raising_pairs]:
        base = max(pair.left, pair.right, key=lambda side: sum(side.values()))
        key, count = max(base.items(), key=lambda item: item[1])
        above = [{**base, key: count + more} for more in (15 * count, 3 * count, count, *STEPS_ABOVE)]
        below = [{**base, key: less} for less in (count - 1, count - 2, count // 2)]
        if LARGEST_COUNT < sum(base.values()) < least:
            survey = sampler.survey([*below, *above], PRECONDITION_RELEASES, search.seed, math.inf)
            failures = [raises(survey, place) for place in range(len(below) + len(above))]
            least = sum(base.values()) if failures == [False] * len(below) + [True] * len(above) else least
    return None if math.isinf(least) else int(least) - 1


def _open_keys(sampler: Sampler, promise: Promise, request: MechanismRequest, data: Data | None) -> bool:
    """Return whether data may have keys that nobody named: neither the caller, the target nor the claim.

    Where a user replaces another, a key that the target ignores would take the user out of the user's own data.
    """
    if data is not None and isinstance(promise.adjacency, ReplaceUser):
        return False
    named_keys = request.keys or sampler.target.public_partitions or promise.keys or sampler.looked_up
    return not (named_keys or sampler.fixed_keys)


def _takes_no_longer(sampler: Sampler, key: str, seed: int) -> bool:
    """Return whether a release of 2^20 users takes about as long as a release of 2^10 users."""
    try:
        small, large = (sampler.survey([{key: n}], 4, seed, 1.0).batch.cpu_seconds / 4 for n in (2**10, 2**20))
    except MisbehavedError:
        return False
    return large <= max(GROWS * small, LEAST_RELEASE) and large <= LONG


def _rank_pairs(search: Search, pace: Pace, seconds: float, candidates: Iterable[Candidate]) -> None:
    """Rank pairs for this number of CPU seconds, scaled to the budget, and record how many were ranked."""
    with _stage(search, pace, seconds):
        search.rank(candidates)


def _rank_by_size(search: Search, pace: Pace, seconds: float, model: RowModel) -> int:
    """Rank pairs of ever more rows while the next pair fits the time, and return the largest number of users tried."""
    reached, took = SIZES[-1], 0.0
    with _stage(search, pace, seconds):
        for users, candidate in model.powers():
            began, count = search.clock(), search.count
            if search.over or (search.limit is None and began + 2 * took > search.until):
                break
            search.rank([candidate])
            reached, took = users if search.count > count else reached, search.clock() - began
    return reached


def _largest_tried(request: MechanismRequest, reached: int) -> list[str]:
    """Return a note if fewer users were tried than the caller's largest count, or than the least default."""
    limit = request.largest_count or FEW_USERS
    declared = "" if request.largest_count is None else f", fewer than --largest-count {limit:,}"
    return [f"invented data had up to {reached:,} users{declared}: more take too long"] if 2 * reached <= limit else []


def _draw(search: Search, pace: Pace, model: RowModel | HistogramModel) -> None:
    """Rank pairs drawn from a strategy, and record how many were ranked."""
    from auditor.inputs import strategies  # a gross fault is found without Hypothesis, which is slow to import

    with _stage(search, pace, DRAW_SECONDS):
        if search.estimates and not search.over:
            if isinstance(model, RowModel):
                strategy = strategies.row_pairs(model, [one for one in search.reached if isinstance(one, Rows)])
            else:
                strategy = strategies.histogram_pairs(model, [dict(one) for one in search.reached])
            number = max(FEWEST_DRAWN_PAIRS, round(pace.share_of(DRAWN_PAIRS)))
            search.rank(strategies.draw_pairs(strategy, number, search.seed))


@contextmanager
def _stage(search: Search, pace: Pace, seconds: float) -> Iterator[None]:
    search.count, search.limit = 0, pace.limit()
    search.until = pace.clock() + pace.share_of(seconds)
    yield
    pace.blocks.append(search.count)


def with_ranked(
    sampler: Sampler,
    pairs: Sequence[Neighbours],
    weights: Sequence[float],
    inputs: Inputs,
    epsilon: float,
    kept_ids: Container[str],
    first_id: str,
    releases: float,
    *,
    pure: bool,
) -> tuple[tuple[Neighbours, ...], tuple[float, ...]]:
    """Return the pairs with the best-ranked pairs added, and the initial capital of each.

    Of pairs with equal estimated losses only the pair of fewest keys stays: with equal draws the target treats them
    alike. If the claim excludes rare events and the estimates are large enough, pairs below half the largest loss are
    left out. Pairs whose ids are in `kept_ids` stay, because estimates ignore rare events. Pairs with a loss clearly
    above the claimed epsilon share half of the capital. If the claim excludes rare events, only as many pairs stay as
    get their releases in time; see `affordable_pairs`.

    Args:
        sampler: source of the releases.
        pairs: pairs so far.
        weights: initial capital of each of them.
        inputs: the datasets searched, with their estimated losses.
        epsilon: usual privacy loss of the claim.
        kept_ids: ids of pairs that stay.
        first_id: id of a pair that stays even if its releases take long.
        releases: releases per dataset that the required power takes for each pair.
        pure: whether the claim allows no event that is impossible on the neighbour.
    """
    inputs.search.second = _second(sampler, len(pairs))
    others = inputs.search.estimate_again([Candidate(pair, pair.id) for pair in pairs])
    losses = {one.candidate.pair.id: one.loss for one in others}
    ranked_losses = zip(inputs.pairs, inputs.losses, strict=True)
    new = {pair.id: loss for pair, loss in ranked_losses if loss > 0 or not pairs}
    largest = max([*losses.values(), *new.values()], default=0.0)
    is_meaningful = bool(others) and pure and largest >= MEANINGFUL * epsilon
    least = largest / 2 if is_meaningful else 0.0
    share = dict(zip((pair.id for pair in pairs), weights, strict=True))
    before = [pair for pair in pairs if pair.id in kept_ids or losses.get(pair.id, 0.0) >= least]
    added = [pair for pair in inputs.pairs if pair.id in new]
    first = {_sides(pair): pair for pair in (*before, *added)[::-1]}
    distinct = [pair for pair in (*before, *added) if pair.id in kept_ids or first[_sides(pair)] is pair]
    losses |= new
    chosen = _unlike(distinct, losses, kept_ids)
    affordable = affordable_pairs(sampler, chosen, losses, first_id, releases)
    chosen = [pair for pair in chosen if not pure or pair in affordable]
    clear = [pair for pair in chosen if losses.get(pair.id, 0.0) > CLEAR * epsilon]
    weight = {pair.id: share.get(pair.id, 1.0 / (len(pairs) + len(added))) for pair in chosen}
    total = sum(weight.values())
    part = RANKED_SHARE if clear else 0.0
    capital = [(1 - part) * weight[pair.id] / total + (part / len(clear) if pair in clear else 0.0) for pair in chosen]
    return tuple(chosen), tuple(capital)


def affordable_pairs(
    sampler: Sampler, pairs: Sequence[Neighbours], losses: Mapping[str, float], first_id: str, releases: float
) -> list[Neighbours]:
    """Return the pairs that get their releases in time, and record their numbers.

    Pairs of equal form with about equal estimated losses are alike. One pair of each kind comes first, of the largest
    loss first: the pair `first_id`, or the pair of fewest rows. Further pairs of a kind, of fewest rows first, stay
    while they take little time.

    Args:
        sampler: source of the releases, with the seconds of a release of each pair.
        pairs: pairs to choose from.
        losses: estimated privacy loss by id.
        first_id: id of a pair that stays.
        releases: releases per dataset that the required power takes for each pair.
    """
    kinds: list[list[Neighbours]] = []
    for pair in sorted(pairs, key=lambda pair: (_form(pair), -losses.get(pair.id, 0.0))):
        loss, last = losses.get(pair.id, 0.0), kinds[-1][0] if kinds else pair
        same = _form(pair) == _form(last)
        if kinds and same and 0 < loss < LARGEST_LOSS and loss >= ALIKE * losses.get(last.id, 0.0):
            kinds[-1].append(pair)
        else:
            kinds.append([pair])
    kinds = [sorted(kind, key=lambda pair: (pair.id != first_id, _size(pair))) for kind in kinds]
    firsts = sorted((kind[0] for kind in kinds), key=lambda pair: (pair.id != first_id, -losses.get(pair.id, 0.0)))
    others = sorted((pair for kind in kinds for pair in kind[1:]), key=_size)
    pace, left = sampler.pace, sampler.pace.seconds()
    pairs_in_time: list[Neighbours] = []
    for some, share, fewest in ((firsts, PAIRS_SHARE, FEWEST_PAIRS), (others, ALIKE_SHARE, 0)):
        takes = (releases * sampler.pair_seconds.get(pair.id, 2 * sampler.release_seconds) for pair in some)
        affordable = sum(seconds <= share * left for seconds in accumulate(takes))
        pairs_in_time += some[: pace.decide(max(fewest, affordable))]
    return pairs_in_time


def _form(pair: Neighbours) -> tuple[bool, bool, bool]:
    """Return whether a pair has several keys, and whether several of them fall and rise."""
    changes = [left - right for left, right in pair.changes.values()]
    falls, rises = (sum(sign * change > 0 for change in changes) for sign in (1, -1))
    return len(pair.left.keys() | pair.right.keys()) > 1, falls > 1, rises > 1


def _size(pair: Neighbours) -> int:
    """Return the number of rows of both datasets, or of their keys."""
    return sum(len(side.rows if isinstance(side, Rows) else side) for side in (pair.left, pair.right))


def _sides(pair: Neighbours) -> Hashable:
    """Return what pairs of equal datasets have in common."""
    return tuple(side if isinstance(side, Rows) else tuple(side.items()) for side in (pair.left, pair.right))


def _unlike(pairs: Sequence[Neighbours], losses: Mapping[str, float], kept_ids: Container[str]) -> list[Neighbours]:
    """Return the pairs without repeated losses, preferring few keys; losses of 0 and the largest may repeat.

    Pairs of another form may have the same loss: noise of one number alone hides less if several numbers share it, and
    the estimate of a loss is coarse if the release has no numbers.
    """
    first: dict[tuple[float, tuple[bool, bool, bool]], str] = {}
    for pair in sorted(pairs, key=lambda pair: (pair.id not in kept_ids, len(pair.left.keys() | pair.right.keys()))):
        first.setdefault((losses.get(pair.id, 0.0), _form(pair)), pair.id)
    return [
        pair
        for pair in pairs
        if pair.id in kept_ids
        or not 0 < (loss := losses.get(pair.id, 0.0)) < LARGEST_LOSS
        or first[loss, _form(pair)] == pair.id
    ]
