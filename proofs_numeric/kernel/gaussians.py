"""What tactics on Gaussian vectors leave of a goal; why it implies what is said is in the tactics' docstrings."""

from __future__ import annotations

from typing import Any

from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.kernel.goals import Left, TacticError, order_of
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import parameter_named, zero
from proofs_numeric.statements.gaussians import (
    SHARE,
    Below,
    LogConcave,
    Matching,
    Relabelled,
    Streams,
    Suppressed,
    Tops,
    Truncated,
)
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

    known = tuple(AtMost(parameter_named(name), edge) for name in ("first", "second"))

    def place(A: Any, *, share: Any, first: Any, second: Any, edge: Any) -> Any:
        return _between(A, share, first, second)

    box = Box((SHARE, *_real("first", "second", "edge")))
    yield Statement(place, edge, "<=", box, given=known), tactic.inside

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
    box = _and(goal.box, *counts)

    def fall(A: Any, at: Any) -> Any:
        return goal.fall(A, **{name: at[name] for name in goal.box.names})

    def highest(name: str) -> Formula:
        return lambda A, **at: A.number(at[name]) + fall(A, at)

    def squares(*pairs: tuple[str, str]) -> Formula:
        return lambda A, **at: A.sum((A.number(at[one]) - at[other]) ** 2 for one, other in pairs)

    def square(A: Any, **at: Any) -> Any:
        return A.number(fall(A, at)) ** 2

    known = tuple(
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
        (parameter_named("of_d"), highest("outside"), tactic.own[0]),
        (parameter_named("of_e"), highest("left_outside"), tactic.own[1]),
        (squares(("of_d", "of_e")), square, tactic.pair),
        (squares(("of_d", "outside"), ("outside", "left_outside")), square, tactic.next),
    )
    for left, right, proof in sides:
        yield Statement(left, right, "<=", box, given=known), proof

    def partly(A: Any, *, part: Any, **at: Any) -> Any:
        return (A.number(part) * fall(A, at)) ** 2

    yield Statement(partly, square, "<=", _and(goal.box, part)), tactic.moved

    def total(A: Any, *, moved: Any, **at: Any) -> Any:
        return A.number(moved) * square(A, **at)

    def allowed(A: Any, *, moved: Any, **at: Any) -> Any:
        return goal.squared(A, **at)

    few = (
        AtMost(parameter_named("moved"), parameter_named(goal.items)),
        AtMost(parameter_named("moved"), lambda A, **at: A.number(at[goal.top]) + 1),
    )
    yield Statement(total, allowed, "<=", _and(goal.box, moved), given=few), tactic.total


def below(goal: Tops, tactic: Below) -> Left:
    """What `Below` leaves."""
    counts = goal.relabelled
    order = order_of(goal.box)
    if order.name in counts.box.names:
        raise TacticError(f"expected counts without an order, got {', '.join(counts.box.names)}")
    rest = Box(tuple(one for one in goal.box.parameters if one.name != "alpha"))

    def of_counts(A: Any, formula: Formula, at: Any) -> Any:
        return formula(A, **{name: at[name] for name in counts.box.names})

    yield Statement(zero, goal.noise, "<", rest), tactic.positive
    yield counts, tactic.relabelled

    def missed(A: Any, **at: Any) -> Any:
        lead = A.number(goal.threshold(A, **at)) - of_counts(A, counts.fall, at)
        return A.number(at[counts.items]) * normal_cdf(A, -lead / (A.sqrt(2) * goal.noise(A, **at)))

    yield Statement(missed, goal.delta, "<=", rest), tactic.likely
    yield Truncated(Box((order, Parameter("squared", ""))), tactic.bound), tactic.truncated

    def moved(A: Any, *, share: Any, alpha: Any, **at: Any) -> Any:
        squared = A.number(share) * of_counts(A, counts.squared, at) / A.number(goal.noise(A, **at)) ** 2
        return tactic.bound(A, alpha=alpha, squared=squared)

    def allowed(A: Any, *, share: Any, alpha: Any, **at: Any) -> Any:
        return A.number(alpha) * goal.rho(A, **at)

    yield Statement(moved, allowed, "<=", _and(goal.box, Parameter("share", "", upper=1))), tactic.moved
    yield post_processed(order), tactic.printed


def _and(box: Box, *parameters: Parameter) -> Box:
    """The box with parameters beside its own."""
    if box.constraint is not None:
        raise TacticError(f"expected no constraint, got {box.constraint_text}")
    taken = [one.name for one in parameters if one.name in box.names]
    if taken:
        raise TacticError(f"expected parameters of other names, got {taken[0]}")
    return Box((*box.parameters, *parameters))


def post_processed(order: Parameter) -> Statement:
    """``1 + alpha (e^x - 1) <= e^(alpha x)``."""

    def tangent(A: Any, *, alpha: Any, x: Any) -> Any:
        return 1 + A.number(alpha) * A.expm1(A.number(x))

    def merged(A: Any, *, alpha: Any, x: Any) -> Any:
        return A.exp(A.number(alpha) * x)

    return Statement(tangent, merged, "<=", Box((order, *_real("x"))))


# --- streams ----------------------------------------------------------------------------------------------------------


def suppressed(goal: Streams, tactic: Suppressed) -> Left:
    """What `Suppressed` leaves."""
    order = order_of(goal.box)
    for name in (goal.rounds, goal.items, goal.digits):
        if name not in goal.box.names or not goal.box[name].integer or goal.box[name].lower != 1:
            raise TacticError(f"expected an integer from 1 on, got {name}")
    rest = tuple(one for one in goal.box.parameters if one.name != "alpha")

    def power(A: Any, **at: Any) -> Any:
        return A.number(2) ** (A.number(at[goal.digits]) - 1)

    yield Statement(zero, goal.noise, "<", Box(rest)), tactic.positive
    yield Statement(parameter_named(goal.digits), power, "<=", Box((goal.box[goal.digits],))), tactic.digits
    yield _missed(goal, rest), tactic.likely
    yield Truncated(Box((order, Parameter("squared", ""))), tactic.bound), tactic.truncated

    def moved(A: Any, *, share: Any, alpha: Any, **at: Any) -> Any:
        cells = A.number(share) * at[goal.items] * at[goal.digits]
        return tactic.bound(A, alpha=alpha, squared=cells / A.number(goal.noise(A, **at)) ** 2)

    def allowed(A: Any, *, share: Any, alpha: Any, **at: Any) -> Any:
        return A.number(alpha) * goal.rho(A, **at)

    yield Statement(moved, allowed, "<=", _and(goal.box, Parameter("share", "", upper=1))), tactic.moved
    yield post_processed(order), tactic.printed


def _missed(goal: Streams, rest: tuple[Parameter, ...]) -> Statement:
    """``items rounds P[1 + N(0, noises noise^2) > threshold] <= delta``, noises from 1 to digits."""
    more = Parameter("share", "of the noises after the first", upper=1)

    def missed(A: Any, *, share: Any, **at: Any) -> Any:
        noises = 1 + A.number(share) * (A.number(at[goal.digits]) - 1)
        lead = (A.number(goal.threshold(A, **at)) - 1) / (A.sqrt(noises) * goal.noise(A, **at))
        return A.number(at[goal.items]) * at[goal.rounds] * normal_cdf(A, -lead)

    def allowed(A: Any, *, share: Any, **at: Any) -> Any:
        return A.number(goal.delta(A, **at))

    def long_enough(**values: Any) -> Any:
        return values[goal.digits] <= values[goal.rounds]

    return Statement(missed, allowed, "<=", Box((*rest, more), long_enough, "digits <= rounds"))
