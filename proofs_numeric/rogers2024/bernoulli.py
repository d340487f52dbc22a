"""Bernoulli's inequality, on which every union bound of the paper rests."""

from __future__ import annotations

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.statements.derivation import SymbolicIdentity


def _induction_left(A: Arithmetic, *, u: Number, x: Number, n: Number) -> Number:
    return (1 - x) * u - (1 - (n + 1) * x)


def _induction_right(A: Arithmetic, *, u: Number, x: Number, n: Number) -> Number:
    return (1 - x) * (u - (1 - n * x)) + n * x * x


STEP = SymbolicIdentity(
    "Bernoulli's inequality by induction",
    _induction_left,
    _induction_right,
    ("u", "x", "n"),
    argument="with u = (1-x)^n >= 1 - n x and 0 <= x <= 1 both terms on the right are >= 0; at n = 1 equality; "
    "x = delta/D_0, n = D_0 for items; x = delta, n = l* for queries",
)
