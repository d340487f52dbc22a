"""Definition of a report chapter: a selection of a run's claims and findings, with a text.

A chapter only quotes: it computes, draws and concludes nothing. Checks that the run left out have no row. Tables
without rows, and chapters without tables, are left out.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial
from typing import Literal

from auditor.findings.card import WORDS
from auditor.findings.finding import Finding, deciding_findings
from auditor.report.model import AccountantEntry, ClaimEntry, Section, Table

Way = Literal["falls", "rises", "turns", "open"]


@dataclass(frozen=True)
class Direction:
    """The direction in which an accountant's answers move as one parameter grows."""

    parameter: str
    way: Way
    claims: tuple[str, ...] = ()
    """Claims that this formula is monotone in the parameter; they prove or refute the direction."""
    certified: str = ""
    """For a change point, the certified answers at three values."""
    decided: str = ""
    """For a declared direction, the verdict of its argument as text; empty without one: then only a search checks
    it."""


@dataclass(frozen=True)
class Quote:
    """A claim's certified bound at one practical setting."""

    claim: str
    asks: str
    at: Mapping[str, str]
    at_most: str
    """Upper end of the certified enclosure, rounded up."""


@dataclass(frozen=True)
class Quotable:
    """Quotable results of one run: entries and findings by subject, directions by accountant, practical settings."""

    claims: Mapping[str, ClaimEntry]
    accountants: Mapping[str, AccountantEntry]
    findings: Mapping[str, Sequence[Finding]]
    directions: Mapping[str, Sequence[Direction]] = field(default_factory=dict)
    quotes: Sequence[Quote] = ()


@dataclass(frozen=True)
class Chapter:
    """One chapter.  ``id`` orders the chapters; ``text`` describes the subject of its tables, not their content."""

    id: str
    title: str
    text: str
    tables: tuple[Callable[[Quotable], Table], ...]

    def write(self, run: Quotable) -> Section:
        """Return the chapter of a run, with the tables that have rows."""
        tables = [table for table in (make(run) for make in self.tables) if table.rows]
        return Section(id=self.id, title=self.title, text=self.text, tables=tables)


def chapters(definitions: Iterable[Chapter], run: Quotable) -> list[Section]:
    """Return the chapters of a run that have tables, in order."""
    return [section for section in (chapter.write(run) for chapter in definitions) if section.tables]


CLAIM_COLUMNS = ["claim", "where", "says", "verdict", "found"]
"""Columns of a table of claims: id, locator, title, verdict, and the headline of the deciding finding."""


def claims(caption: str, *globs: str) -> Callable[[Quotable], Table]:
    """Return a table of the run's claims whose ids match, each with its verdict and the deciding finding."""
    return partial(_claims, caption, globs)


def _claims(caption: str, globs: Sequence[str], run: Quotable) -> Table:
    identifiers = [name for glob in globs for name in sorted(run.claims) if fnmatchcase(name, glob)]
    rows = [_row(run.claims[name], run.findings[name]) for name in dict.fromkeys(identifiers)]
    return Table(caption=caption, columns=CLAIM_COLUMNS, rows=rows)


def _row(claim: ClaimEntry, findings: Sequence[Finding]) -> list[str]:
    headline = next(finding.headline for finding in deciding_findings(findings) if finding.verdict is claim.verdict)
    where = f"{claim.locator}, ours" if claim.ours else claim.locator
    return [claim.id, where, claim.title, WORDS[claim.verdict], headline]
