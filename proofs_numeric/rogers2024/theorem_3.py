"""Theorem 3: conversions between approximate differential privacy and its concentrated form."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.achieved import TAIL
from proofs_numeric.rogers2024.definition import FiniteLaw
from proofs_numeric.rogers2024.lemma_4_1 import from_zero
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.rogers2024.theorem_5 import chord, em_rho_naive, power
from proofs_numeric.statements.box import points
from proofs_numeric.statements.concentrated import Decomposition, hockey_stick
from proofs_numeric.statements.instances import GoodPartsAt, LawInstances
from proofs_numeric.statements.pairs import Clipped, GoodParts

p, q, ratio, share, weight, place, loss, stick, moment = symbols("p q ratio share weight place loss stick moment")
value, root, excess, y, bad, other, failed = symbols("value root excess y bad other failed")

cdp_epsilon = rho + 2 * sqrt(-rho * log(delta))
"""The epsilon of rho-CDP at ``0 < delta <= 1`` (Bun and Steinke 2016): the conversion's delta' is named delta."""
_tail = exp(-(epsilon - rho) * (epsilon - rho) / (4 * rho))
"""The delta of rho-CDP behind it."""
log_inverse = -log(delta_prime)
"""``log(1/delta')``, what the square root of Theorem 3 needs to be non-negative."""
achieved_conversion = _tail(epsilon=maximum(value, rho))
"""Delta that the Renyi tail bound gives at the converted epsilon: below rho it is no less than 1."""
_gaussian = profile(epsilon, sqrt(2 * rho))
"""Delta of the Gaussian mechanism that is rho-CDP and no less, mu = sqrt(2 rho): the worst one has this or more."""


def laws(outcomes: int, total: int) -> Iterator[dict[str, Fraction]]:
    """Every law on ``outcomes`` outcomes with masses that are multiples of ``1/total``."""
    for masses in product(range(total + 1), repeat=outcomes - 1):
        if sum(masses) <= total:
            whole = (*masses, total - sum(masses))
            yield {f"y{i}": Fraction(m, total) for i, m in enumerate(whole)}


def _shrink(
    heavy: dict[str, Fraction], light: dict[str, Fraction], ratio: Fraction, mass: Fraction
) -> dict[str, Fraction]:
    total, floor = sum(heavy.values()), {y: light[y] / ratio for y in heavy}
    spare = total - sum(floor.values())
    if total <= mass or not spare:
        return heavy
    keep = 1 - (total - mass) / spare
    return {y: floor[y] + keep * (heavy[y] - floor[y]) for y in heavy}


def dp_cases(size: int) -> Iterator[tuple[FiniteLaw, FiniteLaw, Fraction]]:
    """Pairs of laws on three outcomes with masses in ``1/size``, and ``e^epsilon``."""
    pairs = product(laws(3, size), repeat=2)
    return ((left, right, ratio) for left, right in pairs for ratio in (Fraction(3, 2), Fraction(4)))


def near_parts(rho: Formula) -> LawInstances:
    """At the pair's own delta the good parts are laws under P/(1-delta), Q/(1-delta), near in the sense of rho."""

    def instances(case: tuple[FiniteLaw, FiniteLaw, Fraction]) -> Iterator[GoodPartsAt]:
        left, right, ratio = case
        delta = max(hockey_stick(left, right, ratio), hockey_stick(right, left, ratio))
        parts = (left, right) if delta == 1 else good_parts_of_dp(left, right, ratio, delta)
        yield GoodPartsAt({"epsilon": log(lift(ratio))}, Decomposition(left, right, *parts), ratio, rho)

    return LawInstances(instances)


def good_parts_of_dp(
    left: FiniteLaw, right: FiniteLaw, ratio: Fraction, delta: Fraction
) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """Good parts P', Q' of an (epsilon, delta)-DP pair, whose log ratio stays within epsilon (Theorem 3).

    ``p^ = min(P, ratio Q)`` and ``q^ = min(Q, ratio P)`` lie within a factor ``ratio`` of one another and keep mass
    ``1 - delta`` at least; the heavier is shrunk towards ``1/ratio`` times the other until their masses agree.
    """
    p = {y: min(left[y], ratio * right[y]) for y in left}
    q = {y: min(right[y], ratio * left[y]) for y in left}
    if sum(p.values()) >= sum(q.values()):
        p = _shrink(p, q, ratio, max(1 - delta, sum(q.values(), Fraction(0))))
    else:
        q = _shrink(q, p, ratio, max(1 - delta, sum(p.values(), Fraction(0))))
    return tuple({y: m / sum(part.values()) for y, m in part.items()} for part in (p, q))  # type: ignore[return-value]


_heavy, _light = minimum(p, ratio * q), minimum(q, ratio * p)
_room, _whole = _heavy - _light / ratio, ratio * _light - _light / ratio
_WITHIN = (
    sum_of(factors(share, _room)),
    sum_of(factors(1 - share, _whole), factors(share, _whole - _room)),
    sum_of(factors(1 - share, _room), p - _heavy),
)
_BELOW_CHORD = (
    (chord - power)(epsilon=2 * epsilon, share=place),
    ByClaim("rogers2024.thm5.chord", at={"epsilon": 2 * epsilon, "share": place}),
)
PURE = GoodParts(Box((ALPHA, EPSILON)), epsilon, em_rho_naive)


def clipped(extreme: Tactic) -> Clipped:
    """The proof for any rho: randomised response is the extreme pair."""
    return Clipped(
        positive=Sign(), within=_WITHIN, lost=Sign(), chord=Steps(proof=product_of(weight, _BELOW_CHORD)),
        extreme=extreme,
    )  # fmt: skip


# --- from moments to hockey sticks ------------------------------------------------------------------------------------

_log_share = log1p(-1 / alpha)
"""``log(1 - 1/alpha)``."""
_beyond = q * (exp(loss) - exp(epsilon))
"""``p - e^epsilon q``, ``p = e^loss q``."""
_of_moment = exp(alpha * _log_share - (alpha - 1) * epsilon) / (alpha - 1) * moment
"""``(1/alpha)(1 - 1/alpha)^(alpha-1) e^(-(alpha-1) epsilon)`` times the moment."""
_place = loss - epsilon + _log_share
"""0 where the bound is attained."""
_above_tangent = exp(alpha * y) - 1 - alpha * expm1(y)
_TERM_BELOW = product_of(
    q * exp(epsilon) / (alpha - 1),
    (
        _above_tangent(y=_place),
        Substitute(
            Box((ALPHA, Parameter("y", "", lower="-infinity"))), {"y": _place},
            from_zero("y", alpha * exp(y), (alpha - 1) * y), zero, _above_tangent,
        ),
    ),
)  # fmt: skip
"""An outcome adds no more to the hockey stick than to its bound."""

# --- from moments to (epsilon, delta + delta')-DP ---------------------------------------------------------------------

_printed_epsilon = cdp_epsilon(delta=delta_prime)
_weight = exp(_printed_epsilon)
_excess_order = sqrt(log_inverse) / sqrt(rho)
"""``alpha - 1`` at the order ``alpha = (epsilon + rho)/(2 rho)``."""
_excess_of_mixture = (1 - delta) * q * (exp(loss) - _weight) + delta * (bad - _weight * other)
"""``P - e^epsilon Q``, ``P = (1 - delta) e^loss q + delta bad`` and ``Q = (1 - delta) q + delta other``."""
_printed_moment = moment + q * exp((1 + _excess_order) * loss - _excess_order * (1 + _excess_order) * rho)
"""In units of ``e^((alpha - 1) alpha rho)``, what rho-CDP grants."""
_both_deltas = (1 - delta) * delta_prime * moment + delta * failed
"""``delta' (1 - delta)`` times the moment's share, and delta times the mass of P''."""
_above_one = exp((1 + excess) * y) - expm1(y)
"""``e^(alpha y) - e^y + 1``."""
_AT: dict[str, Any] = {"excess": _excess_order, "y": loss - _printed_epsilon}
_ABOVE_ONE = (
    _above_one(**_AT),
    Substitute(
        Box((Parameter("excess", ""), Parameter("y", "", lower="-infinity"))), _AT,
        Split("y", 0, sum_of(exp((1 + excess) * y), -expm1(y)), sum_of(1, exp(y) * expm1(excess * y))), zero,
        _above_one,
    ),
)  # fmt: skip
_MIXTURE = sum_of(factors(1 - delta, q, _weight, _ABOVE_ONE), delta * _weight * other)
"""An outcome adds no more to the hockey stick than to both deltas: (alpha - 1)(epsilon - alpha rho) = log(1/delta')."""

_Q = Parameter("q", "of an outcome", "probability", upper=1, open_lower=True, log=True)
_LOSS = Parameter("loss", "log(p/q)", "nats", lower="-infinity")

CLAIMS = (
    stated(
        "thm3.dp_to_cdp", "Theorem 3, first half", "(epsilon, delta)-DP is delta-approximate epsilon^2/2-CDP",
        r"(\varepsilon, \delta)\text{-DP} \Rightarrow \delta\text{-approximate } \varepsilon^2/2\text{-CDP}",
        FiniteStatement(
            dp_cases, near_parts(em_rho_naive), {"quick": 3, "standard": 4, "deep": 6}, "masses in 1/size", every=PURE,
            # The heavier outcome of randomised response has r/(1 + r).
            proof=clipped(
                ByClaim("rogers2024.thm5.moment", at={"epsilon": 2 * epsilon, "share": 1 / (1 + exp(-epsilon))})
            ),
        ),
        domain=(EPSILON,), quantity=QuantityKind.RHO, role=Role.UPPER, evaluates=em_rho_naive,
        loose="rho = epsilon tanh(epsilon/2) is exact (rogers2024.sharp.pure)",
        note="Constructive: good parts within a factor e^epsilon of one another; pure DP then gives epsilon^2/2.",
    ),
    stated(
        "thm3.cdp_to_dp", "Theorem 3, second half", "The epsilon of rho-CDP at delta'",
        r"e^{-(\varepsilon-\rho)^2/(4\rho)} = \delta',\ \varepsilon = \rho + 2\sqrt{\rho \log(1/\delta')},\ 0 < "
        r"\delta' \le 1",
        Calibration(
            cdp_epsilon, achieved_conversion, tight=True, by=TAIL, achieved_at_least=_gaussian(epsilon=value),
            proof=Substitute(
                Box((RHO, Parameter("root", "of log(1/delta')"))), {"root": sqrt(-log(delta))}, Symbolic(),
                achieved_conversion(value=rho + 2 * sqrt(rho) * root), exp(-(root**2)),
            ),
        ),
        domain=(RHO, DELTA), quantity=QuantityKind.EPSILON, falls=("delta",), rises=("rho",),
        points=points("rho delta", ("1/2", "1e-6"), (8, "1e-9"), ("0.005", "1e-3")),
        loose="against the exact Gaussian 1.075 to 1.9 times; Canonne-Kamath-Steinke is always smaller",
        note="The conversion's delta' is named delta; that the tail bounds the hockey stick, with a delta of the "
        "mechanism's own too, is rogers2024.thm3.cdp_to_dp.approximate. Needs delta' <= 1.",
    ),
    own(
        "thm3.cdp_to_dp.tail", "Theorem 3, second half",
        "Delta of rho-CDP at an epsilon above rho, by the tail of the privacy loss",
        r"\delta(\rho + x) \le e^{-x^2/(4\rho)}",
        DeltaBound(_tail(epsilon=rho + excess), exact=_gaussian(epsilon=rho + excess)),
        domain=(Parameter("excess", "epsilon less rho, x", "nats", searched=(0, 10**6)), RHO), role=Role.UPPER,
        falls=("excess",), note="Held against the Gaussian mechanism that is rho-CDP and no less.",
    ),
    own(
        "thm3.cdp_to_dp.order", "Theorem 3, second half",
        "A Renyi moment bounds the hockey stick, at every order and epsilon, of any number of outcomes",
        r"\sum_y(p_y-e^\varepsilon q_y)_+ \le "
        r"\tfrac1\alpha(1-\tfrac1\alpha)^{\alpha-1}e^{-(\alpha-1)\varepsilon}\sum_y p_y^\alpha q_y^{1-\alpha}",
        Recurrence(
            state=Box((Parameter("stick", "of the hockey stick"), Parameter("moment", "of the moment"))),
            inputs=Box((_Q, _LOSS)), start={"stick": zero, "moment": zero},
            step={"stick": stick + maximum(0, _beyond), "moment": moment + q * exp(alpha * loss)}, left=stick,
            right=_of_moment, proof=Steps(proof=largest_of(Part(zero), (_beyond, _TERM_BELOW), inside=True)),
        ),
        domain=(ALPHA, Parameter("epsilon", "privacy-loss level", "nats", lower="-infinity")),
    ),
    stated(
        "thm3.cdp_to_dp.approximate", "Theorem 3, second half",
        "delta-approximate rho-CDP is (epsilon, delta + delta')-DP",
        r"\sum_y(P_y-e^\varepsilon Q_y)_+ \le (1-\delta)\delta'\frac{M_\alpha}{e^{(\alpha-1)\alpha\rho}}+\delta P'',\ "
        r"\alpha = \frac{\varepsilon+\rho}{2\rho},\ \varepsilon = \rho + 2\sqrt{\rho\log(1/\delta')}",
        Recurrence(
            state=Box(
                (
                    Parameter("stick", "of the hockey stick"),
                    Parameter("moment", "of the good parts' moment, in units of its bound"),
                    Parameter("failed", "of P''"),
                ),
            ),
            inputs=Box(
                (
                    replace(_Q, description="Q' of an outcome", open_lower=False),
                    replace(_LOSS, description="log(P'/Q')"), Parameter("bad", "P''", "probability", upper=1),
                    Parameter("other", "Q''", "probability", upper=1),
                ),
            ),
            start={"stick": zero, "moment": zero, "failed": zero},
            step={"stick": stick + maximum(0, _excess_of_mixture), "moment": _printed_moment, "failed": failed + bad},
            left=stick, right=_both_deltas,
            proof=Steps(proof=largest_of(Part(zero), (_excess_of_mixture, _MIXTURE), inside=True)),
        ),
        domain=(RHO, replace(DELTA_LINEAR, open_lower=False), replace(DELTA_PRIME, open_upper=True)),
        note="P = (1 - delta) P' + delta P'' and so Q, of any number of outcomes. At order alpha rho-CDP says that "
        "the good parts' moment is within its bound, so the right side is at most (1 - delta) delta' + delta.",
        partial="laws on finitely many outcomes; all others are left out",
    ),
    refuted(
        "thm3.cdp_to_dp.as_printed", "Theorem 3, second half", "The conversion for any delta' > 0",
        r"\log(1/\delta') \ge 0 \text{ for any } \delta' > 0", log_inverse >= 0, by="thm3.cdp_to_dp",
        domain=(replace(DELTA_PRIME, unit="no unit", upper="infinity"),),
        note="The square root of a negative number for delta' > 1.",
    ),
)  # fmt: skip
