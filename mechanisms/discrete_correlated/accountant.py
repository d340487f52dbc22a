"""Exact accountant of the discrete correlated stability histogram, float64 (`proofs_numeric`, lebeda2025.thm21.exact).

Convolutions of terms of one sign: relative errors stay below 1e-11 for a delta above 1e-13. Noise of sigma below 0.01
is none in doubles, which tells everything: 1 is the answer, at an epsilon above 1/(2 sigma^2) an upper bound.
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from mechanisms.mechanism import check_doubles
from proofs_numeric.arithmetic import Float64
from proofs_numeric.lebeda2025.theorem_21.exact_profile import exact_profile
from proofs_numeric.lebeda2025.theorem_21.with_sums import exact_with_sums

_MOST = 256
"""Largest k sigma max(k, 4) (counters, counts), about a second; Theorem 21 holds beyond."""
_LEAST = 0.01
"""Noise below it (counts, units of the sums) is none: all of its masses but that of 0 are below the least double."""
_MOST_OF_SUMS = 64
"""Largest k sigma_s (counters units of the sums), seconds."""


def delta(epsilon: float, *, k: int, sigma: float, gap: float) -> float:
    """Least delta at epsilon.

    Args:
        epsilon: >= 0 (nats).
        k: sparsity bound (counters), an integer >= 1.
        sigma: noise parameter (counts), > 0; k sigma max(k, 4) <= 256.
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
        sigma: noise parameter of the counters (counts), > 0; k sigma max(k, 4) <= 256.
        gap: threshold above 1 (counts), finite; only floor(2 gap) matters.
        sigma_s: parameter of the sums' discrete Gaussian noise (units of the sums), > 0; k sigma_s <= 64.
        per_sum: most that one user adds to one sum, either way, an integer.

    Raises:
        ValueError: a value out of range or NaN.
    """
    at = _setting(epsilon, k=k, sigma=sigma, gap=gap)
    check_doubles(per_sum=per_sum)
    if not (per_sum >= 1 and per_sum % 1 == 0):
        raise ValueError(f"expected an integer per_sum >= 1, got per_sum={per_sum}")
    if not (sigma_s > 0 and k * sigma_s <= _MOST_OF_SUMS):
        raise ValueError(f"expected 0 < k sigma_s <= {_MOST_OF_SUMS}, got k={k}, sigma_s={sigma_s}")
    return float(exact_with_sums(Float64(), **at, sigma_s=np.float64(max(sigma_s, _LEAST)), per_sum=int(per_sum)))


def _setting(epsilon: float, *, k: int, sigma: float, gap: float) -> dict[str, Any]:
    if not 0 <= epsilon < math.inf:
        raise ValueError(f"expected 0 <= epsilon < infinity (nats), got epsilon={epsilon}")
    k = _counters(k)
    if not 0 < sigma <= _reach(k):
        raise ValueError(
            f"expected 0 < k sigma max(k, 4) <= {_MOST}, got k={k}, sigma={sigma}; Theorem 21 holds beyond"
        )
    if not math.isfinite(gap):
        raise ValueError(f"expected a finite gap (counts), got gap={gap}")
    return {"epsilon": np.float64(epsilon), "sigma": np.float64(max(sigma, _LEAST)), "gap": Fraction(gap), "k": k}


def _reach(k: int) -> float:
    """Largest sigma."""
    return _MOST / (k * max(k, 4))


def _counters(k: int) -> int:
    check_doubles(k=k)
    if not (k >= 1 and k % 1 == 0):
        raise ValueError(f"expected an integer k >= 1 (counters), got k={k}")
    return int(k)


def gap(
    epsilon: float, delta_target: float, *, k: int, sigma: float, sums: tuple[float, int] | None = None
) -> Fraction:
    """Least gap >= 0 on the grid of half counts that keeps (epsilon, delta).

    ``sums`` are sigma_s and per_sum of the whole sums that the counters take along, if they do.

    Raises:
        ValueError: a value out of range, or a sigma at which shared counters alone exceed the target.
    """
    high = _far(sigma)
    if not _keeps_delta(epsilon, delta_target, k=k, sigma=sigma, halves=high, sums=sums):
        raise ValueError(f"expected a sigma that keeps delta={delta_target} on shared counters, got sigma={sigma}")
    low = -1
    while high - low > 1:
        middle = (low + high) // 2
        is_enough = _keeps_delta(epsilon, delta_target, k=k, sigma=sigma, halves=middle, sums=sums)
        low, high = (low, middle) if is_enough else (middle, high)
    return Fraction(high, 2)


def least(
    epsilon: float, delta_target: float, *, k: int, sums: tuple[float, int] | None = None
) -> tuple[Fraction, Fraction]:
    """Least noise that keeps (epsilon, delta) at some gap, sigma a multiple of 1/100, and the least gap at it.

    A hundredth less noise keeps it at no gap. ``sums`` are as in `gap`.

    Raises:
        ValueError: a value out of range, or a target out of the reach of sigma, as where the sums exceed it.
    """
    step, low, high = Fraction(1, 100), 0, int(100 * _reach(_counters(k)))

    def suffices(hundredths: int) -> bool:
        sigma = float(hundredths * step)
        return _keeps_delta(epsilon, delta_target, k=k, sigma=sigma, halves=_far(sigma), sums=sums)

    if not suffices(high):
        raise ValueError(
            f"expected delta={delta_target} within reach of sigma <= {high * step}, got k={k}, sums={sums}"
        )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if suffices(middle) else (middle, high)
    return high * step, gap(epsilon, delta_target, k=k, sigma=float(high * step), sums=sums)


def _far(sigma: float) -> int:
    """A gap, in half counts, at which no new counter is seen."""
    return max(2, math.ceil(40 * sigma))


def _keeps_delta(
    epsilon: float, delta_target: float, *, k: int, sigma: float, halves: int, sums: tuple[float, int] | None
) -> bool:
    if not 0 < delta_target < 1:
        raise ValueError(f"expected 0 < delta < 1, got delta={delta_target}")
    at: dict[str, Any] = {"k": k, "sigma": sigma, "gap": halves / 2}
    if sums is None:
        return delta(epsilon, **at) <= delta_target
    return delta_with_sums(epsilon, **at, sigma_s=sums[0], per_sum=sums[1]) <= delta_target
