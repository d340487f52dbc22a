"""Sections 2 and 3.1: who is a neighbour, and what the output shows."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs_numeric.arithmetic.finite_laws import binomial, image, joint, released
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.parameters import *
from proofs_numeric.expression.vocabulary import *

Small = tuple[tuple[int, int, int], int]


def small_histograms(size: int) -> Iterator[Small]:
    """Counts of three labels and tau."""
    size = min(size, 7)
    for counts in product(range(size), repeat=3):
        for threshold in range(1, 4):
            yield counts, threshold  # type: ignore[misc]


def strict_rule_is_next_tau(case: Small) -> bool:
    """Whether "more than tau" is "at least tau + 1", law by law."""
    counts, threshold = case
    sampled = joint(binomial(count, Fraction(1, 3)) for count in counts)
    strict = image(sampled, lambda output: tuple(v if v > threshold else 0 for v in output))
    return strict == released(sampled, threshold + 1)


W = Parameter("W", "clients that hold the item", "clients", 1, 2000, integer=True, log=True)

clients, excess, tilt = symbols("W excess tilt")
_least = floor(clients * p * (1 + excess)) + 1
overestimate = tail(clients, p, _least)
"""``P[B / p > W (1 + excess)]`` for B ~ Bin(W, p)."""
_log_hoeffding = -2 * clients * (p * excess) ** 2
"""``-2 W (p excess)^2``: Hoeffding (1963, Theorem 1) for W draws in [0, 1] of mean p."""
_moment = 1 + p * expm1(tilt)
"""``E e^(tilt B)``, B ~ Ber(p)."""
_moment_gap = p * tilt + tilt * tilt / 8 - log(_moment)
"""``p t + t^2/8 - log E e^(t B)``: Hoeffding's lemma."""
_bend = (lift("1/2") - p * exp(tilt) / _moment) ** 2
"""The second derivative, ``((1 - 2 x)/2)^2`` at the tilted rate x."""
_tilt = 4 * p * excess
"""What the bound on Bernoulli's moments is best at."""
_tilted = _moment(tilt=_tilt)
_GAP = Substitute(
    Box((P, Parameter("tilt", "", upper="infinity"))), {"tilt": _tilt},
    Derivative("tilt", "lower", Derivative("tilt", "lower", product_of(_bend))), zero, _moment_gap,
)  # fmt: skip
_HOEFFDING = Through(
    _tilted**clients * exp(-_tilt * _least),
    ByClaim("bharadwaj2022.thm2.tail", {"s": 1 - 1 / _tilted, "k": clients, "tau": _least}),
    Increasing(
        "exp", clients * log(_tilted) - _tilt * _least, _log_hoeffding,
        sum_of(_tilt * (_least - clients * p * (1 + excess)), factors(clients, (_moment_gap(tilt=_tilt), _GAP))),
    ),
)  # fmt: skip
relative_bias = -hidden(clients - 1, p, tau - 2)
"""``E[B 1{B >= tau}]/(p W) - 1 = -P[Bin(W - 1, p) < tau - 1]``."""
_tight = algorithm(cells.tight)()


def _replaced(pair: tuple[dict[str, int], dict[str, int]]) -> bool:
    left, right = pair
    changes = sorted(d for key in set(left) | set(right) if (d := left.get(key, 0) - right.get(key, 0)))
    return changes == [-1, 1]


CLAIMS = (
    stated(
        "pre.dp", "Section 2, (1)", "Neighbours differ in the value of one client: one count down, one up",
        r"D\sim D'\iff\text{one individual's value is replaced}",
        Definition(
            _replaced, (points("a b", (3, 1), (2, 2)), ({"a": 1}, {"b": 1})),
            (points("a", (3,), (2,)), points("a", (3,), (3,)), points("a b", (3, 1), (1, 3))),
        ),
        note="The paper's proofs change one cell only (add/remove): see thm2.repl.",
    ),
    refuted(
        "pre.over", "Abstract", "Frequencies are never overestimated", r"\Pr[v/p>W]\le0", overestimate(excess=0) <= 0,
        by="pre.over.corrected", domain=(W, P),
        note="The estimate v/p exceeds W with probability 0.473 at W = 1000, p = 0.1.", **PROBABILITY,
    ),
    own(
        "pre.over.corrected", "Abstract", "An overestimate by a share of the count is as rare as Hoeffding says",
        r"\Pr[v/p>W(1+x)]\le e^{-2Wp^2x^2}", overestimate <= exp(_log_hoeffding), proof=_HOEFFDING,
        domain=(W, P, Parameter("excess", "overestimate as a share of W", lower=0, upper=10)),
        points=tuple({"W": 1000, "p": "1/10", "excess": x} for x in (0, "1/10", "1/2")), **PROBABILITY,
    ),
    stated(
        "pre.unbias", "Section 3.3",
        "Nearly unbiased well above tau: relative bias -4.3e-5 at W = 400, p = 0.1, tau = 20",
        r"E[v1\{v\ge\tau\}]/(pW)-1", Quantity(relative_bias(W=400, p="1/10", tau=20), "-4.3e-5"),
        note="At W = 200 the bias is -38%. The number is ours: the paper prints none.",
        partial="one count; all others are left out",
    ),
    refuted(
        "pre.semantics", "Sections 3.1 and 4.1", '"At least tau" and "more than tau" are the same rule',
        r"\delta_{\ge\tau}=\delta_{>\tau}", eq(_tight, _tight(tau=tau + 1)), by="pre.semantics.corrected",
        domain=EPSILON_ALPHA_TAU,
        note="Sections 2 to 3.2 say at least, Section 4.1, Lemma 5 and the proof of Theorem 2 say more than.",
    ),
    own(
        "pre.semantics.corrected", "Sections 3.1 and 4.1", '"More than tau" is "at least tau + 1"',
        r"v>\tau\iff v\ge\tau+1", FiniteStatement(small_histograms, strict_rule_is_next_tau, sizes(3, 4, 6), "count"),
    ),
)  # fmt: skip
