"""One result as a card: what a notebook shows for it. Words and colours of verdicts have their home here."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from auditor.findings.finding import Outcome
from auditor.printable import spelt
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from auditor.findings.finding import Finding

WORDS = {
    Verdict.PROVED: "proved",
    Verdict.DERIVED: "derived",
    Verdict.CONSISTENT: "no violation seen",
    Verdict.REFUTED: "refuted",
    Verdict.UNDECIDED: "undecided",
    Verdict.NOT_APPLICABLE: "not applicable",
    Verdict.NOT_CHECKABLE: "not checkable",
    Verdict.ERROR: "error",
}
"""The only words for a verdict; sampling never proves."""

OUTCOME_WORDS = {
    Outcome.EXPECTED: "as expected",
    Outcome.UNEXPECTED: "against expectation",
    Outcome.OPEN: "left open",
    Outcome.SKIPPED: "skipped",
    Outcome.BROKEN: "broken",
}

_COLOURS = {Verdict.REFUTED: "#97101f", Verdict.ERROR: "#97101f", Verdict.UNDECIDED: "#8a6100"}
"""Of what is wrong or open, legible on white and on black; the rest stays as the page has it."""


def card(verdict: Verdict, subject: str, sentence: str, facts: Iterable[tuple[str, str]] = ()) -> str:
    """Return the verdict in words, what was audited, the sentence, and named facts, as HTML; nothing in it is obeyed.

    Args:
        verdict: what was concluded.
        subject: what was audited, as its author calls it.
        sentence: the verdict in one line, with its power or scope.
        facts: name and value; empty values are left out.

    """
    rows = "".join(
        f"<tr><th style='text-align:left;vertical-align:top'>{_text(name)}</th>"
        f"<td style='text-align:left'>{_text(value)}</td></tr>"
        for name, value in facts
        if value
    )
    colour = f" style='color:{_COLOURS[verdict]}'" if verdict in _COLOURS else ""
    heading = f"<strong{colour}>{WORDS[verdict]}</strong> <code>{_text(subject)}</code>"
    return f"<div><p>{heading}<br>{_text(sentence)}</p>" + (f"<table>{rows}</table>" if rows else "") + "</div>"


def table(findings: Sequence[Finding]) -> str:
    """Return findings as a table, those against expectation first: what was concluded, of what, in a line."""
    order = (Outcome.UNEXPECTED, Outcome.BROKEN, Outcome.OPEN, Outcome.EXPECTED, Outcome.SKIPPED)
    rows = "".join(
        f"<tr><td style='text-align:left'>{WORDS[finding.verdict]}, {OUTCOME_WORDS[finding.outcome]}</td>"
        f"<td style='text-align:left'><code>{_text(finding.id)}</code></td>"
        f"<td style='text-align:left'>{_text(finding.headline)}</td></tr>"
        for finding in sorted(findings, key=lambda each: order.index(each.outcome))
    )
    heads = "".join(f"<th style='text-align:left'>{name}</th>" for name in ("verdict", "finding", "what was found"))
    return f"<table><tr>{heads}</tr>{rows}</table>"


def _text(foreign: str) -> str:
    return escape(spelt(foreign))
