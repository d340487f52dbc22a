"""Audit of somebody's accountant against a claim: the search's findings as a result for people and for programs."""

from __future__ import annotations

import math
import shlex
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from auditor.accountant_audit.judge import Judge, Judgement, Kind, shown
from auditor.accountant_audit.search import Called, Caller, judged, searched
from auditor.errors import TargetError, UsageError, counted
from auditor.report.model import AccountantEvidence, AccountantPoint, Enclosed, Interval
from auditor.search.parameter_points import SearchBox, search_box
from auditor.target.target import Limits, Target, as_target
from proofs_numeric.arithmetic import exact
from proofs_numeric.arithmetic.enclosure import Enclosure, bounds
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from auditor.search.parameter_points import Point

SHOWN_DIGITS, RATIO_DIGITS = 17, 12


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
        reproduce: command line that shows it again: the counterexample alone where one point shows it, else the search.

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
    reproduce: str

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
            "reproduce": self.reproduce,
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


def enclosed(ball: Any, bits: int) -> Enclosed | None:
    """Return a ball for the report, rounded outward; None for one that encloses nothing finite."""
    ends = None if ball is None else bounds(ball)
    if ends is None:
        return None
    value, lower, upper = Enclosure(*ends, bits).decimal(SHOWN_DIGITS)
    return Enclosed(lower=lower, upper=upper, value=value, bits=bits)


def _argument_text(argument: float | str) -> str:
    return repr(argument) if isinstance(argument, float) else str(argument)


def _point(called: Called | None, held: Mapping[str, Any]) -> AccountantPoint | None:
    if called is None:
        return None
    judgement = called.judgement
    return AccountantPoint(
        parameters={name: _argument_text(value) for name, value in {**held, **called.point}.items()},
        returned=shown(called.answer),
        truth=enclosed(judgement.truth, judgement.bits),
        ratio=_ratio_text(judgement),
        reason=judgement.reason,
    )


def _ratio_text(judgement: Judgement) -> str | None:
    """Returned / truth to twelve digits; infinity over a truth of zero."""
    if judgement.ratio is None:
        return "0" if judgement.excess == -math.inf else None
    ends = bounds(judgement.ratio)
    return "infinity" if ends is None else Enclosure(*ends, judgement.bits).decimal(RATIO_DIGITS)[0]


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
    if max_examples < 1:
        raise UsageError(f"expected max_examples >= 1 (size of each search), got max_examples={max_examples}")
    judge = Judge(against, slack)
    located = target if isinstance(target, Target) else as_target(target, "accountant", limits)
    with located:
        search = search_box(against.domain, box, located.accepts)
        _check_names(located, search)
        caller = Caller(located, judge, search)
        unsafe, invalid = searched(caller, against, max_examples, seed, float(slack))
    words = [*_boxes(box or {}), "--max-examples", str(max_examples), "--seed", str(seed)]
    return _result(located.name, caller, unsafe, invalid, tolerance, seed, words)


def _tolerance(text: str) -> Fraction:
    try:
        value = Fraction(exact(text))
    except (TypeError, ValueError):
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


def _result(
    name: str,
    caller: Caller,
    unsafe: Called | None,
    invalid: Called | None,
    tolerance: str,
    seed: int,
    search_words: Sequence[str],
) -> AccountantAudit:
    if not caller.seen:
        raise UsageError("the box holds no point of the claim's domain; widen it")
    held, claim = caller.box.held, caller.judge.claim
    unjudged = len(caller.of_kind(Kind.UNJUDGED))
    safe = [called for called in judged(caller) if _accurate(called.judgement)]
    loosest = max(safe, key=lambda called: called.judgement.excess, default=None)
    errors = [abs(math.expm1(min(called.judgement.excess, 700.0))) for called in judged(caller) if _normal(called)]
    error = f"{max(errors):.3g}" if errors else None
    differs = next(iter(caller.of_kind(Kind.DIFFERS)), None)
    found = {"unsafe": unsafe, "invalid": invalid, "differs": differs, "loosest": loosest}
    points = {key: _point(value, held) for key, value in found.items()}
    verdict = Verdict.CONSISTENT
    if unsafe is not None or invalid is not None:
        verdict = Verdict.REFUTED
    elif unjudged == len(caller.seen):
        verdict = Verdict.UNDECIDED
    counterexample = unsafe or invalid
    again = _at(counterexample.point) if counterexample is not None and counterexample.alone else search_words
    return AccountantAudit(
        target=name,
        claim=claim.id,
        verdict=verdict,
        detail=_detail(points, len(caller.seen), error),
        worst_relative_error=error,
        examples=len(caller.seen),
        unjudged=unjudged,
        box=caller.box.text(),
        held={key: _argument_text(value) for key, value in held.items()},
        tolerance=tolerance,
        seed=seed,
        reproduce=shlex.join(["auditor", "accountant", name, "--against", claim.id, "--tolerance", tolerance, *again]),
        **points,
    )


def _boxes(box: Mapping[str, tuple[str, str]]) -> list[str]:
    return [word for name, ends in box.items() for word in ("--box", f"{name}={':'.join(map(str, ends))}")]


def _at(point: Point) -> list[str]:
    return [word for name, value in point.items() for word in ("--box", f"{name}={_argument_text(value)}")]


def _accurate(judgement: Judgement) -> bool:
    """Whether an answer says how loose an accountant is: over-reports, and right ones that doubles can hold."""
    return judgement.kind is Kind.LOOSE or (judgement.kind is Kind.RIGHT and _holds(judgement))


def _normal(called: Called) -> bool:
    return called.judgement.kind not in {Kind.INVALID, Kind.UNORDERED} and _holds(called.judgement)


def _holds(judgement: Judgement) -> bool:
    """Whether the truth is large enough for a double to hold it to full relative accuracy."""
    return math.isfinite(judgement.excess) and judgement.truth is not None and bool(judgement.truth > 2.0**-1022)


def _detail(points: Mapping[str, AccountantPoint | None], examples: int, error: str | None) -> str:
    def at(point: AccountantPoint) -> str:
        return ", ".join(f"{name}={value}" for name, value in point.parameters.items())

    parts = []
    if (unsafe := points["unsafe"]) is not None:
        truth = unsafe.truth.value or unsafe.truth.lower if unsafe.truth else "infinity"
        parts.append(f"under-reports: returns {unsafe.returned} at {at(unsafe)} ({unsafe.reason}; truth {truth})")
    if (invalid := points["invalid"]) is not None:
        parts.append(f"invalid at {at(invalid)}: {invalid.reason}")
    if parts:
        return "; ".join(parts)
    loosest, differs = points["loosest"], points["differs"]
    if loosest is None and differs is None:
        return f"nothing could be judged in {counted(examples, 'call')}"
    kind = "no violation seen" if differs is None else "differs from the bound, not below the exact value"
    extreme = f"; largest returned/truth {loosest.ratio} at {at(loosest)}" if loosest is not None else ""
    return f"{kind} in {counted(examples, 'call')}{extreme}; largest relative error {error or 'none'}"
