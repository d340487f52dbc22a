"""The content of every rendering of a report: sentences, groups and table cells."""

import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, InvalidOperation, localcontext
from textwrap import shorten

from auditor.errors import INSTALL, OTHER_PROFILE, ExitCode, counted
from auditor.findings.card import OUTCOME_WORDS, WORDS
from auditor.findings.evidence import (
    Box,
    DerivationEvidence,
    Enclosed,
    EnclosureRow,
    ReasonEvidence,
    SamplingEvidence,
    SubjectKind,
    WitnessEvidence,
)
from auditor.findings.finding import BESIDE_THE_CLAIM, Finding, Outcome, verdict_of
from auditor.report.matrix import CLASSES, grade
from auditor.report.model import AccountantEntry, AuditReport, ClaimEntry, Erratum, MechanismEntry, Severity, Table
from auditor.target.target import CANNOT
from proofs_numeric.statements.verdict import Verdict

SEVERITY_WORDS = {
    Severity.PRIVACY: "Promises of privacy that are not kept",
    Severity.STATEMENT: "Steps and properties that do not hold",
    Severity.NUMBER: "Printed numbers that differ from the computed ones",
}
CONSEQUENCES = {
    Severity.PRIVACY: "users of the statement have less privacy than it promises",
    Severity.STATEMENT: "conclusions from it need another argument",
    Severity.NUMBER: "the number differs from the intended number",
}


PIP = "pip install "
ANSWERS = {"good": "pass", "warn": "open", "bad": "fail"}
"""The result of a report in one word, by tone."""


def exit_code(report: AuditReport, *, strict: bool) -> ExitCode:
    """Return the exit code of a run; a refutation outranks a crash, a crash outranks undecided."""
    outcomes = report.outcomes()
    if not report.complete:
        return ExitCode.INTERRUPTED
    if Outcome.UNEXPECTED in outcomes:
        return ExitCode.FINDINGS
    if Outcome.BROKEN in outcomes:
        return ExitCode.USAGE
    if strict and (Outcome.OPEN in outcomes or count_missing_packages(report)):
        return ExitCode.UNDECIDED
    return ExitCode.OK


def tone(report: AuditReport) -> str:
    """Return `bad`, `warn` or `good`: the colour of the first line, which also states the result as text.

    An inconclusive check leaves its subject open, unless another check proves or derives it.
    """
    if Outcome.UNEXPECTED in report.outcomes() or Outcome.BROKEN in report.outcomes():
        return "bad"
    whole = report.complete and report.findings and not count_missing_packages(report)
    verdicts = {verdict_of(findings) for findings in by_subject(report).values()}
    return "good" if whole and Verdict.UNDECIDED not in verdicts else "warn"


Count = tuple[str, str, dict[str, str]]
"""Text with a count, the section of the counted items, and the facets that select them."""


def conclusion(report: AuditReport) -> str:
    """Return the first sentence of every rendering."""
    return "".join(text for text, _, _ in conclusion_parts(report))


def conclusion_parts(report: AuditReport) -> list[Count]:
    """Return the conclusion in pieces; pieces with a count have the section of the list behind it, others have none."""
    if not report.findings:
        return [("Nothing was checked.", "", {})]
    outcomes = Counter(finding.outcome for finding in report.findings)
    skipped, broken = {"expectation": OUTCOME_WORDS[Outcome.SKIPPED]}, {"expectation": OUTCOME_WORDS[Outcome.BROKEN]}
    unusable = sum(map(has_unusable_target, (f for f in report.findings if f.outcome is Outcome.BROKEN)))
    counts: list[tuple[int, str, str, dict[str, str]]] = [
        (
            outcomes[Outcome.UNEXPECTED],
            f"{counted(outcomes[Outcome.UNEXPECTED], 'unexpected result')}",
            "unexpected",
            {"expectation": OUTCOME_WORDS[Outcome.UNEXPECTED]},
        ),
        (unusable, f"{counted(unusable, 'finding')} of a target that {CANNOT}", "unexpected", broken),
        (
            outcomes[Outcome.BROKEN] - unusable,
            f"{counted(outcomes[Outcome.BROKEN] - unusable, 'check')} crashed",
            "unexpected",
            broken,
        ),
        (
            outcomes[Outcome.OPEN],
            f"{outcomes[Outcome.OPEN]} undecided",
            "unexpected",
            {"expectation": OUTCOME_WORDS[Outcome.OPEN]},
        ),
        *(
            (
                number,
                f"{number} not applicable ({why})",
                "summary",
                skipped | {"find": why.partition(f": {PIP}")[0].removesuffix(" [...]")},
            )
            for why, number in count_missing_packages(report).items()
        ),
        *(
            (number, f"{number} not applicable ({why})", "accountants", skipped | {"kind": "accountant"})
            for number, why in (
                (_count_remedies(report, INSTALL), f"other libraries are not installed: {INSTALL} all"),
                (_count_remedies(report, OTHER_PROFILE), f"no library is called: {OTHER_PROFILE}"),
            )
        ),
    ]
    parts = [(text, section, query) for number, text, section, query in counts if number]
    if not outcomes[Outcome.UNEXPECTED]:
        parts.insert(0, ("No unexpected result", "", {}))
    parts.append((counted(len(report.findings), "finding"), "summary", {}))
    pieces: list[Count] = [parts[0]]
    for part in parts[1:]:
        pieces += [(", of " if part is parts[-1] else ", ", "", {}), part]
    if report.complete:
        return [*pieces, (".", "", {})]
    return [
        *pieces,
        (". Interrupted: ", "", {}),
        (counted(len(report.pending), "check"), "pending", {}),
        (" not run.", "", {}),
    ]


@dataclass(frozen=True)
class Answer:
    """An answer to the question which results of the report may be relied on.

    Attributes:
        tone: `bad` for a defect, `warn` for an open question, `good` otherwise.
        about: the kind of subject.
        text: one or two sentences.
        section: the section with the list behind it.
    """

    tone: str
    about: str
    text: str
    section: str


MAY_WE_SHIP = {
    "bad": "Not everything: some subjects have a defect.",
    "warn": "Not yet: some subjects are undecided.",
    "good": "Yes, within the power that each result states.",
}
"""Answer to "may we ship?" by the worst tone of the answers."""
ABOUT_PASS = {
    "good": "Pass is about the audit itself: it found every known defect and planted fault again, and no new one.",
    "warn": "Open is about the audit itself: some checks ended without a decision, or did not run.",
    "bad": "Fail is about the audit itself: a result differs from the expected one, or a check crashed.",
}
"""Meaning of the result of a run, by tone."""


def answers(report: AuditReport) -> list[Answer]:
    """Return an answer for mechanisms, library accountants and printed statements, for each kind with a subject.

    A defect counts whether the suite knew it or not.
    """
    return [answer for answer in (_of_mechanisms(report), _of_accountants(report), _of_print(report)) if answer]


def answer_tone(listed: Iterable[Answer]) -> str:
    """Return the worst tone of answers about mechanisms and accountants; empty if there are none."""
    tones = {answer.tone for answer in listed if answer.about != "Printed statements"}
    return next((tone for tone in ("bad", "warn", "good") if tone in tones), "")


def _of_mechanisms(report: AuditReport) -> Answer | None:
    verdicts = {
        subject: verdict_of(findings)
        for subject, findings in by_subject(report).items()
        if findings[0].subject_kind is SubjectKind.MECHANISM
    }
    if not verdicts:
        return None
    of = counted(len(verdicts), "mechanism")
    section = "mechanisms" if report.mechanisms else "summary"
    refuted = [subject for subject, verdict in verdicts.items() if verdict is Verdict.REFUTED]
    opened = [subject for subject, verdict in verdicts.items() if verdict in {Verdict.UNDECIDED, Verdict.ERROR}]
    if refuted:
        text = f"Do not ship {_names(refuted)}: {len(refuted)} of {of} violated the promise."
        return Answer("bad", "Mechanisms", text, section)
    if opened:
        text = f"Do not ship yet: {_names(opened)}. {len(opened)} of {of} undecided, no violation seen in the others."
        return Answer("warn", "Mechanisms", text, section)
    text = f"No violation seen in {of}. Each entry states the smallest violation that its tests would have caught."
    return Answer("good", "Mechanisms", text, section)


def _of_accountants(report: AuditReport) -> Answer | None:
    """Return the answer by library: bad in the record of all libraries, or refuted in this run."""
    libraries = defaultdict[str, list[bool]](list)
    for entry in report.accountants:
        if entry.recorded or entry.verdict is not Verdict.NOT_APPLICABLE:
            recorded = bool(entry.recorded) and CLASSES[grade(entry.recorded)[0]][0] == "bad"
            libraries[entry.library].append(recorded or entry.verdict is Verdict.REFUTED)
    if not libraries:
        return None
    bad = {name: sum(wrong) for name, wrong in libraries.items() if any(wrong)}
    clean = sorted(name for name in libraries if name not in bad)
    section = "libraries" if any(entry.recorded for entry in report.accountants) else "accountants"
    of = counted(sum(map(len, libraries.values())), "accountant")
    if not bad:
        return Answer("good", "Accountants", f"No defect seen in {of}: {', '.join(clean)}.", section)
    ranking = sorted(bad, key=lambda name: (-bad[name], name))
    listed = ", ".join(f"{name} ({bad[name]} of {len(libraries[name])})" for name in ranking)
    text = (
        f"Do not rely on {sum(bad.values())} of {of}, which returned unsafe, invalid or contradictory values: {listed}."
    )
    refuted = sum(entry.verdict is Verdict.REFUTED for entry in report.accountants)
    if refuted < sum(bad.values()):
        text += f" This run refuted {refuted}; the other results are from recorded audits."
    if clean:
        text += f" No defect seen in {', '.join(clean)}."
    return Answer("bad", "Accountants", text, section)


def _of_print(report: AuditReport) -> Answer | None:
    false = [erratum for erratum in report.errata if erratum.printed_verdict is Verdict.REFUTED]
    if not false:
        return None
    costly = [erratum for erratum in false if erratum.severity is Severity.PRIVACY]
    papers = Counter(map(_paper, false))
    listed = ", ".join(f"{number} of {paper}" for paper, number in papers.most_common())
    text = f"Do not rely on {counted(len(false), 'printed statement')} ({listed}): each has a witness."
    if costly:
        worst = max(costly, key=_least_factor)
        factor = (
            f", {_paper(worst)}, {worst.source}, by a factor of at least {_factor(worst)}" if _factor(worst) else ""
        )
        text += f" {len(costly)} of them promise more privacy than they give{factor}."
    return Answer("bad", "Printed statements", text, "errata")


def _paper(erratum: Erratum) -> str:
    return erratum.printed.partition(".")[0]


MOST_NAMES = 8
"""Names in a sentence, at most; the others are counted."""


def selection_text(report: AuditReport) -> str:
    """Return the selection for the first screen; the command to reproduce the report has all of it."""
    return _names(report.selection) or "everything"


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


def attention(report: AuditReport, most: int = 10) -> list[tuple[Finding, str]]:
    """Return the first findings that need attention, most severe first, each with its outcome as text."""
    return [
        (finding, OUTCOME_WORDS[finding.outcome])
        for finding in (*unexpected_findings(report), *undecided_findings(report))
    ][:most]


@dataclass(frozen=True)
class ErratumRow:
    """A row of the table of errata; empty texts where the entry has no number.

    Attributes:
        erratum: the entry.
        where: paper and place.
        printed: the right side of the printed statement at the worst witness, or the printed number.
        true: the certified left side at the worst witness, or the certified number.
        factor: a certified lower bound on true / printed, for a violated upper bound.
        unit: what both numbers are.
    """

    erratum: Erratum
    where: str
    printed: str
    true: str
    factor: str
    unit: str


_UNITS = ((r"D_", "Rényi divergence"), (r"\delta", "probability"))
"""Beginnings of inequalities whose claim declares no unit, and what their sides are."""


def errata_rows(errata: Iterable[Erratum]) -> list[ErratumRow]:
    """Return the rows of a table of errata, the largest factor first; those without a factor come last."""
    rows = []
    for erratum in sorted(errata, key=_least_factor, reverse=True):
        printed = true = ""
        worst = _worst(erratum)
        if worst is not None and worst.left is not None and worst.right is not None:
            printed, true = format_enclosed(worst.right), format_enclosed(worst.left)
        elif erratum.number is not None:
            printed, true = erratum.number.printed, format_enclosed(erratum.number.computed)
        beginning = next((name for start, name in _UNITS if erratum.printed_statement.startswith(start)), "")
        unit = erratum.unit or beginning
        where = f"{erratum.printed.partition('.')[0]}, {erratum.source}"
        rows.append(ErratumRow(erratum, where, printed, true, _factor(erratum), unit if true else ""))
    return rows


def consequence(erratum: Erratum) -> str:
    """Return the consequence of a false statement, with a certified lower bound on the largest factor."""
    text, factor = CONSEQUENCES[erratum.severity], _factor(erratum)
    if erratum.severity is not Severity.PRIVACY or not factor:
        return text
    worst = _worst(erratum)
    at = parameters_text(worst.parameters) if worst is not None else ""
    return f"{text}: by a factor of at least {factor}{f' at {at}' if at else ''}"


def _worst(erratum: Erratum) -> WitnessEvidence | None:
    """Return the witness with the largest certified factor."""
    return erratum.worst or erratum.witness


def _least_factor(erratum: Erratum) -> Decimal:
    worst = _worst(erratum)
    return Decimal(0) if worst is None else worst.least_factor()


def _factor(erratum: Erratum) -> str:
    """Return the certified lower bound on the largest factor to three digits; empty without one."""
    if not (factor := _least_factor(erratum)):
        return ""
    with localcontext(prec=3, rounding=ROUND_FLOOR):
        return f"{+factor:g}" if factor >= Decimal("1.01") else f"1 + {factor - 1:g}"


def beyond_verdict(finding: Finding) -> str:
    """Return a finding's headline without its verdict, which precedes it."""
    word = WORDS[finding.verdict]
    text = finding.headline.removeprefix(f"{word}; ")
    if finding.check in BESIDE_THE_CLAIM:
        text = text.replace(f": {word} in ", " in ", 1)
    return text.removeprefix(f"{word} ") if text.startswith(f"{word} in ") else text


def count_missing_packages(report: AuditReport) -> Counter[str]:
    """Count the findings that are not applicable for lack of a package, by reason and remedy."""
    return Counter(
        f"{shorten(evidence.text, 100)}: {evidence.remedy}"
        for evidence in _reasons(report)
        if evidence.remedy.startswith(PIP)
    )


def _count_remedies(report: AuditReport, remedy: str) -> int:
    """Return the number of findings that are not applicable and whose remedy begins so."""
    return sum(evidence.remedy.startswith(remedy) for evidence in _reasons(report))


def _reasons(report: AuditReport) -> Iterator[ReasonEvidence]:
    """Yield why findings are not applicable."""
    for finding in report.findings:
        if finding.verdict is Verdict.NOT_APPLICABLE:
            yield from (evidence for evidence in finding.evidence if isinstance(evidence, ReasonEvidence))


def absent_accountants(report: AuditReport) -> dict[str, list[AccountantEntry]]:
    """Return the accountants that were not audited, by the headline of their finding."""
    headlines = {finding.subject: finding.headline for finding in report.findings}
    absent: dict[str, list[AccountantEntry]] = {}
    for entry in report.accountants:
        if entry.verdict is Verdict.NOT_APPLICABLE:
            absent.setdefault(headlines[entry.id], []).append(entry)
    return absent


def has_unusable_target(finding: Finding) -> bool:
    """Return whether the target, not the check, broke."""
    return any(isinstance(evidence, ReasonEvidence) and evidence.unusable_target for evidence in finding.evidence)


def unexpected_findings(report: AuditReport) -> list[Finding]:
    """Return unexpected findings, unusable targets and crashed checks; refutations first."""
    order = {Outcome.UNEXPECTED: 0, Outcome.BROKEN: 1}
    return sorted((f for f in report.findings if f.outcome in order), key=lambda f: (order[f.outcome], f.id))


def undecided_findings(report: AuditReport) -> list[Finding]:
    """Return the undecided findings."""
    return [finding for finding in report.findings if finding.outcome is Outcome.OPEN]


def continued_findings(report: AuditReport) -> list[Finding]:
    """Return the findings that add a run to an evidence file; their headline covers all its runs."""

    def adds(finding: Finding) -> bool:
        return any(isinstance(test, SamplingEvidence) and test.run is not None for test in finding.evidence)

    return [finding for finding in report.findings if adds(finding)]


def by_subject(report: AuditReport) -> dict[str, list[Finding]]:
    """Return the findings by subject, in order; an unknown subject has none."""
    findings = defaultdict[str, list["Finding"]](list)
    for finding in report.findings:
        findings[finding.subject].append(finding)
    return findings


def by_paper(report: AuditReport) -> dict[str, list[ClaimEntry]]:
    """Return the claims by paper, both in order."""
    papers: dict[str, list[ClaimEntry]] = {}
    for claim in report.claims:
        papers.setdefault(claim.paper, []).append(claim)
    return dict(sorted(papers.items()))


def paper_table(report: AuditReport) -> Table:
    """Return a table of the verdicts of claims, one row per paper."""
    present = [verdict for verdict in Verdict if any(claim.verdict is verdict for claim in report.claims)]
    rows = []
    for paper, claims in by_paper(report).items():
        counts = Counter(claim.verdict for claim in claims)
        rows.append([paper, str(len(claims)), *(str(counts[verdict] or "") for verdict in present)])
    columns = ["paper", "claims", *(WORDS[verdict] for verdict in present)]
    return Table(caption="Claims by paper and verdict", columns=columns, rows=rows)


def summary_table(report: AuditReport) -> Table:
    """Return a table of findings by verdict and outcome."""
    outcomes = [o for o in Outcome if any(o.value in row for row in report.summary.verdicts.values())]
    rows = [
        [WORDS[verdict], *(str(report.summary.verdicts[verdict].get(outcome.value, "")) for outcome in outcomes)]
        for verdict in Verdict
        if verdict in report.summary.verdicts
    ]
    return Table(
        caption="Findings by verdict and expectation",
        columns=["verdict", *(OUTCOME_WORDS[outcome] for outcome in outcomes)],
        rows=rows,
    )


def best_corner(evidence: SamplingEvidence) -> str:
    """Return the corner of the trade-off bound with the least sum of errors; empty without a bound."""
    best = min(evidence.tradeoff, key=lambda corner: Decimal(corner.fpr) + Decimal(corner.fnr), default=None)
    return "" if best is None else f"({best.fpr}, {best.fnr})"


def detectable_table(report: AuditReport) -> Table:
    """Return a table of the violations that each sampling test without a refutation would have found."""
    rows = [
        [
            finding.subject,
            evidence.pair.partition(":")[0],
            evidence.direction,
            evidence.epsilon or "",
            evidence.delta_tested or evidence.delta_claimed or "",
            evidence.detectable_delta,
            best_corner(evidence),
            f"{evidence.samples:,}",
        ]
        for finding in report.findings
        if finding.verdict is Verdict.CONSISTENT
        for evidence in finding.evidence
        if isinstance(evidence, SamplingEvidence) and evidence.detectable_delta is not None
    ]
    columns = [
        *("subject", "pair", "direction", "epsilon", "tested delta", "detectable delta"),
        *("trade-off function at most (fpr, fnr)", "samples"),
    ]
    return Table(
        caption="Smallest true delta that would have been reported with probability 0.95", columns=columns, rows=rows
    )


def count_subjects(report: AuditReport) -> list[Count]:
    """Return the counts of the checked subjects."""
    faults = [f for f in report.faults if f.verdict is Verdict.REFUTED]
    mechanisms = [m for m in report.mechanisms if m.kind == "mechanism"]
    controls = [m for m in report.mechanisms if m.kind == "control"]
    fault_text = f"{len(faults)} of {counted(len(report.faults), 'planted fault')} caught"
    subjects = [
        (len(report.claims), counted(len(report.claims), "claim"), "claims", {"kind": "claim"}),
        (len(mechanisms), counted(len(mechanisms), "mechanism"), "mechanisms", {"kind": "mechanism"}),
        (len(report.faults), fault_text, "faults", {"kind": "fault", "verdict": WORDS[Verdict.REFUTED]}),
        (len(controls), counted(len(controls), "privacy-neutral control"), "mechanisms", {"kind": "control"}),
        (
            len(report.accountants),
            counted(len(report.accountants), "accountant"),
            "accountants",
            {"kind": "accountant"},
        ),
    ]
    return [(text, section, query) for number, text, section, query in subjects if number]


@dataclass(frozen=True)
class Tile:
    """A count on the first screen of the page.

    Attributes:
        number: the count as text.
        words: what it counts.
        section: the section with the list.
        query: the search that finds the counted entries.
        parts: tone, number and words of each part; the parts add up to the whole.
    """

    number: str
    words: str
    section: str
    query: Mapping[str, str]
    parts: tuple[tuple[str, int, str], ...]


_TONES = {
    Verdict.PROVED: "good",
    Verdict.DERIVED: "good",
    Verdict.CONSISTENT: "seen",
    Verdict.REFUTED: "bad",
    Verdict.ERROR: "bad",
    Verdict.UNDECIDED: "warn",
}
"""Colour of a verdict in a bar; other verdicts are grey."""


def tiles(report: AuditReport) -> list[Tile]:
    """Return the counts of claims, mechanisms, planted faults, controls and accountants, each with its parts."""
    refuted_count = sum(fault.verdict is Verdict.REFUTED for fault in report.faults)
    of_faults = [("good", refuted_count, "caught"), ("bad", len(report.faults) - refuted_count, "escaped")]
    mechanisms = [entry for entry in report.mechanisms if entry.kind == "mechanism"]
    controls = [entry for entry in report.mechanisms if entry.kind == "control"]
    kinds: tuple[tuple[str, str, str, int, list[tuple[str, int, str]]], ...] = (
        ("claim", "claims", "claims", len(report.claims), _parts(report.claims)),
        ("mechanism", "mechanisms", "mechanisms", len(mechanisms), _parts(mechanisms)),
        ("fault", "planted faults caught", "faults", len(report.faults), of_faults),
        ("control", "privacy-neutral controls", "mechanisms", len(controls), _parts(controls)),
        ("accountant", "accountants", "accountants", len(report.accountants), _parts(report.accountants)),
    )
    result = []
    for kind, words, section, number, parts in kinds:
        is_fault = kind == "fault"
        text = f"{refuted_count} of {number}" if is_fault else str(number)
        query = {"kind": kind} | ({"verdict": WORDS[Verdict.REFUTED]} if is_fault else {})
        if number:
            result.append(Tile(text, words, section, query, tuple(part for part in parts if part[1])))
    return result


def _parts(entries: Iterable[ClaimEntry | MechanismEntry | AccountantEntry]) -> list[tuple[str, int, str]]:
    counts = Counter(entry.verdict for entry in entries)
    return [(_TONES.get(verdict, "plain"), counts[verdict], WORDS[verdict]) for verdict in Verdict]


def explained_counts(report: AuditReport) -> str:
    """Return a sentence on counts that differ because they count different things."""
    refuted = sum(claim.verdict is Verdict.REFUTED for claim in report.claims)
    listed = sum(1 for erratum in report.errata if erratum.printed_verdict is Verdict.REFUTED)
    sentences = [f"An entry has one finding or more: this report has {counted(len(report.findings), 'finding')}."]
    if report.errata and refuted != listed:
        sentences.append(
            f"{counted(refuted, 'claim')} refuted, {listed} of them errata; the others are not statements of a paper, "
            "but false statements of this project that the run had to refute."
        )
    return " ".join(sentences)


def outcomes(report: AuditReport) -> list[Count]:
    """Return the counts of findings by outcome."""
    counts = Counter(finding.outcome for finding in report.findings)
    return [
        (f"{counted(counts[each], 'finding')} {words}", "summary", {"expectation": words})
        for each, words in OUTCOME_WORDS.items()
        if counts[each]
    ]


def counts_line(report: AuditReport) -> str:
    """Return the counts of the checked subjects in one line."""
    return "; ".join(text for text, _, _ in count_subjects(report))


def relation_header(relation: str) -> str:
    """Return the header of the last column of a table of points."""
    return {"at most": "ratio", "achieves": "achieved/asked for"}.get(relation, relation)


def comparison(relation: str, row: EnclosureRow) -> str:
    """Return the relation of a row's two sides as text: a number, or words if there is none.

    Sides that agree to their computed precision are `equal`; below the smallest normal double there is no ratio.
    """
    if row.against is None:
        return "none: not finite"
    if relation == "achieves":
        return "equal" if row.ratio == "1" else ratio_text(row.ratio or "none")
    if (relation == "at most" or row.ratio is None) and _meet(row.quantity, row.against):
        return "equal"
    return ratio_text(row.ratio or "below the smallest normal double")


def ratio_text(ratio: str) -> str:
    """Return a ratio with six digits; a ratio that would round to 1 is written with its distance: `1 - 4.1e-08`."""
    text = shorten_number(ratio)
    if text != "1.00000":
        return text
    away = Decimal(ratio) - 1
    return f"1 {'-' if away < 0 else '+'} {abs(away):.2g}" if away else "1"


def _meet(one: Enclosed, other: Enclosed) -> bool:
    try:
        return Decimal(one.lower) <= Decimal(other.upper) and Decimal(other.lower) <= Decimal(one.upper)
    except InvalidOperation:
        return False


def parameters_text(parameters: Mapping[str, str]) -> str:
    """Return parameters as `epsilon = 1, mu = 1/2`."""
    return ", ".join(f"{name} = {value}" for name, value in parameters.items())


def bounds(evidence: SamplingEvidence) -> list[str]:
    """Return a test's results beyond its verdict: delta at other epsilons, trade-off function, notes."""
    profile = ", ".join(f"{bound} at {epsilon}" for epsilon, bound in evidence.profile_lower.items() if Decimal(bound))
    corners = ", ".join(f"({corner.fpr}, {corner.fnr})" for corner in evidence.tradeoff)
    parts = [
        f"delta is at least, by epsilon and all at once: {profile}" if profile else "",
        f"the trade-off function (fpr, fnr) lies below the lines through {corners}" if corners else "",
        *beside_figure(evidence),
    ]
    return [part for part in parts if part]


def beside_figure(evidence: SamplingEvidence) -> list[str]:
    """Return a test's results that no figure displays: efficiency and notes."""
    parts = [
        f"efficiency {'at least' if evidence.efficiency_law == 'exact' else 'about'} {evidence.efficiency}, by the "
        f"{evidence.efficiency_law} law"
        if evidence.efficiency
        else "",
        *(f"note: {note}" for note in evidence.notes),
    ]
    return [part for part in parts if part]


def bounds_text(evidence: SamplingEvidence) -> str:
    """Return the results of `bounds` in one line."""
    return "; ".join(bounds(evidence))


def box_text(box: Box) -> str:
    """Return a box as `epsilon in [0, 1], sigma in [1/10, 4]`."""
    return ", ".join(f"{name} in [{interval.lower}, {interval.upper}]" for name, interval in box.items())


def enclosed_text(number: Enclosed | None, digits: int | None = None) -> str:
    """Return `value ± radius` with the radius rounded up, or the number alone if it is exact.

    With `digits` the value is rounded, and the radius includes the rounding error.
    """
    if number is None:
        return ""
    if number.lower == number.upper and (digits is None or len(number.lower) <= digits):
        return number.lower
    try:
        value, lower, upper = (Decimal(end) for end in (number.value or "", number.lower, number.upper))
    except InvalidOperation:
        return f"[{number.lower}, {number.upper}]"
    if not (value.is_finite() and lower.is_finite() and upper.is_finite()):
        return f"[{number.lower}, {number.upper}]"
    with localcontext(prec=1, rounding=ROUND_CEILING) as rounded:
        exact = Context(prec=400)
        value = value if digits is None else Context(prec=digits).plus(value)
        radius = max(exact.subtract(upper, value), exact.subtract(value, lower))
        return f"{value:g} ± {rounded.plus(radius).normalize():g}" if radius else f"{value:g}"


def format_enclosed(number: Enclosed | None, digits: int = 6) -> str:
    """Return a number for a table: its value, or its lower end, to a few digits."""
    if number is None:
        return ""
    return shorten_number(number.value or number.lower, digits)


def shorten_number(real: str, digits: int = 6) -> str:
    """Return a decimal string rounded to `digits` significant digits, for reading only; other text stays unchanged."""
    try:
        number = Decimal(real)
    except InvalidOperation:
        return real
    if not number.is_finite() or len(number.as_tuple().digits) <= digits:
        return real
    return f"{number:.{digits}g}"


def pending_text(report: AuditReport, limit: int = 20) -> str:
    """Return the checks that an interrupted run did not reach."""
    more = f" and {len(report.pending) - limit} more" if len(report.pending) > limit else ""
    return ", ".join(report.pending[:limit]) + more


def kinds(report: AuditReport) -> Iterable[SubjectKind]:
    """Return the kinds of subjects that occur, in order of declaration."""
    present = {finding.subject_kind for finding in report.findings}
    return [kind for kind in SubjectKind if kind in present]


def ledger_table(report: AuditReport) -> Table:
    """Return a table of the shares of the run's false-alarm probability."""
    rows = [
        [entry.family, entry.share, entry.spent, str(entry.tests), entry.note] for entry in report.false_alarm_ledger
    ]
    return Table(
        caption="The false-alarm budget by family", columns=["family", "share", "spent", "tests", "note"], rows=rows
    )


_TRUSTED = {
    "theorem": ("Classical theorems, not proved here", ["theorem", "reference", "claims that rest on it"]),
    "rule": (
        "The kernel's rules over laws, by unchecked arguments",
        ["rule", "what it states", "claims that rest on it"],
    ),
    "kernel": ("The kernel, the only source of the verdict proved", ["kernel", "size", "used for"]),
    "library": ("Libraries", ["library", "version", "used for"]),
    "step": ("Unchecked arguments", ["step", "", "argument"]),
    "assumption": ("Assumptions", ["assumption", "", "used for"]),
    "hardware": ("Machine", ["what", "", "used for"]),
}


def trust_tables(report: AuditReport) -> list[Table]:
    """Return the unchecked assumptions, a table per kind; steps of a printed derivation are only named."""
    evidence = (one for finding in report.findings for one in finding.evidence)
    statements = {step.statement for one in evidence if isinstance(one, DerivationEvidence) for step in one.steps}
    tables = []
    for kind, (caption, columns) in _TRUSTED.items():
        items = [item for item in report.trust if item.kind == kind]
        rows = [[item.name, item.version, item.used_for] for item in items if item.used_for not in statements]
        if steps := [item.name for item in items if item.used_for in statements]:
            rows.append(["listed with their claims", "", ", ".join(steps)])
        places = [number for number, column in enumerate(columns) if column]
        cells = [[row[number] for number in places] for row in rows]
        if rows:
            tables.append(Table(caption=caption, columns=[columns[number] for number in places], rows=cells))
    return tables


def version_table(report: AuditReport) -> Table:
    """Return a table of the versions that determine the bytes of the report."""
    packages = sorted(report.environment.packages.items())
    rows = [["python", report.environment.python], *([name, version] for name, version in packages)]
    if report.environment.simd:
        rows.append(["vector instructions", ", ".join(report.environment.simd)])
    return Table(caption="Versions", columns=["package", "version"], rows=rows)


SESSION = ["pytest"]
"""Selection of a report whose findings tests made."""
PROJECT = ["auditor check"]
"""Selection of a report about the targets of a project's pyproject.toml."""


def run_command(report: AuditReport) -> str:
    """Return the command that reproduces this report."""
    if report.selection == SESSION:
        options = {"profile": report.profile, "seed": str(report.seed), "alpha": report.alpha}
        return shlex.join(["pytest", *(word for name in options for word in (f"--audit-{name}", options[name]))])
    if report.selection == PROJECT:
        return PROJECT[0]
    words = ["auditor", "run", *report.selection, "--profile", report.profile]
    return shlex.join([*words, "--seed", str(report.seed), "--alpha", report.alpha])


def entry_command(report: AuditReport) -> str:
    """Return the command that all findings share, with ID for the subject; empty if they differ."""
    commands = {finding.reproduce.replace(shlex.quote(finding.subject), "ID") for finding in report.findings}
    return commands.pop() if len(commands) == 1 else ""
