"""Roots: numbers that a formula says by where a function vanishes.  SymPy is given a parameter in the place of one."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy

from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.arithmetic import Number
from proofs_numeric.arithmetic.derivative import evaluate_expression
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.roots import Increasing, increasing_root
from proofs_numeric.arithmetic.special import integral
from proofs_numeric.kernel import expressions
from proofs_numeric.kernel.boxes import ranges_of
from proofs_numeric.kernel.recording import ExpressionError, Recording
from proofs_numeric.statements.box import Box, Parameter, grid

AT = sympy.Dummy("x", real=True)
"""Where the function of a root is read."""
_POINTS = 32
"""At most, where balls are looked at."""


@dataclass(frozen=True)
class Root:
    """`increasing_root` of ``excess``, at `AT`, between its ends; what its function takes on the way."""

    excess: Any
    lower: Any
    upper: Any
    taken: tuple[Any, ...]

    def value(self, A: Ball, values: Mapping[Any, Any]) -> Any:
        """The root at values of the symbols."""
        ends = (evaluate_expression(A, end, dict(values)) for end in (self.lower, self.upper))
        return increasing_root(A, lambda x: evaluate_expression(A, self.excess, {**values, AT: x}), *ends)


@dataclass(frozen=True, eq=False)
class Naming(Recording):
    """SymPy expressions with ``symbol`` for a root, as often as it is met."""

    symbol: Any = None
    roots: list[Root] = field(default_factory=list)


@increasing_root.register
def _(A: Naming, function: Increasing, lower: Any, upper: Any, *parameters: Any) -> Any:
    before = len(A.taken)
    excess = A.number(function(A.number(AT), *parameters)).built
    taken = tuple(A.taken[before:])
    del A.taken[before:]  # at the root's own values they are the tactic's to show
    root = Root(excess, A.number(lower).built, A.number(upper).built, taken)
    if A.roots and A.roots[0] != root:
        raise ExpressionError("expected one root, got another beside it")
    A.roots.append(root)
    return A.number(A.symbol)


@dataclass(frozen=True, eq=False)
class Blind(Recording):
    """SymPy expressions in which roots, integrals and enclosed numbers are such of which nothing is known."""

    def between(self, _x: Number, _y: Number) -> Any:
        return self.unknown

    @property
    def unknown(self) -> Any:
        """A number of which nothing is known."""
        return self.number(sympy.Dummy(real=True))


@increasing_root.register
def _(A: Blind, function: Increasing, _lower: Any, _upper: Any, *parameters: Any) -> Any:
    function(A.unknown, *parameters)
    return A.unknown


@integral.register
def _(A: Blind, integrand: Formula, _lower: Any, _upper: Any, **_how: Any) -> Any:
    integrand(A, A.unknown)
    return A.unknown


def require_enclosed(formula: Formula, box: Box) -> None:
    """Refuse a formula that balls do not enclose, as one that asks how a value compares: they say no or cannot tell.

    Raises:
        ExpressionError: it asks, or is not seen not to ask, or has a value beside that on a box that the point is in.

    """
    Blind().expression(formula, expressions.symbols_of(box))
    ends, ball = ranges_of(box), Ball()
    for point in itertools.islice(grid(box, 1), _POINTS):
        at = {name: Fraction(value) for name, value in point.items()}
        beside = {name: x + (ends[name][x != ends[name][1]] - x) / 8 for name, x in at.items()}
        with ball:
            here = formula(ball, **{name: ball.number(x) for name, x in at.items()})
            near = formula(ball, **{name: ball.interval(x, beside[name]) for name, x in at.items()})
            if not ball.number(near).overlaps(ball.number(here)):
                where = ", ".join(f"{name}={x}" for name, x in at.items())
                raise ExpressionError(f"the formula's value on a box does not hold that at a point of it, {where}")


@dataclass(frozen=True)
class Implicit:
    """Formulas' expressions with a parameter for the root in them, that root, and the box with the parameter."""

    built: Sequence[Any]
    has_root: Sequence[bool]
    root: Root
    box: Box
    unseen: Sequence[expressions.Unseen]
    """What is missing for the expressions to be defined on the whole box."""


def name_root(formulas: Sequence[Formula], box: Box, parameter: Parameter) -> Implicit:
    """The formulas' expressions with the parameter for the root in them.

    Raises:
        ExpressionError: no root or several, or an expression that is not the formula in balls, where the parameter is
            the root that it stands for.

    """
    if parameter.name in box.names:
        raise ExpressionError(f"expected a name of its own for the root, got {parameter.name}")
    wide = expressions.with_more(box, parameter)
    symbols = expressions.symbols_of(wide)
    A = Naming(symbol=symbols[parameter.name])
    built, has_root = [], []
    for formula in formulas:
        before = len(A.roots)
        built.append(A.expression(formula, {name: symbols[name] for name in box.names}))
        has_root.append(len(A.roots) > before)
    if not A.roots:
        raise ExpressionError("expected a root, got none")
    root = A.roots[0]
    unseen: dict[Any, expressions.Unseen] = {}
    for formula, expression in zip(formulas, built, strict=True):
        expressions.require_agreement(
            formula, expression, symbols, box, lambda ball, values: {**values, A.symbol: root.value(ball, values)}
        )
        for one in expressions.undefined(expression, wide, A.taken):
            unseen[one.needed] = one if one.strict else unseen.get(one.needed, one)
    return Implicit(built, has_root, root, wide, tuple(unseen.values()))
