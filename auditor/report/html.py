"""The report as one self-contained page: nothing from outside, one script that the policy names by its hash.

The script finds entries among what the page already shows; autoescape is on, and the page is complete without it.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from functools import cache
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from auditor.errors import counted
from auditor.extras import missing
from auditor.findings.card import WORDS
from auditor.findings.finding import Outcome, outcome
from auditor.report import evidence, latex, svg, view
from proofs_numeric.statements.verdict import Expectation

if TYPE_CHECKING:
    from auditor.findings.finding import Finding
    from auditor.report.model import AuditReport, Plot
    from proofs_numeric.statements.verdict import Verdict

_TONES = {
    Outcome.EXPECTED: "good",
    Outcome.UNEXPECTED: "bad",
    Outcome.OPEN: "warn",
    Outcome.SKIPPED: "plain",
    Outcome.BROKEN: "bad",
}


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("auditor", "report/templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"math": _math, "svg": _svg}
    environment.globals |= {
        "words": WORDS,
        "tone_of": _tone_of,
        "anchor": anchor,
        "counted": counted,
        "parameters_text": view.parameters_text,
        "groups": evidence.groups,
        "enclosed_text": view.enclosed_text,
        "shown": view.shown,
        "consequence": view.consequence,
        "shortened": view.shortened,
    }
    return environment


def _source(environment: Environment, name: str) -> str:
    if environment.loader is None:
        raise AssertionError("expected a loader of templates")
    # the page drops blank lines, and the hash is of the bytes in the page
    return re.sub(r"\n\s*\n+", "\n", environment.loader.get_source(environment, name)[0])


def _math(statement: str) -> Markup:
    return Markup(latex.to_mathml(statement))  # noqa: S704 - to_mathml escapes every piece of its input


def _svg(plot: Plot) -> Markup:
    try:
        return Markup(svg.render(plot))  # noqa: S704 - matplotlib escapes text, svg.render the caption
    except ImportError as error:
        if (lacking := missing(error)) is None:
            raise
        return Markup("<p>Not drawn: {}.</p>").format(lacking)


def _tone_of(verdict: Verdict, expected: Expectation | str) -> str:
    return _TONES[outcome(verdict, Expectation(expected))]


def anchor(identifier: str) -> str:
    """Give an id that a fragment of a URL can hold; injective, since every other character is spelt by its number."""
    return re.sub(r"[^A-Za-z0-9._:-]", lambda match: f"~{ord(match[0]):x}~", identifier)


def _contents(report: AuditReport, *, detectable: bool) -> list[tuple[str, str]]:
    entries = [
        ("summary", "Summary", True),
        ("unexpected", "Against expectation", True),
        ("errata", "Errata", bool(report.errata)),
        ("faults", "Planted faults", bool(report.faults)),
        ("accountants", "Accountants", bool(report.accountants)),
        ("mechanisms", "Mechanisms", bool(report.mechanisms)),
        *((f"section-{anchor(section.id)}", section.title, True) for section in report.sections),
        ("detectable", "What silence means", detectable),
        ("claims", "Claims", bool(report.claims)),
        ("findings", "Other findings", bool(_others(report))),
        ("ledger", "False alarms", bool(report.false_alarm_ledger)),
        ("trust", "Trust base", True),
        ("reproduce", "How to reproduce", True),
    ]
    return [(identifier, title) for identifier, title, present in entries if present]


def _others(report: AuditReport) -> list[Finding]:
    """Findings that no entry holds and that are not told above."""
    told = {*_subjects(report), *(finding.subject for finding in _above(report))}
    return [finding for finding in report.findings if finding.subject not in told]


def _subjects(report: AuditReport) -> set[str]:
    kinds = (report.claims, report.mechanisms, report.faults, report.accountants)
    return {erratum.printed for erratum in report.errata}.union(*({entry.id for entry in kind} for kind in kinds))


def _above(report: AuditReport) -> list[Finding]:
    return [*view.unexpected(report), *view.undecided(report)]


def _expectation(findings: list[Finding]) -> Expectation:
    refuted = any(finding.expected is Expectation.REFUTED for finding in findings)
    return Expectation.REFUTED if refuted else Expectation.HOLDS


def page(template: str, **context: object) -> str:
    """Return a page beside the report's, in the same style and without a script."""
    environment = _environment()
    style = Markup(_source(environment, "report.css"))  # noqa: S704 - our own style sheet
    return environment.get_template(template).render(css=style, **context).replace("&#39;", "'") + "\n"


def render(report: AuditReport) -> str:
    """The whole page; same report, same bytes."""
    environment = _environment()
    style, script = (_source(environment, name) for name in ("report.css", "report.js"))
    detectable = view.detectable_table(report)
    page = environment.get_template("report.html.j2").render(
        r=report,
        css=Markup(style),  # noqa: S704 - our own style sheet
        script=Markup(script),  # noqa: S704 - our own script
        script_hash="sha256-" + b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        word=f"{view.ANSWERS[view.tone(report)].capitalize()}.",
        conclusion=view.conclusion(report),
        tone=view.tone(report),
        counts_line=view.counts_line(report),
        pending_text=view.pending_text(report),
        matters=view.matters(report),
        errata=[(words, [e for e in report.errata if e.severity is s]) for s, words in view.SEVERITY_WORDS.items()],
        paper_table=view.paper_table(report),
        summary_table=view.summary_table(report),
        unexpected=view.unexpected(report),
        undecided=view.undecided(report),
        detectable_table=detectable,
        by_paper=view.by_paper(report),
        other_findings=_others(report),
        subjects=_subjects(report),
        above={finding.id for finding in _above(report)},
        false_in_print={erratum.printed for erratum in report.errata},
        ledger_table=view.ledger_table(report),
        trust_tables=view.trust_tables(report),
        version_table=view.version_table(report),
        run_command=view.run_command(report),
        entry_command=view.entry_command(report),
        contents=_contents(report, detectable=bool(detectable.rows)),
        by_subject=view.by_subject(report),
        expectation_of=_expectation,
    )
    # every attribute stands in double quotes, where an apostrophe is a letter
    return re.sub(r"\n\s*\n+", "\n", page).replace("&#39;", "'") + "\n"
