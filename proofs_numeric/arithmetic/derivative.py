"""Derivatives of formulas, exact: SymPy differentiates the formula itself, any arithmetic evaluates the result."""

import functools
import operator
from collections.abc import Mapping, Sequence
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
    arguments = {name: A.number(symbol) for name, symbol in symbols}
    stand_ins = {name: sympy.Dummy(name, real=True) for name in variables}
    expression = formula(A, **{**arguments, **stand_ins})
    for name in variables:
        expression = sympy.diff(expression, stand_ins[name])
    return expression.subs({stand_ins[name]: arguments[name] for name in variables})


@functools.cache
def _evaluator(formula: Formula, variables: tuple[str, ...], names: tuple[str, ...]) -> Formula:
    import sympy

    symbols = {name: sympy.Symbol(name, real=True) for name in names}
    expression = _expression(formula, variables, tuple(symbols.items()))

    def evaluate(A: Arithmetic, *values: Number) -> Any:
        return evaluate_expression(A, expression, dict(zip(symbols.values(), values, strict=True)))

    return evaluate


def evaluate_expression(A: Arithmetic, node: Any, values: Mapping[Any, Any]) -> Any:
    """Evaluate a SymPy expression in an arithmetic, its symbols by ``values``; what it holds twice, once.

    Raises:
        TypeError: it holds more than these symbols, sums, products, powers, exp, log, erf, its inverse, maxima, minima,
            integer parts, binomial laws, those of shared noise and profiles of Laplace laws.

    """
    results: list[Any] = []
    for function, arguments in _steps(node):
        if function is not None:
            results.append(function(A, *[results[place] for place in arguments]))
        elif arguments in values:
            results.append(values[arguments])
        else:
            raise TypeError(f"expected a value for each symbol, got none for {arguments}")
    return results[-1]


@functools.lru_cache(maxsize=1024)
def _steps(node: Any) -> Sequence[tuple[Formula | None, Any]]:
    """How to evaluate an expression: each function with the places of its arguments among the steps, or a symbol."""
    places: dict[Any, int] = {}
    steps: list[tuple[Formula | None, Any]] = []

    def add(node: Any) -> int:
        if node not in places:
            arguments = () if node.is_Symbol or node.is_Rational else tuple(map(add, node.args))
            steps.append((None, node) if node.is_Symbol else (_function(node), arguments))
            places[node] = len(steps) - 1
        return places[node]

    add(node)
    return steps


def _function(node: Any) -> Formula:
    """The function at the head of an expression, of its arguments."""
    import sympy

    if node.is_Rational:
        number = int(node) if node.is_Integer else Fraction(int(node.p), int(node.q))
        return lambda A: A.number(number)
    if node is sympy.pi:
        return lambda A: A.pi
    rule = next((_FUNCTIONS[kind.__name__] for kind in type(node).__mro__ if kind.__name__ in _FUNCTIONS), None)
    if rule is not None:
        return rule
    if node.is_Pow:
        exponent = node.exp
        if exponent.is_Integer:
            whole = int(exponent)
            return lambda _A, x, _y: x**whole
        if (2 * exponent).is_Integer:
            halves = int(2 * exponent)
            return lambda A, x, _y: A.sqrt(x) ** halves
        return lambda A, x, y: A.power(x, y)
    raise TypeError(f"expected sums, products, powers, exp, log, erf and maxima, got {node}; extend the evaluator")


def _binomial_tail(A: Arithmetic, n: Number, p: Number, t: Number) -> Number:
    return binomial_tail(A, _whole(A, n), p, _whole(A, t))


def _shared_loss(A: Arithmetic, l: Number, t: Number, b: Number) -> Number:
    from proofs_numeric.arithmetic.noise_maximum import unreleased

    return -A.log(unreleased(A, l=_whole(A, l), t=t, b=b))


def _pair_stick(A: Arithmetic, *at: Number) -> Number:
    from proofs_numeric.arithmetic.pair_stick import pair_stick

    l, d, j, forward = (_whole(A, n) for n in at[4:])
    epsilon, distance, gap, ratio = at[:4]
    stick: Number = pair_stick(
        A, epsilon=epsilon, own=distance, gap=gap, ratio=ratio, l=l, d=d, j=j, forward=bool(forward)
    )
    return stick


def _laplace_profile(A: Arithmetic, n: Number, distance: Number, level: Number, *steps: Number) -> Any:
    from proofs_numeric.arithmetic.laplace import laplace_counts_profile

    lattice = _whole(A, steps[0]) if steps else None
    return laplace_counts_profile(A, level, n=_whole(A, n), distance=distance, steps=lattice)


def _discrete_gaussian_profile(A: Arithmetic, n: Number, sigma: Number, steps: Number, level: Number) -> Any:
    from proofs_numeric.arithmetic.discrete_gaussian import moved_profile

    counts = _whole(A, n)
    if counts < 0:
        raise ValueError(f"expected a number of counts, got {counts}")
    return moved_profile(A, level, n=counts, sigma=sigma, per_key=_whole(A, steps))


def _discrete_gaussian_loss(A: Arithmetic, sigma: Number, k: Number) -> Any:
    from proofs_numeric.arithmetic.discrete_gaussian import withheld_loss

    return withheld_loss(A, sigma, _whole(A, k))


def _whole(A: Arithmetic, n: Number) -> int:
    whole = floor_of(A, n)
    if n != whole:
        raise ValueError(f"expected an integer in a law, got {n}")
    return whole


_FUNCTIONS: dict[str, Formula] = {
    "Add": lambda _A, *xs: functools.reduce(operator.add, xs),
    "Mul": lambda _A, *xs: functools.reduce(operator.mul, xs),
    "exp": lambda A, x: A.exp(x),
    "log": lambda A, x: A.log(x),
    "erf": lambda A, x: 2 * normal_cdf(A, x * A.sqrt(A.number(2))) - 1,
    "erfinv": lambda A, x: normal_quantile_complement(A, (1 - x) / 2) / A.sqrt(A.number(2)),
    "floor": lambda A, x: A.number(floor_of(A, x)),
    "BinomialMass": lambda A, n, p, v: _binomial_tail(A, n, p, v) - _binomial_tail(A, n, p, v + 1),
    "BinomialTail": _binomial_tail,
    "SharedLoss": _shared_loss,
    "PairStick": _pair_stick,
    "LaplaceProfile": _laplace_profile,
    "DiscreteGaussianProfile": _discrete_gaussian_profile,
    "DiscreteGaussianLoss": _discrete_gaussian_loss,
    "Abs": lambda A, x: A.maximum(x, -x),
    "Max": lambda A, *xs: A.maximum(*xs),
    "Min": lambda A, *xs: A.minimum(*xs),
}
"""The functions, by the names of SymPy's classes."""
