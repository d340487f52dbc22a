"""`auditor render`: a report in another form."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.front.verbs.output import AsJson, emit, say, write

if TYPE_CHECKING:
    from auditor.report.model import AuditReport


class Form(StrEnum):
    """Forms a report can take."""

    HTML = "html"
    MARKDOWN = "markdown"
    JUNIT = "junit"
    JSON = "json"


def rendered(report: AuditReport, form: Form, *, strict: bool) -> str:
    """Text of the report in one form."""
    from auditor.report import html, json, junit, markdown

    if form is Form.JUNIT:
        return junit.render(report, strict=strict)
    renderers = {Form.HTML: html.render, Form.MARKDOWN: markdown.render, Form.JSON: json.render}
    return renderers[form](report)


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="report.json, or the directory that holds it.")],
    form: Annotated[Form, typer.Option("--to", help="Form of the output.")] = Form.HTML,
    out: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Where to write; standard output when left out.")
    ] = None,
    *,
    strict: Annotated[bool, typer.Option("--strict", help="In JUnit, undecided is a failure.")] = False,
    as_json: AsJson = False,
) -> int:
    """Render a report as HTML, Markdown or JUnit XML."""
    from auditor.report import json

    text = rendered(json.read(file), form, strict=strict)
    if out is not None:
        write(out, text)
    if as_json:
        emit({"form": form.value, "path": None if out is None else str(out), "text": text if out is None else None})
    elif out is None:
        sys.stdout.write(text)
    else:
        say(f"wrote {out}")
    return 0
