"""Files of a report."""

from pathlib import Path

from auditor.report import html, json, junit, markdown
from auditor.report.model import AuditReport
from auditor.writing import write_all


def forms(report: AuditReport, *, strict: bool) -> dict[str, str]:
    """Return the files of a report, by name.

    The other files are rendered from the JSON after a round trip, so a later rendering gives equal bytes.
    """
    canonical = json.render(report)
    report = json.parse(canonical, "report.json")
    return {
        "report.json": canonical,
        "report.html": html.render(report),
        "report.md": markdown.render(report),
        "junit.xml": junit.render(report, strict=strict),
    }


def write(report: AuditReport, folder: Path, *, strict: bool) -> None:
    """Write the report in its four forms, all or none."""
    write_all({folder / name: text for name, text in forms(report, strict=strict).items()})
