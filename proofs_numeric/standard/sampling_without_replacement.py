"""A fixed share of the records, sampled without replacement, and Gaussian noise on their sum; one record is replaced.

Sigma is in units of the largest distance of two records, which is twice a clipping norm. Where all other records equal
one of the two, one law is the noise, and the other is a mixture of it and of the noise moved by that distance. No data
do worse: by advanced joint convexity the delta of a sample at log(1 + rate (e^epsilon - 1)) is at most rate times the
delta of the mechanism at epsilon (Balle, Barthe and Gaboardi 2018).

Several steps may take the orders of the mixture and the noise in turn. The profile of one step at epsilon
of at least 0, and its mirror below, is that of one pair: the losses of the mixture above 0 with their mass, the same
losses below 0 with the mass of the noise, and 0. Such pairs compose (Zhu, Dong and Wang 2022, theorem 10).
With the likelihood ratio `r = 1 - q + q e^((2 x - 1)/(2 sigma^2))` the moment of their loss is
`M(c) = 1 + E_N(0, sigma^2) [(r^(c + 1) - 1) (1 - r^-c); x > 1/2]`, and Chernoff's bound holds for every power c.
"""

import math
from typing import Any

import flint
import numpy as np

from proofs_numeric.arithmetic.roots import peak_value
from proofs_numeric.arithmetic.special import integral_over, normal_cdf, normal_pdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard import inversion
from proofs_numeric.standard.parameters import *
from proofs_numeric.standard.subsampled_composition import BOX, steps

sampled = rate * profile(log1p(expm1(epsilon) / rate), 1 / sigma)
"""Exact delta of one step, in the order in which the mixture is the left law; the other order has no more."""


SMALL = 200
"""Nats below one where the moment of a step is cut off; the rest is bounded, and added."""
LARGEST_POWER = 1000
POINTS = 4001
"""Points of the moments in doubles by which a power is chosen: every choice is a bound."""


def _log_moment(c: float, sigma: float, rate: float) -> float:
    """Logarithm of the moment of one step, in doubles."""
    x = np.linspace(0.5, 1.5 + c + 14 * sigma, POINTS)
    loss = (
        np.logaddexp(math.log1p(-rate), math.log(rate) + (2 * x - 1) / (2 * sigma * sigma))
        if rate < 1
        else ((2 * x - 1) / (2 * sigma * sigma))
    )
    loss = np.maximum(loss, 1e-300)
    logs = (c + 1) * loss + np.log(-np.expm1(-(c + 1) * loss)) + np.log(-np.expm1(-c * loss)) - x * x / (2 * sigma**2)
    step = (x[1] - x[0]) / (sigma * math.sqrt(2 * math.pi))
    return float(np.logaddexp(0.0, np.logaddexp.reduce(logs) + math.log(step)))


def _log_bound(c: float, sigma: float, rate: float, k: int, epsilon: float) -> float:
    """Logarithm of the bound of the power c, in doubles; infinite above the largest power."""
    if c > LARGEST_POWER:
        return math.inf
    return k * _log_moment(c, sigma, rate) - c * epsilon + c * math.log(c) - (1 + c) * math.log1p(c)


def steps_at_most(A: Arithmetic, *, epsilon: Number, sigma: Number, rate: Number, k: int) -> Any:
    """Upper bound on the delta of `k` steps: Chernoff's of the best power among `e^(j/8)`."""

    def enclosed(_bits: int, *, epsilon: Any, sigma: Any, rate: Any) -> Any:
        doubles = float(sigma.mid()), float(rate.mid()), k, float(epsilon.mid())
        power = inversion.least(lambda c: _log_bound(c, *doubles), 1.0)
        c = (flint.arb(round(8 * math.log(power))) / 8).exp()
        moment = _moment(c, sigma, rate)
        return (k * moment.log() - c * epsilon + c * c.log() - (1 + c) * (1 + c).log()).exp().min(flint.arb(1))

    return inversion.in_balls(A, enclosed, epsilon=epsilon, sigma=sigma, rate=rate)


def _moment(c: Any, sigma: Any, rate: Any) -> Any:
    """The moment of one step at a power: beyond the end of the integral r is at most its exponential."""
    variance = sigma * sigma
    growth = c * (c + 1) / (2 * variance)
    ends = flint.arb(1) / 2, c + 1 + sigma * (2 * (SMALL + growth)).sqrt()
    height = 1 / (sigma * (2 * flint.arb.pi()).sqrt())

    def integrand(x: Any, analytic: bool) -> Any:
        loss = (1 - rate + rate * ((2 * x - 1) / (2 * variance)).exp()).log(analytic)
        return height * (-x * x / (2 * variance)).exp() * (((c + 1) * loss).exp() - 1) * (1 - (-c * loss).exp())

    inside = flint.acb.integral(integrand, *ends).real
    beyond = growth.exp() * ((ends[1] - c - 1) / (sigma * flint.arb(2).sqrt())).erfc() / 2
    return 1 + inside + flint.arb(0).union(beyond)


def _by_powers(A: Arithmetic, *, epsilon: Number, sigma: Number, rate: Number, k: int) -> Any:
    """The bounds of all powers near the best, with the moments of both parts of the losses by quadrature."""
    epsilon, sigma, rate = A.number(epsilon), A.number(sigma), A.number(rate)

    def ratio(x: Number) -> Number:
        return 1 - rate + rate * A.exp((2 * x - 1) / (2 * sigma * sigma))

    def bound(c: Number) -> Number:
        def of_losses(_A: Arithmetic, x: Number) -> Number:
            above, below = ratio(x) ** (c + 1), ratio(x) ** -c
            return normal_pdf(A, x / sigma) / sigma * (above + below - ratio(x) - 1)

        ends = [A.number(1) / 2 + step * sigma for step in range(round(float(14 + c / sigma)))]
        moment = 1 + integral_over(A, of_losses, ends)
        return moment**k * A.exp(-c * epsilon) * c**c / (1 + c) ** (1 + c)

    return min(A.number(1), *(bound(A.exp(A.number(j) / 8)) for j in range(17)))


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
            sampled, _by_tests, points("epsilon sigma rate", ("0.1", 1, "0.01"), (1, 2, "0.5"), ("0.5", "0.5", "0.1")),
        ),
        float64_lost="1e-130", domain=(EPSILON, SIGMA, RATE), falls=("epsilon",), rises=("rate",),
        note="Sigma is the noise divided by the largest distance of two records, twice the clipping norm; rate is the "
        "size of the sample divided by the number of records. Several steps do not follow from one.",
    ),
    own(
        "sampling_without_replacement.composition", "Gaussian mechanism on samples without replacement, k steps",
        "Delta of k Gaussian steps on samples without replacement, a record replaced, at most",
        r"\min_{c = e^{j/8}} M(c)^k e^{-c\varepsilon} c^c/(1+c)^{1+c}, \; M(c) = 1 + E_{N(0, \sigma^2)} [(r^{c+1} - 1)"
        r"(1 - r^{-c}); x > 1/2], \; r = 1 - q + q e^{(2x-1)/(2\sigma^2)}",
        DeltaBound(
            steps_at_most, _by_powers, points("epsilon sigma rate k", (2, 2, "0.1", 100), ("1.5", 5, "0.5", 20)),
            exact=steps,
        ),
        domain=BOX, role=Role.UPPER, falls=("epsilon",), rises=("k",), cost=400,
        note="Sigma and rate as in `standard.sampling_without_replacement`. An answer is unsafe below the delta of a "
        "pair of data sets, `standard.subsampled_gaussian.composition.both`.",
    ),
)  # fmt: skip
