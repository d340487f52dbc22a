"""Formulas as expressions: one tree that is evaluated, printed, differentiated, substituted into and changed."""

from proofs_numeric.expression.derivative import derivative
from proofs_numeric.expression.functions import (
    Phi,
    exp,
    expm1,
    floor,
    larger,
    log,
    log1p,
    log_cdf,
    maximum,
    mills,
    minimum,
    phi,
    pi,
    power,
    profile,
    quantile,
    quantile_complement,
    sqrt,
)
from proofs_numeric.expression.nodes import Expression, Function, algorithm, apply, lift, symbol, symbols
from proofs_numeric.expression.paper import Paper
from proofs_numeric.expression.printing import Notation, latex, statement, text
from proofs_numeric.expression.statements import (
    at_most,
    claim,
    eq,
    factors,
    largest_of,
    part,
    print_statement,
    product_of,
    sum_of,
)

__all__ = [
    "Expression", "Function", "Notation", "Paper", "Phi", "algorithm", "apply", "at_most", "claim", "derivative", "eq",
    "exp", "expm1", "factors", "floor", "larger", "largest_of", "latex", "lift", "log", "log1p", "log_cdf", "maximum",
    "mills", "minimum", "part", "phi", "pi", "power", "print_statement", "product_of", "profile", "quantile",
    "quantile_complement", "sqrt", "statement", "sum_of", "symbol", "symbols", "text",
]  # fmt: skip
