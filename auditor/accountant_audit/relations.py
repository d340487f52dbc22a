"""Consistency requirements on an accountant's answers, without a truth: order, convexity, inverses, composition.

The parts of an accountant are `delta` and functions that return one of its parameters for a delta (`epsilon`, `sigma`).
`compose.delta` is the delta after composition. Each relation compares the answers of some calls with bounds from
others.
"""

import contextlib
import itertools
import math
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random
from typing import Any

from auditor.accountant_audit.doubling import twice_at_least
from auditor.accountant_audit.judge import ESTIMATE, LOWER, UPPER, format_answer
from auditor.accountant_audit.log import FEWEST, reading
from auditor.accountant_audit.practical import PRACTICAL, has_practical_parameters
from auditor.accountant_audit.rounding import SMALLEST_DOUBLE, Rounding
from auditor.accountant_audit.search import ROUNDED, STEPS, PatienceError
from auditor.accountant_audit.solved import DELTA
from auditor.accountant_audit.untaken import first_points
from auditor.errors import UsageError
from auditor.search.parameter_points import Argument, Axis, Point, SearchBox
from auditor.target.target import DECLINES, HANGS, MEMORY, Answer, Infinite, Misbehaved, Returned, Several, Target
from proofs_numeric.arithmetic import exact
from proofs_numeric.statements.box import Box

EPSILON_NAME = "epsilon"
COMPOSED = "compose.delta"
RANGES = {"delta": "is in [0, 1]", COMPOSED: "is in [0, 1]", EPSILON_NAME: "is at least log(1 - delta)"}
"""Expected range of an answer, by part."""
WIDTHS = (Fraction(1, 1000), Fraction(1, 20), Fraction(1, 5), Fraction(1))
"""Distances between three values of epsilon, relative to epsilon."""
SAMPLES, SPAN = 48, 1.25
"""Number of profile samples for self-composition, and their largest epsilon relative to epsilon."""
NARROWEST = 0.1
FARTHEST = 700.0
"""Largest epsilon whose exponential is a double."""
DOUBLING_SLACK = Fraction(1, 10**6)
MOST_UNANSWERED = 3
"""Largest number of calls without an answer in time, over all relations; one more ends them."""
WALKS = 4
"""Number of points near known ones per point of the size, for a relation that takes few calls."""
MOSTLY = 0.8
"""Share of points chosen near one at which delta is neither 0 nor 1."""


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """Declared properties of an accountant.

    Args:
        domain: every parameter of its delta, including epsilon.
        rises: parameters in which delta is non-decreasing.
        falls: parameters in which delta is non-increasing; epsilon always is one.
        counts: the number of releases with one neighbouring pair; empty: no such parameter.
        refines: width of a grid: halving it must not raise the answer, and brackets of two widths must overlap.
        returns: the meaning of each number of an answer, see `Judge`.
    """

    domain: Box
    rises: tuple[str, ...] = ()
    falls: tuple[str, ...] = ()
    counts: str = ""
    refines: str = ""
    returns: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether answers are the number itself, not an upper bound."""
        return UPPER not in self.returns

    def direction(self, name: str) -> int:
        """Return 1 if delta rises with the parameter, -1 if it falls, 0 without a declaration."""
        return -1 if name in {*self.falls, EPSILON_NAME} else 1 if name in self.rises else 0


@dataclass(frozen=True)
class PartCall:
    """One call: part, arguments and answer."""

    part: str
    point: Point
    answer: Answer

    @property
    def corner(self) -> bool:
        """Whether a parameter, or a returned delta, lies outside its practical range."""
        if not has_practical_parameters(self.point):
            return True
        if self.part not in {"delta", COMPOSED} or not isinstance(self.answer, Returned):
            return False
        return self.answer.value < PRACTICAL["delta"][0]

    @property
    def is_refusal(self) -> bool:
        """Whether the target refused the call, or needed more memory than allowed."""
        return isinstance(self.answer, Misbehaved) and self.answer.name in {DECLINES, MEMORY}

    def __str__(self) -> str:
        point = ", ".join(f"{name}={value!r}" for name, value in self.point.items())
        call = f"{self.part}({point})"
        return (
            f"{call} {self.answer}" if isinstance(self.answer, Misbehaved) else f"{call} = {format_answer(self.answer)}"
        )


@dataclass(frozen=True)
class Compared:
    """Comparison of calls with a bound from other calls; a positive excess is a contradiction.

    Args:
        relation: name of the relation.
        calls: the compared calls.
        reason: the requirement as text.
        excess: natural logarithm of the quotient, positive only beyond rounding; infinite without a number.
        point: the point of the comparison.
    """

    relation: str
    calls: tuple[PartCall, ...]
    reason: str
    excess: float
    point: Point

    @property
    def corner(self) -> bool:
        """Whether all calls are corners."""
        return all(call.corner for call in self.calls)

    @property
    def reading(self) -> tuple[int, float]:
        """Sort key of readability of the calls: digits, then distance from one."""
        return reading(*(call.point for call in self.calls))

    def __str__(self) -> str:
        return f"{'; '.join(map(str, self.calls))}: {self.reason}"


@dataclass
class Parts:
    """The started parts of an accountant; each distinct call is made once.

    Args:
        targets: targets by part.
        declared: declared properties.
        box: box of the points.
        tolerance: relative accuracy of the answers.
        budget: budget in CPU seconds.
        pairs: whether `compose` takes another accountant; it then gets an equal one, so that releases double.
        watch: called after each call with the number of calls and their CPU seconds.
        right: returns whether a truth confirms an answer; a confirmed answer contradicts nothing.
    """

    targets: Mapping[str, Target]
    declared: Declaration
    box: SearchBox
    tolerance: Fraction
    budget: float
    pairs: bool = False
    watch: Callable[[int, float], object] | None = None
    right: Callable[[PartCall], bool] = lambda _: False
    calls: int = 0
    _unanswered: int = 0
    _answers: dict[str, PartCall] = field(default_factory=dict)
    _spent: float = 0.0

    @property
    def rounding(self) -> Rounding:
        """The rounding rule."""
        return Rounding(self.tolerance)

    @property
    def refusals(self) -> list[PartCall]:
        """Every call that the target refused."""
        return [call for call in self._answers.values() if call.is_refusal]

    def __contains__(self, part: str) -> bool:
        return part in self.targets

    def takes(self, part: str, name: str) -> bool:
        """Return whether a part takes the parameter."""
        if part not in self.targets or name == part.rpartition(".")[2]:
            return False
        accepts = self.targets[part].accepts
        return accepts is None or name in accepts

    def ask(self, part: str, *places: Mapping[str, Argument]) -> list[PartCall]:
        """Call a part at some places with the parameters that it takes, in one round trip.

        Errors:
            PatienceError: the budget is spent, or too many calls had no answer in time.
            UsageError: an answer has another number of parts than declared.
        """
        points = [{name: value for name, value in each.items() if self.takes(part, name)} for each in places]
        keys = [repr((part, sorted(point.items()))) for point in points]
        new = {key: point for key, point in zip(keys, points, strict=True) if key not in self._answers}
        if new and self._spent > self.budget:
            raise PatienceError
        ours, target = time.process_time(), self.targets[part]
        theirs = target.cpu_seconds
        answers = target.call_many([*new.values()]) if new else []
        self._spent += time.process_time() - ours + max(0.0, target.cpu_seconds - theirs)
        self.calls += len(answers)
        if self.watch is not None:
            self.watch(self.calls, self._spent)
        for (key, point), answer in zip(new.items(), answers, strict=False):
            if isinstance(answer, Several) and len(answer.parts) != max(1, len(self.declared.returns)):
                raise UsageError(
                    f"{PartCall(part, point, answer)}, {len(answer.parts)} numbers: --returns names each of them, "
                    "such as --returns lower,estimate,upper"
                )
            self._answers[key] = PartCall(part, point, answer)
            self._unanswered += isinstance(answer, Misbehaved) and answer.name == HANGS
        if self._unanswered > MOST_UNANSWERED or len(answers) < len(new):
            raise PatienceError
        return [self._answers[key] for key in keys]

    def axis(self, name: str) -> Axis:
        """Return the searched range of a parameter."""
        return next(axis for axis in self.box.axes if axis.parameter.name == name)

    def end(self, answer: Answer, *ends: str) -> Fraction | None:
        """Return the first of these ends in the answer, as a number; a single number is every end except the lower."""
        if isinstance(answer, Several) and len(answer.parts) == len(self.declared.returns):
            answers = dict(zip(self.declared.returns, answer.parts, strict=True))
            answer = next((answers[name] for name in ends if name in answers), Misbehaved("", ""))
        elif ends == (LOWER,):
            return None
        return answer.value if isinstance(answer, Returned) else None

    def number(self, call: PartCall) -> Fraction | None:
        """Return the reported number: the upper end, or the estimate without one."""
        return self.end(call.answer, UPPER, ESTIMATE)


def _log_quotient(over: Fraction, allowed: Fraction) -> float:
    smallest = SMALLEST_DOUBLE
    return math.log(max(over, smallest)) - math.log(max(allowed, smallest))


Broken = Callable[[Parts, Point, Any], "Compared | None"]


@dataclass(frozen=True)
class Relation:
    """One consistency relation between answers.

    Args:
        name: name in one word.
        says: the requirement as text.
        variants: variants of the comparison at a point.
        compare: makes the calls and compares them; None if they cannot be compared.
        dear: whether a comparison takes many calls.
        needs: requirements of a comparison, as text.
    """

    name: str
    says: str
    variants: tuple[Any, ...]
    compare: Broken
    dear: bool = False
    needs: str = "a --box in which delta is neither 0 nor 1"


def _compared(
    parts: Parts, relation: str, calls: Sequence[PartCall], over: Fraction, allowed: Fraction, reason: str, point: Point
) -> Compared:
    above = parts.rounding.exceeds(over, allowed)
    excess = max(sys.float_info.min, _log_quotient(over, allowed)) if above else min(0.0, _log_quotient(over, allowed))
    return Compared(relation, tuple(calls), reason, excess, point)


def _range(parts: Parts, point: Point, part: str) -> Compared | None:
    (call,) = parts.ask(part, _with_delta(parts, point, part))
    if call.is_refusal or (isinstance(call.answer, Misbehaved) and call.answer.name == HANGS):
        return None
    number = parts.number(call)
    probability = part in {"delta", COMPOSED}
    above = 1 if probability else math.inf
    below: Fraction | float = 0 if probability else -math.inf
    reason = "expected a number"
    if probability:
        reason += " in [0, 1]"
    elif part == EPSILON_NAME:  # an epsilon below 0 can be valid: delta is at least 1 - e^epsilon
        delta = call.point.get(DELTA.name, 0)
        below = Fraction(math.log1p(-float(delta))) if float(delta) < 1 else below
        reason += " that is no less than log(1 - delta)"
    infinite = isinstance(call.answer, Infinite) and call.answer.positive and not probability
    wrong = not infinite
    if number is not None:
        ends = [Fraction(end) for end in (below, above) if math.isfinite(end)]
        near = any(abs(number - end) <= parts.rounding.margin(end) for end in ends)
        wrong = not (below <= number <= above or near)
    return Compared("range", (call,), reason, math.inf if wrong else 0.0, point)


def _with_delta(parts: Parts, point: Point, part: str) -> dict[str, Argument]:
    """Return the point with a delta for a part that solves for one: the accountant's own delta there, if valid."""
    if part in {"delta", COMPOSED} or DELTA.name in point:
        return dict(point)
    delta = parts.number(*parts.ask("delta", point)) if "delta" in parts else Fraction(1, 10**6)
    return {**point, DELTA.name: float(delta if delta is not None and 0 < delta < 1 else Fraction(1, 10**6))}


def _order(parts: Parts, point: Point, variant: tuple[str, str, int, Fraction]) -> Compared | None:
    part, name, direction, factor = variant
    here = _with_delta(parts, point, part)
    there = _moved(parts, here, name, factor)
    if there is None:
        return None
    low, high = parts.ask(part, here, there)
    larger, smaller = (low, high) if direction > 0 else (high, low)
    over, under = parts.number(larger), parts.number(smaller)
    if over is None or under is None:
        return None
    word = "rise" if direction > 0 else "fall"
    return _compared(parts, "order", (low, high), over, under, f"{part} should {word} with {name}", point)


def _moved(parts: Parts, point: Mapping[str, Argument], name: str, factor: Fraction) -> dict[str, Argument] | None:
    """Return the point with one parameter multiplied by a factor, integers rounded up; None outside the box."""
    if name == DELTA.name:
        larger = float(Fraction(point[name]) * factor)
        return {**point, name: larger} if larger < 1 else None
    axis = parts.axis(name)
    value = Fraction(point[name]) * factor
    moved = axis.argument(Fraction(math.ceil(value)) if axis.parameter.integer else value)
    if moved is None or moved <= point[name]:  # type: ignore[operator]
        return None
    there = {**point, name: moved}
    return there if parts.box.admits({**there}) else None


def _convex(parts: Parts, point: Point, width: Fraction) -> Compared | None:
    first, axis = float(point[EPSILON_NAME]), parts.axis(EPSILON_NAME)
    step = float(width) * (first or 1.0)
    second, third = first + step, first + 2 * step
    if not (first < second < third < FARTHEST and axis.contains(third)):
        return None
    calls = parts.ask("delta", *({**point, EPSILON_NAME: epsilon} for epsilon in (first, second, third)))
    low, middle, high = map(parts.number, calls)
    if low is None or middle is None or high is None:
        return None
    share = Fraction(math.expm1(second - first) / math.expm1(third - first))
    rest = Fraction(math.exp(second - first) * math.expm1(third - second) / math.expm1(third - first))
    chord = rest * low + share * high
    reason = (
        f"a profile is convex in e^epsilon, at most {float(chord)!r} in the middle of these three "
        "(--returns upper: an upper bound, no profile)"
    )
    return _compared(parts, "convex", calls, middle, chord, reason, point)


def _inverse(parts: Parts, point: Point, part: str) -> Compared | None:
    (call,) = parts.ask("delta", point)
    delta = parts.number(call)
    if delta is None or not sys.float_info.min < delta < 1:
        return None
    (solved,) = parts.ask(part, {**point, DELTA.name: float(delta)})
    value = parts.number(solved)
    parameter = parts.declared.domain[part]
    if value is None or (parameter.integer and value.denominator != 1) or not parameter.contains(exact(value)):
        return None
    back = {**point, part: int(value) if parameter.integer else float(value)}
    (again,) = parts.ask("delta", back)
    achieved = parts.number(again)
    if achieved is None or not parts.box.admits(back):
        return None
    bounds = "bounds that need not be attained are declared by --returns upper"
    reason = f"{part} was asked for a delta of {float(delta)!r}; {bounds}"
    comparison = _compared(parts, "inverse", (solved, again), achieved, delta, reason, point)
    return replace(comparison, excess=0.0) if comparison.excess > 0 and parts.right(solved) else comparison


def _composition(parts: Parts, point: Point, _: None) -> Compared | None:
    """Compare `compose` with delta: equal for equally many releases if delta takes their number, else not smaller."""
    counts = parts.declared.counts
    (composed,) = parts.ask(COMPOSED, point)
    whole: dict[str, Argument] = dict(point)
    if parts.pairs and parts.takes("delta", counts):
        twice = parts.axis(counts).argument(Fraction(point[counts]) * 2)
        if twice is None:
            return None
        whole[counts] = twice
    (single,) = parts.ask("delta", whole)
    all_of_them, one = parts.number(composed), parts.number(single)
    if all_of_them is None or one is None:
        return None
    equal = parts.takes("delta", counts) or (not parts.pairs and point.get(counts) == 1)
    reason = "they should be equal" if equal else "composing should not lower delta"
    calls = (composed, single)
    less = _compared(parts, "composition", calls, one, all_of_them, reason, point)
    if equal and less.excess <= 0:
        return _compared(parts, "composition", calls, all_of_them, one, reason, point)
    return less


def _doubling(parts: Parts, point: Point, part: str) -> Compared | None:
    counts, epsilon = parts.declared.counts, float(point[EPSILON_NAME])
    twice = parts.axis(counts).argument(Fraction(point[counts]) * 2)
    near, end = (float(getattr(parts.axis(EPSILON_NAME), name)) for name in ("lower", "upper"))
    far = min(max(epsilon, near + NARROWEST) * SPAN, end)
    if twice is None or near < 0 or not 2 * near < far < FARTHEST / 2:  # squares of e^far are doubles
        return None
    grid = [near + (far - near) * place / (SAMPLES - 1) for place in range(SAMPLES)]
    *sampled, doubled = parts.ask(part, *({**point, EPSILON_NAME: e} for e in grid), {**point, counts: twice})
    numbers = [parts.number(each) for each in sampled]
    reported = parts.number(doubled)
    if reported is None or any(number is None for number in numbers):
        return None
    least = Fraction(twice_at_least(grid, [float(number or 0) for number in numbers], epsilon))
    reason = (
        f"{SAMPLES} values of its own delta at {counts}={point[counts]!r}, epsilon in [{near:g}, {far:g}], composed "
        f"with themselves, give delta >= {float(least):.6g}, if one pair of neighbours is the worst at every epsilon, "
        f"as --counts {counts} declares"
    )
    if least == 0:
        return None
    return _compared(parts, "doubling", (doubled,), least * (1 - DOUBLING_SLACK), reported, reason, point)


def _refinement(parts: Parts, point: Point, variant: tuple[str, str]) -> Compared | None:
    part, name = variant
    half = {**point, name: float(point[name]) / 2}
    coarse, fine = parts.ask(part, _with_delta(parts, point, part), _with_delta(parts, half, part))
    ends = [(parts.end(each.answer, LOWER), parts.number(each)) for each in (coarse, fine)]
    for (low, _), (_, high) in itertools.permutations(ends):
        if low is not None and high is not None and low > high:
            reason = "the brackets of two grids should meet"
            return _compared(parts, "refinement", (coarse, fine), low, high, reason, point)
    over, allowed = ends[1][1], ends[0][1]
    if over is None or allowed is None:
        return None
    reason = f"halving {name} should not raise {part}"
    return _compared(parts, "refinement", (coarse, fine), over, allowed, reason, point)


def relations(parts: Parts) -> Iterator[Relation]:
    """Yield the consistency relations of these parts."""
    declared = parts.declared
    paths = list(parts.targets)
    solvers = [part for part in paths if part not in {"delta", COMPOSED}]
    names = [axis.parameter.name for axis in parts.box.axes if not (axis.fixed or axis.parameter.choices)]
    text = ", ".join(f"{part} {RANGES.get(part, 'is a number')}" for part in paths)
    yield Relation("range", text, tuple(paths), _range, needs="answers: fewer refusals")
    directed = [
        (part, name, direction, step)
        for part in paths
        for name in [*names, *([DELTA.name] if DELTA.name not in names else [])]
        if parts.takes(part, name) and (direction := _direction(declared, part, name))
        for step in STEPS
    ]
    if directed:
        needs = "two numbers, one parameter apart, inside the --box"
        yield Relation("order", "answers rise and fall as declared", tuple(directed), _order, needs=needs)
    has_profile = "delta" in parts and EPSILON_NAME in names
    if has_profile and declared.exact:
        yield Relation("convex", "delta is convex in e^epsilon", WIDTHS, _convex)
    invertible = [part for part in solvers if "delta" in parts and part in declared.domain.names]
    if invertible and declared.exact:
        text = "delta at the value returned for a requested delta is at most the requested delta"
        yield Relation("inverse", text, tuple(invertible), _inverse)
    if COMPOSED in parts and "delta" in parts:
        yield Relation("composition", "compose agrees with delta", (None,), _composition)
    counting = [part for part in ("delta", COMPOSED) if parts.takes(part, declared.counts)]
    if counting and has_profile and declared.exact and declared.counts in names:
        text = "delta for twice as many releases equals that of the profile composed with itself"
        yield Relation("doubling", text, tuple(counting[:1]), _doubling, dear=True)
    refined = [(part, declared.refines) for part in paths if parts.takes(part, declared.refines)]
    if refined:
        needs = (
            f"two numbers, at {declared.refines} and at half of it; --returns lower,estimate,upper names the meaning "
            "of each number of a bracket"
        )
        yield Relation("refinement", "a finer grid does not raise the answer", tuple(refined), _refinement, needs=needs)


def _direction(declared: Declaration, part: str, name: str) -> int:
    """Return the direction of a part in a parameter: as declared for delta, derived for a part that solves for one."""
    if part in {"delta", COMPOSED}:
        return 0 if name == DELTA.name else declared.direction(name)
    direction = declared.direction(part)
    return direction if name == DELTA.name else -direction * declared.direction(name)


def compared(
    parts: Parts, size: int, seed: int, only: frozenset[str] | None = None
) -> Iterator[tuple[Relation, list[Compared]]]:
    """Yield each relation with all its comparisons; contradictions are simplified.

    Practical values come first. Then the search looks for points at which delta is neither 0 nor 1, and walks from
    them.

    Args:
        parts: a started accountant.
        size: number of points per relation.
        seed: seed of the points.
        only: names of relations; None: all.

    Errors:
        UsageError: the box holds no point of the domain.
    """
    pool: list[Point] = []
    lead = "delta" if "delta" in parts else next(iter(parts.targets))
    random = Random(seed)  # noqa: S311 - a search, not a secret
    used = first_points(parts.targets[lead], parts.box, size)
    points = [*used, *parts.box.sample(random, max(size, len(used)))]
    if not points:
        raise UsageError("the box holds no point of the domain; widen it")
    with contextlib.suppress(PatienceError):
        for point in points:
            number = parts.number(*parts.ask(lead, _with_delta(parts, point, lead)))
            if number is not None and number > 0 and (lead != "delta" or number < 1):
                pool.append(point)
    for relation in relations(parts):
        if only is not None and relation.name not in only:
            continue
        comparisons: list[Compared] = []
        with contextlib.suppress(PatienceError):
            first = [(point, lead) for point in points]  # their answers are known
            if relation.compare is not _range:
                first = [] if relation.dear else [*itertools.product(used, relation.variants)]
            comparisons += [made for point, how in first if (made := relation.compare(parts, point, how)) is not None]
            enough = len(comparisons) + (FEWEST if relation.dear else max(WALKS * size, FEWEST))
            for _ in range(max(WALKS * size, 3 * FEWEST)):
                if len(comparisons) >= enough:
                    break
                point = random.choice(pool if pool and random.random() < MOSTLY else points)
                near = parts.box.neighbour(point, random)
                made = relation.compare(
                    parts, near if parts.box.contains(near) else point, random.choice(relation.variants)
                )
                comparisons += [] if made is None else [made]
            comparisons += _simpler(parts, relation, comparisons)
        yield relation, comparisons


def _simpler(parts: Parts, relation: Relation, comparisons: Sequence[Compared]) -> list[Compared]:
    """Return contradictions at points with fewer digits than the given ones."""
    more: list[Compared] = []

    def broken(point: Point) -> Compared | None:
        made = [one for variant in relation.variants if (one := relation.compare(parts, point, variant)) is not None]
        return next((one for one in made if one.excess > 0), None)

    bad = [one for one in comparisons if one.excess > 0]
    with contextlib.suppress(PatienceError):
        for one, digits in itertools.product(bad[:: 1 + len(bad) // (3 if relation.dear else ROUNDED)], (1, 2)):
            near = parts.box.rounded(one.point, digits)
            made = None if near is None else broken(near)
            more += [] if made is None else [made]
        best = min([*bad, *more], key=lambda one: one.reading, default=None)
        while best is not None:
            better = (made for point in parts.box.simpler(best.point) if (made := broken(point)) is not None)
            best = next((made for made in better if made.reading < best.reading), None)
            more += [] if best is None else [best]
    return more
