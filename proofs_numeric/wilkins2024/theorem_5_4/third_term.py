"""Step 1 of the collapse of Theorem 5.4: the third term is never above the second."""

from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import gaussian_profile, normal_cdf
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind
from proofs_numeric.statements.kinds import Identity, Inequality, Relation
from proofs_numeric.statements.tactics import ByClaim, Derivative, Part, Product, Sum, Symbolic
from proofs_numeric.wilkins2024.parameters import MU, ours
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import LOSS, second_value, third_value


def _kept(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number) -> Number:
    return A.exp(epsilon - loss - 2 * loss * epsilon / (mu * mu))


def _level(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number) -> Number:
    return 2 * loss / mu * (epsilon / mu + mu / 2)


def _distance(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number) -> Number:
    return 2 * loss / mu


def _profile(A: Arithmetic, **at: Number) -> Any:
    return gaussian_profile(A, _level(A, **at), _distance(A, **at))


def _kept_profile(A: Arithmetic, **at: Number) -> Any:
    return _kept(A, **at) * _profile(A, **at)


def _tail(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number) -> Number:
    tail = normal_cdf(A, loss / mu - epsilon / mu - mu / 2)
    return A.exp(epsilon - loss) * (1 - A.exp(-2 * loss * epsilon / (mu * mu))) * tail


SECOND_RISES = Derivative(
    "epsilon",
    "lower",
    Sum(
        (
            Part(
                _kept_profile,
                Product(
                    (
                        Part(_kept),
                        Part(_profile, ByClaim("wilkins2024.thm2.2.positive", {"epsilon": _level, "mu": _distance})),
                    )
                ),
            ),
            Part(_tail),
        )
    ),
)
"""At epsilon = 0 the terms are equal; there, with v = loss/mu and z = epsilon/mu + mu/2, the difference begins to rise
by ``e^(epsilon - loss) {e^(-2 v epsilon/mu) f(2v, 2 v z) + (1 - e^(-2 v epsilon/mu)) Phi(v - z)}``."""


def _second(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number) -> Any:
    return second_value(A, epsilon=A.number(epsilon), loss=A.number(loss), mu=A.number(mu))


def _third(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number) -> Any:
    return third_value(A, epsilon=A.number(epsilon), loss=A.number(loss), mu=A.number(mu))


def _second_at_zero(A: Arithmetic, *, loss: Number, mu: Number) -> Any:
    return _second(A, epsilon=0, loss=loss, mu=mu)


def _third_at_zero(A: Arithmetic, *, loss: Number, mu: Number) -> Any:
    return _third(A, epsilon=0, loss=loss, mu=mu)


_OPEN_EPSILON = Parameter("epsilon", "privacy-loss level", unit="nats", upper=700, log=True, open_lower=True)

_OPEN_LOSS = Parameter("loss", LOSS.description, unit="nats", upper=10**4, log=True, open_lower=True)

CLAIMS = (
    Claim(
        id="wilkins2024.thm5.4.third",
        source=ours("Theorem 5.4"),
        title="The third term of (5.8) never beats the second",
        statement=r"\text{second}(a)>\text{third}(a)\text{ for }\epsilon>0,\ a>0",
        kind=Inequality(_third, _second, Relation.LESS, proof=SECOND_RISES),
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
