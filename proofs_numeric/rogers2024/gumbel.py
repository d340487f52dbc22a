"""Section 4.2.1: Gumbel noise, the exponential mechanism, Algorithm 3 and Theorem 9."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import numpy as np

from proofs_numeric.arithmetic import Arithmetic, Ball
from proofs_numeric.claim import (
    Box,
    Calibration,
    Claim,
    DeltaBound,
    FiniteStatement,
    Identity,
    Inequality,
    Law,
    Parameter,
    PositiveOnBox,
    Proof,
    QuantityKind,
    Relation,
    Role,
    SymbolicIdentity,
)
from proofs_numeric.concentrated import approximate_delta_upper, renyi_divergence
from proofs_numeric.rogers2024.enumeration import Items, common, neighbour_pairs
from proofs_numeric.rogers2024.laws import two_point_renyi
from proofs_numeric.rogers2024.parameters import (
    ALPHA,
    BETA,
    DELTA,
    DELTA_0,
    EPSILON,
    K_BAR,
    LEVEL,
    THETA,
    K,
    ours,
    printed,
)
from proofs_numeric.rogers2024.peeling import (
    BOTTOM,
    bottom_weight,
    good_parts,
    gumbel_decomposition,
    gumbel_law,
    peel,
    weights_of,
)
from proofs_numeric.special import integral, logistic
from proofs_numeric.verdict import Expectation

# --- formulas ---------------------------------------------------------------------------------------------------------


def gumbel_threshold(A: Arithmetic, *, k_bar: Any, epsilon: Any, delta: Any) -> Any:
    """``T = 1 + log(k_bar/delta)/epsilon`` (counts), Gumbel noise of scale ``1/epsilon``."""
    return 1 + A.log(A.number(k_bar) / A.number(delta)) / A.number(epsilon)


def gumbel_new_mass(A: Arithmetic, *, value: Any, k_bar: Any, epsilon: Any, delta: Any) -> Any:
    """Exact Pr[some of k_bar new items of count c_(k_bar+1) + 1 beats the noisy threshold]: race of exponentials."""
    odds = k_bar * A.exp(-(A.number(value) - 1) * epsilon)
    return odds / (1 + odds)


def worst_new_mass(A: Arithmetic, *, delta: Any) -> Any:
    """``delta/(1 + delta)``."""
    delta = A.number(delta)
    return delta / (1 + delta)


def picks_rho(A: Arithmetic, *, k: Any, epsilon: Any) -> Any:
    """``k epsilon^2/8``: k picks of an exponential mechanism of range one."""
    epsilon = A.number(epsilon)
    return k * epsilon * epsilon / 8


def gumbel_bound(A: Arithmetic, *, epsilon: Any, k: Any, beta: Any, delta: Any) -> Any:
    """Delta that delta-approximate ``k/(8 beta^2)``-CDP implies at ``epsilon``."""
    return approximate_delta_upper(A, rho=picks_rho(A, k=k, epsilon=1 / A.number(beta)), delta=delta, epsilon=epsilon)


def gumbel_worst_known(A: Arithmetic, *, epsilon: Any, k: Any, beta: Any, delta: Any) -> Any:
    """Exact profile of the worse of C1 (all new) and C2 (two high counts, one moves), the latter for one pick."""
    odds = A.exp(1 / A.number(beta))
    single = odds / (1 + odds) - A.exp(A.number(epsilon)) / 2
    return A.maximum(worst_new_mass(A, delta=delta), single)


def logistic_tail(A: Arithmetic, *, k_bar: Any, epsilon: Any, delta: Any) -> Any:
    """``Pr[1 + G1 > T + G2] = 1/(1 + e^{(T-1) epsilon})`` at the T of Theorem 9."""
    lead = (gumbel_threshold(A, k_bar=k_bar, epsilon=epsilon, delta=delta) - 1) * A.number(epsilon)
    return logistic(A, -lead)


def logistic_tail_closed(A: Arithmetic, *, k_bar: Any, epsilon: Any, delta: Any) -> Any:
    """``delta/(k_bar + delta)``."""
    delta = A.number(delta)
    return delta / (k_bar + delta)


def threshold_with_delta_0(A: Arithmetic, *, delta_0: Any, k_bar: Any, epsilon: Any, delta: Any) -> Any:
    """``1 + log(D_0/delta)/epsilon``, as the proof prints it."""
    return gumbel_threshold(A, k_bar=delta_0, epsilon=epsilon, delta=delta)


def threshold_of_theorem(A: Arithmetic, *, delta_0: Any, k_bar: Any, epsilon: Any, delta: Any) -> Any:
    """``1 + log(k_bar/delta)/epsilon``."""
    return gumbel_threshold(A, k_bar=k_bar, epsilon=epsilon, delta=delta)


def _race(A: Arithmetic, integrand: Any) -> Any:
    """Integral over all noise of scale 1: ``[-6, 120]``, the rest enclosed (left tail e^-e^6, right tail e^-118)."""
    cuts = 6 if isinstance(A, Ball) else 24
    width = A.number(126) / cuts
    value = A.sum(integral(A, integrand, -6 + i * width, -6 + (i + 1) * width) for i in range(cuts))
    return value + A.number(0).union(A.exp(-A.number(110))) if isinstance(A, Ball) else value


def _gumbel_cdf(B: Arithmetic, x: Any) -> Any:
    return B.exp(-B.exp(-x))


def argmax_by_quadrature(A: Arithmetic, *, q1: Any, q2: Any, q3: Any) -> Any:
    """``Pr[q1 + G1 is the largest]`` from the density of G1 and the distribution functions of the others."""
    q1, q2, q3 = A.number(q1), A.number(q2), A.number(q3)

    def integrand(B: Arithmetic, x: Any) -> Any:
        return B.exp(-x) * _gumbel_cdf(B, x) * _gumbel_cdf(B, x + q1 - q2) * _gumbel_cdf(B, x + q1 - q3)

    return _race(A, integrand)


def softmax_first(A: Arithmetic, *, q1: Any, q2: Any, q3: Any) -> Any:
    """``e^q1 / (e^q1 + e^q2 + e^q3)``."""
    weights = [A.exp(A.number(q)) for q in (q1, q2, q3)]
    return weights[0] / A.sum(weights)


def order_by_quadrature(A: Arithmetic, *, q1: Any, q2: Any, q3: Any) -> Any:
    """``Pr[q1 + G1 > q2 + G2 > q3 + G3]`` from the density of the second."""
    q1, q2, q3 = A.number(q1), A.number(q2), A.number(q3)

    def integrand(B: Arithmetic, x: Any) -> Any:
        first = -B.expm1(-B.exp(-(x + q2 - q1)))
        return B.exp(-x) * _gumbel_cdf(B, x) * first * _gumbel_cdf(B, x + q2 - q3)

    return _race(A, integrand)


def peeled_order(A: Arithmetic, *, q1: Any, q2: Any, q3: Any) -> Any:
    """``w1/(w1+w2+w3) * w2/(w2+w3)``."""
    w1, w2, w3 = (A.exp(A.number(q)) for q in (q1, q2, q3))
    return w1 / (w1 + w2 + w3) * w2 / (w2 + w3)


def released_maximum_kl(A: Arithmetic, *, epsilon: Any) -> Any:
    """``e^epsilon - 1 - epsilon``: divergence of the released noisy maximum when every score moves by one."""
    epsilon = A.number(epsilon)
    return A.expm1(epsilon) - epsilon


def em_rho_of(A: Arithmetic, *, epsilon: Any) -> Any:
    """``epsilon^2/8``."""
    return picks_rho(A, k=1, epsilon=epsilon)


def curvature_of_gap(A: Arithmetic, *, epsilon: Any) -> Any:
    """Second derivative of ``e^x - 1 - x - x^2/8``: ``e^x - 1/4``."""
    return A.exp(epsilon) - A.number(Fraction(1, 4))


def alpha_picks_rho(A: Arithmetic, *, alpha: Any, epsilon: Any, theta: Any) -> Any:
    """``alpha epsilon^2/8``."""
    return alpha * em_rho_of(A, epsilon=epsilon)


def picks_rho_without_order(A: Arithmetic, *, alpha: Any, epsilon: Any, theta: Any) -> Any:
    """``epsilon^2/8``, the order forgotten (k = 1)."""
    return em_rho_of(A, epsilon=epsilon)


# --- exact laws of small pairs ----------------------------------------------------------------------------------------

GumbelCase = tuple[Items, Items, int, int, Fraction, Fraction]
"""(h, h', k_bar, k, e^epsilon, delta)."""

BASES = (Fraction(51, 50), Fraction(3, 2), Fraction(3))


def gumbel_cases(size: int) -> Iterator[GumbelCase]:
    """(infinity, 1)-neighbours on three labels, every ``k <= k_bar``, three values of epsilon, delta = 1/10."""
    for larger, smaller in neighbour_pairs(3, size, 3, 1):
        for k_bar in (1, 2, 3):
            for k in range(1, k_bar + 1):
                for base in BASES:
                    yield larger, smaller, k_bar, k, base, Fraction(1, 10)


def single_pick_cases(size: int) -> Iterator[GumbelCase]:
    """The same with k = 1."""
    return (case for case in gumbel_cases(size) if case[3] == 1)


def _arguments(case: GumbelCase) -> tuple[Items, Items, dict[str, Any]]:
    larger, smaller, k_bar, k, base, delta = case
    return larger, smaller, {"k_bar": k_bar, "k": k, "base": base, "delta": delta}


def good_event_is_likely(case: GumbelCase) -> bool:
    """``Pr[E0] >= 1/(1 + delta)`` on both sides."""
    larger, smaller, k_bar, _k, base, delta = case
    parts = good_parts(larger, smaller, k_bar=k_bar, base=base, delta=delta)
    return min(parts[2], parts[5]) >= 1 / (1 + delta)


def certificate_holds(case: GumbelCase) -> bool:
    """Repair 3.1 on one pair: ``P >= Pr[E0] P'`` pointwise, and every Renyi divergence within ``k epsilon^2/8``."""
    larger, smaller, settings = _arguments(case)
    decomposition = gumbel_decomposition(larger, smaller, **settings)
    ball = Ball(128)
    with ball:
        rho = picks_rho(ball, k=case[3], epsilon=ball.log(ball.number(case[4])))
    return good_event_is_likely(case) and decomposition.certifies(case[5], rho, (1, 2, 8))


def matched_weights_stay_in_range(case: GumbelCase) -> bool:
    """The certificate's key step: common weights and the merged threshold move by factors in ``[1, e^epsilon]``."""
    larger, smaller, k_bar, _k, base, delta = case
    weights, merged, _mass, other, other_merged, _other = good_parts(
        larger, smaller, k_bar=k_bar, base=base, delta=delta
    )
    ratios = [weights[label] / other[label] for label in weights] + [merged / other_merged]
    return all(1 <= ratio <= base for ratio in ratios)


def peeling_on_common(items: Items, other: Items, case: GumbelCase) -> dict[tuple[str, ...], Fraction]:
    """The printed P': the exponential mechanism peeled over common items of the tops, threshold unchanged."""
    _larger, _smaller, k_bar, k, base, delta = case
    weights, theirs = weights_of(items, k_bar, base), weights_of(other, k_bar, base)
    both = common(dict.fromkeys(weights, 1), dict.fromkeys(theirs, 1))
    return peel({label: weights[label] for label in both}, bottom_weight(items, k_bar, base, delta), k)


def printed_factor_holds(case: GumbelCase) -> bool:
    """``P(y) = Pr[E] P'(y)`` on common outcomes with P' the peeling over common items, on both sides."""
    larger, smaller, settings = _arguments(case)
    for items, other in ((larger, smaller), (smaller, larger)):
        law, good = gumbel_law(items, **settings), peeling_on_common(items, other, case)
        mass = sum((law[y] for y in good), Fraction(0))
        if any(law[y] != mass * p for y, p in good.items()):
            return False
    return True


def printed_part_fits_below(case: GumbelCase) -> bool:
    """The weaker ``P >= (1 - delta) P'`` with the same P'."""
    larger, smaller, settings = _arguments(case)
    return all(
        gumbel_law(items, **settings)[y] >= (1 - case[5]) * p
        for items, other in ((larger, smaller), (smaller, larger))
        for y, p in peeling_on_common(items, other, case).items()
    )


def conditional_parts_are_close(case: GumbelCase) -> bool:
    """``D_1 <= k epsilon^2/8`` between the two laws conditioned on the common outcomes."""
    larger, smaller, settings = _arguments(case)
    left, right = gumbel_law(larger, **settings), gumbel_law(smaller, **settings)
    shared = [y for y in left if y in right]
    left_mass, right_mass = sum(left[y] for y in shared), sum(right[y] for y in shared)
    p = {y: left[y] / left_mass for y in shared}
    q = {y: right[y] / right_mass for y in shared}
    ball = Ball(128)
    with ball:
        rho = picks_rho(ball, k=case[3], epsilon=ball.log(ball.number(case[4])))
        return not (renyi_divergence(ball, p, q, 1) > rho or renyi_divergence(ball, q, p, 1) > rho)


# --- permute and flip -------------------------------------------------------------------------------------------------


def score_cases(size: int) -> Iterator[tuple[int, ...]]:
    """Score vectors over three outcomes."""
    return product(range(size + 1), repeat=3)


def permute_and_flip_law(scores: tuple[int, ...], base: Fraction) -> list[Fraction]:
    """Exact law of permute-and-flip: the first outcome of a random order whose coin ``base^(q - q*)`` shows heads."""
    accept = [base ** (score - max(scores)) for score in scores]
    law = [Fraction(0)] * len(scores)
    orders = list(permutations(range(len(scores))))
    for order in orders:
        left = Fraction(1, len(orders))
        for index in order:
            law[index] += left * accept[index]
            left *= 1 - accept[index]
    return law


def exponential_noise_argmax(scores: tuple[int, ...], base: Fraction) -> list[Fraction]:
    """Exact law of the largest score plus Exp(epsilon) noise: ``a_i integral_0^1 prod_{j != i} (1 - a_j u) du``.

    ``a = base^(q - q*)``: outcome i must first climb to the best score q*, from where ``u = e^{-epsilon x}``.
    """
    accept = [base ** (score - max(scores)) for score in scores]
    law = []
    for index, mass in enumerate(accept):
        polynomial = [Fraction(1)]
        for other, a in enumerate(accept):
            if other != index:
                shifted = [Fraction(0), *(-a * c for c in polynomial)]
                polynomial = [x + y for x, y in zip([*polynomial, Fraction(0)], shifted, strict=True)]
        law.append(mass * sum(c / (power + 1) for power, c in enumerate(polynomial)))
    return law


def exponential_noise_is_permute_and_flip(scores: tuple[int, ...]) -> bool:
    """Both laws agree for three values of epsilon."""
    return all(permute_and_flip_law(scores, b) == exponential_noise_argmax(scores, b) for b in BASES)


# --- laws of samples --------------------------------------------------------------------------------------------------

AUDIT_HISTOGRAM = {"a": 3, "b": 2, "c": 1}


def printed_nothing(keys: tuple[str, ...], values: Any) -> Any:
    """Whether bottom was printed first."""
    return values[:, keys.index(BOTTOM)] == 1


def printed_a_then_b(keys: tuple[str, ...], values: Any) -> Any:
    """Whether the list starts with a, b."""
    with np.errstate(invalid="ignore"):
        return (values[:, keys.index("a")] == 1) & (values[:, keys.index("b")] == 2)


def _audit_weights(A: Arithmetic) -> tuple[dict[str, Any], Any]:
    weights = {label: A.exp(A.number(count)) for label, count in AUDIT_HISTOGRAM.items()}
    return weights, A.exp(A.number(1)) * 3 * 20


def probability_of_nothing(A: Arithmetic) -> Any:
    """First pick is the threshold: epsilon = 1, delta = .05, k_bar = 3."""
    weights, bottom = _audit_weights(A)
    return bottom / (bottom + A.sum(weights.values()))


def probability_of_a_then_b(A: Arithmetic) -> Any:
    """Picks a, then b."""
    weights, bottom = _audit_weights(A)
    total = bottom + A.sum(weights.values())
    return weights["a"] / total * weights["b"] / (total - weights["a"])


# --- claims -----------------------------------------------------------------------------------------------------------

_SIZES = {"quick": 1, "standard": 2, "deep": 3}
_SIZE_TEXT = "largest count on three labels"
_T_BOX = Box((K_BAR, EPSILON, DELTA))
_SCORES = Box(tuple(Parameter(f"q{i}", "score times epsilon", lower=-5, upper=5) for i in (1, 2, 3)))
_ORDER_BOX = Box((replace(ALPHA, upper=1000), EPSILON, THETA))
_LAW_SETTINGS: Mapping[str, Any] = {"k_bar": 3, "k": 2, "beta": 1, "delta": Fraction(1, 20)}

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.gumbel.max",
        source=printed("Section 4.2.1"),
        title="Largest score plus Gumbel noise is the exponential mechanism",
        statement=r"\Pr[\arg\max_i (q_i + G_i) = 1] = e^{\varepsilon q_1}/\sum_i e^{\varepsilon q_i}",
        kind=Identity(argmax_by_quadrature, softmax_first, digits=20),
        domain=_SCORES,
        max_examples=10,
        quantity=QuantityKind.PROBABILITY,
        evaluates=softmax_first,
    ),
    Claim(
        id="rogers2024.gumbel.topk",
        source=printed("Section 4.2.1"),
        title="One-shot Gumbel top-k is the peeled exponential mechanism",
        statement=r"\Pr[q_1 + G_1 > q_2 + G_2 > q_3 + G_3] = \tfrac{w_1}{w_1+w_2+w_3}\tfrac{w_2}{w_2+w_3}",
        kind=Identity(order_by_quadrature, peeled_order, digits=20),
        domain=_SCORES,
        max_examples=10,
        quantity=QuantityKind.PROBABILITY,
        evaluates=peeled_order,
    ),
    Claim(
        id="rogers2024.expnoise.pf",
        source=printed("Section 4.2.1"),
        title="Exponential noise is permute-and-flip",
        statement=r"\arg\max(q + \text{Exp}(\varepsilon)) \sim \text{permute-and-flip with } e^{\varepsilon(q - q^*)}",
        kind=FiniteStatement(
            score_cases, exponential_noise_is_permute_and_flip, {"quick": 3, "standard": 5, "deep": 8}, "largest score"
        ),
    ),
    Claim(
        id="rogers2024.rnm.argmax_only",
        source=printed("Section 4.2.1"),
        title="Only the argmax may be released",
        statement=r"\varepsilon^2/8 < e^\varepsilon - 1 - \varepsilon",
        kind=Inequality(
            em_rho_of,
            released_maximum_kl,
            Relation.LESS,
            Proof(
                (
                    PositiveOnBox(
                        "curvature",
                        curvature_of_gap,
                        Box((Parameter("epsilon", "noise parameter", "nats", lower=0, upper=700),)),
                        "the gap and its slope vanish at 0 and its second derivative e^x - 1/4 is positive",
                    ),
                )
            ),
        ),
        domain=Box((EPSILON,)),
        quantity=QuantityKind.RHO,
        evaluates=released_maximum_kl,
        note="Releasing the noisy maximum when every score moves by one: a Gumbel law shifted by its scale times "
        "epsilon; the divergence exceeds the exponential mechanism's epsilon^2/8.",
    ),
    Claim(
        id="rogers2024.alg3",
        source=printed("Algorithm 3"),
        title="Algorithm 3: nothing printed",
        statement=r"\Pr[(\bot)] = w_\bot/(w_\bot + \sum_i w_i)",
        kind=Law("unknown_domain_gumbel", _LAW_SETTINGS, AUDIT_HISTOGRAM, printed_nothing, probability_of_nothing),
        quantity=QuantityKind.PROBABILITY,
        note="c_(k_bar+1) = 0 where there is no such item. In print h is initialised for h~, I_k < k means |I_k| < k "
        "(E25).",
    ),
    Claim(
        id="rogers2024.alg3.order",
        source=printed("Algorithm 3"),
        title="Algorithm 3: a printed first, b second",
        statement=r"\Pr[(a, b, \ldots)] = \tfrac{w_a}{W}\tfrac{w_b}{W - w_a}",
        kind=Law("unknown_domain_gumbel", _LAW_SETTINGS, AUDIT_HISTOGRAM, printed_a_then_b, probability_of_a_then_b),
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="rogers2024.gumbel.logistic",
        source=printed("Theorem 9, proof item 1"),
        title="One new item against the noisy threshold",
        statement=r"\Pr[1 + G_1 > T + G_2] = 1/(1 + e^{(T-1)/\beta}) = \delta/(\bar k + \delta)",
        kind=Identity(
            logistic_tail,
            logistic_tail_closed,
            Proof(
                (
                    SymbolicIdentity(
                        "difference of Gumbels is logistic",
                        logistic_tail,
                        logistic_tail_closed,
                        ("k_bar", "epsilon", "delta"),
                        positive=("k_bar", "epsilon", "delta"),
                    ),
                )
            ),
        ),
        domain=_T_BOX,
        quantity=QuantityKind.PROBABILITY,
        evaluates=logistic_tail_closed,
    ),
    Claim(
        id="rogers2024.thm9.T",
        source=printed("Theorem 9"),
        title="Threshold of Algorithm 3",
        statement=r"T = 1 + \tfrac1\varepsilon\log(\bar k/\delta)",
        kind=Calibration(gumbel_threshold, gumbel_new_mass, tight=False),
        domain=_T_BOX,
        quantity=QuantityKind.THRESHOLD,
        role=Role.CALIBRATION,
        points=({"k_bar": 10, "epsilon": 1, "delta": "1e-6"},),
        loose="the worst mass is delta/(1 + delta); T = 1 + log(k_bar (1 - delta)/delta)/epsilon is exact "
        "(rogers2024.sharp.gumbel)",
    ),
    Claim(
        id="rogers2024.thm9.new_item_mass",
        source=ours("Theorem 9"),
        title="Exact worst mass of new items under Algorithm 3",
        statement=r"\Pr[\neg E] = \delta/(1 + \delta)",
        kind=DeltaBound(worst_new_mass),
        domain=Box((DELTA,)),
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="rogers2024.thm9.rho",
        source=printed("Theorem 9"),
        title="Algorithm 3: rho = k epsilon^2/8",
        statement=r"P \ge (1-\delta)P',\ D_\alpha(P'\|Q') \le \alpha k\varepsilon^2/8",
        kind=FiniteStatement(gumbel_cases, certificate_holds, _SIZES, _SIZE_TEXT),
        domain=Box((K, EPSILON)),
        quantity=QuantityKind.RHO,
        role=Role.UPPER,
        evaluates=picks_rho,
        note="By the repaired decomposition, checked exactly on every small pair; the printed one is false (E1).",
    ),
    Claim(
        id="rogers2024.thm9.range",
        source=ours("Theorem 9, repaired proof"),
        title="The merged threshold and the common items move by range one",
        statement=r"1 \le \tilde w/\tilde w' \le e^\varepsilon",
        kind=FiniteStatement(gumbel_cases, matched_weights_stay_in_range, _SIZES, _SIZE_TEXT),
        note="Mediant inequality over matched own items: c_d - c'_d' in [0, 1].",
    ),
    Claim(
        id="rogers2024.thm9.profile",
        source=ours("Theorem 9 and its best conversion"),
        title="Privacy profile that Theorem 9 promises",
        statement=r"\delta(\varepsilon) \le \delta + (1-\delta) B_\rho(\varepsilon),\ \rho = k/(8\beta^2)",
        kind=DeltaBound(gumbel_bound, exact=gumbel_worst_known),
        domain=Box((LEVEL, K, BETA, DELTA)),
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        max_examples=60,
    ),
    Claim(
        id="rogers2024.thm9.factor",
        source=printed("Theorem 9, proof items 2 and 3", "Lemma 5.6 of [6] as used"),
        title="E1: the law factors into a peeling over common items",
        statement=r"P(y) = \Pr[E] P'(y),\ P' = \text{peeled EM on common items}",
        kind=FiniteStatement(gumbel_cases, printed_factor_holds, _SIZES, _SIZE_TEXT),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm9.rho",
        note="True for k = 1. The ratio P/P' is prod_j (W - s_j)/(W + W_D - s_j) over the picks.",
    ),
    Claim(
        id="rogers2024.thm9.factor.k1",
        source=printed("Theorem 9, proof item 2"),
        title="The factorisation for one pick",
        statement=r"P(y) = \Pr[E] P'(y),\ k = 1",
        kind=FiniteStatement(single_pick_cases, printed_factor_holds, _SIZES, _SIZE_TEXT),
    ),
    Claim(
        id="rogers2024.thm9.factor.below",
        source=printed("Theorem 9, proof items 2 and 3"),
        title="E1: even P >= (1 - delta) P' fails with the printed P'",
        statement=r"P \ge (1-\delta)P',\ P' = \text{peeled EM on common items}",
        kind=FiniteStatement(gumbel_cases, printed_part_fits_below, _SIZES, _SIZE_TEXT),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm9.rho",
    ),
    Claim(
        id="rogers2024.thm9.factor.conditional",
        source=printed("Theorem 9, proof items 2 and 3"),
        title="E1: the laws conditioned on common outcomes are not k epsilon^2/8-close",
        statement=r"D_1(P(\cdot \mid S)\|Q(\cdot \mid S)) \le k\varepsilon^2/8",
        kind=FiniteStatement(gumbel_cases, conditional_parts_are_close, _SIZES, _SIZE_TEXT),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm9.rho",
    ),
    Claim(
        id="rogers2024.thm9.proofT",
        source=printed("Theorem 9, proof item 1"),
        title="E18: the proof's threshold 1 + beta log(Delta_0/delta)",
        statement=r"1 + \beta\log(\Delta_0/\delta) = 1 + \beta\log(\bar k/\delta)",
        kind=Identity(threshold_with_delta_0, threshold_of_theorem),
        domain=Box((DELTA_0, K_BAR, EPSILON, DELTA)),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm9.T",
        note="Delta_0 is infinite in Theorem 9; min(k_bar, Delta_0) suffices.",
    ),
    Claim(
        id="rogers2024.thm9.nolambda",
        source=printed("Theorem 9, proof item 3"),
        title="E6: the Renyi bound without its order",
        statement=r"D_\alpha(P'\|Q') \le k/(8\beta^2)",
        kind=Inequality(two_point_renyi, picks_rho_without_order),
        domain=_ORDER_BOX,
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm9.nolambda.corrected",
        note="k = 1; at epsilon = 1 it fails for alpha > 1.01397.",
    ),
    Claim(
        id="rogers2024.thm9.nolambda.corrected",
        source=printed("Theorem 9, proof item 3"),
        title="The Renyi bound with its order",
        statement=r"D_\alpha(P'\|Q') \le \alpha k/(8\beta^2)",
        kind=Inequality(two_point_renyi, alpha_picks_rho),
        domain=_ORDER_BOX,
    ),
)
