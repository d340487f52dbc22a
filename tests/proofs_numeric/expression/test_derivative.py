"""Derivatives by rule, against SymPy's and against difference quotients."""

import pytest
import sympy

from proofs_numeric.arithmetic import MpReal
from proofs_numeric.arithmetic.symbolic import Symbolic
from proofs_numeric.expression import (
    Phi,
    derivative,
    exp,
    expm1,
    floor,
    lift,
    log,
    log1p,
    mills,
    phi,
    power,
    profile,
    sqrt,
    symbols,
)

x, y = symbols("x y")
ELEMENTARY = [
    x * exp(-x * y) / (1 + x),
    log(x) - log1p(x * y) + sqrt(x) * expm1(x),
    power(x, y) + power(y, x),
    (1 - x) ** 3 / x**2,
    -(x**y),
]
FIELD = [x * Phi(x) + phi(x), profile(x, y), profile(y, x), mills(x) / Phi(-x * y)]


@pytest.mark.parametrize("formula", ELEMENTARY, ids=str)
def test_a_derivative_is_that_of_sympy(formula):
    """Their difference is zero."""
    names = dict(zip(("x", "y"), sympy.symbols("x y", positive=True), strict=True))
    by_sympy = sympy.diff(formula(Symbolic(), **names), names["x"])
    assert sympy.simplify(derivative(formula, "x")(Symbolic(), **names) - by_sympy) == 0


@pytest.mark.parametrize("formula", FIELD, ids=str)
def test_a_derivative_of_a_function_of_the_field_is_the_limit_of_quotients(formula):
    """A central difference at 60 digits agrees to its square step."""
    A = MpReal(60)
    step = A.number("1e-20")
    at = {"x": A.number("3/4"), "y": A.number("5/3")}
    rise = formula(A, **{**at, "x": at["x"] + step}) - formula(A, **{**at, "x": at["x"] - step})
    assert abs(rise / (2 * step) - derivative(formula, "x")(A, **at)) < 1e-35


def test_a_constant_has_derivative_zero_and_a_second_derivative_is_taken_in_turn():
    """By simplification of zeros and ones alone."""
    assert derivative(y * y, "x") is lift(0)
    assert derivative(x * x * x, "x", "x", "x") is not lift(0)
    assert derivative(x**2, "x", "x") is lift(2)


def test_what_has_no_rule_is_refused():
    """An integer part, and an exponent with the variable."""
    with pytest.raises(ArithmeticError, match="expected a derivative rule for argument 1 of floor, got none"):
        derivative(floor(x), "x")
    with pytest.raises(ArithmeticError, match="expected an exponent without the variable in y\\^x"):
        derivative(y**x, "x")
