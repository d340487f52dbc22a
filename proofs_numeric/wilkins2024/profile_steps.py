"""Steps that several proofs share: the Gaussian profile f and the normal tail, as sums of positive terms."""

from __future__ import annotations

from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.derivative import derivative
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import gaussian_profile, normal_cdf, normal_pdf, normal_quantile_complement
from proofs_numeric.statements.box import Parameter
from proofs_numeric.statements.derivation import SymbolicIdentity
from proofs_numeric.statements.tactics import ByClaim, Increasing, Rewrite, Root, Sign, Tactic, Through
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


def _upper_tail(A: Arithmetic, *, z: Number) -> Number:
    return normal_cdf(A, -z)


def _minus_density(A: Arithmetic, *, z: Number) -> Number:
    return -normal_pdf(A, z)


TAIL_STEP = SymbolicIdentity(
    "d/dz Phi(-z) = -phi(z)",
    derivative(_upper_tail, "z"),
    _minus_density,
    ("z",),
    (),
    "the upper tail decreases strictly, and so does its inverse Q(q) = Phi^-1(1 - q), with Q(1/2) = 0",
)


def target(A: Arithmetic, *, delta: Number, **_rest: Any) -> Number:
    """``delta``."""
    return A.number(delta)


def least_epsilon_at(mu: Formula, proof: Tactic) -> Root:
    """`gaussian_epsilon` at ``delta`` and the distance ``mu``, as ``root``: ``f(mu, root) <= delta``.

    At its upper end f is at most ``Phi(mu/2 - epsilon/mu)``, which is at most delta.
    """

    def excess(A: Arithmetic, **at: Any) -> Any:
        m = mu(A, **at)
        return m / 2 - A.maximum(0, m * (m / 2 - quantile(A, **at))) / m

    def quantile(A: Arithmetic, **at: Any) -> Any:
        return -normal_quantile_complement(A, target(A, **at))

    def cdf(x: Formula) -> Formula:
        return lambda A, **at: normal_cdf(A, x(A, **at))

    at_root = {"epsilon": lambda _A, *, root, **_rest: root, "mu": mu}
    return Root(
        Parameter("root", "least epsilon"),
        lambda A, *, root, **at: gaussian_profile(A, A.number(root), mu(A, **at)),
        target,
        proof,
        above=Through(cdf(excess), second=Rewrite(Increasing("normal_cdf", excess, quantile), right=cdf(quantile))),
        positive=(ByClaim("wilkins2024.thm2.2.positive", at_root), Sign()),
    )
