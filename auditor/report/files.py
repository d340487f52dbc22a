"""The files of a report."""

from pathlib import Path

from auditor.report import html, json, junit, markdown
from auditor.report.model import AuditReport
from auditor.writing import write_all


def forms(report: AuditReport, *, strict: bool) -> dict[str, str]:
    """Return the files of a report, by name.

    The others are views of the JSON as it is written, so what is rendered of it later is the same to the byte.
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
    """Write the report in its four forms: all of them or none."""
    write_all({folder / name: text for name, text in forms(report, strict=strict).items()})
