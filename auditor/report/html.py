"""The report as one self-contained page, or as a site with a page per subject; pages load nothing from outside.

The index page has one script, allowed by its hash in the content security policy. It searches entries on the page,
which is complete without it. Autoescape is on. Pages of subjects have no script.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from functools import cache, partial
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from auditor.errors import counted
from auditor.extras import missing
from auditor.findings.card import WORDS
from auditor.findings.evidence import SearchEvidence
from auditor.findings.finding import BESIDE_THE_CLAIM, Outcome, outcome
from auditor.report import evidence, figure, latex, svg, view
from auditor.report.chapters.chapter import CLAIM_COLUMNS
from auditor.report.matrix import CLASSES, grade, matrix
from auditor.report.model import Severity
from proofs_numeric.statements.verdict import Expectation, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from auditor.findings.finding import Finding
    from auditor.report.model import AuditReport, Plot, Table

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
    environment.filters |= {"breakable": _add_breaks, "wrappable": _break_at_joints, "math": _math, "svg": _svg}
    environment.globals |= {
        "words": WORDS,
        "tone_of": _tone_of,
        "anchor": anchor,
        "counted": counted,
        "parameters_text": view.parameters_text,
        "groups": evidence.groups,
        "unstated": evidence.select_unstated,
        "few_facts": evidence.few_facts,
        "pairs": evidence.pairs,
        "enclosed_text": view.enclosed_text,
        "beyond_verdict": view.beyond_verdict,
        "beyond_table": evidence.beyond_table,
        "in_evidence": evidence.tells_scope,
        "in_words": evidence.in_words,
        "severity_words": view.SEVERITY_WORDS,
        "fields": lambda: Markup(figure.fields()),  # noqa: S704 - figure escapes its texts
        "draw": lambda findings: Markup(figure.draw(findings)),  # noqa: S704 - figure escapes its texts
        "marks": figure.LEGEND,
        "consequence": view.consequence,
        "consequences": view.CONSEQUENCES,
        "shortened": view.shorten_number,
        "claim_columns": CLAIM_COLUMNS,
        "grade": grade,
        "classes": CLASSES,
    }
    return environment


def _source(environment: Environment, name: str) -> str:
    if environment.loader is None:
        raise AssertionError("expected a loader of templates")
    # the page drops blank lines, and the hash covers the bytes of the page
    return re.sub(r"\n\s*\n+", "\n", environment.loader.get_source(environment, name)[0])


_LONG_ID = re.compile(r"[\w.]{24,}")
_LINE_OF_ID = re.compile(r"[\w.]{9,23}[._](?=[a-z])")


def _add_breaks(cell: str) -> Markup:
    """Return escaped text in which long ids may break after a point or an underscore."""
    text = _LONG_ID.sub(lambda match: _LINE_OF_ID.sub(r"\g<0><wbr>", match[0]), str(escape(cell)))
    return Markup(text)  # noqa: S704 - escaped above


_JOINT = re.compile(r"[._](?=[A-Za-z])|(?<=[a-z]{2})(?=[A-Z])")
_LONG_WORD = re.compile(r"(?<![\w-])[a-z]{10,}(?![\w-])")
_SYLLABLE = re.compile(r"[aeiou][b-df-hj-np-tv-z](?=[b-df-gj-km-np-qs-tv-z][aeiou])")


def _break_at_joints(name: str) -> Markup:
    """Return an escaped name that may break after a point or an underscore, before a capital, and in long words.

    A long word without a hyphen may break, with one, between two consonants that vowels enclose: `sub-sampled`.
    """
    text = _LONG_WORD.sub(lambda word: _SYLLABLE.sub("\\g<0>\u00ad", word[0]), str(escape(name)))
    return Markup(_JOINT.sub(r"\g<0><wbr>", text))  # noqa: S704 - escaped here


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
    """Return an id usable as a URL fragment; injective, as every other character becomes its code."""
    return re.sub(r"[^A-Za-z0-9._:-]", lambda match: f"~{ord(match[0]):x}~", identifier)


def _contents(report: AuditReport, detectable: int) -> list[tuple[str, list[tuple[str, str, int | str]]]]:
    """Return the links of the contents in groups, each with the section's id, its title and its number of entries."""
    groups: dict[str, list[tuple[str, str, int | str | None]]] = {
        "Look at first": [
            ("summary", "Summary", ""),
            ("unexpected", "Unexpected, undecided", len(_above(report))),
            (
                "false-in-print",
                "False in print",
                sum(one.severity is Severity.PRIVACY for one in report.errata) or None,
            ),
            ("errata", "Errata", len(report.errata) or None),
            (
                "libraries",
                "Libraries by mechanism",
                "" if any(entry.recorded for entry in report.accountants) else None,
            ),
        ],
        "Evidence": [
            ("faults", "Planted faults", len(report.faults) or None),
            ("accountants", "Accountants", len(report.accountants) or None),
            ("mechanisms", "Mechanisms and controls", len(report.mechanisms) or None),
        ],
        "Chapters": [
            (f"section-{anchor(section.id)}", section.title.partition(":")[0], "") for section in report.sections
        ],
        "All statements": [
            ("detectable", "Detectable violations", detectable or None),
            ("claims", "Claims", len(report.claims) or None),
            ("findings", "Other findings", len(_other_findings(report)) or None),
        ],
        "About this run": [
            ("ledger", "False alarms", "" if report.false_alarm_ledger else None),
            ("trust", "Trust base", ""),
            ("reproduce", "How to reproduce", ""),
        ],
    }
    present = {
        title: [(name, words, number) for name, words, number in links if number is not None]
        for title, links in groups.items()
    }
    return [(title, links) for title, links in present.items() if links]


def _other_findings(report: AuditReport) -> list[Finding]:
    """Return the findings without an entry that are not listed above."""
    listed = {*_subjects(report), *(finding.subject for finding in _above(report))}
    return [finding for finding in report.findings if finding.subject not in listed]


def _subjects(report: AuditReport) -> set[str]:
    kinds = (report.claims, report.mechanisms, report.faults, report.accountants)
    return {erratum.printed for erratum in report.errata}.union(*({entry.id for entry in kind} for kind in kinds))


def _above(report: AuditReport) -> list[Finding]:
    return [*view.unexpected_findings(report), *view.undecided_findings(report)]


def _expectation(findings: list[Finding]) -> Expectation:
    refuted = any(finding.expected is Expectation.REFUTED for finding in findings)
    return Expectation.REFUTED if refuted else Expectation.HOLDS


def page(template: str, **context: object) -> str:
    """Return another page in the report's style, without a script."""
    style = Markup(_source(_environment(), "report.css"))  # noqa: S704 - our own style sheet
    return _render_page(template, css=style, **context)


def _paper_of(report: AuditReport) -> Callable[[str], str]:
    """Return a function from a subject to the paper of its claim; empty if no claim of the run covers the subject."""
    claims = {claim.id: claim.paper for claim in report.claims}
    claim_of = {
        **{mechanism.id: mechanism.guarantee_claim for mechanism in report.mechanisms},
        **{fault.id: fault.violates for fault in report.faults},
        **{accountant.id: accountant.against for accountant in report.accountants},
    }
    papers = set(claims.values())

    def paper(subject: str) -> str:
        claim = claim_of.get(subject, subject)
        first = claim.partition(".")[0]
        return claims.get(claim, first if first in papers else "")

    return paper


def _in_one_line(report: AuditReport) -> Callable[[Finding], bool]:
    """Return a test for findings written in one line: declared directions, and searches of a proved claim."""
    proved = {claim.id for claim in report.claims if claim.verdict is Verdict.PROVED and not claim.scope}

    def is_redundant(finding: Finding) -> bool:
        if finding.check in BESIDE_THE_CLAIM:
            return finding.met and finding.verdict is not Verdict.UNDECIDED
        searched = all(isinstance(each, SearchEvidence) for each in finding.evidence)
        return finding.subject in proved and finding.verdict is Verdict.CONSISTENT and searched

    return is_redundant


def _counts(table: Table, section: str, query: Callable[[str, str], str]) -> dict[str, object]:
    """Return a table whose numbers link to the lists they count."""
    rows = [
        (row[0], [(cell, query(row[0], name)) for name, cell in zip(table.columns[1:], row[1:], strict=True)])
        for row in table.rows
    ]
    return {"caption": table.caption, "columns": table.columns, "rows": rows, "list": section}


def _of_paper(paper: str, column: str) -> str:
    return urlencode({"kind": "claim", "paper": paper} | ({} if column == "claims" else {"verdict": column}))


def _of_verdict(verdict: str, outcome: str) -> str:
    return urlencode({"verdict": verdict, "expectation": outcome})


def _card_context(report: AuditReport) -> dict[str, object]:
    """Return the template variables that cards need on every page."""
    style = _source(_environment(), "report.css")
    return {
        "css": Markup(style),  # noqa: S704 - our own style sheet
        "subjects": _subjects(report),
        "corrects": {erratum.corrected: erratum.printed for erratum in report.errata},
        "by_subject": view.by_subject(report),
        "expectation_of": _expectation,
        "paper_of": _paper_of(report),
        "in_one_line": _in_one_line(report),
    }


_BETWEEN = re.compile(
    r"\n(?=</?(?:article|d[dlt]|details|div|figure|h[1-4]|li|[ou]l|p|summary|t[dhr]|table|tbody|thead)\b)"
)
"""Line breaks before a block, where white space is insignificant."""
_IMPLIED = re.compile(
    r"</p>(?=\n*(?:<(?:article|details|div|dl|figure|h[1-4]|[ou]l|p|section|table)\b|</(?:article|details|section)>))"
    r"|</li>(?=\n*(?:<li\b|</[ou]l>))|</caption>(?=\n*<thead>)|</thead>(?=\n*<tbody>)|</tbody>(?=\n*</table>)"
)
"""End tags that HTML implies."""

_QUOTED = re.compile(r'(?<==)"([A-Za-z0-9._:#%~/,-]+)"(?=[ >])')
"""Attribute values that need no quotes in HTML."""


def _in_text(text: str) -> str:
    """Return text after a tag without escapes that only attributes need."""
    return text.replace("&#34;", '"').replace("&gt;", ">")


def _render_page(template: str, **context: object) -> str:
    page = _environment().get_template(template).render(**context)
    # attributes are in double quotes, where an apostrophe is plain; in text both quotes are
    page = re.sub(r">[^<&]*&[^<]*", lambda text: _in_text(text[0]), page.replace("&#39;", "'"))
    body, begins, script = page.partition("<script>")
    page = re.sub(r'<[a-z][^<>"]*"[^<>]*>', lambda tag: _QUOTED.sub(r"\1", tag[0]), body) + begins + script
    return _BETWEEN.sub("", _IMPLIED.sub("", re.sub(r"\n\s*\n+", "\n", page))) + "\n"


def _index(report: AuditReport, *, brief: bool, href: Callable[..., str], chapter_href: Callable[[str], str]) -> str:
    """Return the page of the whole report: with all evidence, or brief, with links to the pages of subjects."""
    script = _source(_environment(), "report.js")
    detectable = view.detectable_table(report)
    above = {finding.id for finding in _above(report)}
    subject_of = {finding.id: finding.subject for finding in report.findings}
    tone, listed = view.tone(report), view.answers(report)
    answer_tone = view.answer_tone(listed)
    command = view.entry_command(report)
    absent = view.absent_accountants(report) if command and not brief else {}
    return _render_page(
        "report.html.j2",
        **_card_context(report),
        r=report,
        brief=brief,
        alone=False,
        addressed={*(erratum.finding for erratum in report.errata), *above}.__contains__,
        href=href,
        chapter_href=chapter_href,
        finding_href=lambda identifier: href(subject_of.get(identifier, identifier), identifier),
        script=Markup(script),  # noqa: S704 - our own script
        script_hash="sha256-" + b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        word=f"{view.ANSWERS[tone].capitalize()}.",
        about_pass=view.ABOUT_PASS[tone],
        answers=listed,
        answer_tone=answer_tone,
        may_we_ship=view.MAY_WE_SHIP.get(answer_tone, ""),
        conclusion=view.conclusion(report),
        concluded=[(text, section, urlencode(query)) for text, section, query in view.conclusion_parts(report)],
        tone=tone,
        tiles=[(tile, urlencode(tile.query)) for tile in view.tiles(report)],
        outcomes=[(text, section, urlencode(query)) for text, section, query in view.outcomes(report)],
        selection=view.selection_text(report),
        pending_text=", ".join(report.pending),
        attention=view.attention(report),
        matrix=matrix(report.accountants),
        errata=[
            (words, view.errata_rows(e for e in report.errata if e.severity is s))
            for s, words in view.SEVERITY_WORDS.items()
        ],
        explained_counts=view.explained_counts(report),
        paper_counts=_counts(view.paper_table(report), "claims", _of_paper),
        summary_counts=_counts(view.summary_table(report), "summary", _of_verdict),
        unexpected=view.unexpected_findings(report),
        undecided=view.undecided_findings(report),
        detectable_table=detectable,
        by_paper=view.by_paper(report),
        other_findings=_other_findings(report),
        above=above,
        false_in_print={erratum.printed for erratum in report.errata},
        ledger_table=view.ledger_table(report),
        trust_tables=view.trust_tables(report),
        version_table=view.version_table(report),
        run_command=view.run_command(report),
        entry_command=command,
        absent_accountants=absent,
        absent_ids={entry.id for entries in absent.values() for entry in entries},
        contents=_contents(report, len(detectable.rows)),
    )


def render(report: AuditReport) -> str:
    """Return the whole report as one page; equal reports give equal bytes."""
    return _index(
        report,
        brief=False,
        href=lambda subject, finding=None: f"#{anchor(finding or subject)}",
        chapter_href=lambda chapter: f"#section-{anchor(chapter)}",
    )


def site(report: AuditReport) -> dict[str, str]:
    """Return the linked pages by path: `index.html`, and one per subject and per chapter.

    A claim that is false in print has one page, its erratum.
    """
    errata = {erratum.printed: ("erratum", erratum) for erratum in report.errata}
    entries: dict[str, tuple[str, object]] = {
        **{finding.subject: ("other", None) for finding in report.findings},
        **{claim.id: ("claim", claim) for claim in report.claims},
        **{mechanism.id: ("mechanism", mechanism) for mechanism in report.mechanisms},
        **{fault.id: ("fault", fault) for fault in report.faults},
        **{accountant.id: ("accountant", accountant) for accountant in report.accountants},
        **errata,
    }
    names = _file_names(sorted(entries))
    chapters = _file_names([section.id for section in report.sections])

    def href(folder: str, subject: str, finding: str | None = None) -> str:
        # a fragment encodes characters that a path must not hold
        return f"{folder}{quote(names[subject])}" + (f"#{anchor(finding)}" if finding else "")

    index = _index(
        report,
        brief=True,
        href=partial(href, "subjects/"),
        chapter_href=lambda chapter: f"chapters/{quote(chapters[chapter])}",
    )
    alone = {**_card_context(report), "subjects": set(names), "brief": False, "alone": True, "addressed": bool}
    write = partial(_render_page, "subject.html.j2", **alone, above=frozenset[str](), entry_command="")
    pages = {"index.html": index}
    for subject, (kind, entry) in entries.items():
        pages[f"subjects/{names[subject]}"] = write(kind=kind, entry=entry, title=subject, href=partial(href, ""))
    for section in report.sections:
        entry_fields = {"kind": "chapter", "entry": section, "title": section.title}
        pages[f"chapters/{chapters[section.id]}"] = write(**entry_fields, href=partial(href, "../subjects/"))
    return pages


LONGEST_NAME = 100


def _file_names(identifiers: Iterable[str]) -> dict[str, str]:
    """Return a file name for each id: legible, unique also without case, and of bounded length."""
    names: dict[str, str] = {}
    used_names: set[str] = set()
    for identifier in identifiers:
        plain = re.sub(r"[^A-Za-z0-9._-]", "_", identifier)[:LONGEST_NAME].strip(".") or "_"
        name, again = plain, 1
        while name.lower() in used_names:
            again += 1
            name = f"{plain}~{again}"
        used_names.add(name.lower())
        names[identifier] = name
    return {identifier: f"{name}.html" for identifier, name in names.items()}
