"""The least noise of k counters against changes of m, searched over all covariances by SciPy."""

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import minimize

from proofs_numeric.arithmetic import Float64
from proofs_numeric.lebeda2025.sparse_covariance import correlated_noise
from proofs_numeric.lebeda2025.sparse_users import least_noise


def changes(k, m):
    """Return indicators of all sets of 1 to m counters: (sets, k)."""
    return np.array([
        [i in chosen for i in range(k)] for j in range(1, m + 1) for chosen in combinations(range(k), j)
    ], dtype=float)  # fmt: skip


def noise(covariance, moved):
    """Mean variance, scaled so that the largest squared distance is 1."""
    distance = np.einsum("si,ij,sj->s", moved, np.linalg.inv(covariance), moved).max()
    return np.trace(covariance) / len(covariance) * distance


@pytest.mark.parametrize(("k", "m"), [(2, 2), (3, 2), (4, 2), (4, 3), (5, 3), (5, 5)])
def test_no_covariance_that_a_search_finds_has_less_noise(k, m):
    """Four random covariances, their triangular roots moved by SLSQP: the least is met to 1e-4, never undercut."""
    least, moved, rng = float(least_noise(Float64(), k=k, m=m)), changes(k, m), np.random.default_rng(46)
    lower = np.tril_indices(k)

    def covariance(values):
        root = np.zeros((k, k))
        root[lower] = values
        return root @ root.T

    def room(values):
        return 1 - np.einsum("si,ij,sj->s", moved, np.linalg.inv(covariance(values)), moved)

    found = []
    for _start in range(4):
        start = (2 * np.eye(k) + 0.3 * rng.normal(size=(k, k)))[lower]
        end = minimize(
            lambda values: float(values @ values) / k, start, method="SLSQP",
            constraints={"type": "ineq", "fun": room}, options={"maxiter": 300, "ftol": 1e-10},
        ).x  # fmt: skip
        found.append(noise(covariance(end), moved))
    assert min(found) >= least * (1 - 1e-9)
    assert min(found) <= least * (1 + 1e-4)


@pytest.mark.parametrize(("k", "m", "correlation"), [(4, 2, -0.2), (4, 2, 0.3), (6, 4, 0.0), (7, 7, 0.45)])
def test_the_noise_of_one_correlation_is_that_of_its_matrix(k, m, correlation):
    """By inversion."""
    matrix = (1 - correlation) * np.eye(k) + correlation * np.ones((k, k))
    exact = correlated_noise(Float64(), k=k, m=m, correlation=np.float64(correlation))
    assert float(exact) == pytest.approx(noise(matrix, changes(k, m)), rel=1e-12)
