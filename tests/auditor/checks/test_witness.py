"""Search for a counterexample: where its points lie."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import find

from auditor.checks.witness import draw_value, find_worst, search, short_points, values_of
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.statement import Statement

PARAMETERS = (
    Parameter("x", "", "", 0, "infinity", open_lower=True, log=True),
    Parameter("x", "", "", 0, 1, open_lower=True, open_upper=True),
    Parameter("x", "", "", "-infinity", "infinity"),
    Parameter("x", "", "", Fraction(1, 3), Fraction(1, 2)),
    Parameter("x", "", "", Fraction(1, 3), Fraction(1, 3)),
    Parameter("x", "", "", 1, 2, integer=True, open_upper=True),
    Parameter("x", "", "", -5, 10**6, integer=True),
)


@pytest.mark.slow
@pytest.mark.parametrize("parameter", PARAMETERS, ids=str)
def test_drawn_values_lie_in_the_domain(parameter):
    """Integers as integers, reals as fractions; so do those that shrinking draws."""
    rng = Random(1)  # noqa: S311
    values = [draw_value(parameter, rng) for _ in range(300)]
    assert all(parameter.contains(value) for value in values)
    assert {type(value) for value in values} == {int if parameter.integer else Fraction}
    for strategy in (short_points((parameter,)).map(lambda point: point["x"]), values_of(parameter)):
        assert parameter.contains(find(strategy, lambda _value: True))


def test_drawn_values_are_of_every_scale():
    """From far below one to far above it."""
    rng = Random(1)  # noqa: S311
    values = [draw_value(PARAMETERS[0], rng) for _ in range(300)]
    for low, high in ((0, "1e-9"), ("1e-9", "1e-3"), ("1e-3", 1), (1, 1000), (1000, 10**9), (10**9, 10**15)):
        assert any(Fraction(low) < value <= Fraction(high) for value in values)


@pytest.mark.parametrize("seed", range(5))
def test_a_violation_between_the_points_of_a_grid_is_drawn_and_shrunk(seed):
    """The product x (1 - x) <= 2/9 fails on the middle third alone, whose least short decimal is 2/5."""
    box = Box((PARAMETERS[1],))
    statement = Statement(lambda _A, x: x * (1 - x), lambda A, x: A.number(Fraction(2, 9)), "<=", box)
    assert search(statement, [], 0, seed).witness is None
    assert search(statement, [], 30, seed).witness.parameters == {"x": Fraction(2, 5)}


def test_sides_that_agree_to_30_digits_are_asked_for_more_bits_where_nothing_else_tests():
    """A gap of 2^-150 is told apart, though both sides are known to 100 bits at first."""
    box = Box((PARAMETERS[1],))
    statement = Statement(lambda A, x: A.exp(x), lambda A, x: A.exp(x) * (1 + A.number(2) ** -150), "<=", box)
    assert search(statement, [], 30, seed=1).tested == 30


def test_sides_that_are_equal_are_asked_for_few_bits_where_enough_else_tests():
    """On half of the box both sides are one number, of which 128 bits do."""
    requests = set()

    def right(A, x):
        requests.add(A.bits)
        return A.exp(x) + A.maximum(0, x - A.number(Fraction(1, 2)))

    witness = search(Statement(lambda A, x: A.exp(x), right, "<=", Box((PARAMETERS[1],))), [], 30, seed=1)
    assert witness.tested == 30
    assert witness.compared > witness.tested
    assert max(requests) == 128


def test_the_worst_witness_has_the_largest_certified_factor():
    """Of x^2 <= x the factor is x. Points with a tiny right side, and equalities, are left out."""
    box = Box((Parameter("x", "", "", 0, "infinity", open_lower=True, log=True),))
    square = Statement(lambda _A, x: x * x, lambda _A, x: x + 0, "<=", box)
    points = [{"x": Fraction(value)} for value in (2, 9, 3, "1/2")]
    worst = find_worst(square, points)
    assert worst is not None
    assert worst.parameters == {"x": Fraction(9)}
    assert find_worst(square, points[3:]) is None
    tiny = Statement(lambda _A, x: x + 0, lambda A, x: x * A.number(Fraction(1, 10**16)), "<=", box)
    assert find_worst(tiny, points) is None
    assert find_worst(Statement(square.left, square.right, "=", box), points) is None
    named = Box((replace(box.parameters[0], name="epsilon"),))
    growing = Statement(lambda _A, epsilon: epsilon * epsilon, lambda _A, epsilon: epsilon + 0, "<=", named)
    worst = find_worst(growing, [{"epsilon": Fraction(value)} for value in (2, 19, 700)])
    assert worst is not None
    assert worst.parameters == {"epsilon": Fraction(19)}
