"""Audits of one target as findings, and the report of such findings."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from auditor.accountant_audit.object_audit import ObjectAudit
    from auditor.accountant_audit.result import AccountantAudit
    from auditor.findings.finding import Finding
    from auditor.mechanism_audit.result import MechanismAudit
    from auditor.report.model import AuditReport

ALPHA = "1e-6"
"""False-alarm probability of a project's audits together, unless the project states another."""
_MECHANISM = "Draws releases of the mechanism on pairs of neighbours and tests the promise. A pass is no proof."
_ACCOUNTANT = "Calls the accountant at points of a box and compares the answers with certified values."


def explanations() -> dict[str, str]:
    """Return the explanation of each check, for the rules of code scanning."""
    from auditor.engine.registry import registry

    single = {f"{door}.mechanism": _MECHANISM for door in ("audit", "pytest")}
    single |= {f"{door}.accountant": _ACCOUNTANT for door in ("audit", "pytest")}
    return single | {name: check.explain for name, check in registry().checks.items()}


def _subject(target: str) -> str:
    """Return the name of a target as one word, with the path relative to the working folder if it is inside."""
    from auditor.target.target import shorten_path

    return re.sub(r"\s+", "_", shorten_path(target))


def mechanism_finding(audit: MechanismAudit, claim: str | None, check: str, reproduce: str) -> Finding:
    """Return the finding of an audit of a mechanism.

    Args:
        audit: the result.
        claim: id of the claim; None for a promise in numbers.
        check: name of the check in the report, such as `audit.mechanism`.
        reproduce: command line that repeats the audit.
    """
    from auditor.findings.evidence import SubjectKind
    from auditor.findings.finding import Finding
    from auditor.mechanism_audit.result import inputs_text
    from proofs_numeric.statements.verdict import Verdict

    more = [text for text in audit.where if text.startswith("suspect ")]
    if audit.verdict is not Verdict.REFUTED and audit.tried:
        more = [inputs_text(audit.tried, audit.neighbours)]
    return Finding.of(
        subject=_subject(audit.target),
        subject_kind=SubjectKind.MECHANISM,
        check=check,
        detail=claim or "",
        verdict=audit.verdict,
        headline="; ".join([audit.detail, *more]),
        evidence=audit.evidence(),
        reproduce=reproduce,
    )


def accountant_finding(audit: AccountantAudit | ObjectAudit, check: str, reproduce: str) -> Finding:
    """Return the finding of an audit of an accountant.

    Args:
        audit: the result.
        check: name of the check in the report, such as `audit.accountant`.
        reproduce: command line that repeats the audit.
    """
    from auditor.accountant_audit.object_audit import ObjectAudit
    from auditor.findings.evidence import SubjectKind
    from auditor.findings.finding import Finding

    parts = audit.parts.values() if isinstance(audit, ObjectAudit) else (audit,)
    return Finding.of(
        subject=_subject(audit.target),
        subject_kind=SubjectKind.ACCOUNTANT,
        check=check,
        detail=audit.claim or "itself",
        verdict=audit.verdict,
        headline=audit.headline,
        evidence=[part.evidence() for part in parts],
        reproduce=reproduce,
    )


def error_finding(kind: str, target: str, reason: str, reproduce: str) -> Finding:
    """Return the finding of a target that cannot be audited.

    Args:
        kind: `mechanism` or `accountant`.
        target: the target, such as `noise.py:release`.
        reason: why the target cannot be audited, in one line.
        reproduce: command line that repeats the audit.
    """
    from auditor.findings.evidence import ReasonEvidence, SubjectKind
    from auditor.findings.finding import Finding
    from proofs_numeric.statements.verdict import Verdict

    return Finding.of(
        subject=_subject(target),
        subject_kind=SubjectKind(kind),
        check=f"audit.{kind}",
        verdict=Verdict.ERROR,
        headline=reason,
        evidence=[ReasonEvidence(text=reason, unusable_target=True)],
        reproduce=reproduce,
    )


def report_of(findings: Iterable[Finding], *, selection: list[str], profile: str, seed: int, alpha: str) -> AuditReport:
    """Return a report of findings about targets that are not registered."""
    from auditor.report.model import AuditReport
    from auditor.version import environment, suite_version

    return AuditReport.of(
        suite_version=suite_version(),
        profile=profile,
        seed=seed,
        alpha=alpha,
        selection=selection,
        environment=environment(),
        findings=findings,
    )


def single_report(finding: Finding, seed: int, alpha: str) -> AuditReport:
    """Return the report of one audit."""
    return report_of([finding], selection=[finding.subject], profile="standard", seed=seed, alpha=alpha)


def write_forms(report: AuditReport, *, junit: Path | None, sarif: Path | None, github: bool) -> None:
    """Write a report in the forms for continuous integration: two files, and annotations on standard output."""
    from auditor.front.verbs.render import Form, render_form
    from auditor.writing import write

    for form, file in ((Form.JUNIT, junit), (Form.SARIF, sarif)):
        if file is not None:
            write(file, render_form(report, form, strict=True, seconds={}))
    if github:
        sys.stdout.write(render_form(report, Form.GITHUB, strict=True, seconds={}))
