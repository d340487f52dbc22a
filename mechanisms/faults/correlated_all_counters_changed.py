"""An accountant that takes the pair that changes all k counters for the worst one."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from mechanisms.mechanism import AccountantFault
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.lebeda2025.exact_pair import shared_mu


def formula(A: Any, *, epsilon: Any, k: int, sigma: Any) -> Any:
    """``f(mu, epsilon)`` at ``mu^2 sigma^2 = k - k^2/(k + sqrt(k))``."""
    return gaussian_profile(A, A.number(epsilon), shared_mu(A, k=k, sigma=A.number(sigma), d=k, j=k))


def delta(epsilon: float, *, k: int, sigma: float) -> float:
    """The same in doubles."""
    return float(formula(Float64(), epsilon=np.float64(epsilon), k=k, sigma=np.float64(sigma)))


FAULT = AccountantFault(
    id="correlated_all_counters_changed",
    title="the pair that changes all counters is taken for the worst",
    mechanism="correlated_gaussian",
    violates="lebeda2025.lem8.exact",
    caught_by="numeric.accountant",
    accountant=delta,
    formula=formula,
    parameters={"epsilon": Fraction(349, 1000), "k": 100, "sigma": 52},
    explanation="The shared noise hides a change of all counters best; the worst is about (k + sqrt(k))/2 of them.",
)
