"""Lemma 3: the bound whatever epsilon, the steps of its proof, and Lemma 3', sharper by (1 + alpha)^-tau."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.parameters import *
from proofs_numeric.bharadwaj2022.theorem_2.bound import at_bad_rate
from proofs_numeric.expression.vocabulary import *

ALPHA_PRIME = replace(ALPHA, upper="7/10")
PRIME_BOX = Box((EPSILON, ALPHA_PRIME, TAU))
_TERMS = 48


def log_series(A: Arithmetic, u: Number) -> Any:
    """``G(u) = -ln(1 - u)/u``, 0 <= u < 1, regular at 0; grows with u."""
    if not A.encloses:
        return -A.log(1 - u) / u
    return _monotone(A, A.number(u), lambda x: _power_sum(A, x, lambda n: n + 1, x**_TERMS / ((_TERMS + 1) * (1 - x))))


def entropy_series(A: Arithmetic, y: Number) -> Any:
    """``M(y) = (1 + (1 - y) ln(1 - y)/y)/y = sum_(n>=1) y^(n-1)/(n (n + 1))``, 0 <= y <= 1, regular at both ends."""
    if not A.encloses:
        return (1 + (1 - y) * A.log(1 - y) / y) / y
    # The terms beyond n = N sum to at most y^N / (N + 1).
    return _monotone(A, A.number(y), lambda x: _power_sum(A, x, lambda n: (n + 1) * (n + 2), x**_TERMS / (_TERMS + 1)))


def _power_sum(A: Arithmetic, x: Number, divisor: Any, rest: Number) -> Number:
    value = A.number(0)
    for n in reversed(range(_TERMS)):
        value = value * x + A.number(1) / divisor(n)
    return value + A.between(0, rest)


def _monotone(A: Arithmetic, x: Any, function: Any) -> Any:
    """Enclose an increasing function over an enclosure by its values at the ends (clipped at 0)."""
    lower, upper = x.lower().max(A.number(0)), x.upper().max(A.number(0))
    return function(lower) if lower == upper else function(lower).union(function(upper))


G, M = (algorithm(series, rf"{name}({{0}})") for series, name in ((log_series, "G"), (entropy_series, "M")))
y = symbol("y")
c = alpha / (1 + alpha)
prime_margin = -c * G(c * y) + (M(y) + alpha * c / (1 - c * y) * (1 - y * M(y))) / (1 + alpha)
"""``(D(q||p)/q - C'_alpha) / y`` at ``y = 1 - e^-epsilon``: the factor that vanishes with epsilon divided out."""
PRIME_BY_BOXES = Substitute(
    Box((Parameter("alpha", "", upper="7/10"), Parameter("y", "1 - e^-epsilon", upper=1))), {"y": -expm1(-epsilon)},
    Boxes(), lift(0), prime_margin,
)  # fmt: skip

eps_term = epsilon * exp(-epsilon) * (1 - sampling_rate) / bad_rate
"""``((1 - q)/q) epsilon``."""
equation_7 = epsilon / expm1(epsilon) * (1 - alpha / (1 + alpha * exp(-epsilon)))
equation_6 = exp(-tau * (-log(alpha) - equation_7))
log_of_equation_6 = tau * (log(alpha) + equation_7)
limit = 1 / (1 + alpha)
limit_margin = alpha * alpha + (1 + alpha) * M(y) * (1 - alpha * y)
"""Limit - (7) with the factor y = 1 - e^-epsilon taken out."""
LIMIT_BY_BOXES = Substitute(
    Box((Parameter("alpha", "", upper=1), Parameter("y", "1 - e^-epsilon", upper=1))), {"y": -expm1(-epsilon)}, Boxes(),
    lift(0), limit_margin,
)  # fmt: skip


def _vacuous(*, alpha: Fraction, **_others: Any) -> str | None:
    """What to say of Lemma 3's bound where C_alpha <= 0."""
    if alpha <= Fraction(LEMMA_3_ALPHA):
        return None
    return f"vacuous, as C_alpha <= 0 and a delta is at most 1; Lemma 3 says more for alpha <= {LEMMA_3_ALPHA}"


over_expm1 = epsilon / expm1(epsilon)
per_square = 1 / expm1(epsilon) ** 2
over_expm1_falls = epsilon * exp(epsilon) - expm1(epsilon), Derivative("epsilon", "lower")
odds = alpha * exp(-epsilon)
first_falls = factors(per_square, over_expm1_falls, 1 - alpha / (1 + odds))
second_falls = over_expm1 * alpha * odds / (1 + odds) ** 2

_FACTOR_NEAR = product_of(exp(-2 * epsilon) * limit / expm1(epsilon), over_expm1_falls)
"""``e^-epsilon <= epsilon/(e^epsilon - 1)``."""
_falling = exp(-epsilon)
_SHARE_NEAR = product_of(
    epsilon / expm1(epsilon), limit / (1 + alpha * _falling), -expm1(-epsilon), 1 - alpha**2 + alpha * _falling
)
"""``e^-epsilon/(1 + alpha)`` is at most the other factor of (7)."""

CLAIMS = (
    own(
        "lem3.prime", "Lemma 3",
        "Lemma 3': delta <= exp(-C'_alpha tau), C' = ln(1 + 1/alpha) - 1/(1 + alpha), for alpha <= 0.7",
        r"\exp(-\tfrac\tau q D(q\|p))\le\exp(-C'_\alpha\tau)\quad(0<\alpha\le0.7,\ \epsilon>0)",
        theorem_2 <= lemma_3_prime, domain=PRIME_BOX, points=SETTINGS[:2], evaluates=lemma_3_prime,
        proof=Increasing(
            "exp", -tau * divergence, -tau * c_alpha_prime,
            product_of(-tau * expm1(-epsilon), (prime_margin(y=-expm1(-epsilon)), PRIME_BY_BOXES)),
        ),
        note="Holds up to alpha = 0.756692 numerically. With thm2.stmt a bound on the delta.", **DELTA_UPPER,
    ),
    own(
        "lem3.order", "Lemma 3", "Lemma 3 is above Lemma 3'", None, lemma_3_prime < lemma_3, domain=PRIME_BOX,
        proof=Increasing("exp", -tau * c_alpha_prime, -tau * c_alpha, product_of(tau * log1p(alpha))), **PROBABILITY,
    ),
    own(
        "lem3.order.binomial", "Lemma 3", "Theorem 2 is above the exact binomial", None, delta_binom <= theorem_2,
        domain=EPSILON_ALPHA_TAU, points=SETTINGS,
        proof=at_bad_rate(
            tau, floor(tau / bad_rate), -tau * divergence, epsilon, tau / bad_rate - floor(tau / bad_rate),
        ),
        **PROBABILITY,
    ),
    uncheckable(
        "lem3.asym.letters", "Lemma 3", "O for Omega", r"\alpha^{O(\tau)}",
        Editorial("alpha^{O(tau)}", "alpha^{Omega(tau)}", "An upper bound on the exponent bounds no delta."),
        corrected_by="bharadwaj2022.lem3.asym",
    ),
    stated(
        "lem3.stmt", "Lemma 3", "delta = exp(-C_alpha tau) at p = alpha (1 - e^-epsilon)",
        r"\delta=\exp(-C_\alpha\tau),\ C_\alpha=\ln(1/\alpha)-1/(1+\alpha)",
        DeltaBound(lemma_3, exact=cells.tight, by=Achieved("bharadwaj2022.tight")),
        domain=EPSILON_ALPHA_TAU, points=SETTINGS,
        proof=Through(
            theorem_2, ByClaim("bharadwaj2022.thm2.stmt"),
            Through(
                equation_6, ByClaim("bharadwaj2022.lem3.6"),
                Increasing(
                    "exp", log_of_equation_6, -tau * c_alpha,
                    product_of(tau, (limit - equation_7, ByClaim("bharadwaj2022.lem3.lim"))),
                ),
            ),
        ),
        loose="1.1e6 above the exact delta at the paper's default; "
        f"vacuous (>= 1) for alpha above {LEMMA_3_ALPHA}",
        remark=_vacuous, note="The paper's restriction epsilon <= 1 is not needed.", **DELTA_UPPER,
    ),
    refuted(
        "lem3.range", "Lemma 3", "C_alpha > 0 for every 0 < alpha <= 1", None, c_alpha > 0, by="lem3.range.corrected",
        domain=(ALPHA,), note="The range of the lemma reaches where its bound exceeds 1.",
    ),
    own(
        "lem3.range.corrected", "Lemma 3", "C_alpha > 0 for alpha <= 0.5173", r"C_\alpha>0,\ \alpha\le0.5173",
        c_alpha > 0, proof=Boxes(), domain=(replace(ALPHA, upper="0.5173"),),
    ),
    stated(
        "lem3.1mq", "Lemma 3", "1 - q = (1 - p) e^-epsilon", None,
        eq(1 - bad_rate, (1 - sampling_rate) * exp(-epsilon)), proof=Symbolic(), domain=EPSILON_ALPHA,
    ),
    stated(
        "lem3.D", "Lemma 3", "D(q||p) = q ln((1 + alpha e^-epsilon)/alpha) - epsilon (1 - q)",
        r"D(q\|p)=q\ln\tfrac{1+\alpha e^{-\epsilon}}{\alpha}-\epsilon(1-q)",
        eq(kl(q=bad_rate, p=sampling_rate), bad_rate * divergence), proof=Symbolic(), domain=EPSILON_ALPHA,
    ),
    stated(
        "lem3.6", "Lemma 3, (6)", "Theorem 2's bound is at most (6)",
        r"\exp(-\tfrac\tau qD(q\|p))\le\exp(-\tau(\ln\tfrac1\alpha-\tfrac{1-q}q\epsilon))", theorem_2 < equation_6,
        domain=EPSILON_ALPHA_TAU,
        proof=Increasing("exp", -tau * divergence, log_of_equation_6, product_of(tau, log1p(alpha * exp(-epsilon)))),
    ),
    stated(
        "lem3.7", "Lemma 3, (7)", "The epsilon term of the exponent",
        r"\tfrac{1-q}q\epsilon=\tfrac{\epsilon}{e^\epsilon-1}\left(1-\tfrac{\alpha}{1+\alpha e^{-\epsilon}}\right)",
        eq(eps_term, equation_7), proof=Symbolic(), domain=EPSILON_ALPHA,
    ),
    stated(
        "lem3.lim", "Lemma 3", "(7) stays below its limit 1/(1 + alpha)",
        r"\sup_\epsilon\tfrac{1-q}q\epsilon=\lim_{\epsilon\to0}=1/(1+\alpha)", equation_7 < limit, domain=EPSILON_ALPHA,
        partial="that it stays below; how near it comes is bharadwaj2022.lem3.lim.near",
        proof=product_of(
            -expm1(-epsilon) / ((1 + alpha) * (1 + alpha * exp(-epsilon))),
            (limit_margin(y=-expm1(-epsilon)), LIMIT_BY_BOXES),
        ),
    ),
    own(
        "lem3.lim.near", "Lemma 3", "(7) comes near its limit 1/(1 + alpha) as epsilon falls",
        r"\tfrac{e^{-2\epsilon}}{1+\alpha}\le\tfrac{1-q}q\epsilon", exp(-2 * epsilon) * limit <= equation_7,
        proof=Through(epsilon / expm1(epsilon) * exp(-epsilon) * limit, _FACTOR_NEAR, _SHARE_NEAR),
        domain=EPSILON_ALPHA,
    ),
    stated(
        "lem3.asym", "Lemma 3", "C_alpha is at least half of ln(1/alpha) for alpha <= 0.15",
        r"\delta=\alpha^{\Omega(\tau)}", -log(alpha) / 2 < c_alpha, proof=Derivative("alpha", "upper"),
        domain=(replace(ALPHA, upper="3/20"),),
        note="The printed O must be Omega in all three places; this is what is meant.",
    ),
    stated(
        "lem3.mono1", "Lemma 3", "-1/(1 + alpha e^-epsilon) falls with epsilon", None,
        Monotonicity(-1 / (1 + odds), "epsilon", increasing=False), proof=Slope(), domain=EPSILON_ALPHA,
    ),
    stated(
        "lem3.mono2", "Lemma 3", "epsilon/(e^epsilon - 1) falls with epsilon", None,
        Monotonicity(over_expm1, "epsilon", increasing=False), domain=(EPSILON,),
        proof=Slope(product_of(per_square, over_expm1_falls)),
    ),
    refuted(
        "lem3.mono2.derivative", "Lemma 3", "The derivative of the numerator as printed",
        r"-\tfrac{d}{d\epsilon}e^\epsilon(\epsilon-1)+1=-\epsilon e^\epsilon",
        eq(-epsilon * exp(epsilon) + 1, -epsilon * exp(epsilon)), by="lem3.mono2.derivative.corrected",
        domain=(EPSILON,), note="The 1 belongs inside the derivative.",
    ),
    own(
        "lem3.mono2.derivative.corrected", "Lemma 3", "f = -(e^epsilon (epsilon - 1) + 1) is negative for epsilon > 0",
        None, -(exp(epsilon) * (epsilon - 1) + 1) < 0, proof=Derivative("epsilon", "lower"), domain=(EPSILON,),
    ),
    stated(
        "lem3.mono3", "Lemma 3", "(6) falls with epsilon",
        r"\exp(-\tau(\ln\tfrac1\alpha-\tfrac{1-q}q\epsilon))\downarrow",
        Monotonicity(equation_6, "epsilon", increasing=False), domain=EPSILON_ALPHA_TAU,
        proof=Slope(
            product_of(tau * equation_6, (first_falls.formula + second_falls, sum_of(first_falls, second_falls)))
        ),
        note="Theorem 2's own exponent D/q is not monotone for alpha > 0.7187 (lem3.mono3.divergence).",
    ),
    refuted(
        "lem3.mono3.divergence", "Lemma 3", "The unsimplified exponent D/q grows with epsilon for every alpha <= 1",
        r"D(q\|p)/q\uparrow", Monotonicity(divergence, "epsilon", increasing=True), by="lem3.mono3",
        domain=EPSILON_ALPHA,
    ),
)  # fmt: skip
