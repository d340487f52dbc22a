"""How a printed number or a comparison of two numbers becomes a claim."""

from typing import Any

from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import Inequality, Kind, Quantity, Reading
from proofs_numeric.statements.tactics import Boxes
from proofs_numeric.wilkins2024.parameters import own, refuted, stated


def claim(row: str, locator: str, title: str, statement: str | None, kind: Kind, *, by: str = "", **rest: Any) -> Claim:
    """A claim of the paper, false where ``by`` corrects it; of this project where it corrects one or has no place."""
    if by:
        return refuted(row, locator, title, statement, kind, by=by, **rest)
    made = own if row.endswith(".corrected") or not locator else stated
    return made(row, locator or "Section 6", title, statement, kind, **rest)


def number(
    row: str, locator: str, title: str, formula: Formula, value: str, reading: Reading = Reading.NEAREST, **rest: Any
) -> Claim:
    """A printed number with the reading that gives its digits."""
    return claim(
        row, locator, title, rf"{value} \text{{ ({reading.value})}}", Quantity(formula, value, reading), **rest
    )


def our_number(row: str, title: str, formula: Formula, value: str, **rest: Any) -> Claim:
    """A number of this project about the case study, kept as a regression."""
    return number(row, "", title, formula, value, **rest)


def compared(
    row: str, locator: str, title: str, statement: str | None, kind: Inequality, *, by: str = "", **rest: Any
) -> Claim:
    """A comparison of two constants; where it is said to hold, one enclosure proves it."""
    return claim(row, locator, title, statement, kind, by=by, proof=None if by else Boxes(bits=192), **rest)
