"""The f-DP accountant of wilkins2024 Theorem 7.1; an upper bound, between the exact delta and the sum of the deltas.

    delta(epsilon) = max over a_= = 0 .. C_u of 1 - p^{a_=} (1 - f(mu(C_u - a_=), epsilon)),   p = Phi(gap / sigma),

with f(0, epsilon) = 0. Its maximiser is often strictly inside and the terms are not unimodal in a_= (they can go up,
down and up again), so no ternary search is sound. This one is: on a block a <= a_= <= b both factors are monotone,
hence no term exceeds 1 - p^b (1 - f(mu(C_u - a), epsilon)); blocks whose bound is not above the best term found are
dropped, the others are halved, all blocks of a level at once.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from mechanisms.baselines import analytic_gaussian_accountant as gaussian
from mechanisms.gaussian_sparse_histogram import accountant as exact
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.special import gaussian_profile

_SLACK = 1e-13
"""Blocks that could raise the maximum by less than this fraction are dropped; the result is raised by it."""


def delta(epsilon: float, *, c_u: int, sigma: float, gap: float, mu_o: float = 0.0) -> float:
    """Upper bound on the delta at epsilon: the maximum of Theorem 7.1, from above, within a relative 2e-13.

    Raises:
        ValueError: a value out of range or NaN.
    """
    exact.check_epsilon(epsilon)
    exact.check(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o)
    return max(_maximum(epsilon, c_u, sigma, gap, mu_o), exact.LEAST)


def epsilon(delta: float, *, c_u: int, sigma: float, gap: float, mu_o: float = 0.0) -> float:
    """Least epsilon >= 0 that Theorem 7.1 allows at delta, from above; infinite for delta < 1 - Phi(gap / sigma)^c_u.

    Raises:
        ValueError: a value out of range or NaN.
    """
    gaussian.check_delta(delta)
    exact.check(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o)
    if delta < min(1.0, exact.delta_infinite(c_u, sigma, gap) * (1 + _SLACK)):
        return math.inf
    return _least(lambda value: _maximum(value, c_u, sigma, gap, mu_o) <= delta, 0.0, 1.0)


def gap(epsilon: float, delta: float, *, c_u: int, sigma: float, mu_o: float = 0.0) -> float:
    """Least tau* - tau that Theorem 7.1 allows for (epsilon, delta), from above; infinite where no threshold is enough.

    Raises:
        ValueError: a value out of range or NaN.
    """
    lower = exact.gap(epsilon, delta, c_u=c_u, sigma=sigma, mu_o=mu_o)
    # At large gaps the maximum tends to the Gaussian term, so beyond that term's own value some gap is enough.
    if math.isfinite(lower) and gaussian.profile(epsilon, exact.mu(c_u, sigma, mu_o)) * (1 + _SLACK) >= delta:
        return math.inf
    if math.isinf(lower):
        return lower
    return _least(lambda value: _maximum(epsilon, c_u, sigma, value, mu_o) <= delta, lower, sigma)


def _maximum(epsilon: float, c_u: int, sigma: float, gap: float, mu_o: float) -> float:
    log_p = float(log_ndtr(gap / sigma))
    one_row = exact.mu(1, sigma, mu_o)

    def term(equal: NDArray[np.float64], above: NDArray[np.float64]) -> NDArray[np.float64]:
        with np.errstate(divide="ignore"):
            log_rest = np.log1p(-gaussian_profile(Float64(), epsilon, one_row * np.sqrt(above)))
        return np.asarray(-np.expm1(equal * log_p + log_rest))

    # The ends a_= = 0 and a_= = C_u are the two terms of the exact delta.
    best = exact.delta(epsilon, c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o)
    low, high = np.array([1.0]), np.array([c_u - 1.0])
    low, high = low[low <= high], high[low <= high]
    while low.size:
        middle = np.floor((low + high) / 2)
        best = max(best, float(np.max(term(middle, c_u - middle))))
        low, high = np.concatenate([low, middle + 1]), np.concatenate([middle, high])
        keep = (low <= high) & (term(high, c_u - low) > best * (1 + _SLACK))
        low, high = low[keep], high[keep]
    return min(1.0, best * (1 + _SLACK))


def _least(enough: Callable[[float], bool], low: float, step: float) -> float:
    """Least value >= low that is enough, from above, by doubling and bisection; infinity where none is."""
    if enough(low):
        return low
    high = low + step
    while not enough(high):
        if high > 1e300:
            return math.inf
        low, step = high, 2 * step
        high = low + step
    while high - low > 1e-13 * abs(high):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
