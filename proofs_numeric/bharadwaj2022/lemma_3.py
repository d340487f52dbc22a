"""Lemma 3, every step of its proof, and the sharper Lemma 3' with a proof by boxes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Ball
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.parameters import (
    ALPHA,
    EPSILON,
    EPSILON_ALPHA,
    EPSILON_ALPHA_TAU,
    SETTINGS,
    TAU,
    own,
    refuted,
    stated,
)
from proofs_numeric.claim import (
    Box,
    ByClaim,
    DeltaBound,
    Identity,
    Inequality,
    Monotonicity,
    Parameter,
    PositiveOnBox,
    Proof,
    Quantity,
    QuantityKind,
    Reading,
    Relation,
    Role,
    SymbolicIdentity,
)

ALPHA_PRIME = replace(ALPHA, upper="7/10")
PRIME_BOX = Box((EPSILON, ALPHA_PRIME, TAU))
ORDER_BOX = Box((EPSILON, ALPHA_PRIME, TAU))
_DELTA_UPPER: dict[str, Any] = {"quantity": QuantityKind.DELTA, "role": Role.UPPER}
_TERMS = 48


def log_series(A: Arithmetic, u: Any) -> Any:
    """``G(u) = -ln(1 - u)/u``, 0 <= u < 1, regular at 0; grows with u."""
    if not isinstance(A, Ball):
        return -A.log(1 - u) / u
    return _monotone(A, A.number(u), lambda x: _power_sum(A, x, lambda n: n + 1, x**_TERMS / ((_TERMS + 1) * (1 - x))))


def entropy_series(A: Arithmetic, y: Any) -> Any:
    """``M(y) = (1 + (1 - y) ln(1 - y)/y)/y = sum_(n>=1) y^(n-1)/(n (n + 1))``, 0 <= y <= 1, regular at both ends."""
    if not isinstance(A, Ball):
        return (1 + (1 - y) * A.log(1 - y) / y) / y
    # The terms beyond n = N sum to at most y^N / (N + 1).
    return _monotone(A, A.number(y), lambda x: _power_sum(A, x, lambda n: (n + 1) * (n + 2), x**_TERMS / (_TERMS + 1)))


def _power_sum(A: Ball, x: Any, divisor: Any, rest: Any) -> Any:
    value = A.number(0)
    for n in reversed(range(_TERMS)):
        value = value * x + A.number(1) / divisor(n)
    return value + A.number(0).union(rest)


def _monotone(A: Ball, x: Any, function: Any) -> Any:
    """Enclose an increasing function over a ball by its values at the ends (clipped at 0)."""
    lower, upper = x.lower().max(A.number(0)), x.upper().max(A.number(0))
    return function(lower) if lower == upper else function(lower).union(function(upper))


def prime_margin(A: Arithmetic, *, alpha: Any, y: Any) -> Any:
    """``(D(q||p)/q - C'_alpha) / y`` at ``y = 1 - e^-epsilon``: the factor that vanishes with epsilon divided out.

    With c = alpha/(1 + alpha): ``-c G(c y) + [M(y) + (alpha c/(1 - c y)) (1 - y M(y))] / (1 + alpha)``.
    """
    c = alpha / (1 + alpha)
    m = entropy_series(A, y)
    return -c * log_series(A, c * y) + (m + alpha * c / (1 - c * y) * (1 - y * m)) / (1 + alpha)


def _margin_in_epsilon(A: Arithmetic, *, epsilon: Any, alpha: Any) -> Any:
    """``y`` times ``prime_margin`` written out with ln(1 - y) = -epsilon."""
    x = A.exp(-epsilon)
    y, c = 1 - x, alpha / (1 + alpha)
    m = (1 - x * epsilon / y) / y
    log_term = A.log(1 + alpha * x) - A.log(1 + alpha)
    return log_term + y * (m + alpha * c / (1 - c * y) * (1 - y * m)) / (1 + alpha)


def _exponent_gap(A: Arithmetic, *, epsilon: Any, alpha: Any) -> Any:
    """``D(q||p)/q - C'_alpha`` with every logarithm split."""
    x = A.exp(-epsilon)
    q, p = (1 - x) * (1 + alpha * x), alpha * (1 - x)
    exponent = A.log(1 + alpha * x) - A.log(alpha) - epsilon * (1 - p) * x / q
    return exponent - (A.log(1 + alpha) - A.log(alpha) - 1 / (1 + alpha))


def eps_term(A: Arithmetic, *, epsilon: Any, alpha: Any) -> Any:
    """``((1 - q)/q) epsilon``."""
    q = cells.bad_rate(A, epsilon=epsilon, alpha=alpha)
    return epsilon * A.exp(-epsilon) * (1 - cells.sampling_rate(A, epsilon=epsilon, alpha=alpha)) / q


def equation_7(A: Arithmetic, *, epsilon: Any, alpha: Any) -> Any:
    """``epsilon/(e^epsilon - 1) (1 - alpha/(1 + alpha e^-epsilon))`` (7)."""
    return epsilon / A.expm1(epsilon) * (1 - alpha / (1 + alpha * A.exp(-epsilon)))


def equation_6(A: Arithmetic, *, epsilon: Any, alpha: Any, tau: Any) -> Any:
    """``exp(-tau (ln(1/alpha) - ((1 - q)/q) epsilon))`` (6)."""
    return A.exp(-tau * (-A.log(alpha) - equation_7(A, epsilon=epsilon, alpha=alpha)))


def divergence_from_definition(A: Arithmetic, *, epsilon: Any, alpha: Any) -> Any:
    """``D(q || p)`` as q ln(q/p) + (1 - q) ln((1 - q)/(1 - p))."""
    p = cells.sampling_rate(A, epsilon=epsilon, alpha=alpha)
    return cells.kl(A, q=cells.bad_rate(A, epsilon=epsilon, alpha=alpha), p=p)


def divergence_as_printed(A: Arithmetic, *, epsilon: Any, alpha: Any) -> Any:
    """``q ln((1 + alpha e^-epsilon)/alpha) - epsilon (1 - q)``."""
    return cells.bad_rate(A, epsilon=epsilon, alpha=alpha) * cells.divergence(A, epsilon=epsilon, alpha=alpha)


def over_expm1(A: Arithmetic, *, epsilon: Any) -> Any:
    """``epsilon/(e^epsilon - 1)``."""
    return epsilon / A.expm1(epsilon)


def _odds_of_alpha(A: Arithmetic, *, epsilon: Any, alpha: Any) -> Any:
    return -1 / (1 + alpha * A.exp(-epsilon))


def _numerator(A: Arithmetic, *, epsilon: Any) -> Any:
    return -(A.exp(epsilon) * (epsilon - 1) + 1)


def _derivative_as_printed(A: Arithmetic, *, epsilon: Any) -> Any:
    """``-(d/de) e^e (e - 1) + 1`` read as printed: the 1 outside the derivative."""
    return -epsilon * A.exp(epsilon) + 1


def _derivative(A: Arithmetic, *, epsilon: Any) -> Any:
    return -epsilon * A.exp(epsilon)


def _limit(A: Arithmetic, *, epsilon: Any, alpha: Any) -> Any:
    del A, epsilon
    return 1 / (1 + alpha)


def _c_alpha(A: Arithmetic, *, alpha: Any) -> Any:
    return cells.c_alpha(A, alpha=alpha)


def _zero(A: Arithmetic, *, alpha: Any) -> Any:
    del alpha
    return A.number(0)


_ALPHA_BOX = Box((ALPHA,))
_EPSILON_BOX = Box((EPSILON,))
_ORDER = "exp(-C tau) >= exp(-C' tau) >= Theorem 2 >= delta_binom >= tight"
_MARGIN_BOX = Box((Parameter("alpha", "rate", lower=0, upper="7/10"), Parameter("y", "1 - e^-epsilon", upper=1)))

CLAIMS = (
    stated(
        "lem3.stmt",
        "Lemma 3",
        "delta = exp(-C_alpha tau) at p = alpha (1 - e^-epsilon)",
        r"\delta=\exp(-C_\alpha\tau),\ C_\alpha=\ln(1/\alpha)-1/(1+\alpha)",
        DeltaBound(
            cells.lemma_3,
            exact=cells.tight,
            proof=Proof(
                (
                    ByClaim("bharadwaj2022.thm2.stmt", "Theorem 2 bounds the delta by exp(-tau D/q)"),
                    ByClaim("bharadwaj2022.lem3.6", "(6): D/q >= ln(1/alpha) - ((1 - q)/q) epsilon"),
                    ByClaim("bharadwaj2022.lem3.lim", "((1 - q)/q) epsilon <= 1/(1 + alpha)"),
                )
            ),
        ),
        domain=EPSILON_ALPHA_TAU,
        points=SETTINGS,
        loose="1.1e6 above the exact delta at the paper's default; vacuous (>= 1) for alpha >= 0.5173446105",
        note="The paper's restriction epsilon <= 1 is not needed.",
        **_DELTA_UPPER,
    ),
    refuted(
        "lem3.range",
        "Lemma 3",
        "C_alpha > 0 for every 0 < alpha <= 1",
        r"C_\alpha>0,\ 0<\alpha\le1",
        Inequality(_zero, _c_alpha, Relation.LESS),
        by="lem3.range.corrected",
        domain=_ALPHA_BOX,
        note="E5: the range of the lemma reaches where its bound exceeds 1.",
    ),
    own(
        "lem3.range.corrected",
        "Lemma 3",
        "C_alpha > 0 for alpha <= 0.5173",
        r"C_\alpha>0,\ \alpha\le0.5173",
        Inequality(
            _zero,
            _c_alpha,
            Relation.LESS,
            proof=Proof(
                (
                    PositiveOnBox(
                        "C_alpha on [1/1000, 0.5173]",
                        _c_alpha,
                        Box((replace(ALPHA, upper="0.5173", log=False),)),
                        "the box is the domain",
                    ),
                )
            ),
        ),
        domain=Box((replace(ALPHA, upper="0.5173"),)),
    ),
    own(
        "lem3.prime",
        "Lemma 3",
        "Lemma 3': delta <= exp(-C'_alpha tau), C' = ln(1 + 1/alpha) - 1/(1 + alpha), for alpha <= 0.7",
        r"\exp(-\tfrac\tau q D(q\|p))\le\exp(-C'_\alpha\tau)\quad(0<\alpha\le0.7,\ \epsilon>0)",
        Inequality(
            cells.theorem_2,
            cells.lemma_3_prime,
            proof=Proof(
                (
                    SymbolicIdentity(
                        "D/q - C' = y times the margin",
                        _exponent_gap,
                        _margin_in_epsilon,
                        ("epsilon", "alpha"),
                        ("epsilon", "alpha"),
                        "y = 1 - e^-epsilon",
                    ),
                    PositiveOnBox(
                        "margin of Lemma 3'",
                        prime_margin,
                        _MARGIN_BOX,
                        "the box holds every alpha <= 0.7 and every epsilon >= 0, infinity included",
                    ),
                )
            ),
        ),
        domain=PRIME_BOX,
        points=SETTINGS[:2],
        evaluates=cells.lemma_3_prime,
        note="Holds up to alpha = 0.756692 numerically. With thm2.stmt a bound on the delta.",
        **_DELTA_UPPER,
    ),
    stated(
        "lem3.1mq",
        "Lemma 3",
        "1 - q = (1 - p) e^-epsilon",
        r"1-q=(1-p)e^{-\epsilon}",
        Identity(
            lambda A, *, epsilon, alpha: 1 - cells.bad_rate(A, epsilon=epsilon, alpha=alpha),
            lambda A, *, epsilon, alpha: (1 - cells.sampling_rate(A, epsilon=epsilon, alpha=alpha)) * A.exp(-epsilon),
            proof=Proof(
                (
                    SymbolicIdentity(
                        "1 - q",
                        lambda A, *, epsilon, alpha: 1 - cells.bad_rate(A, epsilon=epsilon, alpha=alpha),
                        lambda A, *, epsilon, alpha: (
                            (1 - cells.sampling_rate(A, epsilon=epsilon, alpha=alpha)) * A.exp(-epsilon)
                        ),
                        ("epsilon", "alpha"),
                        ("epsilon", "alpha"),
                    ),
                )
            ),
        ),
        domain=EPSILON_ALPHA,
    ),
    stated(
        "lem3.D",
        "Lemma 3",
        "D(q||p) = q ln((1 + alpha e^-epsilon)/alpha) - epsilon (1 - q)",
        r"D(q\|p)=q\ln\tfrac{1+\alpha e^{-\epsilon}}{\alpha}-\epsilon(1-q)",
        Identity(divergence_from_definition, divergence_as_printed),
        domain=EPSILON_ALPHA,
    ),
    stated(
        "lem3.6",
        "Lemma 3, (6)",
        "Theorem 2's bound is at most (6)",
        r"\exp(-\tfrac\tau qD(q\|p))\le\exp(-\tau(\ln\tfrac1\alpha-\tfrac{1-q}q\epsilon))",
        Inequality(
            cells.theorem_2,
            equation_6,
            Relation.LESS,
            proof=Proof(
                (
                    SymbolicIdentity(
                        "the exponents differ by tau ln(1 + alpha e^-epsilon) > 0",
                        lambda A, *, epsilon, alpha: (
                            cells.divergence(A, epsilon=epsilon, alpha=alpha)
                            + A.log(alpha)
                            + eps_term(A, epsilon=epsilon, alpha=alpha)
                        ),
                        lambda A, *, epsilon, alpha: A.log((1 + alpha * A.exp(-epsilon)) / alpha) + A.log(alpha),
                        ("epsilon", "alpha"),
                        ("epsilon", "alpha"),
                    ),
                )
            ),
        ),
        domain=EPSILON_ALPHA_TAU,
    ),
    stated(
        "lem3.7",
        "Lemma 3, (7)",
        "The epsilon term of the exponent",
        r"\tfrac{1-q}q\epsilon=\tfrac{\epsilon}{e^\epsilon-1}\left(1-\tfrac{\alpha}{1+\alpha e^{-\epsilon}}\right)",
        Identity(
            eps_term,
            equation_7,
            proof=Proof((SymbolicIdentity("(7)", eps_term, equation_7, ("epsilon", "alpha"), ("epsilon", "alpha")),)),
        ),
        domain=EPSILON_ALPHA,
    ),
    stated(
        "lem3.mono1",
        "Lemma 3",
        "-1/(1 + alpha e^-epsilon) falls with epsilon",
        r"-1/(1+\alpha e^{-\epsilon})\downarrow",
        Monotonicity(_odds_of_alpha, "epsilon", increasing=False),
        domain=EPSILON_ALPHA,
    ),
    stated(
        "lem3.mono2",
        "Lemma 3",
        "epsilon/(e^epsilon - 1) falls with epsilon",
        r"\epsilon/(e^\epsilon-1)\downarrow",
        Monotonicity(over_expm1, "epsilon", increasing=False),
        domain=_EPSILON_BOX,
    ),
    refuted(
        "lem3.mono2.derivative",
        "Lemma 3",
        "The derivative of the numerator as printed",
        r"-\tfrac{d}{d\epsilon}e^\epsilon(\epsilon-1)+1=-\epsilon e^\epsilon",
        Identity(_derivative_as_printed, _derivative),
        by="lem3.mono2.derivative.corrected",
        domain=_EPSILON_BOX,
        note="T3: the 1 belongs inside the derivative.",
    ),
    own(
        "lem3.mono2.derivative.corrected",
        "Lemma 3",
        "f = -(e^epsilon (epsilon - 1) + 1) is negative for epsilon > 0",
        r"-(e^\epsilon(\epsilon-1)+1)<0",
        Inequality(_numerator, lambda A, *, epsilon: A.number(0), Relation.LESS),  # noqa: ARG005
        domain=_EPSILON_BOX,
    ),
    stated(
        "lem3.mono3",
        "Lemma 3",
        "(6) falls with epsilon",
        r"\exp(-\tau(\ln\tfrac1\alpha-\tfrac{1-q}q\epsilon))\downarrow",
        Monotonicity(equation_6, "epsilon", increasing=False),
        domain=EPSILON_ALPHA_TAU,
        note="Theorem 2's own exponent D/q is not monotone for alpha > 0.7187 (lem3.mono3.divergence).",
    ),
    refuted(
        "lem3.mono3.divergence",
        "Lemma 3",
        "The unsimplified exponent D/q grows with epsilon for every alpha <= 1",
        r"D(q\|p)/q\uparrow",
        Monotonicity(cells.divergence, "epsilon", increasing=True),
        by="lem3.mono3",
        domain=EPSILON_ALPHA,
    ),
    stated(
        "lem3.lim",
        "Lemma 3",
        "(7) stays below its limit 1/(1 + alpha)",
        r"\sup_\epsilon\tfrac{1-q}q\epsilon=\lim_{\epsilon\to0}=1/(1+\alpha)",
        Inequality(equation_7, _limit, Relation.LESS),
        domain=EPSILON_ALPHA,
    ),
    stated(
        "lem3.asym",
        "Lemma 3",
        "C_alpha is at least half of ln(1/alpha) for alpha <= 0.15",
        r"\delta=\alpha^{\Omega(\tau)}",
        Inequality(lambda A, *, alpha: -A.log(alpha) / 2, _c_alpha, Relation.LESS),
        domain=Box((replace(ALPHA, upper="3/20"),)),
        note="T7: the printed O must be Omega in all three places; this is what is meant.",
    ),
    own(
        "lem3.order",
        "Lemma 3",
        "Lemma 3 is above Lemma 3'",
        r"\text{" + _ORDER + "}",
        Inequality(cells.lemma_3_prime, cells.lemma_3, Relation.LESS),
        domain=ORDER_BOX,
    ),
    own(
        "lem3.order.binomial",
        "Lemma 3",
        "Theorem 2 is above the exact binomial",
        r"\text{" + _ORDER + "}",
        Inequality(cells.delta_binom, cells.theorem_2),
        domain=EPSILON_ALPHA_TAU,
        points=SETTINGS,
    ),
    stated(
        "sec31.num",
        "Section 3.1",
        "C_alpha = 0.935 at alpha = 1/6",
        r"C_{1/6}=0.935",
        Quantity(lambda A: cells.c_alpha(A, alpha=A.number("1/6")), "0.935"),
    ),
    stated(
        "sec31.num.rate",
        "Section 3.1",
        "p = 0.105 at epsilon = 1, alpha = 1/6",
        r"p_s=0.105",
        Quantity(lambda A: cells.sampling_rate(A, epsilon=A.number(1), alpha=A.number("1/6")), "0.105"),
    ),
    stated(
        "sec31.num.delta",
        "Section 3.1",
        "delta < 1e-8 at tau = 20, alpha = 1/6",
        r"\exp(-20C_{1/6})<10^{-8}",
        Inequality(
            lambda A: cells.lemma_3(A, epsilon=1, alpha=A.number("1/6"), tau=20),
            lambda A: A.number("1e-8"),
            Relation.LESS,
        ),
        loose="the exact delta is 6.87e-15; tau = 11 is enough for 1e-8 (bharadwaj2022.exp.tau.exact)",
    ),
    stated(
        "sec31.theta",
        "Section 3.1",
        "p = Theta(alpha epsilon) for epsilon <= 1",
        r"(1-1/e)\epsilon\le1-e^{-\epsilon}\le\epsilon",
        Inequality(
            lambda A, *, epsilon: -A.expm1(-A.number(1)) * epsilon,
            lambda A, *, epsilon: -A.expm1(-epsilon),
        ),
        domain=Box((replace(EPSILON, upper="0.999"),)),
        note="Only for epsilon = O(1); the upper half is e^-x >= 1 - x.",
    ),
    stated(
        "sec31.inv",
        "Section 3.1",
        "epsilon = ln(alpha/(alpha - p))",
        r"\epsilon=\ln\tfrac{\alpha}{\alpha-p_s}",
        Identity(
            lambda _A, *, epsilon, alpha: epsilon,  # noqa: ARG005
            lambda A, *, epsilon, alpha: A.log(alpha / (alpha - cells.sampling_rate(A, epsilon=epsilon, alpha=alpha))),
        ),
        domain=EPSILON_ALPHA,
        note="Needs p < alpha.",
    ),
    stated(
        "sec31.tau",
        "Section 3.1",
        "tau = ln(1/delta)/C_alpha = 19.7 at alpha = 1/6, delta = 1e-8",
        r"\tau=\tfrac1{C_\alpha}\ln(1/\delta)",
        Quantity(lambda A: A.log(A.number(10**8)) / cells.c_alpha(A, alpha=A.number("1/6")), "19.7"),
        note="A real number: it must be rounded up, and alpha < 0.5173; rounding down to 19 gives 1.94e-8 by Lemma 3.",
    ),
    refuted(
        "sec31.fifth",
        "Section 3.1",
        "alpha = 1/5 is sampling with probability epsilon/5",
        r"\epsilon/5\le\tfrac15(1-e^{-\epsilon})",
        Inequality(
            lambda _A, *, epsilon: epsilon / 5,
            lambda A, *, epsilon: -A.expm1(-epsilon) / 5,
        ),
        by="sec31.fifth.corrected",
        domain=Box((replace(EPSILON, upper=1),)),
        note="E6: epsilon/5 is alpha = 0.21 (epsilon = 0.1) to 0.32 (epsilon = 1).",
    ),
    own(
        "sec31.fifth.corrected",
        "Section 3.1",
        "With p = epsilon/5 and tau = 24 Theorem 2 still gives delta <= 1e-8 for epsilon <= 1",
        r"\exp(-\tfrac{24}qD(q\|p))\le10^{-8},\ p=\epsilon/5",
        Inequality(
            lambda A, *, epsilon: cells.theorem_2(A, epsilon=epsilon, alpha=-epsilon / 5 / A.expm1(-epsilon), tau=24),
            lambda A, *, epsilon: A.number("1e-8"),  # noqa: ARG005
            Relation.LESS,
        ),
        domain=Box((replace(EPSILON, upper=1),)),
    ),
    own(
        "exp.tau.exact",
        "Section 5",
        "tau = 11 is enough where the paper uses 20",
        r"\delta_{\mathrm{tight}}(\epsilon,\tfrac16,11)\le10^{-8}\quad(\epsilon\ge0.1)",
        Inequality(
            lambda A, *, epsilon: cells.tight(A, epsilon=epsilon, alpha=A.number("1/6"), tau=11),
            lambda A, *, epsilon: A.number("1e-8"),  # noqa: ARG005
            Relation.LESS,
        ),
        domain=Box((replace(EPSILON, lower="1/10", upper=1),)),
    ),
    stated(
        "exp.tau",
        "Section 5",
        "alpha = 1/6 and delta = 1e-8 yield tau = 20",
        r"\lceil\ln(10^8)/C_{1/6}\rceil=20",
        Quantity(lambda A: A.log(A.number(10**8)) / cells.c_alpha(A, alpha=A.number("1/6")), "20", Reading.ROUNDED_UP),
        loose="11 is enough by the exact delta",
    ),
)
