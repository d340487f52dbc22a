"""Exact accountants of Algorithm 1 of rogers2024 at a threshold T, float64: Gaussian and Laplace noise.

What Theorem 7 bounds (`proofs_numeric`, claims rogers2024.thm7.gaussian.exact and rogers2024.thm7.laplace.exact):
(epsilon, delta) of Theorem 7 with Theorem 3 costs more noise and a larger T for the same promise.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from mechanisms.baselines import analytic_gaussian_accountant
from mechanisms.gaussian_sparse_histogram import accountant as sparse_histogram
from mechanisms.gaussian_sparse_histogram.composed_accountant import Release
from mechanisms.mechanism import check_doubles
from proofs_numeric.arithmetic import Float64
from proofs_numeric.rogers2024.theorem_7 import exact_profile

_FAR = 700
"""Scales beyond which no new label shows."""
_MOST_LABELS = 50
"""Above it the Laplace profile loses more than a digit to cancellation, and a second of time."""


def gaussian_delta(epsilon: float, *, delta_0: int, delta_inf: int, sigma: float, T: float) -> float:
    """Least delta at epsilon with Gaussian noise.

    Args:
        epsilon: >= 0 (nats).
        delta_0: most labels that a user changes, an integer >= 1.
        delta_inf: most by which one count changes, an integer >= 1.
        sigma: standard deviation of the noise (counts), > 0 and finite.
        T: what a noisy count must exceed (counts), > 0 and finite.

    Raises:
        ValueError: a value out of range or NaN.
    """
    _check(epsilon, delta_0, delta_inf, sigma=sigma, T=T)
    new = sparse_histogram.delta_infinite(delta_0, sigma, T - delta_inf)
    return max(new, analytic_gaussian_accountant.delta(epsilon, mu=math.sqrt(delta_0) * delta_inf / sigma))


def gaussian_noise(epsilon: float, delta: float, *, delta_0: int, delta_inf: int) -> tuple[float, float]:
    """Least sigma at which some T keeps (epsilon, delta), and the least such T, both rounded up; 0 < delta < 1.

    Raises:
        ValueError: a value out of range or NaN.
    """
    _check(epsilon, delta_0, delta_inf, delta=delta)
    sigma = delta_inf * sparse_histogram.sigma(epsilon, delta, c_u=delta_0)
    T = delta_inf + sparse_histogram.threshold(delta, c_u=delta_0, sigma=sigma)
    while gaussian_delta(epsilon, delta_0=delta_0, delta_inf=delta_inf, sigma=sigma, T=T) > delta:
        sigma, T = sigma * (1 + 2**-52), T * (1 + 2**-52)
    return sigma, T


def release(*, delta_0: int, delta_inf: int, sigma: float, T: float) -> Release:
    """Algorithm 1 with Gaussian noise as a release of the sparse histogram, for its ledger and its composition.

    Raises:
        ValueError: a value out of range or NaN.
    """
    _check(0.0, delta_0, delta_inf, sigma=sigma, T=T)
    return Release(delta_0, sigma / delta_inf, (T - delta_inf) / delta_inf)


def laplace_delta(epsilon: float, *, delta_0: int, delta_inf: int, b: float, T: float) -> float:
    """Least delta at epsilon with Laplace noise of scale b (counts), delta_0 <= 50; relative error below 1e-12.

    Raises:
        ValueError: a value out of range or NaN.
    """
    _check(epsilon, delta_0, delta_inf, b=b, T=T)
    if delta_0 > _MOST_LABELS:
        raise ValueError(f"expected delta_0 <= {_MOST_LABELS} (labels) with Laplace noise, got delta_0={delta_0}")
    at: dict[str, Any] = {name: np.float64(x) for name, x in (("epsilon", epsilon), ("b", b), ("T", T))}
    exact = exact_profile.laplace_exact(Float64(), delta_0=int(delta_0), delta_inf=np.float64(delta_inf), **at)
    # A sum of terms may be rounded above 1; a delta that no double holds is told as the least one.
    return min(1.0, max(float(exact), sparse_histogram.LEAST))


def laplace_noise(epsilon: float, delta: float, *, delta_0: int, delta_inf: int) -> tuple[float, float]:
    """Least b at which some T keeps (epsilon, delta) with Laplace noise, and the least such T, both rounded up.

    To a part in 1e9; delta_0 <= 50, 0 < delta < 1.

    Raises:
        ValueError: a value out of range or NaN.
    """
    _check(epsilon, delta_0, delta_inf, delta=delta)

    def least(holds: Callable[[float], bool], high: float) -> float:
        while not holds(high):
            high *= 2
        low = 0.0
        while high - low > 1e-9 * high:
            middle = (low + high) / 2
            low, high = (low, middle) if holds(middle) else (middle, high)
        return high

    at = {"delta_0": delta_0, "delta_inf": delta_inf}
    b = least(lambda b: laplace_delta(epsilon, b=b, T=delta_inf + _FAR * b, **at) <= delta, float(delta_inf))
    beyond = least(lambda beyond: laplace_delta(epsilon, b=b, T=delta_inf + beyond, **at) <= delta, b)
    return b, delta_inf + beyond


def _check(epsilon: float, delta_0: float, delta_inf: float, **positive: float) -> None:
    sparse_histogram.check_epsilon(epsilon)
    check_doubles(delta_0=delta_0, delta_inf=delta_inf)
    for name, value in (("delta_0", delta_0), ("delta_inf", delta_inf)):
        if not (value >= 1 and value % 1 == 0):
            raise ValueError(f"expected an integer {name} >= 1, got {name}={value}")
    for name, value in positive.items():
        most = 1 if name == "delta" else math.inf
        if not 0 < value < most:
            raise ValueError(f"expected 0 < {name} < {most}, got {name}={value}")
