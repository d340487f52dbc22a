"""Largest terms: SymPy is given the term at a new integer in the place of the largest of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.derivative import evaluate_expression
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.largest import largest_of_pairs, largest_term
from proofs_numeric.kernel import expressions
from proofs_numeric.kernel.recording import ExpressionError, Recording
from proofs_numeric.statements.box import Box, Parameter


@dataclass(frozen=True, eq=False)
class Choosing(Recording):
    """SymPy expressions with the term at ``places`` for the largest one, kept beside the number of terms."""

    places: tuple[Any, ...] = ()
    terms: list[tuple[Any, Any]] = field(default_factory=list)

    def largest(self, term: Callable[..., Any], number: Any) -> Any:
        """The term there.

        Raises:
            ExpressionError: there is another one beside it.

        """
        self.terms.append((self.number(term(*map(self.number, self.places))).built, self.number(number).built))
        if self.terms[0] != self.terms[-1]:
            raise ExpressionError("expected one largest term, got another beside it")
        return self.number(self.terms[0][0])


@largest_term.register
def _(A: Choosing, term: Callable[[Any], Any], number: Any, search: Callable[[Any], Any] | None = None) -> Any:
    del search
    return A.largest(term, number)


@largest_of_pairs.register
def _(A: Choosing, term: Callable[[Any, Any], Any], number: Any, search: Callable[[Any], Any] | None = None) -> Any:
    del search
    return A.largest(term, number)


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
    A = Choosing(places=(free[name],))
    built = [A.expression(formula, {one: free[one] for one in box.names}) for formula in formulas]
    if not A.terms:
        raise ExpressionError("expected a largest term, got none")
    term, number = A.terms[0]
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
            here = {**values, free[name]: ball.number(at)}
            terms.append((float(ball.number(evaluate_expression(ball, term, here)).mid()), here))
        return max(terms, key=lambda one: one[0])[1]

    for formula, side in zip(formulas, built, strict=True):
        expressions.require_agreement(formula, side, free, _few(box, last), at_largest)
    for side in (*built, term):
        expressions.require_defined(side, wide, A.taken)
    return built, term, last, wide


def require_largest(bound: Formula, box: Box, term: Formula, wide: Box, places: tuple[str, str], number: str) -> None:
    """Refuse a bound that is not the largest term, at integers l, j >= 0 with ``l + j <= number``, places of ``wide``.

    Raises:
        ExpressionError: the bound is no largest term, of other terms, or in balls it is not the largest.

    """
    free, built = expressions.symbols_of(wide), expressions.expression(term, wide)
    A = Choosing(places=tuple(free[name] for name in places))
    of_term = A.expression(bound, {one: free[one] for one in box.names})
    if A.terms != [(of_term, free[number])] or not expressions.vanishes(of_term - built):
        raise ExpressionError(f"expected the largest {built} of the pairs of {number} counters, got {of_term}")

    def at_largest(ball: Ball, values: Mapping[Any, Any]) -> dict[Any, Any]:
        count = int(values[free[number]].unique_fmpz())
        pairs = ((l, j) for l in range(count + 1) for j in range(count + 1 - l))
        terms = ({**values, **{free[one]: ball.number(n) for one, n in zip(places, at, strict=True)}} for at in pairs)
        return max(terms, key=lambda here: float(ball.number(evaluate_expression(ball, built, here)).mid()))

    expressions.require_agreement(bound, built, free, _few(box, number, _MOST_COUNTERS), at_largest, Ball)


_MOST = 8
_MOST_COUNTERS = 3
"""Terms, and counters of pairs, at points where an expression is held against its formula."""


def _few(box: Box, name: str, most: int = _MOST) -> Box:
    """The box's points with few terms."""
    return Box(box.parameters, lambda **values: values[name] <= most, f"{name} <= {most}")
