"""What the tactic on reduced counts leaves of a goal; why it implies what is said is in its docstring."""

from __future__ import annotations

from typing import Any

from proofs_numeric.arithmetic.symbolic import is_whole
from proofs_numeric.kernel import expressions
from proofs_numeric.kernel.goals import Left, TacticError
from proofs_numeric.kernel.races import order_of_counts
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import one, zero
from proofs_numeric.statements.cuts import ITEM, Cut, Reduced
from proofs_numeric.statements.statement import Statement
from proofs_numeric.statements.tactics import Sign


def cut(goal: Reduced, tactic: Cut) -> Left:
    """What `Cut` leaves."""
    if goal.box.constraint is not None or not is_whole(expressions.expression(goal.rank, goal.box)):
        raise TacticError("expected an integer for a rank, and no constraint")
    yield Statement(one, goal.rank, "<=", goal.box), Sign()
    yield Statement(lambda A, **at: goal.rank(A, **at) - 1, goal.most, "<=", goal.box), Sign()
    yield order_of_counts(ITEM, 1), tactic.order
    step = (Parameter(name, "", upper=1) for name in ("has", "rises"))
    key = Box((Parameter("above", "", lower="-infinity"), *step))

    def moved(A: Any, *, above: Any, has: Any, rises: Any) -> Any:
        return A.maximum(A.number(above) + has - rises, 0) - A.maximum(A.number(above), 0)

    def outside(A: Any, **at: Any) -> Any:
        rises = A.number(at["rises"])
        return A.maximum(moved(A, **at) - (1 - rises), -rises - moved(A, **at))

    yield Statement(outside, zero, "<=", key), Sign()
