"""The log of an audit's calls, and its evaluation: classes, worst cases, disorder, verdict.

Searches only add calls. All results of an audit are functions of the log, so no call is discarded.
"""

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from auditor.accountant_audit.judge import Judgement, Kind, format_answer
from auditor.accountant_audit.rounding import RELATIVE, Rounding
from auditor.search.parameter_points import Point, complexity
from auditor.target.target import Answer, Returned, Several
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.verdict import Verdict

PLAIN = math.log(0.995)
"""Logarithm of returned / truth below which an unsafe answer is plain: it lacks more than half a percent."""
BAD = (Kind.UNSAFE, Kind.INVALID)
"""Kinds of answers that refute an accountant."""
MOST_OPEN = Fraction(1, 10)
"""Maximum share of calls that may decline, or stay unseparated from the truth, without making the audit undecided."""
FEWEST = 20
"""Minimum number of judged calls for a verdict without a violation, and for ignoring corners."""
LARGE = 1000
"""Smallest integer argument blamed for a call without an answer in time; equal or larger sizes are not called again."""
SHOWN_EQUAL = 3
"""Minimum number of pairs of equal answers to different truths that make a parameter count as ignored."""


@dataclass(frozen=True)
class Call:
    """A point, its answer, and the judgement.

    Args:
        point: arguments by name.
        answer: the answer.
        judgement: comparison of the answer with the claim.
        practical: whether parameters and truth lie in the practical range.
        is_random: whether the point was drawn at random, not chosen by a search for wrong answers.
        corner: whether the point is a corner, see `practical`.
    """

    point: Point
    answer: Answer
    judgement: Judgement
    practical: bool
    is_random: bool = False
    corner: bool = False

    @property
    def kind(self) -> Kind:
        """The kind of the answer."""
        return self.judgement.kind

    @property
    def excess(self) -> float:
        """Natural logarithm of returned / truth; NaN if the answer was compared with no number."""
        return self.judgement.excess

    @property
    def telling(self) -> bool:
        """Whether the call could have revealed an unsafe answer."""
        return self.judgement.sees < math.inf

    @cached_property
    def reading(self) -> tuple[tuple[int, bool], int, float]:
        """Sort key of readability: practical points, then others, then corners; of them unsafe answers that lack much.

        Then digits, then distance from one.
        """
        is_slight = self.kind is Kind.UNSAFE and not self.excess < PLAIN
        return ((0 if self.practical else 2 if self.corner else 1, is_slight), *reading(self.point))


@dataclass(frozen=True)
class Disorder:
    """Two contradicting calls: out of the claimed order, or equal arguments with different answers."""

    first: Call
    second: Call
    reason: str

    @property
    def reading(self) -> tuple[Any, Any]:
        """Sort key of readability of both calls."""
        return self.first.reading, self.second.reading


def reading(*points: Point) -> tuple[int, float]:
    """Return the sort key of readability of points: digits, then distance from one."""
    marks = [complexity(argument) for point in points for argument in point.values()]
    return sum(digits for digits, _ in marks), sum(magnitude for _, magnitude in marks)


def directions(claim: Claim) -> dict[str, int]:
    """Return the parameters in which the claim's value rises (1) or falls (-1) by declaration."""
    return dict.fromkeys(claim.rises, 1) | dict.fromkeys(claim.falls, -1)


def of_kind(log: Iterable[Call], *kinds: Kind) -> list[Call]:
    """Return the calls of some kinds, in order."""
    return [call for call in log if call.kind in kinds]


def simplest(calls: Iterable[Call]) -> Call | None:
    """Return the most readable call, practical ones first; None without a call."""
    return min(calls, key=lambda call: call.reading, default=None)


def worst(calls: Iterable[Call]) -> Call | None:
    """Return the call furthest below the truth; None if no call was compared with a number."""
    comparable = [call for call in calls if not math.isnan(call.excess)]
    return min(comparable, key=lambda call: (call.excess, call.reading), default=None)


def loosest(log: Iterable[Call]) -> Call | None:
    """Return the call furthest above the truth, among truths that a double can hold; None without one."""
    accurate = (c for c in log if c.kind is Kind.LOOSE or (c.kind is Kind.RIGHT and normal(c)))
    return max(accurate, key=lambda call: call.excess, default=None)


def normal(call: Call) -> bool:
    """Return whether the truth is positive and large enough for full relative accuracy in a double."""
    truth = call.judgement.truth
    return call.kind is not Kind.INVALID and math.isfinite(call.excess) and truth is not None and truth > 2.0**-1022


def relative_error(log: Iterable[Call]) -> float | None:
    """Return the largest abs(returned / truth - 1) over truths that a double can hold; None without a judged call."""
    return max((abs(math.expm1(min(call.excess, 700.0))) for call in log if normal(call)), default=None)


def lines(log: Iterable[Call], name: str) -> Iterator[list[Call]]:
    """Yield groups of calls that differ in one parameter only, sorted by it; the first call of each point."""
    groups: dict[tuple[tuple[str, Any], ...], dict[Any, Call]] = defaultdict(dict)
    for call in log:
        if isinstance(call.point.get(name, ""), int | float):
            rest = tuple((other, value) for other, value in call.point.items() if other != name)
            groups[rest].setdefault(call.point[name], call)
    yield from ([call for _, call in sorted(group.items())] for group in groups.values() if len(group) > 1)


def disorder(claim: Claim, name: str, low: Call, high: Call, rounding: Rounding) -> Disorder | None:
    """Return the contradiction of two answers, one parameter apart, to the claim's declared order; None without one."""
    larger, smaller = (low, high) if directions(claim)[name] > 0 else (high, low)
    over, under = larger.judgement.number, smaller.judgement.number
    if over is None or under is None or math.isnan(low.excess + high.excess):
        return None
    if not rounding.exceeds(over, under):
        return None
    reason = (
        f"{'falls' if larger is low else 'rises'} with {name}, and the exact value never does: "
        f"{format_answer(low.answer)} at {name}={low.point[name]!r}, {format_answer(high.answer)} at "
        f"{high.point[name]!r}"
    )
    return Disorder(low, high, reason)


def disorders(claim: Claim, log: Sequence[Call], rounding: Rounding) -> list[Disorder]:
    """Return all contradictions between calls: answers out of order, and different answers at one point."""
    pairs = []
    for name, direction in directions(claim).items():
        for line in lines(log, name):
            usable = [call for call in line if call.judgement.number is not None and not math.isnan(call.excess)]
            extreme: Call | None = None
            for low, high in itertools.pairwise(usable):
                # the next answer is compared with the most extreme earlier one
                if extreme is None or direction * (_value(low) - _value(extreme)) > 0:
                    extreme = low
                pair = disorder(claim, name, extreme, high, rounding) or disorder(claim, name, low, high, rounding)
                pairs += [pair] if pair is not None else []
    first: dict[str, Call] = {}
    for call in log:
        before = first.setdefault(repr(sorted(call.point.items())), call)
        if before is not call and not _same(before.answer, call.answer, rounding):
            reason = (
                f"answers {format_answer(before.answer)} and then {format_answer(call.answer)} to the same arguments"
            )
            pairs.append(Disorder(before, call, reason))
    return pairs


def _value(call: Call) -> Fraction:
    return call.judgement.number or Fraction(0)


def _same(one: Answer, other: Answer, rounding: Rounding) -> bool:
    if isinstance(one, Several) and isinstance(other, Several):
        return len(one.parts) == len(other.parts) and all(
            map(partial(_same, rounding=rounding), one.parts, other.parts)
        )
    if not (isinstance(one, Returned) and isinstance(other, Returned)):
        return one == other
    return not rounding.differ(one.value, other.value)


def ignored(log: Sequence[Call], names: Iterable[str]) -> list[str]:
    """Return the parameters that change the truth but never the answer, over calls one parameter apart."""
    results = []
    for name in names:
        telling = [
            (low, high)
            for line in lines(log, name)
            for low, high in itertools.pairwise(line)
            if low.telling and high.telling and abs(low.excess - high.excess) > float(RELATIVE)
        ]
        if len(telling) >= SHOWN_EQUAL and all(low.answer == high.answer for low, high in telling):
            results.append(name)
    return results


def telling_share(log: Iterable[Call]) -> Fraction:
    """Return the share of random points at which an unsafe answer would have been seen; 0 without random points."""
    calls = [call for call in log if call.is_random]
    return Fraction(sum(call.telling for call in calls), max(1, len(calls)))


def share_of(log: Sequence[Call], kind: Kind) -> Fraction:
    """Return the share of calls of a kind among the calls at which the claim is defined."""
    defined_count = len(log) - len(of_kind(log, Kind.UNDEFINED))
    return Fraction(len(of_kind(log, kind)), max(1, defined_count))


def deciding(log: Sequence[Call], *, strict: bool) -> list[Call]:
    """Return the calls that decide the verdict: calls without corners if enough of them were judged, else all."""
    inside = [call for call in log if not call.corner]
    return inside if not strict and sum(call.telling for call in inside) >= FEWEST else list(log)


def verdict(log: Sequence[Call], broken: Sequence[Disorder], *, covered: bool, strict: bool) -> Verdict:
    """Return REFUTED for a deciding bad call or contradiction, UNDECIDED if too little was judged, else CONSISTENT.

    Args:
        log: every call.
        broken: every contradiction.
        covered: whether enough of the box was judged.
        strict: whether corners count even if enough other calls were judged.
    """
    calls = deciding(log, strict=strict)
    among = set(map(id, calls))
    if of_kind(calls, *BAD) or any({id(pair.first), id(pair.second)} & among for pair in broken):
        return Verdict.REFUTED
    seldom = max(share_of(calls, Kind.UNSEPARATED), share_of(calls, Kind.DECLINES)) <= MOST_OPEN
    if of_kind(log, Kind.UNANSWERED) or not seldom or not covered:
        return Verdict.UNDECIDED
    return Verdict.CONSISTENT
