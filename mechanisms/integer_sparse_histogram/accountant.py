"""Exact accountant of the integer sparse histogram, float64 (`proofs_numeric`, thresholds.gaussian.integer.profile).

Masses are convolved in doubles, all of one sign: relative errors stay below 1e-11, and a delta below 1e-290 is reported
larger, by what the tables leave out. Several releases, and such beside other mechanisms: `release`.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from mechanisms.gaussian_sparse_histogram.composed_accountant import Release, adaptive_delta
from mechanisms.mechanism import check_doubles
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.discrete_gaussian import LEFT_OUT
from proofs_numeric.arithmetic.special import normal_quantile_complement
from proofs_numeric.thresholds import integer_profile, integer_sums
from proofs_numeric.thresholds.integer import discrete_gaussian_tail
from proofs_numeric.thresholds.integer_releases import LITTLE, MOST_MOVED, moved_distance

_ROUNDING = 1e-11
"""Above the relative rounding of a row's chance and distance."""
_LEAST = 1e-300
"""Chances below are reported as this."""
_MOST = 500
"""Largest sigma c_u (counts keys), about a second; beyond, the Gaussian sparse histogram's numbers are close."""


def delta(epsilon: float, *, sigma: float, threshold: int, c_u: int, per_key: int = 1) -> float:
    """Least delta at epsilon.

    Args:
        epsilon: >= 0 (nats).
        sigma: parameter of the noise (counts), > 0.
        threshold: least noisy count that is released, an integer above per_key.
        c_u: most keys that one user changes.
        per_key: most that one user changes one count.

    Raises:
        ValueError: a value out of range or NaN.
    """
    at = _setting(epsilon, sigma=sigma, threshold=threshold, c_u=c_u, per_key=per_key)
    return _upper(float(integer_profile.exact_profile(Float64(), **at)), c_u)


def delta_with_sums(
    epsilon: float, *, sigma: float, threshold: int, c_u: int, sigma_s: float, per_sum: int, per_key: int = 1
) -> float:
    """Least delta at epsilon of counts that take whole sums along (`thresholds.gaussian.integer.sums`).

    Args:
        epsilon: >= 0 (nats).
        sigma: parameter of the counts' noise (counts), > 0.
        threshold: least noisy count that is released, an integer above per_key.
        c_u: most keys that one user changes.
        sigma_s: parameter of the sums' noise (units of the sums), > 0.
        per_sum: most that one user adds to one sum, either way, an integer.
        per_key: most that one user changes one count.

    Raises:
        ValueError: a value out of range or NaN.
    """
    at = _setting(epsilon, sigma=sigma, threshold=threshold, c_u=c_u, per_key=per_key)
    check_doubles(per_sum=per_sum)
    if not (per_sum >= 1 and per_sum % 1 == 0):
        raise ValueError(f"expected an integer per_sum >= 1, got per_sum={per_sum}")
    if not 0 < sigma_s * c_u <= _MOST:
        raise ValueError(f"expected 0 < sigma_s c_u <= {_MOST}, got sigma_s={sigma_s}, c_u={c_u}")
    sums = {"sigma_s": np.float64(sigma_s), "per_sum": int(per_sum)}
    return _upper(float(integer_sums.exact_with_sums(Float64(), **at, **sums)), c_u)


def _upper(profile: float, c_u: int) -> float:
    """Add what the tables leave out: twice of a new key's chance, below 1/2, and of a moved key's count and sum."""
    return min(1.0, profile + 2 * c_u * LEFT_OUT)


def _setting(epsilon: float, *, sigma: float, threshold: int, c_u: int, per_key: int) -> dict[str, Any]:
    if not 0 <= epsilon < math.inf:
        raise ValueError(f"expected 0 <= epsilon < infinity (nats), got epsilon={epsilon}")
    _check_threshold(threshold, per_key, c_u=c_u)
    if not 0 < sigma * c_u <= _MOST:
        raise ValueError(f"expected 0 < sigma c_u <= {_MOST} (counts keys), got sigma={sigma}, c_u={c_u}")
    keys = {"threshold": int(threshold), "c_u": int(c_u), "per_key": int(per_key)}
    return {"epsilon": np.float64(epsilon), "sigma": np.float64(sigma), **keys}


def check_keys(**whole: int) -> None:
    """Raise ValueError unless each is an integer >= 1."""
    check_doubles(**whole)
    for name, value in whole.items():
        if not (value >= 1 and value % 1 == 0):
            raise ValueError(f"expected an integer {name} >= 1, got {name}={value}")


def _check_threshold(threshold: int, per_key: int, **whole: int) -> None:
    check_keys(threshold=threshold, per_key=per_key, **whole)
    if not threshold > per_key:
        raise ValueError(f"expected threshold > per_key={per_key} (counts), got {threshold}")


def release(
    *, sigma: float, threshold: int, c_u: int, per_key: int = 1, sums: tuple[float, int] | None = None
) -> Release:
    """The Gaussian release that this one is no worse than: what ledgers and schedules take.

    Args:
        sigma: parameter of the noise (counts), from per_key/8 to 10^4.
        threshold: least noisy count that is released, an integer above per_key.
        c_u: most keys that one user changes.
        per_key: most that one user changes one count.
        sums: sigma_s, at least per_sum/8, and per_sum of the whole sums that the counts take along, if they do.

    Raises:
        ValueError: a value out of range or NaN.
    """
    _check_threshold(threshold, per_key, c_u=c_u)
    row = _distance(sigma, per_key)
    tail = float(discrete_gaussian_tail(Float64(), np.float64(sigma), int(threshold - per_key))) * (1 + _ROUNDING)
    gap = float(normal_quantile_complement(Float64(), max(tail, _LEAST))) / row
    return Release(int(c_u), 1 / row, gap * (1 - _ROUNDING), 0.0 if sums is None else _distance(*sums))


def _distance(sigma: float, most: int) -> float:
    if not (most / MOST_MOVED <= sigma <= 1e4 and most % 1 == 0):
        raise ValueError(f"expected {LITTLE} and sigma <= 10^4 (counts), got sigma={sigma}, per_key={most}")
    return float(moved_distance(Float64(), sigma=np.float64(sigma), per_key=int(most))) * (1 + _ROUNDING)


def releases_delta(epsilon: float, *, releases: int, sigma: float, threshold: int, c_u: int, per_key: int = 1) -> float:
    """Upper bound on the delta at epsilon of releases of which each may depend on those before.

    Args:
        epsilon: >= 0 (nats).
        releases: how many, an integer >= 1.
        sigma: as the other parameters, those of :func:`release`.
        threshold: least noisy count that is released.
        c_u: most keys that one user changes in one release.
        per_key: most that one user changes one count.

    Raises:
        ValueError: a value out of range or NaN.
    """
    check_keys(releases=releases)
    one = release(sigma=sigma, threshold=threshold, c_u=c_u, per_key=per_key)
    return adaptive_delta(epsilon, [Release(int(releases * c_u), one.sigma, one.gap)])


def least(
    epsilon: float, delta_target: float, *, c_u: int, per_key: int = 1, sums: tuple[float, int] | None = None
) -> tuple[Fraction, int]:
    """Least noise and threshold that keep (epsilon, delta): sigma, a multiple of 1/100, and then the threshold.

    A hundredth less noise keeps it at no threshold. Below sigma = 1 delta may rise and fall again: a lesser one may.

    Args:
        epsilon: >= 0 (nats).
        delta_target: 0 < delta < 1.
        c_u: most keys that one user changes.
        per_key: most that one user changes one count.
        sums: sigma_s and per_sum of the whole sums that the counts take along, if they do.

    Raises:
        ValueError: a value out of range, or a target that sigma c_u = 500 does not reach, as where the sums exceed it.
    """
    if not 0 < delta_target < 1:
        raise ValueError(f"expected 0 < delta < 1, got delta={delta_target}")
    step, keys = Fraction(1, 100), {"c_u": c_u, "per_key": per_key}

    def suffices(hundredths: int, threshold: int) -> bool:
        at: dict[str, Any] = {"sigma": float(hundredths * step), "threshold": threshold, **keys}
        if sums is None:
            return delta(epsilon, **at) <= delta_target
        return delta_with_sums(epsilon, **at, sigma_s=sums[0], per_sum=sums[1]) <= delta_target

    def far(hundredths: int) -> int:
        return per_key + 40 * (hundredths // 100 + 1)

    return least_setting(suffices, far, per_key)


def least_setting(
    suffices: Callable[[int, int], bool], far: Callable[[int], int], per_key: int
) -> tuple[Fraction, int]:
    """Return the least noise, in hundredths, that keeps the promise at a large threshold, and its least threshold.

    Args:
        suffices: (hundredths of the noise, threshold) -> whether they keep the promise.
        far: hundredths of the noise -> a threshold that no new key passes.
        per_key: most that one user changes one count.

    """
    high = 100
    while not suffices(high, far(high)):
        high *= 2
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if suffices(middle, far(middle)) else (middle, high)
    below, above = per_key, far(high)
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (below, middle) if suffices(high, middle) else (middle, above)
    return Fraction(high, 100), above
