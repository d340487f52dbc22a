"""Theorem 9, the repaired proof for any number of items and picks: recurrences over items, and over trees of picks."""

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.rogers2024.theorem_5 import ORDERS, chord, growth, log_growth, power, tilted
from proofs_numeric.rogers2024.theorem_5 import moment as moment_of_pair
from proofs_numeric.rogers2024.thresholds import gumbel_threshold
from proofs_numeric.statements.kinds import Levels
from proofs_numeric.statements.races import Race
from proofs_numeric.statements.tactics import Trees

# --- the merged threshold ---------------------------------------------------------------------------------------------

share, place, rate, other, weight, score, x = symbols("share place rate other weight score x")
_moved = 1 + place * expm1(epsilon)
"""By how much a rate moves."""
_below_one, _above_range = other - rate, rate - exp(epsilon) * other

# --- the list's law ---------------------------------------------------------------------------------------------------

bottom, mine, common, rest, law, merged = symbols("bottom own common rest law merged")
rate_of_pick = weight / (bottom + mine + common + weight)
"""A pick's rate over all rates left."""

# --- places of the counts ---------------------------------------------------------------------------------------------

level, count, fall, here, theirs, theirs_below = symbols("level count fall ours theirs theirs_below")


def counted(name: str, lag: int, side: int) -> Expression:
    """The number of counts at or above the level, or the level less ``lag``; of the neighbour's if ``side``."""
    reaches = minimum(1, maximum(0, count - side * fall - (level - lag) + 1))
    return symbol(name) + reaches


_fewer, _more = theirs - here, here - theirs_below

# --- a tree of picks --------------------------------------------------------------------------------------------------

mass, moment, below = symbols("mass moment below")


def _mixed(old: Expression, new: Expression) -> Expression:
    return (mass * old + weight * new) / (mass + weight)


_untilted = exp(-tilted)
moment_of_picks = exp(k * log_growth)
"""``e^(k (alpha - 1) alpha epsilon^2/8)``."""
moment_of_less = moment_of_picks(k=k - 1)
"""The bound of one pick less."""
_chord, _power = chord(share=place), power(share=place)
_CHORD_ABOVE = _chord - _power, ByClaim("rogers2024.thm5.chord", at={"share": place})
_PICKS = Steps(
    invariant=(moment, moment_of_less * chord), factor=mass / (mass + weight),
    proof=product_of(
        weight / (mass + weight) * moment_of_less,
        (_chord - below * _power, sum_of(_CHORD_ABOVE, factors(1 - below, _power))),
    ),
    weight=_untilted, end=product_of(moment_of_less, (growth - moment_of_pair, ByClaim("rogers2024.thm5.moment"))),
)  # fmt: skip
"""The moments so far lie below their chord; so does what one more outcome adds, and what follows it multiplies."""

# --- Algorithm 3 ------------------------------------------------------------------------------------------------------

RACE = Race(
    box=Box((K_BAR, EPSILON, DELTA)),
    item=Box(
        (
            Parameter("count", "c_i", "items", integer=True),
            Parameter("fall", "c_i - c'_i", "items", upper=1, integer=True),
        )
    ),
    top="k_bar", below=exp(-exp((score - x) * epsilon)), threshold=symbol("outside") + gumbel_threshold,
    rate=exp(score * epsilon), time=exp(-x * epsilon),
)  # fmt: skip
"""Algorithm 3 on (infinity, 1)-neighbours: Gumbel noise of scale ``1/epsilon``, the threshold of Theorem 9."""

# --- claims -----------------------------------------------------------------------------------------------------------


def _rate(name: str, meaning: str, *, positive: bool = False) -> Parameter:
    return Parameter(name, meaning, "rates", open_lower=positive, log=True)


def _share(name: str, meaning: str) -> Parameter:
    return Parameter(name, f"place of {meaning} in its range", upper=1)


def _number(name: str, meaning: str) -> Parameter:
    return Parameter(name, meaning, "items", lower="-infinity")


CLAIMS = (
    own(
        "thm9.mediant", "Theorem 9, repaired proof",
        "Any number of matched items keep the merged rates within the range",
        r"1 \le \tfrac{w_i}{w'_i} \le e^\varepsilon \Rightarrow 1 \le \tfrac{\sum_i w_i}{\sum_i w'_i} \le "
        r"e^\varepsilon",
        Recurrence(
            state=Box((_rate("rate", "W"), _rate("other", "W'"))),
            inputs=Box((_rate("weight", "w'_i"), _share("place", "w_i/w'_i"))),
            start={"rate": _moved(place=share), "other": one},
            step={"rate": rate + weight * _moved, "other": other + weight}, left=maximum(_below_one, _above_range),
            right=zero, proof=largest_of((_below_one, Steps()), (_above_range, Steps())),
        ),
        domain=(EPSILON, _share("share", "bottom's w/w', w' = 1")),
    ),
    own(
        "thm9.list", "Theorem 9, repaired proof",
        "Of a list of common items, however long, the law is w/(w + W_D) times that of the merged rates",
        r"P(y_1, \dots, y_m, \bot) = \tfrac{w}{w + W_D} P'(y_1, \dots, y_m, \bot)",
        Recurrence(
            state=Box(
                (_rate("common", "rates of the items not yet picked"), *(Parameter(n, n) for n in ("law", "merged"))),
            ),
            inputs=Box((_rate("weight", "of the pick before", positive=True),)),
            start={
                "common": rest, "law": bottom / (bottom + mine + rest),
                "merged": (bottom + mine) / (bottom + mine + rest),
            },
            step={"common": common + weight, "law": law * rate_of_pick, "merged": merged * rate_of_pick}, left=law,
            right=merged * bottom / (bottom + mine), relation="=",
            proof=Steps(base=Symbolic(), proof=Symbolic(), factor=rate_of_pick),
        ),
        domain=(
                _rate("bottom", "w, the threshold's", positive=True), _rate("own", "W_D, of the items of one top only"),
                _rate("rest", "of the common items that are never picked"),
            ),
        note="From the last pick to the first; a full list, without bottom, has the same law on both sides.",
    ),
    own(
        "thm9.places", "Theorem 9, repaired proof",
        "However many items fall by one, no place in the order falls by more",
        r"N'(x) \le N(x) \le N'(x - 1),\ N(x) = \#\{i: c_i \ge x\},\ c_i - c'_i \in \{0, 1\}",
        Recurrence(
            state=Box((_number("ours", "N(x)"), _number("theirs", "N'(x)"), _number("theirs_below", "N'(x - 1)"))),
            inputs=RACE.item, start={"ours": zero, "theirs": zero, "theirs_below": zero},
            step={
                "ours": counted("ours", 0, 0), "theirs": counted("theirs", 0, 1),
                "theirs_below": counted("theirs_below", 1, 1),
            },
            left=maximum(_fewer, _more), right=zero, proof=largest_of((_fewer, Steps()), (_more, Steps())),
        ),
        domain=(Parameter("level", "x", "items", integer=True),),
        # Of two items only one that falls from x and one that stays at x - 1 leave room on both sides.
        points=tuple(
            {"level": level, "steps": 2}
            | {f"count_{falls}": level, f"fall_{falls}": 1, f"count_{3 - falls}": level - 1, f"fall_{3 - falls}": 0}
            for level in (1, 2, 3, 7, 1000, 10**6)
            for falls in (1, 2)
        ),
    ),
    own(
        "thm9.picks", "Theorems 9 and 10, repaired proof",
        "k picks of range one, of any number of items and each given those before, cost k epsilon^2/8",
        r"\sum_y P'(y)^\alpha Q'(y)^{1-\alpha} \le e^{k(\alpha-1)\alpha\varepsilon^2/8}",
        Recurrence(
            state=Box((_rate("mass", "W'"), _share("share", "W/W'"), Parameter("moment", "over W'"))),
            inputs=Box(
                (
                    _rate("weight", "w'_i", positive=True), _share("place", "w_i/w'_i"),
                    Parameter("below", "moment of what follows"),
                ),
            ),
            start={"mass": zero, "share": zero, "moment": zero},
            step={"mass": mass + weight, "share": _mixed(share, place), "moment": _mixed(moment, _power * below)},
            left=moment * _untilted, right=moment_of_picks, levels=Levels("k", "below", one),
            proof=Trees(_PICKS, sign=product_of(moment, _untilted)),
        ),
        domain=(*(ORDERS[n] for n in ("alpha", "epsilon")), K),
        note="A tree: each node picks one of any items, bottom among them, with rates of its own. Ratios lie in [c "
        "e^-epsilon, c], as rates may be scaled: either order of P' and Q'.",
    ),
)  # fmt: skip
