"""Balls that hold their rational number: operations on rationals are exact, all others those of Arb."""

import operator
from fractions import Fraction

import flint
import pytest

from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.enclosure import NotEnclosedError, enclose
from proofs_numeric.arithmetic.exact_balls import ExactBalls

THIRD, SEVENTH = Fraction(1, 3), Fraction(1, 7)
OPERATIONS = operator.add, operator.sub, operator.mul, operator.truediv


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize(("x", "y"), [(THIRD, SEVENTH), (SEVENTH, THIRD), (THIRD, THIRD), (Fraction(3), THIRD)])
def test_operations_on_rationals_are_exact(operation, x, y):
    """With a rational, an integer or a ball without a radius on either side: the difference to the result is 0."""
    with ExactBalls(64) as A:
        expected = A.number(operation(x, y))
        assert (operation(A.number(x), A.number(y)) - expected).is_zero()
        if x == 3:
            for whole in (3, flint.arb(3)):
                assert (operation(whole, A.number(y)) - expected).is_zero()
                assert (operation(A.number(y), whole) - A.number(operation(y, x))).is_zero()


def test_maxima_and_signs_are_exact():
    """Of ordinary balls the maximum of a tie is not 0."""
    with ExactBalls(64) as A:
        third = A.number(THIRD)
        assert (A.maximum(0, third, A.number(SEVENTH)) - third).is_zero()
        assert (A.minimum(third, 1) - third).is_zero()
        assert (-third + third).is_zero()
        assert A.maximum(0, 3 * third - 1).is_zero()
        assert A.maximum(0, A.exp(third) - 1).overlaps(A.expm1(third))
    with Ball(64) as A:
        assert not A.maximum(0, 3 * A.number(THIRD) - 1).is_zero()


def test_a_division_by_zero_and_a_number_of_many_bits_are_ordinary():
    """Neither raises, and both hold what they should."""
    with ExactBalls(64) as A:
        third = A.number(THIRD)
        assert not (third / A.number(Fraction(0))).is_finite()
        assert not (1 / A.number(Fraction(0))).is_finite()
        power = third
        for _step in range(400):
            power = power * third
        assert power.contains(flint.fmpq(1, 3**401))
        assert not (power - A.number(Fraction(1, 3**401))).is_zero()


def test_what_a_tie_leaves_over_is_enclosed():
    """The larger of a difference that is 0 and of a tiny number is the tiny number."""

    def larger(A, *, x):
        return A.maximum(A.exp(A.number(-100_000)), 3 * A.number(x) - 1)

    with pytest.raises(NotEnclosedError):
        enclose(larger, {"x": THIRD}, 10)
    assert enclose(larger, {"x": THIRD}, 10, exactly=True).decimal(10)[0] == "3.562949565e-43430"
