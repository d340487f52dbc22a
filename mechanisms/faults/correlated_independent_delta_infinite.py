"""F8, an accountant: delta_infinity of independent counters, 1 - Phi(tau/sigma)^k, as if there were no shared noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from mechanisms.mechanism import AccountantFault
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.special import log_normal_cdf


def formula(A: Any, *, k: int, sigma: Any, gap: Any) -> Any:
    """``1 - Phi(tau/sigma)^k``."""
    return -A.expm1(k * log_normal_cdf(A, A.number(gap) / sigma))


def delta(*, k: int, sigma: float, gap: float) -> float:
    """The same in doubles."""
    return float(formula(Float64(), k=k, sigma=np.float64(sigma), gap=np.float64(gap)))


FAULT = AccountantFault(
    id="correlated_independent_delta_infinite",
    title="delta_infinity without the shared noise",
    mechanism="correlated_stability_histogram",
    violates="lebeda2025.csh.exact.delta_inf",
    caught_by="numeric.accountant",
    accountant=delta,
    formula=formula,
    parameters={"k": 10, "sigma": 20, "gap": 100},
    explanation="A counter passes by its own or by the shared noise: the total deviation is sigma sqrt(1 + k^(-1/2)).",
)
