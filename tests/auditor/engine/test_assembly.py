"""Entries of the report."""

from decimal import Decimal

import pytest

from auditor.engine.assembly import claim_entry, errata, fault_entry, severity
from auditor.engine.registry import registry
from auditor.findings.finding import Finding
from auditor.report.model import Severity
from mechanisms.mechanism import AccountantFault
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.report.sample import sample_report

_FAULTS = [fault for fault in registry().faults.values() if isinstance(fault, AccountantFault)]


@pytest.mark.parametrize("fault", _FAULTS, ids=lambda fault: fault.id)
def test_an_accountant_fault_has_an_entry_whether_or_not_its_claim_takes_epsilon(fault):
    """What it reports lies below the exact delta, and both are shown."""
    entry = fault_entry(fault, registry(), sample_report().findings[:1])
    assert Decimal(entry.delta_claimed.upper) < Decimal(entry.delta_exact.lower)
    has_epsilon = "epsilon" in registry().claim(fault.violates).domain.names
    assert (entry.epsilon == "infinity") != has_epsilon


def test_errata_are_of_papers():
    """A conjecture of ours that fails is a refuted claim, not an error in print."""
    finding = sample_report().findings[0]
    listed = errata(registry(), {name: [finding] for name in registry().claims})
    assert "wilkins2024.cor5.4.2.gt1" in {erratum.printed for erratum in listed}
    assert not [erratum.printed for erratum in listed if registry().claim(erratum.printed).source.ours]


@pytest.mark.parametrize(
    ("identifier", "expected"),
    [
        ("bharadwaj2022.sec31.best", Severity.PRIVACY),
        ("wilkins2024.thm5.4.tau", Severity.PRIVACY),
        ("rogers2024.thm11.renyi.as_printed", Severity.STATEMENT),
        ("rogers2024.thm8.chain", Severity.STATEMENT),
        ("wilkins2024.sec6.01pct", Severity.NUMBER),
    ],
)
def test_how_severe_a_false_statement_is_follows_from_what_it_is_about(identifier, expected):
    """A promise of privacy that is not kept outweighs a false step, and that a digit."""
    catalogue = registry()
    claim = catalogue.claims[identifier]
    assert severity(claim, catalogue.claims.get(claim.corrected_by or "")) is expected


def test_what_is_proved_at_every_size_is_not_confined_by_its_enumeration():
    """A finding without a scope covers what those beside it, of the same verdict, cover in part."""
    claim = registry().claims["rogers2024.thm9.range"]

    def finding(check, scope, verdict=Verdict.PROVED):
        return Finding.of(
            subject=claim.id,
            subject_kind="claim",
            check=check,
            verdict=verdict,
            headline="",
            reproduce="auditor run",
            scope=scope,
        )

    enumerated, proved = finding("finite.enumeration", "counts <= 1"), finding("lemma.proof", "")
    assert claim_entry(claim, [enumerated]).scope == "counts <= 1"
    assert claim_entry(claim, [enumerated, proved]).scope == ""
    derived = finding("lemma.proof", "", Verdict.DERIVED)
    assert claim_entry(claim, [enumerated, derived]).scope == "counts <= 1"
