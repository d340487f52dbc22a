"""Accountants that report less than Theorem 5.4."""

from typing import Any

from scipy.special import ndtr

from mechanisms.baselines import analytic_gaussian_accountant as gaussian
from mechanisms.gaussian_sparse_histogram import accountant as exact
from mechanisms.mechanism import AccountantFault
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_exact, delta_gaussian


def cancelling_delta(epsilon: float, *, c_u: int, sigma: float, gap: float, mu_o: float = 0.0) -> float:
    """Theorem 5.4 with the first term as printed; parameters as for the exact accountant."""
    exact.check(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o)
    infinite = 1 - float(ndtr(gap / sigma)) ** c_u
    return max(infinite, gaussian.delta(epsilon, mu=exact.mu(c_u, sigma, mu_o)))


def cancelling(A: Arithmetic, *, epsilon: Number, c_u: int, sigma: Number, gap: Number, mu_o: Number) -> Any:
    """What is reported wherever Phi(gap / sigma) rounds to 1: the Gaussian term alone."""
    del gap
    return delta_gaussian(A, epsilon=A.number(epsilon), c_u=c_u, sigma=sigma, mu_o=mu_o)


def one_row_delta(epsilon: float, *, c_u: int, sigma: float, gap: float, mu_o: float = 0.0) -> float:
    """Delta of one row at epsilon; parameters as for the exact accountant."""
    exact.check(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o)
    return exact.delta(epsilon, c_u=1, sigma=sigma, gap=gap, mu_o=mu_o)


def one_row(A: Arithmetic, *, epsilon: Number, c_u: int, sigma: Number, gap: Number, mu_o: Number) -> Any:
    """Theorem 5.4 at C_u = 1: what is reported."""
    del c_u
    return delta_exact(A, epsilon=A.number(epsilon), c_u=1, sigma=sigma, gap=gap, mu_o=mu_o)


FAULTS = (
    AccountantFault(
        id="cancelling_accountant", title="1 - Phi^C_u cancels to 0", mechanism="gaussian_sparse_histogram",
        violates="wilkins2024.thm5.4", accountant=cancelling_delta, formula=cancelling,
        parameters={"epsilon": 20, "c_u": 1, "sigma": 1, "gap": 9, "mu_o": 0},
        explanation="Phi(9) rounds to 1: the reported delta is that of the Gaussian term alone, 60 orders too small.",
    ),
    AccountantFault(
        id="wrong_c_u_accountant", title="delta from a wrong C_u", mechanism="gaussian_sparse_histogram",
        violates="wilkins2024.thm5.4", accountant=one_row_delta, formula=one_row,
        parameters={"epsilon": 1, "c_u": 4, "sigma": 2, "gap": 6, "mu_o": 0},
        explanation="Both terms grow with C_u, so delta is too small for every C_u > 1.",
    ),
)  # fmt: skip
