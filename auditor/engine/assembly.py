"""Assembly of findings into a report: entries, errata, trust base, ledger and sections, all computed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from auditor.accountant_audit.adapter import Accountant
from auditor.accountant_audit.environments import recorded
from auditor.checks import show
from auditor.checks.check import family_of
from auditor.checks.pair_profile import enclose_profile
from auditor.checks.promise import promised_delta
from auditor.engine.directions import directions
from auditor.engine.quotes import quotes
from auditor.engine.trust import trust
from auditor.findings.evidence import Enclosed, QuantityEvidence, SamplingEvidence, WitnessEvidence
from auditor.findings.finding import Finding, deciding_findings, verdict_of
from auditor.report.chapters.chapter import Quotable, chapters
from auditor.report.model import (
    AccountantEntry,
    AuditReport,
    ClaimEntry,
    Erratum,
    FaultEntry,
    LedgerEntry,
    MechanismEntry,
    Severity,
)
from auditor.statistics.error_budget import SHARES
from auditor.version import environment, suite_version
from mechanisms.mechanism import AccountantFault, Control, Fault, MechanismSpec
from proofs_numeric.arithmetic import exact
from proofs_numeric.arithmetic.enclosure import Enclosure
from proofs_numeric.statements.claim import Claim, QuantityKind, Source
from proofs_numeric.statements.kinds import Calibration, DeltaBound, Inequality, Quantity
from proofs_numeric.statements.verdict import Expectation, Verdict

if TYPE_CHECKING:
    from auditor.engine.plan import Settings
    from auditor.engine.registry import Registry

_FAULT_DIGITS = 12
_PRIVACY = {
    *(QuantityKind.DELTA, QuantityKind.EPSILON, QuantityKind.THRESHOLD),
    *(QuantityKind.SCALE, QuantityKind.RHO),
}


def assemble(
    catalogue: Registry,
    findings: Sequence[Finding],
    settings: Settings,
    selection: Sequence[str],
    pending: Sequence[str],
) -> AuditReport:
    """Return the report of a run.

    Args:
        catalogue: all registered items.
        findings: all findings of the run.
        settings: settings of the run.
        selection: globs that selected the subjects.
        pending: ids of units that the run did not reach.
    """
    by_subject: dict[str, list[Finding]] = {}
    for finding in sorted(findings, key=lambda f: f.id):
        by_subject.setdefault(finding.subject, []).append(finding)
    claims = {i: claim_entry(catalogue.claims[i], each) for i, each in by_subject.items() if i in catalogue.claims}
    accountants = {
        i: accountant_entry(catalogue.accountants[i], each)
        for i, each in by_subject.items()
        if i in catalogue.accountants
    }
    return AuditReport.of(
        suite_version=suite_version(),
        profile=settings.profile,
        seed=settings.seed,
        alpha=settings.alpha,
        selection=selection,
        environment=environment(),
        findings=findings,
        pending=pending,
        claims=claims.values(),
        mechanisms=[
            mechanism_entry(catalogue.mechanisms.get(i) or catalogue.controls[i], each)
            for i, each in by_subject.items()
            if i in catalogue.mechanisms or i in catalogue.controls
        ],
        faults=[
            fault_entry(catalogue.faults[i], catalogue, detection)
            for i, each in by_subject.items()
            if i in catalogue.faults and (detection := by_named_check(catalogue.faults[i], each))
        ],
        accountants=accountants.values(),
        errata=errata(catalogue, by_subject),
        trust=trust(findings, catalogue),
        false_alarm_ledger=ledger(findings, Fraction(settings.alpha), catalogue),
        sections=chapters(
            catalogue.sections.values(),
            Quotable(
                claims,
                accountants,
                by_subject,
                directions(catalogue, accountants, {i: each.verdict for i, each in claims.items()}),
                quotes(catalogue, claims),
            ),
        ),
    )


def locator(source: Source) -> str:
    """Return the location of a statement: place and, in parentheses, equation."""
    equation = source.equation if source.equation.startswith("(") or not source.equation else f"({source.equation})"
    return " ".join(part for part in (source.locator, equation) if part)


def claim_entry(claim: Claim, findings: Sequence[Finding]) -> ClaimEntry:
    """Return the entry of a claim, with the verdict of all its findings."""
    verdict = verdict_of(findings)
    return ClaimEntry(
        id=claim.id,
        title=claim.title,
        paper=claim.source.paper,
        locator=locator(claim.source),
        kind=claim.kind.title,
        statement=claim.statement,
        expected=claim.expected,
        verdict=verdict,
        scope=_scope(finding.scope for finding in deciding_findings(findings) if finding.verdict is verdict),
        ours=claim.source.ours,
        reconstruction=claim.source.reconstruction,
        corrected_by=claim.corrected_by,
        assumptions=list(claim.assumptions),
        note=claim.note,
    )


def _scope(scopes: Iterable[str]) -> str:
    """Return the scopes of the findings that give a verdict; empty if one of them covers the whole statement."""
    covered = list(scopes)
    return "; ".join(covered) if all(covered) else ""


def mechanism_entry(subject: MechanismSpec | Control, findings: Sequence[Finding]) -> MechanismEntry:
    """Return the entry of a reference mechanism or a control."""
    pairs = subject.audited_pairs
    return MechanismEntry(
        id=subject.id,
        title=subject.title,
        kind="control" if isinstance(subject, Control) else "mechanism",
        source=subject.source,
        guarantee_claim=subject.held_to,
        parameters=show.parameters({name: exact(value) for name, value in subject.parameters.items()}),
        adjacency=str(pairs[0].adjacency),
        pairs=[pair.id for pair in pairs],
        verdict=verdict_of(findings),
        note=subject.note,
    )


def _round_enclosure(enclosure: Enclosure) -> Enclosed:
    return show.enclosure_text(enclosure, _FAULT_DIGITS)


def by_named_check(fault: Fault | AccountantFault, findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings of the check that must catch the fault; a refutation by another check does not count."""
    return [finding for finding in findings if finding.check == fault.caught_by]


def fault_entry(fault: Fault | AccountantFault, catalogue: Registry, findings: Sequence[Finding]) -> FaultEntry:
    """Return the entry of a planted fault: claimed and exact delta, and the verdict of the check that must catch it."""
    claim = catalogue.claim(fault.violates)
    if isinstance(fault, AccountantFault):
        wrong = claim.domain.parse({n: v for n, v in fault.parameters.items() if n in claim.domain.names})
        numbers = {n: v if isinstance(v, int) else float(v) for n, v in wrong.items() if not isinstance(v, str)}
        returned = Fraction(fault.accountant(**numbers))
        reported = Enclosed(lower=show.real(returned, 17, -1), upper=show.real(returned, 17, 1))
        return FaultEntry(
            id=fault.id,
            title=fault.title,
            mechanism=fault.mechanism,
            violates=fault.violates,
            caught_by=fault.caught_by,
            pair="accountant",
            epsilon=show.exact_text(wrong.get("epsilon", "infinity")),  # no epsilon: delta is a probability
            delta_claimed=reported,
            delta_exact=_round_enclosure(promised_delta(claim, fault.parameters)),
            explanation=fault.explanation,
            verdict=verdict_of(findings),
        )
    true = enclose_profile(fault.pair, exact(fault.epsilon), fault.direction)
    if true is None:
        raise ValueError(f"expected fault {fault.id!r} to know its exact delta on {fault.pair.id!r}")
    return FaultEntry(
        id=fault.id,
        title=fault.title,
        mechanism=fault.mechanism,
        violates=fault.violates,
        caught_by=fault.caught_by,
        pair=fault.pair.id,
        epsilon=show.exact_text(exact(fault.epsilon)),
        delta_claimed=_round_enclosure(promised_delta(claim, fault.parameters, fault.epsilon)),
        delta_exact=_round_enclosure(true),
        explanation=fault.explanation,
        verdict=verdict_of(findings),
    )


def accountant_entry(accountant: Accountant, findings: Sequence[Finding]) -> AccountantEntry:
    """Return the entry of an accountant, with the audited version."""
    return AccountantEntry(
        id=accountant.id,
        library=accountant.library or "this suite",
        version=accountant.installed_version or "not installed",
        against=accountant.against,
        verdict=verdict_of(findings),
        note=accountant.note,
        recorded=next((row for row in recorded()["accountants"] if row["id"] == accountant.id), {}),
    )


_UNITS = {
    QuantityKind.DELTA: "probability",
    QuantityKind.PROBABILITY: "probability",
    QuantityKind.EPSILON: "nats",
    QuantityKind.RHO: "nats",
}
"""Units of the numbers of claims; the unit of a scale or a threshold depends on the data."""


def errata(catalogue: Registry, by_subject: Mapping[str, Sequence[Finding]]) -> list[Erratum]:
    """Return an erratum for every claim of the run that is false in print, with witness and correction.

    Claims of this project are not errata. Order: severity, then errata with numbers first.
    """
    table = []
    for identifier, findings in by_subject.items():
        claim = catalogue.claims.get(identifier)
        if claim is None or claim.source.ours or claim.expected is not Expectation.REFUTED:
            continue
        refuting = next((f for f in findings if f.verdict is Verdict.REFUTED), findings[0])
        corrected = catalogue.claims.get(claim.corrected_by or "")
        corrected_findings = by_subject.get(corrected.id) if corrected else None
        witness = next((e for e in refuting.evidence if isinstance(e, WitnessEvidence)), None)
        worst = max(_witnesses(findings), key=WitnessEvidence.least_factor, default=None)
        table.append(
            Erratum(
                printed=claim.id,
                severity=severity(claim, corrected),
                title=claim.title,
                corrected=claim.corrected_by,
                source=locator(claim.source),
                printed_statement=claim.statement,
                corrected_statement="" if corrected is None else corrected.statement,
                printed_verdict=verdict_of(findings),
                corrected_verdict=verdict_of(corrected_findings) if corrected_findings else None,
                witness=witness,
                worst=worst if worst is not None and worst != witness and worst.least_factor() else None,
                unit=_UNITS.get(claim.quantity, ""),
                number=next((e for e in refuting.evidence if isinstance(e, QuantityEvidence)), None),
                note=claim.note,
                finding=refuting.id,
            )
        )
    order = list(Severity)
    return sorted(table, key=lambda e: (order.index(e.severity), (e.witness and e.witness.left) is None, e.printed))


def _witnesses(findings: Iterable[Finding]) -> list[WitnessEvidence]:
    refuted = (finding for finding in findings if finding.verdict is Verdict.REFUTED)
    return [evidence for finding in refuted for evidence in finding.evidence if isinstance(evidence, WitnessEvidence)]


def severity(claim: Claim, corrected: Claim | None) -> Severity:
    """Return the severity of relying on a false claim, from the quantities of the claim and of its correction."""
    if isinstance(claim.kind, Quantity):
        return Severity.NUMBER
    if not isinstance(claim.kind, Inequality | DeltaBound | Calibration):
        return Severity.STATEMENT
    about = [each for each in (claim, corrected) if each is not None]
    promised = any(each.privacy is not None or each.quantity in _PRIVACY for each in about)
    return Severity.PRIVACY if promised else Severity.STATEMENT


def ledger(findings: Iterable[Finding], alpha: Fraction, catalogue: Registry) -> list[LedgerEntry]:
    """Return each family's fixed share of the false-alarm probability and the part that this run spent."""
    levels: dict[str, list[Fraction]] = {family: [] for family in SHARES}
    for finding in findings:
        tests = [Fraction(e.level) for e in finding.evidence if isinstance(e, SamplingEvidence)]
        if tests:
            family = family_of(finding.subject, finding.subject_kind.value, catalogue)
            levels[family].append(sum(tests, Fraction(0)))
    return [
        LedgerEntry(
            family=family,
            share=show.real(alpha * share, 6),
            spent=show.real(sum(levels[family], Fraction(0)), 6, 1),
            tests=len(levels[family]),
        )
        for family, share in SHARES.items()
    ]
