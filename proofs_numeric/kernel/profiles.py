"""What tactics on privacy profiles leave of a goal; why it implies what is said is in the tactics' docstrings."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from proofs_numeric.arithmetic import exact
from proofs_numeric.arithmetic.discrete_gaussian import moved_profile
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.integer_part import floor_of
from proofs_numeric.arithmetic.laplace import laplace_counts_profile
from proofs_numeric.arithmetic.largest import largest_term
from proofs_numeric.arithmetic.special import binomial_tail, gaussian_profile, laplace_tail, normal_cdf
from proofs_numeric.arithmetic.symbolic import is_whole
from proofs_numeric.kernel import expressions
from proofs_numeric.kernel.goals import Left, Recurs, TacticError, inside, of_box, order_of
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import one, parameter_named, zero
from proofs_numeric.statements.kinds import AllOf, AtMost, Recurrence
from proofs_numeric.statements.profiles import (
    AnyRows,
    AtCount,
    AtOrder,
    AtThreshold,
    BadCounts,
    BoundedRows,
    Composed,
    Concentrated,
    Converted,
    Counts,
    HalfLine,
    OfAnyNumber,
    OfSamples,
    PartlyShown,
    Profile,
    Promised,
    Reflected,
    Repeated,
    Samples,
    Shifted,
    SparseRows,
    Withheld,
    WithinLevel,
)
from proofs_numeric.statements.statement import Statement
from proofs_numeric.statements.tactics import (
    Hypothesis,
    Increasing,
    Maximum,
    Part,
    Sign,
    Split,
    Symbolic,
    Tactic,
    Through,
)

_COPIES = Parameter("copies", "", lower=1, integer=True)
_BEYOND = Parameter("beyond", "", integer=True)


def bad_counts(goal: Profile, tactic: BadCounts) -> Left:
    """What `BadCounts` leaves."""
    pairs, box = goal.pairs, _with_level(goal)
    if not isinstance(pairs, Counts):
        raise TacticError(f"expected counts, got {type(pairs).__name__.lower()}")
    copies = pairs.copies
    whole = _wider(box, *(() if copies else (_COPIES,)), _BEYOND)
    yield Statement(zero, _level, "<=", box), Sign()
    yield Statement(zero, pairs.rate, "<", box), Sign()
    yield Statement(pairs.rate, one, "<", box), Sign()
    require_whole(pairs.threshold, box)
    yield Statement(one, pairs.threshold, "<=", box), Sign()
    if copies is not None:
        require_whole(copies, box)
        yield Statement(one, copies, "<=", box), Sign()
    ways = (tactic.more, tactic.fewer)
    if [way is not None for way in ways] != [not pairs.reverse, pairs.reverse or copies is None]:
        raise TacticError("expected a proof of each way round that is meant, and of no other")
    for fewer, way in enumerate(ways):
        if way is not None:
            yield Statement(_of_beyond(pairs, box, fewer=bool(fewer)), of_box(goal.bound, box), "<=", whole), way
    if pairs.reverse:
        yield Statement(zero, goal.bound, "<=", box), Sign()
    if goal.relation == "=":
        yield from _attained(goal.bound, pairs, tactic, box)


def of_samples(goal: Profile, tactic: OfSamples) -> Left:
    """What `OfSamples` leaves."""
    pairs, constraint = goal.pairs, goal.box.constraint
    box = _with_level(replace(goal, box=Box(goal.box.parameters)))
    if not isinstance(pairs, Samples):
        raise TacticError(f"expected samples, got {type(pairs).__name__.lower()}")
    hypotheses = (
        constraint.parts if isinstance(constraint, AllOf) else (constraint,) if isinstance(constraint, AtMost) else ()
    )
    for number in (pairs.size, pairs.clients, pairs.threshold):
        require_whole(number, box)
    yield Statement(zero, _level, "<=", box), Sign()
    yield Statement(one, pairs.threshold, "<=", box), Sign()

    def most(A: Any, **at: Any) -> Any:
        return pairs.clients(A, **at) - (0 if pairs.replaced else 1)

    for left, right in ((pairs.threshold, pairs.size), (pairs.size, most)):
        yield Statement(left, right, "<=", box, hypotheses=hypotheses), Hypothesis() if hypotheses else Sign()
    yield Statement(_told_by_sample, _of_drawn, "<=", _SAMPLES), tactic.outcome

    def share(A: Any, **at: Any) -> Any:
        return A.number(pairs.size(A, **at)) / pairs.clients(A, **at)

    yield Statement(share, goal.bound, goal.relation, box, hypotheses=hypotheses), tactic.value


_SAMPLES = Box((*(Parameter(name, "") for name in "xyz"), Parameter("share", "", upper=1), Parameter("r", "", lower=1)))


def _told_by_sample(A: Any, *, x: Any, y: Any, z: Any, share: Any, r: Any) -> Any:
    rest = (1 - A.number(share)) * z
    return A.maximum(0, A.number(share) * x + rest - r * (A.number(share) * y + rest))


def _of_drawn(A: Any, *, x: Any, share: Any, **_rest: Any) -> Any:
    return A.number(share) * x


def half_line(goal: Profile, tactic: HalfLine) -> Left:
    """What `HalfLine` leaves."""
    pairs, box = _of_shifted(goal)
    yield Statement(zero, pairs.scale, "<", box), Sign()
    tail = laplace_tail if pairs.laplace else _normal_tail

    def more(A: Any, x: Any, at: Mapping[str, Any]) -> Any:
        """The logarithm of the densities' ratio at x less epsilon."""
        first, second = _in_scales(A, x, pairs, at)
        if pairs.laplace:
            return A.maximum(second, -second) - A.maximum(first, -first) - at["epsilon"]
        return (second**2 - first**2) / 2 - at["epsilon"]

    anywhere = _wider(box, Parameter("x", "", lower="-infinity"))
    cut = tactic.cut
    if cut is None:
        yield Statement(lambda A, *, x, **at: more(A, A.number(x), at), _less_level, "=", anywhere), Symbolic()
        yield Statement(_trivial, goal.bound, goal.relation, box), tactic.value
        return

    def beside(side: int) -> Formula:
        def beside(A: Any, *, beyond: Any, **at: Any) -> Any:
            return more(A, A.number(cut(A, **at)) + side * A.number(beyond), at)

        return beside

    side, wide = 1 if tactic.above else -1, _wider(box, Parameter("beyond", ""))
    hypotheses: tuple[AtMost, ...] = ()
    if tactic.most is not None:
        hypotheses, nowhere = (AtMost(_level, tactic.most),), (AtMost(tactic.most, _level, strict=True),)
        yield (
            Statement(lambda A, *, x, **at: more(A, A.number(x), at), zero, "<=", anywhere, hypotheses=nowhere),
            tactic.ratio,
        )
        yield Statement(zero, goal.bound, goal.relation, box, hypotheses=nowhere), tactic.nothing
    yield Statement(zero, beside(side), "<=", wide, hypotheses=hypotheses), tactic.sides[0]
    yield Statement(beside(-side), zero, "<=", wide, hypotheses=hypotheses), tactic.sides[1]

    def difference(A: Any, x: Any, at: Mapping[str, Any], side: int) -> Any:
        """What is told by being above x, or below it."""
        first, second = (side * far for far in _in_scales(A, x, pairs, at))
        return tail(A, first) - A.exp(at["epsilon"]) * tail(A, second)

    def best(A: Any, **at: Any) -> Any:
        place = A.number(cut(A, **at))
        if pairs.edge is None:
            return difference(A, place, at, side)
        edge = A.number(pairs.edge(A, **at))
        start, hidden = A.maximum(edge, place), difference(A, edge, at, -1)
        visible = difference(A, start, at, side) - (0 if tactic.above else hidden)
        return A.maximum(visible, hidden + visible)

    yield Statement(best, goal.bound, goal.relation, box, hypotheses=hypotheses), tactic.value


def _in_scales(A: Any, x: Any, pairs: Shifted, at: Mapping[str, Any]) -> tuple[Any, Any]:
    """How far x is above both centres, in scales."""
    first, second, scale = (A.number(one(A, **at)) for one in (pairs.first, pairs.second, pairs.scale))
    return (x - first) / scale, (x - second) / scale


def _less_level(A: Any, *, epsilon: Any, **_rest: Any) -> Any:
    return -A.number(epsilon)


def _trivial(A: Any, *, epsilon: Any, **_rest: Any) -> Any:
    return A.maximum(0, -A.expm1(A.number(epsilon)))


def _normal_tail(A: Any, x: Any) -> Any:
    return normal_cdf(A, -x)


def _of_shifted(goal: Profile) -> tuple[Shifted, Box]:
    """The pair, and the parameters, of which a constraint tells nothing more."""
    if not isinstance(goal.pairs, Shifted):
        raise TacticError(f"expected noise about two places, got {type(goal.pairs).__name__.lower()}")
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
    of_rows = {one.name: getattr(pairs, one.name) for one in fields(pairs)}
    same = SparseRows(**{name: formula and mirrored(formula) for name, formula in of_rows.items()})
    yield Profile(other, same, tactic.opposite, goal.relation), tactic.proof

    def value(A: Any, *, epsilon: Any, **at: Any) -> Any:
        epsilon = A.number(epsilon)
        return -A.expm1(epsilon) + A.exp(epsilon) * mirrored(tactic.opposite)(A, epsilon=epsilon, **at)

    yield Statement(value, goal.bound, goal.relation, box), tactic.value
    yield Statement(_excess_of_event, _excess_of_complement, "=", _EVENTS), Symbolic()


_EVENTS = Box((*(Parameter(name, "", upper=1) for name in "xy"), Parameter("r", "", open_lower=True)))


def _excess_of_event(A: Any, *, x: Any, y: Any, r: Any) -> Any:
    return A.number(x) - A.number(r) * y


def _excess_of_complement(A: Any, *, x: Any, y: Any, r: Any) -> Any:
    r = A.number(r)
    return 1 - r + r * ((1 - A.number(y)) - (1 - A.number(x)) / r)


def _negative(end: Any) -> Any:
    opposite = {"infinity": "-infinity", "-infinity": "infinity"}
    return opposite[end] if end in opposite else -exact(end)


def withheld(goal: Profile, tactic: Withheld) -> Left:
    """What `Withheld` leaves."""
    pairs, box = goal.pairs, _with_level(goal, ">=")
    if not isinstance(pairs, PartlyShown):
        raise TacticError(f"expected vectors of which a part is shown, got {type(pairs).__name__.lower()}")
    yield Statement(zero, pairs.distance, "<", box), Sign()
    for chance in filter(None, (pairs.chance, pairs.naming)):
        yield Statement(chance, one, "<=", box), tactic.chance

    def least(A: Any, **at: Any) -> Any:
        whole = gaussian_profile(A, A.number(at["epsilon"]), A.number(pairs.distance(A, **at)))
        naming = () if pairs.naming is None else (pairs.naming(A, **at),)
        return A.maximum(0, *naming, whole - (1 - A.number(pairs.chance(A, **at))))

    yield Statement(goal.bound, least, "<=", box), tactic.value


def at_threshold(goal: Profile, tactic: AtThreshold) -> Left:
    """What `AtThreshold` leaves."""
    goal = replace(goal, box=Box(goal.box.parameters))  # what is so on all of the box is so on a part
    pairs, box = yield from _of_sparse_rows(goal, tactic.lost)
    if pairs.square is not None or pairs.shift is not None or pairs.sigma is not None:
        yield Statement(zero, square_above(pairs), "<", box), Sign()
    if pairs.steps is not None:
        require_whole(pairs.steps, box)
        yield Statement(one, pairs.steps, "<=", box), Sign()
    parts = (tactic.first, tactic.second, tactic.third, tactic.attained)
    if pairs.shift is None and pairs.sigma is None:
        if tactic.largest is not None:
            raise TacticError("expected proofs about each term of Gaussian vectors, got one of the largest")
        yield from _term_by_term(goal, pairs, tactic)
        return
    if tactic.largest is None or any(parts) or tactic.places:
        raise TacticError("expected a proof about the largest term of counts, got proofs about each")
    yield Statement(_largest_term(pairs, box), goal.bound, goal.relation, box), tactic.largest


def _largest_term(pairs: SparseRows, box: Box) -> Formula:
    first, above = named_of_rows(pairs), _rows_above(box, pairs)

    def worst(A: Any, **at: Any) -> Any:
        def of_place(place: Any) -> Any:
            return A.maximum(*(term(A, **at, place=place) for term in above))

        return A.maximum(first(A, **at), largest_term(A, of_place, floor_of(A, pairs.rows(A, **at))))

    return worst


def any_number(goal: Profile, tactic: OfAnyNumber) -> Left:
    """What `OfAnyNumber` leaves."""
    pairs, box = goal.pairs, _with_level(goal)
    if not isinstance(pairs, AnyRows):
        raise TacticError(f"expected rows of any number, got {type(pairs).__name__.lower()}")
    require_whole(pairs.most, box)
    yield Statement(one, pairs.most, "<=", box), Sign()
    whole = _wider(box, Parameter(pairs.number, "", lower=1, integer=True))
    yield Profile(whole, pairs.each, tactic.one, goal.relation), tactic.each

    def worst(A: Any, **at: Any) -> Any:
        def of_place(place: Any) -> Any:
            return tactic.one(A, **at, **{pairs.number: place + 1})

        return largest_term(A, of_place, floor_of(A, pairs.most(A, **at)))

    yield Statement(worst, goal.bound, goal.relation, box), tactic.value


def within_level(goal: Profile, tactic: WithinLevel) -> Left:
    """What `WithinLevel` leaves."""
    pairs, box = goal.pairs, Box(goal.box.parameters)  # a constraint is not used
    if not isinstance(pairs, BoundedRows) or goal.relation not in ("=", "<="):
        raise TacticError("expected a profile of rows with bounded losses, or an upper bound of it, got another goal")
    require_whole(pairs.rows, box)
    yield Statement(one, pairs.rows, "<=", box), Sign()
    yield Statement(zero, pairs.loss, "<=", box), tactic.lost
    yield Statement(zero, pairs.largest, "<=", box), Sign()
    yield (
        Statement(lambda A, **at: pairs.rows(A, **at) * pairs.largest(A, **at), pairs.epsilon, "<=", box),
        tactic.level,
    )

    def hidden(A: Any, **at: Any) -> Any:
        lost = A.number(pairs.rows(A, **at)) * pairs.loss(A, **at)
        return A.maximum(0, -A.expm1(pairs.epsilon(A, **at) - lost))

    yield Statement(hidden if pairs.reverse else named_of_rows(pairs), goal.bound, goal.relation, box), tactic.value


def _of_sparse_rows(goal: Profile, lost: Tactic) -> Generator[tuple[Statement, Tactic], None, tuple[SparseRows, Box]]:
    pairs, box = goal.pairs, _with_level(goal)
    if not isinstance(pairs, SparseRows):
        raise TacticError(f"expected sparse rows, got {type(pairs).__name__.lower()}")
    require_whole(pairs.rows, box)
    yield Statement(one, pairs.rows, "<=", box), Sign()
    yield Statement(zero, _level, "<=", box), Sign()
    yield Statement(zero, pairs.loss, "<=", box), lost
    return pairs, box


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

    def tail(A: Any, **at: Any) -> Any:
        excess = A.number(tactic.excess(A, **at))
        return A.exp(excess * ((1 + excess) * pairs.rho(A, **at) - at["epsilon"]))

    yield Statement(tail, goal.bound, "<=", box), tactic.end


_MORE_OF_ORDER = Increasing(
    "exp", lambda A, *, excess, u: A.number(u), lambda A, *, excess, u: (1 + A.number(excess)) * u
)


def square_above(rows: SparseRows) -> Formula:
    """How far a row above the threshold moves: squared, or in scales of Laplace noise; or, in steps, its noise."""
    kinds = [kind for kind in (rows.square, rows.shift, rows.sigma) if kind is not None]
    if len(kinds) != 1:
        raise TacticError(f"expected rows above the threshold of one kind, got {len(kinds)}")
    if rows.steps and rows.square:
        raise TacticError("expected steps of counts on a lattice, got those of Gaussian vectors")
    if rows.sigma and not rows.steps:
        raise TacticError("expected steps of counts with discrete Gaussian noise, got none")
    return kinds[0]


def divergence_of_laplace(A: Any, alpha: Any, s: Any) -> Any:
    """D_alpha of two Laplace laws s scales apart: what their densities' powers hold below 0, above s and between."""
    alpha = A.number(alpha)
    below, above = A.exp((alpha - 1) * s) / 2, A.exp(-alpha * s) / 2
    return A.log(below + above + (below - above) / (2 * alpha - 1)) / (alpha - 1)


def named_of_rows(rows: SparseRows | BoundedRows) -> Formula:
    """``1 - e^(-C loss)``: that some of C rows at the threshold names the user."""
    return lambda A, **at: -A.expm1(-(A.number(rows.rows(A, **at)) * rows.loss(A, **at)))


_LEVEL_OF_ORDER = Box((Parameter("alpha", "", lower=1, open_lower=True), Parameter("epsilon", "", lower="-infinity")))


def converted(goal: Profile, tactic: Converted) -> Left:
    """What `Converted` leaves."""
    pairs, box = goal.pairs, _with_level(goal)
    if not isinstance(pairs, Promised) or goal.relation != "<=":
        raise TacticError(f"expected an upper bound of promised pairs, got {goal.relation} of another")
    theorem, at = pairs.theorem, dict(pairs.at)
    order_of(theorem.box)
    parameters = [parameter for parameter in theorem.box.parameters if parameter.name != "alpha"]
    strangers = [name for name in at if name not in theorem.box.names or name == "alpha"]
    if strangers or ("epsilon" in theorem.box.names and "epsilon" not in at):
        raise TacticError(f"expected values of the theorem's parameters, epsilon among them, got {', '.join(at)}")
    whole = _wider(
        box, *(parameter for parameter in parameters if parameter.name not in at and parameter.name not in box.names)
    )
    value = {parameter.name: at.get(parameter.name, parameter_named(parameter.name)) for parameter in parameters}
    yield theorem, tactic.theorem
    for parameter in parameters:
        yield from _inside_range(parameter, value[parameter.name], whole, tactic.ranges.get(parameter.name, Sign()))

    def of_theorem(formula: Formula) -> Formula:
        return lambda A, **here: formula(A, **{name: formula_at(A, **here) for name, formula_at in value.items()})

    lost, rho = of_theorem(theorem.delta), of_theorem(theorem.rho)
    yield Statement(zero, lost, "<=", whole), Sign()
    most = lost
    if tactic.most is not None:
        most = of_box(tactic.most, box)
        yield Statement(lambda A, **here: A.minimum(1, lost(A, **here)), most, "<=", whole), Symbolic()
    yield Statement(most, one, "<=", whole), tactic.within
    yield _sticks_of_order(), tactic.order

    def end(A: Any, **here: Any) -> Any:
        d, alpha = A.number(most(A, **here)), 1 + A.exp(A.number(tactic.log_excess(A, **inside(here, box))))
        moment = A.exp((alpha - 1) * alpha * rho(A, **here))
        return d + (1 - d) * _of_moment(A, alpha=alpha, epsilon=here["epsilon"], moment=moment, stick=0)

    yield Statement(end, of_box(goal.bound, box), "<=", whole), tactic.end


def _inside_range(parameter: Parameter, value: Formula, box: Box, proof: Tactic) -> Left:
    if parameter.choices or (parameter.integer and not is_whole(expressions.expression(value, box))):
        raise TacticError(f"expected a value of {parameter.allowed}, got another")
    for end, lower in ((parameter.lower, True), (parameter.upper, False)):
        if "infinity" in str(end):
            continue
        number, opened = exact(end), parameter.open_lower if lower else parameter.open_upper

        def edge(A: Any, *, _number: Any = number, **_at: Any) -> Any:
            return A.number(_number)

        left, right = (edge, value) if lower else (value, edge)
        yield Statement(left, right, "<" if opened else "<=", box), proof


def _sticks_of_order() -> Recurs:
    """Any number of outcomes, each of mass q and ratio e^loss."""

    def beyond(A: Any, *, epsilon: Any, stick: Any, q: Any, loss: Any, **_rest: Any) -> Any:
        return A.number(stick) + A.maximum(0, A.number(q) * (A.exp(A.number(loss)) - A.exp(A.number(epsilon))))

    def power(A: Any, *, alpha: Any, moment: Any, q: Any, loss: Any, **_rest: Any) -> Any:
        return A.number(moment) + A.number(q) * A.exp(A.number(alpha) * loss)

    outcome = (Parameter("q", "", upper=1, open_lower=True), Parameter("loss", "", lower="-infinity"))
    recurrence = Recurrence(
        state=Box((Parameter("stick", ""), Parameter("moment", ""))),
        inputs=Box(outcome),
        start={"stick": zero, "moment": zero},
        step={"stick": beyond, "moment": power},
        left=lambda A, *, stick, **_rest: A.number(stick),
        right=_of_moment,
    )
    return Recurs(recurrence, _LEVEL_OF_ORDER)


def _of_moment(A: Any, *, alpha: Any, epsilon: Any, moment: Any, stick: Any) -> Any:
    """``(1/alpha)(1 - 1/alpha)^(alpha-1) e^(-(alpha-1) epsilon)`` times the moment."""
    alpha = A.number(alpha)
    return A.exp(alpha * A.log1p(-1 / alpha) - (alpha - 1) * epsilon) / (alpha - 1) * moment


def _require_fixed(pairs: Counts, rest: Box, box: Box) -> None:
    """Refuse pairs that are others at another level, or of another number: each is looked at at its share of both."""
    for number in filter(None, (pairs.rate, pairs.threshold, pairs.copies)):
        if expressions.expression(number, rest) != expressions.expression(number, box):
            raise TacticError("expected pairs that neither the level nor their number moves, got others")


_OUTCOME = Box(tuple(Parameter(name, "") for name in ("x", "y", "a", "b")))


def composed(goal: Profile, tactic: Composed) -> Left:
    """What `Composed` leaves."""
    pairs, box = goal.pairs, _with_level(goal)
    if not isinstance(pairs, Repeated) or goal.relation != "<=":
        raise TacticError(f"expected an upper bound of repeated pairs, got {goal.relation} of another")
    count = next((one for one in box.parameters if one.name == pairs.count), None)
    if count is None or not count.integer or count.lower == "-infinity" or exact(count.lower) < 1:
        raise TacticError(f"expected a number of pairs, an integer from 1 on, got {pairs.count}")
    rest = Box(tuple(one for one in box.parameters if one is not count))
    level = rest["epsilon"]
    if level.open_lower or level.integer or level.lower == "-infinity" or exact(level.lower) != 0:
        raise TacticError(f"expected levels from 0 on, got {level.allowed}")
    _require_fixed(pairs.each, Box(tuple(one for one in rest.parameters if one is not level)), box)
    yield Profile(rest, pairs.each, tactic.bound, "<="), tactic.each
    yield Statement(_joint, _apart, "<=", _OUTCOME), tactic.outcome

    def total(A: Any, *, epsilon: Any, **at: Any) -> Any:
        number = A.number(at.pop(count.name))
        return number * tactic.bound(A, epsilon=A.number(epsilon) / number, **at)

    yield Statement(total, goal.bound, "<=", box), tactic.total


def _joint(A: Any, *, x: Any, y: Any, a: Any, b: Any) -> Any:
    return A.number(x) * y - A.number(a) * b


def _apart(A: Any, *, x: Any, y: Any, a: Any, b: Any) -> Any:
    lost = A.maximum(0, A.number(x) - a)
    return lost * y + (A.number(x) - lost) * A.maximum(0, A.number(y) - b)


def _term_by_term(goal: Profile, pairs: SparseRows, tactic: AtThreshold) -> Left:
    box, first = goal.box, named_of_rows(pairs)
    if tactic.first is None:
        raise TacticError("expected a proof about rows at the threshold alone, got none")
    yield Statement(first, goal.bound, "<=", box), tactic.first
    events = [first]
    if pairs.square is not None:
        yield from _with_rows_above(goal, tactic, pairs)
        second, _third = _rows_above(box, pairs)
        events.extend(_with_place(second, place) for place in tactic.places)
    if goal.relation == "=":
        if tactic.attained is None:
            raise TacticError("expected a proof that the bound is attained, got none")
        yield Statement(goal.bound, _largest(events), "<=", box), tactic.attained


def _with_rows_above(goal: Profile, tactic: AtThreshold, pairs: SparseRows) -> Left:
    box = goal.box
    if tactic.second is None or tactic.third is None:
        raise TacticError("expected proofs for pairs with rows above the threshold, got none")
    places = _wider(box, Parameter("place", "", integer=True)).parameters

    def above(**at: Any) -> Any:
        values = {name: expressions.A.number(at[name]) for name in box.names}
        return -(at["place"] + 1 - pairs.rows(expressions.A, **values)) >= 0

    some = Box(places, above, "place < rows")
    for term, proof in zip(_rows_above(box, pairs), (tactic.second, tactic.third), strict=True):
        yield Statement(term, of_box(goal.bound, box), "<=", some), proof
    for place in tactic.places:
        require_whole(place, box)
        yield Statement(zero, place, "<=", box), Sign()
        yield Statement(place, pairs.rows, "<", box), Sign()


def _rows_above(box: Box, pairs: SparseRows) -> tuple[Formula, Formula]:
    """What ``place`` rows at the threshold and the others above tell, with the user and without."""
    apart = square_above(pairs)

    def parts(A: Any, at: Mapping[str, Any]) -> tuple[Any, Callable[[Any], Any]]:
        """``a loss``, and the profile of the others."""
        values, place = inside(at, box), A.number(at["place"])
        above, far = A.number(pairs.rows(A, **values)) - place, apart(A, **values)

        def profile(level: Any) -> Any:
            if pairs.sigma is not None:
                move = floor_of(A, _steps_of(pairs)(A, **values))
                return moved_profile(A, level, n=floor_of(A, above), sigma=far, per_key=move)
            if pairs.shift is not None:
                steps = pairs.steps and floor_of(A, pairs.steps(A, **values))
                return laplace_counts_profile(A, level, n=floor_of(A, above), distance=far, steps=steps)
            return gaussian_profile(A, level, A.sqrt(above) * A.sqrt(far))

        return place * pairs.loss(A, **values), profile

    def second(A: Any, **at: Any) -> Any:
        lost, profile = parts(A, at)
        return -A.expm1(-lost) + A.exp(-lost) * profile(A.number(at["epsilon"]) + lost)

    def third(A: Any, **at: Any) -> Any:
        lost, profile = parts(A, at)
        return profile(A.number(at["epsilon"]) - lost)

    return second, third


def _steps_of(pairs: SparseRows) -> Formula:
    if pairs.steps is None:
        raise TacticError("expected steps of counts with discrete Gaussian noise, got none")
    return pairs.steps


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


def require_whole(number: Formula, box: Box) -> None:
    """Refuse a number that is not an integer over the box."""
    if not is_whole(expressions.expression(number, box)):
        raise TacticError("expected an integer for a number of clients, got another number")


def _attained(bound: Formula, pairs: Counts, tactic: BadCounts, box: Box) -> Left:
    if not tactic.worst or tactic.attained is None:
        raise TacticError("expected an event at which the bound is attained, got none")
    for place in tactic.worst:
        if (tactic.more, tactic.fewer)[place.fewer] is None:
            raise TacticError(f"expected an event of a way round that is meant, got fewer={place.fewer}")
        for number, least in ((place.copies, one), (place.beyond, zero)):
            require_whole(number, box)
            yield Statement(least, number, "<=", box), Sign()
    events = [_at_place(_of_beyond(pairs, box, fewer=place.fewer), place) for place in tactic.worst]
    if pairs.reverse:
        events.append(zero)
    yield Statement(bound, _largest(events), "<=", box), tactic.attained


def _of_beyond(pairs: Counts, box: Box, *, fewer: bool) -> Formula:
    """What the event tells that ``copies`` show the threshold and ``beyond``; or that one less shows less."""

    def formula(A: Any, *, beyond: Any, **at: Any) -> Any:
        values = inside(at, box)
        copies = at["copies"] if pairs.copies is None else pairs.copies(A, **values)
        rate, place, level = pairs.rate(A, **values), pairs.threshold(A, **values) + beyond, A.number(at["epsilon"])
        many, one_less = (binomial_tail(A, number, rate, place) for number in (copies, copies - 1))
        return (1 - one_less) - A.exp(level) * (1 - many) if fewer else many - A.exp(level) * one_less

    return formula


def _at_place(formula: Formula, place: AtCount) -> Formula:
    return lambda A, **at: formula(A, **at, copies=place.copies(A, **at), beyond=place.beyond(A, **at))
