"""Algorithm 2, the correlated stability histogram: the joint law of two counters."""

from fractions import Fraction
from typing import Any

import numpy as np

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.noise_maximum import released
from proofs_numeric.lebeda2025.algorithm_1 import first_released
from proofs_numeric.lebeda2025.parameters import stated
from proofs_numeric.statements.claim import QuantityKind
from proofs_numeric.statements.kinds import Law


def both_released(keys: tuple[str, ...], values: Any) -> Any:
    """Whether counters ``a`` and ``b`` are both released."""
    return first_released(keys, values) & ~np.isnan(values[:, keys.index("b")])


def _both_pass(A: Arithmetic) -> Number:
    """Two counters of count 1, k = 4, sigma 4, tau 2: one pass each less the chance that some passes."""
    at: dict[str, Any] = {"t": A.number(Fraction(1, 2)), "b": 1 / A.sqrt(A.number(2))}
    return 2 * released(A, l=1, **at) - released(A, l=2, **at)


CLAIMS = (
    stated(
        "alg2", "Algorithm 2", "two counters of the correlated mechanism share their noise",
        r"P[\text{both of two counters of 1 pass}], \text{ correlation } 1/(1 + \sqrt{k})",
        Law(
            "correlated_stability_histogram", {"k": 4, "sigma": 4, "gap": 2, "tau": 1},
            {"a": 1, "b": 1}, both_released, _both_pass,
        ),
        quantity=QuantityKind.PROBABILITY,
    ),
)  # fmt: skip
