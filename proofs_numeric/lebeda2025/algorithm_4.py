"""Algorithm 4, the discrete correlated mechanism: the law of one counter."""

from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.lebeda2025.algorithm_1 import first_released
from proofs_numeric.lebeda2025.definition_15 import DiscreteGaussian
from proofs_numeric.lebeda2025.parameters import stated
from proofs_numeric.statements.claim import QuantityKind
from proofs_numeric.statements.kinds import Law


def _discrete_passes(A: Arithmetic) -> Any:
    """One counter of count 1, k = 4, sigma 2, tau 3/2."""
    own, shared = DiscreteGaussian(A, A.number(4)), DiscreteGaussian(A, 4 / A.sqrt(A.number(2)))
    return shared.mean(lambda z: own.survival(3 - z + 1))


CLAIMS = (
    stated(
        "alg4", "Algorithm 4", "a counter of the discrete correlated mechanism", r"P[1 + (Z + Z_i)/2 > 1 + \tau]",
        Law(
            "discrete_correlated", {"k": 4, "sigma": 2, "gap": Fraction(3, 2)},
            {"a": 1, "b": 1}, first_released, _discrete_passes,
        ),
        quantity=QuantityKind.PROBABILITY,
    ),
)  # fmt: skip
