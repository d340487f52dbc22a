"""How accurate the accountants are: what the search found of each, and its loosest answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.profile import Profile
from auditor.report.chapters.chapter import Chapter, Findings
from auditor.report.model import AccountantEvidence, AccountantPoint, Section, Table
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from auditor.engine.registry import Registry


def _shown(point: AccountantPoint | None) -> str:
    if point is None:
        return "none"
    at = ", ".join(f"{name}={value}" for name, value in point.parameters.items())
    return f"{point.returned} at {at}" + (f" ({point.ratio} of the truth)" if point.ratio else "")


def _not_held(absent: list[str]) -> str:
    if not absent:
        return ""
    remedy = "their packages are missing; install the accountants extra"
    return f" Not held against anything ({remedy}): {', '.join(absent)}."


def write(known: Registry, findings: Findings, _profile: Profile) -> Section:
    """One row an accountant."""
    rows = [
        [
            subject,
            known.accountants[subject].installed_version or "",
            evidence.against,
            str(evidence.examples),
            found.headline,
            _shown(evidence.loosest),
        ]
        for subject, about in findings.items()
        if subject in known.accountants
        for found in about
        for evidence in found.evidence
        if isinstance(evidence, AccountantEvidence)
    ]
    absent = [
        subject
        for subject, about in findings.items()
        if subject in known.accountants and all(found.verdict is Verdict.NOT_APPLICABLE for found in about)
    ]
    table = Table(
        caption="Accountants held against certified truth at exact binary arguments",
        columns=["accountant", "version", "held against", "points", "found", "loosest answer"],
        rows=rows,
    )
    return Section(
        id="accuracy",
        title="Accountants and their certified accuracy",
        text="Under-reporting is a privacy violation; over-reporting is loose. Truth is a ball enclosure "
        "at the exact binary values passed. A correct float64 formula may lie below it by its rounding error: each "
        "accountant has a stated tolerance, zero where its library promises outward rounding." + _not_held(absent),
        tables=[table],
    )


SECTIONS = (Chapter("accuracy", lambda subject, known: subject in known.accountants, write),)
