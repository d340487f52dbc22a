"""Step 5 of reverse <= forward on staircases: what silence hides loses no faster one way than it gains the other.

Letters: ``g_0 <= g_1 <= g_2`` the heights of G, its steps at ``a <= b``; ``A_i = P[L > epsilon + g_i]`` without the
user, ``B_i = e^-g_i P[L < g_i - epsilon]`` with it. ``A_i <= B_i`` (``sec3.reverse.hazard``). Losing is at most A_i and
gaining at least B_i, where ``g_i - epsilon`` is the first that does not pass the end of its step:

    i = 0: g_0 - epsilon <= a;   i = 1: a <= g_0 - epsilon and g_1 - epsilon <= b;   i = 2: also b <= g_1 - epsilon.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import log_normal_cdf, normal_cdf
from proofs_numeric.lebeda2025.parameters import EPSILON, ours
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.constants import parameter_named, zero
from proofs_numeric.statements.kinds import Inequality
from proofs_numeric.statements.tactics import (
    ByClaim,
    Cases,
    Given,
    Increasing,
    Maximum,
    Part,
    Product,
    Sign,
    Substitute,
    Sum,
    Tactic,
    Through,
)


def losing(
    A: Arithmetic,
    *,
    epsilon: Number,
    mu: Number,
    at: Number,
    width: Number,
    floor: Number,
    rise: Number,
    further: Number,
) -> Number:
    """``P[L - G(L) > epsilon]``, ``L ~ N(-mu^2/2, mu^2)``, G a staircase of two steps."""

    def above(x: Number) -> Any:
        return normal_cdf(A, -(x / mu + mu / 2))

    first, second = at, at + width
    low, middle, high = (above(epsilon + g) for g in (floor, floor + rise, floor + rise + further))
    # L above first (second) and above epsilon + G: the smaller of two upper tails.
    return (
        A.maximum(0, low - above(first))
        + A.maximum(0, A.minimum(middle, above(first)) - above(second))
        + A.minimum(high, above(second))
    )


def gaining(
    A: Arithmetic,
    *,
    epsilon: Number,
    mu: Number,
    at: Number,
    width: Number,
    floor: Number,
    rise: Number,
    further: Number,
) -> Number:
    """``E'[e^{-G(L)}; L - G(L) < -epsilon]``, ``L ~ N(mu^2/2, mu^2)``, G a staircase of two steps."""

    def below(x: Number) -> Number:
        return normal_cdf(A, x / mu - mu / 2)

    first, second = at, at + width
    steps = (floor, floor + rise, floor + rise + further)
    low, middle, high = (below(g - epsilon) for g in steps)
    return (
        A.exp(-steps[0]) * A.minimum(low, below(first))
        + A.exp(-steps[1]) * A.maximum(0, A.minimum(middle, below(second)) - below(first))
        + A.exp(-steps[2]) * A.maximum(0, high - below(second))
    )


_STAIRCASE = Box(
    (
        replace(EPSILON, upper=30),
        Parameter("mu", "distance of the shared laws", lower="1e-3", upper=10, log=True),
        Parameter("at", "loss at the first step of G", "nats", lower=-30, upper=30),
        Parameter("width", "loss between the steps", "nats", lower=0, upper=20),
        Parameter("floor", "G before the steps", "nats", lower=0, upper=10),
        Parameter("rise", "height of the first step", "nats", lower=0, upper=20),
        Parameter("further", "height of the second step", "nats", lower=0, upper=20),
    )
)


# --- the proof --------------------------------------------------------------------------------------------------------

_DISTANCE, _RISES = _STAIRCASE["mu"], tuple(_STAIRCASE[name] for name in ("floor", "rise", "further"))


def _height(i: int) -> Formula:
    """``g_i``."""

    def height(A: Arithmetic, *, floor: Number, rise: Number, further: Number, **_rest: Number) -> Any:
        return (A.number(floor), A.number(floor) + rise, A.number(floor) + rise + further)[i]

    return height


def _tail(i: int) -> Formula:
    """``A_i``."""

    def tail(A: Arithmetic, *, epsilon: Number, mu: Number, **at: Number) -> Any:
        return normal_cdf(A, -((A.number(epsilon) + _height(i)(A, **at)) / mu + A.number(mu) / 2))

    return tail


def _share(i: int) -> Formula:
    """``e^-g_i``."""
    return lambda A, **at: A.exp(-_height(i)(A, **at))


def _mass(i: int) -> Formula:
    """``P[L < g_i - epsilon]``."""

    def mass(A: Arithmetic, *, epsilon: Number, mu: Number, **at: Number) -> Any:
        return normal_cdf(A, (_height(i)(A, **at) - epsilon) / mu - A.number(mu) / 2)

    return mass


def _gain(i: int) -> Formula:
    """``B_i``."""
    return lambda A, **at: _share(i)(A, **at) * _mass(i)(A, **at)


def _less(first: Formula, second: Formula) -> Formula:
    return lambda A, **at: first(A, **at) - second(A, **at)


def _times(first: Formula, second: Formula) -> Part:
    """A product of two, each with a sign of its own."""
    return Part(lambda A, **at: first(A, **at) * second(A, **at), Product((Part(first), Part(second))))


def _gains_what_it_loses(i: int) -> Tactic:
    """``A_i <= B_i``."""

    def log_tail(A: Arithmetic, *, epsilon: Number, mu: Number, **at: Number) -> Any:
        return log_normal_cdf(A, (-A.number(epsilon) - _height(i)(A, **at)) / mu - A.number(mu) / 2)

    def log_gain(A: Arithmetic, *, epsilon: Number, mu: Number, **at: Number) -> Any:
        height = _height(i)(A, **at)
        return log_normal_cdf(A, (height - epsilon) / mu - A.number(mu) / 2) - height

    return Increasing("exp", log_tail, log_gain, ByClaim("lebeda2025.sec3.reverse.hazard", {"loss": _height(i)}))


def _first(case: int) -> Formula:
    """The first step, from ``before``: how far it is from ``g_0 - epsilon``."""

    def first(A: Arithmetic, *, epsilon: Number, floor: Number, before: Number, **_rest: Number) -> Any:
        return A.number(floor) - epsilon + (A.number(before) if case == 0 else -A.number(before))

    return first


def _last(case: int) -> Formula:
    """The second, from ``after``: how far it is from the first, or from ``g_1 - epsilon``."""

    def last(A: Arithmetic, *, epsilon: Number, floor: Number, rise: Number, after: Number, **at: Number) -> Any:
        if case == 0:
            return _first(0)(A, epsilon=epsilon, floor=floor, **at) + A.number(after)
        return A.number(floor) + rise - epsilon + (A.number(after) if case == 1 else -A.number(after))

    return last


def _beyond(place: Formula, sign: int) -> Formula:
    """``P[L > place]`` without the user (-1), ``P[L < place]`` with it (1)."""

    def beyond(A: Arithmetic, *, mu: Number, **at: Number) -> Any:
        return normal_cdf(A, sign * place(A, **at) / mu - A.number(mu) / 2)

    return beyond


def _in_case(case: int, formula: Formula) -> Formula:
    """Losing or gaining, by the case's own variables."""

    def of_case(
        A: Arithmetic, *, epsilon: Number, mu: Number, floor: Number, rise: Number, further: Number, **own: Number
    ) -> Any:
        places: dict[str, Number] = {"epsilon": epsilon, "floor": floor, "rise": rise, **own}
        first, last = _first(case)(A, **places), _last(case)(A, **places)
        heights = {"floor": floor, "rise": rise, "further": further}
        return formula(A, epsilon=epsilon, mu=mu, at=first, width=last - first, **heights)

    return of_case


_TAILS = Box(tuple(Parameter(name, "") for name in ("third", "second", "first", "last_step", "first_step")))
"""``A_2, A_1 - A_2, A_0 - A_1``, and how far the steps' own tails are above others, the next step's or A's."""


def _tails(A: Arithmetic, *, third: Number, second: Number, first: Number, **_steps: Number) -> tuple[Any, Any, Any]:
    return A.number(third) + second + first, A.number(third) + second, A.number(third)


def _steps(A: Arithmetic, case: int, *, last_step: Number, first_step: Number, **at: Number) -> tuple[Any, Any]:
    """The steps' own tails."""
    if case == 0:
        return A.number(last_step) + first_step, A.number(last_step)
    first, second, _third = _tails(A, **at)
    return first + first_step, A.number(last_step) + (second if case == 2 else 0)


def _loses_at_most(case: int) -> Tactic:
    """Losing <= A_i, of tails alone."""
    first, last = _beyond(_first(case), -1), _beyond(_last(case), -1)

    def here(A: Arithmetic, **at: Number) -> Any:
        (_one, two, three), (start, end) = _tails(A, **at), _steps(A, case, **at)
        return _before(A, **at) + A.maximum(0, A.minimum(two, start) - end) + A.minimum(three, end)

    def _before(A: Arithmetic, **at: Number) -> Any:
        return A.maximum(0, _started(A, **at))

    def _started(A: Arithmetic, **at: Number) -> Any:
        return _tails(A, **at)[0] - _steps(A, case, **at)[0]

    def between(A: Arithmetic, **at: Number) -> Any:
        start, end = _steps(A, case, **at)
        return A.minimum(_tails(A, **at)[1], start) - end

    inner = Maximum((Part(zero), Part(between)), inside=True)
    both = Maximum((Part(zero, inner), Part(_started, inner)), inside=True)
    return Substitute(
        _TAILS,
        {
            "third": _tail(2),
            "second": _less(_tail(1), _tail(2)),
            "first": _less(_tail(0), _tail(1)),
            "last_step": _less(last, _tail(1)) if case == 2 else last,
            "first_step": _less(first, last if case == 0 else _tail(0)),
        },
        (both, inner, Sign())[case],
        here,
        lambda A, **at: _tails(A, **at)[case],
    )


def _gains_at_least(case: int) -> Tactic:
    """``B_i <=`` gaining: the terms that are left are positive."""
    first, last = _beyond(_first(case), 1), _beyond(_last(case), 1)

    def least(one: Formula, other: Formula) -> Formula:
        return lambda A, **at: A.minimum(one(A, **at), other(A, **at))

    def positive(formula: Formula) -> Formula:
        return lambda A, **at: A.maximum(0, formula(A, **at))

    second, third = positive(_less(least(_mass(1), last), first)), positive(_less(_mass(2), last))
    if case == 0:
        start = _less(least(_mass(0), first), _mass(0))
        return Sum((_times(_share(0), start), _times(_share(1), second), _times(_share(2), third)))
    parts = [_times(_share(0), _less(least(_mass(0), first), first)), _times(_less(_share(0), _share(1)), first)]
    parts.append(_times(_share(1), _less(second, _less(_mass(1) if case == 1 else last, first))))
    if case == 1:
        return Sum((*parts, _times(_share(2), third)))
    rest = _times(_share(2), _less(third, _less(_mass(2), last)))
    return Sum((*parts, _times(_less(_share(1), _share(2)), last), rest))


def _own(case: int) -> dict[str, Formula]:
    """``before`` and ``after`` of a staircase."""

    def before(A: Arithmetic, *, epsilon: Number, at: Number, floor: Number, **_rest: Number) -> Any:
        ahead = A.number(at) - floor + epsilon
        return ahead if case == 0 else -ahead

    def after(A: Arithmetic, *, width: Number, rise: Number, **at: Number) -> Any:
        if case == 0:
            return A.number(width)
        ahead = A.number(at["at"]) + width - at["floor"] - rise + at["epsilon"]
        return ahead if case == 1 else -ahead

    return {"before": before, "after": after}


def _case(case: int) -> Tactic:
    own = (Parameter(name, "", "nats") for name in ("before", "after"))
    return Substitute(
        Box((_STAIRCASE["epsilon"], _DISTANCE, *_RISES, *own)),
        _own(case),
        Through(
            _tail(case), _loses_at_most(case), Through(_gain(case), _gains_what_it_loses(case), _gains_at_least(case))
        ),
        _in_case(case, losing),
        _in_case(case, gaining),
        {"before": Given()} | ({"after": Given()} if case else {}),
    )


CLAIMS = (
    Claim(
        id="lebeda2025.sec3.reverse.staircase",
        source=ours("Section 3"),
        title="what silence hides: reverse loses no faster than forward",
        statement=r"P[L - G(L) > \epsilon] \le E'[e^{-G(L)}; L - G(L) < -\epsilon], G \text{ rising}",
        kind=Inequality(
            left=losing,
            right=gaining,
            proof=Cases(
                lambda A, *, epsilon, floor, **_rest: A.number(floor) - epsilon,
                parameter_named("at"),
                _case(0),
                Cases(
                    lambda A, *, epsilon, floor, rise, **_rest: A.number(floor) + rise - epsilon,
                    lambda A, *, at, width, **_rest: A.number(at) + width,
                    _case(1),
                    _case(2),
                ),
            ),
        ),
        domain=_STAIRCASE,
        note="Staircases of two steps; sec3.reverse says why of any non-decreasing G.",
    ),
)
