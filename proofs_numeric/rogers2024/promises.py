"""The approximate CDP behind claims that state a privacy profile: ``(delta, rho)`` from a mechanism's parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.rogers2024.continual import stream_promise as binary_promise
from proofs_numeric.rogers2024.continual import stream_rho
from proofs_numeric.rogers2024.exponential_mechanism import em_rho_naive, pick_promise
from proofs_numeric.rogers2024.gumbel import gumbel_promise
from proofs_numeric.rogers2024.pay_what_you_get import stream_promise
from proofs_numeric.rogers2024.positive_counts import gaussian_promise, laplace_promise, rho_of_ratio

Promise = Callable[..., tuple[Any, Any]]
"""``promise(A, **parameters)``: delta and rho of delta-approximate rho-CDP."""


def binary_mechanism_promise(A: Arithmetic, *, L: int, delta_0: Any, sigma: Any) -> tuple[Any, Any]:
    """``(0, D_0 B/(2 sigma^2))`` of the binary mechanism over a declared universe."""
    return A.number(0), stream_rho(A, L=L, delta_0=delta_0, epsilon=1 / A.number(sigma))


def pure_promise(A: Arithmetic, *, beta: Any) -> tuple[Any, Any]:
    """``(0, 1/(2 beta^2))`` of 1/beta-DP, Theorem 3."""
    return A.number(0), em_rho_naive(A, epsilon=1 / A.number(beta))


def laplace_mechanism_promise(A: Arithmetic, *, delta_1: Any, b: Any) -> tuple[Any, Any]:
    """``(0, (D_1/b)^2/2)`` of the Laplace mechanism, Theorems 1 and 3."""
    return A.number(0), rho_of_ratio(A, delta_0=1, epsilon=A.number(delta_1) / b)


PROMISES: Mapping[str, Promise] = {
    "rogers2024.thm1.laplace": laplace_mechanism_promise,
    "rogers2024.thm2.profile": pure_promise,
    "rogers2024.thm5.profile": pick_promise,
    "rogers2024.thm7.gaussian.profile": gaussian_promise,
    "rogers2024.thm7.laplace.profile": laplace_promise,
    "rogers2024.thm8.profile": gaussian_promise,
    "rogers2024.thm9.profile": gumbel_promise,
    "rogers2024.thm10.profile": stream_promise,
    "rogers2024.bm.profile": binary_mechanism_promise,
    "rogers2024.thm11.profile": binary_promise,
}
"""By the id of the claim."""
