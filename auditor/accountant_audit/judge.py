"""One answer of somebody's accountant held against a claim, in ball arithmetic.

The truth is the claim's formula at the exact binary value of the arguments the callable received. A returned delta,
epsilon, threshold or scale below the truth is unsafe; above it is loose. A calibration is judged by the delta
achieved at what it returns; where only bounds on that are known, a smaller value than the claim's is unsafe only if the
lower one exceeds the delta asked for, and else it differs.
"""

import functools
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

from auditor.accountant_audit.solved import Solved
from auditor.errors import UsageError, counted
from auditor.search.parameter_points import exact_values
from auditor.target.target import HANGS, Answer, Infinite, Misbehaved, Returned, Several
from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.enclosure import decimal_string, precisions
from proofs_numeric.arithmetic.formula import Formula, Value, evaluate_in
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.kinds import Calibration, DeltaBound

SHOWN_DIGITS = 17
LARGEST = Fraction(sys.float_info.max)
SMALLEST_DOUBLE = Fraction(1, 2**1074)
ALMOST_ONE = Ball(64).number(1 - Fraction(1, 2**53))
"""From here on a probability is one to a double."""
ROUNDING = Fraction(1, 10**6)
"""What is below the truth by less than this share of it is called rounding."""
START_BITS, LAST_BITS = 96, 3072
ENOUGH_BITS = 60
"""Relative accuracy of a truth that is held against a double, in bits."""
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
    """What one answer is, held against the truth."""

    RIGHT = "right"
    """Within the tolerance."""
    LOOSE = "loose"
    """Above the truth: safe."""
    DIFFERS = "differs"
    """Below a claimed upper bound, but not below the exact value."""
    UNSAFE = "unsafe"
    """Below the truth: a privacy violation."""
    ROUNDING = "rounding"
    """Below the truth by more than the tolerance, and by less than a millionth of it."""
    INVALID = "invalid"
    """No number, out of range, an exception, a death."""
    UNANSWERED = "unanswered"
    """No answer in time: nothing is known."""
    UNDEFINED = "undefined"
    """The claim says nothing there."""
    UNSEPARATED = "unseparated"
    """The enclosures of answer and truth overlap at the last precision."""


@dataclass(frozen=True)
class Judgement:
    """One answer judged.

    Args:
        kind: the outcome.
        reason: one line.
        excess: natural logarithm of returned / truth (of target / achieved for a calibration), both raised to the
            smallest double; NaN where there is none.
        ratio: the quotient itself as a ball, not finite where the truth is zero; None where there is none.
        truth: the enclosure held against, as a ball; None where none was needed.
        bits: its precision.
        number: the one number of the answer that was held against it; None where there is none.
        sees: how little below the truth, relatively, this call would have shown; infinity where no answer, or none but
            one that is out of range, could be unsafe: delta is 0 or 1 on both sides, no smaller epsilon or
            no finite answer is allowed, or nothing was judged.
    """

    kind: Kind
    reason: str = ""
    excess: float = math.nan
    ratio: Any = None
    truth: Any = None
    bits: int = 0
    sees: float = math.inf
    number: Fraction | None = None


LOWER, ESTIMATE, UPPER, UNUSED = "lower", "estimate", "upper", "_"
PARTS = (LOWER, ESTIMATE, UPPER, UNUSED)
"""What the numbers of an answer may be: ends of a bracket, the number itself, and what is of no interest."""


@dataclass(frozen=True)
class Judge:
    """Holds answers against one claim.

    Args:
        claim: a claim with a value.
        tolerance: how far below the truth, relatively, an answer is still right.
        returns: what each number of an answer is, of `PARTS`; empty for a lone number.
    """

    claim: Claim
    tolerance: Fraction
    returns: tuple[str, ...] = ()

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

    @property
    def numbers(self) -> int:
        """How many numbers an answer has."""
        kind = self.claim.kind
        return len(self.returns) or (len(kind.parameters) if isinstance(kind, Solved) else 1)

    def misfit(self, answer: Answer) -> str:
        """Why an answer has another form than the one that was declared, with the remedy; empty where it fits."""
        parts = len(answer.parts) if isinstance(answer, Several) else 1
        if isinstance(answer, Misbehaved) or parts == self.numbers:
            return ""
        return (
            f"returns {shown(answer)} ({counted(parts, 'number')}); allowed: {counted(self.numbers, 'number')}; "
            "--returns says what each number of a bracket is, --solves which parameters of the claim are returned"
        )

    def __call__(self, point: Mapping[str, Any], answer: Answer) -> Judgement:
        """Judge the answer at the exact values of a point."""
        values = exact_values(point)
        if isinstance(answer, Misbehaved) and answer.name == HANGS:
            return Judgement(Kind.UNANSWERED, answer.detail)
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
        """Judge the upper end (the estimate where there is none) against the truth, and the others around it."""
        named, told = dict(zip(self.returns, parts, strict=True)), f"({', '.join(map(shown, parts))})"
        sizes = [_size(named[name]) for name in (LOWER, ESTIMATE, UPPER) if name in named]
        if sizes != sorted(sizes):
            return Judgement(Kind.INVALID, f"returns {told}: lower, estimate and upper are out of order")
        judgement = self._judge_lone(values, named.get(UPPER) or named[ESTIMATE])
        if LOWER in named and judgement.kind in {Kind.RIGHT, Kind.LOOSE}:
            low = self._judge_lone(values, named[LOWER])
            if low.kind is Kind.LOOSE:
                return replace(low, kind=Kind.INVALID, reason=f"the lower end of {told} is above the truth")
        return replace(judgement, number=None)  # a bracket is as accurate as it is wide: nothing is in order within it

    def _judge_several(self, values: Mapping[str, Value], answer: Several) -> Judgement:
        kind = self.claim.kind
        finite = [part.value for part in answer.parts if isinstance(part, Returned)]
        if not isinstance(kind, Solved):  # one number, in brackets
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
            reason = f"returns {shown(answer)} where the claim is finite"
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
        what = f"returns {shown(Returned(returned))}, {article} {self.claim.quantity}"
        if lowest is not None and returned < lowest:
            return Judgement(Kind.INVALID, f"{what} below {lowest}")
        if highest is not None and returned > highest and not self._bound_allows(values, returned):
            return Judgement(Kind.INVALID, f"{what} above {highest}")
        kind = self.claim.kind
        if isinstance(kind, Calibration):
            return self._judge_calibration(kind, values, [returned])
        judgement = replace(
            self._compare(values, lambda A, **_p: (A.number(returned), self._at(A, values))), number=returned
        )
        if highest == 1 and returned >= 1 and judgement.truth is not None and bool(judgement.truth >= ALMOST_ONE):
            return replace(judgement, sees=math.inf)
        if judgement.kind not in BELOW or self.claim.role is not Role.UPPER:
            return judgement
        if not (isinstance(kind, DeltaBound) and kind.exact is not None):
            return replace(judgement, kind=Kind.DIFFERS, reason="below the claimed upper bound")
        true = kind.exact
        against_exact = self._compare(values, lambda A, **p: (A.number(returned), true(A, **p)))
        if against_exact.kind in BELOW:
            return replace(against_exact, number=returned)
        return replace(judgement, kind=Kind.DIFFERS, reason="below the claimed upper bound, not below the exact value")

    def _at(self, A: Ball, values: Mapping[str, Value]) -> Any:
        """The claim's value; an upper bound on a probability is read as at most one."""
        assert self.claim.formula is not None  # noqa: S101 - checked on construction
        value = _enclosed(self.claim.formula, A.bits, tuple(values.items()))
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

    def _judge_calibration(
        self, kind: Calibration, values: Mapping[str, Value], returned: Sequence[Fraction]
    ) -> Judgement:
        lone = returned[0] if len(returned) == 1 else None
        if self.claim.quantity is QuantityKind.SCALE and lone == 0:
            return Judgement(Kind.INVALID, "returns a scale of 0")
        named = kind.at(values, returned) if isinstance(kind, Solved) else {}
        if isinstance(named, str):
            return Judgement(Kind.UNDEFINED, named)

        def held_against(delta: Formula) -> Judgement:
            def sides(A: Any, **p: Any) -> tuple[Any, Any]:
                target = A.number(named.get(kind.target, p.get(kind.target)))
                return target, delta(A, value=named or A.number(lone), **p)

            return replace(self._compare(values, sides), number=lone)

        achieved = held_against(kind.achieved)
        if achieved.kind in BELOW and kind.achieved_at_least is not None:
            achieved = held_against(kind.achieved_at_least)
            if achieved.kind in {Kind.RIGHT, Kind.LOOSE}:
                return replace(achieved, kind=Kind.DIFFERS, reason="less than the claim's, which is an upper bound")
        if achieved.kind in BELOW:
            return replace(achieved, reason=f"achieves more than the {kind.target} asked for")
        least = kind.least if isinstance(kind, Solved) else 0 if self.claim.quantity is QuantityKind.EPSILON else None
        if lone is not None and lone == least and achieved.kind is Kind.LOOSE:
            reason = "no smaller one is allowed"
            return Judgement(Kind.RIGHT, reason, truth=achieved.truth, bits=achieved.bits, number=lone)
        return achieved

    def _truth(self, values: Mapping[str, Value]) -> tuple[Any, int]:
        for bits in precisions(LAST_BITS, START_BITS):
            truth = _evaluate(bits, lambda A, **_p: self._at(A, values), values)
            if truth is not None and truth.is_finite() and truth.rel_accuracy_bits() > ENOUGH_BITS:
                return truth, bits
        return None, LAST_BITS

    def _compare(self, values: Mapping[str, Value], sides: Callable[..., tuple[Any, Any]]) -> Judgement:
        """Hold reported against true, both balls, doubling the precision until they separate at the tolerance.

        A truth that the report is below is shown: it is known to as many digits, or as many as its enclosure has in a
        higher precision, too.
        """
        below = Judgement(Kind.UNSEPARATED, f"the enclosures do not separate at {LAST_BITS} bits")
        known: int | None = None
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
                    close = reported > true * ball.number(1 - ROUNDING)
                    kind, reason = (Kind.ROUNDING if close else Kind.UNSAFE), "below the truth"
                elif reported >= floor and (true.rel_accuracy_bits() > ENOUGH_BITS or reported <= ceiling):
                    kind, reason = Kind.LOOSE if reported > ceiling else Kind.RIGHT, ""
                else:
                    continue
                sees = _smallest_seen(self.tolerance, true)
                found = Judgement(kind, reason, _log_ratio(ball, reported, true), reported / true, true, bits, sees)
                known, before = true.rel_accuracy_bits(), known
                if kind not in BELOW or known > ENOUGH_BITS or known == before:
                    return found
                below = found
        return below


BELOW = frozenset({Kind.UNSAFE, Kind.ROUNDING})


def _smallest_seen(tolerance: Fraction, true: Any) -> float:
    """How little below a truth, relatively, is judged unsafe; infinity where even 0 would not be."""
    if not true > 0:
        return float(tolerance) if true < 0 else math.inf
    seen = float(tolerance) + float((Ball(64).number(SMALLEST_DOUBLE) / true).mid())
    return seen if seen < 1 else math.inf


def shown(answer: Answer) -> str:
    """What came back, as text."""
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
    """The formula's ball: the accountants of one claim are asked at the same corners of its domain."""
    return evaluate_in(Ball(bits), formula, dict(values))


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
