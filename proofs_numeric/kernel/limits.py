"""Limits that are made of those of an expression's parts: by continuity, by signs, and by what falls faster than grows.

The expressions are real and defined on the way to the end; a parameter is a number, and has the sign of its symbol.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import sympy


def by_parts(built: Any, symbol: Any, end: Any) -> Any:
    """The limit as in `_continued`; of a parameter >= 0 on which it hangs, above 0 and at 0, where these agree."""
    limit = _continued(built, symbol, end)
    others = sorted(
        (one for one in built.free_symbols - {symbol} if one.is_zero is None and one.is_nonnegative), key=str
    )
    if limit is not None or not others:
        return limit
    above = sympy.Dummy(positive=True, integer=others[0].is_integer)
    limit = by_parts(built.xreplace({others[0]: above}), symbol, end)
    there = by_parts(built.xreplace({others[0]: sympy.S.Zero}), symbol, end)
    if limit is None or limit.xreplace({above: sympy.S.Zero}) != there:
        return None
    return limit.xreplace({above: others[0]})


def _continued(node: Any, symbol: Any, end: Any) -> Any:
    """The limit, infinity and its opposite among them, where each part has one and so has what is made of them.

    None where that is not seen, as of ``oo - oo`` and of what divides by what has no sign. A limit of 0 comes without
    the side from which it is reached, which only the sign of the part itself tells.
    """
    if not node.has(symbol):
        return node
    if node == symbol:
        return end
    if (infinite := _polynomial_at_infinity(node, symbol, end)) is not None:
        return infinite
    limits = [_continued(part, symbol, end) for part in node.args]
    if None in limits:
        return None
    if node.is_Add:
        return _sum_of_limits(limits)
    if node.is_Mul:
        product = _product_of_limits(limits)
        tiny = product is None and end.is_infinite and _is_tiny(node, symbol, end)
        return sympy.S.Zero if tiny else product
    if node.is_Pow:
        return _power_of_limit(node, *limits)
    if not isinstance(node, sympy.exp | sympy.log | sympy.erf):
        return None
    (at,) = limits
    if at.is_infinite:
        ends = {sympy.exp: (sympy.oo, 0), sympy.log: (sympy.oo, None), sympy.erf: (1, -1)}[node.func]
        return sympy.sympify(ends[at is not sympy.oo])
    if isinstance(node, sympy.log) and not at.is_positive:
        return -sympy.oo if at.is_zero else None  # where there is a logarithm, its argument is above 0
    return node.func(at)


def _polynomial_at_infinity(node: Any, symbol: Any, end: Any) -> Any:
    """Plus or minus infinity, as the leading coefficient says, of a polynomial of degree one or more; else None."""
    if not end.is_infinite or not node.has(symbol) or not node.is_polynomial(symbol):
        return None
    polynomial = sympy.Poly(node, symbol)
    if polynomial.degree() == 0:
        return None
    return _product_of_limits([polynomial.LC(), end ** polynomial.degree()])


def _is_tiny(node: Any, symbol: Any, end: Any) -> bool:
    """Whether it is seen to be less in size than any power of the symbol near an infinite end.

    So is a product of exponentials of polynomials, and of what is at most such, whose sum falls without end, with what
    grows no faster than a power.
    """
    exponents = []
    for part in sympy.Mul.make_args(node):
        base, power = (part.base, part.exp) if part.is_Pow else (part, sympy.S.One)
        exponent = _exponent(base, symbol, end)
        if exponent is not None and power.is_Rational and power > 0:
            exponents.append(power * exponent)
        elif not _is_moderate(part, symbol, end):
            return False
    return _polynomial_at_infinity(sympy.Add(*exponents), symbol, end) is -sympy.oo


def _exponent(node: Any, symbol: Any, end: Any) -> Any:
    """A polynomial v such that the node is, near an infinite end, at most a constant times ``e^v`` in size; or None.

    Where u is not negative ``1 - erf(u) <= exp(-u^2)``.
    """
    if isinstance(node, sympy.exp):
        return node.args[0] if node.args[0].is_polynomial(symbol) else None
    errors = [one for one in node.atoms(sympy.erf) if one.has(symbol)] if node.is_Add else []
    if len(errors) != 1 or _polynomial_at_infinity(errors[0].args[0], symbol, end) is None:
        return None
    rate, at_end = node.coeff(errors[0]), _continued(errors[0], symbol, end)
    tail = not rate.has(symbol) and sympy.expand(node - rate * (errors[0] - at_end)) == 0
    return -(errors[0].args[0] ** 2) if tail else None


def _is_moderate(node: Any, symbol: Any, end: Any) -> bool:
    """Whether it is seen to grow no faster than a power of the symbol."""
    if node == symbol or node.is_polynomial(symbol):
        return True
    limit = _continued(node, symbol, end)
    if limit is not None and not limit.is_infinite:
        return True
    if node.is_Add or node.is_Mul:
        return all(_is_moderate(part, symbol, end) for part in node.args)
    return bool(node.is_Pow and node.exp.is_Rational and node.exp > 0 and _is_moderate(node.base, symbol, end))


def _sum_of_limits(limits: Sequence[Any]) -> Any:
    infinite = {one for one in limits if one.is_infinite}
    return None if len(infinite) > 1 else infinite.pop() if infinite else sympy.Add(*limits)


def _product_of_limits(limits: Sequence[Any]) -> Any:
    if not any(one.is_infinite for one in limits):
        return sympy.Mul(*limits)
    signs = [1 if one.is_positive else -1 if one.is_negative else 0 for one in map(_signed, limits)]
    return math.prod(signs) * sympy.oo if all(signs) else None


def _signed(limit: Any) -> Any:
    """A number of the sign of a limit."""
    return {sympy.oo: sympy.S.One, -sympy.oo: sympy.S.NegativeOne}.get(limit, limit)


def _power_of_limit(node: Any, base: Any, exponent: Any) -> Any:
    """Of a power that does not move with the symbol."""
    if exponent != node.exp or not exponent.is_Rational:
        return None
    whole = exponent.is_Integer
    if base is sympy.oo:
        return sympy.oo if exponent > 0 else sympy.S.Zero
    if base is -sympy.oo:
        return None if not whole else sympy.S.Zero if exponent < 0 else sympy.oo * (-1) ** exponent
    if exponent > 0:
        return base**exponent if whole or base.is_nonnegative else None
    if base.is_positive or (whole and base.is_nonzero):
        return base**exponent
    return sympy.oo if base.is_zero and node.base.is_positive else None
