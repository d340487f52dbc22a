"""Step 1 of the collapse of Theorem 5.4: the third term is never above the second."""

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import LOSS, loss, second_value, third_value

_factor = exp(epsilon - loss - 2 * loss * epsilon / (mu * mu))
_of_profile = {"epsilon": 2 * loss / mu * (epsilon / mu + mu / 2), "mu": 2 * loss / mu}
_tail = exp(epsilon - loss) * (1 - exp(-2 * loss * epsilon / (mu * mu))) * Phi(loss / mu - epsilon / mu - mu / 2)
SECOND_RISES = Derivative(
    "epsilon",
    "lower",
    sum_of(
        factors(_factor, (profile(*_of_profile.values()), ByClaim("wilkins2024.thm2.2.positive", _of_profile))), _tail
    ),
)
"""At epsilon = 0 the terms are equal; there, with v = loss/mu and z = epsilon/mu + mu/2, the difference begins to rise
by ``e^(epsilon - loss) {e^(-2 v epsilon/mu) f(2v, 2 v z) + (1 - e^(-2 v epsilon/mu)) Phi(v - z)}``."""

_OPEN_EPSILON = Parameter("epsilon", "privacy-loss level", unit="nats", upper=700, log=True, open_lower=True)

_OPEN_LOSS = Parameter("loss", LOSS.description, unit="nats", upper=10**4, log=True, open_lower=True)

CLAIMS = (
    own(
        "thm5.4.third", "Theorem 5.4", "The third term of (5.8) never beats the second",
        r"\text{second}(a)>\text{third}(a)\text{ for }\epsilon>0,\ a>0", third_value < second_value, proof=SECOND_RISES,
        domain=(_OPEN_EPSILON, _OPEN_LOSS, MU), quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "thm5.4.third.tie", "Theorem 5.4", "At epsilon = 0 the second and third terms are equal",
        r"\epsilon=0:\ \text{second}(a)=\text{third}(a)", eq(second_value(epsilon=0), third_value(epsilon=0)),
        proof=Symbolic(), domain=(LOSS, MU),
    ),
)  # fmt: skip
