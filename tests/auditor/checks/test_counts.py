"""A parameter that is declared as the number of releases is one: delta of twice as many is that of two profiles."""

from dataclasses import replace

import pytest

from auditor.checks.counts import CHECKS, check_counts
from auditor.engine.registry import registry
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.checks.claims import context

CLAIMS = registry().claims
COUNTING = [name for name, claim in CLAIMS.items() if claim.counts]


def found(claim):
    """The finding."""
    (finding,) = check_counts(claim, context())
    return finding


@pytest.mark.parametrize("name", [name for name in COUNTING if CLAIMS[name].cost <= 20])
def test_the_number_of_releases_of_ours_is_one(name):
    """At points with a delta between 0 and 1."""
    assert found(CLAIMS[name]).verdict is Verdict.CONSISTENT


def test_every_claim_with_a_number_of_releases_is_checked():
    """Nine of them."""
    (check,) = CHECKS
    assert len(COUNTING) == 9
    assert [name for name, claim in CLAIMS.items() if check.applies(claim, registry())] == COUNTING


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("standard.gaussian.composition", "sigma"),
        ("standard.central_limit", "sigma"),
        ("standard.discrete_laplace.composition", "scale"),
        ("standard.composition.homogeneous", "delta_0"),
    ],
)
def test_another_parameter_is_refuted(name, counts):
    """Twice the noise loses less, and so does twice the failure beside the losses."""
    finding = found(replace(CLAIMS[name], counts=counts))
    assert finding.verdict is Verdict.REFUTED
    assert finding.headline == f"delta at twice the {counts} is below that of the profile composed with itself"


def test_a_formula_that_takes_the_root_of_the_number_is_refuted():
    """The profile of k releases at the noise of their square root: the fourth root of k in mu."""
    claim = CLAIMS["standard.gaussian.composition"]
    formula = claim.kind.formula
    slow = lambda A, *, sigma, k, **at: formula(A, sigma=A.number(sigma) * A.sqrt(A.number(k)), k=A.sqrt(k) * k, **at)
    assert found(replace(claim, kind=replace(claim.kind, formula=slow))).verdict is Verdict.REFUTED


def test_without_a_point_that_can_be_doubled_nothing_is_decided():
    """No named point."""
    claim = CLAIMS["standard.gaussian.composition"]
    bare = replace(claim, points=(), quoted=(), kind=replace(claim.kind, oracle_points=()))
    assert found(bare).verdict is Verdict.UNDECIDED
