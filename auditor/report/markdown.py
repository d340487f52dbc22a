"""The report as Markdown for pull requests and issues, with escaped text and formulas in Unicode."""

import re
from collections.abc import Iterable, Sequence

from auditor.findings.card import WORDS
from auditor.findings.evidence import QuantityEvidence, SamplingEvidence, WitnessEvidence
from auditor.findings.finding import Finding
from auditor.report import latex, view
from auditor.report.model import AuditReport, Table


def text(words: str) -> str:
    """Escape markup of Markdown and HTML, and join lines."""
    flat = " ".join(words.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_\[\]|~$#!])", r"\\\1", flat)


def code(words: str) -> str:
    """Return a code span that its content cannot close, usable in a table cell."""
    flat = " ".join(words.split()).replace("|", "¦")
    fence = "`" * (max((len(run) for run in re.findall("`+", flat)), default=0) + 1)
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{fence}{pad}{flat}{pad}{fence}"


def table_text(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table of cells that already are Markdown."""
    columns = list(columns)
    return "\n".join(f"| {' | '.join(row)} |" for row in (columns, ["---"] * len(columns), *rows))


def _table(table: Table, *, cell: Sequence[bool] = ()) -> list[str]:
    """Return the lines of a table with its caption; `cell` marks columns that already are Markdown."""
    if not table.rows:
        return []
    ready = list(cell) or [False] * len(table.columns)
    rows = ([value if done else text(value) for value, done in zip(row, ready, strict=True)] for row in table.rows)
    return [f"**{text(table.caption)}**", "", table_text(map(text, table.columns), rows), ""]


def _witness(witness: WitnessEvidence | None) -> str:
    if witness is None:
        return ""
    sides = ""
    if witness.left is not None and witness.right is not None:
        sides = (
            f": {witness.left_name} {view.enclosed_text(witness.left)}, "
            f"claimed {witness.relation} {witness.right_name} {view.enclosed_text(witness.right)}"
        )
    return text(view.parameters_text(witness.parameters) + sides)


def _certified_text(number: QuantityEvidence | None) -> str:
    return "" if number is None else f"certified value {view.enclosed_text(number.computed)}"


def _finding_lines(finding: Finding) -> list[str]:
    witnesses = [_witness(evidence) for evidence in finding.evidence if isinstance(evidence, WitnessEvidence)]
    sampled = [view.bounds_text(evidence) for evidence in finding.evidence if isinstance(evidence, SamplingEvidence)]
    return [
        f"- **{WORDS[finding.verdict]}** {code(finding.id)}: {text(view.beyond_verdict(finding))}",
        *(f"  - witness: {line}" for line in witnesses),
        *(f"  - {text(line)}" for line in sampled if line),
        f"  - see it again: {code(finding.reproduce)}",
    ]


def _list_findings(findings: Iterable[Finding], otherwise: str) -> list[str]:
    lines = [line for finding in findings for line in _finding_lines(finding)]
    return [*(lines or [otherwise]), ""]


def _errata(report: AuditReport) -> list[str]:
    if not report.errata:
        return []
    rows = [
        [
            f"{text(erratum.title)} {code(erratum.printed)}".strip(),
            text(latex.to_text(erratum.printed_statement)),
            _witness(erratum.witness) or _certified_text(erratum.number),
            text(latex.to_text(erratum.corrected_statement)),
        ]
        for erratum in report.errata
    ]
    table = Table(
        caption="False in print, and what holds instead",
        columns=["claim", "printed", "witness", "corrected"],
        rows=rows,
    )
    return ["## Errata", "", *_table(table, cell=[True] * 4)]


def _faults(report: AuditReport) -> list[str]:
    if not report.faults:
        return []
    findings = view.by_subject(report)
    rows = [
        [
            fault.title,
            fault.violates,
            view.format_enclosed(fault.delta_claimed),
            view.format_enclosed(fault.delta_exact),
            "; ".join(finding.headline for finding in findings[fault.id]),
            WORDS[fault.verdict],
        ]
        for fault in report.faults
    ]
    columns = ["fault", "violates", "claimed delta", "exact delta", "result", "verdict"]
    return [
        "## Planted faults",
        "",
        *_table(Table(caption="Faults and how they were caught", columns=columns, rows=rows)),
    ]


def _accountants(report: AuditReport) -> list[str]:
    if not report.accountants:
        return []
    findings = view.by_subject(report)
    rows = [
        [
            entry.id,
            f"{entry.library} {entry.version}",
            entry.against,
            WORDS[entry.verdict],
            "; ".join(finding.headline for finding in findings[entry.id]),
        ]
        for entry in report.accountants
    ]
    columns = ["accountant", "library", "against", "verdict", "observed"]
    return ["## Accountants", "", *_table(Table(caption="Accountants", columns=columns, rows=rows))]


def _claims(report: AuditReport) -> list[str]:
    lines: list[str] = []
    for paper, claims in view.by_paper(report).items():
        rows = [
            [code(claim.id), text(claim.locator), text(latex.to_text(claim.statement)), WORDS[claim.verdict]]
            for claim in claims
        ]
        table = Table(caption=paper, columns=["claim", "source", "statement", "verdict"], rows=rows)
        lines += _table(table, cell=[True] * 4)
    return ["## Claims", "", *lines] if lines else []


def _sections(report: AuditReport) -> list[str]:
    lines: list[str] = []
    for section in report.sections:
        lines += [f"## {text(section.title)}", ""]
        lines += [text(section.text), ""] if section.text else []
        for table in section.tables:
            lines += _table(table)
    return lines


def _may_we_ship(report: AuditReport) -> list[str]:
    listed = view.answers(report)
    if not (tone := view.answer_tone(listed)):
        return []
    answers = [f"- {answer.about}: {text(answer.text)}" for answer in listed]
    return [f"**May we ship?** {view.MAY_WE_SHIP[tone]}", "", *answers, ""]


def render(report: AuditReport) -> str:
    """Return the whole report as Markdown, without plots."""
    counts = view.counts_line(report)
    undecided, continued = view.undecided_findings(report), view.continued_findings(report)
    run = f"profile {report.profile}, seed {report.seed}, false-alarm probability {report.alpha}"
    lines = [
        "# Audit of sparse histograms",
        "",
        *_may_we_ship(report),
        f"**{text(view.conclusion(report))}** {view.ABOUT_PASS[view.tone(report)]}",
        "",
        *([f"{text(counts)}.", ""] if counts else []),
        f"Suite {text(report.suite_version)}, {text(run)}.",
        "",
        *([f"Not run: {text(view.pending_text(report))}.", ""] if report.pending else []),
        "## Unexpected results",
        "",
        *_list_findings(view.unexpected_findings(report), "None."),
        *(["## Undecided", "", *_list_findings(undecided, "None.")] if undecided else []),
        *(["## Accumulated evidence of all runs", "", *_list_findings(continued, "")] if continued else []),
        "## Summary",
        "",
        *_table(view.paper_table(report)),
        *_table(view.summary_table(report)),
        *_errata(report),
        *_faults(report),
        *_accountants(report),
        *_sections(report),
        *(["## What was detectable", "", *_table(silent)] if (silent := view.detectable_table(report)).rows else []),
        *_claims(report),
        *(["## False alarms", "", *_table(view.ledger_table(report))] if report.false_alarm_ledger else []),
        "## Trust base",
        "",
        *(line for table in view.trust_tables(report) for line in _table(table)),
        *_table(view.version_table(report)),
        "## How to reproduce",
        "",
        f"The whole report: {code(view.run_command(report))}",
        "",
        f"One finding: {code('auditor reproduce FINDING-ID --report report.json')}",
    ]
    return "\n".join(lines) + "\n"
