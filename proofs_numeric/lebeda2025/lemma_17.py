"""Lemma 17: from zero-concentrated to approximate differential privacy."""

from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.lebeda2025.parameters import EPSILON, printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, Role
from proofs_numeric.statements.constants import parameter_named, zero
from proofs_numeric.statements.kinds import DeltaBound
from proofs_numeric.statements.profiles import AtOrder, Concentrated
from proofs_numeric.statements.tactics import Maximum, Part, Symbolic


def zcdp_delta(A: Arithmetic, *, epsilon: Number, rho: Number) -> Number:
    """Lemma 17 solved for delta: ``exp(-(epsilon - rho)^2/(4 rho))`` for epsilon >= rho, else 1."""
    excess = A.maximum(0, epsilon - rho)
    return A.exp(-excess * excess / (4 * rho))


RHO = Parameter("rho", "concentrated-privacy parameter", "nats", lower="1e-9", upper=100, log=True)


def _gaussian_epsilon(A: Arithmetic, *, epsilon: Number, rho: Number) -> Any:
    return gaussian_profile(A, epsilon, A.sqrt(2 * rho))


def _excess(A: Arithmetic, *, epsilon: Number, rho: Number) -> Any:
    """``alpha - 1`` of the best order, ``alpha = (epsilon + rho)/(2 rho)``; below rho none is of use."""
    return A.maximum(0, A.number(epsilon) - rho) / (2 * A.number(rho))


_EITHER = Maximum(
    (Part(zero, Symbolic()), Part(lambda A, *, epsilon, rho: A.number(epsilon) - rho, Symbolic())), inside=True
)


CLAIMS = (
    Claim(
        id="lebeda2025.lem17",
        source=printed("Lemma 17"),
        title="rho-zCDP gives approximate DP",
        statement=r"\epsilon = \rho + 2\sqrt{\rho \ln(1/\delta)}",
        kind=DeltaBound(
            formula=zcdp_delta,
            exact=_gaussian_epsilon,
            pairs=Concentrated(parameter_named("rho")),
            proof=AtOrder(_excess, _EITHER),
        ),
        domain=Box((EPSILON, RHO)),
        falls=("epsilon",),
        rises=("rho",),
        role=Role.UPPER,
        note="compared with the Gaussian mechanism, which is rho-zCDP with equality; the same as rogers2024.thm3",
    ),
)
