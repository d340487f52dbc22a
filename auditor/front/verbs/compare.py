"""`auditor compare`: what changed between two reports."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from auditor.errors import counted
from auditor.front.verbs.output import columns, emit, say
from auditor.front.verbs.parameters import PATH, as_json_option

if TYPE_CHECKING:
    from auditor.findings.finding import Finding
    from auditor.report.model import AuditReport


@dataclass(frozen=True)
class Change:
    """One finding that is new, gone, or says something else; `worse` where it is now against expectation, or gone."""

    finding: str
    old: str
    new: str
    worse: bool
    vanished: bool = False


def _state(finding: Finding | None) -> str:
    if finding is None:
        return "absent"
    return finding.verdict.value if finding.met else f"{finding.verdict.value} (against expectation)"


def changes(old: AuditReport, new: AuditReport) -> list[Change]:
    """Every finding whose verdict or expectation changed, by id."""
    before = {finding.id: finding for finding in old.findings}
    after = {finding.id: finding for finding in new.findings}
    found = []
    for identifier in sorted(before.keys() | after.keys()):
        was, now = before.get(identifier), after.get(identifier)
        if was is None or now is None or (was.verdict, was.met) != (now.verdict, now.met):
            worse = now is None or (not now.met and (was is None or was.met))
            found.append(Change(identifier, _state(was), _state(now), worse, vanished=now is None))
    return found


@click.command
@click.argument("old", metavar="OLD", type=PATH, help="The earlier report.")
@click.argument("new", metavar="NEW", type=PATH, help="The later report.")
@as_json_option
def command(old: Path, new: Path, *, as_json: bool) -> int:
    """List verdict changes between two reports.

    Exit 1 when a finding turned against expectation, or vanished: what is no longer checked is not better.
    """
    from auditor.report import json

    before, after = json.read(old), json.read(new)
    found = changes(before, after)
    worse, vanished = sum(change.worse for change in found), sum(change.vanished for change in found)
    settings = [
        f"{name}: {getattr(before, name)} -> {getattr(after, name)}"
        for name in ("suite_version", "profile", "seed", "alpha")
        if getattr(before, name) != getattr(after, name)
    ]
    if as_json:
        emit(
            {
                "changes": [asdict(change) for change in found],
                "worse": worse,
                "vanished": vanished,
                "settings": settings,
            }
        )
        return int(worse > 0)
    say(*(f"note: the reports differ in {setting}" for setting in settings))
    if found:
        words = {(True, True): "vanished", (True, False): "worse", (False, False): ""}
        rows = [[change.finding, change.old, change.new, words[change.worse, change.vanished]] for change in found]
        say(*columns(rows, ["finding", "old", "new", ""]))
    gone = f" ({vanished} vanished)" if vanished else ""
    say(
        f"{counted(len(found), 'verdict change')}, {worse} for the worse{gone}, "
        f"of {counted(len(before.findings), 'finding')} before and {len(after.findings)} after"
    )
    return int(worse > 0)
