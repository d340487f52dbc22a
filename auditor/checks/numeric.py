"""Numeric checks of delta bounds, calibrations and printed numbers, at high precision and in certified balls."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from auditor.checks import show
from auditor.checks.check import Check, Context, Subject, finding
from auditor.checks.witness import points_of
from auditor.errors import counted
from auditor.findings.evidence import (
    Enclosed,
    EnclosureRow,
    EnclosuresEvidence,
    QuantityEvidence,
    ReasonEvidence,
    WitnessEvidence,
)
from auditor.findings.finding import Finding
from proofs_numeric.arithmetic import Ball, Float64, MpReal, exact
from proofs_numeric.arithmetic.enclosure import (
    BRACKET_BITS,
    LAST_BITS,
    Enclosure,
    NotEnclosedError,
    bounds,
    enclose,
    enclosed_at,
)
from proofs_numeric.arithmetic.formula import Formula, Value, evaluate_in
from proofs_numeric.arithmetic.ties import enclose_tie
from proofs_numeric.kernel.numbers import decide_printed
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import Calibration, DeltaBound, Quantity
from proofs_numeric.statements.verdict import Expectation, Verdict

ORACLE = "numeric.oracle"
_SMALLEST = Fraction(2) ** -1022
"""Least normal double; below it errors of float64 are relative to it."""
_ROWS = 5
_ORACLE_DIGITS = 16
_ORACLE_AGREEMENT = Fraction(1, 10**10)


def _finite_points(claim: Claim, context: Context) -> list[dict[str, Value]]:
    profile = context.profile.at_cost(claim.cost)
    points = points_of(claim.domain, claim.points, profile.grid, profile.points)
    special = claim.special_value
    return points if special is None else [point for point in points if special(**point) is None]


@dataclass
class _Float64:
    """The float64 formula of a claim at the points of a check, compared with the declared error."""

    claim: Claim
    formula: Formula
    worst: Fraction | None = None
    """Largest relative error; None before the first."""
    without: int = 0
    """Number of points without a finite float64 value."""
    finite: int = 0
    """Number of points with one."""
    beyond: WitnessEvidence | None = None
    """Witness of the largest error, if it exceeds the declared one."""

    def at(self, point: Mapping[str, Value], enclosure: Enclosure) -> tuple[Enclosed | None, Fraction | None]:
        """Return the value, None if not finite, and its relative error, None below the normal doubles."""
        with np.errstate(all="ignore"):
            value = float(evaluate_in(Float64(), self.formula, point))
        if not np.isfinite(value):
            self.without += 1
            return None, None
        self.finite += 1
        decimals = show.format_computed(Fraction(value))
        size = max(abs(enclosure.lower), abs(enclosure.upper))
        absolute = abs(Fraction(value) - (enclosure.lower + enclosure.upper) / 2)
        error = absolute / max(size, _SMALLEST)
        is_lost = absolute <= exact(self.claim.float64_lost)
        if is_lost and size < _SMALLEST:
            return decimals, None
        if not is_lost and (self.worst is None or error > self.worst):
            self.worst = error
            if error > exact(self.claim.float64_error):
                self.beyond = WitnessEvidence(
                    parameters=show.parameters(point),
                    left=decimals,
                    left_name="float64 formula",
                    relation="=",
                    right=show.enclosure_text(enclosure, 15),
                    right_name="ball",
                    explanation=f"relative error {show.real(error, 3, 1)}; declared: {self._tolerance_text}",
                )
        return decimals, error

    @property
    def _tolerance_text(self) -> str:
        least = Fraction(exact(self.claim.float64_lost))
        return f"{show.real(Fraction(exact(self.claim.float64_error)), 2, 1)}, or {show.real(least, 2, 1)} absolute"

    @property
    def refuted(self) -> str:
        """The error of the float64 formula beyond the declared one, in one line."""
        assert self.worst is not None  # noqa: S101 - beyond the declared error
        return f"float64 formula is off by {show.real(self.worst, 2, 1)} (relative), declared: {self._tolerance_text}"

    @property
    def words(self) -> str:
        """The accuracy of the float64 formula, in one line."""
        if not self.finite:
            return f"float64 formula not judged: no finite number at {counted(self.without, 'point')}"
        without = f", no finite number at {counted(self.without, 'point')}" if self.without else ""
        if self.worst is None:
            return f"float64 formula within the declared {self._tolerance_text}{without}"
        error = f"{show.real(self.worst, 2, 1)} (relative)"
        if exact(self.claim.float64_error) != exact(Claim.float64_error):
            error += f", declared: {self._tolerance_text}"
        return f"float64 formula within {error}{without}"


def check_value(subject: Subject, context: Context) -> Sequence[Finding]:
    """Enclose the value on the grid, require mpmath's value in the ball, and measure the error of float64."""
    if not isinstance(subject, Claim) or (formula := subject.formula) is None:
        raise TypeError(f"expected a claim with a value, got {subject.id}")
    name, digits = "numeric.value", context.profile.digits
    expected = subject.expected if isinstance(subject.kind, DeltaBound) else Expectation.HOLDS  # of the number alone
    result = functools.partial(finding, expected=expected)
    rows: list[tuple[Fraction, EnclosureRow]] = []
    undecided: list[dict[str, Value]] = []
    brackets: list[Enclosure | None] = []
    doubles = _Float64(subject, formula)
    for point in _finite_points(subject, context):
        try:
            enclosure = enclose(formula, point, digits, BRACKET_BITS if subject.bracketed else LAST_BITS)
        except NotEnclosedError:
            if (tied := enclose_tie(formula, point, digits)) is None:
                if subject.bracketed:
                    brackets.append(enclosed_at(formula, point, BRACKET_BITS))
                else:
                    undecided.append(point)
                continue
            enclosure = tied
        if not _agrees(formula, point, enclosure, digits):
            text = show.mp_text(evaluate_in(MpReal(show.LAST_DIGITS), formula, point), digits)
            value = "undefined" if text == "nan" else text
            evidence = WitnessEvidence(
                parameters=show.parameters(point),
                left=show.enclosure_text(enclosure, digits),
                left_name="ball",
                relation="contains",
                right=Enclosed(lower=value, upper=value, value=value),
                right_name="mpmath",
                explanation=f"mpmath gives {text} at {show.LAST_DIGITS} digits, outside the ball: a kernel is wrong",
            )
            return [result(subject, name, context, Verdict.REFUTED, "mpmath's value lies outside the ball", [evidence])]
        float64, error = doubles.at(point, enclosure)
        row = EnclosureRow(
            parameters=show.parameters(point),
            quantity=show.enclosure_text(enclosure, digits),
            against=float64,
            ratio=None if error is None or float64 is None else show.real(error, 3, 1),
        )
        rows.append((error or Fraction(0), row))
    if not rows:
        text = "no grid point could be enclosed" + _bracketed_text(brackets)
        return [result(subject, name, context, Verdict.UNDECIDED, text, [ReasonEvidence(text=text)])]
    if doubles.beyond is not None:
        return [result(subject, name, context, Verdict.REFUTED, doubles.refuted, [doubles.beyond])]
    rows.sort(key=lambda row: row[0], reverse=True)
    evidence_rows = EnclosuresEvidence(
        quantity=subject.quantity.value,
        relation="relative error",
        against="the same formula in float64",
        digits=digits,
        cases=len(rows),
        rows=[row for _error, row in rows[:_ROWS]],
    )
    headline = f"{counted(len(rows), 'point')} enclosed to {digits} digits; {doubles.words}"
    headline += _bracketed_text(brackets)
    verdict = Verdict.CONSISTENT if doubles.finite and not undecided else Verdict.UNDECIDED
    if undecided:
        headline += f"; {len(undecided)} points stayed wider at {LAST_BITS} bits"
    return [result(subject, name, context, verdict, headline, [evidence_rows])]


def _bracketed_text(brackets: Sequence[Enclosure | None]) -> str:
    """Return a text with the number of bracketed points and the largest ratio of their bounds."""
    if not brackets:
        return ""
    ratios = [b.upper / b.lower for b in brackets if b is not None and b.lower > 0]
    wide = "" if len(ratios) < len(brackets) else f" to a factor {show.real(max(ratios), 4, 1)}"
    return f"; {len(brackets)} points bracketed{wide or ' without a positive lower bound'}"


def _agrees(formula: Formula, point: Mapping[str, Value], enclosure: Enclosure, digits: int) -> bool:
    """Return whether mpmath's value lies in the ball; next to a 0 that is exact, where its digits cancel."""
    if enclosure.lower == enclosure.upper == 0:
        unit = Fraction(1, 10**digits)
        enclosure = Enclosure(-unit, unit, enclosure.bits)
    return show.mpmath_inside(formula, point, enclosure, digits) is not None


def check_oracle(subject: Subject, context: Context) -> Sequence[Finding]:
    """Compare the formula with an evaluation from the definition at the claim's points."""
    if not isinstance(subject, Claim) or not isinstance(subject.kind, DeltaBound) or subject.kind.oracle is None:
        raise TypeError(f"expected a delta bound with an oracle, got {subject.id}")
    name, claim, kind, oracle_of = ORACLE, subject, subject.kind, subject.kind.oracle
    rows, worst, brackets = [], Fraction(0), []
    for oracle_point in kind.oracle_points:
        point = claim.domain.parse(oracle_point)
        try:
            enclosure = enclose(kind.formula, point, 20, BRACKET_BITS if claim.bracketed else LAST_BITS)
        except NotEnclosedError:
            bracket = enclosed_at(kind.formula, point, BRACKET_BITS) if claim.bracketed else None
            if bracket is None:
                raise
            enclosure = bracket
            brackets.append(bracket)
        oracle = show.rational(evaluate_in(MpReal(_ORACLE_DIGITS), oracle_of, point))
        middle = (enclosure.lower + enclosure.upper) / 2
        outside = max(enclosure.lower - oracle, oracle - enclosure.upper, Fraction(0))
        error = outside / abs(middle) if middle else outside
        worst = max(worst, error)
        decimals = show.enclosure_text(enclosure, 20)
        from_definition = show.format_computed(oracle, _ORACLE_DIGITS)
        rows.append(
            EnclosureRow(
                parameters=show.parameters(point),
                quantity=decimals,
                against=from_definition,
                ratio=show.real(error, 3, 1),
            )
        )
        if error > _ORACLE_AGREEMENT:
            evidence = WitnessEvidence(
                parameters=show.parameters(point),
                left=decimals,
                left_name="formula",
                relation="=",
                right=from_definition,
                right_name="evaluated from the definition",
            )
            return [finding(claim, name, context, Verdict.REFUTED, "differs from its definition", [evidence])]
    if not rows:
        raise ValueError(
            f"expected oracle points for {claim.id}, got none: an oracle that is never asked tests nothing"
        )
    evidence_rows = EnclosuresEvidence(
        quantity=claim.quantity.value,
        relation="relative difference",
        against="from the definition, by code of its own",
        digits=20,
        cases=len(rows),
        rows=rows[:_ROWS],
    )
    headline = f"agrees with its definition within {show.real(worst, 2, 1)} (relative) at {len(rows)} points"
    headline += _bracketed_text(brackets)
    return [finding(claim, name, context, Verdict.CONSISTENT, headline, [evidence_rows])]


def check_calibration(subject: Subject, context: Context) -> Sequence[Finding]:
    """Compare the exact delta at the calibrated value with the target."""
    if not isinstance(subject, Claim) or not isinstance(subject.kind, Calibration):
        raise TypeError(f"expected a calibration, got {subject.id}")
    name, kind, digits = "numeric.calibration", subject.kind, context.profile.digits
    slack = Fraction(1, 10 ** (digits - 3))
    rows: list[EnclosureRow] = []
    doubles = _Float64(subject, kind.formula)
    if (apart := _differently_answered(subject, kind, context)) is not None:
        evidence = WitnessEvidence(parameters=show.parameters(apart), relation="answered")
        text = "the special value and the condition of the proof differ on whether there is an answer"
        return [finding(subject, name, context, Verdict.REFUTED, text, [evidence])]
    for point in _finite_points(subject, context):
        enclosure = enclose(kind.formula, point, digits)
        doubles.at(point, enclosure)
        if kind.by is not None and not kind.by.range.contains(enclosure.upper):
            evidence = WitnessEvidence(
                parameters=show.parameters(point),
                left=show.enclosure_text(enclosure, 15),
                left_name="calibrated value",
                relation="in",
                explanation=f"the claim declares {kind.by.range.range}",
            )
            headline = f"the calibrated value is outside its declared range, {kind.by.range.range}"
            return [finding(subject, name, context, Verdict.REFUTED, headline, [evidence])]
        achieved = _achieved_delta(kind, point, enclosure)
        target = Fraction(str(point[kind.target]))
        excess = (achieved.lower - target) / target
        deficit = (target - achieved.upper) / target
        if excess > slack or (kind.tight and deficit > slack):
            evidence = WitnessEvidence(
                parameters=show.parameters(point),
                left=show.enclosure_text(achieved, 15),
                left_name="delta achieved",
                relation="=" if kind.tight else "<=",
                right=show.format_computed(target),
                right_name=f"{kind.target} asked for",
                explanation=f"at the calibrated value {show.enclosure_text(enclosure, 15).value}",
            )
            headline = "the calibrated value " + ("exceeds its target" if excess > slack else "is not the least one")
            return [finding(subject, name, context, Verdict.REFUTED, headline, [evidence])]
        rows.append(
            EnclosureRow(
                parameters=show.parameters(point),
                quantity=show.enclosure_text(enclosure, digits),
                against=show.enclosure_text(achieved, 15),
                ratio=show.real(achieved.upper / target, 6, 1) if excess < -slack else "1",
            )
        )
    if not rows:
        text = "no feasible grid point"
        return [finding(subject, name, context, Verdict.UNDECIDED, text, [ReasonEvidence(text=text)])]
    evidence_rows = EnclosuresEvidence(
        quantity=subject.quantity.value,
        relation="achieves",
        against="delta at the calibrated value",
        digits=digits,
        cases=len(rows),
        rows=rows[:_ROWS],
    )
    if doubles.beyond is not None:
        return [finding(subject, name, context, Verdict.REFUTED, doubles.refuted, [doubles.beyond])]
    headline = f"meets its target at {counted(len(rows), 'point')}" + (" and cannot be lowered" if kind.tight else "")
    headline += f"; {doubles.words}"
    verdict = Verdict.CONSISTENT if doubles.finite else Verdict.UNDECIDED
    return [finding(subject, name, context, verdict, headline, [evidence_rows])]


def _differently_answered(claim: Claim, kind: Calibration, context: Context) -> dict[str, Value] | None:
    """Return a point at which the claim has a value and its proof none, or its proof has one and the claim none."""
    if kind.answered is None:
        return None
    profile, special = context.profile.at_cost(claim.cost), claim.special_value
    points = points_of(claim.domain, claim.points, profile.grid, profile.points)
    has_value = (special is None or special(**point) is None for point in points)
    return next((p for p, has in zip(points, has_value, strict=True) if has is not kind.answered(**p)), None)


def _achieved_delta(kind: Calibration, point: Mapping[str, Value], enclosure: Enclosure) -> Enclosure:
    """Return an enclosure of the delta over the enclosure of the calibrated value."""

    def formula(A: Ball, **values: Any) -> Any:
        return kind.achieved(A, value=A.interval(enclosure.lower, enclosure.upper), **values)

    ball = Ball(4 * enclosure.bits)
    ends = bounds(ball.number(evaluate_in(ball, formula, point)))
    if ends is None:
        raise NotEnclosedError(f"expected the achieved delta at {dict(point)}, got an indeterminate enclosure")
    return Enclosure(*ends, enclosure.bits)


def check_quantity(subject: Subject, context: Context) -> Sequence[Finding]:
    """Compare a printed number with its certified value under the stated reading."""
    if not isinstance(subject, Claim) or not isinstance(subject.kind, Quantity):
        raise TypeError(f"expected a printed number, got {subject.id}")
    kind = subject.kind
    result = decide_printed(kind, context.profile.digits)
    if result.enclosure is None:
        text = "the number could not be enclosed"
        return [finding(subject, "numeric.quantity", context, result.verdict, text, [ReasonEvidence(text=text)])]
    decimals = show.enclosure_text(result.enclosure, result.digits)
    says = {Verdict.PROVED: "reproduced", Verdict.REFUTED: "not reproduced"}.get(result.verdict, "undecided")
    evidence = QuantityEvidence(printed=kind.printed, reading=kind.reading.value, computed=decimals, agrees=says)
    value = show.enclosure_text(result.enclosure, 12).value
    headline = f"printed {kind.printed}, {kind.reading.value}: {says}; the value is {value}"
    return [finding(subject, "numeric.quantity", context, result.verdict, headline, [evidence])]


def _is(kind: type) -> Any:
    return lambda subject, _catalogue: isinstance(subject, Claim) and isinstance(subject.kind, kind)


def _has_value(subject: Subject, _catalogue: object) -> bool:
    """Return whether the claim is about a delta, or declares the number that it evaluates."""
    if not isinstance(subject, Claim) or isinstance(subject.kind, Calibration | Quantity):
        return False
    return isinstance(subject.kind, DeltaBound) or (subject.evaluates is not None and bool(subject.domain.names))


def _has_oracle(subject: Subject, _catalogue: object) -> bool:
    return isinstance(subject, Claim) and isinstance(subject.kind, DeltaBound) and subject.kind.oracle is not None


CHECKS = (
    Check(
        name="numeric.value", title="High-precision and certified evaluation",
        explain="Encloses the value in balls on a published grid with hard corners. Doubles the precision until the "
        "digits are certified. The value of mpmath must lie in the ball, and the float64 value within the error "
        "that the claim declares.",
        assumes="Ball arithmetic encloses. Points between the grid points are not covered.",
        of="Claims about a delta, and claims that declare a number to evaluate.", applies=_has_value, run=check_value,
    ),
    Check(
        name=ORACLE, title="Evaluation from the definition",
        explain="Evaluates the bound from its definition (quadrature, enumeration, brute force) at the points that "
        "the claim names. The evaluation shares no code with the formula. Both values must agree, or the value must "
        "lie in the known bracket.",
        assumes="The definition is written correctly. Other points are not covered.",
        of="Claims with an evaluation from the definition.", applies=_has_oracle, run=check_oracle,
    ),
    Check(
        name="numeric.calibration", title="Delta achieved at a calibrated value",
        explain="Encloses the calibrated threshold, scale or epsilon, and the exact delta that it achieves. The "
        "float64 value must be within the error that the claim declares.",
        assumes="Ball arithmetic encloses. Other points are not covered.",
        of="Claims about a threshold, a noise scale or an epsilon that achieves a delta.", applies=_is(Calibration),
        run=check_calibration,
    ),
    Check(
        name="numeric.quantity", title="Printed numbers",
        explain="Compares a number printed in a paper with its certified value, under the stated reading.",
        assumes="The stated reading is the meaning that the authors intended.",
        of="Claims about a number printed in a paper.", applies=_is(Quantity), run=check_quantity,
    ),
)  # fmt: skip
