"""Lemma 17: from zero-concentrated to approximate differential privacy."""

from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.lebeda2025.parameters import EPSILON, printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, Role
from proofs_numeric.statements.derivation import Derivation, Premise, SymbolicIdentity
from proofs_numeric.statements.kinds import DeltaBound


def zcdp_delta(A: Arithmetic, *, epsilon: Number, rho: Number) -> Number:
    """Lemma 17 solved for delta: ``exp(-(epsilon - rho)^2/(4 rho))`` for epsilon >= rho, else 1."""
    excess = A.maximum(0, epsilon - rho)
    return A.exp(-excess * excess / (4 * rho))


RHO = Parameter("rho", "concentrated-privacy parameter", "nats", lower="1e-9", upper=100, log=True)


def _gaussian_epsilon(A: Arithmetic, *, epsilon: Number, rho: Number) -> Any:
    return gaussian_profile(A, epsilon, A.sqrt(2 * rho))


def _chernoff_exponent(_A: Arithmetic, *, epsilon: Number, rho: Number) -> Number:
    alpha = (epsilon + rho) / (2 * rho)
    return (alpha - 1) * (alpha * rho - epsilon)


CLAIMS = (
    Claim(
        id="lebeda2025.lem17",
        source=printed("Lemma 17"),
        title="rho-zCDP gives approximate DP",
        statement=r"\epsilon = \rho + 2\sqrt{\rho \ln(1/\delta)}",
        kind=DeltaBound(
            formula=zcdp_delta,
            exact=_gaussian_epsilon,
            proof=Derivation(
                (
                    Premise(
                        "rogers2024.thm3.cdp_to_dp.order",
                        "delta <= e^{(alpha - 1)(D_alpha - epsilon)}, as (1/alpha)(1 - 1/alpha)^{alpha - 1} <= 1, and "
                        "D_alpha <= alpha rho",
                    ),
                    SymbolicIdentity(
                        "(alpha - 1)(alpha rho - epsilon) at alpha = (epsilon + rho)/(2 rho) is the claim's exponent",
                        _chernoff_exponent,
                        lambda _A, *, epsilon, rho: -((epsilon - rho) ** 2) / (4 * rho),
                        ("epsilon", "rho"),
                        ("epsilon", "rho"),
                        "alpha > 1 exactly where epsilon > rho; elsewhere the claim is 1",
                    ),
                )
            ),
        ),
        domain=Box((EPSILON, RHO)),
        falls=("epsilon",),
        rises=("rho",),
        role=Role.UPPER,
        note="compared with the Gaussian mechanism, which is rho-zCDP with equality; the same as rogers2024.thm3",
    ),
)
