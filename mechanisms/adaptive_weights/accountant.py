"""Delta of the set union with adaptive weights, float64: an upper bound (claim thresholds.adaptive.delta)."""

import math

from mechanisms.baselines import analytic_gaussian_accountant as gaussian
from mechanisms.gaussian_sparse_histogram import accountant as sparse_histogram
from proofs_numeric.thresholds.adaptive import SHARE


def delta(epsilon: float, *, sigma: float, threshold: float, c_u: int) -> float:
    """Upper bound on delta at epsilon, whatever the level.

    Args:
        epsilon: >= 0 (nats).
        sigma: standard deviation of the noise (weights), > 0.
        threshold: T, what a noisy weight must exceed (weights).
        c_u: most keys that one user has.

    Raises:
        ValueError: a value out of range or NaN.
    """
    sparse_histogram.check_epsilon(epsilon)
    sparse_histogram.check(c_u=c_u, sigma=sigma, gap=threshold, mu_o=0.0)
    gap = threshold - float(SHARE) / c_u
    new = max(sparse_histogram.delta_infinite(keys, sigma, gap - 1 / math.sqrt(keys)) for keys in (1, int(c_u)))
    return new + (1 - new) * gaussian.delta(epsilon, mu=1 / sigma)
