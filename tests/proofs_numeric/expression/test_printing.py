"""Expressions and statements in LaTeX and in plain text."""

import pytest

from proofs_numeric.arithmetic import Rational
from proofs_numeric.expression import (
    Phi,
    eq,
    exp,
    expm1,
    latex,
    lift,
    log,
    log1p,
    log_cdf,
    maximum,
    mills,
    phi,
    quantile_complement,
    sqrt,
    statement,
    symbols,
    text,
)
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.kinds import Calibration, DeltaBound, Inequality, Monotonicity, Quantity, Recurrence

x, y, epsilon, tau_star, more = symbols("x y epsilon tau_star more")


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (x - (y - 1), "x - (y - 1)"),
        ((x - y) - 1, "x - y - 1"),
        (x * (y / 2), "x * (y / 2)"),
        (x / (y * 2), "x / (y * 2)"),
        (x * y / 2, "x * y / 2"),
        (-(x + y), "-(x + y)"),
        ((-x) ** 2, "(-x)^2"),
        (-(x**2), "-x^2"),
        (x ** (y - 1), "x^(y - 1)"),
        (lift("1/6") * x, "1 / 6 * x"),
        (x - lift(-2), "x - (-2)"),
        (maximum(0, x, Phi(-y)), "maximum(0, x, Phi(-y))"),
    ],
    ids=str,
)
def test_plain_text_reads_back_as_the_expression(formula, expected):
    """In as few brackets as the order of operations needs."""
    assert text(formula) == expected
    names = {"x": x, "y": y, "Phi": Phi, "maximum": maximum, "lift": lift}
    if "Phi" not in expected:
        read = eval(expected.replace("^", "**").replace("1 / 6", "lift('1/6')"), {}, names)  # noqa: S307 - as above
        at = {"x": 3, "y": 5}
        assert read(Rational(), **at) == formula(Rational(), **at)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (x + phi(x) / Phi(x), r"x + \frac{\phi(x)}{\Phi(x)}"),
        (exp(-epsilon) ** 2, r"\left(e^{-\epsilon}\right)^{2}"),
        (x * -expm1(-epsilon), r"x \left(1 - e^{-\epsilon}\right)"),
        (expm1(x) / 2, r"\frac{e^{x} - 1}{2}"),
        (2 * (more / tau_star), r"\frac{2 \mathrm{more}}{\tau_{star}}"),
        (x * 2, r"2 x"),
        (x * (y * x) / lift("1/3"), r"3 x^{2} y"),
        (x / (y / -2) + -y / epsilon, r"-\frac{2 x}{y} - \frac{y}{\epsilon}"),
        (-(x - y) * 3, r"3 \left(y - x\right)"),
        (1 - (1 - x) + 0 * y, "x"),
        (sqrt(lift(4)) ** 3 / 16 - x, r"\frac{1}{2} - x"),
        (x + lift("349/1000"), "x + 0.349"),
        (x * 0 + lift("-1e-8"), "-10^{-8}"),
        (lift("3e-8") * x, r"\frac{3 x}{100000000}"),
        (x ** lift(12) * x, "x^{12} x"),
        (exp(-(x * -log_cdf(y))), r"\Phi(y)^{x}"),
        (exp(log(x) - log(y)), r"e^{\ln(x) - \ln(y)}"),
        (log(x * (y + 1)), r"\ln(x \left(y + 1\right))"),
        (log1p(-x) * log1p(y), r"\ln(1 - x) \ln(1 + y)"),
        (maximum(0, x), r"\max(0, x)"),
        (exp(y * log1p(-x)), r"\left(1 - x\right)^{y}"),
        (-expm1(-(y * log(x))), r"1 - x^{-y}"),
        (quantile_complement(x - y), r"\Phi^{-1}(1 - \left(x - y\right))"),
        (mills(x + y), r"\frac{\Phi(-\left(x + y\right))}{\phi(\left(x + y\right))}"),
    ],
    ids=str,
)
def test_latex(formula, expected):
    """Fractions, exponents, Greek letters and brackets that grow."""
    assert latex(formula) == expected


def test_a_paper_has_its_own_letters():
    """For symbols and for expressions; what an expression's letter stands for follows the statement."""
    rate = x * -expm1(-epsilon)
    notation = {rate: "p_s", tau_star: r"\tau^*"}
    assert latex(rate + tau_star, notation) == r"p_s + \tau^*"
    assert statement(rate < x, notation) == r"p_s < x,\ p_s = x \left(1 - e^{-\epsilon}\right)"


def test_statements():
    """Comparisons, equalities and directions."""
    assert statement(x >= 1) == r"1 \le x"
    assert statement(eq(x, y)) == "x = y"
    moves = Monotonicity(x / y, "y", increasing=False, strict=False)
    assert statement(moves) == r"\frac{x}{y}\text{ is decreasing in }y"
    assert statement(DeltaBound(x)) == r"\delta = x"
    assert statement(DeltaBound(x), {x: r"\bar x"}) == r"\delta = \bar x"
    assert statement(Calibration(x + y, y), value=r"\tau \ge") == r"\tau \ge x + y"
    assert statement(Quantity(x(x=2), "2.0")) == r"2 \approx 2.0"
    with pytest.raises(TypeError, match="expected a comparison, a direction or a value of expressions, got 'recurr"):
        statement(Recurrence(Box(), Box(), {}, {}, x, y))
    with pytest.raises(TypeError, match="got 'inequality' of others"):
        statement(Inequality(lambda A, *, x: x, y))
