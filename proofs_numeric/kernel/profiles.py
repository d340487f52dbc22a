"""What tactics on privacy profiles leave of a goal; why it implies what is said is in the tactics' docstrings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import binomial_tail
from proofs_numeric.arithmetic.symbolic import is_whole
from proofs_numeric.kernel import expressions
from proofs_numeric.kernel.goals import Left, TacticError
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import one, zero
from proofs_numeric.statements.profiles import AtCount, BadCounts, Counts, Profile
from proofs_numeric.statements.statement import Statement
from proofs_numeric.statements.tactics import Sign

_COPIES = Parameter("copies", "", lower=1, integer=True)
_BEYOND = Parameter("beyond", "", integer=True)


def bad_counts(goal: Profile, tactic: BadCounts) -> Left:
    """What `BadCounts` leaves."""
    pairs, box = goal.pairs, _with_level(goal)
    if not isinstance(pairs, Counts):
        raise TacticError(f"expected counts, got {type(pairs).__name__.lower()}")
    whole = _wider(box, _COPIES, _BEYOND)
    yield Statement(zero, _level, "<=", box), Sign()
    yield Statement(zero, pairs.rate, "<", box), Sign()
    yield Statement(pairs.rate, one, "<", box), Sign()
    _require_whole(pairs.threshold, box)
    yield Statement(one, pairs.threshold, "<=", box), Sign()
    for fewer, proof in ((False, tactic.more), (True, tactic.fewer)):
        yield Statement(_told(pairs, box, fewer=fewer), _of(goal.bound, box), "<=", whole), proof
    if goal.relation == "<=":
        return
    if not tactic.worst or tactic.attained is None:
        raise TacticError("expected an event at which the bound is attained, got none")
    for place in tactic.worst:
        for number, least in ((place.copies, one), (place.beyond, zero)):
            _require_whole(number, box)
            yield Statement(least, number, "<=", box), Sign()
    events = [_at_place(_told(pairs, box, fewer=place.fewer), place) for place in tactic.worst]

    def largest(A: Any, **at: Any) -> Any:
        return A.maximum(*(event(A, **at) for event in events)) if events[1:] else events[0](A, **at)

    yield Statement(goal.bound, largest, "<=", box), tactic.attained


def _level(A: Any, *, epsilon: Any, **_rest: Any) -> Any:
    return A.number(epsilon)


def _with_level(goal: Profile) -> Box:
    """The goal's box, which has a level and no constraint."""
    if "epsilon" not in goal.box.names or goal.box.constraint is not None:
        raise TacticError("expected a level epsilon among the parameters, and no constraint")
    if goal.relation not in {"=", "<="}:
        raise TacticError(f"expected = or <= of a profile, got {goal.relation}")
    return goal.box


def _wider(box: Box, *more: Parameter) -> Box:
    whole = Box((*box.parameters, *more))
    if len(set(whole.names)) != len(whole.names):
        raise TacticError(f"expected names of its own for each parameter, got {', '.join(whole.names)}")
    return whole


def _require_whole(number: Formula, box: Box) -> None:
    if not is_whole(expressions.expression(number, box)):
        raise TacticError("expected an integer for a number of clients, got another number")


def _inside(at: Mapping[str, Any], box: Box) -> dict[str, Any]:
    return {name: at[name] for name in box.names}


def _of(formula: Formula, box: Box) -> Formula:
    """The formula of the box's parameters, as one of more."""
    return lambda A, **at: formula(A, **_inside(at, box))


def _told(pairs: Counts, box: Box, *, fewer: bool) -> Formula:
    """What the event tells that ``copies`` show the threshold and ``beyond``; or that one less shows less."""

    def told(A: Any, *, copies: Any, beyond: Any, **at: Any) -> Any:
        known = _inside(at, box)
        rate, place, level = pairs.rate(A, **known), pairs.threshold(A, **known) + beyond, A.number(at["epsilon"])
        many, one_less = (binomial_tail(A, number, rate, place) for number in (copies, copies - 1))
        return (1 - one_less) - A.exp(level) * (1 - many) if fewer else many - A.exp(level) * one_less

    return told


def _at_place(told: Formula, place: AtCount) -> Formula:
    return lambda A, **at: told(A, **at, copies=place.copies(A, **at), beyond=place.beyond(A, **at))
