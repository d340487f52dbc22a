"""Roots of monotone functions, in every arithmetic."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from proofs_numeric.arithmetic.arithmetic import Arithmetic
from proofs_numeric.arithmetic.ball import Ball
from proofs_numeric.arithmetic.float64 import Float64
from proofs_numeric.arithmetic.mpreal import MpReal


@functools.singledispatch
def increasing_root(A: Arithmetic, function: Callable[[Any], Any], lower: Any, upper: Any) -> Any:
    """Zero of an increasing function, negative at `lower` and positive at `upper`, by bisection.

    A ball encloses it: the ends move only on certified signs.
    """
    raise NotImplementedError(A)


@increasing_root.register
def _(A: Float64, function: Callable[[Any], Any], lower: Any, upper: Any) -> Any:
    for _step in range(200):
        middle = (lower + upper) / 2
        below = function(middle) < 0
        lower, upper = np.where(below, middle, lower), np.where(below, upper, middle)
    return upper[()]


@increasing_root.register
def _(A: MpReal, function: Callable[[Any], Any], lower: Any, upper: Any) -> Any:
    while upper - lower > A.power(10, -A.digits - 5) * max(abs(lower), abs(upper)):
        middle = (lower + upper) / 2
        lower, upper = (middle, upper) if function(middle) < 0 else (lower, middle)
    return (lower + upper) / 2


@increasing_root.register
def _(A: Ball, function: Callable[[Any], Any], lower: Any, upper: Any) -> Any:
    lower, upper = lower.lower(), upper.upper()
    for _step in range(3 * A.bits):
        middle = ((lower + upper) / 2).mid()
        value = function(middle)
        if value < 0:
            lower = middle
        elif value > 0:
            upper = middle
        else:
            break
    return lower.union(upper)
