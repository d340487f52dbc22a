"""What the tactic on an event leaves of a goal; why it implies what is said is in its docstring."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.kernel.gaussians import with_more
from proofs_numeric.kernel.goals import Left, TacticError, order_of
from proofs_numeric.kernel.profiles import divergence_of_laplace, named_of_rows, require_whole, square_above
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import one, parameter_named, zero
from proofs_numeric.statements.events import GivenEvent
from proofs_numeric.statements.gaussians import Streams, Tops, Truncated
from proofs_numeric.statements.profiles import ConcentratedRows
from proofs_numeric.statements.statement import Statement
from proofs_numeric.statements.tactics import Sign, Tactic

_SHARE = Parameter("share", "of the most that moves", upper=1)


def given_event(goal: Tops | Streams | ConcentratedRows, tactic: GivenEvent) -> Left:
    """What `GivenEvent` leaves."""
    order = order_of(goal.box)
    rest = Box(tuple(parameter for parameter in goal.box.parameters if parameter.name != "alpha"))
    if isinstance(goal, Tops):
        yield from _of_tops(goal, tactic, rest)
    elif isinstance(goal, Streams):
        yield from _of_streams(goal, tactic, rest)
    else:
        yield from _of_rows(goal, tactic, rest)
    bound, truncated = tactic.bound, tactic.truncated
    of_laplace = isinstance(goal, ConcentratedRows) and goal.rows.square is None
    if len({of_laplace, bound is None, truncated is None}) > 1:
        raise TacticError("expected a bound of Gaussian vectors, and its proof, just where there are such")
    if bound is not None and truncated is not None:
        yield Truncated(Box((order, Parameter("squared", ""))), bound), truncated

    def allowed(A: Any, *, share: Any, alpha: Any, **at: Any) -> Any:
        return A.number(alpha) * goal.rho(A, **at)

    yield Statement(_divergence(goal, bound), allowed, "<=", with_more(goal.box, _SHARE)), tactic.moved
    yield _post_processed(order), tactic.printed


def _divergence(goal: Tops | Streams | ConcentratedRows, bound: Formula | None) -> Formula:
    """Of vectors at a share of the largest distance."""

    def at_share(A: Any, *, share: Any, alpha: Any, **at: Any) -> Any:
        if isinstance(goal, Tops):
            squared = A.number(share) * _of_counts(A, goal, goal.relabelled.squared, at)
            squared /= A.number(goal.noise(A, **at)) ** 2
        elif isinstance(goal, Streams):
            squared = A.number(share) * at[goal.items] * at[goal.digits] / A.number(goal.noise(A, **at)) ** 2
        else:
            count, far = A.number(goal.rows.rows(A, **at)), A.number(share) * square_above(goal.rows)(A, **at)
            if bound is None:
                return count * divergence_of_laplace(A, alpha, far)
            squared = count * far
        assert bound is not None  # noqa: S101 - of Gaussian vectors
        return bound(A, alpha=alpha, squared=squared)

    return at_share


def _of_counts(A: Any, goal: Tops, formula: Formula, at: Mapping[str, Any]) -> Any:
    return formula(A, **{name: at[name] for name in goal.relabelled.box.names})


def _of_tops(goal: Tops, tactic: GivenEvent, rest: Box) -> Left:
    counts = goal.relabelled
    if "alpha" in counts.box.names:
        raise TacticError(f"expected counts without an order, got {', '.join(counts.box.names)}")
    yield Statement(zero, goal.noise, "<", rest), tactic.positive
    yield counts, _proof_of_counts(tactic)

    def missed(A: Any, **at: Any) -> Any:
        lead = A.number(goal.threshold(A, **at)) - _of_counts(A, goal, counts.fall, at)
        return A.number(at[counts.items]) * normal_cdf(A, -lead / (A.sqrt(2) * goal.noise(A, **at)))

    yield Statement(missed, goal.delta, "<=", rest), tactic.likely


def _of_streams(goal: Streams, tactic: GivenEvent, rest: Box) -> Left:
    for name in (goal.rounds, goal.items, goal.digits):
        if name not in goal.box.names or not goal.box[name].integer or goal.box[name].lower != 1:
            raise TacticError(f"expected an integer from 1 on, got {name}")

    def power(A: Any, **at: Any) -> Any:
        return A.number(2) ** (A.number(at[goal.digits]) - 1)

    yield Statement(zero, goal.noise, "<", rest), tactic.positive
    digits = Box((goal.box[goal.digits],))
    yield Statement(parameter_named(goal.digits), power, "<=", digits), _proof_of_counts(tactic)
    more = Parameter("share", "of the noises after the first", upper=1)

    def missed(A: Any, *, share: Any, **at: Any) -> Any:
        noises = 1 + A.number(share) * (A.number(at[goal.digits]) - 1)
        lead = (A.number(goal.threshold(A, **at)) - 1) / (A.sqrt(noises) * goal.noise(A, **at))
        return A.number(at[goal.items]) * at[goal.rounds] * normal_cdf(A, -lead)

    def allowed(A: Any, *, share: Any, **at: Any) -> Any:
        return A.number(goal.delta(A, **at))

    def long_enough(**values: Any) -> Any:
        return values[goal.digits] <= values[goal.rounds]

    box = Box((*with_more(rest, more).parameters,), long_enough, "digits <= rounds")
    yield Statement(missed, allowed, "<=", box), tactic.likely


def _of_rows(goal: ConcentratedRows, tactic: GivenEvent, rest: Box) -> Left:
    rows = goal.rows
    if rows.steps is not None or tactic.counts is not None:
        raise TacticError("expected counts on the line, and no proof about them")
    require_whole(rows.rows, rest)
    yield Statement(one, rows.rows, "<=", rest), Sign()
    yield Statement(zero, rows.loss, "<=", rest), Sign()
    yield Statement(zero, square_above(rows), "<", rest), tactic.positive
    yield Statement(named_of_rows(rows), goal.delta, "<=", rest), tactic.likely


def _proof_of_counts(tactic: GivenEvent) -> Tactic:
    if tactic.counts is None:
        raise TacticError("expected a proof about the counts, got none")
    return tactic.counts


def _post_processed(order: Parameter) -> Statement:
    """``1 + alpha (e^x - 1) <= e^(alpha x)``."""

    def tangent(A: Any, *, alpha: Any, x: Any) -> Any:
        return 1 + A.number(alpha) * A.expm1(A.number(x))

    def merged(A: Any, *, alpha: Any, x: Any) -> Any:
        return A.exp(A.number(alpha) * x)

    return Statement(tangent, merged, "<=", Box((order, Parameter("x", "", lower="-infinity"))))
