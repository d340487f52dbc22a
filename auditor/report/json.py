"""The report itself: canonical JSON, the same bytes for the same findings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pydantic import ValidationError

from auditor.errors import ReportError
from auditor.reading import text_of
from auditor.report.model import AuditReport

if TYPE_CHECKING:
    from pathlib import Path


def render(report: AuditReport) -> str:
    """Sorted keys, two spaces, UTF-8, one newline at the end."""
    return json.dumps(report.model_dump(mode="json"), sort_keys=True, indent=2, ensure_ascii=False) + "\n"


def parse(text: str, origin: str) -> AuditReport:
    """Read a report back; `origin` names it in the error.

    Raises:
        ReportError: not JSON, another schema version, or fields that do not fit, naming the first.

    """
    try:
        return AuditReport.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the document"
        message = f"expected an audit report of schema version 1 in {origin}, got a misfit at {where}: {first['msg']}"
        raise ReportError(f"{message}; write one with `auditor run --out DIR`") from None


def read(path: Path) -> AuditReport:
    """Read a report from a file, or from `report.json` in a directory.

    Raises:
        ReportError: no such file, unreadable, or not a report.

    """
    file = path / "report.json" if path.is_dir() else path
    try:
        text = text_of(file)
    except UnicodeDecodeError:
        raise ReportError(f"expected an audit report in {file}, got a file that is not UTF-8 text") from None
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise ReportError(f"cannot read the report {file}: {reason}; write one with `auditor run --out DIR`") from None
    return parse(text, str(file))
