"""Theorem 1, informal: half the noise, in the limit of large k."""

from __future__ import annotations

from fractions import Fraction

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.lebeda2025.parameters import K, printed
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import Inequality


def _sigma_ratio_squared(A: Arithmetic, *, k: int) -> Number:
    """Squared ratio of total deviations, correlated over uncorrelated, at equal mu."""
    root = A.sqrt(A.number(k))
    return ((root + 1) / (2 * root)) ** 2


def _half_and_vanishing(A: Arithmetic, *, k: int) -> Number:
    return A.number(Fraction(1, 4)) + 1 / A.sqrt(A.number(k))


CLAIMS = (
    Claim(
        id="lebeda2025.thm1.informal",
        source=printed("Theorem 1"),
        title="half the noise, in the limit of large k",
        statement=r"(\sqrt{k} + 1)/(2\sqrt{k}) = 1/2 + o(1)",
        kind=Inequality(left=_sigma_ratio_squared, right=_half_and_vanishing),
        domain=Box((K,)),
        note="for the threshold the ratio tends to 1/2 slowly: .563 (Theorem 11) and .502 (exact) at k = 51914",
    ),
)
