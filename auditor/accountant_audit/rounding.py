"""The rule for rounding: how far a number of double arithmetic may lie from the number that it should be.

The same rule holds for answers against a truth, for the ends of a range, and for answers against each other.
"""

from dataclasses import dataclass
from fractions import Fraction

SMALLEST_DOUBLE = Fraction(1, 2**1074)
SUBNORMAL = Fraction(1, 2**1022)
"""Smallest normal double: below it doubles lose digits, and some processors return 0."""
RELATIVE = Fraction(1, 10**9)
"""Relative error of a closed form in doubles: the accuracy of an argument, and of answers that are compared."""


@dataclass(frozen=True)
class Rounding:
    """What counts as rounding for one accountant.

    Args:
        tolerance: documented relative accuracy of an answer; 0 where outward rounding is promised: nothing is rounding.
        floor: documented absolute accuracy of an answer, >= 0.
    """

    tolerance: Fraction
    floor: Fraction = Fraction(0)

    @property
    def absolute(self) -> Fraction:
        """Return the absolute part of the allowance."""
        return self.floor + (SUBNORMAL if self.tolerance else 0)

    @property
    def of_arguments(self) -> Fraction:
        """Return the relative allowance for epsilon, or for a returned parameter."""
        return min(self.tolerance, RELATIVE)

    def margin(self, number: Fraction) -> Fraction:
        """Return how far from `number` an answer is still rounding."""
        return self.tolerance * abs(number) + self.absolute

    def exceeds(self, over: Fraction, allowed: Fraction) -> bool:
        """Whether one answer is above another one by more than the rounding of both."""
        relative = max(self.tolerance, RELATIVE)
        return over > allowed + 2 * (relative * abs(allowed) + self.absolute) + SMALLEST_DOUBLE

    def differ(self, one: Fraction, other: Fraction) -> bool:
        """Whether two answers differ by more than the rounding of both."""
        low, high = sorted((one, other), key=abs)
        return self.exceeds(abs(high - low) + abs(high), abs(high))
