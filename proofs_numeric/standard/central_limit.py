"""The central limit of Gaussian differential privacy for many Poisson-subsampled Gaussian steps: an estimate.

Its mu is the square root of the chi-squared divergence of k steps. The delta of mu-GDP with that mu may lie below the
exact delta.
"""

from __future__ import annotations

from itertools import pairwise

from proofs_numeric.arithmetic.special import gaussian_profile_direct, integral, normal_pdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard.parameters import *

limit = profile(epsilon, rate * sqrt(k * expm1(1 / sigma**2)))
"""Delta of mu-GDP with `mu = q sqrt(k (e^(1/sigma^2) - 1))`."""


def _by_quadrature(A: Arithmetic, *, epsilon: Number, sigma: Number, rate: Number, k: int) -> Number:
    """The chi-squared divergence of one step, integrated; then the analytic Gaussian delta."""
    epsilon, sigma, rate = A.number(epsilon), A.number(sigma), A.number(rate)

    def square(B: Arithmetic, x: Number) -> Number:
        ratio = rate * B.exp((2 * x - 1) / (2 * sigma * sigma)) - rate
        return ratio * ratio * normal_pdf(B, x / sigma) / sigma

    ends = [sigma * step + 2 for step in range(-45, 46)]
    mu = A.sqrt(k * A.sum(integral(A, square, a, b) for a, b in pairwise(ends)))
    return gaussian_profile_direct(A, epsilon, mu)


CLAIMS = (
    own(
        "central_limit", "central limit of Poisson-subsampled Gaussian steps",
        "Delta of k Poisson-subsampled Gaussian steps by the central limit: an estimate, no bound",
        r"f(q \sqrt{k (e^{1/\sigma^2} - 1)}, \varepsilon)",
        DeltaBound(limit, _by_quadrature, points("epsilon sigma rate k", (1, 1, "0.01", 1000), ("0.5", 2, "0.1", 50))),
        domain=(EPSILON, SIGMA, RATE, K), falls=("epsilon", "sigma"), rises=("rate", "k"), counts="k",
        note="Use it to audit a program that computes this estimate. Its delta may be below the exact one.",
    ),
)  # fmt: skip
