"""What a black-box finding of a run carries besides its verdict."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from auditor.checks.check import Context
from auditor.checks.empirical import check_black_box
from auditor.engine.registry import registry
from auditor.findings.evidence import SamplingEvidence
from auditor.profile import profile
from proofs_numeric.arithmetic import MpReal
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.registered import instead


def evidence_of(identifier: str) -> tuple[Verdict, SamplingEvidence]:
    """The black-box test of a registered mechanism or fault, quick."""
    catalogue = registry()
    context = Context(profile("quick"), 1, Fraction("1e-6"), catalogue, {})
    [found] = check_black_box(catalogue.subjects[identifier], context)
    [evidence] = found.evidence
    assert isinstance(evidence, SamplingEvidence)
    return found.verdict, evidence


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_refutation_tells_its_efficiency_by_the_exact_law():
    """At least so much of the fewest releases that any test needs on average."""
    verdict, evidence = evidence_of("bounded_noise")
    assert verdict is Verdict.REFUTED
    assert evidence.efficiency is not None
    assert evidence.efficiency_law == "exact"
    assert 0.2 < float(evidence.efficiency) < 1
    assert float(evidence.profile_lower["0"]) > 0


@pytest.mark.slow
def test_without_a_law_the_efficiency_is_an_estimate(monkeypatch):
    """And says so."""
    fault = registry().faults["half_noise"]
    lawless = replace(fault, pair=replace(fault.pair, profile=None))
    monkeypatch.setitem(globals(), "registry", instead("faults", "half_noise", lawless))
    verdict, evidence = evidence_of("half_noise")
    assert verdict is Verdict.REFUTED
    assert evidence.efficiency_law == "estimated"
    assert 0.2 < float(evidence.efficiency or 0) < 1


@pytest.mark.slow
@pytest.mark.parametrize("identifier", ["analytic_gaussian", "half_noise"])
def test_a_finding_bounds_the_trade_off_function_of_its_pair(identifier):
    """Corners from (0, 1) to (1, 0), convex, above the exact trade-off function and well below the trivial one.

    Between the laws of a pair the false negatives at false positives x are the supremum of 1 - delta(e) - x exp(e).
    """
    _verdict, evidence = evidence_of(identifier)
    subject = registry().subjects[identifier]
    pairs = subject.pairs(subject.parameters) if hasattr(subject, "pairs") else (subject.pair,)
    [pair] = [pair for pair in pairs if evidence.pair.startswith(f"{pair.id}:")]
    corners = [(float(corner.fpr), float(corner.fnr)) for corner in evidence.tradeoff]
    assert corners[0] == (0.0, 1.0)
    assert corners[-1] == (1.0, 0.0)
    epsilons = np.linspace(-6, 6, 241)
    with MpReal(20) as arithmetic:
        deltas = [float(pair.profile(arithmetic, arithmetic.number(e), Direction.FORWARD)) for e in epsilons]
    for fpr, fnr in corners:
        assert fnr >= np.max(1 - np.array(deltas) - fpr * np.exp(epsilons)) - 1e-9
    assert min(fpr + fnr for fpr, fnr in corners) < 0.8
