"""Theorem 9, the repaired proof for any number of items and picks: recurrences over items, and over trees of picks."""

from __future__ import annotations

from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.rogers2024.parameters import ANY_EPSILON, DELTA, K_BAR, K, ours
from proofs_numeric.rogers2024.theorem_5 import ORDERS, chord, growth, log_growth, moment, power, tilted
from proofs_numeric.rogers2024.thresholds import gumbel_threshold
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.constants import one, parameter_named, zero
from proofs_numeric.statements.kinds import Levels, Recurrence
from proofs_numeric.statements.races import Race
from proofs_numeric.statements.tactics import ByClaim, Maximum, Part, Product, Steps, Sum, Symbolic, Trees

# --- the merged threshold ---------------------------------------------------------------------------------------------


def _moved(A: Arithmetic, *, epsilon: Number, place: Number) -> Any:
    """``1 + place (e^epsilon - 1)``: by how much a rate moves."""
    return 1 + A.number(place) * A.expm1(A.number(epsilon))


def _first_rate(A: Arithmetic, *, epsilon: Number, share: Number) -> Any:
    return _moved(A, epsilon=epsilon, place=share)


def _next_rate(A: Arithmetic, *, epsilon: Number, rate: Number, weight: Number, place: Number, **_rest: Number) -> Any:
    return A.number(rate) + weight * _moved(A, epsilon=epsilon, place=place)


def _next_other(A: Arithmetic, *, other: Number, weight: Number, **_rest: Number) -> Any:
    return A.number(other) + weight


def _below_one(A: Arithmetic, *, rate: Number, other: Number, **_rest: Number) -> Any:
    return A.number(other) - rate


def _above_range(A: Arithmetic, *, epsilon: Number, rate: Number, other: Number, **_rest: Number) -> Any:
    return A.number(rate) - A.exp(A.number(epsilon)) * other


def outside_range(A: Arithmetic, **at: Number) -> Any:
    """``max(W' - W, W - e^epsilon W')``: above 0 where the rates' ratio leaves its range."""
    return A.maximum(_below_one(A, **at), _above_range(A, **at))


# --- the list's law ---------------------------------------------------------------------------------------------------


def _fewest(A: Arithmetic, *, rest: Number, **_rates: Number) -> Any:
    return A.number(rest)


def _with_pick(A: Arithmetic, *, common: Number, weight: Number, **_rest: Number) -> Any:
    return A.number(common) + weight


def _ends(A: Arithmetic, *, bottom: Number, own: Number, rest: Number) -> Any:
    return A.number(bottom) / (A.number(bottom) + own + rest)


def _ends_merged(A: Arithmetic, *, bottom: Number, own: Number, rest: Number) -> Any:
    return (A.number(bottom) + own) / (A.number(bottom) + own + rest)


def _picked_before(name: str) -> Formula:
    def after(A: Arithmetic, *, bottom: Number, own: Number, common: Number, weight: Number, **at: Number) -> Any:
        return at[name] * rate_of_pick(A, bottom=bottom, own=own, common=common, weight=weight)

    return after


def rate_of_pick(A: Arithmetic, *, bottom: Number, own: Number, common: Number, weight: Number, **_rest: Number) -> Any:
    """A pick's rate over all rates left."""
    return weight / (A.number(bottom) + own + common + weight)


def list_law(A: Arithmetic, *, law: Number, **_rest: Number) -> Any:
    """P: the picks' rates over all rates left, own items' among them, and at the end bottom's."""
    return A.number(law)


def merged_law(A: Arithmetic, *, merged: Number, bottom: Number, own: Number, **_rest: Number) -> Any:
    """``w/(w + W_D)`` times P', whose bottom rings at the rate ``w + W_D``."""
    return A.number(merged) * bottom / (A.number(bottom) + own)


# --- places of the counts ---------------------------------------------------------------------------------------------


def _reaches(A: Arithmetic, count: Number, level: Number) -> Any:
    """1 where an integer count is at least the level, else 0."""
    return A.minimum(1, A.maximum(0, A.number(count) - level + 1))


def counted(name: str, lag: int, side: int) -> Formula:
    """The number of counts at or above the level, or the level less ``lag``; of the neighbour's if ``side``."""

    def after(A: Arithmetic, *, level: Number, count: Number, fall: Number, **at: Number) -> Any:
        return at[name] + _reaches(A, A.number(count) - side * A.number(fall), A.number(level) - lag)

    return after


def _fewer(A: Arithmetic, *, ours: Number, theirs: Number, **_rest: Number) -> Any:
    return A.number(theirs) - ours


def _more(A: Arithmetic, *, ours: Number, theirs_below: Number, **_rest: Number) -> Any:
    return A.number(ours) - theirs_below


def out_of_order(A: Arithmetic, **at: Number) -> Any:
    """``max(N'(x) - N(x), N(x) - N'(x - 1))``."""
    return A.maximum(_fewer(A, **at), _more(A, **at))


# --- a tree of picks --------------------------------------------------------------------------------------------------


def _next_mass(A: Arithmetic, *, mass: Number, weight: Number, **_rest: Number) -> Any:
    return A.number(mass) + weight


def _mixed(A: Arithmetic, mass: Number, weight: Number, old: Any, new: Any) -> Any:
    return (A.number(mass) * old + A.number(weight) * new) / (A.number(mass) + weight)


def _next_share(A: Arithmetic, *, mass: Number, share: Number, weight: Number, place: Number, **_rest: Number) -> Any:
    return _mixed(A, mass, weight, share, place)


def _next_moment(
    A: Arithmetic,
    *,
    alpha: Number,
    epsilon: Number,
    mass: Number,
    moment: Number,
    weight: Number,
    place: Number,
    below: Number,
    **_rest: Number,
) -> Any:
    return _mixed(A, mass, weight, moment, power(A, alpha=alpha, epsilon=epsilon, share=place) * below)


def node_moment(
    A: Arithmetic, *, alpha: Number, epsilon: Number, share: Number, moment: Number, **_rest: Number
) -> Any:
    """``sum_y p_y^alpha q_y^(1 - alpha) M_y`` of a node, M_y the same of what follows its outcome y."""
    return A.number(moment) * A.exp(-tilted(A, alpha=alpha, epsilon=epsilon, share=share))


def moment_of_picks(A: Arithmetic, *, k: Number, alpha: Number, epsilon: Number, **_rest: Number) -> Any:
    """``e^(k (alpha - 1) alpha epsilon^2/8)``."""
    return A.exp(k * log_growth(A, alpha=alpha, epsilon=epsilon))


def _of_less(A: Arithmetic, *, k: Number, **at: Number) -> Any:
    return moment_of_picks(A, k=k - 1, **at)


def _chord_of_less(A: Arithmetic, *, k: Number, alpha: Number, epsilon: Number, share: Number, **_rest: Number) -> Any:
    return _of_less(A, k=k, alpha=alpha, epsilon=epsilon) * chord(A, alpha=alpha, epsilon=epsilon, share=share)


def _moment(A: Arithmetic, *, moment: Number, **_rest: Number) -> Any:
    return A.number(moment)


def _at(formula: Formula, name: str) -> Formula:
    return lambda A, *, alpha, epsilon, **at: formula(A, alpha=alpha, epsilon=epsilon, share=at[name])


def _chord_above(name: str) -> Part:
    def gap(A: Arithmetic, **at: Number) -> Any:
        return _at(chord, name)(A, **at) - _at(power, name)(A, **at)

    return Part(gap, ByClaim("rogers2024.thm5.chord", at={"share": parameter_named(name)}))


def _kept_part(A: Arithmetic, *, mass: Number, weight: Number, **_rest: Number) -> Any:
    return A.number(mass) / (A.number(mass) + weight)


def _new_part(A: Arithmetic, *, mass: Number, weight: Number, **at: Number) -> Any:
    return A.number(weight) / (A.number(mass) + weight) * moment_of_less(A, **at)


def moment_of_less(A: Arithmetic, *, k: Number, alpha: Number, epsilon: Number, **_rest: Number) -> Any:
    """The bound of one pick less."""
    return _of_less(A, k=k, alpha=alpha, epsilon=epsilon)


def _unused(A: Arithmetic, *, below: Number, **_rest: Number) -> Any:
    return 1 - A.number(below)


def _within_chord(A: Arithmetic, *, below: Number, **at: Number) -> Any:
    return _at(chord, "place")(A, **at) - A.number(below) * _at(power, "place")(A, **at)


def _unused_power(A: Arithmetic, *, below: Number, **at: Number) -> Any:
    return (1 - A.number(below)) * _at(power, "place")(A, **at)


def _of_pair(A: Arithmetic, *, alpha: Number, epsilon: Number, share: Number, **_rest: Number) -> Any:
    at = {"alpha": alpha, "epsilon": epsilon, "share": share}
    return growth(A, **at) - moment(A, **at)


def _untilted(A: Arithmetic, *, alpha: Number, epsilon: Number, share: Number, **_rest: Number) -> Any:
    return A.exp(-tilted(A, alpha=alpha, epsilon=epsilon, share=share))


_PICKS = Steps(
    kept=(_moment, _chord_of_less),
    factor=_kept_part,
    proof=Product(
        (
            Part(_new_part),
            Part(
                _within_chord,
                Sum((_chord_above("place"), Part(_unused_power, Product((Part(_unused), Part(_at(power, "place"))))))),
            ),
        )
    ),
    weight=_untilted,
    end=Product((Part(moment_of_less), Part(_of_pair, ByClaim("rogers2024.thm5.moment")))),
)
"""The moments so far lie below their chord; so does what one more outcome adds, and what follows it multiplies."""


# --- Algorithm 3 ------------------------------------------------------------------------------------------------------


def _below(A: Arithmetic, *, epsilon: Number, score: Number, x: Number, **_rest: Number) -> Any:
    return A.exp(-A.exp((A.number(score) - x) * epsilon))


def _score_of_threshold(A: Arithmetic, *, outside: Number, **at: Number) -> Any:
    return A.number(outside) + gumbel_threshold(A, **at)


def _clock(A: Arithmetic, *, epsilon: Number, score: Number, **_rest: Number) -> Any:
    return A.exp(A.number(score) * epsilon)


def _time(A: Arithmetic, *, epsilon: Number, x: Number, **_rest: Number) -> Any:
    return A.exp(-A.number(x) * epsilon)


RACE = Race(
    box=Box((K_BAR, ANY_EPSILON, DELTA)),
    item=Box(
        (
            Parameter("count", "c_i", "items", integer=True),
            Parameter("fall", "c_i - c'_i", "items", upper=1, integer=True),
        )
    ),
    top="k_bar",
    below=_below,
    threshold=_score_of_threshold,
    rate=_clock,
    time=_time,
)
"""Algorithm 3 on (infinity, 1)-neighbours: Gumbel noise of scale ``1/epsilon``, the threshold of Theorem 9."""


# --- claims -----------------------------------------------------------------------------------------------------------


def _rate(name: str, meaning: str, *, positive: bool = False) -> Parameter:
    return Parameter(name, meaning, "rates", open_lower=positive, log=True)


def _share(name: str, meaning: str) -> Parameter:
    return Parameter(name, f"place of {meaning} in its range", upper=1)


def _number(name: str, meaning: str) -> Parameter:
    return Parameter(name, meaning, "items", lower="-infinity")


def _whole(name: str, meaning: str) -> Parameter:
    return Parameter(name, meaning, "items", integer=True)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.thm9.mediant",
        source=ours("Theorem 9, repaired proof"),
        title="Any number of matched items keep the merged rates within the range",
        statement=r"1 \le \tfrac{w_i}{w'_i} \le e^\varepsilon "
        r"\Rightarrow 1 \le \tfrac{\sum_i w_i}{\sum_i w'_i} \le e^\varepsilon",
        kind=Recurrence(
            state=Box((_rate("rate", "W"), _rate("other", "W'"))),
            given=Box((_rate("weight", "w'_i"), _share("place", "w_i/w'_i"))),
            start={"rate": _first_rate, "other": one},
            step={"rate": _next_rate, "other": _next_other},
            left=outside_range,
            right=zero,
            proof=Maximum((Part(_below_one, Steps()), Part(_above_range, Steps()))),
        ),
        domain=Box((ANY_EPSILON, _share("share", "bottom's w/w', w' = 1"))),
    ),
    Claim(
        id="rogers2024.thm9.list",
        source=ours("Theorem 9, repaired proof"),
        title="Of a list of common items, however long, the law is w/(w + W_D) times that of the merged rates",
        statement=r"P(y_1, \dots, y_m, \bot) = \tfrac{w}{w + W_D} P'(y_1, \dots, y_m, \bot)",
        kind=Recurrence(
            state=Box(
                (_rate("common", "rates of the items not yet picked"), *(Parameter(n, n) for n in ("law", "merged")))
            ),
            given=Box((_rate("weight", "of the pick before", positive=True),)),
            start={"common": _fewest, "law": _ends, "merged": _ends_merged},
            step={"common": _with_pick, "law": _picked_before("law"), "merged": _picked_before("merged")},
            left=list_law,
            right=merged_law,
            relation="=",
            proof=Steps(base=Symbolic(), proof=Symbolic(), factor=rate_of_pick),
        ),
        domain=Box(
            (
                _rate("bottom", "w, the threshold's", positive=True),
                _rate("own", "W_D, of the items of one top only"),
                _rate("rest", "of the common items that are never picked"),
            )
        ),
        note="From the last pick to the first; a full list, without bottom, has the same law on both sides.",
    ),
    Claim(
        id="rogers2024.thm9.places",
        source=ours("Theorem 9, repaired proof"),
        title="However many items fall by one, no place in the order falls by more",
        statement=r"N'(x) \le N(x) \le N'(x - 1),\ N(x) = \#\{i: c_i \ge x\},\ c_i - c'_i \in \{0, 1\}",
        kind=Recurrence(
            state=Box((_number("ours", "N(x)"), _number("theirs", "N'(x)"), _number("theirs_below", "N'(x - 1)"))),
            given=RACE.item,
            start={"ours": zero, "theirs": zero, "theirs_below": zero},
            step={
                "ours": counted("ours", 0, 0),
                "theirs": counted("theirs", 0, 1),
                "theirs_below": counted("theirs_below", 1, 1),
            },
            left=out_of_order,
            right=zero,
            proof=Maximum((Part(_fewer, Steps()), Part(_more, Steps()))),
        ),
        domain=Box((_whole("level", "x"),)),
        points=tuple(  # of two items only one that falls from x and one that stays at x - 1 leave room on both sides
            {"level": level, "steps": 2}
            | {f"count_{falls}": level, f"fall_{falls}": 1, f"count_{3 - falls}": level - 1, f"fall_{3 - falls}": 0}
            for level in (1, 2, 3, 7, 1000, 10**6)
            for falls in (1, 2)
        ),
    ),
    Claim(
        id="rogers2024.thm9.picks",
        source=ours("Theorems 9 and 10, repaired proof"),
        title="k picks of range one, of any number of items and each given those before, cost k epsilon^2/8",
        statement=r"\sum_y P'(y)^\alpha Q'(y)^{1-\alpha} \le e^{k(\alpha-1)\alpha\varepsilon^2/8}",
        kind=Recurrence(
            state=Box((_rate("mass", "W'"), _share("share", "W/W'"), Parameter("moment", "over W'"))),
            given=Box(
                (
                    _rate("weight", "w'_i", positive=True),
                    _share("place", "w_i/w'_i"),
                    Parameter("below", "moment of what follows"),
                )
            ),
            start={"mass": zero, "share": zero, "moment": zero},
            step={"mass": _next_mass, "share": _next_share, "moment": _next_moment},
            left=node_moment,
            right=moment_of_picks,
            levels=Levels("k", "below", one),
            proof=Trees(_PICKS, sign=Product((Part(_moment), Part(_untilted)))),
        ),
        domain=Box((*(ORDERS[n] for n in ("alpha", "epsilon")), K)),
        note="A tree: each node picks one of any items, bottom among them, with rates of its own. "
        "Ratios lie in [c e^-epsilon, c], as rates may be scaled: either order of P' and Q'.",
    ),
)
