"""The rounding rule: the distance by which rounding in double arithmetic may move a number.

One rule holds for answers against a truth, for ends of a range, and for answers against each other.
"""

from dataclasses import dataclass
from fractions import Fraction

SMALLEST_DOUBLE = Fraction(1, 2**1074)
SUBNORMAL = Fraction(1, 2**1022)
"""Smallest normal double: below it doubles lose digits, and some processors return 0."""
RELATIVE = Fraction(1, 10**9)
"""Relative error of a closed form in doubles: the accuracy of an argument, and of answers that are compared."""

OF_EACH = Fraction(1, 2**51)
"""Relative rounding of each of several returned numbers, such as probabilities near 1: four last bits."""


@dataclass(frozen=True)
class Rounding:
    """Allowed rounding of one accountant.

    Args:
        tolerance: documented relative accuracy of an answer; 0 promises outward rounding and allows no rounding.
        floor: documented absolute accuracy of an answer, >= 0.
    """

    tolerance: Fraction
    floor: Fraction = Fraction(0)

    @property
    def absolute(self) -> Fraction:
        """The absolute part of the allowance."""
        return self.floor + (SUBNORMAL if self.tolerance else 0)

    @property
    def of_arguments(self) -> Fraction:
        """The relative allowance for epsilon, or for a returned parameter."""
        return min(self.tolerance, RELATIVE)

    def margin(self, number: Fraction) -> Fraction:
        """Return the distance from `number` that rounding explains."""
        return self.tolerance * abs(number) + self.absolute

    def exceeds(self, over: Fraction, allowed: Fraction) -> bool:
        """Return whether one answer exceeds another by more than the rounding of both."""
        relative = max(self.tolerance, RELATIVE)
        return over > allowed + 2 * (relative * abs(allowed) + self.absolute) + SMALLEST_DOUBLE

    def differ(self, one: Fraction, other: Fraction) -> bool:
        """Return whether two answers differ by more than the rounding of both."""
        low, high = sorted((one, other), key=abs)
        return self.exceeds(abs(high - low) + abs(high), abs(high))
