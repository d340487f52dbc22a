"""From what a theorem promises to the privacy profile, and the proof that the claims of profiles share."""

from dataclasses import dataclass
from typing import Any

from proofs_numeric.arithmetic.formula import OfFormulas
from proofs_numeric.expression import Function
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.parameters import epsilon
from proofs_numeric.statements.concentrated import approximate_delta_upper, best_log_excess
from proofs_numeric.statements.profiles import Converted

_NONE = lift(0)
_LEAST_OF_ORDERS = derived(
    Unchecked(
        "least of monotone bounds",
        "the bound at an order alpha is e^((alpha - 1)(alpha rho - epsilon)) times a function of alpha alone: it grows "
        "with rho and falls with epsilon, so the least over orders does; it tends to 1 as alpha tends to 1, so the "
        "least, B, is at most 1 and delta + (1 - delta) B grows with delta and with B",
    )
)  # fmt: skip
implied = algorithm(approximate_delta_upper)


@dataclass(frozen=True)
class Promise(OfFormulas):
    """Delta-approximate rho-CDP, of the parameters of a profile without its level."""

    rho: Expression
    delta: Expression = _NONE

    def __call__(self, A: Arithmetic, **at: Any) -> tuple[Any, Any]:
        """Return delta and rho."""
        return A.number(self.delta(A, **at)), self.rho(A, **at)

    @property
    def profile(self) -> Expression:
        """The delta that the promise implies at epsilon."""
        return implied(delta=self.delta, rho=self.rho)


def converted_moves(*names: str) -> dict[str, Derivation]:
    """Return why a converted profile falls in epsilon, and moves in the named parameters as rho and delta do."""
    return dict.fromkeys(("epsilon", *names), _LEAST_OF_ORDERS)


def converted(theorem: Tactic, promise: Promise, **more: Any) -> Converted:
    """Return the proof of the profile that a theorem promises, at the best order."""
    x = symbol("x")
    return Converted(
        theorem=theorem, log_excess=Function("best_log_excess", best_log_excess)(promise.rho, epsilon),
        order=ByClaim("rogers2024.thm3.cdp_to_dp.order"),
        end=Root(
            Parameter("x", "log(alpha - 1)", lower="-infinity"), epsilon + log1p(1 / exp(x)),
            (1 + 2 * exp(x)) * promise.rho, Symbolic(),
        ),
        **more,
    )  # fmt: skip
