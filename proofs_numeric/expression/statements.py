"""Claims, comparisons and parts of proofs of expressions."""

import functools
import operator
from dataclasses import replace
from typing import Any

from proofs_numeric.expression.nodes import lift
from proofs_numeric.expression.printing import Notation
from proofs_numeric.expression.printing import statement as printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role, Source
from proofs_numeric.statements.kinds import AtMost, Identity, Kind
from proofs_numeric.statements.tactics import Maximum, Part, Product, Sum, Tactic


def claim(
    identifier: str,
    source: Source,
    title: str,
    statement: str | None,
    kind: Kind,
    *,
    proof: Tactic | None = None,
    notation: Notation | None = None,
    domain: Box | tuple[Parameter, ...] = (),
    **more: Any,
) -> Claim:
    """Return a claim with a proof for its kind; a ``statement`` of None is printed from the kind, with the notation.

    The ``domain`` is the claim's parameters, or a box where a constraint ties them.
    """
    proved: Kind = kind if proof is None else replace(kind, proof=proof)  # type: ignore[arg-type]
    box = Box(domain) if isinstance(domain, tuple) else domain
    names: dict[str, Any] = {"id": identifier, "source": source, "title": title, "kind": proved, "domain": box, **more}
    made = Claim(statement=statement or "", notation=notation or {}, **names)
    return made if statement is not None else replace(made, statement=_statement(made))


def print_statement(claim: Claim) -> str:
    """Return the statement printed from the formulas of a claim; empty if one of them is not an expression."""
    try:
        return _statement(claim)
    except TypeError:
        return ""


def _statement(claim: Claim) -> str:
    letter = _LETTER.get(claim.quantity, rf"\text{{{claim.quantity}}}")
    return printed(claim.kind, claim.notation, f"{letter} {_SIGN.get(claim.role, '=')}")


_LETTER = {
    QuantityKind.DELTA: r"\delta", QuantityKind.EPSILON: r"\epsilon", QuantityKind.THRESHOLD: r"\tau",
    QuantityKind.SCALE: r"\sigma", QuantityKind.RHO: r"\rho",
}  # fmt: skip
_SIGN = {Role.UPPER: r"\le", Role.LOWER: r"\ge"}


def eq(left: Any, right: Any) -> Identity:
    """Return the statement that two expressions are equal."""
    return Identity(lift(left), lift(right))


def at_most(left: Any, right: Any, *, strict: bool = False) -> AtMost:
    """Return the hypothesis ``left <= right``, or ``left < right``."""
    return AtMost(lift(left), lift(right), strict)


def part(value: Any) -> Part:
    """Return an expression, or an expression with the proof of its sign, as a part of a sum or a product."""
    return value if isinstance(value, Part) else Part(*value) if isinstance(value, tuple) else Part(lift(value))


def product_of(*parts: Any) -> Product:
    """Return the tactic: the gap is the product of the parts, each an expression or ``(expression, proof)``."""
    return Product(tuple(map(part, parts)))


def sum_of(*parts: Any) -> Sum:
    """Return the tactic: the gap is the sum of the parts, each an expression or ``(expression, proof)``."""
    return Sum(tuple(map(part, parts)))


def largest_of(*parts: Any, inside: bool = False) -> Maximum:
    """Return the tactic: one side is the largest of the parts, each an expression or ``(expression, proof)``."""
    return Maximum(tuple(map(part, parts)), inside=inside)


def factors(*parts: Any) -> Part:
    """Return a product as one part whose factors have proofs of their own."""
    made = tuple(map(part, parts))
    return Part(functools.reduce(operator.mul, (one.formula for one in made)), Product(made))
