"""The accountant takes C_u = 1 whatever it is told: delta of one row for a user who touches many."""

from __future__ import annotations

from typing import Any

from mechanisms.gaussian_sparse_histogram import accountant as exact
from mechanisms.mechanism import AccountantFault
from proofs_numeric.wilkins2024.theorem_5_4 import delta_exact


def delta(epsilon: float, *, c_u: int, sigma: float, gap: float, mu_o: float = 0.0) -> float:
    """Delta of one row at epsilon; parameters as for the exact accountant."""
    exact.check(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o)
    return exact.delta(epsilon, c_u=1, sigma=sigma, gap=gap, mu_o=mu_o)


def formula(A: Any, *, epsilon: Any, c_u: int, sigma: Any, gap: Any, mu_o: Any) -> Any:
    """Theorem 5.4 at C_u = 1: what is reported."""
    del c_u
    return delta_exact(A, epsilon=A.number(epsilon), c_u=1, sigma=sigma, gap=gap, mu_o=mu_o)


FAULT = AccountantFault(
    id="wrong_c_u_accountant",
    title="delta from a wrong C_u",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="numeric.accountant",
    accountant=delta,
    formula=formula,
    parameters={"epsilon": 1, "c_u": 4, "sigma": 2, "gap": 6, "mu_o": 0},
    explanation="Both terms grow with C_u, so delta is under-reported for every C_u > 1.",
)
