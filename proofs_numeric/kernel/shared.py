"""What tactics on counters that share noise leave of a goal; why it implies what is said is in their docstrings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from proofs_numeric.arithmetic import Float64, exact
from proofs_numeric.arithmetic.formula import Formula, evaluate_in
from proofs_numeric.arithmetic.noise_maximum import unreleased
from proofs_numeric.arithmetic.special import gaussian_profile, log_normal_cdf, normal_cdf
from proofs_numeric.arithmetic.symbolic import is_whole
from proofs_numeric.kernel import expressions
from proofs_numeric.kernel.goals import Left, Recurs, TacticError, inside, of_box
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import one, parameter_named, zero
from proofs_numeric.statements.kinds import AtMost
from proofs_numeric.statements.noise import AllBelow, SharedNoise
from proofs_numeric.statements.profiles import Profile
from proofs_numeric.statements.shared import ASSOCIATED, Backward, Falling, Hidden, Named, SharedCounters, Shown
from proofs_numeric.statements.statement import Statement
from proofs_numeric.statements.tactics import Maximum, Part, Product, Sign, Steps, Symbolic, Through

_CHANGED = Parameter("changed", "", lower=1, integer=True)


def shown(goal: Profile, tactic: Shown) -> Left:
    """What `Shown` leaves."""
    pairs, box = _pairs_of(goal), _without_constraint(goal.box)
    if pairs.gap is not None or pairs.pair is not None or pairs.chosen or pairs.reduced is not None:
        raise TacticError("expected counters that are all shown, got others")
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


def named(goal: Profile, tactic: Named) -> Left:
    """What `Named` leaves."""
    pairs, box = _pairs_of(goal), _without_constraint(goal.box)
    if pairs.gap is None or goal.relation != "<=":
        raise TacticError("expected an upper bound of what counters with a gap show, got another goal")
    yield from _signs(pairs, box)
    yield from _reduced(pairs, box, tactic)
    new, changed, some = _one_pair(pairs, goal.box) if pairs.pair else _worst_parts(pairs, box)

    def silent(A: Any, **at: Any) -> Any:
        return A.exp(-A.number(tactic.loss(A, **at)))

    def scale(A: Any, **at: Any) -> Any:
        return A.number(pairs.own(A, **at)) / A.sqrt(A.number(pairs.ratio(A, **at)))

    noise = SharedNoise(lambda _A, **at: at[new], scale, pairs.own, pairs.gap)
    yield AllBelow(box, noise, silent), tactic.below
    yield Recurs(ASSOCIATED, Box()), Steps()
    yield from _in_the_mean()
    told = _shared(pairs, box, changed, new if pairs.pair else "")

    def ceiling(A: Any, **at: Any) -> Any:
        known = inside(at, box)
        loss = A.number(pairs.releases(A, **known)) * tactic.loss(A, **known)
        return -A.expm1(-loss) + A.exp(-loss) * told(A, **at)

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
        return log_normal_cdf(A, (gap(A, **at) - tactic.share(A, **at)) / A.number(pairs.own(A, **at)))

    yield Statement(log_hidden, tactic.log_hidden, "=", box), Symbolic()

    def told(A: Any, **at: Any) -> Any:
        known = inside(at, box)
        shared = A.number(pairs.own(A, **known)) / A.sqrt(A.number(pairs.ratio(A, **known)))
        level = A.number(at["epsilon"]) + A.number(at[new]) * tactic.log_hidden(A, **known)
        told = gaussian_profile(A, level, A.sqrt(_square(A, pairs, box, at, changed, new)))
        return told + A.exp(level) * (1 - normal_cdf(A, tactic.share(A, **known) / shared))

    yield Statement(told, of_box(goal.bound, box), "<=", some), tactic.bound


def _reduced(pairs: SharedCounters, box: Box, tactic: Named) -> Left:
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
    if (
        pairs.pair is None
        or pairs.gap is None
        or pairs.releases is not one
        or pairs.reduced is not None
        or pairs.reverse
    ):
        raise TacticError("expected one pair of counters as they are, behind a gap, once")
    if "epsilon" not in box.names:
        raise TacticError("expected a level epsilon among the parameters")
    _one_pair(pairs, box)
    _require_sticks(goal)
    yield from _signs(pairs, box)
    yield Statement(zero, parameter_named("epsilon"), "<=", box), Sign()
    yield from _in_the_mean()
    yield from _with_the_loss()
    level, loss = (Parameter(name, "") for name in ("epsilon", "loss"))

    def side(sign: int) -> Formula:
        def told(A: Any, *, epsilon: Any, loss: Any, mu: Any) -> Any:
            at = (sign * A.number(loss) - epsilon) / mu - A.number(mu) / 2
            return log_normal_cdf(A, at) - (loss if sign > 0 else 0)

        return told

    every = Box((level, loss, Parameter("mu", "", open_lower=True)))
    yield Statement(side(-1), side(1), "<=", every), tactic.hazard


def _require_sticks(goal: Backward) -> None:
    """Refuse sides that are not the hockey sticks of the pair at points with few counters."""
    A, compared = Float64(), 0
    for at in expressions.some_points(goal.box, _TRIED):
        if not (at[goal.pairs.counters] <= _FEW and 0.5 <= goal.pairs.own(A, **_in_doubles(at)) <= 10):
            continue
        for side, reverse in ((goal.forward, False), (goal.reverse, True)):
            known, found = _stick(goal.pairs, _in_doubles(at), reverse=reverse), float(evaluate_in(A, side, at))
            if not abs(known - found) <= _AGREE * known + _NOTHING:
                where = ", ".join(f"{name}={value}" for name, value in at.items())
                raise TacticError(f"expected a hockey stick of {known:.6g} at {where}, got {found:.6g}")
            compared += known > _TELLS
        if compared >= _COMPARED:
            break
    else:
        raise TacticError("expected a box with points at which the pair's hockey sticks can be compared, got another")


_TRIED, _FEW, _COMPARED = 400, 6, 12
"""Points drawn, most counters of a point that is looked at, and hockey sticks that have to be told from 0."""
_AGREE, _NOTHING, _TELLS = 1e-3, 1e-12, 1e-9


def _in_doubles(at: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value if isinstance(value, int) else float(value) for name, value in at.items()}


def _stick(pairs: SharedCounters, at: Mapping[str, Any], *, reverse: bool) -> float:
    """One order's hockey stick in doubles: over the mean of the shared counters, and the change that it leaves."""
    A = Float64()
    assert pairs.pair is not None and pairs.gap is not None  # noqa: S101, PT018 - refused before
    (new, changed), own, ratio = pairs.pair, pairs.own(A, **at), pairs.ratio(A, **at)
    l, j, threshold = at[new], at[changed], pairs.gap(A, **at) / own
    d = at[pairs.counters] - l
    none_new = 1 / math.sqrt(ratio) if d == 0 else 1 / math.sqrt(ratio + d)
    step = 0.01
    x = np.arange(-14.0, 14.0, step)
    slope = math.sqrt(d / (ratio * (ratio + d)))
    silent: Any = unreleased(A, l=l, t=threshold - slope * x, b=none_new)
    named = 1 - unreleased(A, l=l, t=np.float64(threshold), b=1 / math.sqrt(ratio))
    first, second = (math.sqrt(j * (d - j) / d) / own, j / d / own / math.sqrt(1 / d + 1 / ratio)) if d else (0.0, 0.0)
    with np.errstate(divide="ignore"):
        lost = second * x + second**2 / 2 + np.log(silent)
    levels = at["epsilon"] + (lost if reverse else -lost)
    density = np.exp(-((x + second if reverse else x) ** 2) / 2) / math.sqrt(2 * math.pi)
    sticks = gaussian_profile(A, levels, np.full(levels.shape, first)) if first else np.maximum(0, -np.expm1(levels))
    summed = float(step * (density * sticks * (1 if reverse else silent)).sum())
    return summed if reverse else float(named) + summed


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

    def told(A: Any, **at: Any) -> Any:
        square = A.number(pairs.releases(A, **inside(at, box))) * _square(A, pairs, box, at, changed, new)
        return gaussian_profile(A, A.number(at["epsilon"]), A.sqrt(square))

    return told


def _square(A: Any, pairs: SharedCounters, box: Box, at: Mapping[str, Any], changed: str, new: str) -> Any:
    """``mu_(l,j)^2`` of one release."""
    known, j = inside(at, box), A.number(at[changed])
    own, ratio = (A.number(one(A, **known)) for one in (pairs.own, pairs.ratio))
    d = A.number(at[pairs.counters]) - (at[new] if new else 0)
    return j * (d - j + ratio) / (d + ratio) / own**2 + j * pairs.beside(A, **known)


def _signs(pairs: SharedCounters, box: Box) -> Left:
    for name in filter(None, (pairs.counters, pairs.most)):
        if name not in box.names or not _from(1, box[name]):
            raise TacticError(f"expected an integer from 1 on for a number of counters, got {name}")
    for scale in (pairs.own, pairs.ratio):
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


def _in_the_mean() -> Left:
    """Of p and q, and of a pair's two statistics: the mean M of the shared counters, and what else they tell."""

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
