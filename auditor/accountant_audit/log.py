"""Every call of an audit, and what follows from all of them: classes, worst cases, disorder, verdict.

The searches only add calls. Whatever an audit says is a function of the log, so no call is made and forgotten.
"""

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from auditor.accountant_audit.judge import Judgement, Kind, shown
from auditor.accountant_audit.rounding import RELATIVE, Rounding
from auditor.search.parameter_points import Point, complexity
from auditor.target.target import Answer, Returned, Several
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.verdict import Verdict

BAD = (Kind.UNSAFE, Kind.INVALID)
"""Kinds of answer that refute an accountant."""
MOST_OPEN = Fraction(1, 10)
"""Share of the calls that may decline, or whose truth may stay unseparated, in an audit that sees no violation."""
FEWEST = 20
"""Judged calls that a verdict without a violation needs, and beside which corners do not decide."""
LARGE = 1000
"""A whole number from which on a call without an answer in time is put down to it: as much or more is not asked."""
SHOWN_EQUAL = 3
"""Pairs of equal answers to different truths from which on a parameter is called ignored."""


@dataclass(frozen=True)
class Call:
    """A point, what came back, and the judgement.

    Args:
        point: what was passed, by name.
        answer: what came back.
        judgement: the answer held against the claim.
        practical: whether parameters and truth lie in the ranges that people use.
        drawn: whether chance chose the point, and no search for wrong answers.
        corner: whether the point is a corner, see `practical`.
    """

    point: Point
    answer: Answer
    judgement: Judgement
    practical: bool
    drawn: bool = False
    corner: bool = False

    @property
    def kind(self) -> Kind:
        """The kind of the answer."""
        return self.judgement.kind

    @property
    def excess(self) -> float:
        """Logarithm of returned / truth; NaN where the answer was held against no number."""
        return self.judgement.excess

    @property
    def telling(self) -> bool:
        """Whether an unsafe answer could have been seen here."""
        return self.judgement.sees < math.inf

    @cached_property
    def reading(self) -> tuple[bool, int, float]:
        """How hard the point is to read: corners after practical points, then digits, then distance from one."""
        return (not self.practical, *reading(self.point))


@dataclass(frozen=True)
class Disorder:
    """Two calls that contradict each other: ordered against the claim, or the same arguments with other answers."""

    first: Call
    second: Call
    reason: str

    @property
    def reading(self) -> tuple[tuple[bool, int, float], tuple[bool, int, float]]:
        """How hard the calls are to read."""
        return self.first.reading, self.second.reading


def reading(*points: Point) -> tuple[int, float]:
    """How hard points are to read: digits, then distance from one."""
    marks = [complexity(argument) for point in points for argument in point.values()]
    return sum(digits for digits, _ in marks), sum(magnitude for _, magnitude in marks)


def directions(claim: Claim) -> dict[str, int]:
    """Return the parameters in which a claim declares that its value rises (1) or falls (-1)."""
    return dict.fromkeys(claim.rises, 1) | dict.fromkeys(claim.falls, -1)


def of_kind(log: Iterable[Call], *kinds: Kind) -> list[Call]:
    """Return the calls of some kinds, in order."""
    return [call for call in log if call.kind in kinds]


def simplest(calls: Iterable[Call]) -> Call | None:
    """Return the call that is easiest to read, practical ones first."""
    return min(calls, key=lambda call: call.reading, default=None)


def worst(calls: Iterable[Call]) -> Call | None:
    """Return the call that lies furthest below the truth; the simplest of those that were held against no number."""
    known = [call for call in calls if not math.isnan(call.excess)]
    return min(known, key=lambda call: (call.excess, call.reading), default=None)


def loosest(log: Iterable[Call]) -> Call | None:
    """Return the call furthest above the truth, among those whose truth a double can hold; None without one."""
    accurate = (c for c in log if c.kind is Kind.LOOSE or (c.kind is Kind.RIGHT and normal(c)))
    return max(accurate, key=lambda call: call.excess, default=None)


def normal(call: Call) -> bool:
    """Whether the truth is large enough for a double to hold it to full relative accuracy."""
    truth = call.judgement.truth
    return call.kind is not Kind.INVALID and math.isfinite(call.excess) and truth is not None and truth > 2.0**-1022


def relative_error(log: Iterable[Call]) -> float | None:
    """Return the largest abs(returned / truth - 1) where doubles can hold the truth; None where nothing was judged."""
    return max((abs(math.expm1(min(call.excess, 700.0))) for call in log if normal(call)), default=None)


def lines(log: Iterable[Call], name: str) -> Iterator[list[Call]]:
    """Yield the calls that differ in one parameter only, in its order; of several at one point the first."""
    groups: dict[tuple[tuple[str, Any], ...], dict[Any, Call]] = defaultdict(dict)
    for call in log:
        if isinstance(call.point.get(name, ""), int | float):
            rest = tuple((other, value) for other, value in call.point.items() if other != name)
            groups[rest].setdefault(call.point[name], call)
    yield from ([call for _, call in sorted(group.items())] for group in groups.values() if len(group) > 1)


def disorder(claim: Claim, name: str, low: Call, high: Call, rounding: Rounding) -> Disorder | None:
    """Return how two answers, one parameter apart, contradict the order that the claim declares."""
    larger, smaller = (low, high) if directions(claim)[name] > 0 else (high, low)
    over, under = larger.judgement.number, smaller.judgement.number
    if over is None or under is None or math.isnan(low.excess + high.excess):
        return None
    if not rounding.exceeds(over, under):
        return None
    reason = (
        f"does not {'rise' if larger is low else 'fall'} with {name}: "
        f"{shown(low.answer)} at {name}={low.point[name]!r}, {shown(high.answer)} at {high.point[name]!r}"
    )
    return Disorder(low, high, reason)


def disorders(claim: Claim, log: Sequence[Call], rounding: Rounding) -> list[Disorder]:
    """Return every contradiction between calls: answers out of order, and one point with two answers."""
    found = []
    for name, direction in directions(claim).items():
        for line in lines(log, name):
            usable = [call for call in line if call.judgement.number is not None and not math.isnan(call.excess)]
            extreme: Call | None = None
            for low, high in itertools.pairwise(usable):
                # the answer that the next one must not fall below (or rise above) is the most extreme so far
                if extreme is None or direction * (_value(low) - _value(extreme)) > 0:
                    extreme = low
                pair = disorder(claim, name, extreme, high, rounding) or disorder(claim, name, low, high, rounding)
                found += [pair] if pair is not None else []
    first: dict[str, Call] = {}
    for call in log:
        before = first.setdefault(repr(sorted(call.point.items())), call)
        if before is not call and not _same(before.answer, call.answer, rounding):
            reason = f"answers {shown(before.answer)} and then {shown(call.answer)} to the same arguments"
            found.append(Disorder(before, call, reason))
    return found


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
    """Return the parameters that move the truth and never the answer, wherever calls differ in one of them only."""
    found = []
    for name in names:
        telling = [
            (low, high)
            for line in lines(log, name)
            for low, high in itertools.pairwise(line)
            if low.telling and high.telling and abs(low.excess - high.excess) > float(RELATIVE)
        ]
        if len(telling) >= SHOWN_EQUAL and all(low.answer == high.answer for low, high in telling):
            found.append(name)
    return found


def telling_share(log: Iterable[Call]) -> Fraction:
    """Return at which share of the points that chance chose an unsafe answer could have been seen; 0 without one."""
    drawn = [call for call in log if call.drawn]
    return Fraction(sum(call.telling for call in drawn), max(1, len(drawn)))


def share_of(log: Sequence[Call], kind: Kind) -> Fraction:
    """Return the share of calls of a kind among those about which the claim says something."""
    meant = len(log) - len(of_kind(log, Kind.UNDEFINED))
    return Fraction(len(of_kind(log, kind)), max(1, meant))


def deciding(log: Sequence[Call], *, strict: bool) -> list[Call]:
    """Return the calls that decide the verdict: all but corners, unless too few of them were judged; or all."""
    inside = [call for call in log if not call.corner]
    return inside if not strict and sum(call.telling for call in inside) >= FEWEST else list(log)


def verdict(log: Sequence[Call], broken: Sequence[Disorder], *, covered: bool, strict: bool) -> Verdict:
    """REFUTED by one bad call or contradiction that counts; UNDECIDED where too little was judged; else CONSISTENT.

    Args:
        log: every call.
        broken: every contradiction.
        covered: whether enough of the box was judged.
        strict: whether corners count where enough was judged beside them.
    """
    calls = deciding(log, strict=strict)
    among = set(map(id, calls))
    if of_kind(calls, *BAD) or any({id(pair.first), id(pair.second)} & among for pair in broken):
        return Verdict.REFUTED
    seldom = max(share_of(calls, Kind.UNSEPARATED), share_of(calls, Kind.DECLINES)) <= MOST_OPEN
    if of_kind(log, Kind.UNANSWERED) or not seldom or not covered:
        return Verdict.UNDECIDED
    return Verdict.CONSISTENT
