"""The kernel on finite statements: every case of a set is decided, exactly where the statement is rigorous."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from proofs_numeric.statements.kinds import FiniteStatement
from proofs_numeric.statements.verdict import Verdict


@dataclass(frozen=True)
class Enumerated:
    """How many cases were decided, the first one, and the one that fails (in a tuple of one)."""

    verdict: Verdict
    cases: int
    first: Any = None
    failing: tuple[Any] | None = None


def enumerated(kind: FiniteStatement, size: int) -> Enumerated:
    """Decide every case of the size; the first that fails, in order, ends it. Floating-point cases prove nothing."""
    cases, first = 0, None
    for case in kind.cases(size):
        cases += 1
        first = case if cases == 1 else first
        if not kind.holds(case):
            return Enumerated(Verdict.REFUTED, cases, first, (case,))
    if not cases:
        return Enumerated(Verdict.UNDECIDED, 0)
    return Enumerated(Verdict.PROVED if kind.rigorous else Verdict.CONSISTENT, cases, first)
