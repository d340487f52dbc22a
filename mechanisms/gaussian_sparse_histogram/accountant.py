"""Exact accountant of the Gaussian sparse histogram mechanism: float64, constant time in c_u, microseconds a call.

Theorem 5.4 of wilkins2024 is a maximum of three terms over a_= = 0 .. C_u. It collapses to

    delta(epsilon) = max{1 - Phi(gap / sigma)^C_u, f(sqrt(C_u (1/sigma^2 + mu_o^2)), epsilon)},  gap = tau* - tau,

for every C_u and epsilon >= 0 (`proofs_numeric`, claim wilkins2024.thm5.4.collapse), for integer tau >= 1. The first
term is the least delta at any epsilon, the second falls with epsilon: every inverse below is a closed form or one root.
Relative error below 1e-12 wherever the result is a normal double; a delta that is no double is told as the least one.
"""

import math
import sys

from scipy.special import ndtri, ndtri_exp
from scipy.special.cython_special import erfcx

from mechanisms.baselines import analytic_gaussian_accountant as gaussian
from mechanisms.mechanism import check_doubles

_SQRT_2 = math.sqrt(2)
_INF = math.inf
_LARGEST = sys.float_info.max
LEAST = math.ulp(0.0)
"""What a positive delta is told as that no double holds."""


def delta(epsilon: float, *, c_u: int, sigma: float, gap: float, mu_o: float = 0.0) -> float:
    """Least delta at epsilon (Theorem 5.4, exact).

    Args:
        epsilon: >= 0 (nats).
        c_u: most groups a user touches, an integer >= 1.
        sigma: standard deviation of the count's noise, > 0 and finite (users).
        gap: tau* - tau, any finite real (users).
        mu_o: distance contributed by the aggregates of one group, >= 0 (no unit).

    Raises:
        ValueError: a value out of range or NaN; one line with the value and what is allowed.
    """
    # One expression on the way through; which value is wrong is worked out only when one is.
    if not (
        epsilon >= 0
        and 1 <= c_u <= _LARGEST
        and c_u % 1 == 0
        and 0 < sigma < _INF
        and -_INF < gap < _INF
        and 0 <= mu_o < _INF
    ):
        check_epsilon(epsilon)
        check(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o)
    return max(delta_infinite(c_u, sigma, gap), gaussian.profile(epsilon, mu(c_u, sigma, mu_o)), LEAST)


def epsilon(delta: float, *, c_u: int, sigma: float, gap: float, mu_o: float = 0.0) -> float:
    """Least epsilon >= 0 at delta, rounded up; infinite where delta is below 1 - Phi(gap / sigma)^c_u.

    Raises:
        ValueError: as for `delta`, or delta outside [0, 1].
    """
    gaussian.check_delta(delta)
    check(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o)
    if delta < delta_infinite(c_u, sigma, gap):
        return math.inf
    return gaussian.epsilon(delta, mu=mu(c_u, sigma, mu_o))


def gap(epsilon: float, delta: float, *, c_u: int, sigma: float, mu_o: float = 0.0) -> float:
    """Least tau* - tau with (epsilon, delta)-DP, rounded up; infinite where no threshold is enough.

    It is sigma Phi^{-1}((1 - delta)^(1/c_u)) when the Gaussian term allows delta at all, for every c_u.

    Raises:
        ValueError: as for `delta`, or delta outside [0, 1].
    """
    gaussian.check_delta(delta)
    check_epsilon(epsilon)
    check(c_u=c_u, sigma=sigma, gap=0.0, mu_o=mu_o)
    if gaussian.profile(epsilon, mu(c_u, sigma, mu_o)) > delta:
        return math.inf
    return threshold(delta, c_u=c_u, sigma=sigma)


def sigma(epsilon: float, delta: float, *, c_u: int, mu_o: float = 0.0) -> float:
    """Least sigma with (epsilon, delta)-DP at its own least gap, rounded up; infinite where the aggregates forbid it.

    At fixed gap delta is not monotone in sigma (more noise can pass the threshold more often), so the least sigma is a
    question at the gap that `gap` then returns. For delta = 1 it is 0: no noise is needed.

    Raises:
        ValueError: as for `delta`, or delta outside [0, 1].
    """
    check(c_u=c_u, sigma=1.0, gap=0.0, mu_o=mu_o)
    one_row = gaussian.mu(epsilon, delta) / math.sqrt(c_u)
    if one_row == math.inf:
        return 0.0
    if one_row <= mu_o:
        return math.inf
    least = 1 / (math.sqrt(one_row - mu_o) * math.sqrt(one_row + mu_o))
    step = 2.0**-52
    while gaussian.profile(epsilon, mu(c_u, least, mu_o)) > delta:
        least *= 1 + step
        step *= 2
    return least


def check_epsilon(epsilon: float) -> None:
    """Refuse a negative epsilon, and NaN."""
    if not epsilon >= 0:
        raise ValueError(f"expected epsilon >= 0 (nats), got epsilon={epsilon}")


def check(*, c_u: float, sigma: float, gap: float, mu_o: float) -> None:
    """Refuse parameters outside the theorem's domain, in one line each; NaN is outside every domain."""
    check_doubles(c_u=c_u)
    if not (c_u >= 1 and c_u % 1 == 0):
        raise ValueError(f"expected an integer c_u >= 1 (rows), got c_u={c_u}")
    if not 0 < sigma < math.inf:
        raise ValueError(f"expected 0 < sigma < infinity (users), got sigma={sigma}")
    if not -math.inf < gap < math.inf:
        raise ValueError(f"expected a finite gap = tau_star - tau (users), got gap={gap}")
    if not 0 <= mu_o < math.inf:
        raise ValueError(f"expected 0 <= mu_o < infinity (no unit), got mu_o={mu_o}")


def mu(c_u: int, sigma: float, mu_o: float) -> float:
    """Distance of c_u rows far above the threshold, sqrt(c_u (1/sigma^2 + mu_o^2)) (5.6)."""
    return math.sqrt(c_u) / sigma if mu_o == 0 else math.sqrt(c_u) * math.hypot(1 / sigma, mu_o)


def delta_infinite(c_u: int, sigma: float, gap: float) -> float:
    """Probability 1 - Phi(gap / sigma)^c_u of infinite privacy loss (5.4), without cancellation or underflow."""
    t = gap / sigma
    if t < -40:
        return 1.0
    if t > 38.6:  # Phi(-38.6) is below the least double, but c_u of them need not be
        return c_u * math.exp(-t * t / 2 + math.log(erfcx(t / _SQRT_2) / 2)) if t < 40 else 0.0
    if t > 5:
        # exp(-t^2/2) erfcx: the tail's relative error is that of t alone, not of t / sqrt(2) too.
        log_cdf = math.log1p(-0.5 * math.exp(-t * t / 2) * erfcx(t / _SQRT_2))
    elif t > -1:
        log_cdf = math.log1p(-0.5 * math.erfc(t / _SQRT_2))
    else:
        log_cdf = math.log(erfcx(-t / _SQRT_2) / 2) - t * t / 2
    return -math.expm1(c_u * log_cdf)


def threshold(delta: float, *, c_u: int, sigma: float) -> float:
    """Least gap with delta_infinite <= delta, rounded up; -infinity for delta = 1, infinity for delta = 0."""
    check_doubles(c_u=c_u)
    if delta == 0:
        return math.inf
    if delta == 1:
        return -math.inf
    per_row = -math.expm1(math.log1p(-delta) / c_u)
    # Below 1e-290 the quantile of a logarithm: delta / c_u itself would lose digits as a subnormal.
    z = -float(ndtri(per_row)) if per_row > 1e-290 else -float(ndtri_exp(math.log(delta) - math.log(c_u)))
    start, step = sigma * z, 2.0**-52
    gap = start
    while delta_infinite(c_u, sigma, gap) > delta:
        gap = start + abs(start) * step + 5e-324
        step *= 2
    return gap
