"""Three-valued comparison of enclosures, precision doubling, root bracketing, branch and bound.

Nothing here returns a float.  A comparison that cannot be decided says so and names the precision it reached.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

import flint

from proofs_numeric.arithmetic.ball import Ball
from proofs_numeric.arithmetic.exact_balls import ExactBalls
from proofs_numeric.arithmetic.formula import Formula, Value, evaluate_in
from proofs_numeric.arithmetic.rational import Rational
from proofs_numeric.arithmetic.special import as_fraction

START_BITS = 128

LAST_BITS = 8192


@dataclass(frozen=True)
class Enclosure:
    """A real number between two exact rationals, found at ``bits`` bits."""

    lower: Fraction
    upper: Fraction
    bits: int

    @property
    def underflows(self) -> bool:
        """Whether nothing is known but that the magnitude is at most `UNDERFLOW`, and perhaps the sign."""
        return self.lower != self.upper and self.lower >= -UNDERFLOW and self.upper <= UNDERFLOW

    def decimal(self, digits: int) -> tuple[str, str, str]:
        """Return (value, lower, upper) as decimal strings of ``digits`` digits; the ends are rounded outward.

        ``lower <= value <= upper`` holds for the strings too: all three are rounded at the same digit. Of a number that
        may be 0 no digit is known: its value is 0.
        """
        middle = Fraction(0) if self.lower <= 0 <= self.upper else (self.lower + self.upper) / 2
        return (
            decimal_string(middle, digits, 0),
            decimal_string(self.lower, digits, -1),
            decimal_string(self.upper, digits, 1),
        )


def decimal_string(value: Fraction, digits: int, direction: int) -> str:
    """Return ``value`` to ``digits`` significant digits: rounded down (-1), to nearest (0) or up (+1)."""
    if value == 0:
        return "0"
    sign, magnitude = (-1, -value) if value < 0 else (1, value)
    exponent = _decimal_exponent(magnitude)
    above, below = _scaled(magnitude, digits - 1 - exponent)
    whole, rest = divmod(above, below)
    if (direction == 0 and 2 * rest >= below) or (direction * sign > 0 and rest):
        whole += 1
    text = str(whole)
    exponent += len(text) - digits
    mantissa = text.rstrip("0") or "0"
    prefix = "-" if sign < 0 else ""
    if -5 <= exponent < digits:
        if exponent < 0:
            return prefix + "0." + "0" * (-exponent - 1) + mantissa
        mantissa = mantissa.ljust(exponent + 1, "0")
        return (
            prefix + mantissa[: exponent + 1] + ("." + mantissa[exponent + 1 :] if len(mantissa) > exponent + 1 else "")
        )
    return prefix + mantissa[0] + ("." + mantissa[1:] if len(mantissa) > 1 else "") + f"e{exponent:+03d}"


def _scaled(magnitude: Fraction, power: int) -> tuple[int, int]:
    """Return numerator and denominator of the magnitude times a power of ten, which may have a factor in common.

    Reduction would take most of the time: of magnitudes near `UNDERFLOW` both have hundred thousands of bits.
    """
    above, below = magnitude.numerator, magnitude.denominator
    return (above * 10**power, below) if power >= 0 else (above, below * 10**-power)


def _decimal_exponent(magnitude: Fraction) -> int:
    estimate = int((magnitude.numerator.bit_length() - magnitude.denominator.bit_length()) * math.log10(2))
    above, below = _scaled(magnitude, -estimate)
    while above < below:
        above, estimate = 10 * above, estimate - 1
    while above >= 10 * below:
        below, estimate = 10 * below, estimate + 1
    return estimate


_UNDERFLOW_EXPONENT = -(2**18)

UNDERFLOW = Fraction(1, 2**-_UNDERFLOW_EXPONENT)
"""Smaller magnitudes are reported as between 0 and this (about 1e-78913): their exact ends do not fit a memory."""


def bounds(ball: Any) -> tuple[Fraction, Fraction] | None:
    """Exact rational ends that enclose a ball; None where it is not finite or exceeds ``1/UNDERFLOW``.

    What lies below ``UNDERFLOW`` (a value, a centre or a radius) is rounded outward to it.
    """
    tiny = flint.arb(2) ** _UNDERFLOW_EXPONENT
    if not ball.is_finite() or not abs(ball) < 1 / tiny:
        return None
    if not ball.is_zero() and abs(ball) < tiny:
        return (Fraction(0) if ball >= 0 else -UNDERFLOW), (Fraction(0) if ball <= 0 else UNDERFLOW)
    centre, spread = ball.mid(), ball.rad()
    slack = Fraction(0)
    if not centre.is_zero() and abs(centre) < tiny:
        centre, slack = flint.arb(0), slack + UNDERFLOW
    if not spread.is_zero() and spread < tiny:
        spread, slack = flint.arb(0), slack + UNDERFLOW
    middle, radius = as_fraction(centre), as_fraction(spread) + slack
    return middle - radius, middle + radius


class NotEnclosedError(ArithmeticError):
    """A number stays too wide: at the last precision, or for an integer part that this precision does not tell."""


def _at(bits: int, formula: Formula, parameters: Mapping[str, Value], *, exactly: bool = False) -> Any:
    """The formula's ball; an indeterminate one where the precision does not tell an integer that it needs."""
    ball = ExactBalls(bits) if exactly else Ball(bits)
    try:
        return ball.number(evaluate_in(ball, formula, parameters))
    except NotEnclosedError:
        return flint.arb.nan()


def precisions(last_bits: int = LAST_BITS, start_bits: int = START_BITS) -> Iterator[int]:
    """Doubling precisions up to ``last_bits``."""
    bits = start_bits
    while bits <= last_bits:
        yield bits
        bits *= 2


def enclose(
    formula: Formula,
    parameters: Mapping[str, Value],
    digits: int = 30,
    last_bits: int = LAST_BITS,
    *,
    exactly: bool = False,
) -> Enclosure:
    """Enclose ``formula`` at exact parameters to ``digits`` significant digits, doubling precision until it is so.

    A magnitude below ``UNDERFLOW`` is enclosed by that (and 0, where the sign is known).  Raises
    NotEnclosedError with the reached precision when the enclosure stays wider.  ``exactly`` says in `ExactBalls`.
    """
    tolerance = Fraction(1, 10**digits)
    for bits in precisions(last_bits, max(START_BITS, 4 * digits)):
        ends = bounds(_at(bits, formula, parameters, exactly=exactly))
        if ends is not None and (
            ends[1] - ends[0] <= tolerance * min(abs(ends[0]), abs(ends[1]))
            or (ends[0] >= -UNDERFLOW and ends[1] <= UNDERFLOW)
        ):
            return Enclosure(*ends, bits)
    raise NotEnclosedError(
        f"expected an enclosure to {digits} digits, got none at {last_bits} bits; ask for fewer digits or more bits"
    )


BRACKET_BITS = 1024
"""Precision beyond which a claim that may be known only between two bounds is bracketed instead of refined."""


def enclosed_at(formula: Formula, parameters: Mapping[str, Value], bits: int) -> Enclosure | None:
    """Enclosure at one precision, however wide; None where it is indeterminate."""
    return _enclosure(_at(bits, formula, parameters), bits)


class Order(StrEnum):
    """Certified order of two reals."""

    LESS = "<"
    EQUAL = "="
    GREATER = ">"
    UNDECIDED = "?"


@dataclass(frozen=True)
class Comparison:
    """Certified order of two formulas at one point, with both enclosures (None where indeterminate)."""

    order: Order
    left: Enclosure | None
    right: Enclosure | None
    bits: int


def _enclosure(ball: Any, bits: int) -> Enclosure | None:
    ends = bounds(ball)
    return None if ends is None else Enclosure(*ends, bits)


def compare(
    left: Formula,
    right: Formula,
    parameters: Mapping[str, Value],
    steps: Iterable[int] = (128, 256, 512, 1024),
    alike: float = math.inf,
) -> Comparison:
    """Compare two formulas at exact parameters, at each precision until their balls separate or are equal points.

    Where they overlap and both are known to ``alike`` bits, relative to themselves, no higher precision is asked.
    """
    for bits in steps:
        ball = Ball(bits)
        with ball:
            x, y = _at(bits, left, parameters), _at(bits, right, parameters)
            if x < y:
                order = Order.LESS
            elif x > y:
                order = Order.GREATER
            elif x.is_exact() and y.is_exact() and x == y:
                order = Order.EQUAL
            else:
                order = Order.UNDECIDED
        if order is not Order.UNDECIDED or min(x.rel_accuracy_bits(), y.rel_accuracy_bits()) >= alike:
            break
    return Comparison(order, _enclosure(x, bits), _enclosure(y, bits), bits)


def exact_value(formula: Formula, parameters: Mapping[str, Value]) -> Fraction | None:
    """The value of a formula that is rational at exact parameters; None where it is not, or not seen to be."""
    try:
        return Fraction(evaluate_in(Rational(), formula, parameters))
    except (ArithmeticError, NotImplementedError, TypeError, ValueError, AttributeError):
        return None
