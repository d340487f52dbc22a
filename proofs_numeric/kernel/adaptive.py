"""What the tactic on steps that are chosen as one goes leaves of a goal; why that implies it is in its docstring."""

from __future__ import annotations

from typing import Any

from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.kernel.goals import Left, TacticError
from proofs_numeric.statements.adaptive import Adaptive, Spent
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.statement import Statement

_LEVEL = Parameter("epsilon", "", lower="-infinity")
_LAM, _LOSS, _MU = Parameter("lam", ""), Parameter("loss", ""), Parameter("mu", "", open_lower=True)


def spent(goal: Adaptive, tactic: Spent) -> Left:
    """What `Spent` leaves."""
    if "epsilon" not in goal.box.names or goal.box.constraint is not None:
        raise TacticError("expected a level epsilon among the parameters, and no constraint")
    loss, square = goal.budgets.loss, goal.budgets.square

    def within(A: Any, epsilon: Any, loss: Any, mu: Any) -> Any:
        return tactic.within(A, epsilon=epsilon, loss=loss, mu=mu)

    def naming(A: Any, *, epsilon: Any, lam: Any, loss: Any, mu: Any) -> Any:
        return -A.expm1(-A.number(lam)) + A.exp(-A.number(lam)) * within(A, epsilon, loss, mu)

    def both(A: Any, *, epsilon: Any, lam: Any, loss: Any, mu: Any) -> Any:
        return within(A, epsilon, A.number(lam) + loss, mu)

    yield Statement(naming, both, "<=", Box((_LEVEL, _LAM, _LOSS, _MU))), tactic.naming

    def weight(A: Any, *, loss: Any) -> Any:
        return tactic.weight(A, loss=loss)

    def profile(A: Any, *, epsilon: Any, mu: Any, **_loss: Any) -> Any:
        return gaussian_profile(A, A.number(epsilon), A.number(mu))

    def apart(A: Any, *, epsilon: Any, loss: Any, mu: Any) -> Any:
        return tactic.fixed(A, loss=loss) + weight(A, loss=loss) * profile(A, epsilon=epsilon, mu=mu)

    left = Box((_LEVEL, _LOSS, _MU))
    yield Statement(tactic.within, apart, "=", left), tactic.apart
    yield Statement(zero, weight, "<=", Box((_LOSS,))), tactic.weighted

    def losses(A: Any, *, x: Any, y: Any, first: Any, second: Any) -> Any:
        return A.number(first) * x - A.number(first) ** 2 / 2 + A.number(second) * y - A.number(second) ** 2 / 2

    def loss_of_one(A: Any, *, x: Any, y: Any, first: Any, second: Any) -> Any:
        mu = A.sqrt(A.number(first) ** 2 + A.number(second) ** 2)
        return mu * ((A.number(first) * x + A.number(second) * y) / mu) - mu**2 / 2

    real = (Parameter(name, "", lower="-infinity") for name in ("x", "y"))
    distances = (Parameter(name, "", open_lower=True) for name in ("first", "second"))
    yield Statement(losses, loss_of_one, "=", Box((*real, *distances))), tactic.normals
    yield Statement(profile, tactic.within, "<=", left), tactic.last

    yield Statement(zero, loss, "<=", goal.box), tactic.loss
    yield Statement(zero, square, "<", goal.box), tactic.square

    def all_of_it(A: Any, **at: Any) -> Any:
        return within(A, A.number(at["epsilon"]), loss(A, **at), A.sqrt(A.number(square(A, **at))))

    yield Statement(all_of_it, goal.bound, "<=", goal.box), tactic.end
