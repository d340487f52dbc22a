"""Algorithms 1, 2 and 4: the laws of one counter, and of two that share their noise."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from proofs_numeric.arithmetic.noise_maximum import released
from proofs_numeric.lebeda2025.discrete import DiscreteGaussian
from proofs_numeric.lebeda2025.parameters import *


def passing(*counters: str) -> Callable[[tuple[str, ...], Any], Any]:
    """Whether these counters are all released."""
    return lambda keys, values: ~np.isnan(values[:, [keys.index(key) for key in counters]]).any(axis=1)


_some_passes = algorithm(released)(t=lift("1/2"), b=1 / sqrt(2))
_both_pass = 2 * _some_passes(l=1) - _some_passes(l=2)
"""Two counters of count 1, k = 4, sigma 4, tau 2: one pass each less the chance that some passes."""


def _discrete_passes(A: Arithmetic) -> Any:
    """One counter of count 1, k = 4, sigma 2, tau 3/2."""
    own_law, shared_law = DiscreteGaussian(A, A.number(4)), DiscreteGaussian(A, 4 / A.sqrt(A.number(2)))
    return shared_law.mean(lambda z: own_law.survival(3 - z + 1))


CLAIMS = (
    stated(
        "alg1", "Algorithm 1", "a counter of the uncorrelated mechanism", r"P[H_i + N(0, \sigma^2) > 1 + \tau]",
        Law(
            "gaussian_sparse_histogram", {"c_u": 2, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1},
            {"a": 5, "b": 40}, passing("a"), Phi(-1),  # count 5, threshold 1 + 6, sigma 2
        ),
        quantity=QuantityKind.PROBABILITY,
    ),
    stated(
        "alg2", "Algorithm 2", "two counters of the correlated mechanism share their noise",
        r"P[\text{both of two counters of 1 pass}], \text{ correlation } 1/(1 + \sqrt{k})",
        Law(
            "correlated_stability_histogram", {"k": 4, "sigma": 4, "gap": 2, "tau": 1},
            {"a": 1, "b": 1}, passing("a", "b"), _both_pass,
        ),
        quantity=QuantityKind.PROBABILITY,
    ),
    stated(
        "alg4", "Algorithm 4", "a counter of the discrete correlated mechanism", r"P[1 + (Z + Z_i)/2 > 1 + \tau]",
        Law(
            "discrete_correlated", {"k": 4, "sigma": 2, "gap": Fraction(3, 2)},
            {"a": 1, "b": 1}, passing("a"), _discrete_passes,
        ),
        quantity=QuantityKind.PROBABILITY,
    ),
)  # fmt: skip
