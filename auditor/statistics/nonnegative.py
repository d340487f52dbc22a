"""Lower confidence bounds for the mean of a nonnegative variable, unbounded above, valid at every time.

For X_1, X_2, ... >= 0 with conditional means at most m, the capital of a bettor who stakes the share lambda in every
round,

    K_t(lambda) = prod_{s <= t} (1 + lambda (X_s / m - 1)),  0 <= lambda < 1,

is a nonnegative supermartingale, and so is its average over stakes. It ever reaches 1 / alpha with probability at most
alpha (Ville). No bound on X is needed, so X may be an importance weight. Each factor decreases in m: the rejected means
are a lower set, and its end is a lower confidence bound at every time (Waudby-Smith & Ramdas 2024, section 4).
"""

import math

import numpy as np
from numpy.typing import NDArray

from auditor.statistics.betting import log_sum_exp

Floats = NDArray[np.float64]

STAKES = np.geomspace(1e-4, 0.98, 24)
"""Stakes, as shares of the capital; each starts with an equal part of the capital."""
BISECTIONS = 30
SMALLEST = 1e-300
QUANTILE = 1.645
"""95 % quantile of the standard normal law."""
LARGEST_FACTOR = 1e9


def log_capital(values: Floats, mean: float) -> Floats:
    """Return the log-capital after each round against "the mean is at most `mean`", (n,).

    Args:
        values: (n,), >= 0.
        mean: > 0.

    Raises:
        ValueError: a negative value or mean, or NaN.
    """
    if not (mean > 0 and (values >= 0).all()):
        raise ValueError(f"expected mean > 0 and values >= 0, got mean={mean} and {len(values)} values")
    gains = np.log1p(STAKES[:, None] * (values / mean - 1.0))
    return log_sum_exp(np.cumsum(gains, axis=1), axis=0) - math.log(len(STAKES))


def best_growth(values: Floats, mean: float) -> float:
    """Return the mean growth per round, in hindsight, of the best constant stake against a mean of at most `mean`."""
    return float(np.log1p(STAKES[:, None] * (values / mean - 1.0)).mean(axis=1).max())


def mean_upper(values: Floats, most: float, alpha: float) -> float:
    """Return the upper bound on the mean at level alpha, valid at every time, for values of at most `most`.

    It is `most` minus the lower bound on the mean of `most` minus the value.
    """
    return most - mean_lower(np.maximum(most - values, 0.0), alpha)


def mean_lower(values: Floats, alpha: float) -> float:
    """Return the lower bound on the mean at level alpha, valid at every time; 0 if no mean is rejected."""
    needed = -math.log(alpha)

    def rejected(mean: float) -> bool:
        return bool(log_capital(values, mean).max() >= needed)

    low = float((np.cumsum(values) / np.arange(1, len(values) + 1)).max(initial=0.0))
    while low > SMALLEST and not rejected(low):
        low *= 0.5
    if low <= SMALLEST:
        return 0.0
    high = 2.0 * low
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if rejected(middle) else (low, middle)
    return low


def detectable_mean(values: Floats, claimed: float, alpha: float) -> float:
    """Return approximately the smallest mean that n scaled values refute with probability .95; 1 if none.

    The estimate scales the values to the candidate mean. It approximates the log-capital at the best constant stake by
    a normal law.

    Args:
        values: (n,), >= 0.
        claimed: largest mean under the null hypothesis.
        alpha: level.
    """
    n, mean = len(values), float(values.mean()) if len(values) else 0.0
    if mean <= 0:
        return 1.0
    needed = -math.log(alpha) + math.log(len(STAKES))

    def refutes(factor: float) -> bool:
        gains = np.log1p(STAKES[:, None] * (values * (factor / mean) - 1.0))
        return bool((n * gains.mean(axis=1) - QUANTILE * math.sqrt(n) * gains.std(axis=1)).max() >= needed)

    if not refutes(LARGEST_FACTOR):
        return 1.0
    low, high = 1.0, LARGEST_FACTOR
    while high > low * 1.001:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if refutes(middle) else (middle, high)
    return min(1.0, claimed * high)
