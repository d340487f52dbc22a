"""Accuracy of accountants: the search's findings for each, and its loosest answer."""

from auditor.findings.card import WORDS
from auditor.findings.evidence import AccountantEvidence, AccountantPoint
from auditor.report.chapters.chapter import Chapter, Quotable
from auditor.report.model import AccountantEntry, Table


def _format_point(point: AccountantPoint | None) -> str:
    if point is None:
        return "none"
    at = ", ".join(f"{name}={value}" for name, value in sorted(point.parameters.items()))
    return f"{point.returned} at {at}" + (f" ({point.ratio} of the truth)" if point.ratio else "")


def library_accountants(run: Quotable) -> Table:
    """Return a table with one row per library accountant."""
    rows = [
        [entry.id, *(entry.recorded[name] for name in RECORDED_COLUMNS), _script(entry), WORDS[entry.verdict]]
        for entry in run.accountants.values()
        if entry.recorded
    ]
    return Table(
        caption="Accountants of other libraries, each in an environment of its own, as recorded; and in this run",
        columns=["accountant", *RECORDED_COLUMNS, "script", "this run"],
        rows=rows,
    )


RECORDED_COLUMNS = ("library", "computes", "of", "verdict", "worst", "median", "loosest", "ms a call", "case")


def _script(entry: AccountantEntry) -> str:
    return f"auditor accountants issue {entry.id}" if entry.recorded["case"] else ""


def search_table(run: Quotable) -> Table:
    """Return a table with one row per search of an accountant."""
    rows = [
        [entry.id, entry.version, str(evidence.examples), WORDS[finding.verdict], _format_point(evidence.loosest)]
        for entry in run.accountants.values()
        for finding in run.findings[entry.id]
        for evidence in finding.evidence
        if isinstance(evidence, AccountantEvidence)
    ]
    return Table(
        caption="Accountants compared with certified truth at exact binary arguments",
        columns=["accountant", "version", "points", "verdict", "loosest answer"],
        rows=rows,
    )


SECTIONS = (
    Chapter(
        "accuracy",
        "Accountants and their certified accuracy",
        "An answer below the truth is unsafe, one above it loose. The truth is a ball enclosure at the exact binary "
        "values of the arguments. A correct float64 formula may lie below it by its rounding error: each accountant "
        "has a stated tolerance, zero where its library promises outward rounding. Recorded values come from one "
        "audit of every library (`auditor accountants audit`), with a larger budget where an accountant declares one. "
        "They are not part of this run. The findings of this run about installed libraries stand beside them. A "
        "factor is the returned value divided by the truth; for a calibration, the requested delta divided by the "
        "achieved delta. Worst and loosest factor are from a search of the practical range (delta from 1e-15 to 1e-2, "
        "epsilon from 0.01 to 20). Median and time of a call are from random points.",
        (library_accountants, search_table),
    ),
)
