"""What tactics on pairs of laws leave of a goal; why it implies what is said is in the tactics' docstrings."""

from __future__ import annotations

from typing import Any

from proofs_numeric.kernel.goals import Left, Recurs, TacticError, order_of
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.kinds import Recurrence
from proofs_numeric.statements.pairs import Clipped, GoodParts
from proofs_numeric.statements.statement import Statement

_RATIO = Parameter("ratio", "", lower=1)
_OUTCOME = Box((Parameter("p", "", upper=1), Parameter("q", "", upper=1), _RATIO))


def clipped(goal: GoodParts, tactic: Clipped) -> Left:
    """What `Clipped` leaves."""
    order_of(goal.box)
    rest = Box(tuple(one for one in goal.box.parameters if one.name != "alpha"))
    yield Statement(zero, goal.epsilon, "<=", rest), tactic.positive
    over = Box((*_OUTCOME.parameters, Parameter("share", "", upper=1)))

    def floor(A: Any, **at: Any) -> Any:
        return _clip(A, at, "q", "p") / at["ratio"]

    def ceiling(A: Any, **at: Any) -> Any:
        return _clip(A, at, "q", "p") * at["ratio"]

    def shrunk(A: Any, **at: Any) -> Any:
        low = floor(A, **at)
        return low + A.number(at["share"]) * (_clip(A, at, "p", "q") - low)

    def whole(A: Any, *, p: Any, **_rest: Any) -> Any:
        return A.number(p)

    sides = ((floor, shrunk), (shrunk, ceiling), (shrunk, whole))
    for (left, right), proof in zip(sides, tactic.within, strict=True):
        yield Statement(left, right, "<=", over), proof

    def lost(A: Any, **at: Any) -> Any:
        return A.number(at["p"]) - _clip(A, at, "p", "q")

    def stick(A: Any, *, p: Any, q: Any, ratio: Any) -> Any:
        return A.maximum(0, A.number(p) - A.number(ratio) * q)

    yield Statement(lost, stick, "<=", _OUTCOME), tactic.lost
    yield _chord(goal), tactic.chord

    def extreme(A: Any, *, alpha: Any, **at: Any) -> Any:
        ratio, alpha = A.exp(goal.epsilon(A, **at)), A.number(alpha)
        share = ratio / (1 + ratio)
        return A.exp(alpha * goal.epsilon(A, **at)) * (1 + share * A.expm1(-2 * alpha * goal.epsilon(A, **at)))

    def allowed(A: Any, *, alpha: Any, **at: Any) -> Any:
        return A.exp((A.number(alpha) - 1) * alpha * goal.rho(A, **at))

    yield Statement(extreme, allowed, "<=", goal.box), tactic.extreme


def _clip(A: Any, at: Any, name: str, other: str) -> Any:
    return A.minimum(at[name], A.number(at["ratio"]) * at[other])


def _chord(goal: GoodParts) -> Recurs:
    """``mass`` and ``share``: sums of q_y and of q_y s_y so far; ``moment``, of q_y t_y^alpha."""
    names = [name for name in goal.box.names if name != "alpha"]
    state = tuple(Parameter(name, "") for name in ("mass", "share", "moment"))
    of_step = (Parameter("weight", ""), Parameter("place", "", upper=1))
    whole = Box((*goal.box.parameters, *state, *of_step))
    if len(set(whole.names)) != len(whole.names):
        raise TacticError(f"expected names of its own for each parameter, got {', '.join(whole.names)}")

    def width(A: Any, at: Any) -> Any:
        return 2 * A.number(goal.epsilon(A, **{name: at[name] for name in names}))

    def power(A: Any, at: Any) -> Any:
        return A.exp(A.number(at["alpha"]) * A.log1p(A.number(at["place"]) * A.expm1(-width(A, at))))

    recurrence = Recurrence(
        state=Box(state),
        inputs=Box(of_step),
        start=dict.fromkeys(("mass", "share", "moment"), zero),
        step={
            "mass": lambda A, **at: A.number(at["mass"]) + at["weight"],
            "share": lambda A, **at: A.number(at["share"]) + A.number(at["weight"]) * at["place"],
            "moment": lambda A, **at: A.number(at["moment"]) + A.number(at["weight"]) * power(A, at),
        },
        left=lambda A, **at: A.number(at["moment"]),
        right=lambda A, **at: A.number(at["mass"]) + at["share"] * A.expm1(-A.number(at["alpha"]) * width(A, at)),
    )
    return Recurs(recurrence, goal.box)
