"""What tactics on Gaussian vectors leave of a goal; why it implies what is said is in the tactics' docstrings."""

from __future__ import annotations

from typing import Any

from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.kernel.goals import Left, TacticError, order_of
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import parameter_named
from proofs_numeric.statements.gaussians import SHARE, LogConcave, Matching, Relabelled, Truncated
from proofs_numeric.statements.kinds import AtMost
from proofs_numeric.statements.statement import Statement


def _real(*names: str) -> tuple[Parameter, ...]:
    return tuple(Parameter(name, "", lower="-infinity") for name in names)


def _between(A: Any, share: Any, first: Any, second: Any) -> Any:
    return A.number(share) * first + (1 - A.number(share)) * second


def _log_density(A: Any, place: Any, mean: Any) -> Any:
    """Of N(mean, 1), the constant left out."""
    return -((A.number(place) - mean) ** 2) / 2


# --- half-spaces ------------------------------------------------------------------------------------------------------


def log_concave(goal: Truncated, tactic: LogConcave) -> Left:
    """What `LogConcave` leaves."""
    order = order_of(goal.box)
    squared = goal.box.parameters[-1]
    if goal.box.names != ("alpha", "squared") or (squared.lower, squared.upper) != (0, "infinity") or squared.integer:
        raise TacticError(f"expected an order and any squared distance, got {', '.join(goal.box.names)}")

    def powers(A: Any, *, alpha: Any, x: Any, t: Any, u: Any) -> Any:
        return _between(A, alpha, _log_density(A, x, t), _log_density(A, x, u))

    def tilted(A: Any, *, alpha: Any, x: Any, t: Any, u: Any) -> Any:
        bound = goal.bound(A, alpha=alpha, squared=(A.number(t) - u) ** 2)
        return _log_density(A, x, _between(A, alpha, t, u)) + (A.number(alpha) - 1) * bound

    yield Statement(powers, tilted, "<=", Box((order, *_real("x", "t", "u")))), tactic.tilt

    def apart(A: Any, *, share: Any, x: Any, y: Any, a: Any, b: Any) -> Any:
        return _between(A, share, _log_density(A, x, a), _log_density(A, y, b))

    def between(A: Any, *, share: Any, x: Any, y: Any, a: Any, b: Any) -> Any:
        return _log_density(A, _between(A, share, x, y), _between(A, share, a, b))

    yield Statement(apart, between, "<=", Box((SHARE, *_real("x", "y", "a", "b")))), tactic.density

    def edge(A: Any, *, edge: Any, **_places: Any) -> Any:
        return A.number(edge)

    hypotheses = tuple(AtMost(parameter_named(name), edge) for name in ("first", "second"))

    def place(A: Any, *, share: Any, first: Any, second: Any, edge: Any) -> Any:
        return _between(A, share, first, second)

    box = Box((SHARE, *_real("first", "second", "edge")))
    yield Statement(place, edge, "<=", box, hypotheses=hypotheses), tactic.inside

    def geometric(A: Any, *, share: Any, p: Any, q: Any) -> Any:
        return A.exp(_between(A, share, p, q))

    def arithmetic(A: Any, *, share: Any, p: Any, q: Any) -> Any:
        return _between(A, share, A.exp(A.number(p)), A.exp(A.number(q)))

    yield Statement(geometric, arithmetic, "<=", Box((SHARE, *_real("p", "q")))), tactic.mean


# --- tops -------------------------------------------------------------------------------------------------------------


def matching(goal: Relabelled, tactic: Matching) -> Left:
    """What `Matching` leaves."""
    for name in (goal.items, goal.top):
        if name not in goal.box.names or not goal.box[name].integer or goal.box[name].lower != 1:
            raise TacticError(f"expected an integer from 1 on, got {name}")
    counts = _real("of_d", "left_of_d", "of_e", "outside", "left_outside")
    part, moved = Parameter("part", "of the most that a count falls", upper=1), Parameter("moved", "coordinates")
    box = with_more(goal.box, *counts)

    def fall(A: Any, at: Any) -> Any:
        return goal.fall(A, **{name: at[name] for name in goal.box.names})

    def highest(name: str) -> Formula:
        return lambda A, **at: A.number(at[name]) + fall(A, at)

    def squares(*pairs: tuple[str, str]) -> Formula:
        return lambda A, **at: A.sum((A.number(at[one]) - at[other]) ** 2 for one, other in pairs)

    def square(A: Any, **at: Any) -> Any:
        return A.number(fall(A, at)) ** 2

    hypotheses = tuple(
        AtMost(parameter_named(less), more)
        for less, more in (
            ("left_of_d", parameter_named("left_outside")),
            ("left_outside", parameter_named("of_e")),
            ("of_e", parameter_named("outside")),
            ("outside", parameter_named("of_d")),
            ("of_d", highest("left_of_d")),
        )
    )
    sides = (
        (parameter_named("of_d"), highest("outside"), tactic.bounds[0]),
        (parameter_named("of_e"), highest("left_outside"), tactic.bounds[1]),
        (squares(("of_d", "of_e")), square, tactic.pair),
        (squares(("of_d", "outside"), ("outside", "left_outside")), square, tactic.next),
    )
    for left, right, proof in sides:
        yield Statement(left, right, "<=", box, hypotheses=hypotheses), proof

    def partly(A: Any, *, part: Any, **at: Any) -> Any:
        return (A.number(part) * fall(A, at)) ** 2

    yield Statement(partly, square, "<=", with_more(goal.box, part)), tactic.moved

    def total(A: Any, *, moved: Any, **at: Any) -> Any:
        return A.number(moved) * square(A, **at)

    def allowed(A: Any, *, moved: Any, **at: Any) -> Any:
        return goal.squared(A, **at)

    few = (
        AtMost(parameter_named("moved"), parameter_named(goal.items)),
        AtMost(parameter_named("moved"), lambda A, **at: A.number(at[goal.top]) + 1),
    )
    yield Statement(total, allowed, "<=", with_more(goal.box, moved), hypotheses=few), tactic.total


def with_more(box: Box, *parameters: Parameter) -> Box:
    """The box with parameters beside its own."""
    if box.constraint is not None:
        raise TacticError(f"expected no constraint, got {box.constraint_text}")
    taken = [one.name for one in parameters if one.name in box.names]
    if taken:
        raise TacticError(f"expected parameters of other names, got {taken[0]}")
    return Box((*box.parameters, *parameters))
