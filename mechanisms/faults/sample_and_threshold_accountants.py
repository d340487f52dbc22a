"""Accountants of sample-and-threshold that under-report: readings and slips of the paper's formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mechanisms.mechanism import AccountantFault
from proofs_numeric.arithmetic import Float64
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.theorem_2 import printed_exact_binomial

if TYPE_CHECKING:
    from collections.abc import Callable

_DEFAULT: dict[str, int | str] = {"epsilon": "1", "alpha": "1/6", "tau": 20}


def wrong_sign(A: Any, *, epsilon: Any, alpha: Any, tau: int) -> Any:
    """Lemma 3 with C_alpha = ln(1/alpha) + 1/(1 + alpha)."""
    del epsilon
    return A.exp(-tau * (1 / (1 + alpha) - A.log(alpha)))


def atom_only(A: Any, *, epsilon: Any, alpha: Any, tau: int) -> Any:
    """The atom of infinite loss alone, p^tau."""
    return A.exp(tau * A.log(cells.sampling_rate(A, epsilon=epsilon, alpha=alpha)))


def strict_binomial_delta(epsilon: float, *, alpha: float, tau: int) -> float:
    """The printed binomial in float64."""
    return float(printed_exact_binomial(Float64(), epsilon=epsilon, alpha=alpha, tau=tau))


def wrong_sign_delta(epsilon: float, *, alpha: float, tau: int) -> float:
    """Lemma 3 with the wrong sign in float64."""
    return float(wrong_sign(Float64(), epsilon=epsilon, alpha=alpha, tau=tau))


def atom_only_delta(epsilon: float, *, alpha: float, tau: int) -> float:
    """The atom in float64."""
    return float(atom_only(Float64(), epsilon=epsilon, alpha=alpha, tau=tau))


def _fault(
    stem: str, title: str, accountant: Callable[..., float], formula: Callable[..., Any], explanation: str
) -> AccountantFault:
    return AccountantFault(
        id=f"sample_and_threshold_{stem}",
        title=title,
        mechanism="sample_and_threshold",
        violates="bharadwaj2022.tight",
        caught_by="numeric.accountant",
        accountant=accountant,
        formula=formula,
        parameters=_DEFAULT,
        explanation=explanation,
    )


FAULTS = (
    _fault(
        "strict_binomial",
        "the exact binomial at tau/q with the proof's strict inequality",
        strict_binomial_delta,
        printed_exact_binomial,
        "The cell is shown at tau already, not above it: 5.5e-15 is reported where 6.9e-15 is true (E4).",
    ),
    _fault(
        "constant_sign",
        "C_alpha with + 1/(1 + alpha)",
        wrong_sign_delta,
        wrong_sign,
        "The exponent is too large: 9.8e-24 is reported where 6.9e-15 is true.",
    ),
    _fault(
        "atom_only",
        "p^tau",
        atom_only_delta,
        atom_only,
        "Counts above tau leak more often than tau copies do: the worst count is ceil((tau - 1)/q).",
    ),
)
