r"""Optimal partition selection: the largest probabilities of releasing a key, user by user.

Source: Desfontaines, Voss, Gipson and Mandayam, "Differentially private partition selection", PoPETs 2022; its abstract
and public descriptions were read, not the paper. Google's libraries use it under the name of truncated geometric
thresholding.

A key of n users is released with probability ``pi_n``. One user more is private at ``(epsilon_0, delta_0)`` if and only
if ``pi_(n+1)`` is at most the two terms

    e^epsilon_0 pi_n + delta_0,      1 - e^-epsilon_0 (1 - pi_n - delta_0).

The probabilities that attain the least of them and 1, from ``pi_0 = 0`` on, are the largest of all. They have a closed
form: the first term is the least one up to a number of users, then the second.
"""

import itertools
import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard.composition import homogeneous
from proofs_numeric.standard.parameters import *
from proofs_numeric.standard.partition_selection import KEEP, KEEP_NEXT, keep, keep_next, worse_order
from proofs_numeric.statements.adjacency import AddRemoveUser
from proofs_numeric.statements.classical import BLACKWELL
from proofs_numeric.statements.neighbours import MOST_CHANGED_KEYS, ByParameters, Neighbours, Privacy

missing, grown, best, slack = symbols("missing grown best slack")
_ratio = exp(epsilon_0)
rising = _ratio * keep + delta_0
"""What a key that is seldom released allows one user more."""
falling = -expm1(-epsilon_0) + (keep + delta_0) / _ratio
"""What a key that is nearly always released allows: 1 - e^-epsilon_0 (1 - keep - delta_0)."""
_most = (rising, falling, lift(1))
following = minimum(*_most)
"""Largest probability for one user more."""

USERS = Parameter("users", "users of a key, n", "users", 0, 10**6, integer=True, log=True)
KEYS = Parameter("c_u", "keys of one user", "keys", 1, 10**4, integer=True, log=True, default=1)
DELTA_OF_KEY = Parameter("delta_0", "delta of one key", "probability", 0, "0.5", log=True)

# --- private ----------------------------------------------------------------------------------------------------------

_room = minimum(keep_next - keep, rising - keep_next, falling - keep_next)
_ALLOWED = Through(_room, Hypothesis(), Symbolic())
_fewer = keep - _ratio * keep_next, (1 - keep) - _ratio * (1 - keep_next)
_more = keep_next - _ratio * keep, (1 - keep_next) - _ratio * (1 - keep)
_FEWER_LOSS = sum_of(expm1(epsilon_0) * keep_next, (keep_next - keep, _ALLOWED))
"""Of ``keep <= e^epsilon_0 keep_next``."""
_FEWER_GAIN = product_of(_ratio, (falling - keep_next, _ALLOWED))
_MORE_LOSS = sum_of(expm1(epsilon_0) * (1 - keep), (keep_next - keep, _ALLOWED))


def _both(first: Any, second: Any, bounds: tuple[Any, Any, Any]) -> Maximum:
    """Prove ``max(0, first) + max(0, second) <= delta_0`` by what is left of delta_0 without either and with both."""
    of_first, of_second, of_both = bounds
    return largest_of(
        (lift(0), largest_of(lift(0), (second, of_second), inside=True)),
        (first, largest_of((lift(0), of_first), (second, of_both), inside=True)),
        inside=True,
    )


_orders = tuple(sum((maximum(0, part) for part in parts[1:]), maximum(0, parts[0])) for parts in (_fewer, _more))
_lost = delta_0 - _fewer[1], delta_0 - _more[0]
_PRIVATE = largest_of(
    (
        _orders[0],
        _both(
            *_fewer,
            (
                sum_of(delta_0, (-_fewer[0], _FEWER_LOSS)), _FEWER_GAIN,
                sum_of((_lost[0], _FEWER_GAIN), (-_fewer[0], _FEWER_LOSS)),
            ),
        )
    ),
    (
        _orders[1],
        _both(
            *_more,
            (
                product_of((_lost[1], _ALLOWED)), sum_of(delta_0, (-_more[1], _MORE_LOSS)),
                sum_of((_lost[1], _ALLOWED), (-_more[1], _MORE_LOSS)),
            ),
        )
    ),
)  # fmt: skip

# --- the largest ------------------------------------------------------------------------------------------------------

_best_next, _next = following(keep=best), following - slack
_ahead = keep - best
_SLOPES = {
    rising: (_ratio, None), falling: (1 / _ratio, exp(-epsilon_0) * expm1(2 * epsilon_0)), lift(1): (None, _ratio),
}  # fmt: skip
"""Term -> its slope, and how much less that is than ``e^epsilon_0``; None: 0."""


def _case(larger: Any, smaller: Any) -> Part:
    """Where the least term of the best probability is ``larger``, and ``smaller`` that of the other."""
    slope, less = _SLOPES[larger]
    rest = [slack] if larger is smaller else [slack, (larger - smaller, Hypothesis())]
    behind = rest if slope is None else [*rest, (slope * (best - keep), product_of(slope, (best - keep, Hypothesis())))]
    ahead = rest if less is None else [*rest, (less * _ahead, product_of(less, (_ahead, Hypothesis())))]
    over = larger(keep=best) if larger.symbols else larger
    private = _either(Symbolic(), product_of(_ratio, (_ahead, Hypothesis())))
    if not (larger.symbols or smaller.symbols):  # both are 1
        return Part(smaller, private)
    none = Part(lift(0), private)
    return Part(
        smaller, Maximum((none, Part(smaller - slack - over, _either(sum_of(*behind), sum_of(*ahead)))), inside=True)
    )


def _either(behind: Tactic, ahead: Tactic) -> Maximum:
    return largest_of((lift(0), behind), (_ahead, ahead), inside=True)


_NO_LARGER = largest_of(
    *(
        (one(keep=best) if one.symbols else one, largest_of(*(_case(one, other) for other in _most), inside=True))
        for one in _most
    ),
    inside=True,
)

# --- closed form ------------------------------------------------------------------------------------------------------

_rise = expm1(epsilon_0)
risen = delta_0 / _rise * (grown - 1)
"""``pi_n`` on the way up, with ``grown = e^(n epsilon_0)``."""
_rest = delta_0 / _rise
left_over = (missing + _rest) / grown - _rest
"""``1 - pi`` so many users after it was ``missing``, with ``grown = e^(n epsilon_0)``."""
_last = 1 + floor(log1p(_rise * (1 - delta_0) / (delta_0 * (_ratio + 1))) / epsilon_0)


def last_rising(A: Arithmetic, **at: Any) -> int:
    """Users up to whom the first term is the least."""
    last: Any = _last(A, **at)
    return int(last)


def largest_keep(A: Arithmetic, *, epsilon_0: Number, delta_0: Number, users: int) -> Any:
    """``pi_n`` of the largest private probabilities, in O(1)."""
    if users == 0:
        return A.number(0)
    at = {"epsilon_0": A.number(epsilon_0), "delta_0": A.number(delta_0)}
    last = last_rising(A, **at)
    here = risen(A, **at, grown=A.exp(min(users, last) * at["epsilon_0"]))
    if users <= last:
        return here
    grown = A.exp((users - last) * at["epsilon_0"])
    return 1 - A.maximum(A.number(0), left_over(A, **at, missing=1 - here, grown=grown))


def _keep_by_users(A: Arithmetic, *, epsilon_0: Number, delta_0: Number, users: int) -> Any:
    """The same user by user."""
    probability, ratio = A.number(0), A.exp(A.number(epsilon_0))
    for _user in range(users):
        probability = A.minimum(ratio * probability + delta_0, 1 - (1 - probability - delta_0) / ratio, A.number(1))
    return probability


def keys_delta(A: Arithmetic, *, epsilon: Number, epsilon_0: Number, delta_0: Number, c_u: int) -> Number:
    """Delta of users of c_u keys: that of c_u mechanisms of one key."""
    return homogeneous(A, epsilon=epsilon, epsilon_0=epsilon_0, delta_0=delta_0, k=c_u)


def _by_counts(A: Arithmetic, *, epsilon: Number, epsilon_0: Number, delta_0: Number, c_u: int) -> Any:
    """All counts of each key up to the first that is always released, all outcomes, both orders."""
    keeps, one, factor = [A.number(0)], A.number(1), A.exp(A.number(epsilon))
    while keeps[-1] < one:
        users = len(keeps)
        keeps.append(_keep_by_users(A, epsilon_0=A.number(epsilon_0), delta_0=A.number(delta_0), users=users))
    largest = A.number(0)
    for counts in itertools.product(range(len(keeps) - 1), repeat=c_u):
        for order in ((0, 1), (1, 0)):
            stick = A.number(0)
            for output in itertools.product((False, True), repeat=c_u):
                masses = []
                for more in order:
                    chances = (keeps[count + more] for count in counts)
                    masses.append(
                        math.prod(x if is_shown else 1 - x for x, is_shown in zip(chances, output, strict=True))
                    )
                stick = stick + A.maximum(A.number(0), masses[0] - factor * masses[1])
            largest = A.maximum(largest, stick)
    return largest


adjacency = ByParameters(AddRemoveUser, {"c_u": "c_u"})
"""One user, once in each of at most c_u keys."""


def worst_cases(parameters: Mapping[str, Any]) -> tuple[Neighbours, ...]:
    """Return a user alone in every key, and a user more in keys near the number of users at which the terms cross."""
    rows = min(int(parameters["c_u"]), MOST_CHANGED_KEYS)
    at = {name: float(Fraction(parameters[name])) for name in ("epsilon_0", "delta_0")}
    crossing = last_rising(Float64(), **at) if at["delta_0"] else 1
    pairs = []
    for name, users, description in (
        ("new", 0, "keys that only the user has"),
        ("crossing", crossing, "keys of as many users as the first term serves"),
    ):
        left, right = ({f"k{i}": users + more for i in range(rows) if users + more} for more in (1, 0))
        pairs.append(Neighbours(name, left, right, f"{rows} {description}"))
    return tuple(pairs)


SELECTION = Privacy(adjacency, worst_cases)

_ANY_KEEP = Parameter("keep", "pi_n", lower="-infinity")
_GROWING = Parameter("grown", "e^(n epsilon_0)", open_lower=True)
_PLACE = "optimal partition selection"

CLAIMS = (
    own(
        "selection.private", _PLACE,
        "One user more is private where a key's probability grows by no more than two terms allow",
        r"\pi \le \pi' \le \min(e^{\varepsilon_0}\pi + \delta_0,\ 1 - e^{-\varepsilon_0}(1 - \pi - \delta_0)) "
        r"\Rightarrow \delta(\varepsilon_0) \le \delta_0",
        worse_order(epsilon=epsilon_0) <= delta_0, proof=_PRIVATE,
        domain=Box(
            (EPSILON_0, DELTA_OF_KEY, KEEP, KEEP_NEXT), at_most(lift(0), _room), "keep <= keep_next <= both terms",
        ),
        quantity=QuantityKind.DELTA,
    ),
    own(
        "selection.largest", _PLACE, "No private probabilities are larger at any number of users",
        r"\pi_0 = 0,\ \pi_{n+1} \le \min(\dots) \Rightarrow \pi_n \le \pi^*_n",
        Recurrence(
            state=Box(
                (
                    Parameter("keep", "any private probability", lower="-infinity"),
                    Parameter("best", "the largest", lower="-infinity"),
                ),
            ),
            inputs=Box((Parameter("slack", "by which the next probability is below the two terms"),)),
            start={"keep": lift(0), "best": lift(0)}, step={"keep": _next, "best": _best_next}, left=keep, right=best,
            proof=Steps(
                invariant=(maximum(0, _ahead), lift(0)), factor=_ratio, proof=_NO_LARGER,
                end=largest_of((lift(0), Hypothesis()), (_ahead, Symbolic()), inside=True),
            ),
        ),
        domain=(EPSILON_0, DELTA_OF_KEY), quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "selection.rising", _PLACE, "Closed form of the probabilities up to the last rising one",
        r"\pi_n = \delta_0 \tfrac{e^{n\varepsilon_0} - 1}{e^{\varepsilon_0} - 1}",
        Recurrence(
            state=Box((_ANY_KEEP, _GROWING)), inputs=Box(()), start={"keep": lift(0), "grown": lift(1)},
            step={"keep": rising, "grown": grown * _ratio}, left=keep, right=risen, relation="=",
            proof=Steps(base=Symbolic(), proof=Symbolic(), factor=_ratio),
        ),
        domain=(EPSILON_0, DELTA_OF_KEY), quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "selection.falling", _PLACE, "And of what is missing of them after it",
        r"1 - \pi_{m+n} = e^{-n\varepsilon_0}(1 - \pi_m + \tfrac{\delta_0}{e^{\varepsilon_0} - 1}) "
        r"- \tfrac{\delta_0}{e^{\varepsilon_0} - 1}",
        Recurrence(
            state=Box((_ANY_KEEP, _GROWING)), inputs=Box(()), start={"keep": 1 - missing, "grown": lift(1)},
            step={"keep": falling, "grown": grown * _ratio}, left=1 - keep, right=left_over, relation="=",
            proof=Steps(base=Symbolic(), proof=Symbolic(), factor=1 / _ratio),
        ),
        domain=(EPSILON_0, DELTA_OF_KEY, Parameter("missing", "1 - pi_m", "probability", upper=1)),
        quantity=QuantityKind.PROBABILITY, note="Until it would be negative: then the key is always released.",
    ),
    own(
        "selection.last", _PLACE, "Where the second term becomes the least",
        r"1 - e^{-\varepsilon_0}(1 - \pi - \delta_0) - (e^{\varepsilon_0}\pi + \delta_0) = "
        r"(1 - e^{-\varepsilon_0})(1 - \delta_0 - \pi(e^{\varepsilon_0} + 1))",
        eq(falling - rising, -expm1(-epsilon_0) * (1 - delta_0 - keep * (_ratio + 1))), proof=Symbolic(),
        domain=(EPSILON_0, DELTA_OF_KEY, KEEP), quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "selection.keep", _PLACE, "The largest private probability of releasing a key of n users",
        r"\pi_n = \delta_0 \tfrac{e^{n\varepsilon_0} - 1}{e^{\varepsilon_0} - 1},\ n \le n_1,\ n_1 = 1 + \lfloor "
        r"\tfrac{1}{\varepsilon_0} \ln\tfrac{e^{\varepsilon_0} + 2\delta_0 - 1}{\delta_0(e^{\varepsilon_0} + 1)}\rfloor"
        r",\ \text{then selection.falling}",
        DeltaBound(
            largest_keep, _keep_by_users,
            tuple(
                {"epsilon_0": epsilon, "delta_0": delta, "users": users}
                for epsilon, delta in ((1, "1e-5"), ("1/10", "1e-3"), (3, "1/4"))
                for users in (1, 2, 12, 13, 25, 60)
            ),
            proof=derived(
                Premise("standard.selection.rising", "the first n_1 steps, from pi_0 = 0"),
                Premise("standard.selection.last", "the second term is the least where pi_n is above its crossing"),
                Premise("standard.selection.falling", "the steps after these"),
                Unchecked("one crossing", "pi_n grows, so the terms cross once; a step beyond 1 is the last"),
            ),
        ),
        domain=(EPSILON_0, replace(DELTA_OF_KEY, lower="1e-300"), USERS), quantity=QuantityKind.PROBABILITY,
        rises=("delta_0", "users"), points=({"epsilon_0": 1, "delta_0": "1e-5", "users": 12},),
    ),
    own(
        "selection.keys", _PLACE, "Delta of the keys of a user, each at (epsilon_0, delta_0)",
        r"\delta(\varepsilon) \le 1 - (1-\delta_0)^{C_u} + (1-\delta_0)^{C_u} "
        r"\max_l (P[B_p \ge l] - e^\varepsilon P[B_{1-p} \ge l])",
        DeltaBound(
            keys_delta, _by_counts,
            points("epsilon epsilon_0 delta_0 c_u", (1, 1, "1/20", 1), (2, 1, "1/20", 2), (3, "3/2", "1/100", 2)),
            proof=derived(
                Premise("standard.selection.private", "each key is (epsilon_0, delta_0)-DP"),
                Trusted(
                    BLACKWELL,
                    "a key's pair is a post-processing of the response with the largest profile at "
                    "(epsilon_0, delta_0), and the pair of c_u keys one of c_u such responses",
                ),
                Unchecked("sum over true answers", "their hockey stick sums over the number of true answers"),
                Unchecked("keys of others", "keys that the user does not have are alike in both data"),
            ),
        ),
        domain=(EPSILON, EPSILON_0, DELTA_OF_KEY, KEYS), role=Role.UPPER, float64_lost="1e-15", falls=("epsilon",),
        rises=("epsilon_0", "delta_0", "c_u"), privacy=SELECTION,
        loose="exact from epsilon = C_u epsilon_0 on, where it is 1 - (1 - delta_0)^C_u: C_u keys of the user alone",
        note="So delta_0 = 1 - (1 - delta)^(1/C_u) at epsilon_0 = epsilon/C_u, the split in use, wastes nothing there.",
    ),
)  # fmt: skip
