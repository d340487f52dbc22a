"""What tactics on Gaussian vectors leave of a goal; why it implies what is said is in the tactics' docstrings."""

from __future__ import annotations

from typing import Any

from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.kernel.goals import Left, TacticError
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.gaussians import SHARE, LogConcave, Streams, Suppressed, Truncated
from proofs_numeric.statements.kinds import AtMost
from proofs_numeric.statements.statement import Statement


def _real(*names: str) -> tuple[Parameter, ...]:
    return tuple(Parameter(name, "", lower="-infinity") for name in names)


def _between(A: Any, share: Any, first: Any, second: Any) -> Any:
    return A.number(share) * first + (1 - A.number(share)) * second


def _log_density(A: Any, place: Any, mean: Any) -> Any:
    """Of N(mean, 1), the constant left out."""
    return -((A.number(place) - mean) ** 2) / 2


def _order(box: Box) -> Parameter:
    order = next((one for one in box.parameters if one.name == "alpha"), None)
    if order is None or order.lower != 1 or not order.open_lower or order.integer:
        raise TacticError("expected an order alpha from 1 on, 1 left out")
    if box.constraint is not None:
        raise TacticError(f"expected no constraint, got {box.constraint_text}")
    return order


# --- half-spaces ------------------------------------------------------------------------------------------------------


def log_concave(goal: Truncated, tactic: LogConcave) -> Left:
    """What `LogConcave` leaves."""
    order = _order(goal.box)
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

    known = tuple(AtMost(_read(name), edge) for name in ("first", "second"))

    def place(A: Any, *, share: Any, first: Any, second: Any, edge: Any) -> Any:
        return _between(A, share, first, second)

    box = Box((SHARE, *_real("first", "second", "edge")))
    yield Statement(place, edge, "<=", box, given=known), tactic.inside

    def geometric(A: Any, *, share: Any, p: Any, q: Any) -> Any:
        return A.exp(_between(A, share, p, q))

    def arithmetic(A: Any, *, share: Any, p: Any, q: Any) -> Any:
        return _between(A, share, A.exp(A.number(p)), A.exp(A.number(q)))

    yield Statement(geometric, arithmetic, "<=", Box((SHARE, *_real("p", "q")))), tactic.mean


def _read(name: str) -> Formula:
    return lambda A, **at: A.number(at[name])


# --- streams ----------------------------------------------------------------------------------------------------------


def suppressed(goal: Streams, tactic: Suppressed) -> Left:
    """What `Suppressed` leaves."""
    order = _order(goal.box)
    for name in (goal.rounds, goal.items, goal.digits):
        if name not in goal.box.names or not goal.box[name].integer or goal.box[name].lower != 1:
            raise TacticError(f"expected an integer from 1 on, got {name}")
    taken = [name for name in ("share", "x") if name in goal.box.names]
    if taken or len(set(goal.box.names)) != len(goal.box.names):
        raise TacticError(f"expected parameters of names of their own, got {', '.join(goal.box.names)}")
    rest = tuple(one for one in goal.box.parameters if one.name != "alpha")

    def power(A: Any, **at: Any) -> Any:
        return A.number(2) ** (A.number(at[goal.digits]) - 1)

    yield Statement(zero, goal.noise, "<", Box(rest)), tactic.positive
    yield Statement(_read(goal.digits), power, "<=", Box((goal.box[goal.digits],))), tactic.digits
    yield _missed(goal, rest), tactic.likely
    yield Truncated(Box((order, Parameter("squared", ""))), tactic.bound), tactic.truncated

    def moved(A: Any, *, share: Any, alpha: Any, **at: Any) -> Any:
        cells = A.number(share) * at[goal.items] * at[goal.digits]
        return tactic.bound(A, alpha=alpha, squared=cells / A.number(goal.noise(A, **at)) ** 2)

    def allowed(A: Any, *, share: Any, alpha: Any, **at: Any) -> Any:
        return A.number(alpha) * goal.rho(A, **at)

    share = Parameter("share", "", upper=1)
    yield Statement(moved, allowed, "<=", Box((*goal.box.parameters, share))), tactic.moved

    def tangent(A: Any, *, alpha: Any, x: Any) -> Any:
        return 1 + A.number(alpha) * A.expm1(A.number(x))

    def merged(A: Any, *, alpha: Any, x: Any) -> Any:
        return A.exp(A.number(alpha) * x)

    yield Statement(tangent, merged, "<=", Box((order, *_real("x")))), tactic.printed


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
