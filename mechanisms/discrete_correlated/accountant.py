"""Exact accountant of the discrete correlated stability histogram, float64 (`proofs_numeric`, lebeda2025.thm21.exact).

Convolutions of terms of one sign: relative errors stay below 1e-11 for a delta above 1e-13.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from proofs_numeric.arithmetic import Float64
from proofs_numeric.lebeda2025.theorem_21.exact_profile import exact_profile
from proofs_numeric.lebeda2025.theorem_21.with_sums import exact_with_sums

_MOST = 16
"""Largest k sigma (counters counts), about a second; Theorem 21 holds beyond."""
_MOST_OF_SUMS = 64
"""Largest k sigma_s (counters units of the sums), seconds."""


def delta(epsilon: float, *, k: int, sigma: float, gap: float) -> float:
    """Least delta at epsilon.

    Args:
        epsilon: >= 0 (nats).
        k: sparsity bound (counters), an integer >= 1.
        sigma: noise parameter (counts), > 0; k sigma <= 16.
        gap: threshold above 1 (counts), finite; only floor(2 gap) matters.

    Raises:
        ValueError: a value out of range or NaN.
    """
    return float(exact_profile(Float64(), **_setting(epsilon, k=k, sigma=sigma, gap=gap)))


def delta_with_sums(epsilon: float, *, k: int, sigma: float, gap: float, sigma_s: float, per_sum: int) -> float:
    """Least delta at epsilon of counters that take whole sums along (`lebeda2025.thm21.sums`).

    Args:
        epsilon: >= 0 (nats).
        k: sparsity bound (counters), an integer >= 1.
        sigma: noise parameter of the counters (counts), > 0; k sigma <= 16.
        gap: threshold above 1 (counts), finite; only floor(2 gap) matters.
        sigma_s: parameter of the sums' discrete Gaussian noise (units of the sums), > 0; k sigma_s <= 64.
        per_sum: most that one user adds to one sum, either way, an integer.

    Raises:
        ValueError: a value out of range or NaN.
    """
    at = _setting(epsilon, k=k, sigma=sigma, gap=gap)
    if not (per_sum >= 1 and per_sum % 1 == 0):
        raise ValueError(f"expected an integer per_sum >= 1, got per_sum={per_sum}")
    if not (sigma_s > 0 and k * sigma_s <= _MOST_OF_SUMS):
        raise ValueError(f"expected 0 < k sigma_s <= {_MOST_OF_SUMS}, got k={k}, sigma_s={sigma_s}")
    return float(exact_with_sums(Float64(), **at, sigma_s=np.float64(sigma_s), per_sum=int(per_sum)))


def _setting(epsilon: float, *, k: int, sigma: float, gap: float) -> dict[str, Any]:
    if not 0 <= epsilon < math.inf:
        raise ValueError(f"expected 0 <= epsilon < infinity (nats), got epsilon={epsilon}")
    if not (k >= 1 and k % 1 == 0):
        raise ValueError(f"expected an integer k >= 1 (counters), got k={k}")
    if not (sigma > 0 and k * sigma <= _MOST):
        raise ValueError(f"expected 0 < k sigma <= {_MOST}, got k={k}, sigma={sigma}; Theorem 21 holds beyond")
    if not math.isfinite(gap):
        raise ValueError(f"expected a finite gap (counts), got gap={gap}")
    return {"epsilon": np.float64(epsilon), "sigma": np.float64(sigma), "gap": Fraction(gap), "k": int(k)}


def gap(epsilon: float, delta_target: float, *, k: int, sigma: float) -> Fraction:
    """Least gap >= 0 on the grid of half counts that keeps (epsilon, delta).

    Raises:
        ValueError: a value out of range, or a sigma at which shared counters alone exceed the target.
    """
    if not 0 < delta_target < 1:
        raise ValueError(f"expected 0 < delta < 1, got delta={delta_target}")

    def kept(halves: int) -> bool:
        return delta(epsilon, k=k, sigma=sigma, gap=halves / 2) <= delta_target

    high = max(2, math.ceil(40 * sigma))
    if not kept(high):
        raise ValueError(f"expected a sigma that keeps delta={delta_target} on shared counters, got sigma={sigma}")
    low = -1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if kept(middle) else (middle, high)
    return Fraction(high, 2)
