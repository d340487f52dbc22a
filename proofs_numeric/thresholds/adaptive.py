r"""Set union with weights that move with the data: what keys have above a level goes back to users, who reroute a part.

Source: the idea is that of Chen, Cohen-Addad, Epasto and Zadimoghaddam (MaxAdaptiveDegree, ICML 2025, arXiv
2502.08878), of which the abstract and public descriptions were read, not the paper: the constants here are ours.

A user of t <= C_u keys adds ``1/t`` to each. What a key has above the level is taken from its users in equal parts; a
user who gets e back adds ``rho e/C_u`` to each of their keys. All users add ``1/sqrt(t) - 1/t`` besides. Noise of
deviation sigma and the threshold T follow, as in `weighted`.

**Sensitivity.** A user of t keys arrives. On key k the first step gains ``1/t - b_k``, and what is taken grows by
``b_k <= 1/t``, ``B = sum b_k <= 1`` in all; nobody gets less back. So the rerouted weight grows by z with
``sum z <= rho B`` and ``z_k <= rho B/C_u``, and the squared change of all weights is at most

    sum (1/sqrt(t) - b_k)^2 + 2 sum z_k/sqrt(t) + sum z_k^2 <= 1 - 2 B/sqrt(t) + B/t + 2 rho B/sqrt(t) + rho^2 B^2/C_u,

which is at most 1 where ``rho <= sqrt(2) - 1`` (``thresholds.adaptive.sensitivity``). With rho = 1 it is not: two
keys, of which one is at its level, have 9/8 (``thresholds.adaptive.whole``).

**New keys** weigh at most ``1/sqrt(t) + rho/C_u``: the threshold is used as if it were lower by ``rho/C_u``. Nothing is
taken from them where the level is at least 1. Then the same sum over the t - a other keys of the user begins with
``(t - a)/t`` and is no larger: new and other keys share the square as in `weighted`, and so does delta, at a threshold
that is lower by ``rho/C_u``.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.box import points
from proofs_numeric.statements.neighbours import MOST_CHANGED_KEYS, Neighbours, Privacy
from proofs_numeric.thresholds.parameters import C_U, own
from proofs_numeric.thresholds.weighted import adjacency, by_pairs, delta_weighted, most_lost
from proofs_numeric.thresholds.weighted import worst_cases as weighted_worst_cases
from proofs_numeric.wilkins2024.composition.budgets import filter_bound
from proofs_numeric.wilkins2024.parameters import EPSILON

_HERE = "set union with adaptive weights"
SHARE = Fraction(2, 5)
"""Rho: what users reroute of the weight that they get back, below sqrt(2) - 1."""
sigma, threshold, c_u = symbols("sigma threshold c_u")
adaptive_bound = filter_bound(loss=most_lost(threshold=threshold - SHARE / c_u), mu=1 / sigma)
"""Delta of users of at most c_u keys is at most this, whatever the level."""


def by_lowered_pairs(A: Arithmetic, *, threshold: Number, c_u: int, **at: Any) -> Any:
    """Every pair of the weighted set union at the lower threshold, by quadrature."""
    return by_pairs(A, threshold=A.number(threshold) - A.number(SHARE) / c_u, c_u=c_u, **at)


taken, root, more, rho = symbols("taken root more rho")
_keys = root**2
_change = 1 - 2 * taken / root + taken / _keys + 2 * rho * taken / root + rho**2 * taken**2 / (_keys + more)
_slack = 2 / root - 1 / _keys - 2 * rho / root - rho**2 * taken / (_keys + more)
_margin = 2 * (1 - rho) * (root - 1), 1 - 2 * rho - rho**2
_room = ((1 - taken) * _keys + more) / (_keys * (_keys + more))
_BELOW = product_of(
    taken, (_slack, sum_of(factors(1 / _keys, (_margin[0] + _margin[1], sum_of(*_margin))), rho**2 * _room)),
)  # fmt: skip

BETA = 40
"""Standard deviations of the level above T, unless they are given."""
_LARGEST_CROWD = 99
"""Users of both keys of the pair `rerouted`, at most: one more has the keys k0 and k2."""


def worst_cases(parameters: Mapping[str, Any]) -> tuple[Neighbours, ...]:
    """Return those of the weighted set union, and a user of two keys of which one is at the level.

    A key ``user/key`` of these histograms is a record of that user; a plain key counts users who have it alone.
    """
    level = Fraction(parameters.get("threshold", 0)) + BETA * Fraction(parameters.get("sigma", 1))
    below = max(1, math.floor(level) - 1)
    most = min(int(parameters["c_u"]), MOST_CHANGED_KEYS // 2)
    new = [pair for pair in weighted_worst_cases({"c_u": most}) if not pair.right]
    records, others = {f"u/k{i}": 1 for i in range(most)}, {f"k{i}": below for i in range(most)}
    pairs = [*new, Neighbours("moved", others | records, others, f"a user of {most} keys between T and the level")]
    if most > 1:
        size = min(_LARGEST_CROWD, max(1, 2 * math.floor(level) - 1))
        lone = max(0, math.floor(level) - (size + 1) // 2)
        crowd = {f"v{i:02d}/k{j}": 1 for i in range(size) for j in (0, 1)} | {"w/k0": 1, "w/k2": 1}
        crowd |= {"k0": lone, "k1": lone, "k2": below} if lone else {"k2": below}
        left = crowd | {"u/k0": 1, "u/k1": 1}
        pairs.append(Neighbours("rerouted", left, crowd, "a user of two keys, one at the level"))
    return tuple(pairs)


ADAPTIVE = Privacy(adjacency, worst_cases, records=True)

_SIGMA = Parameter("sigma", "standard deviation of the noise on weights", "weights", "1e-2", 10**3, log=True)
_THRESHOLD = Parameter("threshold", "T: what a noisy weight passes", "weights", 0, 10**5)
_POINT: dict[str, Any] = {"epsilon": 1, "sigma": "3.8", "threshold": "17.2"}

CLAIMS = (
    own(
        "adaptive.sensitivity", _HERE, "Rerouting a share of at most sqrt(2) - 1 keeps the weights at distance 1",
        r"1 - \frac{2B}{\sqrt t} + \frac Bt + \frac{2\rho B}{\sqrt t} + \frac{\rho^2 B^2}{C_u} \le 1,\ t \le C_u",
        Inequality(_change, lift(1), proof=_BELOW),
        domain=Box(
            (
                Parameter("taken", "B: weight that the user has taken from keys", "weights", 0, 1),
                Parameter("root", "sqrt(t): root of the number of keys of the user", "", 1, "infinity"),
                Parameter("more", "C_u - t", "keys", 0, "infinity"),
                Parameter("rho", "share of the weight that is rerouted", "", 0, "0.4142135"),
            )
        ),
        quantity=QuantityKind.NONE,
    ),
    own(
        "adaptive.whole", _HERE, "Rerouting all of it does not: two keys, one at its level",
        r"(1/\sqrt2 - 1/2 + 1/4)^2 + (1/\sqrt2 + 1/4)^2 = 9/8",
        Quantity((1 / sqrt(lift(2)) - lift("1/4")) ** 2 + (1 / sqrt(lift(2)) + lift("1/4")) ** 2, "1.125"),
        quantity=QuantityKind.NONE,
    ),
    own(
        "adaptive.delta", _HERE, "Delta of the set union with adaptive weights, whatever the level",
        r"\delta \le 1 - e^{-\Lambda} + e^{-\Lambda} f(1/\sigma, \varepsilon),\ \Lambda = \max(L_1, C_u L_{C_u})"
        r"\text{ at } T - \rho/C_u",
        DeltaBound(
            adaptive_bound, exact=delta_weighted,
            proof=derived(
                Premise("thresholds.adaptive.sensitivity", "all weights together change by at most 1"),
                Premise("thresholds.weighted.ends", "new keys of weight 1/sqrt(t) + rho/C_u at most"),
                Unchecked("what is taken", "grows by b_k in all on each key, and no user gets less back"),
                Unchecked("a release is a step", "new keys name the user; the others follow from a Gaussian vector"),
                Premise("wilkins2024.composition.filter", "a step within the two budgets"),
            ),
        ),
        domain=(EPSILON, _SIGMA, _THRESHOLD, replace(C_U, upper=10**5)), role=Role.UPPER,
        falls=("epsilon", "threshold"),
        privacy=ADAPTIVE, points=({**_POINT, "c_u": 1}, {**_POINT, "c_u": 100}),
        loose="by less than a factor two where rho/C_u is small: compared with users whose weight is not rerouted",
    ),
    own(
        "adaptive.level", _HERE, "Delta of the set union with adaptive weights, the level at least 1",
        r"\delta \le \max\{1 - e^{-\Lambda},\ f(1/\sigma, \varepsilon)\},\ \Lambda = \max(L_1, C_u L_{C_u})"
        r"\text{ at } T - \rho/C_u",
        DeltaBound(
            delta_weighted(threshold=threshold - SHARE / c_u), by_lowered_pairs,
            points("epsilon sigma threshold c_u", ("1", "2", "6", 1), ("1/2", "3", "5", 3)), exact=delta_weighted,
            proof=derived(
                Premise("thresholds.adaptive.sensitivity", "the t - a other keys keep the share (t - a)/t"),
                Unchecked("what is taken", "grows by b_k in all on each other key, and no user gets less back"),
                Unchecked("new keys", "weigh at most 1/sqrt(t) + rho/C_u, and nothing is taken from them"),
                Premise("thresholds.weighted.delta", "a new and t - a other keys, at a threshold lower by rho/C_u"),
            ),
        ),
        domain=(EPSILON, _SIGMA, _THRESHOLD, replace(C_U, upper=10**5)), role=Role.UPPER,
        falls=("epsilon", "threshold"), assumptions=("the level is at least 1",),
        privacy=ADAPTIVE, points=({**_POINT, "c_u": 1}, {**_POINT, "c_u": 100}),
        loose="by rho/C_u of the threshold: compared with users whose weight is not rerouted",
    ),
)  # fmt: skip
