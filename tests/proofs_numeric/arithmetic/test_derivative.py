"""A SymPy expression, evaluated in another arithmetic."""

from fractions import Fraction

import pytest
import sympy

from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.derivative import evaluate_expression
from proofs_numeric.arithmetic.rational import Rational

X, Y = sympy.symbols("x y", positive=True)


class Counting(Rational):
    """Exact rationals that count the maxima they are asked for."""

    asked = 0

    def maximum(self, *xs):
        Counting.asked += 1
        return super().maximum(*xs)


def test_what_an_expression_holds_twice_is_evaluated_once():
    """And each other node where it stands."""
    shared = sympy.Max(X, Y)
    built = (shared + 1) / (shared - 1) + shared**3 - sympy.Max(X, 2 * Y) * sympy.Rational(1, 7)
    x, y = Fraction(3), Fraction(5, 2)
    Counting.asked = 0
    assert evaluate_expression(Counting(), built, {X: x, Y: y}) == Fraction(4, 2) + 27 - Fraction(5, 7)
    assert Counting.asked == 2


def test_powers_are_roots_whole_powers_or_exponentials():
    """In balls: each holds the number."""
    built = X ** sympy.Rational(-3, 2) * X**5 * X ** sympy.Rational(1, 3) * sympy.pi
    with Ball(128) as ball:
        found = evaluate_expression(ball, X ** sympy.Rational(7, 2), {X: ball.number(4)})
        other = evaluate_expression(ball, built, {X: ball.number(64)})
        assert found.contains(128)
        assert other.overlaps(ball.pi * 64**3 * 8 * 4)


@pytest.mark.parametrize("built", [X + Y, sympy.gamma(X), sympy.Function("f")(X)])
def test_a_symbol_without_a_value_or_another_function_is_refused(built):
    """No number is made up."""
    with pytest.raises(TypeError, match="expected"):
        evaluate_expression(Rational(), built, {X: Fraction(1)})
