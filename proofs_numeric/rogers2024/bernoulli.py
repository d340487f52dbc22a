"""Bernoulli's inequality, on which every union bound of the paper rests."""

from __future__ import annotations

from typing import Any

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.statements.proof import Proof, SymbolicIdentity


def _induction_left(A: Arithmetic, *, u: Any, x: Any, n: Any) -> Any:
    return (1 - x) * u - (1 - (n + 1) * x)


def _induction_right(A: Arithmetic, *, u: Any, x: Any, n: Any) -> Any:
    return (1 - x) * (u - (1 - n * x)) + n * x * x


STEP = SymbolicIdentity(
    "Bernoulli's inequality by induction",
    _induction_left,
    _induction_right,
    ("u", "x", "n"),
    argument="with u = (1-x)^n >= 1 - n x and 0 <= x <= 1 both terms on the right are >= 0; at n = 1 equality; "
    "x = delta/D_0, n = D_0 for items; x = delta, n = l* for queries",
)


def _inverse_gap(A: Arithmetic, *, delta: Any) -> Any:
    return 1 / (1 + delta) - (1 - delta)


def _inverse_gap_squared(A: Arithmetic, *, delta: Any) -> Any:
    return delta * delta / (1 + delta)


INVERSE = SymbolicIdentity(
    "1/(1 + delta) against 1 - delta",
    _inverse_gap,
    _inverse_gap_squared,
    ("delta",),
    positive=("delta",),
    argument="so 1/(1 + delta) >= 1 - delta, and its power at least the power of 1 - delta",
)
BERNOULLI = Proof((STEP,))
