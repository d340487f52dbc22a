"""Branches of an accountant's own source: recorded, named, and decisive only where the box can reach them."""

import ast
import importlib
import math

import pytest

from auditor.accountant_audit.audit import audit_accountant
from auditor.accountant_audit.untaken import constants, untaken
from auditor.engine.registry import registry
from auditor.errors import ExitCode
from auditor.front.accountants import accountant_request
from auditor.search.parameter_points import search_box
from auditor.target.call_branches import CallBranches, comparisons_of, lookups_of, solutions_of
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


def by_case(epsilon, mu):
    """Wrong in one case."""
    match (epsilon, mu):
        case (2.375, 1.625):
            return 0.9 * gaussian(epsilon, mu)
    return gaussian(epsilon, mu)


def by_table(epsilon, mu):
    """Wrong at one entry of a table."""
    return TENTHS.get((epsilon, mu), 1.0) * gaussian(epsilon, mu) if mu > 0 else 0.0


def by_three(epsilon, sigma, k):
    """Wrong at one triple."""
    if sigma == 3.75 and epsilon == 0.55 and k == 23:
        return 0.9 * gaussian(epsilon, math.sqrt(k) / sigma)
    return gaussian(epsilon, math.sqrt(k) / sigma)


def by_distance(epsilon, mu):
    """Wrong near one point."""
    if abs(epsilon - 2.375) < 1e-6 and math.isclose(mu, 1.625):
        return 0.9 * gaussian(epsilon, mu)
    return gaussian(epsilon, mu)


def by_square(epsilon, mu):
    """Wrong where expressions of both parameters have certain values."""
    if mu * mu == 2.640625 and math.sqrt(2 * epsilon + 0.25) >= 2.2360679 and 1 / epsilon == 1 / 2.375:
        return 0.9 * gaussian(epsilon, mu)
    return gaussian(epsilon, mu)


HANDLED = """
import math


def handled(x):
    match x:
        case 0:
            return 0.0
        case 1 if x < 5:
            x = 2
    try:
        return 1 / (x - 3)
    except ZeroDivisionError:
        return math.inf
"""


def several(x):
    """Conditions of three kinds."""
    while x > 4:
        x = x / 2
    return math.sqrt(x) if x > 1 else x


TENTHS = {**{(n / 7, n / 11): 1.0 for n in range(40)}, (2.375, 1.625): 0.9}


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
@pytest.mark.parametrize("target", [by_case, by_table, by_distance, by_square])
def test_numbers_of_cases_tables_and_distances_are_asked(target):
    """The pair in the source is a point of the search."""
    result = audit(target)
    assert result.exit_code == ExitCode.FINDINGS, result.detail
    assert result.unsafe.parameters == {"epsilon": "2.375", "mu": "1.625"}


@pytest.mark.slow
def test_all_comparisons_of_a_condition_are_met_at_one_point():
    """No pair of values contains the triple."""
    result = audit_accountant(
        accountant_request(by_three, "standard.gaussian.composition", box={"sigma": ("1", "10")}, max_examples=60)
    )
    assert result.exit_code == ExitCode.FINDINGS, result.detail


def test_modules_in_the_folder_of_the_target_are_its_own_source(tmp_path, monkeypatch):
    """A helper that the target imports, as a module or by name; no module of another folder."""
    (tmp_path / "curve_helper.py").write_text("def half(x):\n    return 0.0 if x == 13.25 else x / 2\n")
    (tmp_path / "curve_target.py").write_text(
        "import json\nimport curve_helper\n\ndef target(x):\n    return curve_helper.half(x)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    target = importlib.import_module("curve_target").target
    branches = CallBranches(target)
    assert branches.numbers == [13.25]
    assert [(site["file"], site["line"], site["decides"]) for site in branches.sites] == [("curve_helper.py", 2, False)]
    assert target(3.0) == 1.5
    assert branches.take_new() == [(0, False)]
    box = search_box(registry().claim(CLAIM).domain)
    (open_branch,) = untaken(branches.sites, {(0, False)}, box)
    assert open_branch.text == "line 2 of curve_helper.py, `x == 13.25`, was never true"


def test_cases_and_handlers_record_whether_they_ran(tmp_path, monkeypatch):
    """A case, a case with a guard, and a handler. The results stay those of the source."""
    (tmp_path / "handled_target.py").write_text(HANDLED)
    monkeypatch.syspath_prepend(tmp_path)
    handled = importlib.import_module("handled_target").handled
    branches = CallBranches(handled)
    places = {site["text"]: place for place, site in enumerate(branches.sites)}
    zero, one, handler = places["case 0"], places["case 1"], places["except ZeroDivisionError"]
    assert handled(5) == 0.5
    assert {*branches.take_new()} == {(zero, False), (one, False), (handler, False)}
    assert (handled(0), handled(1), handled(3)) == (0.0, -1.0, math.inf)
    assert {*branches.take_new()} == {(zero, True), (one, True), (handler, True)}
    (left,) = untaken(branches.sites, {(handler, False)}, search_box(registry().claim(CLAIM).domain))
    assert (left.text, left.decides) == ("line 13, `except ZeroDivisionError`: lines 14 to 14 did not run", False)


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


@pytest.mark.parametrize(
    ("source", "keys"),
    [
        ("TABLE[x, y]", [[("x", 1.5), ("y", 2.0)]]),
        ("TABLE.get((x, y), 0)", [[("x", 1.5), ("y", 2.0)]]),
        ("x in {3, 4.5}", [[("x", 3.0)], [("x", 4.5)]]),
        ("(x, y) not in [(1, 2), (3, z)]", [[("x", 1.0), ("y", 2.0)]]),
        ("{0.5: 1}[x]", [[("x", 0.5)]]),
        ("TABLE[x]", []),
        ("UNKNOWN[x]", []),
        ("TABLE[x + 1, y]", []),
    ],
)
def test_keys_of_a_table_are_asked_by_the_names_that_look_it_up(source, keys):
    """Literal tables and those of the module, however they were filled."""
    assert list(lookups_of(ast.parse(source), {"TABLE": {(1.5, 2): 0, ("a", "b"): 1}})) == keys


@pytest.mark.parametrize(
    ("condition", "comparisons"),
    [
        ("x < 2 ** 40", [("x", "<", 2.0**40)]),
        ("1 / 3 >= x", [("x", "<=", 1 / 3)]),
        ("-math.sqrt(2) < x", [("x", ">", -math.sqrt(2))]),
        ("x < 2 ** y", []),
        ("x < unknown(2)", []),
    ],
)
def test_arithmetic_on_literals_is_a_constant(condition, comparisons):
    """A limit is written as it is thought of."""
    assert comparisons_of(ast.parse(condition, mode="eval").body) == comparisons


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
    branches.sites = [{"comparisons": [("epsilon", "==", 2.5), ("unknown", "<", 3.0)], "solutions": []}]
    box = search_box(registry().claim(CLAIM).domain)
    result = constants(branches.sites, [1.75, -5.0], box)
    assert result["epsilon"] == [2.5, 1.75, -5.0, math.nextafter(2.5, 0), math.nextafter(2.5, 3)]
    assert result["mu"] == [1.75]
    assert untaken([], set(), box) == []


@pytest.mark.parametrize(
    ("condition", "solutions"),
    [
        ("mu * mu == 3.0625", [("mu", -1.75), ("mu", 1.75)]),
        ("1 / epsilon > 1 / 2.375", [("epsilon", 0.0), ("epsilon", 2.375)]),
        ("x == 1 / 3", []),
        ("1000 < sigma / 2 < 1e4", [("sigma", 2000.0), ("sigma", 20000.0)]),
        ("round(mu, 2) == 1.25", [("mu", 1.25)]),
        ("x == 2", []),
        ("unknown(x) == 2", []),
        ("a + b == 2", []),
        ("abs(x) == -1", []),
    ],
)
def test_expressions_of_one_parameter_are_solved(condition, solutions):
    """A comparison with a constant gives the values of the parameter; calls of the target's functions are not made."""
    assert solutions_of(ast.parse(condition, mode="eval").body) == solutions
