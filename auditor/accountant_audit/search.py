"""Search of a claim's box for points at which an accountant is wrong; the log records every call."""

import contextlib
import itertools
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from random import Random

from auditor.accountant_audit.judge import Judge, Judgement, Kind
from auditor.accountant_audit.log import BAD, LARGE, Call, Disorder, directions, disorder, of_kind, reading, simplest
from auditor.accountant_audit.practical import nearest_practical, range_of
from auditor.accountant_audit.untaken import first_points
from auditor.errors import TargetError
from auditor.search.parameter_points import TRIES, Point, SearchBox, exact_values
from auditor.target.process import LOOK_SECONDS
from auditor.target.target import HANGS, MEMORY, Answer, Misbehaved, Target

CLIMBERS = 8
STEPS = (Fraction(2), Fraction(3, 2), Fraction(11, 10), Fraction(101, 100))
"""Factors between two values of a parameter at which answers must keep their order."""
PATIENCE = {HANGS: 3, "dies": 4, MEMORY: 4}
"""Numbers of unanswered calls, deaths and memory failures that end a phase of the search, as each costs a whole time
limit or a restart. A target that never answered gets no further phase."""
ROUNDED = 20
"""Maximum number of points of a kind tried with all numbers rounded."""
ASKED_AGAIN = 12
"""Approximate number of points that a fresh process is called at again."""
AHEAD = 4
"""Calls ahead of the judge, per answering process."""


class PatienceError(Exception):
    """Raised if the target hangs or dies repeatedly in this phase. Cause: a part of the box that it cannot handle."""


@dataclass
class Caller:
    """Calls the target once per distinct point, and logs every call.

    Args:
        target: a started target.
        judge: judge of the answers.
        box: box of the points.
        budget: CPU seconds of target and judge; each phase has a share of the rest.
        log: every call, in order.
        cut: phases ended by their share of the budget, as the number of phases left.
        watch: called after each call with the log and the CPU seconds spent.
        drawing: whether points are currently chosen at random.
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
    _look_time: float = 0.0
    _share: float = math.inf
    _answers: dict[str, Call] = field(default_factory=dict)
    _ahead: dict[str, Answer] = field(default_factory=dict)
    _lost: Counter[str] = field(default_factory=Counter)
    _too_large: list[dict[str, int]] = field(default_factory=list)

    def __call__(self, point: Point) -> Call:
        """Return the call at a point, from memory if known; a point that is too large is unanswered and not logged."""
        key = _key(point)
        if key not in self._answers and self._is_too_large(point):
            return Call(point, Misbehaved(HANGS, "was not asked"), Judgement(Kind.UNANSWERED), practical=False)
        if key not in self._answers:
            self._answers[key] = self.call(point)
        return self._answers[key]

    def _look(self) -> None:
        """Add the target's CPU seconds since the previous look; a new process starts at 0."""
        before, self._theirs, self._look_time = self._theirs, self.target.cpu_seconds, time.monotonic()
        self._spent += max(0.0, self._theirs - before)

    def _is_too_large(self, point: Point) -> bool:
        """Return whether every integer of the point is at least that of an earlier call without an answer in time."""
        return any(all(int(point[name]) >= size for name, size in lost.items()) for lost in self._too_large)

    def call_all(self, points: Sequence[Point]) -> None:
        """Call at points that do not depend on answers, small sizes first; several processes answer some calls ahead.

        Errors: those of `call`.
        """
        ahead = AHEAD * (self.target.jobs or 0)
        points = sorted(points, key=lambda point: max((n for n in point.values() if isinstance(n, int)), default=0))
        for place, point in enumerate(points):
            if ahead and place % ahead == 0:
                unknown = (one for one in points[place : place + ahead] if _key(one) not in self._answers)
                new = [one for one in unknown if not self._is_too_large(one)]
                answers = zip(new, self.target.call_apart(new), strict=True)
                self._ahead = {_key(one): answer for one, answer in answers if answer is not None}
                self._look()
            self(point)
        self._ahead.clear()

    def call(self, point: Point) -> Call:
        """Call at a point, even if it was called before.

        Errors:
            PatienceError: the target hung or died too often, or the phase has spent its budget.
            TargetError: the first answer does not have the declared form.
        """
        if any(self._lost[name] >= most for name, most in PATIENCE.items()):
            raise PatienceError
        if self._spent > self._share:
            self.cut.add(self._left)
            raise PatienceError
        started = time.process_time()
        answer = self._ahead.pop(_key(point), None) or self.target.call(point)
        values = {**self.box.constants, **point}
        if not self.log and (misfit := self.judge.misfit(answer)):
            raise TargetError(f"{self.target.name} {misfit}")
        earlier = self._answers.get(_key(point))  # a fresh process mostly gives the judged answer
        judgement = earlier.judgement if earlier and earlier.answer == answer else self.judge(values, answer)
        inside, corner = range_of(self.judge, exact_values(values), judgement)
        called = Call(point, answer, judgement, inside, self.drawing, corner)
        self.log.append(called)
        self._spent += time.process_time() - started
        if time.monotonic() - self._look_time > LOOK_SECONDS:  # reading CPU times takes as long as a short call
            self._look()
        if isinstance(answer, Misbehaved):
            self._lost[answer.name] += 1
            sizes = {name: size for name, size in point.items() if isinstance(size, int)}
            if answer.name == HANGS and max(sizes.values(), default=0) >= LARGE:
                self._too_large.append(sizes)
        if self.watch is not None:
            self.watch(self.log, self._spent)
        return called

    def phase(self, left: int) -> None:
        """Start a phase, one of `left`, with its share of the budget; reset patience if the target ever answered."""
        self._left = left
        self._share = self._spent + (self.budget - self._spent) / left
        if any(not isinstance(call.answer, Misbehaved) for call in self.log):
            self._lost.clear()


def _key(point: Point) -> str:
    return repr(sorted(point.items()))


def _published(caller: Caller) -> None:
    """Call at the claim's published points."""
    caller.call_all(caller.box.published_points(caller.judge.claim.points))


def _used(caller: Caller, max_examples: int) -> None:
    """Call at values that people use, and at numbers of the target's own source."""
    caller.call_all(first_points(caller.target, caller.box, max_examples))


def _corners(caller: Caller, max_examples: int) -> None:
    """Call at corners of the box."""
    corners = caller.box.corner_points()
    caller.call_all(corners[:: 1 + len(corners) // max_examples])


def _draw(caller: Caller, max_examples: int, seed: int) -> None:
    """Call at random points."""
    caller.drawing = True
    try:
        caller.call_all(caller.box.sample(Random(seed), max_examples))  # noqa: S311 - a search, not a secret
    finally:
        caller.drawing = False


def _climb(caller: Caller, steps: int, seed: int) -> None:
    """Walk downwards from the answers furthest below the truth, by however little.

    Within the tolerance such an answer is no violation; a growing gap indicates lost digits.
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
    """Walk at random from practical points, as they are a thin part of most boxes."""
    random = Random(seed)  # noqa: S311 - a search, not a secret
    pool = [call for call in caller.log if call.practical and call.telling]
    for _ in range(steps if pool else 0):
        point = caller.box.neighbour(random.choice(pool).point, random)
        if caller.box.contains(point) and (called := caller(point)).practical and called.telling:
            pool.append(called)


def _simplify(caller: Caller, kind: Kind) -> None:
    """Search for simpler points of a kind in the log, in the practical range or outside corners if the log has one."""
    met = of_kind(caller.log, kind)
    range_of_simplest = min((call.reading[0] for call in met), default=(0, False))

    def fails(call: Call) -> bool:
        return call.kind is kind and call.reading[0] <= range_of_simplest

    spread = [call.point for call in met if fails(call)]
    best = simplest(met)
    while best is not None:
        rounder = _rounder(caller.box, spread, best.point)
        spread = []
        simpler = itertools.chain(rounder, caller.box.simpler(best.point))
        best = next((called for point in simpler if fails(called := caller(point))), None)


def _rounder(box: SearchBox, points: Sequence[Point], than: Point) -> list[Point]:
    """Return some points with all numbers rounded that are more readable than a given one, the most readable first."""
    some = itertools.product(points[:: 1 + len(points) // ROUNDED], (1, 2, 3))
    near = [one for point, digits in some if (one := box.rounded(point, digits)) is not None]
    return sorted((one for one in near if reading(one) < reading(than)), key=reading)


def _leave_corners(caller: Caller) -> None:
    """Where only corners are wrong, call at the nearest practical arguments beside some of them."""
    wrong = of_kind(caller.log, *BAD)
    if any(call.practical for call in wrong):
        return
    axes = {axis.parameter.name: axis for axis in caller.box.axes}
    for call in wrong[:: 1 + len(wrong) // ROUNDED]:
        numbers = {name: value for name, value in call.point.items() if isinstance(value, int | float)}
        moved = {name: axes[name].argument(nearest_practical(name, Fraction(value))) for name, value in numbers.items()}
        point = {**call.point, **{name: value for name, value in moved.items() if value is not None}}
        if caller.box.contains(point):
            caller(point)


def _reorder(caller: Caller, pairs: int, seed: int) -> None:
    """Call one parameter away from known points; simplify the most readable pair of answers that is out of order."""
    random = Random(seed)  # noqa: S311 - a search, not a secret
    axes = {axis.parameter.name: axis for axis in caller.box.axes if not axis.fixed}
    names = [name for name in directions(caller.judge.claim) if name in axes]
    points = [call.point for call in caller.log if call.judgement.number is not None and not math.isnan(call.excess)]
    beside: list[tuple[str, Point, Point]] = []
    for _ in range(TRIES * pairs if names and points else 0):
        point, name, factor = random.choice(points), random.choice(names), random.choice((random.choice(STEPS), None))
        axis = axes[name]
        far = axis.sample(random) if factor is None else axis.argument(Fraction(point[name]) * factor)
        if far is not None and far != point[name] and caller.box.contains(moved := {**point, name: far}):
            low, high = sorted((point, moved), key=lambda end: float(end[name]))
            beside.append((name, low, high))
        if len(beside) == pairs:
            break
    caller.call_all([end for _, low, high in beside for end in (low, high)])
    broken = [(name, reading) for name, *ends in beside if (reading := _disordered(caller, name, *ends)) is not None]
    if broken:
        _simplify_pair(caller, *min(broken, key=lambda pair: pair[1].reading))


def _disordered(caller: Caller, name: str, low: Point, high: Point) -> Disorder | None:
    return disorder(caller.judge.claim, name, caller(low), caller(high), caller.judge.rounding)


def _simplify_pair(caller: Caller, name: str, best: Disorder) -> None:
    """Search for simpler pairs that are out of order in a parameter."""

    def simpler(low: Point, high: Point) -> Iterator[tuple[Point, Point]]:
        for digits in (1, 2, 3):
            near = [caller.box.rounded(end, digits) for end in (low, high)]
            if near[0] is not None and near[1] is not None:
                yield near[0], near[1]
        yield from ((point, {**point, name: high[name]}) for point in caller.box.simpler(low))
        yield from (({**point, name: low[name]}, point) for point in caller.box.simpler(high))

    while True:
        pairs = (
            ends
            for ends in simpler(best.first.point, best.second.point)
            if float(ends[0][name]) < float(ends[1][name]) and all(map(caller.box.contains, ends))
        )
        disorders = (pair for ends in pairs if (pair := _disordered(caller, name, *ends)) is not None)
        better = next((pair for pair in disorders if pair.reading < best.reading), None)
        if better is None:
            return
        best = better


def _ask_again(caller: Caller) -> None:
    """Repeat some calls in a fresh process, in reverse order: state left by one call must not change another answer."""
    caller.target.close()
    answered = [call for call in caller.log if call.kind not in {Kind.UNANSWERED, Kind.UNDEFINED}]
    some = answered[:: -(1 + len(answered) // ASKED_AGAIN)]
    examples = [call for kind in BAD if (call := simplest(of_kind(caller.log, kind))) is not None]
    for point in {repr(call.point): call.point for call in [*examples, *some]}.values():
        caller.call(point)


def search(caller: Caller, max_examples: int, seed: int, *, until_refuted: bool = False) -> None:
    """Call the target at points where it may be wrong.

    Args:
        caller: makes and logs the calls.
        max_examples: size of each search.
        seed: seed of the random points.
        until_refuted: whether to skip further searches after a bad answer; it is still simplified and repeated.
    """
    searches: list[Callable[[], None]] = [
        lambda: _published(caller),
        lambda: _used(caller, max_examples),
        lambda: _corners(caller, max_examples),
        lambda: _draw(caller, max_examples, seed),
        lambda: _wander(caller, max_examples, seed),
        lambda: _climb(caller, max_examples, seed),
        lambda: _leave_corners(caller),
        lambda: _reorder(caller, max(1, max_examples // 2), seed),
    ]
    phases: list[Callable[[], None]] = [
        *searches,
        *(partial(_simplify, caller, kind) for kind in BAD),
        lambda: _ask_again(caller),
    ]
    for place, phase in enumerate(phases):
        if until_refuted and phase in searches and of_kind(caller.log, *BAD):
            continue
        caller.phase(len(phases) - place)
        with contextlib.suppress(PatienceError):
            phase()
