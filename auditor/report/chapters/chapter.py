"""What a chapter of the report is: which claims and findings of a run stand together, under which words.

A chapter quotes. What the run did not do has no row, a table without rows is left out, and a chapter without tables
too. It computes, draws and concludes nothing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial
from typing import Literal

from auditor.findings.card import WORDS
from auditor.findings.finding import Finding, deciding
from auditor.report.model import AccountantEntry, ClaimEntry, Section, Table

Way = Literal["falls", "rises", "turns", "open"]


@dataclass(frozen=True)
class Direction:
    """Which way the answers of an accountant move as one parameter grows."""

    parameter: str
    way: Way
    claims: tuple[str, ...] = ()
    """Claims that this very formula moves one way in the parameter: what proves it, or refutes it."""
    certified: str = ""
    """Of a turn, what the answer is for certain at three values."""
    decided: str = ""
    """Of a declared direction, the verdict of its argument, in words; empty where it has none: it is searched alone."""


@dataclass(frozen=True)
class Quote:
    """What a claim says at one setting that practitioners ask about."""

    claim: str
    asks: str
    at: Mapping[str, str]
    at_most: str
    """Upper end of the certified enclosure, rounded up."""


@dataclass(frozen=True)
class Quotable:
    """What there is to quote of one run: entries and findings by subject, directions by accountant, practice."""

    claims: Mapping[str, ClaimEntry]
    accountants: Mapping[str, AccountantEntry]
    findings: Mapping[str, Sequence[Finding]]
    directions: Mapping[str, Sequence[Direction]] = field(default_factory=dict)
    quotes: Sequence[Quote] = ()


@dataclass(frozen=True)
class Chapter:
    """One chapter.  ``id`` orders the chapters; ``text`` says what its tables quote, not what they show."""

    id: str
    title: str
    text: str
    tables: tuple[Callable[[Quotable], Table], ...]

    def write(self, run: Quotable) -> Section:
        """The chapter of a run, with the tables that have rows."""
        tables = [table for table in (make(run) for make in self.tables) if table.rows]
        return Section(id=self.id, title=self.title, text=self.text, tables=tables)


def chapters(known: Iterable[Chapter], run: Quotable) -> list[Section]:
    """The chapters that quote something of a run, in order."""
    return [section for section in (chapter.write(run) for chapter in known) if section.tables]


def claims(caption: str, *globs: str) -> Callable[[Quotable], Table]:
    """A table of the claims of the run whose ids match, each with its verdict and what decided it."""
    return partial(_claims, caption, globs)


def _claims(caption: str, globs: Sequence[str], run: Quotable) -> Table:
    chosen = [name for glob in globs for name in sorted(run.claims) if fnmatchcase(name, glob)]
    rows = [_row(run.claims[name], run.findings[name]) for name in dict.fromkeys(chosen)]
    return Table(caption=caption, columns=["claim", "where", "says", "verdict", "found"], rows=rows)


def _row(claim: ClaimEntry, findings: Sequence[Finding]) -> list[str]:
    found = next(finding.headline for finding in deciding(findings) if finding.verdict is claim.verdict)
    where = f"{claim.locator}, ours" if claim.ours else claim.locator
    return [claim.id, where, claim.title, WORDS[claim.verdict], found]
