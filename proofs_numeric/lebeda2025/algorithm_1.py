"""Algorithm 1, the uncorrelated mechanism: the law of one counter."""

from typing import Any

import numpy as np

from proofs_numeric.expression import Phi
from proofs_numeric.lebeda2025.parameters import stated
from proofs_numeric.statements.claim import QuantityKind
from proofs_numeric.statements.kinds import Law


def first_released(keys: tuple[str, ...], values: Any) -> Any:
    """Whether counter ``a`` is released."""
    return ~np.isnan(values[:, keys.index("a")])


_own_noise_passes = Phi(-1)
"""Count 5, threshold 1 + 6, sigma 2."""

CLAIMS = (
    stated(
        "alg1", "Algorithm 1", "a counter of the uncorrelated mechanism", r"P[H_i + N(0, \sigma^2) > 1 + \tau]",
        Law(
            "gaussian_sparse_histogram", {"c_u": 2, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1},
            {"a": 5, "b": 40}, first_released, _own_noise_passes,
        ),
        quantity=QuantityKind.PROBABILITY,
    ),
)  # fmt: skip
