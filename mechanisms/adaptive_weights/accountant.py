"""Delta of the set union with adaptive weights, float64: an upper bound (claim thresholds.adaptive.level)."""

from mechanisms.weighted_set_union import accountant as weighted
from proofs_numeric.thresholds.adaptive import SHARE


def delta(epsilon: float, *, sigma: float, threshold: float, c_u: int) -> float:
    """Upper bound on delta at epsilon, the level at least 1.

    Args:
        epsilon: >= 0 (nats).
        sigma: standard deviation of the noise (weights), > 0.
        threshold: T, what a noisy weight must exceed (weights).
        c_u: most keys that one user has.

    Raises:
        ValueError: a value out of range or NaN.
    """
    lowered = threshold - float(SHARE) / max(c_u, 1)
    return weighted.delta(epsilon, sigma=sigma, threshold=lowered, c_u=c_u)
