"""A fixed share of the records, sampled without replacement, and Gaussian noise on their sum; one record is replaced.

Sigma is in units of the largest distance of two records, which is twice a clipping norm. Where all other records equal
one of the two, one law is the noise, and the other is a mixture of it and of the noise moved by that distance. No data
do worse: by advanced joint convexity the delta of a sample at log(1 + rate (e^epsilon - 1)) is at most rate times the
delta of the mechanism at epsilon (Balle, Barthe and Gaboardi 2018).
"""

from __future__ import annotations

from typing import Any

from proofs_numeric.arithmetic.roots import peak_value
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard.parameters import *

sampled = rate * profile(log1p(expm1(epsilon) / rate), 1 / sigma)
"""Exact delta of one step, in the order in which the mixture is the left law; the other order has no more."""


def _by_tests(A: Arithmetic, *, epsilon: Number, sigma: Number, rate: Number) -> Any:
    """The best of the tests that accept one side of a number, in both orders of the laws."""
    factor, sigma, rate = A.exp(A.number(epsilon)), A.number(sigma), A.number(rate)

    def mixture_above(t: Number) -> Number:
        moved = rate * normal_cdf(A, (1 - t) / sigma) + (1 - rate) * normal_cdf(A, -t / sigma)
        return moved - factor * normal_cdf(A, -t / sigma)

    def noise_below(t: Number) -> Number:
        moved = rate * normal_cdf(A, (t - 1) / sigma) + (1 - rate) * normal_cdf(A, t / sigma)
        return normal_cdf(A, t / sigma) - factor * moved

    reach = 40 * sigma * (1 + sigma)
    return max(A.number(0), *(peak_value(A, best, -reach, reach) for best in (mixture_above, noise_below)))


CLAIMS = (
    own(
        "sampling_without_replacement", "Gaussian mechanism on a sample without replacement, one step",
        "Exact delta of one Gaussian step on a sample without replacement, a record replaced",
        r"q f(1/\sigma, \log(1 + (e^\varepsilon - 1)/q))",
        DeltaBound(
            sampled, _by_tests,
            (
                {"epsilon": "0.1", "sigma": 1, "rate": "0.01"}, {"epsilon": 1, "sigma": 2, "rate": "0.5"},
                {"epsilon": "0.5", "sigma": "0.5", "rate": "0.1"},
            ),
        ),
        float64_lost="1e-130", domain=(EPSILON, SIGMA, RATE), falls=("epsilon",), rises=("rate",),
        note="Sigma is the noise divided by the largest distance of two records, twice the clipping norm; rate is the "
        "size of the sample divided by the number of records. Several steps do not follow from one.",
    ),
)  # fmt: skip
