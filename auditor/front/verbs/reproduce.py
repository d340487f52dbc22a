"""`auditor reproduce`: repetition of one finding of a report."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from auditor.errors import ExitCode, ReportError, UnknownIdError, UsageError
from auditor.front.verbs.output import emit, log, say
from auditor.front.verbs.parameters import PATH, as_json_option

if TYPE_CHECKING:
    from auditor.findings.finding import Finding
    from auditor.report.model import AuditReport

FOREIGN = ("accountant", "mechanism")
"""Verbs that run code named in a report; they require consent."""


def _find_finding(report: AuditReport, identifier: str, file: Path) -> Finding:
    match = next((finding for finding in report.findings if finding.id == identifier), None)
    if match is None:
        message = UnknownIdError("finding", identifier, [finding.id for finding in report.findings])
        raise ReportError(f"{message} in {file}")
    return match


def _ask_consent(words: list[str], *, yes: bool) -> bool:
    if yes:
        return True
    log(f"the report asks to run code it names: {shlex.join(words)}")
    if not sys.stdin.isatty():
        raise UsageError("expected a yes before code named in a report runs, got no terminal to ask on; give --yes")
    sys.stderr.write("run it? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


@click.command
@click.argument("identifier", metavar="FINDING-ID", help="Id of the finding, as printed in the report.")
@click.option("--report", metavar="FILE", type=PATH, default="audit-report", help="The report with the finding.")
@click.option("--evidence", metavar="FILE", type=PATH, help="The evidence file, if the finding continues one.")
@click.option("--yes", is_flag=True, help="Run code that the report names without asking.")
@as_json_option
def command(identifier: str, *, report: Path, evidence: Path | None, yes: bool, as_json: bool) -> int:
    """Run the check behind a finding again.

    Use the profile, seed and alpha of the report. Exit 1 if the finding differs.
    """
    from auditor.engine.registry import registry
    from auditor.report import json

    audit = json.read(report)
    old = _find_finding(audit, identifier, report)
    if old.subject in registry().subjects:
        return _again(audit, old, evidence, as_json=as_json)
    words = shlex.split(old.reproduce)
    if words[:1] == ["pytest"]:
        raise ReportError(f"finding '{identifier}' was made by a test; run it again in its project: {old.reproduce}")
    if words[:1] != ["auditor"] or words[1:2] not in ([verb] for verb in FOREIGN):
        raise ReportError(
            f"finding '{identifier}' is about '{old.subject}', which is not registered here; install its plug-in"
        )
    if not _ask_consent(words, yes=yes):
        log("not run")
        return ExitCode.USAGE
    from auditor.front.cli import invoke

    return invoke([*words[1:], *(["--json"] if as_json and "--json" not in words else [])])


def _again(audit: AuditReport, old: Finding, evidence: Path | None, *, as_json: bool) -> int:
    from auditor.checks.accumulated import run_number
    from auditor.engine import runner
    from auditor.findings.card import WORDS
    from auditor.front.verbs.progress import listener

    number = run_number(old)
    if (number is None) != (evidence is None):
        condition = "that it continues" if evidence is None else "only for a finding that continues one"
        raise UsageError(f"expected --evidence with the file {condition}, got {evidence or 'none'} for '{old.id}'")
    settings: dict[str, Any] = {"profile": audit.profile, "seed": audit.seed, "alpha": audit.alpha}
    with listener() as events:
        rerun = runner.run([old.subject], **settings, evidence=evidence, replay=number, events=events)
    new = next((finding for finding in rerun.findings if finding.id == old.id), None)
    same = new == old
    if as_json:
        emit({"same": same, "old": old.model_dump(mode="json"), "new": new.model_dump(mode="json") if new else None})
    else:
        say(f"report: {WORDS[old.verdict]}: {old.headline}")
        say(f"now:    {WORDS[new.verdict]}: {new.headline}" if new else "now:    the check gave no such finding")
        versions = audit.environment != rerun.environment or audit.suite_version != rerun.suite_version
        say("identical, evidence included" if same else f"different{'; so are the versions' if versions else ''}")
    return ExitCode.OK if same else ExitCode.FINDINGS
