"""Lemma 3', sharper than Lemma 3 by (1 + alpha)^-tau, with a proof by boxes, and the order of all bounds."""

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.bharadwaj2022.cells import (
    alpha,
    bad_rate,
    c_alpha,
    c_alpha_prime,
    delta_binom,
    divergence,
    epsilon,
    lemma_3,
    lemma_3_prime,
    tau,
    theorem_2,
)
from proofs_numeric.bharadwaj2022.parameters import (
    ALPHA,
    DELTA_UPPER,
    EPSILON,
    EPSILON_ALPHA_TAU,
    PROBABILITY,
    SETTINGS,
    TAU,
    own,
)
from proofs_numeric.bharadwaj2022.theorem_2.bound import at_bad_rate
from proofs_numeric.expression import algorithm, expm1, floor, lift, log1p, product_of, symbol
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.tactics import Boxes, Increasing, Substitute

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
)  # fmt: skip
