"""Accountants of several releases of the correlated stability histogram, float64 (claims lebeda2025.composition.*).

`repeated_delta`: the same data every time. `adaptive_delta`: data chosen after the earlier
releases were seen. `cost`: what one release takes of the ledger's budgets, which other mechanisms may share.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mechanisms.correlated_stability_histogram import accountant
from mechanisms.gaussian_sparse_histogram.ledger import Cost
from proofs_numeric.arithmetic import Float64
from proofs_numeric.lebeda2025.composition import chosen_data, same_data
from proofs_numeric.lebeda2025.exact.pair import new_released, shared_mu, worst_change

_ROUNDING = 1e-11
"""Above the relative rounding of a million releases' profile."""


def repeated_delta(epsilon: float, *, releases: int, k: int, sigma: float, gap: float) -> float:
    """Upper bound on the delta at epsilon of releases of the same data; exact where the certificate holds.

    Args:
        epsilon: >= 0 (nats).
        releases: how many, an integer >= 1.
        k: sparsity bound, 1 to 10^6.
        sigma: deviation of one counter's own noise (counts), > 0.
        gap: threshold above the lower threshold (counts), any finite real.

    Raises:
        ValueError: a parameter outside its domain.
    """
    return _rounded(same_data, epsilon, releases=releases, k=k, sigma=sigma, gap=gap)


def adaptive_delta(epsilon: float, *, releases: int, k: int, sigma: float, gap: float) -> float:
    """Upper bound where the data of a release may depend on the releases before; parameters as above.

    Raises:
        ValueError: a parameter outside its domain.
    """
    return _rounded(chosen_data, epsilon, releases=releases, k=k, sigma=sigma, gap=gap)


def cost(*, k: int, sigma: float, gap: float) -> Cost:
    """What one release takes of a ledger's budgets: ``-log(1 - A_k)`` and the worst ``mu_k^2``.

    Raises:
        ValueError: a parameter outside its domain, or a gap at which some counter is certain to be released.
    """
    accountant.delta(0.0, k=k, sigma=sigma, gap=gap)
    at: dict[str, Any] = {"k": k, "sigma": np.float64(sigma)}
    new = float(new_released(Float64(), **at, gap=np.float64(gap), l=k))
    if not new * (1 + _ROUNDING) < 1:
        raise ValueError(f"expected a gap at which silence has a probability, got gap={gap} at sigma={sigma} and k={k}")
    mu = float(shared_mu(Float64(), **at, d=k, j=worst_change(k, k)))
    return Cost(-math.log1p(-new * (1 + _ROUNDING)), mu * mu * (1 + _ROUNDING))


def _rounded(formula: Any, epsilon: float, *, releases: int, k: int, sigma: float, gap: float) -> float:
    accountant.delta(epsilon, k=k, sigma=sigma, gap=gap)
    if not (releases >= 1 and releases % 1 == 0):
        raise ValueError(f"expected an integer releases >= 1, got releases={releases}")
    at = {"epsilon": np.float64(epsilon), "sigma": np.float64(sigma), "gap": np.float64(gap)}
    return min(1.0, float(formula(Float64(), **at, releases=int(releases), k=int(k))) * (1 + _ROUNDING))
