"""Expressions and statements as LaTeX and as plain text."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from proofs_numeric.expression.functions import exp, power
from proofs_numeric.expression.nodes import ADD, DIVIDE, MULTIPLY, NEGATE, POWER, SUBTRACT, Expression, Function
from proofs_numeric.expression.tidy import tidied
from proofs_numeric.statements.kinds import (
    Calibration,
    DeltaBound,
    Identity,
    Inequality,
    Kind,
    Monotonicity,
    Quantity,
    Relation,
)

Notation = Mapping[Expression, str]
"""A paper's LaTeX for its symbols, and for expressions that it has a letter for."""

_GREEK = frozenset({
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "kappa", "lambda"),
    *("mu", "nu", "rho", "sigma", "tau", "phi", "chi", "psi", "omega"),
})  # fmt: skip
_WRITTEN_OUT, _PLACES = 100, 4
"""Denominators up to which a fraction stays one, and decimal places up to which no power of ten is used."""
_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(1, 6)
"""How strongly an operation binds."""


@dataclass(frozen=True)
class _Form:
    """How an operation is written: a template, how strongly it binds, and how strongly each argument must."""

    template: str
    binds: int
    needs: tuple[int, ...]


_TEXT = {
    ADD: _Form("{0} + {1}", _SUM, (_SUM, _SUM)), SUBTRACT: _Form("{0} - {1}", _SUM, (_SUM, _PRODUCT)),
    MULTIPLY: _Form("{0} * {1}", _PRODUCT, (_PRODUCT, _SIGN)), DIVIDE: _Form("{0} / {1}", _PRODUCT, (_PRODUCT, _POWER)),
    POWER: _Form("{0}^{1}", _POWER, (_ATOM, _ATOM)), NEGATE: _Form("-{0}", _SIGN, (_PRODUCT,)),
}  # fmt: skip
_LATEX = {
    **_TEXT, MULTIPLY: _Form("{0} {1}", _PRODUCT, (_PRODUCT, _POWER)),
    DIVIDE: _Form(r"\frac{{{0}}}{{{1}}}", _POWER, (0, 0)), POWER: _Form("{0}^{{{1}}}", _POWER, (_ATOM, 0)),
    power: _Form("{0}^{{{1}}}", _POWER, (_ATOM, 0)), exp: _Form("e^{{{0}}}", _POWER, (0,)),
}  # fmt: skip


def text(expression: Expression) -> str:
    """Return the expression in plain text."""
    return _written(expression, _TEXT, {}, 0)


def latex(expression: Expression, notation: Notation | None = None) -> str:
    """Return the expression in LaTeX, with a paper's notation."""
    notation = notation or {}
    return _written(tidied(expression, notation.keys()), _LATEX, notation, 0)


def statement(kind: Kind, notation: Notation | None = None, value: str = r"\delta =") -> str:
    """Return what a claim states, in LaTeX: a comparison, a direction or the value of expressions.

    The ``value`` is what stands before the formula of a bound or a calibration.

    Where the notation has a letter for an expression in it, the expression follows.

    Raises:
        TypeError: a kind of another form, or a formula that is no expression.
    """
    notation = notation or {}
    start = sign = ending = ""
    match kind:
        case Inequality(Expression() as left, Expression() as right, relation):
            sides, sign = [left, right], r" < " if relation is Relation.LESS else r" \le "
        case Identity(Expression() as left, Expression() as right):
            sides, sign = [left, right], " = "
        case Monotonicity(Expression() as formula, parameter, increasing, strict):
            sides = [formula]
            moves = f"{'strictly ' * strict}{'increasing' if increasing else 'decreasing'}"
            ending = rf"\text{{ is {moves} in }}{_name(parameter)}"
        case DeltaBound(Expression() as formula) | Calibration(Expression() as formula):
            sides, start = [formula], f"{value} "
        case Quantity(Expression() as formula, number):
            sides, ending = [formula], rf" \approx {number}"
        case _:
            raise TypeError(
                f"expected a comparison, a direction or a value of expressions, got {kind.title!r} of others"
            )
    text = start + sign.join(latex(side, notation) for side in sides) + ending
    return r",\ ".join([text, *_definitions(sides, notation)])


def _definitions(sides: Iterable[Expression], notation: Notation) -> Iterator[str]:
    """What the letters stand for that are written in the sides, and in one another."""
    written: dict[Expression, None] = {}

    def visit(node: Expression) -> None:
        if node in notation and node.arguments:
            if node not in written:
                written[node] = None
                for argument in node.arguments:
                    visit(argument)
        else:
            for argument in node.arguments:
                visit(argument)

    for side in sides:
        visit(side)
    for node in written:
        rest = {other: name for other, name in notation.items() if other is not node}
        yield f"{notation[node]} = {latex(node, rest)}"


def _written(node: Expression, forms: Mapping[Function, _Form], notation: Notation, needs: int) -> str:
    """The text of a node, in brackets if it binds less than it needs to."""
    head = node.head
    if node in notation:
        return notation[node]
    if isinstance(head, str):
        return head if forms is _TEXT else _name(head)
    if isinstance(head, Fraction):
        over = forms[DIVIDE]
        text, binds = over.template.format(head.numerator, head.denominator), _SUM if head < 0 else over.binds
        if forms is _LATEX and head.denominator > _WRITTEN_OUT and (decimal := _decimal(head)):
            text, binds = decimal, _SUM if head < 0 else _PRODUCT if "cdot" in decimal else _ATOM
    elif isinstance(head, int):
        text, binds = str(head), _ATOM if head >= 0 else _SUM
    elif head in forms:
        form = forms[head]
        parts = [_written(one, forms, notation, need) for one, need in zip(node.arguments, form.needs, strict=True)]
        if head is MULTIPLY and forms is _LATEX and parts[1][0].isdigit():
            parts[1] = rf"\cdot {parts[1]}"
        text, binds = form.template.format(*parts), form.binds
    else:
        template = head.latex if forms is _LATEX else ""
        parts = [_written(one, forms, notation, _need(template, n)) for n, one in enumerate(node.arguments)]
        every = ", ".join(parts)
        name = head.name if forms is _TEXT else rf"\operatorname{{{head.name}}}".replace("_", r"\_")
        text, binds = template.format(*parts, all=every) or f"{name}({every})", _ATOM
    return text if binds >= needs else f"({text})" if forms is _TEXT else rf"\left({text}\right)"


def _decimal(number: Fraction) -> str:
    """A number as a decimal of few digits or with a power of ten, in LaTeX; empty for one that needs more digits."""
    places = next((k for k in range(40) if (number * 10**k).denominator == 1), None)
    if places is None:
        return ""
    digits = (number * 10**places).numerator
    if abs(digits) == 1:
        return rf"{'-' * (digits < 0)}10^{{-{places}}}"
    if places <= _PLACES:
        return f"{float(number):.{places}f}"
    return rf"{digits} \cdot 10^{{-{places}}}" if abs(digits) < _WRITTEN_OUT else ""


def _need(template: str, place: int) -> int:
    """How strongly an argument must bind in a template: after a minus sign as a product does, below a power wholly."""
    name = rf"\{{{place}\}}"
    return _ATOM if re.search(name + r"\^", template) else _PRODUCT if re.search("- ?" + name, template) else 0


def _name(name: str) -> str:
    """A symbol's name in LaTeX: a Greek letter, or a letter with an index, or a word in upright letters."""
    letter, _underscore, index = name.partition("_")
    symbol = rf"\{letter}" if letter in _GREEK else letter if len(letter) == 1 else rf"\mathrm{{{letter}}}"
    return f"{symbol}_{{{index}}}" if index else symbol
