"""Audit of somebody's accountant against a claim: search, judge each answer in ball arithmetic, shrink what is wrong.

The truth is the claim's formula at the exact binary value of the arguments the callable received. Directions: a
returned delta, epsilon, threshold or scale below the truth is unsafe; above it is loose. A calibration is judged by the
exact delta achieved at what it returns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample, Unsatisfiable

from auditor.errors import TargetError, UsageError
from auditor.report.model import AccountantEvidence, AccountantPoint, Enclosed, Interval
from auditor.search.parameter_points import Point, SearchBox, complexity, exact_values, search_box
from auditor.search.reproducible import find
from auditor.target import Infinite, Limits, Misbehaved, Returned, Target, as_target
from proofs_numeric.arithmetic import Ball
from proofs_numeric.certify import Enclosure, bounds, precisions
from proofs_numeric.claim import Calibration, Claim, DeltaBound, QuantityKind, Role, evaluate_in
from proofs_numeric.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from auditor.target import Answer
    from proofs_numeric.claim import Value

SMALLEST_DOUBLE = Fraction(1, 2**1074)
LAST_BITS = 2048
SHOWN_DIGITS = 17
CLIMBERS = 8
RANGES: Mapping[QuantityKind, tuple[int | None, int | None]] = {
    QuantityKind.DELTA: (0, 1),
    QuantityKind.PROBABILITY: (0, 1),
    QuantityKind.EPSILON: (0, None),
    QuantityKind.RHO: (0, None),
    QuantityKind.SCALE: (0, None),
    QuantityKind.THRESHOLD: (None, None),
    QuantityKind.RATIO: (None, None),
}
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


class Kind(StrEnum):
    """What one answer is, held against the truth."""

    RIGHT = "right"
    """Within the tolerance."""
    LOOSE = "loose"
    """Above the truth: safe."""
    DIFFERS = "differs"
    """Below a claimed upper bound, but not below the exact value."""
    UNSAFE = "unsafe"
    """Below the truth: a privacy violation."""
    INVALID = "invalid"
    """No number, out of range, or not monotone."""
    UNJUDGED = "unjudged"
    """The claim is undefined there, or the enclosures do not separate."""


@dataclass(frozen=True)
class Judgement:
    """One answer judged.

    Args:
        kind: the outcome.
        reason: one line.
        excess: natural logarithm of returned / truth (of target / achieved for a calibration); NaN where there is none.
        truth: the enclosure held against, as a ball; None where none was needed.
        bits: its precision.

    """

    kind: Kind
    reason: str = ""
    excess: float = math.nan
    truth: Any = None
    bits: int = 0


@dataclass(frozen=True)
class Called:
    """A point, what came back, and the judgement."""

    point: Point
    answer: Answer
    judgement: Judgement


@dataclass(frozen=True)
class AccountantAudit:
    """Result of `audit_accountant`; `to_json` is the contract's document.

    Args:
        target: what was called.
        claim: id of the claim.
        verdict: REFUTED with an unsafe or invalid point, UNDECIDED when nothing could be judged, else CONSISTENT.
        detail: the verdict in one line.
        unsafe: shrunk point at which the target under-reports.
        invalid: shrunk point at which it returns no acceptable number.
        differs: point below an upper bound but not below the exact value.
        loosest: point with the largest over-report; None when nothing was judged.
        worst_relative_error: largest |returned/truth - 1| of all judged points with a positive truth, as a decimal
            string.
        examples: number of distinct points called.
        unjudged: how many of them could not be judged.
        box: searched ranges, exact text.
        held: parameters kept at their default because the target does not take them.
        tolerance: relative tolerance of an under-report.
        seed: seed of the search.

    """

    target: str
    claim: str
    verdict: Verdict
    detail: str
    unsafe: AccountantPoint | None
    invalid: AccountantPoint | None
    differs: AccountantPoint | None
    loosest: AccountantPoint | None
    worst_relative_error: str | None
    examples: int
    unjudged: int
    box: Mapping[str, tuple[str, str]]
    held: Mapping[str, str]
    tolerance: str
    seed: int

    @property
    def exit_code(self) -> int:
        """1 when something is unsafe or invalid, else 0."""
        return int(self.unsafe is not None or self.invalid is not None)

    def to_json(self) -> dict[str, Any]:
        """Return the contract's JSON document."""

        def point(value: AccountantPoint | None) -> dict[str, Any] | None:
            return None if value is None else value.model_dump(mode="json")

        return {
            "verdict": self.verdict.value,
            "detail": self.detail,
            "target": self.target,
            "claim": self.claim,
            "unsafe": point(self.unsafe),
            "invalid": point(self.invalid),
            "differs": point(self.differs),
            "loosest": point(self.loosest) or {},
            "worst_relative_error": self.worst_relative_error,
            "examples": self.examples,
            "unjudged": self.unjudged,
            "box": {name: {"lower": lower, "upper": upper} for name, (lower, upper) in self.box.items()},
            "held": dict(self.held),
            "tolerance": self.tolerance,
            "seed": self.seed,
        }

    def evidence(self) -> AccountantEvidence:
        """Return the result as evidence of a finding."""
        return AccountantEvidence(
            target=self.target,
            against=self.claim,
            box={name: Interval(lower=lower, upper=upper) for name, (lower, upper) in self.box.items()},
            tolerance=self.tolerance,
            examples=self.examples,
            unsafe=self.unsafe,
            invalid=self.invalid,
            differs=self.differs,
            loosest=self.loosest,
        )


# --- judging --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Judge:
    """Holds answers against one claim.

    Args:
        claim: a claim with a value.
        tolerance: relative tolerance of an under-report.

    """

    claim: Claim
    tolerance: Fraction

    def __post_init__(self) -> None:
        if self.claim.formula is None or self.claim.quantity not in RANGES:
            raise UsageError(
                f"claim {self.claim.id} states no number an accountant could return; "
                "give a claim whose quantity is delta, epsilon, rho, threshold, scale, probability or ratio"
            )

    def __call__(self, point: Mapping[str, Any], answer: Answer) -> Judgement:
        """Judge the answer at the exact values of a point."""
        values = exact_values(point)
        if isinstance(answer, Misbehaved):
            return Judgement(Kind.INVALID, answer.detail)
        special = self.claim.special_value(**values) if self.claim.special_value is not None else None
        if special is not None:
            return self._judge_special(special.value, special.reason, answer)
        if isinstance(answer, Infinite):
            truth, bits = self._truth(values)
            word = "infinity" if answer.positive else "-infinity"
            return Judgement(Kind.INVALID, f"returns {word} where the claim is finite", truth=truth, bits=bits)
        return self._judge_number(values, answer.value)

    def _judge_special(self, value: str, reason: str, answer: Answer) -> Judgement:
        if value != "infinity":
            return Judgement(Kind.UNJUDGED, f"the claim is {value}: {reason}")
        if isinstance(answer, Infinite) and answer.positive:
            return Judgement(Kind.RIGHT, reason)
        return Judgement(Kind.UNSAFE, f"returns a finite number where the claim is infinite: {reason}", -math.inf)

    def _judge_number(self, values: Mapping[str, Value], returned: Fraction) -> Judgement:
        lowest, highest = RANGES[self.claim.quantity]
        if lowest is not None and returned < lowest:
            return Judgement(Kind.INVALID, f"returns a {self.claim.quantity} below {lowest}")
        if highest is not None and returned > highest and not self._bound_allows(values, returned):
            return Judgement(Kind.INVALID, f"returns a {self.claim.quantity} above {highest}")
        kind = self.claim.kind
        if isinstance(kind, Calibration):
            return self._judge_calibration(kind, values, returned)
        judgement = self._compare(values, lambda A, **p: (A.number(returned), self._formula(A, **p)))
        if judgement.kind is not Kind.UNSAFE or self.claim.role is not Role.UPPER:
            return judgement
        if not (isinstance(kind, DeltaBound) and kind.exact is not None):
            return Judgement(
                Kind.DIFFERS, "below the claimed upper bound", judgement.excess, judgement.truth, judgement.bits
            )
        true = kind.exact
        against_exact = self._compare(values, lambda A, **p: (A.number(returned), true(A, **p)))
        if against_exact.kind is Kind.UNSAFE:
            return against_exact
        reason = "below the claimed upper bound, not below the exact value"
        return Judgement(Kind.DIFFERS, reason, judgement.excess, judgement.truth, judgement.bits)

    def _formula(self, A: Any, **parameters: Any) -> Any:
        """The claim's value; an upper bound on a probability is read as at most one."""
        assert self.claim.formula is not None  # noqa: S101 - checked on construction
        value = self.claim.formula(A, **parameters)
        capped = self.claim.role is Role.UPPER and RANGES[self.claim.quantity][1] == 1
        return A.minimum(1, value) if capped else value

    def _bound_allows(self, values: Mapping[str, Value], returned: Fraction) -> bool:
        """Whether the claim's own bound exceeds one here, as the sum of two deltas may."""
        if self.claim.role is not Role.UPPER or self.claim.formula is None:
            return False
        formula = self.claim.formula
        allowed = self._compare(
            values, lambda A, **p: (formula(A, **p) * (1 + A.number(self.tolerance)), A.number(returned))
        )
        return allowed.kind in {Kind.RIGHT, Kind.LOOSE}

    def _judge_calibration(self, kind: Calibration, values: Mapping[str, Value], returned: Fraction) -> Judgement:
        if self.claim.quantity is QuantityKind.SCALE and returned == 0:
            return Judgement(Kind.INVALID, "returns a scale of 0")
        achieved = self._compare(
            values, lambda A, **p: (A.number(p[kind.target]), kind.achieved(A, value=A.number(returned), **p))
        )
        if achieved.kind is Kind.UNSAFE:
            reason = f"the exact {kind.target} achieved at the returned value is above the one asked for"
            return Judgement(Kind.UNSAFE, reason, achieved.excess, achieved.truth, achieved.bits)
        if self.claim.quantity is QuantityKind.EPSILON and returned == 0 and achieved.kind is Kind.LOOSE:
            return Judgement(Kind.RIGHT, "no smaller epsilon is allowed", truth=achieved.truth, bits=achieved.bits)
        return achieved

    def _truth(self, values: Mapping[str, Value]) -> tuple[Any, int]:
        for bits in precisions(LAST_BITS):
            truth = _evaluate(bits, self._formula, values)
            if truth is not None and truth.is_finite() and truth.rel_accuracy_bits() > 60:
                return truth, bits
        return None, LAST_BITS

    def _compare(self, values: Mapping[str, Value], sides: Callable[..., tuple[Any, Any]]) -> Judgement:
        """Hold reported against true, both balls, doubling the precision until they separate at the tolerance."""
        for bits in precisions(LAST_BITS):
            ball = Ball(bits)
            both = _evaluate(bits, sides, values)
            if both is None:
                continue
            with ball:
                reported, true = (ball.number(side) for side in both)
                if not true.is_finite():
                    continue
                floor = true * ball.number(1 - self.tolerance) - ball.number(SMALLEST_DOUBLE)
                if reported < floor:
                    return Judgement(Kind.UNSAFE, "below the truth", _log_ratio(ball, reported, true), true, bits)
                ceiling = true * ball.number(1 + self.tolerance) + ball.number(SMALLEST_DOUBLE)
                if reported >= floor and (true.rel_accuracy_bits() > 60 or reported <= ceiling):
                    kind = Kind.LOOSE if reported > ceiling else Kind.RIGHT
                    return Judgement(kind, "", _log_ratio(ball, reported, true), true, bits)
        return Judgement(Kind.UNJUDGED, f"the enclosures do not separate at {LAST_BITS} bits")


def _evaluate(bits: int, formula: Callable[..., Any], values: Mapping[str, Value]) -> Any:
    try:
        return evaluate_in(Ball(bits), formula, values)
    except (ArithmeticError, ValueError):
        return None


def _log_ratio(ball: Ball, reported: Any, true: Any) -> float:
    """Log of reported / true, both raised to the smallest double: a double cannot tell apart what lies below."""
    smallest = ball.number(SMALLEST_DOUBLE)
    ratio = (reported.max(smallest) / true.max(smallest)).log()
    return float(ratio.mid()) if ratio.is_finite() else math.nan


def enclosed(ball: Any, bits: int) -> Enclosed | None:
    """Return a ball for the report, rounded outward; None for one that encloses nothing finite."""
    ends = None if ball is None else bounds(ball)
    if ends is None:
        return None
    value, lower, upper = Enclosure(*ends, bits).decimal(SHOWN_DIGITS)
    return Enclosed(lower=lower, upper=upper, value=value, bits=bits)


# --- searching ------------------------------------------------------------------------------------------------------


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
    pool = sorted(_judged(caller), key=lambda called: called.judgement.excess)[:CLIMBERS]
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
        f"does not {word} with {name}: {_text(low.answer)} at {name}={point[name]!r}, {_text(high.answer)} at {other!r}"
    )
    return Called(
        high.point, high.answer, Judgement(Kind.INVALID, reason, truth=high.judgement.truth, bits=high.judgement.bits)
    )


def _truths_agree(larger: Called, smaller: Called) -> bool:
    """Whether the true values are certified to be ordered as the claim's direction says."""
    left, right = larger.judgement.truth, smaller.judgement.truth
    return left is not None and right is not None and bool(left >= right)


def _text(answer: Answer) -> str:
    match answer:
        case Returned(value):
            return repr(float(value))
        case Infinite(positive):
            return "infinity" if positive else "-infinity"
        case Misbehaved(_, detail):
            return detail


def _argument_text(argument: float | str) -> str:
    return repr(argument) if isinstance(argument, float) else str(argument)


def _point(called: Called | None, held: Mapping[str, Any]) -> AccountantPoint | None:
    if called is None:
        return None
    judgement = called.judgement
    ratio = None if math.isnan(judgement.excess) else _ratio_text(judgement.excess)
    return AccountantPoint(
        parameters={name: _argument_text(value) for name, value in {**held, **called.point}.items()},
        returned=_text(called.answer),
        truth=enclosed(judgement.truth, judgement.bits),
        ratio=ratio,
        reason=judgement.reason,
    )


def _ratio_text(log_ratio: float) -> str:
    if math.isinf(log_ratio):
        return "infinity" if log_ratio > 0 else "0"
    if abs(log_ratio) < 700:
        return f"{math.exp(log_ratio):.12g}"
    return f"1e{math.floor(log_ratio / math.log(10)):+d}"


def audit_accountant(
    target: str | Callable[..., Any] | Target,
    against: Claim,
    *,
    box: Mapping[str, tuple[str, str]] | None = None,
    tolerance: str = "1e-9",
    max_examples: int = 400,
    seed: int = 0,
    limits: Limits | None = None,
) -> AccountantAudit:
    """Search a claim's domain for inputs at which a callable under-reports, misbehaves, or over-reports the most.

    Args:
        target: `package.module:callable`, `path/to/file.py:callable`, a live callable, or a located target.
        against: the claim; its parameters are passed by keyword, integers as int, reals as float, words as str.
        box: exact ends (lo, hi) by parameter name; the rest is the claim's domain.
        tolerance: relative tolerance of an under-report, an exact number in [0, 1).
        max_examples: size of each search: corners, drawn points, a walk towards under-reports; monotonicity gets
            half.
        seed: seed of the search; the same seed gives the same result.
        limits: time and memory of the target.

    Errors:
        TargetError: the target does not import or cannot be called.
        UsageError: the claim has no number, or the box or tolerance is not usable.

    """
    slack = _tolerance(tolerance)
    judge = Judge(against, slack)
    located = target if isinstance(target, Target) else as_target(target, "accountant", limits)
    with located:
        search = search_box(against.domain, box, located.accepts)
        _check_names(located, search)
        caller = Caller(located, judge, search)
        unsafe, invalid, missing = _search(caller, against, max_examples, seed, float(slack))
    return _result(located.name, caller, unsafe, invalid, missing, tolerance, seed)


def _tolerance(text: str) -> Fraction:
    try:
        value = Fraction(text)
    except (TypeError, ValueError, ZeroDivisionError):
        raise UsageError(f"expected 0 <= tolerance < 1, an exact number such as 1e-9, got {text!r}") from None
    if not 0 <= value < 1:
        raise UsageError(f"expected 0 <= tolerance < 1, got {text}")
    return value


def _check_names(located: Target, search: SearchBox) -> None:
    missing = [
        axis.parameter.name
        for axis in search.axes
        if located.accepts is not None and axis.parameter.name not in located.accepts
    ]
    if missing:
        raise TargetError(
            f"{located.name} does not take {', '.join(missing)} by keyword; the claim passes "
            f"{', '.join(axis.parameter.name for axis in search.axes)}"
        )


def _search(
    caller: Caller, claim: Claim, max_examples: int, seed: int, tolerance: float
) -> tuple[Called | None, Called | None, bool]:
    """Return the shrunk unsafe and invalid points and whether nothing in the box could be called at all."""
    try:
        corners = caller.box.corner_points(claim.points)
        for point in corners[:: 1 + len(corners) // max_examples]:
            caller(point)
    except StopSearchError:
        pass
    unsafe = _worst(caller, Kind.UNSAFE, max_examples, seed)
    if unsafe is None:
        _climb(caller, max_examples, seed)
        unsafe = _worst(caller, Kind.UNSAFE, 1, seed)
    invalid = _worst(caller, Kind.INVALID, max_examples, seed)
    if invalid is None:
        invalid = _not_monotone(caller, claim, max(1, max_examples // 2), seed, max(tolerance, 1e-9))
    return unsafe, invalid, not caller.seen


def _judged(caller: Caller) -> Iterator[Called]:
    return (called for called in caller.seen.values() if not math.isnan(called.judgement.excess))


def _result(
    name: str, caller: Caller, unsafe: Called | None, invalid: Called | None, empty: bool, tolerance: str, seed: int
) -> AccountantAudit:
    if empty:
        raise UsageError("the box holds no point of the claim's domain; widen it")
    held = caller.box.held
    unjudged = len(caller.of_kind(Kind.UNJUDGED))
    judged = [called for called in _judged(caller) if called.judgement.kind is not Kind.INVALID]
    loosest = max(judged, key=lambda called: _looseness(called.judgement), default=None)
    errors = [abs(math.expm1(min(called.judgement.excess, 700.0))) for called in judged if _normal(called.judgement)]
    error = f"{max(errors):.3g}" if errors else None
    differs = next(iter(caller.of_kind(Kind.DIFFERS)), None)
    points = {"unsafe": unsafe, "invalid": invalid, "differs": differs, "loosest": loosest}
    shown = {key: _point(value, held) for key, value in points.items()}
    verdict = Verdict.CONSISTENT
    if unsafe is not None or invalid is not None:
        verdict = Verdict.REFUTED
    elif unjudged == len(caller.seen):
        verdict = Verdict.UNDECIDED
    return AccountantAudit(
        target=name,
        claim=caller.judge.claim.id,
        verdict=verdict,
        detail=_detail(shown, len(caller.seen), error),
        worst_relative_error=error,
        examples=len(caller.seen),
        unjudged=unjudged,
        box=caller.box.text(),
        held={key: _argument_text(value) for key, value in held.items()},
        tolerance=tolerance,
        seed=seed,
        **shown,
    )


def _looseness(judgement: Judgement) -> float:
    """Order by over-report; the rounding of subnormal numbers is none."""
    return judgement.excess if judgement.kind is not Kind.RIGHT or _normal(judgement) else 0.0


def _normal(judgement: Judgement) -> bool:
    """Whether the truth is large enough for a double to hold it to full relative accuracy."""
    return math.isfinite(judgement.excess) and judgement.truth is not None and bool(judgement.truth > 2.0**-1022)


def _detail(shown: Mapping[str, AccountantPoint | None], examples: int, error: str | None) -> str:
    def at(point: AccountantPoint) -> str:
        return ", ".join(f"{name}={value}" for name, value in point.parameters.items())

    parts = []
    if (unsafe := shown["unsafe"]) is not None:
        truth = unsafe.truth.value or unsafe.truth.lower if unsafe.truth else "infinity"
        parts.append(f"under-reports: returns {unsafe.returned} at {at(unsafe)} ({unsafe.reason}; truth {truth})")
    if (invalid := shown["invalid"]) is not None:
        parts.append(f"invalid: {invalid.reason} at {at(invalid)}")
    if parts:
        return "; ".join(parts)
    loosest = shown["loosest"]
    if loosest is None:
        return f"nothing could be judged in {examples} examples"
    kind = "differs from the bound, not below the exact value" if shown["differs"] is not None else "no violation seen"
    return (
        f"{kind} in {examples} examples; largest returned/truth {loosest.ratio} at {at(loosest)}; "
        f"largest relative error {error or 'none'}"
    )
