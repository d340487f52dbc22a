"""Limits that are made of those of the parts, and where these do not tell."""

import pytest
import sympy

from proofs_numeric.kernel import limits

X = sympy.Symbol("x", nonnegative=True)
Y = sympy.Symbol("y", positive=True)
Z, U = sympy.symbols("z u", real=True)

NORMAL = (1 + sympy.erf(Z / sympy.sqrt(2))) / 2
"""The distribution function at any z."""


@pytest.mark.parametrize(
    ("built", "end", "value"),
    [
        ((1 + Z**2) * NORMAL - Z * sympy.exp(-(Z**2) / 2), -sympy.oo, 0),
        (NORMAL.subs(Z, Z + 1) - sympy.exp(U) * NORMAL.subs(Z, Z - 1), -sympy.oo, 0),
        (NORMAL.subs(Z, Z + 1) - sympy.exp(U) * NORMAL.subs(Z, Z - 1), sympy.oo, 1 - sympy.exp(U)),
        (sympy.exp(Z) * NORMAL.subs(Z, -Y * Z), sympy.oo, 0),
        (sympy.sqrt(Z**2 + 1) * sympy.exp(Z - Y * Z**2), sympy.oo, 0),
        (sympy.log(Z**2 + 1), sympy.oo, sympy.oo),
        (sympy.exp(-1 / Y) + sympy.log(1 + Y), 0, 0),
        (Z - Z**3, -sympy.oo, sympy.oo),
        # What hangs on a sign that is not known, is 0/0 or infinity less infinity, or falls no faster than it grows.
        (sympy.erf(U * Z), sympy.oo, None),
        ((Z + U) ** 2 - Z**2, sympy.oo, None),
        (sympy.exp(Y * Z**2) * NORMAL, -sympy.oo, None),
        (sympy.exp(-Z) * (1 + NORMAL), -sympy.oo, sympy.oo),
        (sympy.exp(-Z) * (2 - NORMAL) - sympy.exp(-Z), -sympy.oo, None),
        (sympy.exp(1 / Z), 0, None),
        (Y * sympy.log(Y), 0, None),
        (sympy.Max(Z, U), sympy.oo, None),
    ],
)
def test_a_limit_is_made_of_those_of_the_parts(built, end, value):
    """And is None wherever these do not tell."""
    (symbol,) = built.free_symbols if end == 0 else (Z,)
    assert limits.by_parts(built, symbol, sympy.sympify(end)) == value


def test_a_limit_at_a_parameter_from_zero_on_is_one_at_zero_too():
    """``Phi(-x/y)`` goes to 0 as y falls to 0, but to one half where x is 0; ``x Phi(-x/y)`` to 0 at both."""
    normal = (1 + sympy.erf(-X / Y)) / 2
    assert limits.by_parts(normal, Y, sympy.S.Zero) is None
    assert limits.by_parts(X * normal, Y, sympy.S.Zero) == 0
