"""What a black-box finding of a run carries besides its verdict."""

from __future__ import annotations

from fractions import Fraction

from auditor.checks.check import Context
from auditor.checks.empirical import check_black_box
from auditor.profile import profile
from auditor.registry import registry
from auditor.report.model import SamplingEvidence
from mechanisms.pair import Direction
from proofs_numeric.arithmetic import MpReal
from proofs_numeric.verdict import Verdict


def evidence_of(identifier: str) -> tuple[Verdict, SamplingEvidence]:
    """The black-box test of a registered mechanism or fault, quick."""
    known = registry()
    context = Context(profile("quick"), 1, Fraction("1e-6"), known, {})
    [found] = check_black_box(known.subjects[identifier], context)
    [evidence] = found.evidence
    assert isinstance(evidence, SamplingEvidence)
    return found.verdict, evidence


def test_a_silent_finding_bounds_the_profile_below_the_exact_one():
    """Total variation is bounded away from 0, and not above what the pair's law says; nothing is efficient here."""
    verdict, evidence = evidence_of("analytic_gaussian")
    spec = registry().mechanisms["analytic_gaussian"]
    with MpReal(20) as arithmetic:
        exact = max(
            pair.profile(arithmetic, arithmetic.number(0), way)
            for pair in spec.pairs(spec.parameters)
            for way in Direction
        )
    assert verdict is Verdict.CONSISTENT
    assert 0.5 * float(exact) < float(evidence.profile_lower["0"]) < float(exact)
    assert evidence.efficiency is None


def test_a_refutation_tells_its_efficiency():
    """Against the fewest releases that any test needs on average; one run may be luckier than the average."""
    verdict, evidence = evidence_of("bounded_noise")
    assert verdict is Verdict.REFUTED
    assert evidence.efficiency is not None
    assert 0 < float(evidence.efficiency) < 2
    assert float(evidence.profile_lower["0"]) > 0
