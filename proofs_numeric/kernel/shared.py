"""What tactics on counters that share noise leave of a goal; why it implies what is said is in their docstrings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import exact
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.mixed_pair import distances
from proofs_numeric.arithmetic.pair_stick import pair_stick
from proofs_numeric.arithmetic.special import gaussian_profile, log_normal_cdf, normal_cdf, normal_pdf
from proofs_numeric.arithmetic.symbolic import PairStick, is_whole
from proofs_numeric.kernel import expressions, largest
from proofs_numeric.kernel.goals import Left, Recurs, TacticError, inside, of_box
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import one, parameter_named, zero
from proofs_numeric.statements.kinds import AtMost
from proofs_numeric.statements.noise import AllBelow, SharedNoise
from proofs_numeric.statements.profiles import Profile
from proofs_numeric.statements.shared import (
    ASSOCIATED,
    Backward,
    Between,
    CounterProfile,
    Falling,
    Hidden,
    Integrated,
    SharedCounters,
)
from proofs_numeric.statements.statement import Statement
from proofs_numeric.statements.tactics import Maximum, Part, Product, Sign, Steps, Symbolic, Through

_NEW = Parameter("new", "", integer=True)
_CHANGED = Parameter("changed", "", lower=1, integer=True)


def counter_profile(goal: Profile, tactic: CounterProfile) -> Left:
    """What `CounterProfile` leaves."""
    pairs = _pairs_of(goal)
    if pairs.gap is None:
        yield from _all_shown(goal, pairs, tactic)
    else:
        yield from _behind_a_gap(goal, pairs, pairs.gap, tactic)


def _all_shown(goal: Profile, pairs: SharedCounters, tactic: CounterProfile) -> Left:
    box = _without_constraint(goal.box)
    if pairs.pair is not None or pairs.chosen or pairs.reduced is not None:
        raise TacticError("expected counters that are all shown, got others")
    if tactic.loss is not None or tactic.below is not None or tactic.reduced is not None:
        raise TacticError("expected no loss of counters that are all shown, got one")
    yield from _signs(pairs, box)
    yield from _covariance()
    most = pairs.most or pairs.counters
    some = _wider(box, _CHANGED, lambda **at: at[most] - at["changed"] >= 0, f"changed <= {most}")
    yield Statement(_shared(pairs, box), of_box(goal.bound, box), "<=", some), tactic.bound
    if goal.relation == "<=":
        return
    worst, attained = tactic.worst, tactic.attained
    if worst is None or attained is None:
        raise TacticError("expected a number of changes at which the bound is attained, got none")
    if not is_whole(expressions.expression(worst, box)):
        raise TacticError("expected an integer for a number of changes, got another number")
    yield Statement(one, worst, "<=", box), Sign()
    for limit in dict.fromkeys((most, pairs.counters)):
        yield Statement(worst, parameter_named(limit), "<=", box), Sign()
    at_worst = _shared(pairs, box)
    yield Statement(goal.bound, lambda A, **at: at_worst(A, **at, changed=worst(A, **at)), "<=", box), attained


def _behind_a_gap(goal: Profile, pairs: SharedCounters, gap: Formula, tactic: CounterProfile) -> Left:
    box, loss = _without_constraint(goal.box), tactic.loss
    if goal.relation != "<=" or loss is None or tactic.below is None:
        raise TacticError("expected an upper bound of what counters with a gap show, and a loss, got another goal")
    yield from _signs(pairs, box)
    yield from _reduced(pairs, box, tactic)
    new, changed, some = _one_pair(pairs, goal.box) if pairs.pair else _worst_parts(pairs, box)

    def silent(A: Any, **at: Any) -> Any:
        return A.exp(-A.number(loss(A, **at)))

    def scale(A: Any, **at: Any) -> Any:
        return A.number(pairs.scale(A, **at)) / A.sqrt(A.number(pairs.ratio(A, **at)))

    noise = SharedNoise(lambda _A, **at: at[new], scale, pairs.scale, gap)
    yield AllBelow(box, noise, silent), tactic.below
    yield Recurs(ASSOCIATED, Box()), Steps()
    yield from _of_a_share()
    yield from _in_the_mean()
    shared_profile = _shared(pairs, box, changed, new if pairs.pair else "")

    def ceiling(A: Any, **at: Any) -> Any:
        values = inside(at, box)
        lost = A.number(pairs.releases(A, **values)) * loss(A, **values)
        return -A.expm1(-lost) + A.exp(-lost) * shared_profile(A, **at)

    yield Statement(ceiling, of_box(goal.bound, box), "<=", some), tactic.bound


def hidden(goal: Profile, tactic: Hidden) -> Left:
    """What `Hidden` leaves."""
    pairs, box = _pairs_of(goal), _without_constraint(goal.box)
    gap = pairs.gap
    if not pairs.reverse or pairs.pair is None or gap is None or pairs.releases is not one or goal.relation != "<=":
        raise TacticError("expected an upper bound of one pair without the user first, behind a gap, once")
    if pairs.reduced is not None:
        raise TacticError("expected counters as they are, got reduced ones")
    yield from _signs(pairs, box)
    new, changed, some = _one_pair(pairs, goal.box)
    yield Statement(zero, parameter_named(new), "<=", box), Sign()

    def log_hidden(A: Any, **at: Any) -> Any:
        return log_normal_cdf(A, (gap(A, **at) - tactic.share(A, **at)) / A.number(pairs.scale(A, **at)))

    yield Statement(log_hidden, tactic.log_hidden, "=", box), Symbolic()

    def profile(A: Any, **at: Any) -> Any:
        values = inside(at, box)
        shared = A.number(pairs.scale(A, **values)) / A.sqrt(A.number(pairs.ratio(A, **values)))
        level = A.number(at["epsilon"]) + A.number(at[new]) * tactic.log_hidden(A, **values)
        profile = gaussian_profile(A, level, A.sqrt(_square(A, pairs, box, at, changed, new)))
        return profile + A.exp(level) * (1 - normal_cdf(A, tactic.share(A, **values) / shared))

    yield Statement(profile, of_box(goal.bound, box), "<=", some), tactic.bound


def _reduced(pairs: SharedCounters, box: Box, tactic: CounterProfile | Integrated) -> Left:
    if (pairs.reduced is None) != (tactic.reduced is None):
        raise TacticError("expected a proof of what is reduced first, if anything is, and of nothing else")
    if pairs.reduced is not None and tactic.reduced is not None:
        # Counts may stay where the user is, and move where not: of those that move, of any number, is told alone.
        if pairs.pair is not None or pairs.most or pairs.beside is not zero:
            raise TacticError("expected all pairs of reduced counters, with nothing beside them, got others")
        if pairs.reduced.box != Box((box[pairs.counters],)):
            raise TacticError(f"expected a reduction to any {box[pairs.counters].allowed}, got another")
        most = parameter_named(pairs.counters)
        yield Statement(pairs.reduced.most, most, "=", pairs.reduced.box), Symbolic()
        yield pairs.reduced, tactic.reduced


def falling(goal: Backward, tactic: Falling) -> Left:
    """What `Falling` leaves."""
    pairs, box = goal.pairs, _without_constraint(goal.box)
    _require_once(pairs)
    if pairs.pair is None or pairs.reduced is not None:
        raise TacticError("expected one pair of counters as they are, got others")
    if "epsilon" not in box.names:
        raise TacticError("expected a level epsilon among the parameters")
    some = _one_pair(pairs, goal.box)[-1]
    yield from _signs(pairs, box)
    yield Statement(zero, parameter_named("epsilon"), "<=", box), Sign()
    for side, forward in ((goal.reverse, False), (goal.forward, True)):
        yield Statement(of_box(side, box), _stick(pairs, box, forward=forward), "=", some), Symbolic()
    yield from _in_the_mean()
    yield from _with_the_loss()
    level, loss = (Parameter(name, "") for name in ("epsilon", "loss"))

    def side_of(sign: int) -> Formula:
        def log_side(A: Any, *, epsilon: Any, loss: Any, mu: Any) -> Any:
            at = (sign * A.number(loss) - epsilon) / mu - A.number(mu) / 2
            return log_normal_cdf(A, at) - (loss if sign > 0 else 0)

        return log_side

    every = Box((level, loss, Parameter("mu", "", open_lower=True)))
    yield Statement(side_of(-1), side_of(1), "<=", every), tactic.hazard


def integrated(goal: Profile, tactic: Integrated) -> Left:
    """What `Integrated` leaves."""
    pairs = _pairs_of(goal)
    _require_once(pairs)
    if pairs.pair is None:
        yield from _of_any_pair(goal, pairs, tactic)
    else:
        yield from _of_this_pair(goal, pairs, tactic)


def _of_this_pair(goal: Profile, pairs: SharedCounters, tactic: Integrated) -> Left:
    name = pairs.direction
    if tactic.reverse is not None or tactic.reduced is not None:
        raise TacticError("expected no proof beside SymPy's of one pair, got one")
    if pairs.reduced is not None or name not in goal.box.names or goal.box[name].choices != ("forward", "reverse"):
        raise TacticError("expected one pair of counters as they are, and a parameter for the direction")
    goal_box = replace(goal.box, parameters=tuple(one for one in goal.box.parameters if one.name != name))
    box, some = _without_constraint(goal_box), _one_pair(pairs, goal_box)[-1]
    yield from _signs(pairs, box)
    yield from _of_the_stick()

    def bound(way: str) -> Formula:
        return lambda A, **at: goal.bound(A, **at, **{name: way})

    for way in ("forward", "reverse"):
        yield Statement(bound(way), _stick(pairs, box, forward=way == "forward"), "=", some), Symbolic()


def _of_any_pair(goal: Profile, pairs: SharedCounters, tactic: Integrated) -> Left:
    box = goal.box
    if pairs.most or pairs.direction or box.constraint is not None or tactic.reverse is None:
        raise TacticError("expected all pairs of counters that may change, and no constraint, got others")
    yield from _signs(pairs, box)
    yield from _reduced(pairs, box, tactic)
    if pairs.reduced is not None:
        yield Statement(parameter_named(pairs.counters), pairs.reduced.rank, "<", pairs.reduced.box), Sign()
    yield from _of_the_stick()
    wide = _wider(_wider(box, _NEW, None, ""), replace(_CHANGED, lower=0), None, "")
    names = (_NEW.name, _CHANGED.name)
    each = replace(pairs, pair=names, reduced=None)
    some = _one_pair(each, wide)[-1]
    forward, reverse = (_stick(each, wide, forward=way) for way in (True, False))
    largest.require_largest(goal.bound, box, forward, some, names, pairs.counters)
    yield Backward(some, each, reverse, forward), tactic.reverse


def between(goal: Statement, tactic: Between) -> Left:
    """What `Between` leaves."""
    box = goal.box
    left = expressions.expression(goal.left, box, goal.hypotheses)
    if goal.relation != "<=" or not isinstance(left, PairStick) or left.args[-1] != 1:
        raise TacticError(f"expected <= of a hockey stick of a pair with the user first, got {left}")
    symbols = ("own", "ratio", "d", "j")
    scale, ratio, d, j = (expressions.formula_of(left.args[place], box) for place in (1, 3, 5, 6))
    for number in (tactic.first, tactic.last):
        if not is_whole(expressions.expression(number, box, goal.hypotheses)):
            raise TacticError("expected integers for numbers of changes, got others")

    def compare(first: Formula, second: Formula, relation: str = "<=") -> Statement:
        return replace(goal, left=first, right=second, relation=relation)

    for first, second in ((zero, tactic.first), (tactic.first, j), (j, tactic.last), (tactic.last, d)):
        yield compare(first, second), Sign()
    yield compare(tactic.first, tactic.last, "<"), Sign()

    def both(A: Any, place: Formula, **at: Any) -> tuple[Any, Any]:
        values = dict(zip(symbols, (side(A, **at) for side in (scale, ratio, d, place)), strict=True))
        return distances(A, **values)

    def mu(which: int) -> Formula:
        return lambda A, **at: both(A, j, **at)[which]

    def chord(which: int) -> Formula:
        def between_ends(A: Any, **at: Any) -> Any:
            low, high = tactic.first(A, **at), tactic.last(A, **at)
            t = (A.number(j(A, **at)) - low) / (A.number(high) - low)
            return (1 - t) * both(A, tactic.first, **at)[which] + t * both(A, tactic.last, **at)[which]

        return between_ends

    yield compare(mu(1), chord(1), "="), Symbolic()
    yield compare(chord(0), mu(0)), tactic.near[0]
    yield compare(mu(0), lambda A, **at: chord(0)(A, **at) + tactic.away(A, **at)), tactic.near[1]
    yield _MOVED, tactic.move
    ends = [
        expressions.formula_of(left.func(*left.args[:6], expressions.expression(end, box, goal.hypotheses), 1), box)
        for end in (tactic.first, tactic.last)
    ]

    def above(A: Any, **at: Any) -> Any:
        steps = zip(both(A, tactic.first, **at), both(A, tactic.last, **at), strict=True)
        bend = normal_pdf(A, A.number(1)) * A.sum((there - here) ** 2 for here, there in steps) / 4
        away = A.number(tactic.away(A, **at))
        level = expressions.formula_of(left.args[0], box)(A, **at)
        moved = normal_cdf(A, away / 2) - normal_cdf(A, -away / 2)
        return A.maximum(*(end(A, **at) for end in ends)) + A.exp(level) * (bend + moved)

    yield compare(above, goal.right), tactic.bound


def _moved(A: Any, *, p: Any, q: Any, moved: Any, factor: Any) -> Any:
    return A.maximum(0, p - factor * moved) + factor * A.maximum(0, moved - q)


_MOVED = Statement(
    lambda A, *, p, q, factor, **_moved: A.maximum(0, p - factor * q), _moved, "<=",
    Box((*(Parameter(name, "") for name in ("p", "q", "moved")), Parameter("factor", "", open_lower=True))),
)  # fmt: skip
"""Of the masses of two laws, and of one in the place of the second."""


def _require_once(pairs: SharedCounters) -> None:
    if pairs.gap is None or pairs.releases is not one or pairs.beside is not zero or pairs.reverse or pairs.chosen:
        raise TacticError("expected counters behind a gap, once, with nothing beside them, got others")


def _stick(pairs: SharedCounters, box: Box, *, forward: bool) -> Formula:
    """The `pair_stick` of one pair."""
    (new, changed), gap = pairs.pair or ("", ""), pairs.gap
    assert gap is not None  # noqa: S101 - refused before

    def stick(A: Any, **at: Any) -> Any:
        values, d = inside(at, box), at[pairs.counters] - at[new]
        reals = {"own": pairs.scale(A, **values), "gap": gap(A, **values), "ratio": pairs.ratio(A, **values)}
        return pair_stick(A, epsilon=at["epsilon"], **reals, l=at[new], d=d, j=at[changed], forward=forward)

    return stick


def _with_the_loss() -> Left:
    """A mean x is mu_2/mu^2 times the loss's part and mu_1/mu^2 times what does not go with it; both laws' are one."""
    real = tuple(Parameter(name, "", lower="-infinity") for name in ("x", "w"))
    apart = tuple(Parameter(name, "", open_lower=True) for name in ("first", "second"))

    def from_loss(A: Any, *, x: Any, w: Any, first: Any, second: Any) -> Any:
        x, w, first, second = (A.number(one) for one in (x, w, first, second))
        return (second * (second * x + first * w) + first * (first * x - second * w)) / (first**2 + second**2)

    yield Statement(from_loss, parameter_named("x"), "=", Box((*real, *apart))), Symbolic()


def _one_pair(pairs: SharedCounters, box: Box) -> tuple[str, str, Box]:
    """The names of l and j, and the box where there is such a pair, or where the goal says something."""
    new, changed = pairs.pair or ("", "")
    if pairs.most or pairs.chosen or not {new, changed} <= set(box.names):
        raise TacticError("expected parameters for the counters of a pair, of any that may change")
    for name in (new, changed):
        if not _from(0, box[name]):
            raise TacticError(f"expected an integer from 0 on, got {box[name].allowed}")
    if isinstance(box.constraint, AtMost):
        return new, changed, box

    def fits(**at: Any) -> Any:
        return at[pairs.counters] - at[new] - at[changed] >= 0

    return new, changed, Box(box.parameters, fits, f"{new} + {changed} <= {pairs.counters}")


def _worst_parts(pairs: SharedCounters, box: Box) -> tuple[str, str, Box]:
    """The name of the largest l, that of j, and the box of any j."""
    most = pairs.most or pairs.counters
    return most, "changed", _wider(box, _CHANGED, lambda **at: at[most] - at["changed"] >= 0, f"changed <= {most}")


def _shared(pairs: SharedCounters, box: Box, changed: str = "changed", new: str = "") -> Formula:
    """``f(mu_(l,j), epsilon)``, l = 0 where it has no name."""

    def profile(A: Any, **at: Any) -> Any:
        square = A.number(pairs.releases(A, **inside(at, box))) * _square(A, pairs, box, at, changed, new)
        return gaussian_profile(A, A.number(at["epsilon"]), A.sqrt(square))

    return profile


def _square(A: Any, pairs: SharedCounters, box: Box, at: Mapping[str, Any], changed: str, new: str) -> Any:
    """``mu_(l,j)^2`` of one release."""
    values, j = inside(at, box), A.number(at[changed])
    scale, ratio = (A.number(one(A, **values)) for one in (pairs.scale, pairs.ratio))
    d = A.number(at[pairs.counters]) - (at[new] if new else 0)
    return j * (d - j + ratio) / (d + ratio) / scale**2 + j * pairs.beside(A, **values)


def _signs(pairs: SharedCounters, box: Box) -> Left:
    for name in filter(None, (pairs.counters, pairs.most)):
        if name not in box.names or not _from(1, box[name]):
            raise TacticError(f"expected an integer from 1 on for a number of counters, got {name}")
    for scale in (pairs.scale, pairs.ratio):
        yield Statement(zero, scale, "<", box), Sign()
    yield Statement(zero, pairs.beside, "<=", box), Sign()
    if not is_whole(expressions.expression(pairs.releases, box)):
        raise TacticError("expected an integer for a number of releases, got another number")
    yield Statement(one, pairs.releases, "<=", box), Sign()


def _covariance() -> Left:
    """``x`` on the changed counters and ``y`` on the others solve the covariance's equations, and ``mu^2 = j x``."""
    names = ("changed", "others", "ratio")
    box = Box(tuple(Parameter(name, "", open_lower=True) for name in names))

    def solved(A: Any, at: Mapping[str, Any]) -> tuple[Any, Any, Any]:
        """X, y, and the part of the shared noise."""
        j, others, ratio = (A.number(at[name]) for name in names)
        x, y = (others + ratio) / (j + others + ratio), -j / (j + others + ratio)
        return x, y, (j * x + others * y) / ratio

    yield Statement(lambda A, **at: sum(solved(A, at)[::2]), one, "=", box), Symbolic()
    yield Statement(lambda A, **at: sum(solved(A, at)[1:]), zero, "=", box), Symbolic()

    def form(A: Any, **at: Any) -> Any:
        return A.number(at["changed"]) * solved(A, at)[0]

    def square(A: Any, *, changed: Any, others: Any, ratio: Any) -> Any:
        return A.number(changed) * (A.number(others) + ratio) / (A.number(changed) + others + ratio)

    yield Statement(form, square, "=", box), Symbolic()


def _of_a_share() -> Left:
    """A share of two masses has no more of the first above the second than that share of them."""

    def part(A: Any, *, p: Any, q: Any, share: Any) -> Any:
        return A.number(share) * p - q

    def stick_of_part(A: Any, **at: Any) -> Any:
        return A.maximum(0, part(A, **at))

    def part_of_stick(A: Any, *, p: Any, q: Any, share: Any) -> Any:
        return A.number(share) * A.maximum(0, A.number(p) - q)

    def lacking(A: Any, *, p: Any, q: Any, share: Any) -> Any:
        return A.maximum(0, A.number(p) - q) - (A.number(p) - q)

    above = Product((Part(parameter_named("share")), Part(lacking)))
    whole = Through(lambda A, *, p, q, share: A.number(share) * (A.number(p) - q), second=above)
    masses = Box((Parameter("p", ""), Parameter("q", ""), Parameter("share", "", upper=1)))
    yield Statement(stick_of_part, part_of_stick, "<=", masses), Maximum((Part(zero), Part(part, whole)))


def _of_the_stick() -> Left:
    """The statistics of a pair, and what the mean M leaves of Z, as `pair_stick` says; in units of own."""
    names = ("changed", "others", "ratio")
    changed, others, ratio = (Parameter(name, "", open_lower=True) for name in names)
    box = Box((changed, replace(others, open_lower=False), ratio))

    def of_counts(formula: Callable[[Any, Any, Any], Any]) -> Formula:
        return lambda A, **at: formula(*(A.number(at[name]) for name in names))

    # Of the noises by how much each counter changes, less the mean of that: no shared noise, and mu_1 as said.
    equal = (
        (lambda j, n, r: j * (1 - j / (j + n)) - n * (j / (j + n)), lambda j, n, r: 0 * j),
        (
            lambda j, n, r: (j * (1 - j / (j + n))) ** 2,
            lambda j, n, r: j * n / (j + n) * (j * (1 - j / (j + n)) ** 2 + n * (j / (j + n)) ** 2),
        ),
        # Z given the mean x in its deviations: the root of the first times x, and the rest of its variance.
        (lambda j, n, r: (1 / r) ** 2 / (1 / (j + n) + 1 / r), lambda j, n, r: (j + n) / (r * (r + j + n))),
        (lambda j, n, r: 1 / r - (j + n) / (r * (r + j + n)), lambda j, n, r: 1 / (r + j + n)),
    )
    for left, right in equal:
        yield Statement(of_counts(left), of_counts(right), "=", box), Symbolic()
    yield from _in_the_mean()


def _in_the_mean() -> Left:
    """Of a pair's two statistics: the mean M of the shared counters, and what else they tell."""
    real = tuple(Parameter(name, "", lower="-infinity") for name in ("x", "w"))
    apart = tuple(Parameter(name, "") for name in ("first", "second"))

    def of_densities(A: Any, *, x: Any, w: Any, first: Any, second: Any) -> Any:
        x, w = A.number(x), A.number(w)
        return ((x + second) ** 2 - x**2 + w**2 - (w - first) ** 2) / 2

    def rising(A: Any, *, x: Any, w: Any, first: Any, second: Any) -> Any:
        first, second = A.number(first), A.number(second)
        return second * x + first * w + (second**2 - first**2) / 2

    yield Statement(of_densities, rising, "=", Box((*real, *apart))), Symbolic()
    names = ("changed", "others", "ratio")

    def of_both(A: Any, **at: Any) -> Any:
        j, others, ratio = (A.number(at[name]) for name in names)
        d = j + others
        return j * others / d + (j / d) ** 2 / (1 / d + 1 / ratio)

    def of_all(A: Any, **at: Any) -> Any:
        j, others, ratio = (A.number(at[name]) for name in names)
        return j * (others + ratio) / (j + others + ratio)

    changed, others, ratio = (Parameter(name, "", open_lower=True) for name in names)
    counts = Box((changed, replace(others, open_lower=False), ratio))
    yield Statement(of_both, of_all, "=", counts), Symbolic()


def _from(least: int, parameter: Parameter) -> bool:
    """Whether it is an integer from there on, or more."""
    return parameter.integer and parameter.lower != "-infinity" and exact(parameter.lower) >= least


def _pairs_of(goal: Profile) -> SharedCounters:
    if not isinstance(goal.pairs, SharedCounters):
        raise TacticError(f"expected counters that share noise, got {type(goal.pairs).__name__.lower()}")
    if "epsilon" not in goal.box.names or goal.relation not in {"=", "<="}:
        raise TacticError("expected a level epsilon among the parameters, and = or <= of a profile")
    return goal.pairs


def _without_constraint(box: Box) -> Box:
    """The goals are over all of the box, and so over the part of which something is said."""
    return Box(box.parameters)


def _wider(box: Box, parameter: Parameter, constraint: Any, text: str) -> Box:
    if parameter.name in box.names:
        raise TacticError(f"expected parameters of other names, got {parameter.name}")
    return Box((*box.parameters, parameter), constraint, text)
