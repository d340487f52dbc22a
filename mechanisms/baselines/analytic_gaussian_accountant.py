"""Exact accountant of the Gaussian mechanism, in float64 and in microseconds.

The delta at epsilon of two unit normals at distance mu is

    f(mu, epsilon) = Phi(A) - e^epsilon Phi(B) = Phi(A) - phi(A) R(B),   A = mu/2 - epsilon/mu,  B = A - mu,

with R = Phi/phi (Balle and Wang 2018; wilkins2024 Theorem 2.2). e^epsilon is never formed. The printed difference loses
all its digits for small mu; the regimes below keep the relative error under 1e-12 wherever the value is a normal double
(the borders were found by measuring against Arb):

* mu >= max(1, z)/50, z = epsilon/mu: the difference itself, as phi(A) [R(A) - R(B)] for A <= 0;
* smaller mu: the odd Taylor terms of R about -z, phi(A) times the sum of 2 (mu/2)^k M_k / k!, where the derivatives
  M_k = R^(k)(-z) = int_0^inf t^k exp(-z t - t^2/2) dt are positive and come from M_{k+1} = k M_{k-1} - z M_k, for
  z < 4, and through the continued fraction of M_k / M_{k-1} beyond, where that recurrence cancels.
"""

import math
from collections.abc import Callable

from scipy.special import ndtri_exp
from scipy.special.cython_special import erfcx

from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.roots import increasing_root

_A = Float64()
_SQRT_2 = math.sqrt(2)
_SQRT_HALF_PI = math.sqrt(math.pi / 2)
_INV_SQRT_2PI = 1 / math.sqrt(2 * math.pi)
_LEAST_LOG = -760.0
"""Stands for the logarithm of a delta that has underflowed."""


def delta(epsilon: float, *, mu: float) -> float:
    """Least delta of the Gaussian mechanism at epsilon: the exact f(mu, epsilon), the least double where it is less.

    Args:
        epsilon: any real (nats), infinities too; below 0 through f(mu, -e) = 1 - exp(-e) + exp(-e) f(mu, e).
        mu: distance of the means in standard deviations, >= 0.

    Raises:
        ValueError: mu out of range, or NaN.
    """
    if math.isnan(epsilon):
        raise ValueError(f"expected a real epsilon (nats), got epsilon={epsilon}")
    if not mu >= 0:
        raise ValueError(f"expected mu >= 0 (no unit), got mu={mu}")
    if epsilon >= 0:
        return max(profile(epsilon, mu), math.ulp(0.0) if mu > 0 and epsilon < math.inf else 0.0)
    return -math.expm1(epsilon) + math.exp(epsilon) * profile(-epsilon, mu)


def epsilon(delta: float, *, mu: float) -> float:
    """Least epsilon >= 0 with f(mu, epsilon) <= delta; infinite for delta = 0 < mu.

    Rounded up: `profile` at the returned value does not exceed delta.

    Raises:
        ValueError: delta outside [0, 1], mu negative or infinite, or NaN.
    """
    check_delta(delta)
    if not 0 <= mu < math.inf:
        raise ValueError(f"expected 0 <= mu < infinity (no unit), got mu={mu}")
    if profile(0.0, mu) <= delta:
        return 0.0
    if delta == 0:
        return math.inf
    # f(mu, e) <= Phi(mu/2 - e/mu), so the root lies below the e at which that is delta.
    upper = mu * (mu / 2 - float(ndtri_exp(math.log(delta))))
    while profile(upper, mu) > delta:
        upper *= 1 + 2**-40
    target = math.log(delta)
    root = float(increasing_root(_A, lambda e: target - _log(profile(e, mu)), 0.0, upper))
    return _first_at_most(lambda e: profile(e, mu), root, delta, upwards=True)


def mu(epsilon: float, delta: float) -> float:
    """Largest mu with f(mu, epsilon) <= delta: how far apart the means may be; infinite for delta = 1.

    Rounded down: `profile` at the returned value does not exceed delta.

    Raises:
        ValueError: epsilon negative or infinite, delta outside [0, 1], or NaN.
    """
    check_delta(delta)
    if not 0 <= epsilon < math.inf:
        raise ValueError(f"expected 0 <= epsilon < infinity (nats), got epsilon={epsilon}")
    if delta == 0:
        return 0.0
    if delta == 1:
        return math.inf
    target = math.log(delta)
    low = high = math.sqrt(2 * epsilon) or 1.0
    while profile(epsilon, high) <= delta and high < 1e300:
        high *= 2
    while profile(epsilon, low) > delta:
        low /= 2
    root = float(increasing_root(_A, lambda m: _log(profile(epsilon, m)) - target, low, high))
    return _first_at_most(lambda m: profile(epsilon, m), root, delta, upwards=False)


def sigma(epsilon: float, delta: float, *, sensitivity: float) -> float:
    """Least standard deviation with (epsilon, delta)-DP at this L2 sensitivity; infinite for delta = 0.

    Raises:
        ValueError: as for `mu`, or sensitivity not in (0, infinity).
    """
    if not 0 < sensitivity < math.inf:
        raise ValueError(f"expected 0 < sensitivity < infinity (counts), got sensitivity={sensitivity}")
    distance = mu(epsilon, delta)
    return math.inf if distance == 0 else math.nextafter(sensitivity / distance, math.inf)


def check_delta(delta: float) -> None:
    """Refuse a delta that is no probability."""
    if not 0 <= delta <= 1:
        raise ValueError(f"expected 0 <= delta <= 1 (a probability), got delta={delta}")


def profile(epsilon: float, mu: float) -> float:
    """f(mu, epsilon) for epsilon >= 0 and mu >= 0, unchecked; see the module for the regimes."""
    if mu == 0 or epsilon == math.inf:
        return 0.0
    z = epsilon / mu
    a = mu / 2 - z
    if a < -39:  # phi(-39) is below the least double
        return 0.0
    if a > 39:
        return 1.0
    density = _INV_SQRT_2PI * math.exp(-a * a / 2)
    if mu < 0.02 * max(1.0, z):
        return density * _taylor_difference(z, mu / 2)
    right = erfcx((mu - a) / _SQRT_2)
    if a <= 0:
        return float(density * _SQRT_HALF_PI * (erfcx(-a / _SQRT_2) - right))
    return float(0.5 * math.erfc(-a / _SQRT_2) - density * _SQRT_HALF_PI * right)


def _taylor_difference(z: float, h: float) -> float:
    """R(-z + h) - R(-z - h) for h <= max(1, z)/100: five odd Taylor terms."""
    m_0 = _SQRT_HALF_PI * erfcx(z / _SQRT_2)
    moments = _moments_upwards(z, m_0) if z < 4 else _moments_by_fraction(z, m_0)
    term, total = 2 * h, 0.0
    for k in (1, 3, 5, 7, 9):
        total += term * moments[k]
        term *= h * h / ((k + 1) * (k + 2))
    return total


def _moments_upwards(z: float, m_0: float) -> list[float]:
    moments = [m_0, 1 - z * m_0]
    for k in range(1, 9):
        moments.append(k * moments[k - 1] - z * moments[k])
    return moments


def _moments_by_fraction(z: float, m_0: float) -> list[float]:
    """M_k / M_{k-1} = k / (z + M_{k+1} / M_k), from k = 40 down; every operation adds positive numbers."""
    ratios = [0.0] * 10
    ratio = (math.sqrt(z * z + 164) - z) / 2
    for k in range(40, 0, -1):
        ratio = k / (z + ratio)
        if k < 10:
            ratios[k] = ratio
    moments = [m_0]
    for k in range(1, 10):
        moments.append(moments[k - 1] * ratios[k])
    return moments


def _log(value: float) -> float:
    return math.log(value) if value > 0 else _LEAST_LOG


def _first_at_most(function: Callable[[float], float], start: float, target: float, *, upwards: bool) -> float:
    """First of start, start (1 +- 2^-52), start (1 +- 2^-51), ... at which the function does not exceed target."""
    step, x = 2.0**-52, start
    while function(x) > target:
        x = start * (1 + step if upwards else 1 - step)
        step *= 2
    return x
