"""The accountant of prior work: delta_infinite + delta_Gaussian (wilkins2024 Theorem 4.1 and (5.9)); an upper bound.

Up to twice the exact delta (`mechanisms.gaussian_sparse_histogram.accountant`), and at most 1 here although the printed
sum may exceed 1. Thresholds and epsilons come out too large, and are infinite on part of the feasible range.
"""

import math

from mechanisms.baselines import analytic_gaussian_accountant as gaussian
from mechanisms.gaussian_sparse_histogram import accountant as exact


def delta(epsilon: float, *, c_u: int, sigma: float, gap: float, mu_o: float = 0.0) -> float:
    """Upper bound min(1, delta_infinite + delta_Gaussian) on the delta at epsilon; parameters as for the exact one.

    Raises:
        ValueError: a value out of range or NaN.
    """
    exact.check_epsilon(epsilon)
    exact.check(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o)
    total = exact.delta_infinite(c_u, sigma, gap) + gaussian.profile(epsilon, exact.mu(c_u, sigma, mu_o))
    return min(1.0, max(total, exact.LEAST))


def epsilon(delta: float, *, c_u: int, sigma: float, gap: float, mu_o: float = 0.0) -> float:
    """Least epsilon >= 0 that the sum allows at delta; infinite for delta <= delta_infinite (delta_Gaussian > 0).

    Raises:
        ValueError: a value out of range or NaN.
    """
    gaussian.check_delta(delta)
    exact.check(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o)
    left = delta - exact.delta_infinite(c_u, sigma, gap)
    if left <= 0:
        return 0.0 if delta == 1 else math.inf
    return gaussian.epsilon(left, mu=exact.mu(c_u, sigma, mu_o))


def gap(epsilon: float, delta: float, *, c_u: int, sigma: float, mu_o: float = 0.0) -> float:
    """Least tau* - tau that the sum allows for (epsilon, delta); infinite for delta <= delta_Gaussian.

    Raises:
        ValueError: a value out of range or NaN.
    """
    gaussian.check_delta(delta)
    exact.check_epsilon(epsilon)
    exact.check(c_u=c_u, sigma=sigma, gap=0.0, mu_o=mu_o)
    left = delta - gaussian.profile(epsilon, exact.mu(c_u, sigma, mu_o))
    return math.inf if left <= 0 else exact.threshold(left, c_u=c_u, sigma=sigma)
