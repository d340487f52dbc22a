"""The integer next to a real, as far as an arithmetic can tell it: nothing is snapped to an integer nearby."""

import functools
import math
from collections.abc import Sequence
from typing import Any

from proofs_numeric.arithmetic.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.ball import Ball
from proofs_numeric.arithmetic.enclosure import NotEnclosedError
from proofs_numeric.arithmetic.mpreal import MpReal


@functools.singledispatch
def floors(A: Arithmetic, x: Number) -> Sequence[int]:
    """The integers that ``floor(x)`` may be: one wherever the arithmetic can tell; that of the number held otherwise.

    Raises:
        NotEnclosedError: a ball wider than 1.
    """
    return range(math.floor(x), math.floor(x) + 1)


@floors.register
def _(A: MpReal, x: Number) -> range:
    floor = int(A.context.floor(x))
    return range(floor, floor + 1)


@floors.register
def _(A: Ball, x: Any) -> range:
    x = A.number(x)
    if not x.is_finite() or x.rad() > 1:
        raise NotEnclosedError(f"expected the integer part of a number known within 1, got {x} at {A.bits} bits")
    only = x.floor().unique_fmpz()
    if only is not None:
        return range(int(only), int(only) + 1)
    lower, upper = (end.floor().unique_fmpz() for end in (x.lower(), x.upper()))
    return range(int(lower), int(upper) + 1)


def floor_of(A: Arithmetic, x: Number) -> int:
    """``floor(x)`` as an integer.

    Raises:
        NotEnclosedError: the ball holds an integer and numbers below it.
    """
    values = floors(A, x)
    if len(values) > 1:
        raise NotEnclosedError(f"expected a decided integer part, got {list(values)}; raise the precision")
    return values[0]


@functools.singledispatch
def ceiling_of_root(A: Arithmetic, n: int) -> int:
    """``ceil(sqrt(n))`` of an integer ``n >= 0``, by integers alone in every arithmetic."""
    floor = math.isqrt(n)
    return floor + (floor * floor < n)


@functools.singledispatch
def ceiling_of_half(A: Arithmetic, n: int) -> int:
    """``ceil(n/2)`` of an integer, by integers alone in every arithmetic."""
    return -(-n // 2)


@functools.singledispatch
def larger_of(A: Arithmetic, m: int, n: int) -> int:
    """The larger of two integers, an integer in every arithmetic."""
    return max(m, n)
