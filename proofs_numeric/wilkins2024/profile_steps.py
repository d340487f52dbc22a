"""Steps that several proofs share: the Gaussian profile f and the normal tail, as sums of positive terms."""

from __future__ import annotations

from typing import Any

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.arithmetic.derivative import derivative
from proofs_numeric.arithmetic.special import gaussian_profile, normal_cdf, normal_pdf
from proofs_numeric.statements.proof import SymbolicIdentity
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import profile_complement


def gaussian(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    """``f(mu, epsilon)``, the profile of the Gaussian mechanism."""
    return gaussian_profile(A, A.number(epsilon), A.number(mu))


def _one_minus_gaussian(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    return 1 - gaussian_profile(A, epsilon, mu)


def _complement(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    return profile_complement(A, epsilon=epsilon, mu=mu)


COMPLEMENT_STEP = SymbolicIdentity(
    "1 - f = Phi(epsilon/mu - mu/2) + e^epsilon Phi(-mu/2 - epsilon/mu)",
    _one_minus_gaussian,
    _complement,
    ("epsilon", "mu"),
    ("mu",),
    "a sum of positive terms, so f < 1",
)


def _t_above_line(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    return gaussian_profile(A, epsilon, mu) - (1 - A.exp(epsilon))


def _reflected(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    return A.exp(epsilon) * gaussian_profile(A, -epsilon, mu)


REFLECTION_STEP = SymbolicIdentity(
    "f(mu, e) - (1 - e^e) = e^e f(mu, -e)",
    _t_above_line,
    _reflected,
    ("epsilon", "mu"),
    ("mu",),
    "positive since f > 0: f(mu, e) > 1 - e^e",
)


def _upper_tail(A: Arithmetic, *, z: Any) -> Any:
    return normal_cdf(A, -z)


def _minus_density(A: Arithmetic, *, z: Any) -> Any:
    return -normal_pdf(A, z)


TAIL_STEP = SymbolicIdentity(
    "d/dz Phi(-z) = -phi(z)",
    derivative(_upper_tail, "z"),
    _minus_density,
    ("z",),
    (),
    "the upper tail decreases strictly, and so does its inverse Q(q) = Phi^-1(1 - q), with Q(1/2) = 0",
)


def _one_minus_cdf(A: Arithmetic, *, z: Any) -> Any:
    return 1 - normal_cdf(A, z)


POSITIVE_TAIL_STEP = SymbolicIdentity(
    "1 - Phi(z) = Phi(-z)",
    _one_minus_cdf,
    _upper_tail,
    ("z",),
    (),
    "positive, so p < 1 and delta_infinite = 1 - p^C_u > 0, while -e^epsilon <= -1 for epsilon >= 0",
)
