"""`auditor render`: conversion of a report to another form."""

from __future__ import annotations

import csv
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import click

from auditor.errors import UsageError
from auditor.front.verbs.output import emit, say
from auditor.front.verbs.parameters import PATH, as_json_option, report_argument
from auditor.reading import text_of
from auditor.writing import writable_directory, write, write_all

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from auditor.report.model import AuditReport


class Form(StrEnum):
    """Output forms of a report."""

    HTML = "html"
    MARKDOWN = "markdown"
    JUNIT = "junit"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"
    BADGE = "badge"


SITE = "site"
"""Form that is a folder of pages instead of one text."""


def render_form(report: AuditReport, form: Form, *, strict: bool, seconds: Mapping[str, float]) -> str:
    """Return the text of the report in one form."""
    from auditor.front.audited import explanations
    from auditor.front.places import places
    from auditor.report import ci, html, json, junit, markdown

    renderers: Mapping[Form, Callable[[AuditReport], str]] = {
        Form.HTML: html.render,
        Form.MARKDOWN: markdown.render,
        Form.JSON: json.render,
        Form.JUNIT: lambda report: junit.render(report, strict=strict, places=places(report.findings), seconds=seconds),
        Form.GITHUB: lambda report: ci.github(report, places(ci.select_findings(report))),
        Form.SARIF: lambda report: ci.sarif(report, places(ci.select_findings(report)), explanations()),
        Form.BADGE: ci.badge,
    }
    return renderers[form](report)


def seconds_of(file: Path) -> dict[str, float]:
    """Return the wall-clock seconds of each check, from the table of `auditor run --timings`.

    Raises:
        UsageError: the file is unreadable or another table.
    """
    try:
        rows = list(csv.DictReader(text_of(file).splitlines()))
        return {row["check"]: float(row["wall_seconds"] or 0) for row in rows}
    except (OSError, ValueError, KeyError, TypeError, csv.Error) as error:
        reason = (error.strerror or "").lower() if isinstance(error, OSError) else "another table"
        raise UsageError(f"expected the table that `auditor run --timings` writes in {file}, got {reason}") from None


@click.command
@report_argument
@click.option(
    "--to",
    "form",
    type=click.Choice([*(form.value for form in Form), SITE]),
    default=Form.HTML.value,
    help="Form of the output. A site is a folder with one page per subject.",
)
@click.option("--out", metavar="PATH", type=PATH, help="Output file, or folder of a site.  [default: standard output]")
@click.option("--strict", is_flag=True, help="In JUnit: undecided is a failure.")
@click.option(
    "--timings", metavar="FILE", type=PATH, help="In JUnit: seconds of each check, from `auditor run --timings`."
)
@as_json_option
def command(file: Path, *, form: str, out: Path | None, strict: bool, timings: Path | None, as_json: bool) -> int:
    """Render a report for readers or for continuous integration.

    Forms: a page, a site, Markdown, JUnit XML, annotations for GitHub, SARIF, or the data of a badge.
    """
    from auditor.report import json

    if form == SITE:
        return _site(file, out, as_json=as_json)
    text = render_form(
        json.read(file), Form(form), strict=strict, seconds={} if timings is None else seconds_of(timings)
    )
    if out is not None:
        write(out, text)
    if as_json:
        emit({"form": form, "path": None if out is None else str(out), "text": text if out is None else None})
    elif out is None:
        sys.stdout.write(text)
    else:
        say(f"wrote {out}")
    return 0


def _site(file: Path, out: Path | None, *, as_json: bool) -> int:
    from auditor.report import html, json

    if out is None:
        raise UsageError("a site is a folder of pages: give --out DIR")
    report = json.read(file)
    pages = html.site(report)
    for folder in {(out / path).parent for path in pages}:
        writable_directory(folder)
    write_all({out / path: text for path, text in pages.items()})
    if as_json:
        emit({"form": SITE, "path": str(out), "pages": len(pages)})
    else:
        say(f"wrote {len(pages)} pages; open {out / 'index.html'}")
    return 0
