"""An accountant that takes a floor on the users of a row for free."""

from mechanisms.gaussian_sparse_histogram import accountant as exact
from mechanisms.mechanism import AccountantFault
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_exact


def floor_for_free(epsilon: float, *, c_u: int, sigma: float, tau: float, tau_star: float, mu_o: float = 0.0) -> float:
    """The delta of tau = 1; parameters by their names in Algorithm 1."""
    del tau
    return exact.delta(epsilon, c_u=c_u, sigma=sigma, gap=tau_star - 1, mu_o=mu_o)


def floor_for_free_formula(
    A: Arithmetic, *, epsilon: Number, c_u: int, sigma: Number, tau: Number, tau_star: Number, mu_o: Number
) -> Number:
    """The same in any arithmetic."""
    del tau
    return delta_exact(A, epsilon=epsilon, c_u=c_u, sigma=sigma, gap=A.number(tau_star) - 1, mu_o=mu_o)


FAULTS = (
    AccountantFault(
        id="floor_for_free_accountant", title="a floor on the users of a row is not accounted for",
        mechanism="gaussian_sparse_histogram", violates="wilkins2024.thm5.4.tau.corrected", accountant=floor_for_free,
        formula=floor_for_free_formula,
        parameters={"epsilon": 1, "c_u": 10, "sigma": "11.8", "tau": 10, "tau_star": 58, "mu_o": 0},
        explanation="A row of ten users falls silent when one leaves: its distance to tau* is 48, not 57.",
    ),
)  # fmt: skip
