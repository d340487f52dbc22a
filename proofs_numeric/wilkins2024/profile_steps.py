"""Steps that several proofs share: the Gaussian profile f and the normal tail, as sums of positive terms."""

from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.statements.derivation import SymbolicIdentity
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import profile_complement


def gaussian(A: Arithmetic, *, epsilon: Number, mu: Number) -> Any:
    """``f(mu, epsilon)``, the profile of the Gaussian mechanism."""
    return gaussian_profile(A, A.number(epsilon), A.number(mu))


def _one_minus_gaussian(A: Arithmetic, *, epsilon: Number, mu: Number) -> Any:
    return 1 - gaussian_profile(A, epsilon, mu)


def _complement(A: Arithmetic, *, epsilon: Number, mu: Number) -> Number:
    return profile_complement(A, epsilon=epsilon, mu=mu)


COMPLEMENT_STEP = SymbolicIdentity(
    "1 - f = Phi(epsilon/mu - mu/2) + e^epsilon Phi(-mu/2 - epsilon/mu)",
    _one_minus_gaussian,
    _complement,
    ("epsilon", "mu"),
    ("mu",),
    "a sum of positive terms, so f < 1",
)
