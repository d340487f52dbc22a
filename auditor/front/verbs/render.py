"""`auditor render`: a report in another form."""

from __future__ import annotations

import sys
from contextlib import suppress
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from auditor.errors import UnknownIdError
from auditor.front.verbs.output import emit, say
from auditor.front.verbs.parameters import PATH, as_json_option, report_argument
from auditor.writing import write

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from auditor.report.model import AuditReport


class Form(StrEnum):
    """Forms a report can take."""

    HTML = "html"
    MARKDOWN = "markdown"
    JUNIT = "junit"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"
    BADGE = "badge"


def rendered(report: AuditReport, form: Form, *, strict: bool) -> str:
    """Text of the report in one form."""
    from auditor.report import ci, html, json, junit, markdown

    renderers: Mapping[Form, Callable[[AuditReport], str]] = {
        Form.HTML: html.render,
        Form.MARKDOWN: markdown.render,
        Form.JSON: json.render,
        Form.JUNIT: partial(junit.render, strict=strict),
        Form.GITHUB: lambda report: ci.github(report, places(report)),
        Form.SARIF: lambda report: ci.sarif(report, places(report)),
        Form.BADGE: ci.badge,
    }
    return renderers[form](report)


def places(report: AuditReport) -> dict[str, tuple[str, int]]:
    """File and line of the subjects that are told of and that lie in the folder of the command, or of the suite."""
    from auditor.engine.registry import place_of
    from auditor.report.ci import told

    found = {}
    for subject in {finding.subject for finding in told(report)}:
        with suppress(UnknownIdError, StopIteration):  # a report of a plug-in that is not installed
            path, _, line = place_of(subject).rpartition(":")
            if line.isdigit() and not Path(path).is_absolute():
                found[subject] = (Path(path).as_posix(), int(line))
    return found


@click.command
@report_argument
@click.option(
    "--to",
    "form",
    type=click.Choice([form.value for form in Form]),
    default=Form.HTML.value,
    help="Form of the output.",
)
@click.option("--out", metavar="PATH", type=PATH, help="Where to write; standard output when left out.")
@click.option("--strict", is_flag=True, help="In JUnit, undecided is a failure.")
@as_json_option
def command(file: Path, *, form: str, out: Path | None, strict: bool, as_json: bool) -> int:
    """Render a report: a page, Markdown, JUnit XML, GitHub's annotations, SARIF, or the data of a badge."""
    from auditor.report import json

    text = rendered(json.read(file), Form(form), strict=strict)
    if out is not None:
        write(out, text)
    if as_json:
        emit({"form": form, "path": None if out is None else str(out), "text": text if out is None else None})
    elif out is None:
        sys.stdout.write(text)
    else:
        say(f"wrote {out}")
    return 0
