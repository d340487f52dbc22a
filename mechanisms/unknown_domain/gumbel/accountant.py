"""Accountants of Algorithms 3 and 4 of rogers2024 by composition of picks of bounded range, float64.

Upper bounds (`proofs_numeric`, claims rogers2024.range.gumbel and rogers2024.range.pay): ten picks at beta = 10 cost
three quarters of the epsilon that rho = k/(8 beta^2) with Theorem 3 of the survey gives. `cost` and `stream_cost` are
what any number of lists takes beside other releases (rogers2024.range.pool).
"""

import math
from typing import Any

import numpy as np

from mechanisms.gaussian_sparse_histogram.accountant import check_epsilon
from mechanisms.gaussian_sparse_histogram.ledger import Cost, delta_of_budgets, square_of_picks
from mechanisms.mechanism import check_doubles
from proofs_numeric.arithmetic import Float64
from proofs_numeric.rogers2024 import bounded_range, range_pool

_ROUNDING = 1e-10
"""Above the rounding of a hundred picks."""
_LOWERED = 2.0**-48
"""Of 1 + epsilon, taken off epsilon: next to k/beta delta is the square of a difference that doubles lose."""
_MOST_PICKS = 100
"""A tenth of a second; time grows with the square."""
_MOST_POOLED = 10**6


def delta(epsilon: float, *, k: int, beta: float, delta: float) -> float:
    """Upper bound on the delta at epsilon of Algorithm 3 that shows at most k labels, bottom included.

    Args:
        epsilon: >= 0 (nats).
        k: most labels shown, an integer from 1 to 100.
        beta: scale of the Gumbel noise (counts), from 1 to 1000.
        delta: what T = 1 + beta log(k_bar/delta) was chosen for, 0 < delta < 1.

    Raises:
        ValueError: a value out of range or NaN.
    """
    _check(epsilon, beta, delta, k=k)
    return _rounded(bounded_range.gumbel_range_bound, epsilon, k=int(k), beta=beta, delta=delta)


def stream_delta(epsilon: float, *, l_star: int, k_star: int, beta: float, delta: float) -> float:
    """Upper bound on the delta at epsilon of Algorithm 4, whose queries may depend on the answers before.

    Args:
        epsilon: >= 0 (nats).
        l_star: most queries, an integer >= 1.
        k_star: most labels shown in all, bottoms included, an integer from 1 to 100.
        beta: scale of the Gumbel noise (counts), from 1 to 1000.
        delta: what every T was chosen for, 0 < delta < 1.

    Raises:
        ValueError: a value out of range or NaN.
    """
    _check(epsilon, beta, delta, l_star=l_star, k_star=k_star)
    whole = {"l_star": int(l_star), "k_star": int(k_star)}
    return _rounded(bounded_range.stream_range_bound, epsilon, beta=beta, delta=delta, **whole)


def least_epsilon(target: float, *, k: int, beta: float, delta: float) -> float:
    """Least epsilon, rounded up at the sixth digit, at which :func:`delta` is at most the target; delta < target < 1.

    Raises:
        ValueError: a value out of range or NaN.
    """
    _check(0.0, beta, delta, k=k)
    if not delta < target < 1:
        raise ValueError(f"expected delta < target < 1, got delta={delta} and target={target}")
    low, high = 0.0, k / beta
    while high - low > 1e-6 * high:
        middle = (low + high) / 2
        value = _rounded(bounded_range.gumbel_range_bound, middle, k=int(k), beta=beta, delta=delta)
        low, high = (middle, high) if value > target else (low, middle)
    return high


def cost(*, k: int, beta: float, delta: float) -> Cost:
    """What Algorithm 3 takes of a ledger's budgets, a stream of one query; k to 10^6, else as for :func:`delta`.

    Raises:
        ValueError: a value out of range or NaN.
    """
    return stream_cost(l_star=1, k_star=k, beta=beta, delta=delta)


def stream_cost(*, l_star: int, k_star: int, beta: float, delta: float) -> Cost:
    """What Algorithm 4, all its queries together, takes of a ledger's budgets, claim rogers2024.range.pool.

    In a ledger histograms may be released between its queries, and depend on its answers; labels of another stream may
    not. k_star to 10^6, else as for :func:`stream_delta`.

    Raises:
        ValueError: a value out of range or NaN.
    """
    _check(0.0, beta, delta, most=_MOST_POOLED, l_star=l_star, k_star=k_star)
    calls, picks = min(int(l_star), int(k_star)), int(k_star)
    loss = float(range_pool.pooled_loss(Float64(), l_star=calls, k_star=picks, delta=np.float64(delta)))
    return Cost(loss * (1 + _ROUNDING), square_of_picks(picks, float(beta)), picks=picks, beta=float(beta))


def stream_ledger_delta(epsilon: float, *, l_star: int, k_star: int, beta: float, delta: float) -> float:
    """What a ledger says of one stream, by the names of rogers2024.range.pool; raises as above."""
    check_epsilon(epsilon)
    spent = stream_cost(l_star=l_star, k_star=k_star, beta=beta, delta=delta)
    return delta_of_budgets(epsilon, loss=spent.loss, mu=math.sqrt(spent.square))


def _rounded(formula: Any, epsilon: float, *, beta: float, delta: float, **whole: int) -> float:
    lowered = epsilon - (1 + epsilon) * _LOWERED
    reals = {"epsilon": np.float64(lowered), "beta": np.float64(beta), "delta": np.float64(delta)}
    return min(1.0, float(formula(Float64(), **reals, **whole)) * (1 + _ROUNDING))


def _check(epsilon: float, beta: float, delta: float, *, most: int = _MOST_PICKS, **whole: float) -> None:
    check_epsilon(epsilon)
    check_doubles(**whole)
    for name, value in whole.items():
        limit = math.inf if name == "l_star" else most
        if not (1 <= value <= limit and value % 1 == 0):
            raise ValueError(f"expected an integer {name}, 1 <= {name} <= {limit}, got {name}={value}")
    if not 1 <= beta <= 1000:
        raise ValueError(f"expected 1 <= beta <= 1000 (counts), got beta={beta}")
    if not 0 < delta < 1:
        raise ValueError(f"expected 0 < delta < 1, got delta={delta}")
