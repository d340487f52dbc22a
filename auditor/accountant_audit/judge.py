"""Comparison of one answer of an accountant with a claim, in ball arithmetic.

The truth is the claim's formula at the exact binary values of the arguments. A returned delta, epsilon, threshold or
scale below the truth is unsafe; above it, it is loose. A calibration is judged by the delta achieved at the returned
value. If only bounds on this delta are known, a value below the claim's is unsafe only if the lower bound exceeds the
requested delta; otherwise it differs. Deviations within rounding are no violations, see `rounding`.
"""

import functools
import itertools
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

from auditor.accountant_audit.rounding import OF_EACH, SMALLEST_DOUBLE, Rounding
from auditor.accountant_audit.solved import Solved
from auditor.errors import UsageError, counted
from auditor.search.parameter_points import exact_values
from auditor.target.target import DECLINES, HANGS, MEMORY, Answer, Infinite, Misbehaved, Returned, Several
from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.enclosure import decimal_string, precisions
from proofs_numeric.arithmetic.formula import Formula, Value, evaluate_in
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.kinds import Calibration, DeltaBound

SHOWN_DIGITS = 17
LARGEST = Fraction(sys.float_info.max)
ALMOST_ONE = Ball(64).number(1 - Fraction(1, 2**53))
"""Least probability that counts as one in doubles, 1 - 2^-53, as a ball."""
START_BITS, LAST_BITS = 96, 3072
ENOUGH_BITS = 60
"""Relative accuracy of a truth that suffices for comparison with a double, in bits."""
RANGES: Mapping[QuantityKind, tuple[int | None, int | None]] = {
    QuantityKind.DELTA: (0, 1),
    QuantityKind.PROBABILITY: (0, 1),
    QuantityKind.EPSILON: (0, None),
    QuantityKind.RHO: (0, None),
    QuantityKind.SCALE: (0, None),
    QuantityKind.THRESHOLD: (None, None),
    QuantityKind.RATIO: (None, None),
}


class Kind(StrEnum):
    """Class of one answer by comparison with the truth."""

    RIGHT = "right"
    """Within the tolerance."""
    LOOSE = "loose"
    """Above the truth: safe."""
    DIFFERS = "differs"
    """Below a claimed upper bound, but not below the exact value."""
    UNSAFE = "unsafe"
    """Below the truth: a privacy violation."""
    ROUNDING = "rounding"
    """Below the truth by more than the tolerance, but within rounding: no violation."""
    INVALID = "invalid"
    """No number, out of range, or a crash."""
    DECLINES = "declines"
    """The accountant refuses its arguments by raising an error itself, or needs more memory than allowed."""
    UNANSWERED = "unanswered"
    """No answer in time."""
    UNDEFINED = "undefined"
    """The claim does not cover the point."""
    UNSEPARATED = "unseparated"
    """The enclosures of answer and truth overlap at the last precision."""


@dataclass(frozen=True)
class Judgement:
    """The judgement of one answer.

    Args:
        kind: the class of the answer.
        reason: explanation in one line.
        lacks: what an unsafe answer lacks, in its own unit and in epsilon; the reason has it, too.
        excess: natural logarithm of returned / truth (of target / achieved for a calibration), both raised to at least
            the smallest double; NaN without a quotient.
        ratio: the quotient as a ball, not finite for a truth of zero; None without a quotient.
        truth: the enclosure compared with, as a ball; None if none was needed.
        bits: precision of the truth.
        number: the single number of the answer that was compared; None without one.
        sees: least relative amount below the truth that this call would have revealed; infinity if no answer in range
            could be unsafe: delta is 0 or 1 on both sides, no smaller epsilon or no finite answer is allowed, or
            nothing was judged.
    """

    kind: Kind
    reason: str = ""
    excess: float = math.nan
    ratio: Any = None
    truth: Any = None
    bits: int = 0
    sees: float = math.inf
    number: Fraction | None = None
    lacks: str = ""


LOWER, ESTIMATE, UPPER, UNUSED = "lower", "estimate", "upper", "_"
PARTS = (LOWER, ESTIMATE, UPPER, UNUSED)
"""Meanings of the numbers of an answer: ends of a bracket, the number itself, and unused numbers."""


@dataclass(frozen=True)
class Judge:
    """Compares answers with one claim.

    Args:
        claim: a claim with a value.
        tolerance: relative amount below the truth within which an answer is right.
        returns: the meaning of each number of an answer, from `PARTS`; empty for a single number.
        floor: absolute amount below the truth that counts as rounding.
    """

    claim: Claim
    tolerance: Fraction
    returns: tuple[str, ...] = ()
    floor: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        states = self.claim.formula is not None and self.claim.quantity in RANGES
        if not (states or isinstance(self.claim.kind, Solved)):
            raise UsageError(
                f"claim {self.claim.id} states no number an accountant could return; "
                "give a claim whose quantity is delta, epsilon, rho, threshold, scale, probability or ratio"
            )
        wrong = next((part for part in self.returns if part not in PARTS), None)
        if wrong is not None or (self.returns and not {ESTIMATE, UPPER} & {*self.returns}):
            raise UsageError(
                f"expected --returns of {', '.join(PARTS)}, with estimate or upper among them, in the order of the "
                f"numbers of one answer; got {','.join(self.returns)}"
            )

    @functools.cached_property
    def rounding(self) -> Rounding:
        """The rounding rule."""
        return Rounding(self.tolerance, self.floor)

    @property
    def numbers(self) -> int:
        """Count of numbers in an answer."""
        kind = self.claim.kind
        return len(self.returns) or (len(kind.parameters) if isinstance(kind, Solved) else 1)

    def misfit(self, answer: Answer) -> str:
        """Return the mismatch of an answer with the declared form, with a remedy; empty if the form fits."""
        parts = len(answer.parts) if isinstance(answer, Several) else 1
        if isinstance(answer, Misbehaved) or parts == self.numbers:
            return ""
        return (
            f"returns {format_answer(answer)} ({counted(parts, 'number')}); allowed: "
            f"{counted(self.numbers, 'number')}; "
            "--returns names the meaning of each number of a bracket, --solves the returned parameters of the claim"
        )

    def __call__(self, point: Mapping[str, Any], answer: Answer) -> Judgement:
        """Judge the answer at the exact values of a point."""
        values = exact_values(point)
        if isinstance(answer, Misbehaved) and answer.name == HANGS:
            return Judgement(Kind.UNANSWERED, answer.detail)
        if isinstance(answer, Misbehaved) and answer.name in {DECLINES, MEMORY}:
            return Judgement(Kind.DECLINES, answer.detail)
        if isinstance(answer, Misbehaved):
            return Judgement(Kind.INVALID, f"{answer.detail}; allowed: a float everywhere in the box")
        if misfit := self.misfit(answer):
            return Judgement(Kind.INVALID, misfit)
        if self.returns:
            return self._judge_bracket(values, answer.parts if isinstance(answer, Several) else (answer,))
        if isinstance(answer, Several):
            return self._judge_several(values, answer)
        return self._judge_lone(values, answer)

    def _judge_bracket(self, values: Mapping[str, Value], parts: tuple[Returned | Infinite, ...]) -> Judgement:
        """Judge the upper end (or else the estimate) against the truth, and check the order of the other numbers."""
        answers, text = dict(zip(self.returns, parts, strict=True)), f"({', '.join(map(format_answer, parts))})"
        sizes = [_size(answers[name]) for name in (LOWER, ESTIMATE, UPPER) if name in answers]
        if sizes != sorted(sizes):
            return Judgement(Kind.INVALID, f"returns {text}: lower, estimate and upper are out of order")
        judgement = self._judge_lone(values, answers.get(UPPER) or answers[ESTIMATE])
        if LOWER in answers and judgement.kind in {Kind.RIGHT, Kind.LOOSE}:
            low = self._judge_lone(values, answers[LOWER])
            if low.kind is Kind.LOOSE:
                return replace(low, kind=Kind.INVALID, reason=f"the lower end of {text} is above the truth")
        return replace(judgement, number=None)  # a bracket may be wide, so its ends are in no order

    def _judge_several(self, values: Mapping[str, Value], answer: Several) -> Judgement:
        kind = self.claim.kind
        finite = [part.value for part in answer.parts if isinstance(part, Returned)]
        if not isinstance(kind, Solved):  # a single number in brackets
            return self._judge_lone(values, answer.parts[0])
        if len(finite) < len(answer.parts):
            return Judgement(Kind.INVALID, f"returns {answer.returned}; allowed: {len(answer.parts)} finite numbers")
        return self._judge_calibration(kind, values, finite)

    def _judge_lone(self, values: Mapping[str, Value], answer: Answer) -> Judgement:
        special = self.claim.special_value(**values) if self.claim.special_value is not None else None
        if special is not None:
            return self._judge_special(values, special.value, special.reason, answer)
        if not isinstance(answer, Returned):
            truth, bits = self._truth(values)
            reason = f"returns {format_answer(answer)} where the exact value is finite"
            return Judgement(Kind.INVALID, reason, truth=truth, bits=bits)
        return self._judge_number(values, answer.value)

    def _judge_special(self, values: Mapping[str, Value], value: str, reason: str, answer: Answer) -> Judgement:
        if value != "infinity":
            return Judgement(Kind.UNDEFINED, f"the claim is {value}: {reason}")
        if isinstance(answer, Infinite) and answer.positive:
            return Judgement(Kind.RIGHT, reason)
        kind = self.claim.kind
        if isinstance(kind, Calibration) and kind.achieved_at_least is not None and isinstance(answer, Returned):
            return self._judge_calibration(kind, values, [answer.value])
        return Judgement(
            Kind.UNSAFE, f"returns a finite number where the claim is infinite: {reason}", -math.inf, sees=0.0
        )

    def _judge_number(self, values: Mapping[str, Value], returned: Fraction) -> Judgement:
        lowest, highest = RANGES.get(self.claim.quantity, (None, None))
        article = "an" if self.claim.quantity is QuantityKind.EPSILON else "a"
        what = f"returns {format_answer(Returned(returned))}, {article} {self.claim.quantity}"
        kind = self.claim.kind
        end, within = returned, returned
        if lowest is not None and returned < lowest:
            if isinstance(kind, Calibration) and self.claim.quantity is QuantityKind.EPSILON:
                return self._judge_negative_epsilon(kind, values, returned)
            end, reason = Fraction(lowest), f"{what} below {lowest}"
        elif highest is not None and returned > highest and not self._bound_allows(values, returned):
            end, reason = Fraction(highest), f"{what} above {highest}"
        if end != returned:
            if abs(returned - end) > self.rounding.margin(end):
                return Judgement(Kind.INVALID, reason)
            within = end
        judgement = self._judge_within(values, within)
        if end != returned and judgement.kind in {Kind.RIGHT, Kind.LOOSE}:
            return replace(judgement, kind=Kind.ROUNDING, reason=f"{reason} by rounding")
        return judgement

    def _judge_within(self, values: Mapping[str, Value], returned: Fraction) -> Judgement:
        """Judge a number within the range of its quantity."""
        kind = self.claim.kind
        if isinstance(kind, Calibration):
            return self._judge_calibration(kind, values, [returned])
        judgement = self._judge_below(values, returned, self._at)
        certain = RANGES[self.claim.quantity][1] == 1 and returned >= 1
        if certain and judgement.truth is not None and bool(judgement.truth >= ALMOST_ONE):
            return replace(judgement, sees=math.inf)
        if judgement.kind is not Kind.UNSAFE or self.claim.role is not Role.UPPER:
            return judgement
        if not (isinstance(kind, DeltaBound) and kind.exact is not None):
            return replace(judgement, kind=Kind.DIFFERS, reason="below the claimed upper bound")
        true = kind.exact
        against_exact = self._judge_below(
            values, returned, lambda A, point: _enclosed(true, A.bits, tuple(point.items()))
        )
        if against_exact.kind in BELOW:
            return against_exact
        return replace(judgement, kind=Kind.DIFFERS, reason="below the claimed upper bound, not below the exact value")

    def _judge_below(
        self, values: Mapping[str, Value], returned: Fraction, truth: Callable[[Any, Mapping[str, Value]], Any]
    ) -> Judgement:
        """Compare a number with a truth; if it is below, repeat with rounding of the number and of epsilon."""
        judgement = self._compare(values, lambda A, **_p: (A.number(returned), truth(A, values)))
        judgement = replace(judgement, number=returned)
        if judgement.kind is not Kind.UNSAFE or not (self.rounding.tolerance or self.rounding.absolute):
            return judgement
        moved = dict(values)
        if (epsilon := values.get("epsilon")) is not None and not isinstance(epsilon, str):
            moved["epsilon"] = Fraction(epsilon) * (1 + self.rounding.of_arguments)
        largest = returned + self.rounding.absolute
        again = self._compare(moved, lambda A, **_p: (A.number(largest), truth(A, moved)))
        return _by_rounding(judgement, again)

    def _judge_negative_epsilon(self, kind: Calibration, values: Mapping[str, Value], returned: Fraction) -> Judgement:
        """Judge an epsilon below 0, at which `max(delta(0), 1 - e^epsilon) <= delta <= 1 - e^epsilon (1 - delta(0))`.

        These bounds hold for every pair of distributions.
        """
        at_zero = self._judge_calibration(kind, values, [Fraction(0)])
        if at_zero.kind not in {Kind.RIGHT, Kind.LOOSE}:
            return at_zero

        def most(A: Any, /, **p: Any) -> tuple[Any, Any]:
            zero = A.number(Fraction(0))
            value = {kind.parameters[0].name: zero} if isinstance(kind, Solved) else zero
            return p[kind.target], 1 - A.exp(A.number(returned)) * (1 - kind.achieved(A, value=value, **p))

        def least(A: Any, /, **p: Any) -> tuple[Any, Any]:
            return p[kind.target], 1 - A.exp(A.number(returned))

        reason = f"returns {format_answer(Returned(returned))}, an epsilon below 0"
        if self._compare(values, most).kind in {Kind.RIGHT, Kind.LOOSE}:
            return Judgement(Kind.RIGHT, f"{reason}, which holds")
        at_least = self._compare(values, least)
        if at_least.kind is Kind.UNSAFE:
            return replace(at_least, reason=f"{reason}: achieves more than the {kind.target} asked for")
        return Judgement(Kind.UNDEFINED, f"{reason}, and whether it holds there is not known")

    def _at(self, A: Ball, values: Mapping[str, Value]) -> Any:
        """Return the claim's value; an upper bound on a probability is capped at one."""
        assert self.claim.formula is not None  # noqa: S101 - checked on construction
        value = _enclosed(self.claim.formula, A.bits, tuple(values.items()))
        capped = self.claim.role is Role.UPPER and RANGES[self.claim.quantity][1] == 1
        return A.minimum(1, value) if capped else value

    def _bound_allows(self, values: Mapping[str, Value], returned: Fraction) -> bool:
        """Return whether the claim's own bound exceeds one at the point, as a sum of two deltas may."""
        if self.claim.role is not Role.UPPER or self.claim.formula is None:
            return False
        formula = self.claim.formula
        allowed = self._compare(
            values, lambda A, **p: (formula(A, **p) * (1 + A.number(self.tolerance)), A.number(returned))
        )
        return allowed.kind in {Kind.RIGHT, Kind.LOOSE}

    def _judge_calibration(
        self, kind: Calibration, values: Mapping[str, Value], returned: Sequence[Fraction]
    ) -> Judgement:
        lone = returned[0] if len(returned) == 1 else None
        if self.claim.quantity is QuantityKind.SCALE and lone == 0:
            return Judgement(Kind.INVALID, "returns a scale of 0")
        point = kind.at(values, returned) if isinstance(kind, Solved) else {}
        if isinstance(point, str):
            return Judgement(Kind.UNDEFINED, point)

        lone_name = kind.parameters[0].name if isinstance(kind, Solved) and lone is not None else ""

        def sides(
            delta: Formula, factors: Mapping[str, Fraction], more: Fraction, A: Any, /, **p: Any
        ) -> tuple[Any, Any]:
            target = A.number(point.get(kind.target, p.get(kind.target))) + A.number(more)
            moved = {
                **point,
                **{name: Fraction(point[name]) * factor for name, factor in factors.items() if name in point},
            }
            number = None if lone is None else lone * factors.get(lone_name, 1)
            return target, delta(A, value={**moved, lone_name: number} if lone_name else moved or A.number(number), **p)

        def held_against(delta: Formula) -> Judgement:
            judgement = self._compare(values, functools.partial(sides, delta, {}, Fraction(0)))
            moves = self._moves(kind, lone) if judgement.kind is Kind.UNSAFE else {}
            ways = itertools.product(*([(name, 1 + part), (name, 1 - part)] for name, part in moves.items()))
            for way in ways if moves else ():
                near = self._compare(values, functools.partial(sides, delta, dict(way), self.rounding.floor))
                judgement = _by_rounding(judgement, near)
            return replace(judgement, number=lone)

        achieved = held_against(kind.achieved)
        if achieved.kind is Kind.UNSAFE and kind.achieved_at_least is not None:
            achieved = held_against(kind.achieved_at_least)
            if achieved.kind in {Kind.RIGHT, Kind.LOOSE}:
                return replace(achieved, kind=Kind.DIFFERS, reason="less than the claim's, which is an upper bound")
        if achieved.kind is Kind.UNSAFE:
            return replace(achieved, reason=f"achieves more than the {kind.target} asked for")
        least = kind.least if isinstance(kind, Solved) else 0 if self.claim.quantity is QuantityKind.EPSILON else None
        if lone is not None and lone == least and achieved.kind is Kind.LOOSE:
            reason = "no smaller one is allowed"
            return Judgement(Kind.RIGHT, reason, truth=achieved.truth, bits=achieved.bits, number=lone)
        if achieved.sees == math.inf and lone is not None and least is not None and lone > least:
            smaller = self._judge_calibration(kind, values, [Fraction(least)])
            return replace(achieved, sees=float(self.tolerance)) if smaller.kind is Kind.UNSAFE else achieved
        return achieved

    def _moves(self, kind: Calibration, lone: Fraction | None) -> dict[str, Fraction]:
        """Return the relative rounding of each returned real number, by name; the name of a lone one may be empty."""
        if not self.rounding.tolerance:
            return {}
        part = self.rounding.of_arguments if lone is not None else OF_EACH
        if isinstance(kind, Solved):
            return {one.name: part for one in kind.parameters if not (one.integer or one.choices)}
        rounded = self.claim.quantity in {QuantityKind.EPSILON, QuantityKind.SCALE, QuantityKind.RHO}
        return {"": part} if lone is not None and rounded else {}

    def truth_at(self, values: Mapping[str, Value]) -> Any:
        """Return the claim's value as a ball; None without a finite enclosure."""
        special = self.claim.special_value(**values) if self.claim.special_value is not None else None
        return self._truth(values)[0] if special is None and self.claim.formula is not None else None

    def needs_epsilon_within(self, values: Mapping[str, Value], low: Fraction, high: Fraction) -> bool:
        """Return whether the least epsilon of a calibration lies in a range; True if that is unknown."""
        kind = self.claim.kind
        if not isinstance(kind, Calibration):
            return True
        low_is_enough, high_is_enough = (
            self._judge_calibration(kind, values, [end]).kind in {Kind.RIGHT, Kind.LOOSE} for end in (low, high)
        )
        return high_is_enough and not low_is_enough

    def _truth(self, values: Mapping[str, Value]) -> tuple[Any, int]:
        """Return the claim's value and its precision; the last finite enclosure if no precision is accurate."""
        result = None
        for bits in precisions(LAST_BITS, START_BITS):
            truth = _evaluate(bits, lambda A, **_p: self._at(A, values), values)
            if truth is None or not truth.is_finite():
                continue
            if truth.rel_accuracy_bits() > ENOUGH_BITS:
                return truth, bits
            result = truth
        return result, LAST_BITS

    def _compare(self, values: Mapping[str, Value], sides: Callable[..., tuple[Any, Any]]) -> Judgement:
        """Compare the reported with the true ball, doubling the precision until they separate at the tolerance.

        A truth above the report is reported once it has enough digits, or once a higher precision adds none.
        """
        below = Judgement(Kind.UNSEPARATED, f"the enclosures do not separate at {LAST_BITS} bits")
        accuracy: int | None = None
        for bits in precisions(LAST_BITS, START_BITS):
            ball = Ball(bits)
            both = _evaluate(bits, sides, values)
            if both is None:
                continue
            with ball:
                reported, true = (ball.number(side) for side in both)
                if not true.is_finite():
                    continue
                floor = true * ball.number(1 - self.tolerance) - ball.number(SMALLEST_DOUBLE)
                ceiling = true * ball.number(1 + self.tolerance) + ball.number(SMALLEST_DOUBLE)
                if reported < floor:
                    kind, reason = Kind.UNSAFE, "below the truth"
                elif reported >= floor and (true.rel_accuracy_bits() > ENOUGH_BITS or reported <= ceiling):
                    kind, reason = Kind.LOOSE if reported > ceiling else Kind.RIGHT, ""
                else:
                    continue
                sees = _smallest_seen(self.rounding, true)
                judgement = Judgement(kind, reason, _log_ratio(ball, reported, true), reported / true, true, bits, sees)
                accuracy, before = true.rel_accuracy_bits(), accuracy
                if kind is not Kind.UNSAFE or accuracy > ENOUGH_BITS or accuracy == before:
                    return judgement
                below = judgement
        return below


BELOW = frozenset({Kind.UNSAFE, Kind.ROUNDING})


def _by_rounding(below: Judgement, near: Judgement) -> Judgement:
    """Return an unsafe judgement, or ROUNDING if the answer is right at numbers within rounding."""
    if below.kind is Kind.UNSAFE and near.kind in {Kind.RIGHT, Kind.LOOSE}:
        return replace(below, kind=Kind.ROUNDING, reason="below the truth by no more than rounding")
    return below


def _smallest_seen(rounding: Rounding, true: Any) -> float:
    """Return the least relative amount below a truth that is judged unsafe; infinity if even 0 would not be."""
    if not true > 0:
        return float(rounding.tolerance) if true < 0 else math.inf
    absolute = max(rounding.absolute, SMALLEST_DOUBLE)
    smallest = float(rounding.tolerance) + float((Ball(64).number(absolute) / true).mid())
    return smallest if smallest < 1 else math.inf


def format_answer(answer: Answer) -> str:
    """Return the answer as text."""
    match answer:
        case Returned(value):
            return repr(float(value)) if abs(value) < LARGEST else decimal_string(value, SHOWN_DIGITS, 0)
        case Infinite(positive):
            return "infinity" if positive else "-infinity"
        case Several() | Misbehaved():
            return answer.returned


def _size(part: Returned | Infinite) -> float | Fraction:
    return part.value if isinstance(part, Returned) else math.copysign(math.inf, part.positive - 0.5)


@functools.lru_cache(maxsize=2**14)
def _enclosed(formula: Formula, bits: int, values: tuple[tuple[str, Value], ...]) -> Any:
    """Return the formula's ball; cached, as the accountants of one claim are called at equal corners of its domain."""
    return evaluate_in(Ball(bits), formula, dict(values))


def _evaluate(bits: int, formula: Callable[..., Any], values: Mapping[str, Value]) -> Any:
    try:
        return evaluate_in(Ball(bits), formula, values)
    except (ArithmeticError, ValueError):
        return None


def _log_ratio(ball: Ball, reported: Any, true: Any) -> float:
    """Return log(reported / true), both raised to at least the smallest double, below which doubles are equal."""
    smallest = ball.number(SMALLEST_DOUBLE)
    ratio = (reported.max(smallest) / true.max(smallest)).log()
    return float(ratio.mid()) if ratio.is_finite() else math.nan
