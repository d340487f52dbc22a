"""The report as canonical JSON: equal findings give equal bytes."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from auditor.errors import ReportError
from auditor.reading import text_of
from auditor.report.model import AuditReport

MOST_BYTES = 2**25
"""Maximum size of a report that is read, in bytes: about nine times a report of all checks."""


def render(report: AuditReport) -> str:
    """Return the report as JSON text: sorted keys, two spaces, UTF-8, one newline at the end."""
    return json.dumps(report.model_dump(mode="json"), sort_keys=True, indent=2, ensure_ascii=False) + "\n"


def parse(text: str, origin: str) -> AuditReport:
    """Parse a report; `origin` names it in errors.

    Raises:
        ReportError: not JSON, another schema version, or an invalid field; the message names the first.
    """
    try:
        return AuditReport.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the document"
        if where == "schema_version":
            raise ReportError(
                f"expected an audit report of schema version 1 in {origin}, got another version; read it with the "
                "auditor that wrote it, or write one with `auditor run --out DIR`"
            ) from None
        message = (
            f"expected an audit report of schema version 1 in {origin}, got an invalid field at {where}: {first['msg']}"
        )
        raise ReportError(f"{message}; write one with `auditor run --out DIR`") from None


def document(text: str, origin: str) -> dict[str, Any]:
    """Parse a report as plain JSON, before any validation of its fields.

    Raises:
        ReportError: not JSON, not an object, or an object with a duplicate name.
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        entries = dict(pairs)
        if len(entries) < len(pairs):
            (name, _times), *_rest = Counter(name for name, _value in pairs).most_common(1)
            raise ValueError(f"the name {name!r} twice in one object")
        return entries

    try:
        content = json.loads(text, object_pairs_hook=once)
    except RecursionError:
        raise ReportError(f"expected an audit report in {origin}, got JSON that is nested too deeply") from None
    except ValueError as error:
        raise ReportError(f"expected an audit report in {origin}, got {error}") from None
    if not isinstance(content, dict):
        raise ReportError(f"expected an audit report in {origin}, got JSON that is no object")
    return content


def file_of(path: Path) -> Path:
    """Return the file of a report; for a directory, its `report.json`."""
    return path / "report.json" if path.is_dir() else path


def text_in(file: Path) -> str:
    """Return the text of a report file.

    Raises:
        ReportError: the file is missing, unreadable, larger than `MOST_BYTES`, or not UTF-8.
    """
    try:
        return text_of(file, MOST_BYTES)
    except UnicodeDecodeError:
        raise ReportError(f"expected an audit report in {file}, got a file that is not UTF-8 text") from None
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise ReportError(f"cannot read the report {file}: {reason}; write one with `auditor run --out DIR`") from None


def read(path: Path) -> AuditReport:
    """Read a report from a file, or from `report.json` in a directory.

    Raises:
        ReportError: the file is missing, unreadable, or no report.
    """
    file = file_of(path)
    return parse(text_in(file), str(file))
