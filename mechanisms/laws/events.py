"""Profiles of releases that one event decides: what one side shows and the other never does."""

import functools
from collections.abc import Callable
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.expression import lift
from proofs_numeric.statements.neighbours import Direction

DISJOINT = lift(1)
"""Profile of two laws with disjoint supports."""


def own_outcomes(
    A: Arithmetic,
    epsilon: Number,
    direction: Direction,
    *,
    left: Callable[[Arithmetic], Number],
    right: Callable[[Arithmetic], Number],
) -> Any:
    """Each side shows something of its own with probability left(A), right(A); else both show the same."""
    growth = A.exp(A.number(epsilon))
    p, q = (_once(mass, A) for mass in ((left, right) if direction is Direction.FORWARD else (right, left)))
    return p + A.maximum(0, (1 - p) - growth * (1 - q))


@functools.lru_cache(maxsize=4)  # a profile is asked for at one epsilon after another
def _once(mass: Callable[[Arithmetic], Number], A: Arithmetic) -> Any:
    return mass(A)


def nothing(A: Arithmetic) -> Number:
    """Probability 0."""
    return A.number(0)


def one_sided(A: Arithmetic, epsilon: Number, direction: Direction, *, mass: Callable[[Arithmetic], Number]) -> Any:
    """Left shows something that right never does with probability `mass(A)`; else both show the same."""
    return own_outcomes(A, epsilon, direction, left=mass, right=nothing)
