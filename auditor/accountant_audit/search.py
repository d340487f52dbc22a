"""Search of a claim's box for points at which somebody's accountant is wrong; what is found is shrunk."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample, Unsatisfiable

from auditor.accountant_audit.judge import SMALLEST_DOUBLE, Judge, Judgement, Kind, shown
from auditor.search.parameter_points import Point, SearchBox, complexity
from auditor.search.reproducible import find
from auditor.target.target import Misbehaved, Returned, Target
from proofs_numeric.statements.claim import Claim, QuantityKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from auditor.target.target import Answer

CLIMBERS = 8
STEPS = (2, Fraction(3, 2), Fraction(11, 10), Fraction(101, 100))
"""Factors between two values of a parameter over which answers must keep their order."""
FALLS_WITH: Mapping[QuantityKind, tuple[str, ...]] = {
    QuantityKind.DELTA: ("epsilon", "gap"),
    QuantityKind.EPSILON: ("delta", "gap"),
    QuantityKind.THRESHOLD: ("delta", "epsilon"),
    QuantityKind.SCALE: ("delta", "epsilon"),
}
RISES_WITH: Mapping[QuantityKind, tuple[str, ...]] = dict.fromkeys(
    (QuantityKind.DELTA, QuantityKind.EPSILON, QuantityKind.THRESHOLD, QuantityKind.SCALE),
    ("c_u", "mu", "mu_o", "rho", "k"),
)


@dataclass(frozen=True)
class Called:
    """A point, what came back, and the judgement."""

    point: Point
    answer: Answer
    judgement: Judgement

    @property
    def alone(self) -> bool:
        """Whether this point shows by itself what is wrong."""
        return self.judgement.kind is not Kind.UNORDERED


class StopSearchError(Exception):
    """The target hangs or dies: every further call would cost its whole limit."""


@dataclass
class Caller:
    """Calls the target once for each distinct point and keeps what came of it."""

    target: Target
    judge: Judge
    box: SearchBox
    seen: dict[tuple[tuple[str, Any], ...], Called] = field(default_factory=dict)
    fatal: Called | None = None

    def __call__(self, point: Point) -> Called:
        """Call at a point, or look it up."""
        key = tuple(sorted((name, repr(value)) for name, value in point.items()))
        if key not in self.seen:
            self.seen[key] = self._call(point)
        return self.seen[key]

    def _call(self, point: Point) -> Called:
        if self.fatal is not None:
            raise StopSearchError
        answer = self.target.call(point)
        called = Called(point, answer, self.judge({**self.box.held, **point}, answer))
        if isinstance(answer, Misbehaved) and answer.name in {"hangs", "dies"}:
            self.fatal = called
        return called

    def of_kind(self, kind: Kind) -> list[Called]:
        """Return every call with that outcome, in order."""
        return [called for called in self.seen.values() if called.judgement.kind is kind]


def _settings(max_examples: int) -> settings:
    return settings(
        max_examples=max_examples,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )


def _first(caller: Caller, max_examples: int, seed: int, condition: Callable[[Called], bool]) -> Called | None:
    """Search for a point with a condition, and shrink it."""
    try:
        point = find(
            caller.box.strategy(),
            lambda point: condition(caller(point)),
            settings=_settings(max_examples),
            random=Random(seed),  # noqa: S311 - a search, not a secret
        )
    except (NoSuchExample, Unsatisfiable, StopSearchError):
        return None
    return caller(point)


def _climb(caller: Caller, steps: int, seed: int) -> None:
    """Walk from the points with the largest under-report, however small, towards larger ones.

    Below the tolerance an under-report is rounding; where it grows, digits are being lost.
    """
    random = Random(seed)  # noqa: S311 - a search, not a secret
    pool = sorted(judged(caller), key=lambda called: called.judgement.excess)[:CLIMBERS]
    try:
        for step in range(steps if pool else 0):
            place = step % len(pool)
            point = caller.box.neighbour(pool[place].point, random)
            if caller.box.contains(point):
                called = caller(point)
                if called.judgement.excess < pool[place].judgement.excess:
                    pool[place] = called
                if called.judgement.kind is Kind.UNSAFE:
                    return
    except StopSearchError:
        return


def _simplify(caller: Caller, called: Called, condition: Callable[[Called], bool]) -> Called:
    """Replace arguments by simpler ones while the condition holds."""
    best, improved = called, True
    while improved:
        improved = False
        for point in caller.box.simpler(best.point):
            try:
                candidate = caller(point)
            except StopSearchError:
                return best
            if condition(candidate):
                best, improved = candidate, True
                break
    return best


def _worst(caller: Caller, kind: Kind, max_examples: int, seed: int) -> Called | None:
    """Return the shrunk point of a kind of failure, if the search met any."""

    def fails(called: Called) -> bool:
        return called.judgement.kind is kind

    if caller.fatal is not None:
        return caller.fatal if fails(caller.fatal) else next(iter(caller.of_kind(kind)), None)
    found = _first(caller, max_examples, seed, fails)
    candidates = [found] if found is not None else caller.of_kind(kind)
    if not candidates:
        return None
    return _simplify(caller, min(candidates, key=lambda called: _reading(called.point)), fails)


def _reading(point: Point) -> tuple[int, float]:
    marks = [complexity(argument) for argument in point.values()]
    return (sum(digits for digits, _ in marks), sum(magnitude for _, magnitude in marks))


def _not_monotone(caller: Caller, claim: Claim, max_examples: int, seed: int, tolerance: float) -> Called | None:
    """Search for two points, one parameter apart, whose answers are clearly ordered against the claim."""
    directions = dict.fromkeys(FALLS_WITH.get(claim.quantity, ()), -1) | dict.fromkeys(
        RISES_WITH.get(claim.quantity, ()), 1
    )
    axes = [axis for axis in caller.box.axes if axis.parameter.name in directions and not axis.fixed]
    if not axes or caller.fatal is not None:
        return None

    def pairs(name: str) -> st.SearchStrategy[tuple[str, Point, Any]]:
        axis = next(axis for axis in axes if axis.parameter.name == name)

        def beside(point: Point) -> st.SearchStrategy[tuple[str, Point, Any]]:
            steps = [step for factor in STEPS if (step := axis.argument(Fraction(point[name]) * factor)) is not None]
            other = st.one_of(st.sampled_from(steps), axis.strategy()) if steps else axis.strategy()
            return st.tuples(st.just(name), st.just(point), other)

        return caller.box.strategy().flatmap(beside)

    def against(pair: tuple[str, Point, Any]) -> bool:
        name, point, other = pair
        moved = {**point, name: other}
        if not (other > point[name] and caller.box.contains(moved)):
            return False
        low, high = caller(point), caller(moved)
        if not (isinstance(low.answer, Returned) and isinstance(high.answer, Returned)):
            return False
        if math.isnan(low.judgement.excess) or math.isnan(high.judgement.excess):
            return False
        larger, smaller = (low, high) if directions[name] > 0 else (high, low)
        assert isinstance(larger.answer, Returned)  # noqa: S101 - both were checked above
        assert isinstance(smaller.answer, Returned)  # noqa: S101
        slack = Fraction(1 + 2 * tolerance)
        return larger.answer.value > smaller.answer.value * slack + SMALLEST_DOUBLE and _truths_agree(smaller, larger)

    names = [axis.parameter.name for axis in axes]
    try:
        strategy = st.sampled_from(names).flatmap(pairs)
        random = Random(seed)  # noqa: S311 - a search, not a secret
        name, point, other = find(strategy, against, settings=_settings(max_examples), random=random)
    except (NoSuchExample, Unsatisfiable, StopSearchError):
        return None
    low, high = caller(point), caller({**point, name: other})
    word = "rise" if directions[name] > 0 else "fall"
    reason = (
        f"does not {word} with {name}: {shown(low.answer)} at {name}={point[name]!r}, {shown(high.answer)} at {other!r}"
    )
    return Called(
        high.point, high.answer, Judgement(Kind.UNORDERED, reason, truth=high.judgement.truth, bits=high.judgement.bits)
    )


def _truths_agree(larger: Called, smaller: Called) -> bool:
    """Whether the true values are certified to be ordered as the claim's direction says."""
    left, right = larger.judgement.truth, smaller.judgement.truth
    return left is not None and right is not None and bool(left >= right)


def searched(
    caller: Caller, claim: Claim, max_examples: int, seed: int, tolerance: float
) -> tuple[Called | None, Called | None]:
    """Return the shrunk unsafe and invalid points."""
    try:
        corners = caller.box.corner_points()
        published = caller.box.published_points(claim.points)
        for point in [*published, *corners[:: 1 + len(corners) // max_examples]]:
            caller(point)
    except StopSearchError:
        pass
    unsafe = _worst(caller, Kind.UNSAFE, max_examples, seed)
    drawn_out = unsafe is None
    if drawn_out:
        _climb(caller, max_examples, seed)
        unsafe = _worst(caller, Kind.UNSAFE, 1, seed)
    # A search that ended without a find called every point that another with the same seed would draw.
    nothing_left = drawn_out and not caller.of_kind(Kind.INVALID)
    invalid = None if nothing_left else _worst(caller, Kind.INVALID, max_examples, seed)
    if invalid is None:
        invalid = _not_monotone(caller, claim, max(1, max_examples // 2), seed, max(tolerance, 1e-9))
    return unsafe, invalid


def judged(caller: Caller) -> Iterator[Called]:
    """Every call whose answer could be held against a truth."""
    return (called for called in caller.seen.values() if not math.isnan(called.judgement.excess))
