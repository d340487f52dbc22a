"""How a printed number or a comparison of two numbers becomes a claim."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.arithmetic.formula import Formula, Value
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import Inequality, Kind, Quantity, Reading
from proofs_numeric.statements.tactics import Boxes
from proofs_numeric.statements.verdict import Expectation
from proofs_numeric.wilkins2024.parameters import ours, printed


def constant(value: Value) -> Formula:
    """The formula whose value is an exact number."""

    def formula(A: Arithmetic, **_parameters: Any) -> Any:
        return A.number(value)

    return formula


def minus(left: Formula, right: Formula) -> Formula:
    """The difference of two formulas."""

    def formula(A: Arithmetic, **parameters: Any) -> Any:
        return left(A, **parameters) - right(A, **parameters)

    return formula


def claim(where: str, locator: str, title: str, statement: str, kind: Kind, **rest: Any) -> Claim:
    """A claim of the paper; of this project where it corrects one or ``source`` says so."""
    place = ours if where.endswith(".corrected") else printed
    return Claim(
        id=f"wilkins2024.{where}",
        source=rest.pop("source", place(locator)),
        title=title,
        statement=statement,
        kind=kind,
        **rest,
    )


def number(
    where: str, locator: str, title: str, formula: Formula, value: str, reading: Reading = Reading.NEAREST, **rest: Any
) -> Claim:
    """A printed number with the reading that gives its digits."""
    return claim(
        where, locator, title, rf"{value} \text{{ ({reading.value})}}", Quantity(formula, value, reading), **rest
    )


def our_number(where: str, title: str, formula: Formula, value: str, **rest: Any) -> Claim:
    """A number of this project about the case study, kept as a regression."""
    return number(where, "", title, formula, value, source=ours("Section 6"), **rest)


def at_most(where: str, locator: str, title: str, statement: str, left: Formula, right: Formula, **rest: Any) -> Claim:
    """A comparison of two constants; where it is said to hold, one enclosure proves it."""
    holds = rest.get("expected", Expectation.HOLDS) is Expectation.HOLDS
    proof = Boxes(bits=192)
    return claim(where, locator, title, statement, Inequality(left, right, proof=proof if holds else None), **rest)


FALSE: Mapping[str, Any] = {"expected": Expectation.REFUTED}
"""Of a statement that is false as printed."""
