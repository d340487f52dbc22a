"""Exact accountant of the weighted Gaussian set union, float64 (`proofs_numeric`, thresholds.weighted.delta)."""

import math

from mechanisms.baselines import analytic_gaussian_accountant as gaussian
from mechanisms.gaussian_sparse_histogram import accountant as sparse_histogram


def delta(epsilon: float, *, sigma: float, threshold: float, c_u: int) -> float:
    """Least delta at epsilon.

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
    new = (sparse_histogram.delta_infinite(keys, sigma, threshold - 1 / math.sqrt(keys)) for keys in (1, int(c_u)))
    return max(gaussian.delta(epsilon, mu=1 / sigma), *new)


def least(epsilon: float, delta_target: float, *, c_u: int) -> tuple[float, float]:
    """Least sigma at which some threshold keeps (epsilon, delta), and the least such threshold, both rounded up.

    Args:
        epsilon: >= 0 (nats).
        delta_target: 0 < delta < 1.
        c_u: most keys that one user has.

    Raises:
        ValueError: a value out of range or NaN.
    """
    if not 0 < delta_target < 1:
        raise ValueError(f"expected 0 < delta < 1, got delta={delta_target}")
    sigma = gaussian.sigma(epsilon, delta_target, sensitivity=1.0)
    gaps = (1 / math.sqrt(keys) + sparse_histogram.threshold(delta_target, c_u=keys, sigma=sigma) for keys in (1, c_u))
    threshold = max(gaps)
    while delta(epsilon, sigma=sigma, threshold=threshold, c_u=c_u) > delta_target:
        sigma, threshold = sigma * (1 + 2**-52), threshold * (1 + 2**-52)
    return sigma, threshold
