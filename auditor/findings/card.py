"""HTML cards and tables of results for notebooks, with the words and colours of verdicts."""

import base64
import io
from collections.abc import Callable, Iterable, Sequence
from html import escape
from importlib.util import find_spec
from typing import Any

from auditor.findings.finding import Finding, Outcome
from auditor.printable import spelt
from proofs_numeric.statements.verdict import Verdict

WORDS = {verdict: verdict.words for verdict in Verdict}

OUTCOME_WORDS = {
    Outcome.EXPECTED: "as expected",
    Outcome.UNEXPECTED: "unexpected",
    Outcome.OPEN: "left open",
    Outcome.SKIPPED: "skipped",
    Outcome.BROKEN: "broken",
}

_COLOURS = {Verdict.REFUTED: "#97101f", Verdict.ERROR: "#97101f", Verdict.UNDECIDED: "#8a6100"}
"""Colours of wrong and open verdicts, legible on white and on black; other verdicts have the page's colour."""


def card(verdict: Verdict, subject: str, sentence: str, facts: Iterable[tuple[str, str]] = (), figure: str = "") -> str:
    """Return a card as HTML: verdict, subject, sentence, figure and facts; all texts are escaped.

    Args:
        verdict: the verdict.
        subject: name of the audited subject.
        sentence: the verdict in one line, with its power or scope.
        facts: (name, value); empty values are omitted.
        figure: HTML of `render_image`; empty for no figure.
    """
    colour = f" style='color:{_COLOURS[verdict]}'" if verdict in _COLOURS else ""
    heading = f"<strong{colour}>{WORDS[verdict]}</strong> <code>{_text(subject)}</code>"
    return f"<div><p>{heading}<br>{_text(sentence)}</p>{figure}{format_facts(facts)}</div>"


def format_facts(facts: Iterable[tuple[str, str]]) -> str:
    """Return a table of names and nonempty values as HTML; an empty text if there are none."""
    rows = "".join(
        f"<tr><th style='text-align:left;vertical-align:top'>{_text(name)}</th>"
        f"<td style='text-align:left'>{_text(value)}</td></tr>"
        for name, value in facts
        if value
    )
    return f"<table>{rows}</table>" if rows else ""


def render_image(draw: Callable[[Any], object], says: str, size: tuple[float, float]) -> str:
    """Return a matplotlib figure as an HTML image; an empty text if matplotlib is not installed.

    Args:
        draw: (figure) -> None, draws on the figure.
        says: alternative text of the image.
        size: width and height in inches.
    """
    if find_spec("matplotlib") is None:
        return ""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"svg.hashsalt": "auditor"}):  # equal figures have equal bytes
        figure, text = Figure(figsize=size, layout="constrained"), io.StringIO()
        draw(figure)
        figure.savefig(text, format="svg", metadata={"Date": None})
    coded = base64.b64encode(text.getvalue().encode()).decode()
    return f"<img alt='{_text(says)}' style='max-width:100%' src='data:image/svg+xml;base64,{coded}'>"


def again(command: str, seed: int, *, live: bool) -> str:
    """Return the text to repeat a result: its command, or for a live object the call with its seed."""
    return f"the same call, with seed={seed}" if live else command


def table(findings: Sequence[Finding]) -> str:
    """Return a table of findings as HTML, unexpected results first: verdict, id and headline."""
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
