"""Step 1 of the collapse of Theorem 5.4: the third term is never above the second."""

from __future__ import annotations

from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.derivative import derivative
from proofs_numeric.arithmetic.special import gaussian_profile, normal_cdf
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.derivation import Derivation, SymbolicIdentity
from proofs_numeric.statements.kinds import Identity, Inequality, Relation
from proofs_numeric.statements.tactics import Symbolic
from proofs_numeric.wilkins2024.parameters import MU, ours
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import A10_STEP, LOSS, second_value, third_value


def second_less_third(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number) -> Any:
    """``second - third`` at ``loss = a L``."""
    return second_value(A, epsilon=epsilon, loss=loss, mu=mu) - third_value(A, epsilon=epsilon, loss=loss, mu=mu)


def second_less_third_slope(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number) -> Any:
    """Derivative of :func:`second_less_third` by epsilon, as a sum of non-negative terms."""
    z, v = epsilon / mu + mu / 2, loss / mu
    kept = A.exp(-(2 * v * epsilon / mu))
    tail = (1 - kept) * normal_cdf(A, v - z)
    return A.exp(epsilon - loss) * (kept * gaussian_profile(A, 2 * v * z, 2 * v) + tail)


def _difference_at_zero(A: Arithmetic, *, loss: Number, mu: Number) -> Any:
    return second_less_third(A, epsilon=A.number(0), loss=loss, mu=mu)


THIRD_STEPS = (
    SymbolicIdentity(
        "second = third at epsilon = 0",
        _difference_at_zero,
        zero,
        ("loss", "mu"),
        ("loss", "mu"),
        "the reflection f(mu, -x) = 1 - e^-x + e^-x f(mu, x)",
    ),
    SymbolicIdentity(
        "d(second - third)/depsilon as a sum of non-negative terms",
        derivative(second_less_third, "epsilon"),
        second_less_third_slope,
        ("epsilon", "loss", "mu"),
        ("epsilon", "loss", "mu"),
        "e^(eps-loss) {e^(-2 v eps/mu) f(2v, 2vz) + (1 - e^(-2 v eps/mu)) Phi(v - z)} > 0 for eps >= 0, loss > 0, "
        "since f > 0: the difference increases strictly from 0",
    ),
    A10_STEP,
)


def _second(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number) -> Any:
    return second_value(A, epsilon=A.number(epsilon), loss=A.number(loss), mu=A.number(mu))


def _third(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number) -> Any:
    return third_value(A, epsilon=A.number(epsilon), loss=A.number(loss), mu=A.number(mu))


def _second_at_zero(A: Arithmetic, *, loss: Number, mu: Number) -> Any:
    return _second(A, epsilon=0, loss=loss, mu=mu)


def _third_at_zero(A: Arithmetic, *, loss: Number, mu: Number) -> Any:
    return _third(A, epsilon=0, loss=loss, mu=mu)


HERE = "Theorem 5.4, in O(1)"

_OPEN_EPSILON = Parameter("epsilon", "privacy-loss level", unit="nats", upper=700, log=True, open_lower=True)

_OPEN_LOSS = Parameter("loss", LOSS.description, unit="nats", upper=10**4, log=True, open_lower=True)

CLAIMS = (
    Claim(
        id="wilkins2024.thm5.4.third",
        source=ours("Theorem 5.4"),
        title="The third term of (5.8) never beats the second",
        statement=r"\text{second}(a)>\text{third}(a)\text{ for }\epsilon>0,\ a>0",
        kind=Inequality(_third, _second, Relation.LESS, proof=Derivation(THIRD_STEPS)),
        domain=Box((_OPEN_EPSILON, _OPEN_LOSS, MU)),
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="wilkins2024.thm5.4.third.tie",
        source=ours("Theorem 5.4"),
        title="At epsilon = 0 the second and third terms are equal",
        statement=r"\epsilon=0:\ \text{second}(a)=\text{third}(a)",
        kind=Identity(_second_at_zero, _third_at_zero, proof=Symbolic()),
        domain=Box((LOSS, MU)),
    ),
)
