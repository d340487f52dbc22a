"""What a law says of one case, computed from the law's own parts: a number for each that the case has computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import Any

from proofs_numeric.arithmetic.enclosure import exact_value
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.profiles import divergence_of_laplace
from proofs_numeric.statements.cuts import ITEM, Reduced
from proofs_numeric.statements.gaussians import Relabelled, Streams, Tops, Truncated
from proofs_numeric.statements.instances import (
    BOTTOM,
    ConditionedAt,
    Counts,
    GoodPartsAt,
    InRangeAt,
    LawInstance,
    ListsAt,
    Outcome,
    ReducedAt,
    RelabelledAt,
    RowsAt,
    StreamsAt,
    TopsAt,
    TruncatedAt,
    values_of,
)
from proofs_numeric.statements.pairs import GoodParts
from proofs_numeric.statements.profiles import ConcentratedRows, SparseRows
from proofs_numeric.statements.races import Conditioned, InRange, Lists, Race

Numbers = Iterator[tuple[str, Any, Any]]
"""What a number is, the law's, and the case's own."""


def numbers_of_law(A: Any, every: object, instance: LawInstance) -> Numbers:
    """Return what the law says of an instance, with the instance's own numbers.

    Raises:
        TacticError: the instance is of another law, or nothing that the law speaks of.

    """
    match every, instance:
        case Reduced(), ReducedAt():
            return _reduced(every, instance)
        case Relabelled(), RelabelledAt():
            return _relabelled(every, instance)
        case GoodParts(), GoodPartsAt():
            return _good_parts(A, every, instance)
        case InRange(), InRangeAt():
            return _in_range(A, every, instance)
        case Conditioned(), ConditionedAt():
            return _conditioned(A, every, instance)
        case Lists(), ListsAt():
            return _lists(A, every, instance)
        case Tops(), TopsAt():
            return _tops(A, every, instance)
        case ConcentratedRows(rows=SparseRows(steps=None, sigma=None)), RowsAt():
            return _rows(A, every, instance)
        case Streams(), StreamsAt():
            return _streams(A, every, instance)
        case Truncated(), TruncatedAt() if "alpha" in instance.at:
            return _truncated(A, every, instance)
    raise TacticError(
        f"expected instances of the law, a {type(every).__name__}, got a {type(instance).__name__} of another"
    )


def _reduced(every: Reduced, one: ReducedAt) -> Numbers:
    _check_neighbours(one.counts, len({*one.counts[0], *one.counts[1]}), ITEM["fall"].contains, either=True)
    rank = _whole(every.rank, one)
    yield "the sparsity", _whole(every.most, one), one.most
    for counts, reduced in zip(one.counts, one.reduced, strict=True):
        falling = sorted(counts.values(), reverse=True)
        cut = falling[rank - 1] if rank <= len(falling) else 0
        for key in sorted({*counts, *reduced}):
            yield f"what is kept of {key}", max(0, counts.get(key, 0) - cut), reduced.get(key, 0)


def _relabelled(every: Relabelled, one: RelabelledAt) -> Numbers:
    items, places, fall = (_whole(part, one) for part in (one.at[every.items], one.at[every.top], every.fall))
    _check_neighbours(one.counts, items, lambda move: 0 <= move <= fall)
    tops, nexts, (first, second) = _compared(one.counts, places)
    if len(first) > min(items, places) or any(
        count > beyond + fall for side, beyond in zip((first, second), nexts, strict=True) for count in side
    ):
        raise TacticError("expected few items of one top only, each near the next count, got others")
    fixed = sum((tops[0][key] - tops[1][key]) ** 2 for key in tops[0] if key in tops[1]) + (nexts[0] - nexts[1]) ** 2
    distances = {
        fixed + sum((a - b) ** 2 for a, b in zip(first, matched, strict=True)) for matched in permutations(second)
    }
    yield "the squared distance allowed", _whole(every.squared, one), one.squared
    yield "the number of squared distances", len(distances), len(one.distances)
    for general, own_distance in zip(sorted(distances), sorted(one.distances), strict=False):
        yield "a squared distance", general, own_distance


def _good_parts(A: Any, every: GoodParts, one: GoodPartsAt) -> Numbers:
    at = values_of(A, one.at)
    yield "e^epsilon", A.exp(A.number(every.epsilon(A, **at))), one.ratio
    yield from _same_formulas(A, every, one, "rho")


def _in_range(A: Any, every: InRange, one: InRangeAt) -> Numbers:
    places = _whole(one.at[every.top], one)
    _check_neighbours(one.counts, len(one.counts[0]), every.item["fall"].contains)
    at = values_of(A, one.at)
    sides = [_scores(A, every, counts, places, at) for counts in one.counts]
    first, second = ([key for key in sides[side][0] if key not in sides[1 - side][0]] for side in (0, 1))
    for (rates, bottom), alone, rates_of, merged in zip(sides, (first, second), one.rates, one.merged, strict=True):
        made_up = len(first) - len(alone)
        total = bottom + sum(rates[key] for key in alone) + made_up * every.rate(A, score=A.number(0), **at)
        yield "the merged rate", total, merged
        yield "the number of common items", len(rates) - len(alone), len(rates_of)
        for key in rates_of:
            yield f"the rate of {key}", rates.get(key, 0), rates_of[key]
    yield "e^width", A.exp(A.number(every.width(A, **at))), one.factor


def _conditioned(A: Any, every: Conditioned, one: ConditionedAt) -> Numbers:
    at = values_of(A, one.at)
    rates = {key: every.rate(A, score=A.number(score(A)), **at) for key, score in one.scores.items()}
    bottom = rates.pop(BOTTOM)
    merged = bottom + sum(rates[key] for key in one.members)
    common = {key: rate for key, rate in rates.items() if key not in one.members}
    yield from _same_law(_picked(common, merged, one.picks, bottom / merged), one.merged)


def _lists(A: Any, every: Lists, one: ListsAt) -> Numbers:
    places, picks = _whole(one.at[every.race.top], one), _whole(one.at[every.picks], one)
    calls, each = (_whole(one.at[every.calls], one), one.each) if every.calls else (1, picks)
    if (calls, each) != (len(one.calls), one.each):
        raise TacticError(f"expected {calls} calls of {each} entries, as of the law, got {len(one.calls)}")
    at = values_of(A, one.at)
    for side, part in enumerate((one.parts.left, one.parts.right)):
        law: dict[tuple[Outcome, ...], Any] = {(): A.number(1)}
        for counts in one.calls:
            _check_neighbours(counts, len(counts[0]), every.race.item["fall"].contains)
            rates, bottom = _scores(A, every.race, counts[side], places, at)
            law = {
                lists: probability
                for before, mass in law.items()
                for lists, probability in _called(rates, bottom, min(each, picks - sum(map(len, before))), before, mass)
            }
        yield from _same_law(law if every.calls else {lists[0]: mass for lists, mass in law.items()}, part)
    yield "delta", A.number(every.delta(A, **at)), one.delta
    yield from _same_formulas(A, every, one, "rho")


def _called(
    rates: Mapping[str, Any], bottom: Any, picks: int, before: tuple[Outcome, ...], mass: Any
) -> list[tuple[tuple[Outcome, ...], Any]]:
    """The lists after one more call, times a mass; those before where nothing more may be printed."""
    if not picks:
        return [(before, mass)]
    return [((*before, after), probability) for after, probability in _picked(rates, bottom, picks, mass).items()]


def _scores(
    A: Any, race: Race | InRange, counts: Counts, places: int, at: Mapping[str, Any]
) -> tuple[dict[str, Any], Any]:
    """The rate of each item of the top, and the threshold's."""
    top, outside = _top(counts, places)
    rates = {key: race.rate(A, score=A.number(count), **at) for key, count in top.items()}
    return rates, race.rate(A, score=race.threshold(A, outside=A.number(outside), **at), **at)


def _picked(rates: Mapping[str, Any], bottom: Any, picks: int, mass: Any) -> dict[Outcome, Any]:
    """The law of the lists, times a mass: picks one by one at their rates over all rates left."""
    total = bottom + sum(rates.values())
    masses: dict[Outcome, Any] = {(BOTTOM,): mass * bottom / total}
    for key, rate in rates.items():
        rest, share = {other: each for other, each in rates.items() if other != key}, mass * rate / total
        ended: dict[Outcome, Any] = {(): share} if picks == 1 else _picked(rest, bottom, picks - 1, share)
        masses |= {(key, *after): probability for after, probability in ended.items()}
    return masses


def _same_law(general: Mapping[Any, Any], special: Mapping[Any, Any]) -> Numbers:
    for outcome in sorted({*general, *special}):
        yield f"the probability of {outcome}", general.get(outcome, 0), special.get(outcome, 0)


def _tops(A: Any, every: Tops, one: TopsAt) -> Numbers:
    moved = replace(one.moved, at={name: one.at[name] for name in every.relabelled.box.names})
    yield from _relabelled(every.relabelled, moved)
    _tops_of_both, nexts, alone = _compared(moved.counts, _whole(one.at[every.relabelled.top], one))
    for beyond, counts, leads in zip(nexts, alone, one.leads, strict=True):
        yield "the number of own items", len(counts), len(leads)
        for count, lead in zip(sorted(counts, reverse=True), sorted(leads), strict=False):
            yield "a lead of the next count", beyond - count, lead
    yield from _same_formulas(A, every, one, "noise", "threshold", "delta", "rho")


def _rows(A: Any, every: ConcentratedRows, one: RowsAt) -> Numbers:
    """Rows of new items at the threshold, and of items that both have: the worst of either, by the law's parts."""
    at, rows = values_of(A, one.at), every.rows
    _check_neighbours(one.counts, one.rows, lambda move: 0 <= move <= one.fall)
    scale, threshold = A.number(one.scale(A, **at)), A.number(one.threshold(A, **at))
    yield "the number of rows", A.number(rows.rows(A, **at)), one.rows
    yield (
        "the loss of a new item",
        A.number(rows.loss(A, **at)),
        -A.log(1 - one.tail(A, (threshold - one.fall) / scale)),
    )
    for alpha in (2, 8):
        if rows.square is not None:
            general = alpha * A.number(rows.square(A, **at)) / 2
        elif rows.shift is not None:
            general = divergence_of_laplace(A, alpha, A.number(rows.shift(A, **at)))
        else:
            general = A.number(0)
        yield f"the divergence at order {alpha}", general, one.divergence(A, alpha=alpha, epsilon=one.fall / scale)
    yield from _same_formulas(A, every, one, "delta", "rho")


def _streams(A: Any, every: Streams, one: StreamsAt) -> Numbers:
    last, items = (_whole(one.at[name], one) for name in (every.rounds, every.items))
    if not one.rounds <= set(range(1, last + 1)) or one.event not in one.rounds or one.items != items:
        raise TacticError(
            f"expected {items} items in rounds up to {last}, and an event in one of them, as of the law, got {one}"
        )
    halves = ((one.event - 1) >> power for power in range(last.bit_length()))
    cells = sum(half % 2 == 0 and (half + 1) << power <= last for power, half in enumerate(halves))
    without = min(one.rounds - {one.event}, default=last + 1)
    hidden = [number.bit_count() for number in range(min(one.rounds), without)]
    yield "the digits of the last round", last.bit_length(), _whole(one.at[every.digits], one)
    yield "the cells of the event", cells, one.cells
    yield "the number of sums of one side", len(hidden), len(one.sums)
    for general, special in zip(hidden, one.sums, strict=False):
        yield "the cells of a sum", general, special
    yield from _same_formulas(A, every, one, "noise", "threshold", "delta", "rho")


def _truncated(A: Any, every: Truncated, one: TruncatedAt) -> Numbers:
    at = values_of(A, one.at)
    yield "the squared distance", A.number(sum(part * part for part in one.mean)), at["squared"]
    yield from _same_formulas(A, every, one, "bound")


def _same_formulas(A: Any, every: Any, one: Any, *names: str) -> Numbers:
    at = values_of(A, one.at)
    for name in names:
        yield name, A.number(getattr(every, name)(A, **at)), A.number(getattr(one, name)(A, **at))


def _compared(
    counts: tuple[Counts, Counts], places: int
) -> tuple[list[Counts], list[int], tuple[list[int], list[int]]]:
    """Both tops, both next counts, and the counts in one top only, made up by 0 in the smaller histogram."""
    tops, nexts = map(list, zip(*(_top(each, places) for each in counts), strict=True))
    first, second = ([tops[side][key] for key in tops[side] if key not in tops[1 - side]] for side in (0, 1))
    return tops, nexts, (first, second + [0] * (len(first) - len(second)))


def _top(counts: Counts, places: int) -> tuple[Counts, int]:
    """The items of largest counts, ties broken by label, and the next count."""
    items = sorted(((key, count) for key, count in counts.items() if count), key=lambda item: (-item[1], item[0]))
    return dict(items[:places]), items[places][1] if places < len(items) else 0


def _check_neighbours(
    counts: tuple[Counts, Counts], items: int, falls: Callable[[Fraction], bool], *, either: bool = False
) -> None:
    """Check that at most so many counts fall, each by what is allowed; or rise, where either may be the larger."""
    left, right = counts
    moves = [left.get(key, 0) - right.get(key, 0) for key in {*left, *right}]
    if either and min(moves, default=0) < 0:
        moves = [-move for move in moves]
    if min((*left.values(), *right.values()), default=0) < 0 or not all(falls(Fraction(move)) for move in moves):
        raise TacticError(f"expected neighbours whose counts fall as the law says, got {left} and {right}")
    if sum(move > 0 for move in moves) > items:
        raise TacticError(f"expected neighbours of which at most {items} counts fall, got {left} and {right}")


def _whole(formula: Formula, one: LawInstance) -> int:
    """The integer that a formula of the rational parameters is at an instance."""
    at = {name: exact_value(value, {}) for name, value in one.at.items()}
    value = exact_value(formula, {name: int(x) if x.denominator == 1 else x for name, x in at.items() if x is not None})
    if value is None or value.denominator != 1:
        raise TacticError(f"expected an integer of an instance, got {value}")
    return int(value)
