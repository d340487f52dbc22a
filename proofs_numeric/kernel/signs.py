"""The sign of an expression from those of its parts.

SymPy, asked for the sign of a sum, looks for its extrema first, which takes eight times as long and tells little more.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from typing import Any

import sympy

from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.derivative import evaluate_expression

_BITS = 4096


@functools.lru_cache(maxsize=2**16)
def sign_of(node: Any) -> int | None:
    """2 of what is > 0, 1 of what is >= 0, 0 of zero, -1 and -2 of the opposite; None where no sign is seen.

    The expression and what is in it are real.  Of symbols and functions SymPy is asked, which their assumptions answer.
    """
    if node.is_Rational:
        return 2 * (bool(node.is_positive) - bool(node.is_negative))
    if node.is_Add:
        return _of_sum(node) if node.free_symbols else _of_number(node)
    if node.is_Mul:
        if (signs := _of_all(node.args)) is None:
            return None
        return math.prod(1 if sign > 0 else -1 for sign in signs) * min(map(abs, signs))
    if node.is_Pow and not isinstance(node, sympy.exp) and (sign := _of_power(node.base, node.exp)) is not None:
        return sign
    if isinstance(node, sympy.exp) or node.is_positive:
        return 2
    return 1 if node.is_nonnegative else -2 if node.is_negative else -1 if node.is_nonpositive else None


def _of_all(nodes: Iterable[Any]) -> list[int] | None:
    """Their signs, where all are seen."""
    signs: list[int] = []
    for node in nodes:
        if (sign := sign_of(node)) is None:
            return None
        signs.append(sign)
    return signs


def _of_sum(node: Any) -> int | None:
    if (signs := _of_all(node.args)) is None:
        return None
    if min(signs) >= 0 or max(signs) <= 0:
        return max(signs, key=abs)
    number, rest = node.as_coeff_Add()
    side, terms = -1 if number > 0 else 1, sympy.Add.make_args(rest)
    if any(side * sign < 0 for sign in _of_all(terms) or [-side]):
        return None
    # A positive integer is at least one.
    parts = ((side * term).as_coeff_Mul() for term in terms)
    least = side * number + sum(rate for rate, whole in parts if whole.is_integer and sign_of(whole) == 2)
    return None if least.is_negative else side * (1 + bool(least.is_positive))


def _of_number(node: Any) -> int | None:
    value = enclosed(node)
    return None if value is None else 2 if value > 0 else -2 if value < 0 else None


def _of_power(base: Any, exponent: Any) -> int | None:
    sign = sign_of(base)
    if sign == 2 and exponent.is_real:
        return 2
    if sign == 1 and exponent.is_positive:
        return 1
    if exponent.is_Integer and (sign == -2 or (exponent > 0 and exponent % 2 == 0)):
        return (2 if sign == -2 else 1) * (1 if exponent % 2 == 0 else -1)
    return None


def enclosed(built: Any) -> Any:
    """A number in a ball, or None where it has none."""
    ball = Ball(_BITS)
    with ball:
        try:
            return ball.number(evaluate_expression(ball, built, {}))
        except (ArithmeticError, NotImplementedError, TypeError, ValueError):
            return None
