"""What tactics on shared noise leave of a goal; why it implies what is said is in the tactics' docstrings."""

from __future__ import annotations

from typing import Any

from proofs_numeric.arithmetic.noise_maximum import unreleased
from proofs_numeric.arithmetic.special import log_normal_cdf, normal_cdf
from proofs_numeric.arithmetic.symbolic import is_whole
from proofs_numeric.kernel import expressions
from proofs_numeric.kernel.goals import Left, TacticError
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import one, zero
from proofs_numeric.statements.noise import AllBelow, Apart, Exactly, OfIndependent
from proofs_numeric.statements.statement import Statement
from proofs_numeric.statements.tactics import Sign


def apart(goal: AllBelow, tactic: Apart) -> Left:
    """What `Apart` leaves."""
    noise = goal.noise
    _require_bound(goal)
    yield from _signs(goal)

    def product(A: Any, **at: Any) -> Any:
        share = A.number(tactic.share(A, **at))
        each = log_normal_cdf(A, (noise.threshold(A, **at) - share) / noise.own(A, **at))
        return normal_cdf(A, share / noise.shared(A, **at)) * A.exp(noise.count(A, **at) * each)

    yield Statement(goal.bound, product, "<=", goal.box), tactic.proof


def of_independent(goal: AllBelow, tactic: OfIndependent) -> Left:
    """What `OfIndependent` leaves."""
    noise = goal.noise
    _require_bound(goal)
    yield from _signs(goal)

    def power(A: Any, **at: Any) -> Any:
        scale = A.sqrt(A.number(noise.shared(A, **at)) ** 2 + A.number(noise.own(A, **at)) ** 2)
        return A.exp(noise.count(A, **at) * log_normal_cdf(A, noise.threshold(A, **at) / scale))

    yield Statement(goal.bound, power, "<=", goal.box), tactic.proof

    def tangent(A: Any, *, k: Any, y: Any) -> Any:
        return 1 + k * (A.number(y) - 1)

    any_power = Box((Parameter("k", "", lower=1, integer=True), Parameter("y", "")))
    yield Statement(tangent, lambda A, *, k, y: A.number(y) ** k, "<=", any_power), tactic.tangent


def exactly(goal: AllBelow, tactic: Exactly) -> Left:
    """What `Exactly` leaves."""
    noise = goal.noise
    yield from _signs(goal)

    def itself(A: Any, **at: Any) -> Any:
        own = A.number(noise.own(A, **at))
        t, b = noise.threshold(A, **at) / own, noise.shared(A, **at) / own
        return unreleased(A, l=noise.count(A, **at), t=t, b=b)

    yield Statement(goal.bound, itself, goal.relation, goal.box), tactic.proof


def _require_bound(goal: AllBelow) -> None:
    if goal.relation != "<=":
        raise TacticError(f"expected a lower bound of a probability, got {goal.relation}")


def _signs(goal: AllBelow) -> Left:
    noise, box = goal.noise, goal.box
    if box.constraint is not None:
        raise TacticError(f"expected no constraint, got {box.constraint_text}")
    if not is_whole(expressions.expression(noise.count, box)):
        raise TacticError("expected an integer for a number of counters, got another number")
    yield Statement(one, noise.count, "<=", box), Sign()
    for scale in (noise.shared, noise.own):
        yield Statement(zero, scale, "<", box), Sign()
