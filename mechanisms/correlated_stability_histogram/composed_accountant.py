"""Accountants of several releases of the correlated stability histogram, float64 (claims lebeda2025.composition.*).

`repeated_delta`: the same data every time. `adaptive_delta`: data chosen after the earlier
releases were seen. `cost`: what one release takes of the ledger's budgets, which other mechanisms may share.

`few_counters_delta`, `few_counters_adaptive_delta` and `few_counters_cost` are the same at any ratio of own to shared
variance, for users of at most m of the k counters, with sums beside the counters (lebeda2025.sparse.releases).
"""

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from mechanisms.correlated_stability_histogram import accountant, sparse_users
from mechanisms.gaussian_sparse_histogram.ledger import Cost
from proofs_numeric.arithmetic import Float64
from proofs_numeric.lebeda2025 import sparse_users_histogram, sparse_users_releases
from proofs_numeric.lebeda2025.composition import chosen_data, same_data
from proofs_numeric.lebeda2025.exact.pair import new_released, shared_mu, worst_change

_BLOCKS = 32
"""Blocks of numbers of new counters, and so many single ones."""
_ROUNDING = 1e-11
"""Above the relative rounding of a million releases' profile."""


def repeated_delta(epsilon: float, *, releases: int, k: int, sigma: float, gap: float) -> float:
    """Upper bound on the delta at epsilon of releases of the same data; exact where the certificate holds.

    Args:
        epsilon: >= 0 (nats).
        releases: how many, an integer >= 1.
        k: sparsity bound, 1 to 10^6.
        sigma: deviation of one counter's own noise (counts), > 0.
        gap: threshold above the lower threshold (counts), any finite real.

    Raises:
        ValueError: a parameter outside its domain.
    """
    return _rounded(same_data, epsilon, releases=releases, k=k, sigma=sigma, gap=gap)


def adaptive_delta(epsilon: float, *, releases: int, k: int, sigma: float, gap: float) -> float:
    """Upper bound where the data of a release may depend on the releases before; parameters as above.

    Raises:
        ValueError: a parameter outside its domain.
    """
    return _rounded(chosen_data, epsilon, releases=releases, k=k, sigma=sigma, gap=gap)


def cost(*, k: int, sigma: float, gap: float) -> Cost:
    """What one release takes of a ledger's budgets: ``-log(1 - A_k)`` and the worst ``mu_k^2``; its pairs.

    Raises:
        ValueError: a parameter outside its domain, or a gap at which some counter is certain to be released.
    """
    accountant.delta(0.0, k=k, sigma=sigma, gap=gap)
    at: dict[str, Any] = {"k": k, "sigma": np.float64(sigma)}

    def new(l: int) -> float:
        return float(new_released(Float64(), **at, gap=np.float64(gap), l=l))

    def square(l: int) -> float:
        distance = float(shared_mu(Float64(), **at, d=k - l, j=worst_change(k, k - l))) if l < k else 0.0
        return distance * distance  # a power that is no double raises

    return _cost(new, square, int(k), gap)


def few_counters_delta(
    epsilon: float, *, releases: int, k: int, m: int, sigma: float, gamma: float, gap: float, mu_o: float = 0.0
) -> float:
    """Upper bound on the delta at epsilon of releases of the same data; exact where no mixed pair can be the worst.

    Args:
        epsilon: >= 0 (nats).
        releases: how many, an integer >= 1.
        k: most counters that are not zero.
        m: most counters of one user, 1 <= m <= k.
        sigma: deviation of one counter's own noise (users), > 0.
        gamma: ratio of own to shared variance, > 0.
        gap: tau* - tau (users), any finite real.
        mu_o: distance of all sums beside one counter (standard deviations), >= 0.

    Raises:
        ValueError: a value out of range or NaN.
    """
    at: dict[str, Any] = {"k": k, "m": m, "sigma": sigma, "gamma": gamma, "gap": gap, "mu_o": mu_o}
    return _of_few(sparse_users_releases.same_data, epsilon, releases=releases, **at)


def few_counters_adaptive_delta(
    epsilon: float, *, releases: int, k: int, m: int, sigma: float, gamma: float, gap: float, mu_o: float = 0.0
) -> float:
    """Upper bound where the data of a release may depend on the releases before; as :func:`few_counters_delta`."""
    at: dict[str, Any] = {"k": k, "m": m, "sigma": sigma, "gamma": gamma, "gap": gap, "mu_o": mu_o}
    return _of_few(sparse_users_releases.chosen_data, epsilon, releases=releases, **at)


def few_counters_cost(*, k: int, m: int, sigma: float, gamma: float, gap: float, mu_o: float = 0.0) -> Cost:
    """What one such release takes of a ledger's budgets: ``-log(1 - A_m)`` and the worst ``mu_0^2``.

    Raises:
        ValueError: a value out of range, or a gap at which some counter is certain to be released.
    """
    few_counters_adaptive_delta(0.0, releases=1, k=k, m=m, sigma=sigma, gamma=gamma, gap=gap, mu_o=mu_o)
    at: dict[str, Any] = {"sigma": np.float64(sigma), "gamma": np.float64(gamma)}

    def new(l: int) -> float:
        return float(sparse_users_histogram.passes(Float64(), l=l, gap=np.float64(gap), **at))

    def square(l: int) -> float:
        if l == m:
            return 0.0
        return float(sparse_users_releases.square(Float64(), d=k - l, most=m - l, mu_o=np.float64(mu_o), **at))

    return _cost(new, square, int(m), gap)


def _cost(new: Callable[[int], float], square: Callable[[int], float], most: int, gap: float) -> Cost:
    """By blocks of numbers of new counters, single ones where they are few: the most of each, the rest of the least."""
    ends = sorted({round(most * i / _BLOCKS) for i in range(_BLOCKS + 1)} | set(range(min(most, _BLOCKS) + 1)))
    if not new(most) * (1 + _ROUNDING) < 1:
        raise ValueError(f"expected a gap at which silence has a probability, got gap={gap}")
    pairs = tuple(
        (-math.log1p(-new(last) * (1 + _ROUNDING)) if last else 0.0, square(before + 1) * (1 + _ROUNDING))
        for before, last in itertools.pairwise([-1, *ends])
    )
    return Cost(max(loss for loss, _square in pairs), max(second for _loss, second in pairs), pairs)


def _of_few(formula: Any, epsilon: float, *, releases: int, k: int, m: int, **reals: float) -> float:
    """The formula's double, rounded up."""
    mu_o = reals["mu_o"]
    sparse_users.delta(epsilon, k=k, m=m, sigma=reals["sigma"], gamma=reals["gamma"], gap=reals["gap"])
    if not 0 <= mu_o < math.inf:
        raise ValueError(f"expected 0 <= mu_o < infinity (standard deviations), got mu_o={mu_o}")
    _check_releases(releases)
    at = {name: np.float64(value) for name, value in reals.items()}
    delta = float(formula(Float64(), epsilon=np.float64(epsilon), releases=int(releases), k=int(k), m=int(m), **at))
    return min(1.0, delta * (1 + _ROUNDING))


def _rounded(formula: Any, epsilon: float, *, releases: int, k: int, sigma: float, gap: float) -> float:
    accountant.delta(epsilon, k=k, sigma=sigma, gap=gap)
    _check_releases(releases)
    at = {"epsilon": np.float64(epsilon), "sigma": np.float64(sigma), "gap": np.float64(gap)}
    return min(1.0, float(formula(Float64(), **at, releases=int(releases), k=int(k))) * (1 + _ROUNDING))


def _check_releases(releases: int) -> None:
    if not (releases >= 1 and releases % 1 == 0):
        raise ValueError(f"expected an integer releases >= 1, got releases={releases}")
