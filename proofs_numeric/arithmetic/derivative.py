"""Derivatives of formulas, exact: SymPy differentiates the formula itself, any arithmetic evaluates the result."""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.integer_part import floor_of
from proofs_numeric.arithmetic.special import binomial_tail, normal_cdf, normal_quantile_complement


def derivative(formula: Formula, *variables: str) -> Formula:
    """Return the partial derivative of ``formula`` by each of ``variables`` in turn, as a formula.

    In the symbolic arithmetic it is ``sympy.diff``; elsewhere that expression evaluated in the arithmetic.  The formula
    must be smooth and evaluable on symbols.
    """

    def differentiated(A: Arithmetic, **parameters: Any) -> Any:
        if A.name == "symbolic":
            return A.number(_expression(formula, variables, tuple(parameters.items())))
        names = tuple(sorted(parameters))
        evaluator = _evaluator(formula, variables, names)
        return evaluator(A, *(A.number(parameters[name]) for name in names))

    return differentiated


def _expression(formula: Formula, variables: tuple[str, ...], symbols: tuple[tuple[str, Any], ...]) -> Any:
    import sympy

    from proofs_numeric.arithmetic.symbolic import Symbolic

    A = Symbolic()
    named = {name: A.number(symbol) for name, symbol in symbols}
    stand_ins = {name: sympy.Dummy(name, real=True) for name in variables}
    expression = formula(A, **{**named, **stand_ins})
    for name in variables:
        expression = sympy.diff(expression, stand_ins[name])
    return expression.subs({stand_ins[name]: named[name] for name in variables})


@functools.cache
def _evaluator(formula: Formula, variables: tuple[str, ...], names: tuple[str, ...]) -> Formula:
    import sympy

    symbols = {name: sympy.Symbol(name, real=True) for name in names}
    expression = _expression(formula, variables, tuple(symbols.items()))

    def evaluate(A: Arithmetic, *values: Number) -> Any:
        return evaluate_expression(A, expression, dict(zip(symbols.values(), values, strict=True)))

    return evaluate


def evaluate_expression(A: Arithmetic, node: Any, values: dict[Any, Any]) -> Any:
    """Evaluate a SymPy expression in an arithmetic, its symbols by ``values``.

    Raises:
        TypeError: it holds more than sums, products, powers, exp, log, erf, its inverse, maxima, minima, integer parts
            and binomial laws.

    """
    import sympy

    if node in values:
        return values[node]
    if node.is_Rational:
        return A.number(_fraction(node))
    if node is sympy.pi:
        return A.pi
    arguments = [evaluate_expression(A, argument, values) for argument in node.args]
    function = next((_FUNCTIONS[kind.__name__] for kind in type(node).__mro__ if kind.__name__ in _FUNCTIONS), None)
    if function is not None:
        return function(A, *arguments)
    if node.is_Pow:
        exponent = node.exp
        if exponent.is_Integer:
            return arguments[0] ** int(exponent)
        if (2 * exponent).is_Integer:
            return A.sqrt(arguments[0]) ** int(2 * exponent)
        return A.power(arguments[0], arguments[1])
    raise TypeError(f"expected sums, products, powers, exp, log, erf and maxima, got {node}; extend the evaluator")


def _binomial_tail(A: Arithmetic, n: Number, p: Number, t: Number) -> Number:
    return binomial_tail(A, _whole(A, n), p, _whole(A, t))


def _whole(A: Arithmetic, n: Number) -> int:
    whole = floor_of(A, n)
    if n != whole:
        raise ValueError(f"expected an integer in a binomial law, got {n}")
    return whole


_FUNCTIONS: dict[str, Formula] = {
    "Add": lambda _A, *xs: functools.reduce(lambda x, y: x + y, xs),
    "Mul": lambda _A, *xs: functools.reduce(lambda x, y: x * y, xs),
    "exp": lambda A, x: A.exp(x),
    "log": lambda A, x: A.log(x),
    "erf": lambda A, x: 2 * normal_cdf(A, x * A.sqrt(A.number(2))) - 1,
    "erfinv": lambda A, x: normal_quantile_complement(A, (1 - x) / 2) / A.sqrt(A.number(2)),
    "floor": lambda A, x: A.number(floor_of(A, x)),
    "BinomialMass": lambda A, n, p, v: _binomial_tail(A, n, p, v) - _binomial_tail(A, n, p, v + 1),
    "BinomialTail": _binomial_tail,
    "Abs": lambda A, x: A.maximum(x, -x),
    "Max": lambda A, *xs: A.maximum(*xs),
    "Min": lambda A, *xs: A.minimum(*xs),
}
"""The functions, by the names of SymPy's classes."""


def _fraction(value: Any) -> Any:
    """Exact integer or fraction of a SymPy rational."""
    return int(value) if value.is_Integer else Fraction(int(value.p), int(value.q))
