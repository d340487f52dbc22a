"""Numbers that a formula says by what holds of them, a root or a ceiling: SymPy is given a parameter in their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy

from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.derivative import evaluate_expression
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.integer_part import ceiling_of_half, ceiling_of_root, floor_of
from proofs_numeric.arithmetic.roots import Increasing, increasing_root
from proofs_numeric.kernel import expressions
from proofs_numeric.kernel.expressions import ExpressionError, Recording
from proofs_numeric.statements.box import Box, Parameter

AT = sympy.Dummy("x", real=True)
"""Where the function of a root is read."""


@dataclass(frozen=True)
class Root:
    """`increasing_root` of ``excess``, at `AT`, between its ends."""

    excess: Any
    lower: Any
    upper: Any

    def value(self, A: Ball, values: Mapping[Any, Any]) -> Any:
        """The root at values of the symbols."""
        ends = (evaluate_expression(A, end, dict(values)) for end in (self.lower, self.upper))
        return increasing_root(A, lambda x: evaluate_expression(A, self.excess, {**values, AT: x}), *ends)


@dataclass(frozen=True)
class Ceiling:
    """The least integer that is not below a number."""

    of: Any

    def value(self, A: Ball, values: Mapping[Any, Any]) -> Any:
        """The integer at values of the symbols."""
        return A.number(-floor_of(A, -evaluate_expression(A, self.of, dict(values))))


@dataclass(frozen=True, eq=False)
class Naming(Recording):
    """SymPy expressions with the next of ``symbols`` for each root and each ceiling; equal ones have one symbol."""

    symbols: Sequence[Any] = ()
    found: list[Root | Ceiling] = field(default_factory=list)

    def symbol_of(self, what: Root | Ceiling) -> Any:
        """The symbol that stands for it."""
        if what not in self.found:
            self.found.append(what)
        if len(self.found) > len(self.symbols):
            raise ExpressionError(f"expected a parameter for each root or ceiling, got {len(self.symbols)}")
        return self.symbols[self.found.index(what)]

    def values(self, A: Ball, values: Mapping[Any, Any]) -> dict[Any, Any]:
        """The values of symbols, with those of its own."""
        more = dict(values)
        for symbol, what in zip(self.symbols, self.found, strict=True):
            more[symbol] = what.value(A, more)
        return more


@increasing_root.register
def _(A: Naming, function: Increasing, lower: Any, upper: Any, *parameters: Any) -> Any:
    before = len(A.taken)
    excess = A.number(function(AT, *parameters))
    del A.taken[before:]  # at the root's own values they are the tactic's to show
    return A.symbol_of(Root(excess, A.number(lower), A.number(upper)))


@ceiling_of_root.register
def _(A: Naming, n: Any) -> Any:
    return A.symbol_of(Ceiling(sympy.sqrt(_whole(n))))


@ceiling_of_half.register
def _(A: Naming, n: Any) -> Any:
    return A.symbol_of(Ceiling(_whole(n) / 2))


def _whole(n: Any) -> Any:
    """An expression that is an integer, or ExpressionError."""
    if not sympy.sympify(n).is_integer:
        raise ExpressionError(f"expected an integer to take the ceiling of, got {n}")
    return n


def named(formulas: Sequence[Formula], box: Box, parameters: Sequence[Parameter]) -> tuple[list[Any], list[Any], Box]:
    """The formulas' expressions with a parameter for each root or ceiling, what those are, and the box with them.

    The parameters stand in the order in which the formulas come upon what they are named for.

    Raises:
        ExpressionError: more or fewer roots and ceilings than parameters, or an expression that is not the formula in
            balls, where each parameter is the root or ceiling that it stands for, or not defined on the whole box.

    """
    taken = [one.name for one in parameters if one.name in box.names]
    if taken:
        raise ExpressionError(f"expected a name of its own for each root or ceiling, got {taken[0]}")
    said, names = box.constraint, box.names
    constraint = None if said is None else lambda **at: said(**{name: at[name] for name in names})
    wide = Box((*box.parameters, *parameters), constraint, box.constraint_text)
    symbols = expressions.symbols_of(wide)
    A = Naming(symbols=[symbols[one.name] for one in parameters])
    try:
        built = [A.number(formula(A, **{name: symbols[name] for name in names})) for formula in formulas]
    except (AttributeError, NotImplementedError, TypeError, ValueError) as error:
        raise ExpressionError(f"the formula has no SymPy expression: {' '.join(str(error).split())}") from error
    if len(A.found) < len(parameters):
        raise ExpressionError(f"expected {len(parameters)} roots and ceilings, got {len(A.found)}")
    for formula, expression in zip(formulas, built, strict=True):
        expressions.require_agreement(formula, expression, symbols, box, A.values)
        expressions.require_defined(expression, wide, A.taken)
    return built, A.found, wide
