"""What a mechanism promises: a sum type, each with its privacy profile.

``profile(A, epsilon)`` is the least delta that the guarantee implies at ``epsilon`` (an upper bound on the true delta
of any mechanism that keeps the promise).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Exact


@dataclass(frozen=True)
class PureDP:
    """``epsilon``-differential privacy (nats)."""

    epsilon: Exact

    def profile(self, A: Arithmetic, epsilon: Any) -> Any:
        """Hockey stick of randomised response at the promised epsilon: ``max(0, (e^E - e^epsilon)/(e^E + 1))``."""
        promised = A.number(self.epsilon)
        return A.maximum(0, (A.exp(promised) - A.exp(epsilon)) / (A.exp(promised) + 1))


@dataclass(frozen=True)
class ApproximateDP:
    """``(epsilon, delta)``-differential privacy."""

    epsilon: Exact
    delta: Exact

    def profile(self, A: Arithmetic, epsilon: Any) -> Any:
        """``delta + (1 - delta)`` times the profile of the pure part (Kairouz, Oh and Viswanath 2015)."""
        delta = A.number(self.delta)
        return delta + (1 - delta) * PureDP(self.epsilon).profile(A, epsilon)


@dataclass(frozen=True)
class ApproximateCDP:
    """``delta``-approximate ``rho``-concentrated differential privacy (rogers2024 Definition 2.2).

    Conversions, refuters, composition and the budget ledger are in ``proofs_numeric.statements.concentrated``.

    Raises:
        ValueError: rho < 0, or delta outside [0, 1).
    """

    delta: Exact
    rho: Exact

    def __post_init__(self) -> None:
        """Refuse a promise that is none."""
        if self.rho < 0:
            raise ValueError(f"expected rho >= 0 (nats), got rho={self.rho}")
        if not 0 <= self.delta < 1:
            raise ValueError(f"expected 0 <= delta < 1 (probability), got delta={self.delta}")

    def profile(self, A: Arithmetic, epsilon: Any) -> Any:
        """``delta + (1 - delta) B_rho(epsilon)``, the best conversion through Renyi orders for ``rho > 0``.

        Canonne, Kamath and Steinke 2020; never above ``exp(-(epsilon - rho)^2 / (4 rho))`` of rogers2024 Theorem 3.
        """
        from proofs_numeric.statements.concentrated import approximate_delta_upper

        return approximate_delta_upper(A, rho=A.number(self.rho), delta=self.delta, epsilon=epsilon)


@dataclass(frozen=True)
class FDP:
    """``f``-differential privacy, given by its profile ``1 + f*(-e^epsilon)``."""

    name: str
    dual: Callable[[Arithmetic, Any], Any]

    def profile(self, A: Arithmetic, epsilon: Any) -> Any:
        """The dual of the trade-off function at ``epsilon``."""
        return self.dual(A, epsilon)


Guarantee = PureDP | ApproximateDP | ApproximateCDP | FDP
