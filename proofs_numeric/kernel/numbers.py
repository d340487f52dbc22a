"""The kernel on numbers: enclosures decide whether a formula gives the printed digits, and how two numbers compare."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from proofs_numeric.arithmetic.enclosure import Enclosure, NotEnclosedError, Order, compare, enclose, precisions
from proofs_numeric.statements.kinds import Quantity, Reading
from proofs_numeric.statements.statement import Statement
from proofs_numeric.statements.verdict import Verdict


@dataclass(frozen=True)
class Printed:
    """What an enclosure of ``digits`` digits says of a printed number; no enclosure, no verdict."""

    enclosure: Enclosure | None
    digits: int
    verdict: Verdict


def decide_printed(kind: Quantity, digits: int) -> Printed:
    """Decide whether the formula's value, enclosed to ``digits`` digits or more, reads as printed."""
    digits = max(digits, printed_digits(kind.printed) + 5)
    try:
        enclosure = enclose(kind.formula, {}, digits)
    except NotEnclosedError:
        comparison = compare(kind.formula, lambda A: A.number(kind.printed), {}, precisions())
        if comparison.left is None:
            return Printed(None, digits, Verdict.UNDECIDED)
        enclosure = comparison.left
        agrees: bool | None = comparison.order is Order.EQUAL or reads_as(enclosure, kind.printed, kind.reading)
    else:
        agrees = reads_as(enclosure, kind.printed, kind.reading)
    verdict = {True: Verdict.PROVED, False: Verdict.REFUTED, None: Verdict.UNDECIDED}[agrees]
    return Printed(enclosure, digits, verdict)


def decide_order(statement: Statement) -> Verdict:
    """Decide a comparison of two numbers; that both sides of an equation have one enclosure proves nothing.

    Errors: ValueError for a statement with parameters.
    """
    if statement.box.names:
        raise ValueError(f"expected a statement without parameters, got one about {', '.join(statement.box.names)}")
    comparison = statement.compare({})
    if comparison is not None and statement.violated_by(comparison):
        return Verdict.REFUTED
    if comparison is None or not statement.tested_by(comparison):
        return Verdict.UNDECIDED
    return Verdict.CONSISTENT if statement.relation == "=" else Verdict.PROVED


def printed_digits(printed: str) -> int:
    """Significant digits of a printed decimal."""
    mantissa = printed.lower().split("e")[0].lstrip("+-").replace(".", "").lstrip("0")
    return max(len(mantissa), 1)


def reads_as(enclosure: Enclosure, printed: str, reading: Reading) -> bool | None:
    """Whether the enclosed number gives the printed digits under the reading; None where the enclosure is too wide."""
    target = Fraction(printed)
    if reading is Reading.ORDER:
        return target / 10 < enclosure.lower and enclosure.upper < target * 10 if target > 0 else None
    unit = Fraction(10) ** (_exponent_of_last_digit(printed))
    cut = target + (unit if target >= 0 else -unit)
    low, high, left_out = {
        Reading.NEAREST: (target - unit / 2, target + unit / 2, None),
        Reading.TRUNCATED: (min(target, cut), max(target, cut), cut),
        Reading.ROUNDED_UP: (target - unit, target, target - unit),
    }[reading]
    if enclosure.upper < low or enclosure.lower > high or enclosure.lower == enclosure.upper == left_out:
        return False
    inside = low <= enclosure.lower and enclosure.upper <= high
    return True if inside and left_out not in {enclosure.lower, enclosure.upper} else None


def _exponent_of_last_digit(printed: str) -> int:
    mantissa, _, exponent = printed.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    return int(exponent or 0) - decimals
