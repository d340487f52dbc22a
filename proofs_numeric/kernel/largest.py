"""Largest terms: SymPy is given the term at a new integer in the place of the largest of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.derivative import evaluate_expression
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.largest import largest_term
from proofs_numeric.kernel import expressions
from proofs_numeric.kernel.recording import ExpressionError, Recording
from proofs_numeric.statements.box import Box, Parameter


@dataclass(frozen=True, eq=False)
class Choosing(Recording):
    """SymPy expressions with the term at ``place`` for the largest one, kept beside the number of terms."""

    place: Any = None
    found: list[tuple[Any, Any]] = field(default_factory=list)


@largest_term.register
def _(A: Choosing, term: Callable[[Any], Any], number: Any, search: Callable[[Any], Any] | None = None) -> Any:
    del search
    A.found.append((A.number(term(A.number(A.place))).built, A.number(number).built))
    if A.found[0] != A.found[-1]:
        raise ExpressionError("expected one largest term, got another beside it")
    return A.number(A.found[0][0])


def chosen(formulas: Sequence[Formula], box: Box, name: str) -> tuple[list[Any], Any, str, Box]:
    """The sides with a term for the largest, that term, the parameter that counts them, and the box with its place.

    Raises:
        ExpressionError: no largest term or several, not as many as an integer parameter from 1 on says, or an
            expression that is not the formula in balls, where the place is that of the largest, or not defined.

    """
    if box.constraint is not None or name in box.names:
        raise ExpressionError(f"expected no constraint, and a name of its own for the place, got {name}")
    place = Parameter(name, "place of a term", integer=True)
    free = expressions.symbols_of(Box((*box.parameters, place)))
    A = Choosing(place=free[name])
    built = [A.expression(formula, {one: free[one] for one in box.names}) for formula in formulas]
    if not A.found:
        raise ExpressionError("expected a largest term, got none")
    term, number = A.found[0]
    count = next((one for one in box.parameters if free[one.name] == number), None)
    if count is None or not count.integer or not number.is_Symbol or not number.is_positive:
        raise ExpressionError(f"expected as many terms as an integer parameter from 1 on says, got {number}")
    last = count.name

    def inside(**values: Any) -> Any:
        return values[last] - 1 - values[name] >= 0

    wide = Box((*box.parameters, place), inside, f"{name} < {last}")

    def at_largest(ball: Ball, values: Mapping[Any, Any]) -> dict[Any, Any]:
        terms = []
        for at in range(int(values[number].unique_fmpz())):
            here = {**values, A.place: ball.number(at)}
            terms.append((float(ball.number(evaluate_expression(ball, term, here)).mid()), here))
        return max(terms, key=lambda one: one[0])[1]

    for formula, side in zip(formulas, built, strict=True):
        expressions.require_agreement(formula, side, free, _few(box, last), at_largest)
    for side in (*built, term):
        expressions.require_defined(side, wide, A.taken)
    return built, term, last, wide


_MOST = 8
"""Terms, at points where an expression is held against its formula."""


def _few(box: Box, name: str) -> Box:
    """The box's points with few terms."""
    return Box(box.parameters, lambda **values: values[name] <= _MOST, f"{name} <= {_MOST}")
