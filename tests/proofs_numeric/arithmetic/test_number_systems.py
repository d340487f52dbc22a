"""The number systems: exact inputs, agreement, and precision that never leaks."""

from fractions import Fraction

import flint
import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_numeric.arithmetic import Ball, ComplexBall, Float64, MpReal, exact
from proofs_numeric.arithmetic.enclosure import bounds
from proofs_numeric.arithmetic.interval import Interval
from proofs_numeric.arithmetic.special import discrete_gaussian_normaliser
from proofs_numeric.arithmetic.symbolic import Symbolic

ARITHMETICS = (Float64(), MpReal(30), Ball(128), Symbolic())


@pytest.mark.parametrize(
    ("given_value", "value"),
    [(3, 3), ("3", 3), ("1e-8", Fraction(1, 10**8)), ("0.349", Fraction(349, 1000)), ("1/6", Fraction(1, 6))],
)
def test_exact_reads_integers_decimals_and_fractions(given_value, value):
    """Nothing is lost between the page and the proof."""
    assert exact(given_value) == value


def test_exact_keeps_integers_as_int():
    """A fraction with denominator one is an integer again."""
    assert isinstance(exact("4/2"), int)


@pytest.mark.parametrize("value", [0.1, np.float64(0.5), True, None, 1j])
def test_exact_refuses_floats_and_other_types(value):
    """A float's text and its binary value are different numbers."""
    with pytest.raises(TypeError, match="expected an exact number"):
        exact(value)


@pytest.mark.parametrize("text", ["", "one", "1/0", "nan", "inf"])
def test_exact_refuses_text_that_is_no_number(text):
    """Words, NaN and infinities are not exact numbers."""
    with pytest.raises(ValueError, match="expected an exact number"):
        exact(text)


def test_a_ball_of_a_decimal_encloses_it():
    """One third and 0.1 have no binary form: the ball holds them in its interior."""
    for value in (Fraction(1, 3), Fraction(1, 10)):
        with Ball(64) as A:
            lower, upper = bounds(A.number(value))
        assert lower < value < upper


def test_ball_precision_is_scoped():
    """The global precision is what it was, after nesting and after an exception."""
    before = flint.ctx.prec
    with Ball(512):
        with Ball(96):
            assert flint.ctx.prec == 96
        assert flint.ctx.prec == 512
    assert flint.ctx.prec == before
    with pytest.raises(ZeroDivisionError), Ball(777):
        raise ZeroDivisionError
    assert flint.ctx.prec == before


def test_mpmath_precision_is_private():
    """The shared mpmath context is not touched, and two precisions live side by side."""
    before = mpmath.mp.prec
    coarse, fine = MpReal(15), MpReal(80)
    with fine as A:
        third = A.number(Fraction(1, 3))
    with coarse as A:
        A.exp(A.number(1))
    assert mpmath.mp.prec == before
    assert abs(third * 3 - 1) < mpmath.mpf(10) ** -79


def test_infinity_is_the_same_word_everywhere():
    """Every arithmetic reads "infinity"."""
    assert np.isinf(Float64().infinity)
    assert MpReal().infinity == mpmath.inf
    assert Ball().infinity == flint.arb.pos_inf()
    assert Symbolic().infinity == sympy.oo


@pytest.mark.slow
@given(
    x=st.fractions(Fraction(-5), Fraction(5), max_denominator=997),
    y=st.fractions(Fraction(1, 50), Fraction(9), max_denominator=997),
)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_every_operation_agrees_across_arithmetics(x, y):
    """Mpmath and float64 lie in (float64: next to) the ball, for every operation a formula may use."""
    operations = {
        "exp": lambda A: A.exp(A.number(x)),
        "expm1": lambda A: A.expm1(A.number(x)),
        "log": lambda A: A.log(A.number(y)),
        "log1p": lambda A: A.log1p(A.number(y)),
        "sqrt": lambda A: A.sqrt(A.number(y)),
        "power": lambda A: A.power(A.number(y), A.number(x)),
        "maximum": lambda A: A.maximum(A.number(x), A.number(y), 0),
        "minimum": lambda A: A.minimum(A.number(x), A.number(y), 1),
        "sum": lambda A: A.sum([A.number(x), A.number(y), A.pi]),
        "integers": lambda A: (2 * A.number(x) - 3) / 7 + A.number(y) ** 2,
    }
    for name, operation in operations.items():
        with Ball(200) as A:
            lower, upper = bounds(operation(A))
        with MpReal(30) as A:
            value = Fraction(str(operation(A)))
        scale = max(abs(lower), abs(upper), Fraction(1, 10**20))
        assert lower - scale / 10**29 <= value <= upper + scale / 10**29, name
        with Float64() as A:
            error = abs(Fraction(float(operation(A))) - lower)
        assert error <= Fraction(1, 10**14) * (1 + scale), name


def test_an_empty_sum_is_zero():
    """Formulas may sum over no rows."""
    assert [float(A.sum([])) for A in ARITHMETICS] == [0.0] * 4


def test_interval_contains_its_ends_and_what_lies_between():
    """A range handed to branch and bound is enclosed whole."""
    with Ball(53) as A:
        lower, upper = bounds(A.interval(Fraction(1, 3), Fraction(2, 3)))
    assert lower <= Fraction(1, 3)
    assert upper >= Fraction(2, 3)


def test_complex_balls_turn_indeterminate_on_a_branch_cut():
    """An integrator must not trust a logarithm across its cut."""
    z = flint.acb(flint.arb(-1), flint.arb(0, 1))
    assert not ComplexBall(64, analytic=True).log(z).is_finite()
    assert ComplexBall(64).log(z).is_finite()


def test_symbolic_values_keep_exact_rationals():
    """SymPy sees rationals, never floats."""
    A = Symbolic()
    assert A.number("0.1") == sympy.Rational(1, 10)
    assert A.expm1(A.number(0)) == 0
    assert A.log1p(A.number(0)) == 0


def test_what_is_left_out_is_added_wherever_values_enclose():
    """`between` holds both ends in an arithmetic that encloses; elsewhere it is its first argument."""
    ball, interval = Ball(96), Interval(96)
    with ball:
        enclosure = ball.between(1, 2)
        assert enclosure.contains(1)
        assert enclosure.contains(2)
    assert interval.between(2, 1).a <= 1
    assert interval.between(2, 1).b >= 2
    assert ball.encloses
    assert interval.encloses
    for A in (Float64(), MpReal(30), Symbolic()):
        assert A.between(1, 2) == 1
        assert not A.encloses


def test_a_series_cut_short_is_enclosed_by_intervals_too():
    """Three terms of a discrete Gaussian normaliser: the enclosure holds the whole sum."""
    A = Interval(96)
    value = discrete_gaussian_normaliser(A, A.number(2), 3)
    whole = discrete_gaussian_normaliser(A, A.number(2), 60)
    assert value.a <= whole.a
    assert value.b >= whole.b
    assert value.b - value.a > 1e-3
