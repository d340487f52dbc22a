"""What tactics on shared noise leave of a goal; why it implies what is said is in the tactics' docstrings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.noise_maximum import unreleased
from proofs_numeric.arithmetic.special import log_normal_cdf, normal_cdf
from proofs_numeric.arithmetic.symbolic import is_whole
from proofs_numeric.kernel import expressions
from proofs_numeric.kernel.goals import Left, TacticError
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import one, zero
from proofs_numeric.statements.noise import AllBelow, OfSharedNoise, SharedNoise
from proofs_numeric.statements.statement import Statement
from proofs_numeric.statements.tactics import Increasing, Sign, Tactic


def of_shared_noise(goal: AllBelow, tactic: OfSharedNoise) -> Left:
    """What `OfSharedNoise` leaves."""
    yield from _signs(goal)
    if tactic.share is None and tactic.tangent is None:
        yield Statement(goal.bound, _mean_of_power(goal.noise), goal.relation, goal.box), tactic.proof
        return
    if goal.relation != "<=":
        raise TacticError(f"expected a lower bound of a probability, got {goal.relation}")
    if tactic.share is None:
        assert tactic.tangent is not None  # noqa: S101 - one of the two
        yield Statement(goal.bound, _power_of_mean(goal.noise), "<=", goal.box), tactic.proof
        yield _TANGENT, tactic.tangent
        return
    if tactic.tangent is not None:
        raise TacticError("expected a share or a tangent, got both")
    yield from _with_share(goal, tactic.share, tactic.proof)


def _mean_of_power(noise: SharedNoise) -> Formula:
    def mean(A: Any, **at: Any) -> Any:
        scale = A.number(noise.scale(A, **at))
        t, b = noise.threshold(A, **at) / scale, noise.shared(A, **at) / scale
        return unreleased(A, l=noise.count(A, **at), t=t, b=b)

    return mean


def _power_of_mean(noise: SharedNoise) -> Formula:
    def power(A: Any, **at: Any) -> Any:
        scale = A.sqrt(A.number(noise.shared(A, **at)) ** 2 + A.number(noise.scale(A, **at)) ** 2)
        return A.exp(noise.count(A, **at) * log_normal_cdf(A, noise.threshold(A, **at) / scale))

    return power


_TANGENT = Statement(
    lambda A, *, k, y: 1 + k * (A.number(y) - 1), lambda A, *, k, y: A.number(y) ** k, "<=",
    Box((Parameter("k", "", lower=1, integer=True), Parameter("y", ""))),
)  # fmt: skip


def _with_share(goal: AllBelow, share: Formula, proof: Tactic) -> Left:
    noise, box = goal.noise, goal.box

    def left_of(A: Any, z: Any, at: Mapping[str, Any]) -> Any:
        return (noise.threshold(A, **at) - z) / A.number(noise.scale(A, **at))

    def product(A: Any, **at: Any) -> Any:
        z = A.number(share(A, **at))
        each = log_normal_cdf(A, left_of(A, z, at))
        return normal_cdf(A, z / noise.shared(A, **at)) * A.exp(noise.count(A, **at) * each)

    yield Statement(goal.bound, product, "<=", box), proof
    if "lower" in box.names:
        raise TacticError("expected parameters of other names, got lower")
    wide = Box((*box.parameters, Parameter("lower", "by how much Z is below its share")))

    def at_share(A: Any, *, lower: Any, **at: Any) -> Any:
        return left_of(A, A.number(share(A, **at)), at)

    def at_lower(A: Any, *, lower: Any, **at: Any) -> Any:
        return left_of(A, A.number(share(A, **at)) - lower, at)

    x, higher = (lambda A, _f=f, **at: normal_cdf(A, _f(A, **at)) for f in (at_share, at_lower))
    yield Statement(x, higher, "<=", wide), Increasing("normal_cdf", at_share, at_lower)


def _signs(goal: AllBelow) -> Left:
    noise, box = goal.noise, goal.box
    if box.constraint is not None:
        raise TacticError(f"expected no constraint, got {box.constraint_text}")
    if not is_whole(expressions.expression(noise.count, box)):
        raise TacticError("expected an integer for a number of counters, got another number")
    yield Statement(one, noise.count, "<=", box), Sign()
    for scale in (noise.shared, noise.scale):
        yield Statement(zero, scale, "<", box), Sign()
