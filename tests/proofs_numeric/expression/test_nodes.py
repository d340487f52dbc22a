"""Expressions: one object each, substituted into, and with the same value in every arithmetic."""

from fractions import Fraction

import numpy as np
import pytest
import sympy

from proofs_numeric.arithmetic import Ball, Float64, MpReal, Rational
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.arithmetic.special import gaussian_profile, normal_cdf, normal_pdf
from proofs_numeric.arithmetic.symbolic import Symbolic
from proofs_numeric.expression import (
    Phi,
    algorithm,
    at_most,
    eq,
    exp,
    factors,
    floor,
    lift,
    maximum,
    phi,
    product_of,
    profile,
    sum_of,
    symbols,
)
from proofs_numeric.statements.kinds import Identity, Inequality, Relation
from proofs_numeric.statements.tactics import Boxes, Product

x, k, n, mu = symbols("x k n mu")
RHO = x + phi(x) / Phi(x)


def test_equal_expressions_are_one_object():
    """Also when one is made by substitution; an integer and the fraction that equals it are one number."""
    assert x + phi(x) / Phi(x) is RHO
    assert RHO(x=k)(k=x) is RHO
    assert lift("3/1") is lift(3)
    assert x - 1 is not x + 1


def test_a_substitution_reaches_every_place_and_leaves_the_expression():
    """By other expressions, by numbers, and of several symbols at once."""
    swapped = (x - k)(x=k, k=x)
    assert swapped is k - x
    assert RHO(x="1/2") is lift("1/2") + phi("1/2") / Phi("1/2")
    assert RHO.symbols == {"x"}


@pytest.mark.parametrize("at", [Fraction(-7, 3), Fraction(1, 8), Fraction(5)])
def test_a_ball_is_that_of_the_same_operations_by_hand(at):
    """To the bit: the same operations in the same order."""
    with Ball(128) as A:
        y = A.number(at)
        by_hand = y + normal_pdf(A, y) / normal_cdf(A, y)
        assert str(RHO(A, x=y)) == str(by_hand)
        assert str(profile(x, mu)(A, x=y, mu=2)) == str(gaussian_profile(A, y, A.number(2)))


def test_integers_stay_integers_and_their_quotients_are_exact():
    """No float appears in an exact arithmetic, and counts are integers."""
    assert (k / n)(Rational(), k=1, n=3) == Fraction(1, 3)
    assert (k**-2)(Rational(), k=3) == Fraction(1, 9)
    assert ((k - 1) * n)(Ball(64), k=3, n=2) == 4
    assert isinstance(((k - 1) * n)(Ball(64), k=3, n=2), int)
    assert floor(n / k)(MpReal(30), n=7, k=2) == 3
    assert (k / n)(Ball(64), k=1, n=3).contains(Ball(64).number("1/3"))
    assert (k**2 / n)(Rational(), k=2, n=3) == Fraction(4, 3)
    assert (k**2 / n)(Ball(128), k=2, n=3).contains(Ball(128).number("4/3"))


def test_integers_have_ends():
    """A constant and a symbol may stand for a count, so both stay integers; an enclosure makes them numbers."""
    assert isinstance(lift(3)(Ball(64)), int)
    assert enclose(lift(3), {}).lower == enclose(k, {"k": 3}).upper == 3


def test_doubles_are_vectorised():
    """An array in, an array out."""
    grid = np.linspace(-2, 2, 5)
    expected = grid + np.exp(-grid * grid / 2) / np.sqrt(2 * np.pi) / normal_cdf(Float64(), grid)
    np.testing.assert_allclose(RHO(Float64(), x=grid), expected, rtol=1e-13)
    assert maximum(0, x, 1)(Float64(), x=-3.0) == 1


def test_sympy_gets_the_same_expression():
    """The symbolic arithmetic is the conversion to SymPy."""
    t = sympy.Symbol("t", positive=True)
    assert sympy.simplify((exp(x) * (x - 1) / x)(Symbolic(), x=t) - sympy.exp(t) * (1 - 1 / t)) == 0


def test_comparisons_are_statements():
    """In the direction in which they are read, with a number on either side."""
    assert (x <= 1) == Inequality(x, lift(1))
    positive, at_least = x > 0, x >= k + 1
    assert (positive.left, positive.right, positive.relation) == (lift(0), x, Relation.LESS)
    assert (at_least.left, at_least.right) == (k + 1, x)
    assert eq(x, 1) == Identity(x, lift(1))
    assert at_most(x, 2)(x=2)
    assert not at_most(x, 2, strict=True)(x=2)


def test_parts_of_a_proof_are_expressions():
    """Alone, with a proof, or as a product that has a proof for each factor."""
    both = factors(x, (k, Boxes()))
    assert both.formula is x * k
    assert isinstance(both.proof, Product)
    assert [part.formula for part in product_of(2, x).parts] == [lift(2), x]
    assert sum_of(both).parts == (both,)
    assert sum_of((k, Boxes())).parts[0].proof == Boxes()


def test_an_algorithm_is_a_function_of_its_parameters():
    """By keyword, with symbols where nothing is given, and refused arguments that it does not have."""

    def steps(A, *, n, x):
        """The sum of n terms x."""
        return A.sum(x for _ in range(n))

    named = algorithm(steps)
    assert named() is named(n, x)
    assert named(x=k + 1)(Rational(), n=3, k=1) == 6
    with pytest.raises(TypeError, match=r"expected arguments of steps among \['n', 'x'\], got \['m'\]"):
        named(m=1)


def test_what_is_missing_or_unknown_is_named():
    """A value for each symbol, and no substitution for a symbol that does not occur."""
    with pytest.raises(TypeError, match=r"expected values of \['k', 'x'\], got none of \['k'\]"):
        (x + k)(Rational(), x=1)
    with pytest.raises(TypeError, match=r"expected symbols among \['x'\] to substitute, got \['y'\]"):
        RHO(y=1)
    with pytest.raises(TypeError, match="expected an exact number"):
        x + 0.1
