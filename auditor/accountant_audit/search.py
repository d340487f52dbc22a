"""Search of a claim's box for points at which somebody's accountant is wrong; every call goes into the log."""

import contextlib
import itertools
import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample, Unsatisfiable

from auditor.accountant_audit.judge import Judge, Kind
from auditor.accountant_audit.log import BAD, Call, directions, disorder, of_kind, practical, simplest
from auditor.errors import TargetError
from auditor.search.parameter_points import Point, SearchBox
from auditor.search.reproducible import find
from auditor.target.target import HANGS, Answer, Misbehaved, Target

CLIMBERS = 8
STEPS = (Fraction(2), Fraction(3, 2), Fraction(11, 10), Fraction(101, 100))
"""Factors between two values of a parameter over which answers must keep their order."""
PATIENCE = {HANGS: 3, "dies": 4}
"""How many calls without an answer, and how many deaths, end a phase of the search: each costs its whole limit, or a
start. A target that never answered has no further phase."""
ROUNDED = 20
"""Points of a kind that are tried with all their numbers rounded."""
ASKED_AGAIN = 12
"""Points that a fresh process is asked once more."""
AHEAD = 4
"""Calls ahead of the judge, for each process that answers."""


class PatienceError(Exception):
    """The target hangs or dies again and again in this phase. Cause: a part of the box that it cannot do."""


@dataclass
class Caller:
    """Calls the target, once for each distinct point, and writes down every call.

    Args:
        target: a started target.
        judge: what holds an answer against the claim.
        box: where points lie.
        budget: CPU seconds of target and judge; each phase has its share of what is left.
        log: every call, in order.
        cut: phases that their share of the budget ended, by how many were left.
        watch: told of the log after each call, and of the CPU seconds so far.
        drawing: whether chance chooses the points now.

    """

    target: Target
    judge: Judge
    box: SearchBox
    budget: float = math.inf
    log: list[Call] = field(default_factory=list)
    cut: set[int] = field(default_factory=set)
    watch: Callable[[Sequence[Call], float], object] | None = None
    drawing: bool = False
    _left: int = 0
    _spent: float = 0.0
    _theirs: float = 0.0
    _share: float = math.inf
    _known: dict[str, Call] = field(default_factory=dict)
    _ahead: dict[str, Answer] = field(default_factory=dict)
    _lost: Counter[str] = field(default_factory=Counter)

    def __call__(self, point: Point) -> Call:
        """Call at a point, or look it up."""
        key = _key(point)
        if key not in self._known:
            self._known[key] = self.call(point)
        return self._known[key]

    def call_all(self, points: Sequence[Point]) -> None:
        """Call at points that no answer chooses; a target of several processes answers some ahead.

        Errors: those of `call`.
        """
        ahead = AHEAD * (self.target.jobs or 0)
        for place, point in enumerate(points):
            if ahead and place % ahead == 0:
                before = self.target.cpu_seconds
                new = [one for one in points[place : place + ahead] if _key(one) not in self._known]
                answers = zip(new, self.target.call_apart(new), strict=True)
                self._ahead = {_key(one): answer for one, answer in answers if answer is not None}
                self._theirs = self.target.cpu_seconds
                self._spent += max(0.0, self._theirs - before)
            self(point)
        self._ahead.clear()

    def call(self, point: Point) -> Call:
        """Call at a point, whether it was called before or not.

        Errors:
            PatienceError: the target hung or died too often already, or the phase has spent its budget.
            TargetError: the first answer has another form than the one that was declared.

        """
        if any(self._lost[name] >= most for name, most in PATIENCE.items()):
            raise PatienceError
        if self._spent > self._share:
            self.cut.add(self._left)
            raise PatienceError
        ours, theirs = time.process_time(), self._theirs  # what it computed until the call before
        answer = self._ahead.pop(_key(point), None) or self.target.call(point)
        values = {**self.box.held, **point}
        if not self.log and (misfit := self.judge.misfit(answer)):
            raise TargetError(f"{self.target.name} {misfit}")
        known = self._known.get(_key(point))  # a fresh process mostly gives the answer that was judged
        judgement = known.judgement if known and known.answer == answer else self.judge(values, answer)
        inside = practical(self.judge.claim.quantity, values, judgement)
        called = Call(point, answer, judgement, inside, self.drawing)
        self.log.append(called)
        self._theirs = self.target.cpu_seconds
        self._spent += time.process_time() - ours + max(0.0, self._theirs - theirs)
        self._lost.update([answer.name] if isinstance(answer, Misbehaved) else [])
        if self.watch is not None:
            self.watch(self.log, self._spent)
        return called

    def phase(self, left: int) -> None:
        """Start a phase, one of `left`, with its share of the budget, and new patience if the target ever answered."""
        self._left = left
        self._share = self._spent + (self.budget - self._spent) / left
        if any(not isinstance(call.answer, Misbehaved) for call in self.log):
            self._lost.clear()


def _key(point: Point) -> str:
    return repr(sorted(point.items()))


def drawn_until(
    strategy: st.SearchStrategy[Any], condition: Callable[[Any], bool], max_examples: int, seed: int
) -> None:
    """Draw until a condition holds, then shrink; what it finds is in the log."""

    def holds(drawn: Any) -> bool:
        try:
            return condition(drawn)
        except PatienceError:
            return False

    chosen = settings(
        max_examples=max_examples,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    with contextlib.suppress(NoSuchExample, Unsatisfiable):
        find(strategy, holds, settings=chosen, random=Random(seed))  # noqa: S311 - a search, not a secret


def _corners(caller: Caller, max_examples: int) -> None:
    """Call at the claim's published points, and at corners of the box."""
    corners = caller.box.corner_points()
    published = caller.box.published_points(caller.judge.claim.points)
    caller.call_all([*published, *corners[:: 1 + len(corners) // max_examples]])


def _draw(caller: Caller, max_examples: int, seed: int) -> None:
    """Call at drawn points."""
    caller.drawing = True
    try:
        caller.call_all(caller.box.sample(Random(seed), max_examples))  # noqa: S311 - a search, not a secret
    finally:
        caller.drawing = False


def _climb(caller: Caller, steps: int, seed: int) -> None:
    """Walk from the answers furthest below the truth, by however little, further down.

    Within the tolerance that says nothing yet; where it grows, digits are being lost.
    """
    random = Random(seed)  # noqa: S311 - a search, not a secret
    pool = sorted(
        (call for call in caller.log if call.telling and not math.isnan(call.excess)), key=lambda call: call.excess
    )[:CLIMBERS]
    for start in range(0, steps if pool else 0, len(pool) or 1):
        places = range(min(len(pool), steps - start))
        moved = [caller.box.neighbour(pool[place].point, random) for place in places]
        inside = [place for place in places if caller.box.contains(moved[place])]
        caller.call_all([moved[place] for place in inside])
        for place in inside:
            called = caller(moved[place])
            if called.excess < pool[place].excess:
                pool[place] = called


def _wander(caller: Caller, steps: int, seed: int) -> None:
    """Walk at random from practical points: what people use is a thin part of most boxes."""
    random = Random(seed)  # noqa: S311 - a search, not a secret
    pool = [call for call in caller.log if call.practical and call.telling]
    for _ in range(steps if pool else 0):
        point = caller.box.neighbour(random.choice(pool).point, random)
        if caller.box.contains(point) and (called := caller(point)).practical and called.telling:
            pool.append(called)


def _simplify(caller: Caller, kind: Kind) -> None:
    """Look for simpler points of a kind that the log holds, in the practical range where it holds one there."""
    met = of_kind(caller.log, kind)
    in_practice = any(call.practical for call in met)

    def fails(call: Call) -> bool:
        return call.kind is kind and (call.practical or not in_practice)

    spread = [call for call in met if fails(call)]
    for call, digits in itertools.product(spread[:: 1 + len(spread) // ROUNDED], (1, 2, 3)):
        if (point := caller.box.rounded(call.point, digits)) is not None:
            caller(point)
    best = simplest(of_kind(caller.log, kind))
    while best is not None:
        simpler = (called for point in caller.box.simpler(best.point) if fails(called := caller(point)))
        best = next(simpler, None)


def _reorder(caller: Caller, max_examples: int, seed: int) -> None:
    """Call at pairs of points, one parameter apart, until two answers are out of order; simplify the pair."""
    claim, slack = caller.judge.claim, caller.judge.tolerance
    axes = {axis.parameter.name: axis for axis in caller.box.axes if not axis.fixed}
    names = [name for name in directions(claim) if name in axes]
    if not names:
        return

    def beside(name: str) -> st.SearchStrategy[tuple[str, Fraction | None, Any]]:
        """A factor from one value of the parameter to the other, or another value of its own."""
        anywhere = st.tuples(st.just(name), st.none(), axes[name].strategy())
        return st.one_of(st.tuples(st.just(name), st.sampled_from(STEPS), st.none()), anywhere)

    def against(pair: tuple[Point, tuple[str, Fraction | None, Any]]) -> bool:
        point, (name, factor, other) = pair
        if factor is not None:
            other = axes[name].argument(Fraction(point[name]) * factor)
        moved = {**point, name: other}
        if other is None or not (other > point[name] and caller.box.contains(moved)):
            return False
        return disorder(claim, name, caller(point), caller(moved), slack) is not None

    drawn_until(st.tuples(caller.box.strategy, st.one_of(*map(beside, names))), against, max_examples, seed)


def _ask_again(caller: Caller) -> None:
    """Ask a fresh process for some answers once more, in reverse: what one call leaves behind must move no other."""
    caller.target.close()
    answered = [call for call in caller.log if call.kind not in {Kind.UNANSWERED, Kind.UNDEFINED}]
    some = answered[:: -(1 + len(answered) // ASKED_AGAIN)]
    shown = [call for kind in BAD if (call := simplest(of_kind(caller.log, kind))) is not None]
    for point in {repr(call.point): call.point for call in [*shown, *some]}.values():
        caller.call(point)


def search(caller: Caller, max_examples: int, seed: int) -> None:
    """Call the target wherever it may be wrong.

    Args:
        caller: calls and keeps the log.
        max_examples: size of each search.
        seed: of the drawn points.

    """
    phases: list[Callable[[], None]] = [
        lambda: _corners(caller, max_examples),
        lambda: _draw(caller, max_examples, seed),
        lambda: _wander(caller, max_examples, seed),
        lambda: _climb(caller, max_examples, seed),
        lambda: _reorder(caller, max(1, max_examples // 2), seed),
        *(partial(_simplify, caller, kind) for kind in BAD),
        lambda: _ask_again(caller),
    ]
    for place, phase in enumerate(phases):
        caller.phase(len(phases) - place)
        with contextlib.suppress(PatienceError):
            phase()
