"""The profile of releases by which the two histograms can be told apart for certain."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proofs_numeric.arithmetic import Arithmetic, Number
    from proofs_numeric.statements.neighbours import Direction


def disjoint_profile(A: Arithmetic, epsilon: Number, direction: Direction) -> Number:
    """Profile of two laws with disjoint supports: 1 at every epsilon, either way."""
    del epsilon, direction
    return A.number(1)
