"""Exact accountant of the geometric sparse histogram, float64 (`proofs_numeric`, thresholds.laplace.integer.profile).

Masses are convolved in doubles, all of one sign: relative errors stay below 1e-11.
"""

import math
from fractions import Fraction

import numpy as np

from mechanisms.integer_sparse_histogram.accountant import check_keys, least_setting
from proofs_numeric.arithmetic import Float64
from proofs_numeric.thresholds.laplace import laplace_integer_profile

_MOST = 200
"""Largest c_u per_key (counts), about a second."""
_FAR = 700
"""Scales beyond which no new key passes."""


def delta(epsilon: float, *, scale: float, threshold: int, c_u: int, per_key: int = 1) -> float:
    """Least delta at epsilon.

    Args:
        epsilon: >= 0 (nats).
        scale: b of the noise (counts), > 0.
        threshold: least noisy count that is released, an integer >= 1.
        c_u: most keys that one user changes; c_u per_key <= 200.
        per_key: most that one user changes one count.

    Raises:
        ValueError: a value out of range or NaN.
    """
    if not 0 <= epsilon < math.inf:
        raise ValueError(f"expected 0 <= epsilon < infinity (nats), got epsilon={epsilon}")
    check_keys(threshold=threshold, c_u=c_u, per_key=per_key)
    if not 0 < scale < math.inf:
        raise ValueError(f"expected 0 < scale < infinity (counts), got scale={scale}")
    if c_u * per_key > _MOST:
        raise ValueError(f"expected c_u per_key <= {_MOST} (counts), got c_u={c_u}, per_key={per_key}")
    keys = {"threshold": int(threshold), "c_u": int(c_u), "per_key": int(per_key)}
    value = laplace_integer_profile(Float64(), epsilon=np.float64(epsilon), scale=np.float64(scale), **keys)
    return min(1.0, float(value))


def least(epsilon: float, delta_target: float, *, c_u: int, per_key: int = 1) -> tuple[Fraction, int]:
    """Least noise and threshold that keep (epsilon, delta): the scale, a multiple of 1/100, and then the threshold.

    A hundredth less noise keeps it at no threshold.

    Args:
        epsilon: >= 0 (nats).
        delta_target: 0 < delta < 1.
        c_u: most keys that one user changes.
        per_key: most that one user changes one count.

    Raises:
        ValueError: a value out of range.
    """
    if not 0 < delta_target < 1:
        raise ValueError(f"expected 0 < delta < 1, got delta={delta_target}")

    def suffices(hundredths: int, threshold: int) -> bool:
        at = {"threshold": threshold, "c_u": c_u, "per_key": per_key}
        return delta(epsilon, scale=hundredths / 100, **at) <= delta_target

    return least_setting(suffices, lambda hundredths: per_key + _FAR * (hundredths // 100 + 1), per_key)
