"""Lemma 5: the analytic Gaussian mechanism."""

from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import gaussian_profile, normal_cdf
from proofs_numeric.lebeda2025.parameters import EPSILON, SIGMA, printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import DeltaBound
from proofs_numeric.statements.tactics import Symbolic


def lemma_5(A: Arithmetic, *, epsilon: Number, sensitivity: Number, sigma: Number) -> Any:
    """``Phi(D/(2 sigma) - epsilon sigma/D) - e^epsilon Phi(-D/(2 sigma) - epsilon sigma/D)``, D > 0."""
    ratio = A.number(sensitivity) / sigma
    return gaussian_profile(A, epsilon, ratio)


def _lemma_5_literal(A: Arithmetic, *, epsilon: Number, sensitivity: Number, sigma: Number) -> Number:
    shift = epsilon * sigma / sensitivity
    half = A.number(sensitivity) / (2 * sigma)
    return normal_cdf(A, half - shift) - A.exp(epsilon) * normal_cdf(A, -half - shift)


SENSITIVITY = Parameter("sensitivity", "l2 sensitivity", "counts", lower="1e-6", upper=10**6, log=True)


CLAIMS = (
    Claim(
        id="lebeda2025.lem5",
        source=printed("Lemma 5"),
        title="the analytic Gaussian mechanism",
        statement=r"\delta \ge \Phi(\tfrac{D}{2\sigma} - \tfrac{\epsilon\sigma}{D})"
        r" - e^\epsilon \Phi(-\tfrac{D}{2\sigma} - \tfrac{\epsilon\sigma}{D})",
        kind=DeltaBound(formula=lemma_5, exact=_lemma_5_literal, proof=Symbolic()),
        domain=Box(
            (EPSILON, SENSITIVITY, SIGMA),
            lambda *, sensitivity, sigma, **_e: sensitivity < 10**3 * sigma,
            "D < 1000 sigma",
        ),
        falls=("epsilon", "sigma"),
        rises=("sensitivity",),
        note="the same number as wilkins2024.thm2.2",
    ),
)
