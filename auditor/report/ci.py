"""A report for machines that run tests: annotations of a run, SARIF for code scanning, a badge.

Only what a person has to look at is told: what was refuted against expectation, what broke, what stayed open.
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
    """By finding: a file, relative to the checkout, and its line."""

_LEVELS = {Outcome.UNEXPECTED: "error", Outcome.BROKEN: "error", Outcome.OPEN: "warning"}
_COLOURS = {"good": "brightgreen", "warn": "yellow", "bad": "red"}
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def told(report: AuditReport) -> list[Finding]:
    """Findings that a person has to look at: against expectation, broken, open."""
    return [*view.unexpected(report), *view.undecided(report)]


def github(report: AuditReport, places: Places) -> str:
    """Workflow commands, one line each: GitHub shows them at the line of the file, and on the summary of the run."""
    lines = []
    for finding in told(report):
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


def sarif(report: AuditReport, places: Places) -> str:
    """SARIF 2.1.0: a rule a check, a result a finding that a person has to look at."""
    findings = told(report)
    checks = sorted({finding.check for finding in findings})
    rules = [{"id": check, "shortDescription": {"text": check}} for check in checks]
    driver = {"name": "sparse-histogram-auditor", "version": report.suite_version, "rules": rules}
    run = {"tool": {"driver": driver}, "results": [_result(finding, checks, places) for finding in findings]}
    document = {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _result(finding: Finding, checks: list[str], places: Places) -> dict[str, Any]:
    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": finding.subject}]}
    if finding.id in places:
        path, line = places[finding.id]
        location["physicalLocation"] = {"artifactLocation": {"uri": quote(path)}, "region": {"startLine": line}}
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
    """An endpoint badge: pass, open or fail, and of how many findings."""
    tone = view.tone(report)
    message = f"{view.ANSWERS[tone]}, {len(report.findings)} findings"
    return (
        json.dumps({"schemaVersion": 1, "label": "privacy audit", "message": message, "color": _COLOURS[tone]}) + "\n"
    )
