"""How a sign is looked for: what costs nothing first."""

import pytest
import sympy

from proofs_numeric.kernel import expressions
from proofs_numeric.kernel.recording import ExpressionError
from proofs_numeric.statements.box import Box, Parameter

BOX = Box(
    (
        Parameter("x", "of the expression", lower=0, upper=10),
        Parameter("y", "of the expression", lower="0.1", upper=10**6),
        Parameter("z", "of no expression", lower=0, upper=10**6),
    )
)
X, Y, Z = (expressions.symbols_of(BOX)[name] for name in BOX.names)


@pytest.fixture
def bisected(monkeypatch):
    """The boxes that are cut while a test runs."""
    boxes, cut = [], expressions.positive_on_box

    def noted(formula, box, **options):
        boxes.append(box)
        return cut(formula, box, **options)

    monkeypatch.setattr(expressions, "positive_on_box", noted)
    expressions._enclosed_above_zero.cache_clear()
    return boxes


def test_no_box_is_cut_for_a_sign_that_is_read_off(bisected):
    """The root of a sum of squares is defined wherever they are."""
    expressions.require_defined(sympy.sqrt(X**2 + 1 / Y**2) + sympy.log(1 + Z), BOX)
    assert not bisected


def test_boxes_are_of_what_is_in_the_expression(bisected):
    """A parameter that is not would be cut for nothing."""
    expressions.require_defined(sympy.log(X**2 - 3 * X + 3), BOX)
    assert [box.names for box in bisected] == [("x",)]


def test_what_is_not_positive_on_the_box_is_refused(bisected):
    """Neither what is read off nor what boxes show."""
    with pytest.raises(ExpressionError, match="the argument of a logarithm"):
        expressions.require_defined(sympy.log(X**2 - 3 * X + 2), BOX)
    with pytest.raises(ExpressionError, match="the argument of a logarithm"):
        expressions.require_defined(sympy.log(X), BOX)
    assert bisected


@pytest.mark.parametrize("rate", [2, 1400, sympy.Rational(1401, 2)])
def test_the_factors_are_of_the_expression(rate):
    """A large rate has its exponential as one variable, a small one its roots of one."""
    built = X * (sympy.exp(rate * X) - 1) * sympy.exp(-rate * X) + Y * (1 - sympy.exp(-rate * X))
    factors = expressions._factored(built)
    assert sympy.expand(factors - built) == 0
    assert factors.is_Mul
    assert X + Y in factors.args
    assert (sympy.exp(X) + 1 in factors.args) is (rate == 2)


def test_an_exponential_within_another_comes_back():
    """Both rates are large."""
    built = 1 - sympy.exp(-700 * sympy.exp(-1400 * X))
    assert sympy.expand(expressions._factored(built) - built) == 0


@pytest.mark.parametrize(
    "zero",
    [
        sympy.sqrt(X + sympy.sqrt(Y)) ** 3 - (X + sympy.sqrt(Y)) * sympy.sqrt(X + sympy.sqrt(Y)),
        Y ** sympy.Rational(1, 3) * sympy.sqrt(Y) * (1 + Y) ** 2 - Y ** sympy.Rational(5, 6) * (1 + 2 * Y + Y**2),
        sympy.sqrt(1 + 1 / Y) * sympy.sqrt(1 + 1 / Y) * Y**3 - Y**3 - Y**2,
        1 / (X + Y) + 1 / (X + 2 * Y) - (2 * X + 3 * Y) / (X**2 + 3 * X * Y + 2 * Y**2),
        (sympy.exp(X / 2) + sympy.sqrt(sympy.pi)) ** 2
        - sympy.exp(X)
        - sympy.pi
        - 2 * sympy.sqrt(sympy.pi * sympy.exp(X)),
        sympy.erf((X + Y) ** 2) - sympy.erf(X**2 + 2 * X * Y + Y**2),
    ],
)
def test_an_identity_is_one_of_variables(zero):
    """A root, an exponential and a constant are variables: of one that is what another is of, not the same."""
    assert expressions._is_zero_in_variables(zero)
    assert all(not expressions._is_zero_in_variables(zero + more) for more in (X, sympy.sqrt(Y), sympy.log(1 + Y)))


@pytest.mark.parametrize("other", [Y - sympy.sqrt(Y), sympy.pi - sympy.sqrt(sympy.pi), sympy.exp(Y) - sympy.exp(2 * Y)])
def test_what_differs_is_zero_in_no_variables(other):
    """Nor what is undefined."""
    assert not expressions._is_zero_in_variables(other)
    assert not expressions._is_zero_in_variables(other / (Y * (1 + Y) - Y - Y**2 + 0 * X))
    assert not expressions._is_zero_in_variables(sympy.oo * X - sympy.oo * Y)


def test_variables_are_the_same_for_the_same_value_alone():
    """One for x is not one for how far x is above 1, nor is one for a part of log x one for log x."""
    box = Box((Parameter("x", "of the expression", lower=1, open_lower=True),))
    x = expressions.symbols_of(box)["x"]
    said = expressions._dummy(x, positive=True)
    assert said is expressions._dummy(x, positive=True)
    (case,) = expressions._charts({"x": x}, box, frozenset())
    assert expressions._charted(x - 1, case, strict=True)
    assert not expressions._charted(x - 1 - said, case, strict=False)
    log = sympy.log(x)
    assert expressions._charted(log - sympy.floor(log), case, strict=False)
    assert not expressions._charted(log - sympy.floor(log) - log / (1 + log), case, strict=False)


def test_a_slack_is_used_where_it_holds_alone():
    """What is seen of ranges under a constraint is not seen without it, nor of wider ranges."""
    parameters = tuple(Parameter(name, "of the expression", upper=9) for name in "ab")
    held = Box(parameters, lambda *, a, b: a <= b, "a <= b")
    wider = Box((parameters[0], Parameter("b", "of the expression", lower=-1, upper=9)), held.constraint, "a <= b")
    a, b = (expressions.symbols_of(held)[name] for name in "ab")
    assert expressions.positive(b - a, held, strict=False)
    assert not expressions._sign_is_clear(b - a, Box(parameters), None, strict=False)
    given, symbols = expressions.slack_of(wider), expressions.symbols_of(wider)
    assert expressions._sign_is_clear(symbols["b"] - symbols["a"], wider, given, strict=False)
    assert not expressions._sign_is_clear(symbols["b"] - 2 * symbols["a"], wider, given, strict=False)


def test_what_has_no_known_bit_at_first_differs_too(monkeypatch):
    """A root that is as good as its number has no known bit at 64 beside it; no reduction is tried."""
    small = sympy.sqrt(Y**2 + sympy.Rational(1, 10**50)) - Y
    assert not expressions._differs(small, 64, expressions._TURNS)
    monkeypatch.setattr(expressions, "_numerator", None)
    assert not expressions.vanishes(small)


@pytest.mark.parametrize(
    "zero",
    [
        sympy.log(X * Y + Y) - sympy.log(1 + X) - sympy.log(Y),
        Y - sympy.log((sympy.exp(2 * Y) - 1) / (sympy.exp(Y) + 1) + 1),
        sympy.sqrt(1 - X / (X + Y)) * sympy.sqrt(X + Y) - sympy.sqrt(Y),
        sympy.exp(-((X + Y) ** 2) / (X + 2 * Y))
        * sympy.exp((X**2 + Y**2) / (X + 2 * Y))
        * sympy.exp(2 * X * Y / (X + 2 * Y))
        - 1,
        sympy.exp(X**2 / (X + Y) - X) * sympy.exp(X * Y / (X + Y)) - 1,
        sympy.exp(2 * sympy.log(1 + X) + Y) - (1 + X) ** 2 * sympy.exp(Y),
        sympy.erf((X**2 - Y**2) / (X + Y)) + sympy.erf(Y - X),
    ],
)
def test_an_identity_is_one_of_exponents_roots_and_logarithms(zero):
    """Exponents term by term, roots and logarithms factor by factor."""
    assert expressions._is_zero_in_variables(zero)
    assert all(not expressions._is_zero_in_variables(zero + more) for more in (X, sympy.sqrt(Y), sympy.log(1 + Y)))
    assert all(not expressions._is_zero_in_variables(zero + sympy.Rational(sign, 10**9)) for sign in (1, -1))


def test_a_root_of_what_may_be_negative_is_not_split():
    """``sqrt(u v)`` is ``sqrt(u) sqrt(v)`` where these are, and not of two numbers below 0."""
    u, v = sympy.symbols("u v", real=True)
    assert not expressions._is_zero_in_variables(sympy.sqrt(u * v) - sympy.sqrt(u) * sympy.sqrt(v))
    assert not expressions._is_zero_in_variables(sympy.log(u * v) - sympy.log(u) - sympy.log(v))
    assert not expressions._is_zero_in_variables(sympy.sqrt(u**2) - u)


def test_the_factors_of_what_has_roots_are_of_their_powers():
    """``x y - 1/(x y)`` of two roots is a fraction of what they are roots of; a number has itself for a factor."""
    first, second = sympy.sqrt(1 + X), sympy.sqrt(1 + Z)
    factors = expressions._factored(first * second - 1 / (first * second))
    assert factors.is_nonnegative
    assert sympy.simplify(factors - (X + Z + X * Z) / (first * second)) == 0
    assert expressions._factored(sympy.Rational(3, 2)) == sympy.Rational(3, 2)
    assert expressions._factored(sympy.S.Zero) == 0


def test_no_point_is_looked_at_twice():
    """Each is drawn among few."""
    box = Box((Parameter("x", "of the expression", lower=0, upper=1, integer=True),))
    assert sorted(point["x"] for point in expressions.some_points(box)) == [0, 1]
