"""Values that balls leave open, decided by exact differences of rationals or by SymPy."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction

from proofs_numeric.arithmetic.enclosure import (
    BRACKET_BITS,
    START_BITS,
    Enclosure,
    NotEnclosedError,
    enclose,
    enclosed_at,
)
from proofs_numeric.arithmetic.formula import Formula, Value


def enclose_exactly(formula: Formula, point: Mapping[str, Value], digits: int) -> Enclosure | None:
    """Return the enclosure if exact differences of the parameters decide a tie that balls leave open."""
    with suppress(NotEnclosedError):
        return enclose(formula, point, digits, BRACKET_BITS, exactly=True)
    return None


def enclose_tie(formula: Formula, point: Mapping[str, Value], digits: int) -> Enclosure | None:
    """Return the same, or 0 if that is the value by SymPy; None where the value stays open."""
    enclosure = enclose_exactly(formula, point, digits)
    return (
        Enclosure(Fraction(0), Fraction(0), START_BITS) if enclosure is None and _is_tie(formula, point) else enclosure
    )


def _is_tie(formula: Formula, point: Mapping[str, Value]) -> bool:
    """Return whether the value is exactly 0 by SymPy at the exact parameters, and 0 lies in its ball."""
    try:
        import sympy

        from proofs_numeric.arithmetic.symbolic import Symbolic
    except ImportError:
        return False
    rationals = {
        name: sympy.Rational(*x.as_integer_ratio()) if isinstance(x, Fraction) else x for name, x in point.items()
    }
    try:
        value = formula(Symbolic(), **rationals)
    except (ArithmeticError, AttributeError, NotImplementedError, TypeError, ValueError):
        return False
    ball = enclosed_at(formula, point, START_BITS)
    return value == 0 and ball is not None and ball.lower <= 0 <= ball.upper
