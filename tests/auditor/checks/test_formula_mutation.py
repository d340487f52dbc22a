"""Mutants of formulas: what is changed, how far the change reaches, and that nothing else moves."""

import pytest

from auditor.checks.formula_mutation import SIDES, formula_mutants
from auditor.engine.registry import registry
from proofs_numeric.arithmetic import MpReal
from proofs_numeric.arithmetic.formula import evaluate_in

CLAIMS = registry().claims
GAUSSIAN = CLAIMS["rogers2024.thm7.gaussian.T"]
"""T = Delta_inf + Delta_inf/epsilon z(delta/Delta_0): an expression, a calibration with what it achieves."""
COUNT = CLAIMS["standard.discrete_laplace"]
"""The integers between two centres, summed: a function with one helper."""
INTEGER = CLAIMS["wilkins2024.thm5.4.tau.corrected"]
"""An expression of an algorithm, which calls a helper dispatched by arithmetic, with an oracle."""
AT = GAUSSIAN.domain.parse({"delta_0": 10, "delta_inf": 5, "epsilon": "1/2", "delta": "1e-8"})


def changes(claim):
    """What makes each mutant, by its change in words."""
    return {str(change): mutant for change, mutant in formula_mutants(claim)}


def test_each_change_is_one_node_of_the_source():
    """A lost summand, a lost factor, another sign, another operation, in words that name line and column."""
    made = changes(COUNT)
    for end in (
        "(1 - ratio) * A.sum(between) -> A.sum(between)",
        "near - A.exp(epsilon) * far -> near",
        "A.exp(epsilon) -> epsilon",
        "sensitivity - x -> sensitivity + x",
    ):
        (name,) = [each for each in made if each.endswith(f": {end}")]
        file, line, column = name.partition(": ")[0].split(":")
        assert file.startswith("standard/")
        assert int(line) > 1 <= int(column)
    ones = [
        str(change) for change, _mutant in formula_mutants(COUNT) if change.place.startswith("standard/one_release")
    ]
    assert len(ones) == len(set(ones))  # the line has several of 1


def test_a_forgotten_division_is_the_value_without_it():
    """The mutant's own value, and the claim's which has not moved."""
    before = evaluate_in(MpReal(30), GAUSSIAN.kind.formula, AT)
    (mutant,) = [
        each for name, each in changes(GAUSSIAN).items() if name.endswith(": delta_inf / epsilon -> delta_inf")
    ]
    moved = evaluate_in(MpReal(30), mutant().kind.formula, AT)
    assert abs((before - 5) / 2 - (moved - 5)) < 1e-20  # epsilon = 1/2
    assert evaluate_in(MpReal(30), GAUSSIAN.kind.formula, AT) == before


def test_a_change_in_a_helper_reaches_one_side_only():
    """Oracle, domain and the other claims keep their functions."""
    made = changes(INTEGER)
    rooms = {name.split(":")[0] for name in made}
    assert rooms >= {"expression", "wilkins2024/theorem_5_4/lower_threshold.py"}
    point = INTEGER.domain.parse(INTEGER.kind.oracle_points[2])
    before = evaluate_in(MpReal(15), INTEGER.kind.formula, point)
    values = set()
    for mutant in (make() for make in made.values()):
        assert mutant.kind.oracle is INTEGER.kind.oracle
        assert mutant.domain is INTEGER.domain
        try:
            values.add(float(evaluate_in(MpReal(15), mutant.kind.formula, point)))
        except (ArithmeticError, AttributeError, TypeError, ValueError):
            continue
    assert len(values) > 10  # one of the two terms under the maximum decides
    assert evaluate_in(MpReal(15), INTEGER.kind.formula, point) == before


@pytest.mark.slow
@pytest.mark.parametrize("identifier", ["bharadwaj2022.tight", "lebeda2025.csh.exact", "rogers2024.thm11.union"])
def test_lambdas_closures_and_cached_functions_are_reached(identifier):
    """Formulas made of other things than plain functions have mutants, too."""
    claim = CLAIMS[identifier]
    sides = [getattr(claim.kind, name) for name in SIDES if hasattr(claim.kind, name)]
    made = list(changes(claim).values())
    for mutant in (make() for make in made[:: len(made) // 6]):
        assert [getattr(mutant.kind, name) for name in SIDES if hasattr(mutant.kind, name)] != sides
    assert len(made) > 5


def test_an_expression_changes_one_node_at_a_time():
    """Operations, lost parts and constants, wherever the node occurs; the claim keeps its own formula."""
    rate = CLAIMS["bharadwaj2022.sec31.theta.upper"]
    made = changes(rate)
    assert set(made) == {
        "expression: expm1(-epsilon) -> -epsilon",
        "expression: -epsilon -> epsilon",
        "expression: -expm1(-epsilon) -> expm1(-epsilon)",
        "expression: alpha * -expm1(-epsilon) -> alpha / (-expm1(-epsilon))",
        "expression: alpha * -expm1(-epsilon) -> alpha",
        "expression: alpha * -expm1(-epsilon) -> -expm1(-epsilon)",
        "expression: alpha * epsilon -> alpha / epsilon",
        "expression: alpha * epsilon -> alpha",
        "expression: alpha * epsilon -> epsilon",
    }
    mutant = made["expression: -expm1(-epsilon) -> expm1(-epsilon)"]()
    assert str(mutant.kind.left) == "alpha * expm1(-epsilon)"
    assert mutant.kind.right is rate.kind.right
    assert str(rate.kind.left) == "alpha * -expm1(-epsilon)"


def test_a_change_reaches_expressions_in_functions_and_functions_in_expressions():
    """A rate that the closed form calls, and the scan that a bound is made of."""
    closed, bound = CLAIMS["bharadwaj2022.tight"], CLAIMS["bharadwaj2022.lem7.rate"]
    for claim, place in ((closed, "expression"), (bound, "bharadwaj2022/cells.py:"), (bound, "expression")):
        at = claim.domain.parse(claim.points[0])
        before = evaluate_in(MpReal(15), claim.kind.formula, at)
        moved = [mutant() for name, mutant in changes(claim).items() if name.startswith(place)]
        values = set()
        for mutant in moved:
            try:
                values.add(float(evaluate_in(MpReal(15), mutant.kind.formula, at)))
            except (ArithmeticError, TypeError, ValueError):
                continue
        assert values - {float(before)}
        assert evaluate_in(MpReal(15), claim.kind.formula, at) == before


def test_what_is_enumerated_has_no_formula_to_change():
    """Its predicate is the statement itself."""
    assert not changes(CLAIMS["rogers2024.thm8.lem5.2"])
