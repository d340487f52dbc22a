"""How accurate the accountants are: what the search found of each, and its loosest answer."""

from __future__ import annotations

from auditor.findings.card import WORDS
from auditor.findings.evidence import AccountantEvidence, AccountantPoint
from auditor.report.chapters.chapter import Chapter, Quotable
from auditor.report.model import Table


def _shown(point: AccountantPoint | None) -> str:
    if point is None:
        return "none"
    at = ", ".join(f"{name}={value}" for name, value in point.parameters.items())
    return f"{point.returned} at {at}" + (f" ({point.ratio} of the truth)" if point.ratio else "")


def searched(run: Quotable) -> Table:
    """One row a search of an accountant."""
    rows = [
        [
            entry.id,
            entry.version,
            str(evidence.examples),
            WORDS[found.verdict],
            found.headline,
            _shown(evidence.loosest),
        ]
        for entry in run.accountants.values()
        for found in run.findings[entry.id]
        for evidence in found.evidence
        if isinstance(evidence, AccountantEvidence)
    ]
    return Table(
        caption="Accountants held against certified truth at exact binary arguments",
        columns=["accountant", "version", "points", "verdict", "found", "loosest answer"],
        rows=rows,
    )


def not_searched(run: Quotable) -> Table:
    """One row an accountant that was held against nothing."""
    rows = [
        [entry.id, entry.version, WORDS[found.verdict], found.headline]
        for entry in run.accountants.values()
        for found in run.findings[entry.id]
        if not any(isinstance(evidence, AccountantEvidence) for evidence in found.evidence)
    ]
    return Table(
        caption="Accountants not held against anything",
        columns=["accountant", "version", "verdict", "found"],
        rows=rows,
    )


SECTIONS = (
    Chapter(
        "accuracy",
        "Accountants and their certified accuracy",
        "Under-reporting is a privacy violation; over-reporting is loose. Truth is a ball enclosure at the exact "
        "binary values passed. A correct float64 formula may lie below it by its rounding error: each accountant has a "
        "stated tolerance, zero where its library promises outward rounding.",
        (searched, not_searched),
    ),
)
