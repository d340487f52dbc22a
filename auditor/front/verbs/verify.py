"""`auditor verify`: recomputation of a report and comparison with its files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from auditor.errors import ExitCode, counted
from auditor.front.verbs.output import emit, log, say
from auditor.front.verbs.parameters import PATH, as_json_option, report_argument

if TYPE_CHECKING:
    from auditor.report.model import AuditReport

MOST_SHOWN = 20
BOUNDARY = """\
computed again: every check of the report's selection, with the installed suite at the report's profile, seed and
  alpha; every field of the report and the files beside it were compared with the results
taken on trust: the catalogue's formulas state what the papers state; this suite's code, which both runs share; the
  trust base; the seed was fixed beforehand (a report chosen among many seeds cannot be recognised)"""
"""The trust boundary as text; SECURITY.md has the full version."""


@click.command
@report_argument
@click.option("--evidence", metavar="FILE", type=PATH, help="The evidence file, if the report continues one.")
@click.option("--jobs", type=int, help="Worker processes.  [default: one per processor]")
@click.option("--strict", is_flag=True, help="Exit with code 3 if intervals could not check an item.")
@as_json_option
def command(file: Path, *, evidence: Path | None, jobs: int | None, strict: bool, as_json: bool) -> int:
    """Compute a report again and compare every field.

    Run all checks again at the report's settings. Then compute boxes, enclosures, printed numbers and witnesses with
    mpmath's intervals, where intervals apply. Print the trust base. Exit 1: a field differs or an interval contradicts.
    Exit 3: nothing differs, but an item could not be checked.
    """
    from auditor.engine.recomputation import recompute
    from auditor.engine.verify import verify
    from auditor.front.verbs.progress import listener
    from auditor.report import json
    from auditor.settings import processors

    report_file = json.file_of(file)
    text = json.text_in(report_file)
    workers = processors() if jobs is None else jobs
    with listener() as events:
        again = recompute(json.document(text, str(report_file)), jobs=workers, evidence=evidence, events=events)
    wrong = [f"differs: {difference}" for difference in again.differences]
    intervals, findings = None, 0
    if again.done and not wrong:
        report = json.parse(text, str(report_file))
        findings = len(report.findings)
        wrong = _views(report_file.parent, report) if report_file.name == "report.json" else []
        if not wrong:
            log("computing its proofs and numbers in intervals")
            intervals = verify(report)
    doubtful = bool(again.unchecked) or (strict and intervals is not None and intervals.count("not checked") > 0)
    failed = bool(wrong) or (intervals is not None and intervals.count("fails") > 0)
    code = ExitCode.FINDINGS if failed else ExitCode.UNDECIDED if doubtful else ExitCode.OK
    if as_json:
        emit(
            {
                "differences": wrong,
                "unchecked": list(again.unchecked),
                "narrower": again.narrower,
                "intervals": None if intervals is None else intervals.to_json(),
                "boundary": BOUNDARY,
            }
        )
        return code
    say(
        *wrong[:MOST_SHOWN],
        *(["... and more fields"] if len(wrong) > MOST_SHOWN else []),
        *(f"not checked: {text}" for text in again.unchecked),
    )
    if wrong:
        say("refused: its settings give another report here")
    elif intervals is not None:
        fields = "every other field" if again.unchecked else "every field"
        say(f"{counted(findings, 'finding')} computed again: {fields} of the report agrees")
        say(*filter(None, [again.narrower]))
    if intervals is not None:
        say(*intervals.lines())
    say(*BOUNDARY.splitlines())
    return code


def _views(folder: Path, report: AuditReport) -> list[str]:
    """Return a line for each rendered file that does not match the report beside it."""
    from auditor.report.files import forms

    renderings = [forms(report, strict=strict) for strict in (False, True)]
    return [
        f"differs: {name}: not the view of report.json; `auditor render` writes it again"
        for name in renderings[0].keys() - {"report.json"}
        if (folder / name).exists() and not _holds(folder / name, {form[name].encode() for form in renderings})
    ]


def _holds(file: Path, contents: set[bytes]) -> bool:
    """Return whether a file holds one of some contents; devices and files of another size are not read."""
    return file.is_file() and file.stat().st_size in {len(each) for each in contents} and file.read_bytes() in contents
