"""Binomial tests, bounds and the correction for many tests again, by statsmodels: they agree, and a change is seen."""

import sys

import pytest

from auditor.checks.empirical import SHARING
from auditor.engine.registry import registry
from auditor.engine.second_statistics import checks
from auditor.engine.verify import _guard
from auditor.findings.evidence import SamplingEvidence, SubjectKind
from auditor.findings.finding import Finding
from auditor.statistics.error_budget import SHARES
from auditor.statistics.exact_tests import impossible_event_test
from proofs_numeric.statements.verdict import Expectation, Verdict

ALPHA = "1e-6"
FAULT = "correlated_discrete_inclusive_boundary"
LEVEL = 1e-6 * float(SHARES["faults"]) / (SHARING * len(registry().faults))
SAMPLES, CLAIMED = 30_000, 0.005
BOUNDS = ["binomial bounds 1", "binomial test", "correction for many tests"]


def found(hits=927, verdict=Verdict.REFUTED, **changed):
    """A test of a key that the neighbour lacks, as a report has it."""
    test = impossible_event_test(hits, SAMPLES, CLAIMED, LEVEL)
    evidence = SamplingEvidence(
        method="one-sample exact binomial",
        pair="n1",
        direction="forward",
        delta_claimed=str(CLAIMED),
        delta_lower=f"{test.delta_lower:.4g}",
        level=f"{LEVEL:.12g}",
        samples=SAMPLES,
        hits=hits,
    )
    return Finding.of(
        subject=FAULT,
        subject_kind=SubjectKind.FAULT,
        check="empirical.impossible_key",
        verdict=verdict,
        expected=Expectation.REFUTED,
        headline="927 of 30000 releases",
        reproduce="auditor run",
        evidence=[evidence.model_copy(update=changed)],
    )


def outcomes(finding):
    """The outcome of each item, by name."""
    items = [_guard(finding.id, what, check) for what, check in checks(finding, ALPHA, registry())]
    return {item.what: (item.outcome, item.reason) for item in items}


@pytest.mark.parametrize(("hits", "verdict"), [(927, Verdict.REFUTED), (150, Verdict.CONSISTENT)])
def test_both_computations_agree(hits, verdict):
    """On the bound, on the verdict and on the level."""
    assert outcomes(found(hits, verdict)) == dict.fromkeys(BOUNDS, ("stands", ""))


@pytest.mark.parametrize(
    ("changed", "wrong", "reason"),
    [
        ({"samples": 29_000}, {"binomial bounds 1"}, "the lower bound is"),
        ({"delta_lower": "0.03"}, {"binomial bounds 1"}, "the lower bound is 0.03"),
        ({"delta_claimed": "0.031"}, {"binomial test"}, "and the verdict is REFUTED"),
        ({"level": f"{LEVEL * 2:.12g}"}, {"correction for many tests", "binomial bounds 1"}, "by statsmodels"),
    ],
)
def test_a_change_is_seen(changed, wrong, reason):
    """Of the number of releases, of the bound, of the claimed delta and of the level."""
    seen = outcomes(found(**changed))
    failed = {name: text for name, (outcome, text) in seen.items() if outcome == "fails"}
    assert failed.keys() == wrong
    assert any(reason in text for text in failed.values())


def test_a_level_above_the_share_of_one_test_is_seen():
    """By Bonferroni's correction over all registered tests of the family."""
    outcome, reason = outcomes(found(level=f"{LEVEL * 2:.12g}"))["correction for many tests"]
    assert outcome == "fails"
    assert f"the share of each of {SHARING * len(registry().faults)} tests in its family is {LEVEL:.6g}" in reason


def test_a_p_value_close_to_its_level_is_not_checked():
    """The report has four digits of the claimed delta, which do not decide it."""
    hits = next(n for n in range(150, 927) if impossible_event_test(n, SAMPLES, CLAIMED, LEVEL).rejected)
    ratio = impossible_event_test(hits, SAMPLES, CLAIMED, LEVEL).p_value / LEVEL
    assert 0.5 < ratio < 1
    assert outcomes(found(hits))["binomial test"][0] == "not checked"


def test_without_the_package_nothing_is_checked_and_the_remedy_is_named(monkeypatch):
    """Never a silent pass."""
    for module in [name for name in sys.modules if name.startswith("statsmodels.")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "statsmodels", None)
    assert set(outcomes(found()).values()) == {
        ("not checked", "statsmodels is not installed; pip install 'sparse-histogram-auditor[statistics]'")
    }
