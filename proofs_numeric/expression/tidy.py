"""An expression as a reader writes it: folded numbers, one sign, coefficients first, powers, one fraction a product.

Only rules of arithmetic that hold wherever both sides are defined are used; nothing is cancelled or expanded.
"""

import functools
import math
import operator
from collections import Counter
from collections.abc import Collection, Sequence
from fractions import Fraction

from proofs_numeric.expression.functions import (
    Phi,
    exp,
    expm1,
    log,
    log1p,
    log_cdf,
    power,
    quantile,
    quantile_complement,
    sqrt,
)
from proofs_numeric.expression.nodes import (
    ADD,
    DIVIDE,
    MULTIPLY,
    NEGATE,
    POWER,
    SUBTRACT,
    Expression,
    Function,
    apply,
    lift,
)

_ZERO, _ONE = lift(0), lift(1)
Factors = tuple[Fraction, list[Expression], list[Expression]]
"""A product: its coefficient, the factors above the fraction's bar, and those below."""


def tidied(expression: Expression, letters: Collection[Expression]) -> Expression:
    """Return an equal expression that reads better; a node among the ``letters`` stays as it is."""
    done: dict[Expression, Expression] = {}
    for node in expression.nodes():
        if node in letters or not isinstance(node.head, Function):
            done[node] = node
        else:
            done[node] = _tidied(node.head, [done[argument] for argument in node.arguments], letters)
    return done[expression]


def _tidied(head: Function, arguments: Sequence[Expression], letters: Collection[Expression]) -> Expression:
    """Return the function of arguments that are tidy."""
    node = apply(head, *arguments)
    if head is ADD:
        return _added(*arguments)
    if head is SUBTRACT:
        return _subtracted(*arguments)
    if head in {MULTIPLY, DIVIDE, NEGATE, POWER}:
        return _product(*_factors(node, letters))
    if head is exp:
        return _exponential(node, letters)
    if head is expm1:
        return _subtracted(_exponential(exp(*arguments), letters), _ONE)
    if head is log1p:
        return log(_added(_ONE, *arguments))
    if head is quantile_complement:
        return quantile(_subtracted(_ONE, *arguments))
    if head is sqrt and isinstance(whole := arguments[0].head, int) and math.isqrt(whole) ** 2 == whole:
        return lift(math.isqrt(whole))
    return node


def _number(node: Expression) -> Fraction | None:
    return Fraction(node.head) if isinstance(node.head, int | Fraction) else None


def _lifted(number: Fraction) -> Expression:
    return lift(number.numerator if number.denominator == 1 else number)


def _opposite(node: Expression) -> Expression | None:
    """Return minus a node that has a minus sign in front; None for another."""
    number = _number(node)
    if number is not None and number < 0:
        return _lifted(-number)
    return node.arguments[0] if node.head is NEGATE else None


def _added(left: Expression, right: Expression) -> Expression:
    first, second = _number(left), _number(right)
    if first is not None and second is not None:
        return _lifted(first + second)
    if _ZERO in {left, right}:
        return right if left is _ZERO else left
    if (opposite := _opposite(right)) is not None:
        return _subtracted(left, opposite)
    if (opposite := _opposite(left)) is not None:
        return _subtracted(right, opposite)
    return apply(ADD, left, right)


def _subtracted(left: Expression, right: Expression) -> Expression:
    first, second = _number(left), _number(right)
    if first is not None and second is not None:
        return _lifted(first - second)
    if right is _ZERO:
        return left
    if (opposite := _opposite(right)) is not None:
        return _added(left, opposite)
    if right.head is SUBTRACT and right.arguments[0] is left:
        return right.arguments[1]
    return apply(NEGATE, right) if left is _ZERO else apply(SUBTRACT, left, right)


def _factors(node: Expression, letters: Collection[Expression]) -> Factors:
    """Return the factors of a product of tidy nodes."""
    number = _number(node)
    if number is not None:
        return number, [], []
    if node in letters:
        return Fraction(1), [node], []
    parts = [_factors(argument, letters) for argument in node.arguments] if isinstance(node.head, Function) else []
    match node.head:
        case head if head is NEGATE:
            ((number, above, below),) = parts
            return -number, above, below
        case head if head in {MULTIPLY, DIVIDE} and not (head is DIVIDE and parts[1][0] == 0):
            (first, above, below), (second, more, rest) = parts
            if head is MULTIPLY:
                return first * second, above + more, below + rest
            return first / second, above + rest, below + more
        case head if head is POWER and parts[1][0].denominator == 1 and 0 < parts[1][0] < 10 and not parts[1][1]:
            base, times = node.arguments[0], int(parts[1][0])
            if (number := _number(base)) is not None:
                return number**times, [], []
            if base.head not in {MULTIPLY, DIVIDE, NEGATE}:
                return Fraction(1), [base] * times, []
    return Fraction(1), [node], []


def _product(number: Fraction, above: Sequence[Expression], below: Sequence[Expression]) -> Expression:
    """Return the product of factors, as one fraction; its minus sign goes into a difference if there is one."""
    above, negative = [*above], number < 0
    for place, factor in enumerate(above):
        if negative and factor.head is SUBTRACT:
            above[place], negative = _subtracted(*reversed(factor.arguments)), False
    if number == 0 or not (above or below):
        return _lifted(number)
    number = abs(number)
    top, bottom = _times(number.numerator, above), _times(number.denominator, below)
    whole = top if bottom is _ONE else apply(DIVIDE, top, bottom)
    return apply(NEGATE, whole) if negative else whole


def _times(number: int, factors: Sequence[Expression]) -> Expression:
    """Return a number times factors; equal ones are a power."""
    powers = [factor if times == 1 else apply(POWER, factor, times) for factor, times in Counter(factors).items()]
    return functools.reduce(operator.mul, [lift(number)] * (number != 1 or not powers) + powers)


def _exponential(node: Expression, letters: Collection[Expression]) -> Expression:
    """Return ``b^a`` for an exponent ``a log(b)``."""
    number, above, below = _factors(node.arguments[0], letters)
    if number == 0:
        return _ONE
    logarithms = [factor for factor in above if factor.head in {log, log_cdf} and factor not in letters]
    if len(logarithms) != 1:
        return node
    (logarithm,) = logarithms
    base = logarithm.arguments[0] if logarithm.head is log else Phi(*logarithm.arguments)
    exponent = _product(number, [factor for factor in above if factor is not logarithm], below)
    return base if exponent is _ONE else power(base, exponent)
