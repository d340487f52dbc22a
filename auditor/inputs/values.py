"""Values that a row may have: within the data or the declared range, and beyond."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

MOST_OWN = 6
"""Number of values of the user's data that are tried besides the ends of their range."""
MAGNITUDES = tuple(10.0**k for k in range(-3, 10))
POWERS = tuple(2.0**k for k in (7, 8, 15, 16, 31, 32, 53, 63))
"""Limits of the integer types of 8 to 64 bits, and of the integers that doubles represent exactly."""
FINITE = "a value"
"""Kind of the finite values beyond the data."""
TINY = 5e-324
"""The smallest subnormal double."""


@dataclass(frozen=True)
class Values:
    """Values of rows.

    Attributes:
        low, high: ends of the finite range.
        special: NaN and infinities, if rows may have them.
        of_data: values of the user's data.
        declared: whether the user declared the range; then no value beyond it is tried.
        integers: the least and the largest value of their type, if they are integers.
        whole: whether the data and the declared ends are whole numbers; others are then beyond the data.
    """

    low: float = 1.0
    high: float = 1.0
    special: tuple[float, ...] = ()
    of_data: tuple[float, ...] = ()
    declared: bool = False
    integers: tuple[int, int] | None = None
    whole: bool = False

    @property
    def far(self) -> float:
        """Return the end of the range that is further from 0."""
        return max(self.low, self.high, key=abs)

    @property
    def near(self) -> float:
        """Return the end of the range that is nearer to 0."""
        return min(self.low, self.high, key=abs)

    def within(self) -> list[float]:
        """Return the values to try, the most different first: ends, special values, 0, middle, values of the data."""
        middle = (self.low + self.high) / 2
        inside = [value for sign in (1, -1) for value in (sign * m for m in (*MAGNITUDES, *POWERS))]
        every = [self.far, self.near, *self.special, 0.0, middle]
        every += [*spread(self.of_data, MOST_OWN), *inside, -0.0, TINY]
        return distinct(value for value in every if self.holds(value))

    def beyond(self) -> list[tuple[str, float]]:
        """Return values outside the data and the declared range, each with its kind."""
        if self.declared:
            return []
        largest = max(abs(self.low), abs(self.high), 1.0)
        special = [("NaN", math.nan), ("infinity", math.inf), ("infinity", -math.inf)]
        sizes = (size for size in (*MAGNITUDES, *POWERS, 4 * largest, 100 * largest))
        finite = [(FINITE, sign * size) for size in sizes for sign in (1, -1)]
        finite += [(FINITE, end + step) for end, step in ((self.low, 0.5), (self.high, -0.5))]
        return [(kind, value) for kind, value in [*special, *finite] if self.typed(value) and not self.holds(value)]

    def typed(self, value: float) -> bool:
        """Return whether the type of the values can represent the value."""
        if self.integers is None:
            return True
        least, most = self.integers
        return float(value).is_integer() and least <= int(value) <= most

    def holds(self, value: float) -> bool:
        """Return whether rows may have the value."""
        if math.isfinite(value):
            return (
                self.low <= value <= self.high and self.typed(value) and (float(value).is_integer() or not self.whole)
            )
        return any(same(value, each) for each in self.special)


def same(one: float, other: float) -> bool:
    """Return whether two doubles are identical: NaN equals NaN, and 0 differs from -0."""
    return (math.isnan(one) and math.isnan(other)) or (
        one == other and math.copysign(1, one) == math.copysign(1, other)
    )


def distinct(values: Iterable[float]) -> list[float]:
    """Return the values in order, without repetition."""
    result: list[float] = []
    for value in values:
        if not any(same(value, each) for each in result):
            result.append(value)
    return result


def spread(values: Iterable[float], most: int) -> list[float]:
    """Return at most `most` of the finite values, spread over their order."""
    order = sorted({value for value in values if math.isfinite(value)})
    step = max(1, -(-len(order) // most))
    return order[::step]
