"""Integer parts: what an arithmetic holds is not moved to an integer nearby, and doubt is told."""

import math
from fractions import Fraction

import pytest

from proofs_numeric.arithmetic import Ball, Float64, MpReal
from proofs_numeric.arithmetic.enclosure import NotEnclosedError, enclose
from proofs_numeric.arithmetic.integer_part import floor_of, floors
from proofs_numeric.arithmetic.rational import Rational


@pytest.mark.parametrize("power", [1, 8, 9, 10, 12, 15, 40, 300])
@pytest.mark.parametrize("integer", [-3, 0, 1, 12, 10**6])
def test_a_hair_below_an_integer_is_below_it(integer, power):
    """In every arithmetic that holds the difference, the floor is one less."""
    x = integer - Fraction(1, 10**power)
    assert floor_of(Rational(), x) == integer - 1
    with Ball(1200) as A:
        assert floor_of(A, A.number(x)) == integer - 1
        assert floor_of(A, A.number(integer)) == integer
    with MpReal(350) as A:
        assert floor_of(A, A.number(x)) == integer - 1
    assert floor_of(Float64(), Float64().number(x)) == math.floor(float(x))


def test_a_ball_around_an_integer_has_two_integer_parts():
    """And asking for the one raises, until the precision tells."""
    x = 12 - Fraction(1, 10**60)
    with Ball(64) as A:
        assert list(floors(A, A.number(x))) == [11, 12]
        with pytest.raises(NotEnclosedError, match="raise the precision"):
            floor_of(A, A.number(x))
    assert enclose(lambda A, *, x: A.number(floor_of(A, x)), {"x": x}).lower == 11
