"""Terms of Coq say what the formula says, and nothing where it cannot be said."""

import math
import re
from fractions import Fraction

import pytest

from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.coq import Coq, Order, Term, text
from proofs_numeric.arithmetic.special import normal_cdf

A = Coq()
FUNCTIONS = {"exp": math.exp, "ln": math.log, "sqrt": math.sqrt, "PI": math.pi, "Rabs": abs, "Rmax": max, "Rmin": min}


def read(term, **values):
    """The number that a term says, read by Python: juxtaposition is application, and ``/ x`` is the inverse of x."""
    said = re.sub(r"\(/ ", "(1 / ", term).replace("^", "**")
    said = re.sub(r"\((Rmax|Rmin) ", r"(\1, ", said)
    tokens = re.findall(r"\*\*|[()+\-*/,]|[A-Za-z_]\w*|\d+", said)
    value, rest = _value(["(", *tokens, ")"], values)
    assert not rest
    return value


def _value(tokens, values):  # the first value of the tokens, and the tokens after it
    head, rest = tokens[0], tokens[1:]
    if head != "(":
        return (values.get(head, FUNCTIONS.get(head)) if head[0].isalpha() else int(head)), rest
    if rest[0] in FUNCTIONS and rest[1] not in ")+-*/":
        function, arguments, rest = FUNCTIONS[rest[0]], [], rest[1:]
        while rest[0] != ")":
            if rest[0] == ",":
                rest = rest[1:]
                continue
            argument, rest = _value(rest, values)
            arguments.append(argument)
        return function(*arguments), rest[1:]
    if rest[0] == "-":
        inner, rest = _value(rest[1:], values)
        return -inner, rest[1:]
    left, rest = _value(rest, values)
    while rest[0] != ")":
        operator, (right, rest) = rest[0], _value(rest[1:], values)
        left = {
            "+": lambda x, y: x + y,
            "-": lambda x, y: x - y,
            "*": lambda x, y: x * y,
            "/": lambda x, y: x / y,
            "**": lambda x, y: x**y,
        }[operator](left, right)
    return left, rest[1:]


@pytest.mark.parametrize(
    "formula",
    [
        lambda A, x, y: x - y - 2 * x,
        lambda A, x, y: x - (y - 2) * x,
        lambda A, x, y: x / y / 3,
        lambda A, x, y: x / (y / 3),
        lambda A, x, y: -(x**2) + (-x) ** 2 + 1,
        lambda A, x, y: 1 / x - 2 / y**2 + x**-3 - y**-1,
        lambda A, x, y: A.exp(-x) * A.log(y + 1) - A.sqrt(x * y),
        lambda A, x, y: A.expm1(-x) / A.log1p(y),
        lambda A, x, y: A.power(x, y) - A.pi,
        lambda A, x, y: A.maximum(x, y, 2 - x) - A.minimum(x, y, Fraction(1, 7)),
        lambda A, x, y: abs(x - 2 * y) + A.number("1e-3") - A.number(Fraction(-2, 3)),
    ],
)
def test_a_term_read_by_another_reader_is_the_formula(formula):
    """Brackets, signs and powers are where they belong."""
    for x, y in ((0.3, 1.7), (2.25, 0.6)):
        term = A.number(formula(A, x=Term("v_x"), y=Term("v_y"))).text
        assert read(term, v_x=x, v_y=y) == pytest.approx(float(formula(Float64(), x=x, y=y)), rel=1e-12)


def test_a_value_that_is_not_exact_is_no_term():
    """Nor is infinity."""
    for value in (0.5, "infinity", None, math.nan):
        with pytest.raises((TypeError, ValueError), match="expected an exact number"):
            text(value)


def test_a_special_function_and_a_real_power_are_no_terms():
    """They raise: a goal that holds one is not written."""
    with pytest.raises((NotImplementedError, TypeError)):
        normal_cdf(A, Term("v_x"))
    with pytest.raises(TypeError, match="integer power"):
        Term("v_x") ** Fraction(1, 2)


def test_a_formula_does_not_branch_on_a_term():
    """A comparison is a hypothesis, without a truth value."""
    x = Term("v_x")
    orders = (x < 1, x <= 1, x > 1, x >= 1, x == 1)
    assert [one.text for one in orders] == ["v_x < 1", "v_x <= 1", "1 < v_x", "1 <= v_x", "v_x = 1"]
    for one in orders:
        assert isinstance(one, Order)
        with pytest.raises(TypeError, match="no branch"):
            bool(one)
    with pytest.raises(TypeError, match="no rounding"):
        float(x)
