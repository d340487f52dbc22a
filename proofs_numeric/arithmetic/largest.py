"""The largest of several numbers that a formula gives one after the other, in every arithmetic."""

import functools
from collections.abc import Callable
from typing import Any

from proofs_numeric.arithmetic.arithmetic import Arithmetic, Number


@functools.singledispatch
def largest_term(
    A: Arithmetic, term: Callable[[Any], Any], number: int, search: Callable[[Any], Any] | None = None
) -> Number:
    """Largest of ``term(0), ..., term(number - 1)``, number >= 1; ``search(A)`` finds it without taking them all."""
    return A.maximum(*map(term, range(number))) if search is None else search(A)


@functools.singledispatch
def largest_of_pairs(
    A: Arithmetic, term: Callable[[Any, Any], Any], number: int, search: Callable[[Any], Any] | None = None
) -> Number:
    """Largest of ``term(l, j)`` over integers l, j >= 0 with ``l + j <= number``, found as in `largest_term`."""
    pairs = ((l, j) for l in range(number + 1) for j in range(number + 1 - l))
    return A.maximum(*(term(l, j) for l, j in pairs)) if search is None else search(A)
