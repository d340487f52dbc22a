"""Reports for CI: annotations of a run, SARIF for code scanning, a badge.

They contain only findings that need attention: unexpected refutations, broken checks and undecided findings.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from auditor.findings.card import OUTCOME_WORDS, WORDS
from auditor.findings.finding import Outcome
from auditor.report import view

if TYPE_CHECKING:
    from collections.abc import Mapping

    from auditor.findings.finding import Finding
    from auditor.report.model import AuditReport

    Places = Mapping[str, tuple[str, int]]
    """File (relative to the repository) and line, by finding."""

_LEVELS = {Outcome.UNEXPECTED: "error", Outcome.BROKEN: "error", Outcome.OPEN: "warning"}
_COLOURS = {"good": "brightgreen", "warn": "yellow", "bad": "red"}
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def select_findings(report: AuditReport) -> list[Finding]:
    """Return the findings that need attention: unexpected, broken or undecided."""
    return [*view.unexpected_findings(report), *view.undecided_findings(report)]


def github(report: AuditReport, places: Places) -> str:
    """Return GitHub workflow commands, one per line, displayed at the file's line and in the run's summary."""
    lines = []
    for finding in select_findings(report):
        path, line = places.get(finding.id, ("", 0))
        where = f"file={_property(path)},line={line}," if path else ""
        text = f"{finding.headline}\nsee it again: {finding.reproduce}"
        title = f"{WORDS[finding.verdict]}: {finding.id}"
        lines.append(f"::{_LEVELS[finding.outcome]} {where}title={_property(title)}::{_data(text)}")
    level = "error" if view.tone(report) == "bad" else "notice"
    return "\n".join([*lines, f"::{level} title=auditor::{_data(view.conclusion(report))}"]) + "\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def sarif(report: AuditReport, places: Places, explanations: Mapping[str, str]) -> str:
    """Return SARIF 2.1.0: a rule per check with its explanation, a result per finding that needs attention."""
    findings = select_findings(report)
    checks = sorted({finding.check for finding in findings})
    rules = [_rule(check, explanations.get(check, "")) for check in checks]
    driver = {"name": "sparse-histogram-auditor", "version": report.suite_version, "rules": rules}
    run = {"tool": {"driver": driver}, "results": [_result(finding, checks, places) for finding in findings]}
    document = {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _rule(check: str, explanation: str) -> dict[str, Any]:
    """Return the rule of a check: the first sentence of its explanation is the short description."""
    if not explanation:
        return {"id": check, "shortDescription": {"text": check}}
    first = f"{explanation.partition('. ')[0].rstrip('.')}."
    return {"id": check, "shortDescription": {"text": first}, "help": {"text": explanation}}


def _result(finding: Finding, checks: list[str], places: Places) -> dict[str, Any]:
    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": finding.subject}]}
    if finding.id in places:
        path, line = places[finding.id]
        file = {"uri": quote(path), "uriBaseId": "%SRCROOT%"}
        location["physicalLocation"] = {"artifactLocation": file, "region": {"startLine": line}}
    words = f"{WORDS[finding.verdict]}, {OUTCOME_WORDS[finding.outcome]}: {view.beyond_verdict(finding)}"
    return {
        "ruleId": finding.check,
        "ruleIndex": checks.index(finding.check),
        "level": _LEVELS[finding.outcome],
        "message": {"text": f"{words}\nsee it again: {finding.reproduce}"},
        "partialFingerprints": {"finding": finding.id},
        "locations": [location],
    }


def badge(report: AuditReport) -> str:
    """Return an endpoint badge as JSON: pass, open, fail or known defect, and the number of findings."""
    tone = view.tone(report)
    word = view.ANSWERS[tone]
    if tone != "bad" and view.answer_tone(view.answers(report)) == "bad":
        tone, word = "bad", "known defect"
    message = f"{word}, {len(report.findings)} findings"
    return (
        json.dumps({"schemaVersion": 1, "label": "privacy audit", "message": message, "color": _COLOURS[tone]}) + "\n"
    )
