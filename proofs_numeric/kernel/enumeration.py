"""The kernel on finite statements: every case of a set is decided, exactly where the statement is rigorous."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Ball
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.statements.kinds import FiniteStatement, Instance, Recurrence
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


_BITS = 256
_AGREES = Fraction(1, 2**200)
_RELATIONS: Mapping[str, Callable[[Fraction, Fraction], bool]] = {"<": operator.lt, "<=": operator.le, "=": operator.eq}


def check_instances(kind: FiniteStatement) -> None:
    """Check that the enumerated cases of the smallest size are instances of the general form, side by side.

    Raises:
        TacticError: a side of an instance is another number than the case's own, or the case holds and its instances
            do not, or the other way round.

    """
    every, instances = kind.every, kind.instances
    if instances is None:
        return
    if not isinstance(every, Recurrence) or every.levels is not None:
        raise TacticError("expected instances of a recurrence without levels, got instances of another general form")
    holds = _RELATIONS[every.relation]
    for case in kind.cases(min(kind.sizes.values())):
        found = list(instances(case))
        for instance in found:
            _check_sides(every, instance, case)
        if not found or kind.holds(case) is not all(holds(one.left, one.right) for one in found):
            raise TacticError(f"expected a case that holds where its instances do, got {case!r}")


def _check_sides(every: Recurrence, instance: Instance, case: Any) -> None:
    with Ball(_BITS) as A:
        at = {name: formula(A) for name, formula in instance.at.items()}
        given = [{name: A.number(value) for name, value in step.items()} for step in instance.given]
        state = every.after(A, given, **at)
        for side, own in ((every.left, instance.left), (every.right, instance.right)):
            general = A.number(side(A, **at, **state))
            if not abs(general - A.number(own)) <= A.number(_AGREES * (1 + abs(own))):
                raise TacticError(f"expected {own} as a side of the general form at {case!r}, got {general}")
