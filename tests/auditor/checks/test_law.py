"""Draws against exact values: what is right stays silent, what is off by two percent is refuted and fails a run."""

from dataclasses import replace
from fractions import Fraction

import pytest

from auditor.checks.check import Context
from auditor.checks.law import check_mean, number_of_laws
from auditor.engine.registry import registry
from auditor.errors import ExitCode
from auditor.findings.finding import Finding
from auditor.profile import profile
from auditor.report.model import AuditReport
from auditor.report.view import exit_code
from auditor.statistics.error_budget import SHARES
from auditor.version import Environment
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import Mean
from proofs_numeric.statements.verdict import Verdict

MEANS = [claim for claim in registry().claims.values() if isinstance(claim.kind, Mean)]
ALPHA = Fraction(1, 10**6)


def context() -> Context:
    """The quick profile."""
    return Context(profile("quick"), 0, ALPHA, registry())


def found(claim: Claim) -> Finding:
    """What the check says."""
    (finding,) = check_mean(claim, context())
    return finding


def off(claim: Claim, factor: Fraction) -> Claim:
    """The claim with its exact value times a factor."""
    value = claim.kind.value
    return replace(claim, kind=replace(claim.kind, value=lambda A: value(A) * A.number(factor)))


@pytest.mark.slow
@pytest.mark.parametrize("claim", MEANS, ids=lambda claim: claim.id)
def test_exact_values_are_inside_and_two_percent_off_is_refuted(claim):
    """On either side; the level is the unit's share of the laws'."""
    right = found(claim)
    assert right.verdict is Verdict.CONSISTENT
    assert Fraction(right.evidence[0].level) <= ALPHA * SHARES["laws"] / number_of_laws(context().registry) * (
        1 + Fraction(1, 10**9)
    )
    assert [found(off(claim, Fraction(n, 100))).verdict for n in (98, 102)] == [Verdict.REFUTED] * 2


def test_a_refuted_mean_changes_the_exit_code():
    """A value that draws contradict is a finding against expectation."""
    report = AuditReport.of(
        suite_version="1",
        profile="quick",
        seed=0,
        alpha="1e-6",
        selection=[],
        environment=Environment(python="", packages={}),
        findings=[found(off(MEANS[0], Fraction(102, 100)))],
    )
    assert exit_code(report, strict=False) is ExitCode.FINDINGS
