"""What tactics on noisy tops leave of a goal: comparisons, and recurrences over items, lists and trees of picks.

Why the goals imply what is said is in the tactics' docstrings; here each goal is built from the race itself, so that a
lemma serves only where it says the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from proofs_numeric.arithmetic import Exact, exact
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.kernel.goals import Left, Moves, Recurs, TacticError, of_box, order_of
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import one, zero
from proofs_numeric.statements.kinds import Levels, Recurrence
from proofs_numeric.statements.races import Clocks, Conditioned, InRange, Lists, Matched, Picked, Picks, Race
from proofs_numeric.statements.statement import Statement

_REAL = {"lower": "-infinity"}
_POSITIVE = {"open_lower": True}


def _more(box: Box, *names: str, **range_: Any) -> Box:
    """The box with parameters of those names, from 0 on unless said; none may be there already."""
    taken = [name for name in names if name in box.names]
    if taken:
        raise TacticError(f"expected a race without a parameter {taken[0]}, which the goals have")
    if box.constraint is not None:
        raise TacticError(f"expected a race without a constraint, got {box.constraint_text}")
    return Box((*box.parameters, *(Parameter(name, "", **range_) for name in names)))


def _most(race: Race | InRange) -> Exact:
    """By how much a count falls, at most."""
    if race.item.names != ("count", "fall") or race.item.constraint is not None:
        raise TacticError(f"expected items with a count and a fall, got {', '.join(race.item.names)}")
    count, fall = race.item.parameters
    whole = all(one.integer and not one.open_lower and exact(one.lower) == 0 for one in (count, fall))
    if not whole or count.upper != "infinity" or fall.upper == "infinity" or fall.open_upper:
        raise TacticError(
            f"expected any count and integers from 0 to the most that one falls, got {count.allowed}; {fall.allowed}"
        )
    top = next((one for one in race.box.parameters if one.name == race.top), None)
    if top is None or not top.integer or top.lower == "-infinity" or exact(top.lower) < 1:
        raise TacticError(f"expected a number of items, an integer from 1 on, got {race.top}")
    return exact(fall.upper)


# --- clocks -----------------------------------------------------------------------------------------------------------


def clocks(goal: Conditioned, tactic: Clocks) -> Left:
    """What `Clocks` leaves."""
    scores = _more(goal.box, "score", **_REAL)
    places = _more(goal.box, "x", **_REAL)
    moved = _more(scores, "x", "shift", **_REAL)
    yield Statement(_moved(goal), _moved(goal, 0), "=", moved), tactic.noise
    law = Statement(goal.below, _law_of_clock(goal), "=", _more(scores, "x", **_REAL))
    yield law, tactic.law
    yield Statement(zero, goal.rate, "<", scores), tactic.positive
    yield Moves(goal.time, "x", increasing=False, strict=True, box=places), tactic.falls
    yield _first_to_ring(), tactic.first
    yield _picked(ended=True), tactic.ended
    yield _picked(ended=False), tactic.full


def _moved(goal: Conditioned, times: int = 1) -> Formula:
    def moved(A: Any, *, score: Any, x: Any, shift: Any, **parameters: Any) -> Any:
        by = times * A.number(shift)
        return goal.below(A, score=A.number(score) + by, x=A.number(x) + by, **parameters)

    return moved


def _law_of_clock(goal: Conditioned) -> Formula:
    def law(A: Any, *, score: Any, x: Any, **parameters: Any) -> Any:
        return A.exp(-goal.rate(A, score=score, **parameters) * goal.time(A, x=x, **parameters))

    return law


def _first_to_ring() -> Recurs:
    """``w_1 prod_i e^(-w_i v) = w_1 e^(-W v)``, whose integral over v is w_1/W."""
    recurrence = Recurrence(
        state=_more(Box(), "none", "rate"),
        inputs=_more(Box(), "weight", **_POSITIVE),
        start={
            "none": lambda A, *, first, v: A.exp(-A.number(first) * v),
            "rate": lambda A, *, first, **_v: A.number(first),
        },
        step={
            "none": lambda A, *, none, weight, v, **_rest: none * A.exp(-A.number(weight) * v),
            "rate": lambda A, *, rate, weight, **_rest: A.number(rate) + weight,
        },
        left=lambda A, *, first, none, **_rest: A.number(first) * none,
        right=lambda A, *, first, rate, v, **_rest: A.number(first) * A.exp(-A.number(rate) * v),
        relation="=",
    )
    return Recurs(recurrence, _more(_more(Box(), "first", **_POSITIVE), "v"))


def _picked(*, ended: bool) -> Recurs:
    """A list from its last pick to its first, with clocks of one's own and given that the threshold comes before them.

    ``rest`` are the rates of the common items that are not picked.
    """

    def share(A: Any, *, bottom: Any, own: Any, **_rest: Any) -> Any:
        return A.number(bottom) / (A.number(bottom) + own)

    def last(rate: Formula) -> Formula:
        def probability(A: Any, *, bottom: Any, own: Any, rest: Any) -> Any:
            return rate(A, bottom=bottom, own=own) / (A.number(bottom) + own + rest)

        return probability

    def before(name: str) -> Formula:
        def probability(A: Any, *, bottom: Any, own: Any, common: Any, weight: Any, **at: Any) -> Any:
            return at[name] * A.number(weight) / (A.number(bottom) + own + common + weight)

        return probability

    recurrence = Recurrence(
        state=_more(Box(), "common", "law", "merged"),
        inputs=_more(Box(), "weight", **_POSITIVE),
        start={
            "common": lambda A, *, rest, **_rates: A.number(rest),
            "law": last(lambda A, *, bottom, **_own: A.number(bottom)) if ended else share,
            "merged": last(lambda A, *, bottom, own: A.number(bottom) + own) if ended else one,
        },
        step={
            "common": lambda A, *, common, weight, **_rest: A.number(common) + weight,
            "law": before("law"),
            "merged": before("merged"),
        },
        left=lambda A, *, law, **_rest: A.number(law),
        right=lambda A, *, merged, bottom, own, **_rest: merged * share(A, bottom=bottom, own=own),
        relation="=",
    )
    return Recurs(recurrence, _more(_more(Box(), "bottom", **_POSITIVE), "own", "rest"))


# --- neighbours -------------------------------------------------------------------------------------------------------


def matched(goal: InRange, tactic: Matched) -> Left:
    """What `Matched` leaves."""
    most = _most(goal)
    yield order_of_counts(goal.item, most), tactic.order
    yield from zip(_moves(goal.rate, "score", goal, most), tactic.item, strict=True)
    yield from zip(_moves(_at_threshold(goal), "outside", goal, most), tactic.bottom, strict=True)
    yield _merged(goal), tactic.merged


def order_of_counts(item: Box, most: Exact) -> Recurs:
    """``N'(x) <= N(x) <= N'(x - most)``, N(x) and N'(x) the numbers of counts and of fallen counts >= x."""

    def counted(name: str, lag: Exact, *, fallen: bool) -> Formula:
        """The number of counts at or above the level less ``lag``; of the neighbour's where ``fallen``."""

        def after(A: Any, *, level: Any, count: Any, fall: Any, **at: Any) -> Any:
            reached = A.number(count) - (fall if fallen else 0) - level + lag
            return at[name] + A.minimum(1, A.maximum(0, reached + 1))

        return after

    names = ("ours", "theirs", "theirs_below")
    recurrence = Recurrence(
        state=_more(Box(), *names, **_REAL),
        inputs=item,
        start=dict.fromkeys(names, zero),
        step={
            "ours": counted("ours", 0, fallen=False),
            "theirs": counted("theirs", 0, fallen=True),
            "theirs_below": counted("theirs_below", most, fallen=True),
        },
        left=lambda A, *, ours, theirs, theirs_below, **_rest: A.maximum(
            A.number(theirs) - ours, A.number(ours) - theirs_below
        ),
        right=zero,
    )
    return Recurs(recurrence, _more(Box(), "level", integer=True))


def _at_threshold(race: Race | InRange) -> Formula:
    def rate(A: Any, *, outside: Any, **parameters: Any) -> Any:
        return race.rate(A, score=race.threshold(A, outside=outside, **parameters), **parameters)

    return rate


def _moves(rate: Formula, name: str, goal: InRange, most: Exact) -> Iterator[Statement]:
    """``0 < rate(c) <= rate(c + rise) <= e^width rate(c)``, c of that name, 0 <= rise <= most."""
    start = _more(goal.box, name)
    box = _more(start, "rise", upper=most)

    def later(A: Any, *, rise: Any, **at: Any) -> Any:
        return rate(A, **{**at, name: A.number(at[name]) + rise})

    def earlier(A: Any, *, rise: Any, **at: Any) -> Any:
        return rate(A, **at)

    def widest(A: Any, *, rise: Any, **at: Any) -> Any:
        rest = {key: value for key, value in at.items() if key != name}
        return A.exp(goal.width(A, **rest)) * rate(A, **at)

    yield Statement(zero, rate, "<", start)
    yield Statement(earlier, later, "<=", box)
    yield Statement(later, widest, "<=", box)


def _merged(goal: InRange) -> Recurs:
    def factor(A: Any, place: Any, at: dict[str, Any]) -> Any:
        return 1 + A.number(place) * A.expm1(goal.width(A, **{name: at[name] for name in goal.box.names}))

    recurrence = Recurrence(
        state=_more(Box(), "rate", "other"),
        inputs=Box((Parameter("weight", ""), Parameter("place", "", upper=1))),
        start={"rate": lambda A, *, share, **at: factor(A, share, at), "other": one},
        step={
            "rate": lambda A, *, rate, weight, place, **at: A.number(rate) + weight * factor(A, place, at),
            "other": lambda A, *, other, weight, **_rest: A.number(other) + weight,
        },
        left=lambda A, *, rate, other, **at: A.maximum(
            A.number(other) - rate, A.number(rate) - A.exp(goal.width(A, **{n: at[n] for n in goal.box.names})) * other
        ),
        right=zero,
    )
    return Recurs(recurrence, _more(goal.box, "share", upper=1))


# --- lists ------------------------------------------------------------------------------------------------------------


def picked(goal: Lists | Picks, tactic: Picked) -> Left:
    """What `Picked` leaves."""
    parts = (tactic.condition, tactic.range, tactic.likely)
    if isinstance(goal, Picks):
        if tactic.width is not None or any(parts):
            raise TacticError("expected proofs about the event of lists alone, got them of picks")
        order_of(goal.box)
        _require_number(goal.picks, goal.box)
        yield _tree_of_picks(goal), tactic.picks
        return
    if tactic.width is None or tactic.condition is None or tactic.range is None or tactic.likely is None:
        raise TacticError("expected a width, and proofs about the event of lists, got none")
    race, box = goal.race, goal.box
    for name in filter(None, (goal.picks, goal.calls)):
        _require_number(name, goal.more)
    order_of(goal.more)
    yield race.conditioned, tactic.condition
    yield race.in_range(tactic.width), tactic.range
    yield _chance_of_event(goal, _most(race)), tactic.likely
    yield _tree_of_picks(Picks(box, goal.picks, of_box(tactic.width, race.box), goal.rho)), tactic.picks


def _require_number(name: str, box: Box) -> None:
    if name not in box.names or not box[name].integer or box[name].lower != 1:
        raise TacticError(f"expected an integer from 1 on for the number of {name}")


def _chance_of_event(goal: Lists, most: Exact) -> Statement:
    """1 - delta against (w/(w + W_D))^calls, W_D of ``top`` items at outside + most."""
    race, of_race = goal.race, goal.race.box.names
    bottom = _at_threshold(race)

    def allowed(A: Any, *, outside: Any, alpha: Any, **at: Any) -> Any:
        return 1 - goal.delta(A, **at)

    def chance(A: Any, *, outside: Any, **at: Any) -> Any:
        here = {name: at[name] for name in of_race}
        clocks = here[race.top] * race.rate(A, score=A.number(outside) + A.number(most), **here)
        log_one = -A.log1p(clocks / bottom(A, outside=outside, **here))
        return A.exp(at[goal.calls] * log_one if goal.calls else log_one)

    return Statement(allowed, chance, "<=", _more(goal.box, "outside"), "1 - delta", "probability of the event")


def _tree_of_picks(goal: Picks) -> Recurs:
    """Of a node: the sum over its picks of p^alpha q^(1 - alpha) times what follows, rates q_i, p_i = ratio_i q_i.

    ``share`` and ``moment`` are means over the picks so far, by q: of the ratios' places in [1, e^-width], and of the
    ratios' powers times what follows.
    """
    names = [name for name in goal.box.names if name != "alpha"]

    def log_power(A: Any, share: Any, at: dict[str, Any]) -> Any:
        lost = A.expm1(-goal.width(A, **{name: at[name] for name in names}))
        return A.number(at["alpha"]) * A.log1p(A.number(share) * lost)

    def mixed(A: Any, old: Any, new: Any, *, mass: Any, weight: Any, **_rest: Any) -> Any:
        return (A.number(mass) * old + A.number(weight) * new) / (A.number(mass) + weight)

    recurrence = Recurrence(
        state=Box((Parameter("mass", ""), Parameter("share", "", upper=1), Parameter("moment", ""))),
        inputs=Box((Parameter("weight", "", open_lower=True), Parameter("place", "", upper=1), Parameter("below", ""))),
        start=dict.fromkeys(("mass", "share", "moment"), zero),
        step={
            "mass": lambda A, *, mass, weight, **_rest: A.number(mass) + weight,
            "share": lambda A, *, share, place, **at: mixed(A, share, place, **at),
            "moment": lambda A, *, moment, place, below, **at: mixed(
                A, moment, A.exp(log_power(A, place, at)) * below, **at
            ),
        },
        left=lambda A, *, share, moment, **at: A.number(moment) * A.exp(-log_power(A, share, at)),
        right=lambda A, **at: A.exp(
            (A.number(at["alpha"]) - 1) * at["alpha"] * goal.rho(A, **{name: at[name] for name in names})
        ),
        levels=Levels(goal.picks, "below", one),
    )
    return Recurs(recurrence, goal.box)
