"""Branches of an accountant's own source: recorded, named, and decisive only where the box can reach them."""

import math

import pytest

from auditor.accountant_audit.audit import audit_accountant
from auditor.accountant_audit.untaken import constants, untaken
from auditor.engine.registry import registry
from auditor.errors import ExitCode
from auditor.front.accountants import accountant_request
from auditor.search.parameter_points import search_box
from auditor.target.call_branches import CallBranches
from tests.auditor.accountant_audit.corpus import gaussian

CLAIM, BOX = "wilkins2024.thm2.2", {"epsilon": ("0", "10"), "mu": ("0.05", "5")}


def special_value(epsilon, mu):
    """Wrong at one value that no grid has."""
    if epsilon == 2.375:
        return 0.9 * gaussian(epsilon, mu)
    return gaussian(epsilon, mu)


def out_of_reach(epsilon, mu):
    """Wrong where no call comes."""
    if epsilon / mu**3 > 1e5 and epsilon < 1e-3:
        return 0.9 * gaussian(epsilon, mu)
    return gaussian(epsilon, mu)


def guarded(epsilon, mu):
    """Right, with branches that the box cannot take."""
    if epsilon < 0 or mu <= 0:
        raise ValueError("expected epsilon >= 0 and mu > 0")
    if mu == 0:
        return 0.0
    if mu > 1000:
        return 1.0
    return min(1.0, gaussian(epsilon, mu)) if epsilon >= 0 else 1.0


def several(x):
    """Conditions of three kinds."""
    while x > 4:
        x = x / 2
    return math.sqrt(x) if x > 1 else x


def audit(target):
    """Audit a live accountant."""
    return audit_accountant(accountant_request(target, CLAIM, box=BOX, max_examples=60))


@pytest.mark.slow
def test_a_value_that_a_condition_names_is_asked():
    """The number in the source is a point of the search."""
    result = audit(special_value)
    assert result.exit_code == ExitCode.FINDINGS
    assert result.unsafe.parameters["epsilon"] == "2.375"


@pytest.mark.slow
def test_a_branch_on_parameters_that_no_call_took_is_undecided():
    """The line, its condition and what did not run are named, with the remedy."""
    result = audit(out_of_reach)
    assert result.exit_code == ExitCode.UNDECIDED, result.detail
    line = out_of_reach.__code__.co_firstlineno + 2
    assert f"line {line}, `epsilon / mu ** 3 > 100000.0 and epsilon < 0.001`, was never true" in result.detail
    assert f"lines {line + 1} to {line + 1} did not run" in result.detail


@pytest.mark.slow
def test_branches_outside_the_box_and_refusals_decide_nothing():
    """They are named all the same."""
    result = audit(guarded)
    assert result.exit_code == ExitCode.OK, result.detail
    assert "`mu == 0`, was never true" in result.detail
    assert not any(one.decides for one in result.untaken)
    assert len(result.untaken) == 4


def test_the_rewriting_changes_no_result():
    """Values, and which ways each condition went, each told once."""
    before = [several(x) for x in (0.5, 3.0, 100.0)]
    code = several.__code__
    try:
        branches = CallBranches(several)
        assert several.__code__ != code
        assert [several(x) for x in (0.5, 3.0)] == before[:2]
        places = {site["text"]: place for place, site in enumerate(branches.sites)}
        loop, choice = places["x > 4"], places["x > 1"]
        assert sorted(branches.take_new()) == sorted([(loop, False), (choice, False), (choice, True)])
        assert several(100.0) == before[2]
        assert branches.take_new() == [(loop, True)]
    finally:
        several.__code__ = code


def test_what_has_no_source_has_no_branches():
    """A function of C, a partial, a number."""
    assert CallBranches(math.sqrt).sites == []
    assert CallBranches(5).sites == []


def test_numbers_of_conditions_are_points():
    """Either side of the comparison, with the doubles beside it; of parameters of the box only."""
    branches = CallBranches(len)
    branches.sites = [{"comparisons": [("epsilon", "==", 2.5), ("unknown", "<", 3.0)]}]
    box = search_box(registry().claim(CLAIM).domain)
    assert constants(branches.sites, box) == {"epsilon": [2.5, math.nextafter(2.5, 0), math.nextafter(2.5, 3)]}
    assert untaken([], set(), box) == []
