"""Accountant of optimal partition selection, float64 (`proofs_numeric`, standard.selection.keys and .keep)."""

import math

import numpy as np

from mechanisms.gaussian_sparse_histogram import accountant as sparse_histogram
from proofs_numeric.arithmetic import Float64
from proofs_numeric.standard.selection import keys_delta, largest_keep

_ROUNDING = 1e-12
"""Above the relative rounding of a sum over the keys of one user."""


def delta(epsilon: float, *, epsilon_0: float, delta_0: float, c_u: int = 1) -> float:
    """Upper bound on delta at epsilon, exact from epsilon = c_u epsilon_0 on.

    Args:
        epsilon: >= 0 (nats).
        epsilon_0: epsilon of one key (nats), > 0.
        delta_0: delta of one key, in [0, 1).
        c_u: most keys that one user has.

    Raises:
        ValueError: a value out of range or NaN.
    """
    sparse_histogram.check_epsilon(epsilon)
    _check(epsilon_0, delta_0)
    if isinstance(c_u, bool) or c_u != int(c_u) or c_u < 1:
        raise ValueError(f"expected an integer c_u >= 1 (keys), got c_u={c_u}")
    of_key = {"epsilon_0": np.float64(epsilon_0), "delta_0": np.float64(delta_0)}
    value = float(keys_delta(Float64(), epsilon=np.float64(epsilon), **of_key, c_u=int(c_u)))
    return min(1.0, value * (1 + _ROUNDING))


def keep(users: int, *, epsilon_0: float, delta_0: float) -> float:
    """Largest probability of releasing a key of so many users, in O(1).

    Args:
        users: number of users of the key, >= 0.
        epsilon_0: epsilon of one key (nats), > 0.
        delta_0: delta of one key, in (0, 1).

    Raises:
        ValueError: a value out of range or NaN.
    """
    _check(epsilon_0, delta_0)
    if delta_0 == 0 or isinstance(users, bool) or users != int(users) or users < 0:
        raise ValueError(f"expected delta_0 > 0 and an integer users >= 0, got delta_0={delta_0}, users={users}")
    at = {"epsilon_0": np.float64(epsilon_0), "delta_0": np.float64(delta_0)}
    return float(largest_keep(Float64(), **at, users=int(users)))


def _check(epsilon_0: float, delta_0: float) -> None:
    if not 0 < epsilon_0 < math.inf:
        raise ValueError(f"expected 0 < epsilon_0 < infinity (nats), got epsilon_0={epsilon_0}")
    if not 0 <= delta_0 < 1:
        raise ValueError(f"expected 0 <= delta_0 < 1, got delta_0={delta_0}")
