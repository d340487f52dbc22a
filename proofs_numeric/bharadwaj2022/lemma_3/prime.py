"""Lemma 3', sharper than Lemma 3 by (1 + alpha)^-tau, with a proof by boxes, and the order of all bounds."""

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.integer_part import floor_of
from proofs_numeric.bharadwaj2022 import cells, neighbours
from proofs_numeric.bharadwaj2022.parameters import ALPHA, EPSILON, EPSILON_ALPHA_TAU, SETTINGS, TAU, own
from proofs_numeric.bharadwaj2022.theorem_2.bound import at_bad_rate
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import QuantityKind, Role
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.kinds import Inequality, Relation
from proofs_numeric.statements.tactics import Boxes, Increasing, Part, Product, Substitute

ALPHA_PRIME = replace(ALPHA, upper="7/10")
PRIME_BOX = Box((EPSILON, ALPHA_PRIME, TAU))
_TERMS = 48
_ORDER = "exp(-C tau) >= exp(-C' tau) >= Theorem 2 >= delta_binom >= tight"


def _copies(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int) -> int:
    return floor_of(A, tau / cells.bad_rate(A, epsilon=epsilon, alpha=alpha))


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


def prime_margin(A: Arithmetic, *, alpha: Number, y: Number) -> Any:
    """``(D(q||p)/q - C'_alpha) / y`` at ``y = 1 - e^-epsilon``: the factor that vanishes with epsilon divided out.

    With c = alpha/(1 + alpha): ``-c G(c y) + [M(y) + (alpha c/(1 - c y)) (1 - y M(y))] / (1 + alpha)``.
    """
    c = alpha / (1 + alpha)
    m = entropy_series(A, y)
    return -c * log_series(A, c * y) + (m + alpha * c / (1 - c * y) * (1 - y * m)) / (1 + alpha)


CLAIMS = (
    own(
        "lem3.prime",
        "Lemma 3",
        "Lemma 3': delta <= exp(-C'_alpha tau), C' = ln(1 + 1/alpha) - 1/(1 + alpha), for alpha <= 0.7",
        r"\exp(-\tfrac\tau q D(q\|p))\le\exp(-C'_\alpha\tau)\quad(0<\alpha\le0.7,\ \epsilon>0)",
        Inequality(
            cells.theorem_2,
            cells.lemma_3_prime,
            proof=Increasing(
                "exp",
                lambda A, *, epsilon, alpha, tau: -tau * cells.divergence(A, epsilon=epsilon, alpha=alpha),
                lambda A, *, epsilon, alpha, tau: -tau * cells.c_alpha_prime(A, alpha=alpha),
                Product(
                    (
                        Part(lambda A, *, epsilon, tau, **_rest: -tau * A.expm1(-epsilon)),
                        Part(
                            lambda A, *, epsilon, alpha, **_rest: prime_margin(A, alpha=alpha, y=-A.expm1(-epsilon)),
                            Substitute(
                                Box((Parameter("alpha", "", upper="7/10"), Parameter("y", "1 - e^-epsilon", upper=1))),
                                {"y": lambda A, *, epsilon, **_rest: -A.expm1(-epsilon)},
                                Boxes(),
                                zero,
                                prime_margin,
                            ),
                        ),
                    )
                ),
            ),
        ),
        domain=PRIME_BOX,
        points=SETTINGS[:2],
        evaluates=cells.lemma_3_prime,
        note="Holds up to alpha = 0.756692 numerically. With thm2.stmt a bound on the delta.",
        quantity=QuantityKind.DELTA,
        privacy=neighbours.ITEM,
        role=Role.UPPER,
    ),
    own(
        "lem3.order",
        "Lemma 3",
        "Lemma 3 is above Lemma 3'",
        r"\text{" + _ORDER + "}",
        Inequality(
            cells.lemma_3_prime,
            cells.lemma_3,
            Relation.LESS,
            proof=Increasing(
                "exp",
                lambda A, *, alpha, tau, **_rest: -tau * cells.c_alpha_prime(A, alpha=alpha),
                lambda A, *, alpha, tau, **_rest: -tau * cells.c_alpha(A, alpha=alpha),
                Product((Part(lambda A, *, alpha, tau, **_rest: tau * A.log1p(alpha)),)),
            ),
        ),
        domain=PRIME_BOX,
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "lem3.order.binomial",
        "Lemma 3",
        "Theorem 2 is above the exact binomial",
        r"\text{" + _ORDER + "}",
        Inequality(
            cells.delta_binom,
            cells.theorem_2,
            proof=at_bad_rate(
                lambda _A, *, tau, **_rest: tau,
                _copies,
                lambda A, *, tau, **at: -tau * cells.divergence(A, **at),
                Part(lambda A, *, epsilon, **_rest: A.number(epsilon)),
                Part(lambda A, *, tau, **at: tau / cells.bad_rate(A, **at) - _copies(A, tau=tau, **at)),
            ),
        ),
        domain=EPSILON_ALPHA_TAU,
        points=SETTINGS,
        quantity=QuantityKind.PROBABILITY,
    ),
)
