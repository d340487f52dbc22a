"""One release: discrete noise, randomised response, a selection, and a Poisson subsample with Gaussian noise."""

import math
from functools import partial
from typing import Any

from proofs_numeric.arithmetic.finite_laws import lattice
from proofs_numeric.arithmetic.integer_part import floors
from proofs_numeric.arithmetic.roots import peak_value
from proofs_numeric.arithmetic.special import gaussian_profile, integral_over, normal_pdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard.parameters import *
from proofs_numeric.thresholds.integer import discrete_gaussian_tail, gaussian_weight


def discrete_laplace(A: Arithmetic, *, epsilon: Number, scale: Number, sensitivity: int) -> Number:
    """Exact delta of `P[Z = x]` proportional to `exp(-|x|/scale)` on the integers, moved by `sensitivity`.

    The loss is `sensitivity/scale` at and left of the one centre, its negative at and right of the other, and
    `(sensitivity - 2 x)/scale` at the integers between.
    """
    epsilon, ratio = A.number(epsilon), A.exp(-1 / A.number(scale))

    def excess(near: Number, far: Number) -> Number:
        return A.maximum(0, near - A.exp(epsilon) * far)

    between = (excess(ratio**x, ratio ** (sensitivity - x)) for x in range(1, sensitivity))
    return (excess(A.number(1), ratio**sensitivity) + (1 - ratio) * A.sum(between)) / (1 + ratio)


def discrete_gaussian(A: Arithmetic, *, epsilon: Number, sigma: Number, sensitivity: int) -> Number:
    """Exact delta of `P[Z = x]` proportional to `exp(-x^2/(2 sigma^2))` on the integers, moved by `sensitivity`.

    The loss at `x` exceeds epsilon iff `x > epsilon sigma^2/sensitivity - sensitivity/2`; at equality nothing is lost.
    """
    epsilon, sigma = A.number(epsilon), A.number(sigma)
    last = epsilon * sigma * sigma / sensitivity - A.number(sensitivity) / 2
    return A.maximum(
        *(
            discrete_gaussian_tail(A, sigma, x + 1)
            - A.exp(epsilon) * discrete_gaussian_tail(A, sigma, x + 1 + sensitivity)
            for x in floors(A, last)
        )
    )


def by_masses(noise: str, weight: Any) -> Any:
    """Delta of an integer law from its weights, one integer at a time."""

    def oracle(A: Arithmetic, *, epsilon: Number, sensitivity: int, **parameters: Any) -> Any:
        scale, factor = A.number(parameters[noise]), A.exp(A.number(epsilon))
        reach = math.ceil(FAR * float(scale)) + sensitivity
        law = lattice(A, lambda x: weight(A, x, scale), reach)
        gains = (law[x - sensitivity] - factor * law[x] for x in range(sensitivity - reach, reach + 1))
        return A.sum(gain for gain in gains if gain > 0)

    return oracle


randomized_response = maximum(0, exp(epsilon_0) - exp(epsilon)) / (exp(epsilon_0) + categories - 1)
"""Exact delta of the answer kept with probability `e^epsilon_0 / (e^epsilon_0 + categories - 1)`."""


def _response_by_answers(A: Arithmetic, *, epsilon: Number, epsilon_0: Number, categories: int) -> Number:
    weights = [A.exp(A.number(epsilon_0)), *[A.number(1)] * (categories - 1)]
    left, right = ([w / sum(weights) for w in order] for order in (weights, weights[::-1]))
    return A.sum(max(A.number(0), p - A.exp(A.number(epsilon)) * q) for p, q in zip(left, right, strict=True))


bounded_range = maximum(0, exp(eta / 2) - exp(epsilon / 2)) ** 2 / expm1(eta)
"""Exact delta of the class of mechanisms whose losses span `eta`: `(e^(eta/2) - e^(epsilon/2))^2 / (e^eta - 1)`.

A pair whose losses are `t` and `t - eta` loses `t` with probability `(e^eta - e^t)/(e^eta - 1)`; the worst has
`t = (eta + epsilon)/2`. The exponential mechanism has range `eta = 2 epsilon_0`, or `epsilon_0` where its score is
monotone (Dong, Durfee and Rogers 2020).
"""

a, b, c = symbols("a b c")
_at_two_losses = ((a * a - c * c) * (1 - b * b / (c * c)) + (c - a * b / c) ** 2) / (a * a - 1)
"""``p (1 - e^(epsilon - t))``, p the probability of the loss t, and the square that it is short of."""


def _range_by_search(A: Arithmetic, *, epsilon: Number, eta: Number) -> Any:
    """The worst pair of two outcomes, by golden section over its larger loss."""
    epsilon, eta = A.number(epsilon), A.number(eta)

    def delta(t: Number) -> Any:
        return (A.exp(eta) - A.exp(t)) / A.expm1(eta) * -A.expm1(epsilon - t)

    return peak_value(A, delta, min(epsilon, eta), eta, 120)


permute_and_flip = maximum(0, -expm1((epsilon - epsilon_0) / 2))
"""Exact delta of one selection of a candidate by its score plus exponential noise of scale 2/epsilon_0, at its worst.

A record changes each score by at most 1. Let S be a set of candidates and G(t) the probability that S wins after its
scores rise by t against the other scores. The largest noisy score of each side has a hazard rate of at most
epsilon_0/2, so that `G' <= epsilon_0/2 min(G, 1 - G)`. The distribution function of Laplace noise of scale 2/epsilon_0
attains this bound at every t, and two candidates have it. A record moves t by at most 2.
"""


def _by_flips(A: Arithmetic, *, epsilon: Number, epsilon_0: Number) -> Any:
    """Two candidates by the definition: the worse one wins if it comes first and its coin shows heads."""
    factor, rate = A.exp(A.number(epsilon)), A.number(epsilon_0) / 2

    def first_wins(lead: Number) -> Number:
        heads = A.exp(-rate * abs(lead)) / 2
        return 1 - heads if lead > 0 else heads

    def advantage(lead: Number) -> Number:
        return first_wins(lead + 2) - factor * first_wins(lead)

    return max(A.number(0), peak_value(A, advantage, A.number(-2), A.number(0)))


subsampled_gaussian = rate * profile(log1p(expm1(epsilon) / rate), 1 / sigma)
"""Delta of Gaussian noise on a sum over a Poisson sample, the record in the left data set: one step.

`H(q N(1, sigma^2) + (1 - q) N(0, sigma^2), N(0, sigma^2)) = q f(1/sigma, log(1 + (e^epsilon - 1)/q))`.
"""


def subsampled_gaussian_added(A: Arithmetic, *, epsilon: Number, sigma: Number, rate: Number) -> Any:
    """Delta of the same step in the other order, the record in the right data set.

    `H(N(0, sigma^2), q N(1, sigma^2) + (1 - q) N(0, sigma^2)) = r f(1/sigma, epsilon + log(q/r))` with
    `r = 1 - (1 - q) e^epsilon`, and 0 where `r <= 0`: no loss exceeds `-log(1 - q)`.
    """
    epsilon, rate = A.number(epsilon), A.number(rate)
    rest = rate * A.exp(epsilon) - A.expm1(epsilon)
    if rest <= 0:
        return A.number(0)
    return rest * gaussian_profile(A, epsilon + A.log(rate / rest), 1 / A.number(sigma))


def _step_by_quadrature(A: Arithmetic, *, epsilon: Number, sigma: Number, rate: Number, added: bool) -> Number:
    epsilon, sigma, rate = A.number(epsilon), A.number(sigma), A.number(rate)
    if (likelier := A.exp(-epsilon if added else epsilon) - 1 + rate) <= 0:  # no answer is likelier by so much
        return A.number(0)
    edge, step = sigma * sigma * A.log(likelier / rate) + A.number(1) / 2, -sigma if added else sigma

    def excess(B: Arithmetic, x: Number) -> Number:
        plain = normal_pdf(B, x / sigma)
        mixed = rate * normal_pdf(B, (x - 1) / sigma) + (1 - rate) * plain
        left, right = (plain, mixed) if added else (mixed, plain)
        return (left - B.exp(epsilon) * right) / sigma

    return integral_over(A, excess, sorted(edge + step * n for n in range(41)))


CLAIMS = (
    own(
        "discrete_laplace", "discrete Laplace mechanism",
        "Exact delta of the discrete Laplace (two-sided geometric) mechanism",
        r"\sum_x (P[Z = x] - e^\varepsilon P[Z = x - d])_+, \; P[Z = x] \propto e^{-|x|/b}",
        DeltaBound(
            discrete_laplace, by_masses("scale", laplace_weight),
            points("epsilon scale sensitivity", ("0.3", "1.5", 1), (1, 2, 5), (0, "0.5", 2), (2, 2, 3)),
        ),
        domain=(EPSILON, SCALE, SENSITIVITY), falls=("epsilon", "scale"), rises=("sensitivity",),
    ),
    own(
        "discrete_gaussian", "discrete Gaussian mechanism", "Exact delta of the discrete Gaussian mechanism",
        r"P[Z > x^*] - e^\varepsilon P[Z > x^* + d], \; x^* = \varepsilon\sigma^2/d - d/2",
        DeltaBound(
            discrete_gaussian, by_masses("sigma", gaussian_weight),
            points("epsilon sigma sensitivity", ("0.3", "1.5", 1), (1, 3, 5), (1, 1, 2)),
        ),
        float64_error="1e-2", domain=(EPSILON, NARROW, SENSITIVITY), falls=("epsilon",), rises=("sensitivity",), cost=5,
    ),
    own(
        "randomized_response", "randomised response", "Exact delta of randomised response",
        r"(e^{\varepsilon_0} - e^\varepsilon)_+ / (e^{\varepsilon_0} + m - 1)",
        DeltaBound(
            randomized_response, _response_by_answers,
            (
                {"epsilon": "0.3", "epsilon_0": 1}, {"epsilon": 0, "epsilon_0": 2, "categories": 5},
                {"epsilon": 1, "epsilon_0": "0.5"},
            ),
        ),
        domain=(EPSILON, EPSILON_0, CATEGORIES), falls=("epsilon", "categories"), rises=("epsilon_0",),
    ),
    own(
        "bounded_range", "bounded range, exponential mechanism", "Exact delta of the worst mechanism of bounded range",
        r"(e^{\eta/2} - e^{\varepsilon/2})_+^2 / (e^\eta - 1)",
        DeltaBound(
            bounded_range, _range_by_search, points("epsilon eta", (0, 1), ("0.5", 2), (1, 8), (2, 1)),
            proof=derived(
                Unchecked(
                    "law on two losses",
                    "(1 - e^epsilon u)_+ is convex in u = e^(-loss), of mean at most 1 under the first law, on "
                    "[e^-t, e^(eta - t)]: below its chord, so that a law on the losses t and t - eta is the worst",
                ),
                SymbolicIdentity(
                    "what such a law gives is short of the value by a square", _at_two_losses,
                    (a - b) ** 2 / (a**2 - 1), ("a", "b", "c"), ("a", "b", "c"),
                    "a = e^(eta/2), b = e^(epsilon/2), c = e^(t/2), epsilon <= t <= eta; 0 at c^2 = a b, which is "
                    "such a t; from epsilon = eta on no loss exceeds epsilon",
                ),
            ),
        ),
        float64_lost="1e-15", domain=(EPSILON, ETA), falls=("epsilon",), rises=("eta",),
    ),
    own(
        "permute_and_flip", "permute-and-flip, noisy maximum with exponential noise",
        "Exact delta of one selection by permute-and-flip", r"(1 - e^{(\varepsilon - \varepsilon_0)/2})_+",
        DeltaBound(
            permute_and_flip, _by_flips, points("epsilon epsilon_0", (0, 1), ("0.5", 2), (3, 10), (1, "0.5")),
            proof=derived(
                Unchecked(
                    "hazard rates",
                    "a maximum of shifted exponential variables has a hazard rate of at most epsilon_0/2: the odds of "
                    "each set of candidates grow no faster than those of a threshold on Laplace noise, and a "
                    "record moves the scores of a set by at most 2 against the others",
                ),
            ),
        ),
        domain=(EPSILON, EPSILON_0), falls=("epsilon",), rises=("epsilon_0",),
        note="The noise has scale 2/epsilon_0 for scores that a record changes by at most 1. If a record moves all "
        "scores in one direction, epsilon_0 is 1/scale.",
    ),
    own(
        "subsampled_gaussian", "Poisson-subsampled Gaussian mechanism, one step",
        "Delta of one Poisson-subsampled Gaussian step, a record removed",
        r"q f(1/\sigma, \log(1 + (e^\varepsilon - 1)/q))",
        DeltaBound(
            subsampled_gaussian, partial(_step_by_quadrature, added=False),
            points("epsilon sigma rate", ("0.1", 1, "0.01"), (1, 2, "0.5")),
        ),
        float64_lost="1e-130", domain=(EPSILON, SIGMA, RATE), falls=("epsilon",), rises=("rate",),
        note="A lower bound on the delta of both orders; several steps do not follow from one.",
    ),
    own(
        "subsampled_gaussian.added", "Poisson-subsampled Gaussian mechanism, one step",
        "Delta of one Poisson-subsampled Gaussian step, a record added",
        r"r f(1/\sigma, \varepsilon + \log(q/r)), \; r = (1 - (1-q) e^\varepsilon)_+",
        DeltaBound(
            subsampled_gaussian_added, partial(_step_by_quadrature, added=True),
            points("epsilon sigma rate", ("0.005", 1, "0.01"), ("0.5", 2, "0.5"), (1, 2, "0.5")),
        ),
        float64_lost="1e-130", domain=(EPSILON, SIGMA, RATE), falls=("epsilon",), rises=("rate",),
        note="A lower bound on the delta of both orders; 0 from epsilon = -log(1 - rate) on.",
    ),
    own(
        "subsampled_gaussian.both", "Poisson-subsampled Gaussian mechanism, one step",
        "Delta of one Poisson-subsampled Gaussian step, a record added or removed",
        r"\max(q f(1/\sigma, \log(1 + (e^\varepsilon - 1)/q)), \; r f(1/\sigma, \varepsilon + \log(q/r)))",
        DeltaBound(
            maximum(subsampled_gaussian, algorithm(subsampled_gaussian_added)()),
            lambda A, **point: max(_step_by_quadrature(A, added=added, **point) for added in (False, True)),
            points("epsilon sigma rate", ("0.005", 1, "0.01"), ("0.1", 1, "0.01"), ("0.5", 2, "0.5")),
        ),
        float64_lost="1e-130", domain=(EPSILON, SIGMA, RATE), falls=("epsilon",), rises=("rate",),
        note="What an accountant of add-or-remove neighbours owes for one step.",
    ),
)  # fmt: skip
