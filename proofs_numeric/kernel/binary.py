"""Sums over integers by their binary digits: SymPy is given parameters for the digits, and one term for the sum."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy

from proofs_numeric.arithmetic import Ball, exact
from proofs_numeric.arithmetic.binary import binary_digits, numbers_by_ones, sum_by_ones
from proofs_numeric.arithmetic.derivative import evaluate_expression
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.kernel import expressions
from proofs_numeric.kernel.recording import ExpressionError, Recording
from proofs_numeric.statements.box import Box, Parameter

_ONES, _TOTAL = sympy.Dummy("ones", positive=True), sympy.Dummy("total", real=True)


@dataclass(frozen=True, eq=False)
class Counting(Recording):
    """SymPy expressions with symbols for an integer's digits and for a sum, whose term is kept."""

    number_of: Any = None
    digits: Any = None
    terms: list[Any] = field(default_factory=list)

    def require(self, n: Any) -> None:
        """Refuse another integer."""
        if self.number(n).built != self.number_of:
            raise ExpressionError(
                f"expected the binary digits of {self.number_of}, got those of {self.number(n).built}"
            )


@binary_digits.register
def _(A: Counting, n: Any) -> Any:
    A.require(n)
    return A.number(A.digits)


@sum_by_ones.register
def _(A: Counting, n: Any, term: Callable[[Any], Any]) -> Any:
    A.require(n)
    A.terms.append(A.number(term(A.number(_ONES))).built)
    if A.terms[0] != A.terms[-1]:
        raise ExpressionError("expected one sum, got another beside it")
    return A.number(_TOTAL)


def counted(formulas: tuple[Formula, Formula], box: Box, name: str) -> tuple[list[Any], Any, Box]:
    """The sides, each with the largest term so often as there are integers; the sum's coefficient; the box with both.

    Raises:
        ExpressionError: no sum or several, one not on the left alone or not linear there, or an expression that is not
            the formula in balls, at the digits and the sum, or not defined on the whole box.

    """
    A, built, symbols, wide = _with_sum(formulas, box, name)
    n = symbols[name]
    if not A.terms or built[1].has(_TOTAL):
        raise ExpressionError("expected a sum by binary digits on the left alone")
    slope = sympy.diff(built[0], _TOTAL)
    if slope.has(_TOTAL):
        raise ExpressionError("expected a left side that is linear in the sum")
    largest = {_ONES: 1 + symbols["share"] * (symbols["digits"] - 1)}
    term = A.terms[0].xreplace(largest)
    sides = [side.xreplace({_TOTAL: n * term}) for side in built]
    for side in (*sides, slope, term):
        expressions.require_defined(side, wide, [one.xreplace(largest) for one in A.taken])
    return sides, slope, wide


def difference(formulas: tuple[Formula, Formula], box: Box, name: str) -> tuple[Any, Any]:
    """The first formula less the second, of one sum by the binary digits of ``name``; the symbols of the second.

    Raises:
        ExpressionError: the formulas have different sums, or an expression is not the formula in balls.

    """
    A, (first, second), _symbols, _wide = _with_sum(formulas, box, name)
    return first - second, second.free_symbols.union(*(term.free_symbols for term in A.terms))


def _with_sum(
    formulas: tuple[Formula, Formula], box: Box, name: str
) -> tuple[Counting, list[Any], Mapping[str, Any], Box]:
    """The formulas on symbols, with one for the digits of ``name`` and one for the sum; the box with both."""
    if name not in box.names or not box[name].integer or box[name].choices or box[name].lower == "-infinity":
        raise ExpressionError(f"expected an integer from 1 on, got {name}")
    ends = [end if end == "infinity" else exact(end) for end in (box[name].lower, box[name].upper)]
    if not isinstance(ends[0], int) or ends[0] < 1 or {"digits", "share"} & set(box.names):
        raise ExpressionError(f"expected an integer from 1 on, and no digits or share, got {', '.join(box.names)}")
    low, high = (end.bit_length() if isinstance(end, int) else end for end in ends)
    digits = Parameter("digits", f"binary digits of {name}", lower=low, upper=high, integer=True)
    wide = expressions.with_more(box, digits, Parameter("share", "of the digits", upper=1))
    symbols = expressions.symbols_of(wide)
    n = symbols[name]
    A = Counting(number_of=n, digits=symbols["digits"])
    built = [A.expression(formula, {one: symbols[one] for one in box.names}) for formula in formulas]
    if not A.terms:
        raise ExpressionError(f"expected a sum over the integers up to {name}, got none")

    def with_digits(ball: Ball, values: Mapping[Any, Any]) -> dict[Any, Any]:
        last = int(values[n].unique_fmpz() if n.is_Symbol else n)
        numbers = {**values, symbols["digits"]: ball.number(last.bit_length())}
        terms = (
            count * evaluate_expression(ball, A.terms[0], {**numbers, _ONES: ball.number(ones)})
            for ones, count in numbers_by_ones(last).items()
        )
        return {**numbers, _TOTAL: ball.sum(terms)}

    for formula, side in zip(formulas, built, strict=True):
        expressions.require_agreement(formula, side, symbols, box, with_digits)
    return A, built, symbols, wide
