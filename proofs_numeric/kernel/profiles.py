"""What tactics on privacy profiles leave of a goal; why it implies what is said is in the tactics' docstrings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import exact
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import binomial_tail, gaussian_profile, normal_cdf
from proofs_numeric.arithmetic.symbolic import is_whole
from proofs_numeric.kernel import expressions
from proofs_numeric.kernel.goals import Left, TacticError
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import one, zero
from proofs_numeric.statements.profiles import (
    AtCount,
    AtOrder,
    AtThreshold,
    BadCounts,
    Concentrated,
    Counts,
    EqualLaws,
    Gaussians,
    HalfLine,
    PartlyShown,
    Profile,
    Reflected,
    SparseRows,
    Withheld,
)
from proofs_numeric.statements.statement import Statement
from proofs_numeric.statements.tactics import Increasing, Maximum, Part, Sign, Split, Symbolic, Through

_COPIES = Parameter("copies", "", lower=1, integer=True)
_BEYOND = Parameter("beyond", "", integer=True)


def bad_counts(goal: Profile, tactic: BadCounts) -> Left:
    """What `BadCounts` leaves."""
    pairs, box = goal.pairs, _with_level(goal)
    if not isinstance(pairs, Counts):
        raise TacticError(f"expected counts, got {type(pairs).__name__.lower()}")
    given = pairs.copies
    whole = _wider(box, *(() if given else (_COPIES,)), _BEYOND)
    yield Statement(zero, _level, "<=", box), Sign()
    yield Statement(zero, pairs.rate, "<", box), Sign()
    yield Statement(pairs.rate, one, "<", box), Sign()
    _require_whole(pairs.threshold, box)
    yield Statement(one, pairs.threshold, "<=", box), Sign()
    if given is not None:
        _require_whole(given, box)
        yield Statement(one, given, "<=", box), Sign()
    yield Statement(_told(pairs, box, fewer=False), _of(goal.bound, box), "<=", whole), tactic.more
    if (tactic.fewer is None) != (given is not None):
        raise TacticError("expected a proof of both ways round, of one where copies are given")
    if tactic.fewer is not None:
        yield Statement(_told(pairs, box, fewer=True), _of(goal.bound, box), "<=", whole), tactic.fewer
    if goal.relation == "<=":
        return
    if not tactic.worst or tactic.attained is None:
        raise TacticError("expected an event at which the bound is attained, got none")
    for place in tactic.worst:
        if given is not None and place.fewer:
            raise TacticError("expected an event that more copies show, got one of fewer")
        for number, least in ((place.copies, one), (place.beyond, zero)):
            _require_whole(number, box)
            yield Statement(least, number, "<=", box), Sign()
    events = [_at_place(_told(pairs, box, fewer=place.fewer), place) for place in tactic.worst]
    yield Statement(goal.bound, _largest(events), "<=", box), tactic.attained


def half_line(goal: Profile, tactic: HalfLine) -> Left:
    """What `HalfLine` leaves."""
    pairs, box = _of_gaussians(goal)
    yield Statement(zero, pairs.scale, "<", box), Sign()
    wide = _wider(box, Parameter("beyond", ""))

    def more(A: Any, side: int, at: Mapping[str, Any]) -> Any:
        """The logarithm of the densities' ratio less epsilon, on a side of the cut."""
        known = _inside(at, box)
        first, second, scale = (A.number(one(A, **known)) for one in (pairs.first, pairs.second, pairs.scale))
        x = tactic.cut(A, **known) + side * A.number(at["beyond"])
        return ((x - second) ** 2 - (x - first) ** 2) / (2 * scale**2) - at["epsilon"]

    side = 1 if tactic.above else -1
    yield Statement(zero, lambda A, **at: more(A, side, at), "<=", wide), tactic.sides
    yield Statement(lambda A, **at: more(A, -side, at), zero, "<=", wide), tactic.sides

    def below(A: Any, x: Any, at: Mapping[str, Any]) -> Any:
        """What is told by being below x, or above it where that is the side."""
        first, second, scale = (one(A, **at) for one in (pairs.first, pairs.second, pairs.scale))
        return normal_cdf(A, (x - first) / scale) - A.exp(at["epsilon"]) * normal_cdf(A, (x - second) / scale)

    def above(A: Any, x: Any, at: Mapping[str, Any]) -> Any:
        first, second, scale = (one(A, **at) for one in (pairs.first, pairs.second, pairs.scale))
        return normal_cdf(A, (first - x) / scale) - A.exp(at["epsilon"]) * normal_cdf(A, (second - x) / scale)

    def best(A: Any, **at: Any) -> Any:
        cut = A.number(tactic.cut(A, **at))
        if pairs.edge is None:
            return above(A, cut, at) if tactic.above else below(A, cut, at)
        edge = A.number(pairs.edge(A, **at))
        start, hidden = A.maximum(edge, cut), below(A, edge, at)
        shown = above(A, start, at) if tactic.above else below(A, start, at) - hidden
        return A.maximum(shown, hidden + shown)

    yield Statement(best, goal.bound, goal.relation, box), tactic.value


def equal_laws(goal: Profile, tactic: EqualLaws) -> Left:
    """What `EqualLaws` leaves."""
    pairs, box = _of_gaussians(goal)
    yield Statement(zero, pairs.scale, "<", box), Sign()
    yield Statement(pairs.first, pairs.second, "=", box), Symbolic()

    def trivial(A: Any, *, epsilon: Any, **_rest: Any) -> Any:
        return A.maximum(0, -A.expm1(A.number(epsilon)))

    yield Statement(trivial, goal.bound, goal.relation, box), tactic.value


def _of_gaussians(goal: Profile) -> tuple[Gaussians, Box]:
    """The pair, and the parameters, of which a constraint tells nothing more."""
    if not isinstance(goal.pairs, Gaussians):
        raise TacticError(f"expected two Gaussians, got {type(goal.pairs).__name__.lower()}")
    return goal.pairs, _with_level(replace(goal, box=Box(goal.box.parameters)))


def reflected(goal: Profile, tactic: Reflected) -> Left:
    """What `Reflected` leaves."""
    pairs, box = goal.pairs, _with_level(goal)
    if not isinstance(pairs, SparseRows):
        raise TacticError(f"expected sparse rows, either way round, got {type(pairs).__name__.lower()}")

    def mirrored(formula: Formula) -> Formula:
        return lambda A, *, epsilon, **at: formula(A, epsilon=-A.number(epsilon), **at)

    level = box["epsilon"]
    lower, upper = (_negative(end) for end in (level.upper, level.lower))
    level = replace(level, lower=lower, upper=upper, log=False)
    level = replace(level, open_lower=level.open_upper, open_upper=level.open_lower)
    other = Box(tuple(level if one.name == "epsilon" else one for one in box.parameters))
    same = SparseRows(
        mirrored(pairs.rows), mirrored(pairs.loss), None if pairs.square is None else mirrored(pairs.square)
    )
    yield Profile(other, same, tactic.opposite, goal.relation), tactic.proof

    def value(A: Any, *, epsilon: Any, **at: Any) -> Any:
        epsilon = A.number(epsilon)
        return -A.expm1(epsilon) + A.exp(epsilon) * mirrored(tactic.opposite)(A, epsilon=epsilon, **at)

    yield Statement(value, goal.bound, goal.relation, box), tactic.value


def _negative(end: Any) -> Any:
    opposite = {"infinity": "-infinity", "-infinity": "infinity"}
    return opposite[end] if end in opposite else -exact(end)


def withheld(goal: Profile, tactic: Withheld) -> Left:
    """What `Withheld` leaves."""
    pairs, box = goal.pairs, _with_level(goal, ">=")
    if not isinstance(pairs, PartlyShown):
        raise TacticError(f"expected vectors of which a part is shown, got {type(pairs).__name__.lower()}")
    yield Statement(zero, pairs.distance, "<", box), Sign()

    def least(A: Any, **at: Any) -> Any:
        whole = gaussian_profile(A, A.number(at["epsilon"]), A.number(pairs.distance(A, **at)))
        named = () if pairs.named is None else (pairs.named(A, **at),)
        return A.maximum(0, *named, whole - (1 - A.number(pairs.shown(A, **at))))

    yield Statement(goal.bound, least, "<=", box), tactic.value


def at_threshold(goal: Profile, tactic: AtThreshold) -> Left:
    """What `AtThreshold` leaves."""
    pairs, box = goal.pairs, _with_level(goal)
    if not isinstance(pairs, SparseRows):
        raise TacticError(f"expected sparse rows, got {type(pairs).__name__.lower()}")
    _require_whole(pairs.rows, box)
    yield Statement(one, pairs.rows, "<=", box), Sign()
    yield Statement(zero, _level, "<=", box), Sign()
    yield Statement(zero, pairs.loss, "<=", box), tactic.lost

    def first(A: Any, **at: Any) -> Any:
        return -A.expm1(-(A.number(pairs.rows(A, **at)) * pairs.loss(A, **at)))

    yield Statement(first, goal.bound, "<=", box), tactic.first
    events = [first]
    if pairs.square is not None:
        yield from _with_rows_above(goal, tactic, pairs, pairs.square)
        second, _third = _rows_above(box, pairs, pairs.square)
        events.extend(_with_place(second, place) for place in tactic.places)
    if goal.relation == "=":
        if tactic.attained is None:
            raise TacticError("expected a proof that the bound is attained, got none")
        yield Statement(goal.bound, _largest(events), "<=", box), tactic.attained


def at_order(goal: Profile, tactic: AtOrder) -> Left:
    """What `AtOrder` leaves."""
    pairs, box = goal.pairs, _with_level(goal)
    if not isinstance(pairs, Concentrated) or goal.relation != "<=":
        raise TacticError("expected an upper bound for concentrated laws, got another goal")
    yield Statement(zero, tactic.excess, "<=", box), Sign()
    any_order = Box((Parameter("excess", ""), Parameter("u", "", lower="-infinity")))

    def power(A: Any, *, excess: Any, u: Any) -> Any:
        return A.exp((1 + A.number(excess)) * u)

    def whole(A: Any, *, excess: Any, u: Any) -> Any:
        return A.expm1(A.number(u))

    above = Through(lambda A, *, excess, u: A.exp(A.number(u)), second=_MORE_OF_ORDER)
    stick = Maximum((Part(zero), Part(whole, Split("u", 0, Through(zero), above))))
    yield Statement(lambda A, **at: A.maximum(0, whole(A, **at)), power, "<=", any_order), stick

    def told(A: Any, **at: Any) -> Any:
        excess = A.number(tactic.excess(A, **at))
        return A.exp(excess * ((1 + excess) * pairs.rho(A, **at) - at["epsilon"]))

    yield Statement(told, goal.bound, "<=", box), tactic.end


_MORE_OF_ORDER = Increasing(
    "exp", lambda A, *, excess, u: A.number(u), lambda A, *, excess, u: (1 + A.number(excess)) * u
)


def _with_rows_above(goal: Profile, tactic: AtThreshold, pairs: SparseRows, square: Formula) -> Left:
    box = goal.box
    if tactic.second is None or tactic.third is None:
        raise TacticError("expected proofs for pairs with rows above the threshold, got none")
    yield Statement(zero, square, "<", box), Sign()
    places = _wider(box, Parameter("place", "", integer=True)).parameters

    def above(**at: Any) -> Any:
        known = {name: expressions.A.number(at[name]) for name in box.names}
        return -(at["place"] + 1 - pairs.rows(expressions.A, **known)) >= 0

    some = Box(places, above, "place < rows")
    for term, proof in zip(_rows_above(box, pairs, square), (tactic.second, tactic.third), strict=True):
        yield Statement(term, _of(goal.bound, box), "<=", some), proof
    for place in tactic.places:
        _require_whole(place, box)
        yield Statement(zero, place, "<=", box), Sign()
        yield Statement(place, pairs.rows, "<", box), Sign()


def _rows_above(box: Box, pairs: SparseRows, square: Formula) -> tuple[Formula, Formula]:
    """What ``place`` rows at the threshold and the others above tell, with the user and without."""

    def parts(A: Any, at: Mapping[str, Any]) -> tuple[Any, Any]:
        """``a loss`` and mu."""
        known, place = _inside(at, box), A.number(at["place"])
        above = A.number(pairs.rows(A, **known)) - place
        return place * pairs.loss(A, **known), A.sqrt(above) * A.sqrt(square(A, **known))

    def second(A: Any, **at: Any) -> Any:
        lost, mu = parts(A, at)
        return -A.expm1(-lost) + A.exp(-lost) * gaussian_profile(A, A.number(at["epsilon"]) + lost, mu)

    def third(A: Any, **at: Any) -> Any:
        lost, mu = parts(A, at)
        return gaussian_profile(A, A.number(at["epsilon"]) - lost, mu)

    return second, third


def _with_place(term: Formula, place: Formula) -> Formula:
    return lambda A, **at: term(A, **at, place=place(A, **at))


def _largest(events: Sequence[Formula]) -> Formula:
    return lambda A, **at: A.maximum(*(event(A, **at) for event in events)) if events[1:] else events[0](A, **at)


def _level(A: Any, *, epsilon: Any, **_rest: Any) -> Any:
    return A.number(epsilon)


def _with_level(goal: Profile, *relations: str) -> Box:
    """The goal's box, which has a level and no constraint."""
    if "epsilon" not in goal.box.names or goal.box.constraint is not None:
        raise TacticError("expected a level epsilon among the parameters, and no constraint")
    relations = relations or ("=", "<=")
    if goal.relation not in relations:
        raise TacticError(f"expected {' or '.join(relations)} of a profile, got {goal.relation}")
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

    def told(A: Any, *, beyond: Any, **at: Any) -> Any:
        known = _inside(at, box)
        copies = at["copies"] if pairs.copies is None else pairs.copies(A, **known)
        rate, place, level = pairs.rate(A, **known), pairs.threshold(A, **known) + beyond, A.number(at["epsilon"])
        many, one_less = (binomial_tail(A, number, rate, place) for number in (copies, copies - 1))
        return (1 - one_less) - A.exp(level) * (1 - many) if fewer else many - A.exp(level) * one_less

    return told


def _at_place(told: Formula, place: AtCount) -> Formula:
    return lambda A, **at: told(A, **at, copies=place.copies(A, **at), beyond=place.beyond(A, **at))
