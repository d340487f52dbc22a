"""The conclusion of a check about a subject, and its relation to the expected outcome."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Self

from pydantic import StringConstraints, model_validator

from proofs_numeric.statements.verdict import Expectation, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
from auditor.findings.evidence import Evidence, Items, Model, SubjectKind


class Outcome(StrEnum):
    """A verdict compared with the expectation."""

    EXPECTED = "expected"
    UNEXPECTED = "unexpected"
    OPEN = "open"
    """Undecided; a failure only under --strict."""
    SKIPPED = "skipped"
    BROKEN = "broken"
    """The target cannot be audited, or the check crashed; the subject's statement is undecided."""


_NOT_REJECTED = frozenset({Verdict.PROVED, Verdict.DERIVED, Verdict.CONSISTENT})


def outcome(verdict: Verdict, expected: Expectation) -> Outcome:
    """Return the outcome of every verdict and expectation.

    A missing refutation is unexpected if a refutation was expected, and a refutation is unexpected otherwise.
    """
    if verdict is Verdict.ERROR:
        return Outcome.BROKEN
    if verdict is Verdict.NOT_APPLICABLE:
        return Outcome.SKIPPED
    if verdict is Verdict.NOT_CHECKABLE:
        return Outcome.UNEXPECTED if expected is Expectation.REFUTED else Outcome.SKIPPED
    if verdict is Verdict.UNDECIDED:
        return Outcome.UNEXPECTED if expected is Expectation.REFUTED else Outcome.OPEN
    expected_verdicts = frozenset({Verdict.REFUTED}) if expected is Expectation.REFUTED else _NOT_REJECTED
    return Outcome.EXPECTED if verdict in expected_verdicts else Outcome.UNEXPECTED


_STRENGTH = (
    Verdict.REFUTED,
    Verdict.ERROR,
    Verdict.PROVED,
    Verdict.DERIVED,
    Verdict.UNDECIDED,
    Verdict.CONSISTENT,
    Verdict.NOT_APPLICABLE,
    Verdict.NOT_CHECKABLE,
)


def overall(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict of a subject: refuted first, then error, then the most rigorous verdict.

    Raises:
        ValueError: `verdicts` is empty.
    """
    present = set(verdicts)
    if not present:
        raise ValueError("expected at least one verdict, got none: a subject without findings has no verdict")
    return next(verdict for verdict in _STRENGTH if verdict in present)


BESIDE_THE_CLAIM = frozenset({"lemma.direction"})
"""Checks of additional statements: a proof of one does not prove the subject, but a failure counts."""


def deciding_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings that decide a subject's verdict; additional statements count only if refuted or broken."""
    everything = list(findings)
    failed = {Verdict.REFUTED, Verdict.ERROR}
    counted = [finding for finding in everything if finding.check not in BESIDE_THE_CLAIM or finding.verdict in failed]
    return counted or everything


def verdict_of(findings: Iterable[Finding]) -> Verdict:
    """Return the verdict of a subject from its findings."""
    return overall(finding.verdict for finding in deciding_findings(findings))


class Finding(Model):
    """The result of one check for one subject. `Finding.of` sets `met`."""

    id: Annotated[str, StringConstraints(pattern=r"^\S+$")]
    """Stable and unique in a report: `subject::check`, with `::detail` if a check has several findings."""
    subject: str
    subject_kind: SubjectKind
    check: str
    verdict: Verdict
    expected: Expectation
    met: bool
    """False where the verdict is unexpected, the target cannot be audited, or the check crashed."""
    headline: str
    """One line: the observed and the allowed value, or the power of the check."""
    scope: str = ""
    """The covered part of the domain; empty for the declared domain."""
    evidence: Items[Evidence] = []
    reproduce: str
    """A command line that repeats the finding."""

    @classmethod
    def of(
        cls,
        *,
        subject: str,
        subject_kind: SubjectKind,
        check: str,
        verdict: Verdict,
        headline: str,
        reproduce: str,
        expected: Expectation = Expectation.HOLDS,
        detail: str = "",
        scope: str = "",
        evidence: Sequence[Evidence] = (),
    ) -> Finding:
        """Return a finding with its id and `met`."""
        return cls(
            id="::".join(part for part in (subject, check, detail) if part),
            subject=subject,
            subject_kind=subject_kind,
            check=check,
            verdict=verdict,
            expected=expected,
            met=outcome(verdict, expected) not in {Outcome.UNEXPECTED, Outcome.BROKEN},
            headline=headline,
            scope=scope,
            evidence=list(evidence),
            reproduce=reproduce,
        )

    @model_validator(mode="after")
    def _met_follows_from_the_verdict(self) -> Self:
        if self.met != (self.outcome not in {Outcome.UNEXPECTED, Outcome.BROKEN}):
            raise ValueError(f"expected met to follow from verdict {self.verdict} and expectation {self.expected}")
        return self

    def __repr__(self) -> str:
        return f"<{self.id}: {self.headline}>"

    __str__ = __repr__

    @property
    def outcome(self) -> Outcome:
        """The verdict compared with the expectation."""
        return outcome(self.verdict, self.expected)
