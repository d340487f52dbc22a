"""The sign of an expression is that of its value at every point, and is seen where its parts tell it."""

import itertools
from fractions import Fraction
from random import Random

import pytest
import sympy

from proofs_numeric.kernel.signs import sign_of

x, y = sympy.symbols("x y", positive=True)
u = sympy.Symbol("u", nonnegative=True)
w = sympy.Symbol("w", negative=True)
r = sympy.Symbol("r", real=True)
n, m = sympy.symbols("n m", integer=True, positive=True)
SEEN = [
    (x + u, 2),
    (u + x**2 * u, 1),
    (w - u, -2),
    (-u * x, -1),
    (w**3 * x, -2),
    (w**-2, 2),
    (r**2, 1),
    (r**2 * w, -1),
    (sympy.sqrt(x) + sympy.exp(r), 2),
    (x**r, 2),
    (n - 1, 1),
    (2 * n * m - 1, 2),
    (1 - n, -1),
    (n + m - 2 + u, 1),
    (sympy.exp(-1) - 1, -2),
    (sympy.log(2) - sympy.Rational(7, 10), -2),
    (sympy.S.Zero, 0),
]


@pytest.mark.parametrize(("expression", "sign"), SEEN)
def test_a_sign_is_seen_by_those_of_the_parts(expression, sign):
    """Sums, products, powers, numbers, and integers that are at least one."""
    assert sign_of(expression) == sign


@pytest.mark.parametrize("expression", [r, x - 1, x - y, n - 2, r**3, u + w, x * r, u - n, 2 * n - m, x + r, n * x - 1])
def test_what_may_have_either_sign_has_none(expression):
    """Nothing is told of what a point refutes."""
    assert sign_of(expression) is None


def test_no_sign_is_told_that_a_value_does_not_have():
    """Sums, products and powers drawn of one another, at points drawn of what their symbols may be."""
    draw = Random(0)  # noqa: S311
    known = [x, u, w, r, n, m, *map(sympy.Integer, (-2, -1, 1, 3)), sympy.Rational(1, 2)]
    for _each in range(400):
        a, b = draw.choice(known), draw.choice(known)
        known.append(draw.choice([a + b, a - b, a * b, a**2, a**3, sympy.exp(draw.choice([x, u, w, r])) * b]))
    places = {
        x: (Fraction(1, 7), 3),
        u: (0, 2),
        w: (Fraction(-1, 9), -2),
        r: (-3, 0, Fraction(5, 2)),
        n: (1, 4),
        m: (1, 2),
    }
    told = 0
    for each in known:
        if (sign := sign_of(each)) is None:
            continue
        told += bool(each.free_symbols)
        for values in itertools.islice(itertools.product(*places.values()), 0, None, 5):
            value = each.xreplace({s: sympy.Rational(v) for s, v in zip(places, values, strict=True)}).evalf(30)
            assert value >= 0 if sign > 0 else value <= 0
            assert value != 0 or abs(sign) < 2
    assert told > 50
