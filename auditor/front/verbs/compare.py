"""`auditor compare`: changes between two reports."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from auditor.errors import counted
from auditor.front.verbs.output import columns, emit, say
from auditor.front.verbs.parameters import PATH, as_json_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.findings.finding import Finding
    from auditor.report.model import AuditReport


@dataclass(frozen=True)
class Change:
    """One finding that is new, gone or different."""

    finding: str
    was: Finding | None
    now: Finding | None

    @property
    def is_missing(self) -> bool:
        """Whether the finding is missing in the later report."""
        return self.now is None

    @property
    def worse(self) -> bool:
        """Whether the finding became an unexpected result, or is missing."""
        return self.now is None or (not self.now.met and (self.was is None or self.was.met))

    @property
    def word(self) -> str:
        """The kind of the change for readers: vanished, worse or none."""
        return "vanished" if self.is_missing else "worse" if self.worse else ""


MOST_ROWS = 200
"""Maximum number of changes in a comment; GitHub allows 65,536 characters."""


def _code(finding: Finding | None) -> str:
    if finding is None:
        return "absent"
    return finding.verdict.value if finding.met else f"{finding.verdict.value} (unexpected)"


def _words(finding: Finding | None) -> str:
    if finding is None:
        return "absent"
    return finding.verdict.words if finding.met else f"{finding.verdict.words}, unexpected"


def changes(old: AuditReport, new: AuditReport) -> list[Change]:
    """Return every finding whose verdict or expectation changed, by id."""
    before = {finding.id: finding for finding in old.findings}
    after = {finding.id: finding for finding in new.findings}
    result = []
    for identifier in sorted(before.keys() | after.keys()):
        was, now = before.get(identifier), after.get(identifier)
        if was is None or now is None or (was.verdict, was.met) != (now.verdict, now.met):
            result.append(Change(identifier, was, now))
    return result


def markdown(differences: Sequence[Change], settings: Sequence[str], conclusion: str) -> list[str]:
    """Return the lines of a pull request comment: the answer, then a table of changes with worse ones first."""
    from auditor.report.markdown import code, text

    word = "worse" if any(change.worse for change in differences) else "no worse"
    lines = [f"### Privacy audit: {word}", "", f"{text(conclusion)}.", ""]
    lines += [f"- the reports differ in {text(setting)}" for setting in settings] + [""] * bool(settings)
    if differences:
        lines += ["| finding | before | now | |", "| --- | --- | --- | --- |"]
    for change in sorted(differences, key=lambda change: not change.worse)[:MOST_ROWS]:
        states = f"{text(_words(change.was))} | {text(_words(change.now))}"
        lines.append(f"| {code(change.finding)} | {states} | {change.word} |")
    more = len(differences) - MOST_ROWS
    return [*lines, *(["", f"{more} more: `auditor compare` lists them."] if more > 0 else [])]


@click.command
@click.argument("old", metavar="OLD", type=PATH, help="The earlier report.")
@click.argument("new", metavar="NEW", type=PATH, help="The later report.")
@click.option("--to", "form", type=click.Choice(["text", "markdown"]), default="text", help="Form of the output.")
@as_json_option
def command(old: Path, new: Path, *, form: str, as_json: bool) -> int:
    """List verdict changes between two reports.

    Exit 1 if a finding has become an unexpected result, or is missing in the later report.
    """
    from auditor.report import json

    before, after = json.read(old), json.read(new)
    differences = changes(before, after)
    worse, missing_count = sum(change.worse for change in differences), sum(change.is_missing for change in differences)
    settings = [
        f"{name}: {getattr(before, name)} -> {getattr(after, name)}"
        for name in ("suite_version", "profile", "seed", "alpha")
        if getattr(before, name) != getattr(after, name)
    ]
    if as_json:
        emit(
            {
                "changes": [
                    {
                        "finding": change.finding,
                        "old": _code(change.was),
                        "new": _code(change.now),
                        "worse": change.worse,
                        "vanished": change.is_missing,
                    }
                    for change in differences
                ],
                "worse": worse,
                "vanished": missing_count,
                "settings": settings,
            }
        )
        return int(worse > 0)
    vanished_text = f" ({missing_count} vanished)" if missing_count else ""
    conclusion = (
        f"{counted(len(differences), 'verdict change')}, {worse} for the worse{vanished_text}, "
        f"of {counted(len(before.findings), 'finding')} before and {len(after.findings)} after"
    )
    if form == "markdown":
        say(*markdown(differences, settings, conclusion))
        return int(worse > 0)
    say(*(f"note: the reports differ in {setting}" for setting in settings))
    if differences:
        rows = [[change.finding, _words(change.was), _words(change.now), change.word] for change in differences]
        say(*columns(rows, ["finding", "old", "new", ""]))
    say(conclusion)
    return int(worse > 0)
