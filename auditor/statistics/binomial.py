"""Tails, masses and quantiles of the binomial and the beta law, by the incomplete beta function alone.

`scipy.stats` takes a second to import and thirty times as long for a call.
"""

from bisect import bisect_left

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincc, betainccinv, betaincinv

Floats = NDArray[np.float64]
Counts = NDArray[np.int64] | Floats | float


def upper_tail(k: Counts, n: int, p: Floats | float) -> Floats:
    """Return P[Binomial(n, p) >= k] for integers k of any sign; k and p broadcast."""
    inside, a, b = _shape(k, n)
    return np.where(np.asarray(k) <= 0, 1.0, np.where(inside, betainc(a, b, p), 0.0))


def lower_tail(k: Counts, n: int, p: Floats | float) -> Floats:
    """Return P[Binomial(n, p) < k] for integers k of any sign; k and p broadcast."""
    inside, a, b = _shape(k, n)
    return np.where(np.asarray(k) <= 0, 0.0, np.where(inside, betaincc(a, b, p), 1.0))


def _shape(k: Counts, n: int) -> tuple[NDArray[np.bool_], Floats, Floats]:
    """Return the mask 0 < k <= n, and there the beta parameters of the k-th smallest of n uniform variables."""
    k = np.asarray(k, dtype=np.float64)
    inside = (k > 0) & (k <= n)
    return inside, np.where(inside, k, 1.0), np.where(inside, n - k + 1.0, 1.0)


def fewest_below(n: int, p: float, tail: float) -> int:
    """Return the least k with P[Binomial(n, p) >= k] <= tail; n + 1 at most."""
    return bisect_left(range(n + 1), True, key=lambda k: float(upper_tail(k, n, p)) <= tail)  # noqa: FBT003


def fewest_above(n: int, p: float, tail: float) -> int:
    """Return the least k with P[Binomial(n, p) <= k] >= tail; n at most."""
    return bisect_left(range(n), True, key=lambda k: float(lower_tail(k + 1, n, p)) >= tail)  # noqa: FBT003


def masses(counts: Floats, n: int, p: Floats | float) -> Floats:
    """Return the masses of Binomial(n, p) at consecutive counts, normalised to sum 1.

    Args:
        counts: (m,), increasing by 1; they must carry nearly all of the mass.
        n: trials.
        p: in [0, 1); (..., 1) for several laws.
    """
    with np.errstate(divide="ignore"):
        steps = np.log((n - counts[:-1]) / (counts[:-1] + 1.0)) + np.log(p) - np.log1p(-np.asarray(p))
    logs = np.concatenate([np.zeros_like(steps[..., :1]), np.cumsum(steps, axis=-1)], axis=-1)
    weights = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def beta_quantile(tail: float, a: float, b: float) -> float:
    """Return x with P[Beta(a, b) <= x] = tail."""
    return float(betaincinv(a, b, tail))


def beta_upper_quantile(tail: float, a: Counts, b: Counts) -> Floats:
    """Return x with P[Beta(a, b) > x] = tail; a and b broadcast."""
    return np.asarray(betainccinv(a, b, tail))
