"""The best test against a release: its power at a level of false alarms, and its advantage over guessing."""

import math
from collections.abc import Callable, Iterable
from typing import Any

from proofs_numeric.arithmetic.enclosure import NotEnclosedError
from proofs_numeric.arithmetic.finite_laws import lattice
from proofs_numeric.arithmetic.special import integral_over, normal_cdf, normal_pdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard.parameters import *
from proofs_numeric.thresholds.integer import discrete_gaussian_tail, gaussian_weight
from proofs_numeric.thresholds.laplace import discrete_laplace_tail

gaussian_power = Phi(quantile(alpha) + sqrt(k) / sigma)
"""Largest power at level `alpha` against `k` releases with noise `sigma`: `Phi(Phi^-1(alpha) + sqrt(k)/sigma)`."""

_below = maximum(0, minimum(2 / scale, 2 / scale + 2 * log(2 * alpha)))
laplace_power = -expm1(-_below / 2) + alpha * exp(1 / scale - _below)
"""Largest power at level `alpha` against one release with noise of density `exp(-|x|/scale)/(2 scale)`.

`delta(e) + alpha exp(e)` at the best `e` in [-1/scale, 1/scale], where `delta(e) = 1 - exp((e - 1/scale)/2)`; the
best lies `2/scale + 2 log(2 alpha)` below `1/scale`.
"""


def by_threshold(tail: Callable[..., Any]) -> Any:
    """Power of the test that rejects above a threshold, from the tail of the noise: likelihood ratios rise."""

    def oracle(A: Arithmetic, *, alpha: Number, **parameters: Any) -> Any:
        alpha, low, high = A.number(alpha), A.number(-(10**4)), A.number(10**4)
        for _step in range(400):
            middle = (low + high) / 2
            low, high = (middle, high) if tail(A, middle, **parameters) > alpha else (low, middle)
        return tail(A, (low + high) / 2 - 1, **parameters)

    return oracle


def _laplace_tail(A: Arithmetic, x: Number, *, scale: Number) -> Number:
    half = A.exp(-abs(x) / A.number(scale)) / 2
    return half if x > 0 else 1 - half


_ratio = exp(epsilon_0)
response_power = minimum(
    _ratio * alpha, minimum(alpha + (_ratio - 1) / (_ratio + categories - 1), 1 - (1 - alpha) / _ratio)
)
"""Largest power at level `alpha` against randomised response: the true answer first, the other one last."""

range_power = alpha / (alpha + exp(-eta) * (1 - alpha))
"""Largest power at level `alpha` against any mechanism whose losses span `eta`: its odds are `e^eta` times those.

Losses in `[t - eta, t]` leave a power of `min(e^t alpha, 1 - e^(t - eta) (1 - alpha))` at most, which two outcomes
attain; the best `t` makes both equal.
"""


def _range_by_search(A: Arithmetic, *, alpha: Number, eta: Number) -> Any:
    """The largest loss by bisection: one bound on the power rises with it, the other falls."""
    alpha, eta = A.number(alpha), A.number(eta)
    low, high = A.number(0), eta
    for _step in range(200):
        t = (low + high) / 2
        low, high = (low, t) if A.exp(t) * alpha > 1 - A.exp(t - eta) * (1 - alpha) else (t, high)
    return A.exp(low) * alpha


def integer_power(noise: str, tail: Callable[..., Any]) -> Any:
    """Largest power against noise on the integers of log-concave masses, from `tail(A, parameter, x) = P[Z >= x]`.

    Likelihood ratios rise: the best test rejects from an integer on, and at the one before it at times. The power is so
    concave and linear between the levels `P[Z >= t]`, and each line lies above it: the least of those near is it.
    """

    def power(A: Arithmetic, *, alpha: Number, sensitivity: int, **parameters: Number) -> Number:
        alpha, scale = A.number(alpha), A.number(parameters[noise])

        def at_least(x: int) -> Any:
            return tail(A, scale, x)

        step = 1
        while at_least(step) > alpha:
            step *= 2
        while at_least(-step) < alpha:
            step *= 2
        low, high = -step, step
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if at_least(middle) > alpha else (low, middle)

        if not at_least(low + 2) <= alpha <= at_least(low - 1):
            raise NotEnclosedError(f"expected a level between two tails, got {alpha}; raise the precision")

        def line(t: int) -> Any:
            mass, moved = (at_least(abs(x)) - at_least(abs(x) + 1) for x in (t, t - sensitivity))
            # the ratio first: the product of two tiny numbers underflows
            return at_least(t + 1 - sensitivity) + (alpha - at_least(t + 1)) * (moved / mass)

        return A.minimum(line(low - 1), A.minimum(line(low), line(low + 1)))

    return power


def likeliest(A: Arithmetic, alpha: Number, power: Number, laws: Iterable[tuple[Number, Number]]) -> Any:
    """Neyman and Pearson's test: of (mass, mass at the level) the largest ratio first, until the level is spent."""
    left = A.number(alpha)
    for moved, mass in sorted(laws, key=lambda pair: math.inf if pair[1] == 0 else pair[0] / pair[1], reverse=True):
        share = A.number(1) if mass == 0 else min(A.number(1), left / mass)
        power, left = power + share * moved, left - share * mass
    return power


def by_answers(noise: str, weight: Callable[..., Any], reach: Callable[[float], float]) -> Any:
    """Every sequence of answers by its likelihood ratio, the largest first, until the level is spent."""

    def oracle(A: Arithmetic, *, alpha: Number, sensitivity: int, k: int = 1, **parameters: Number) -> Any:
        scale = A.number(parameters[noise])
        far = math.ceil(reach(float(scale))) + sensitivity
        law = lattice(A, lambda x: weight(A, x, scale), far)
        one = [(law[x - sensitivity], law[x]) for x in range(sensitivity - far, far + 1)]
        every = [(A.number(1), A.number(1))]
        for _release in range(k):
            every = [(p * moved, q * mass) for p, q in every for moved, mass in one]
        return likeliest(A, alpha, A.number(0), every)

    return oracle


def _gaussian_overlap(A: Arithmetic, *, sigma: Number, k: int) -> Number:
    """The mass of a unit normal between the two midpoints."""
    half = A.sqrt(A.number(k)) / A.number(sigma) / 2
    return integral_over(A, normal_pdf, (half * step / 8 for step in range(-8, 9)))


def _laplace_overlap(A: Arithmetic, *, scale: Number) -> Number:
    """The mass of the noise within half a sensitivity of its centre."""
    width = A.number(scale)
    ends = (A.number(step) / 32 for step in range(17))
    return integral_over(A, lambda B, x: B.exp(-x / width) / width, ends)


def _response_by_answers(A: Arithmetic, *, alpha: Number, epsilon_0: Number, categories: int) -> Any:
    ratio = A.exp(A.number(epsilon_0))
    masses = [ratio / (ratio + categories - 1), *[1 / (ratio + categories - 1)] * (categories - 1)]
    return likeliest(A, alpha, A.number(0), zip(masses, masses[::-1], strict=True))


ALPHA = Parameter("alpha", "level: false alarms of the test", "probability", "1e-300", 1, log=True, open_upper=True)

CLAIMS = (
    own(
        "power.gaussian", "trade-off function of the Gaussian mechanism, k releases",
        "Largest power of a test at level alpha against k releases with Gaussian noise",
        r"1 - \beta(\alpha) = \Phi(\Phi^{-1}(\alpha) + \sqrt{k}/\sigma)",
        DeltaBound(
            gaussian_power,
            by_threshold(lambda A, x, *, sigma, k: normal_cdf(A, -x * A.sqrt(A.number(k)) / A.number(sigma))),
            points("alpha sigma k", ("0.05", 1, 1), ("1e-6", 3, 20), ("0.7", 2, 3)),
        ),
        domain=(ALPHA, SIGMA, K), quantity=QuantityKind.PROBABILITY, falls=("sigma",), rises=("alpha", "k"),
        note="Dong, Roth and Su 2022, equation (6): the trade-off function is beta, one less this power.",
    ),
    own(
        "power.laplace", "trade-off function of the Laplace mechanism",
        "Largest power of a test at level alpha against one release with Laplace noise",
        r"1 - \beta(\alpha) = \min_{|e| \le 1/b} (1 - e^{(e - 1/b)/2} + \alpha e^e)",
        DeltaBound(
            laplace_power, by_threshold(_laplace_tail), points("alpha scale", ("0.01", 2), ("0.4", 2), ("0.9", "0.5")),
        ),
        domain=(ALPHA, SCALE), quantity=QuantityKind.PROBABILITY, falls=("scale",), rises=("alpha",),
        note="The trade-off function is beta, one less this power.",
    ),
    own(
        "power.discrete_laplace", "trade-off function of the discrete Laplace mechanism",
        "Largest power of a test at level alpha against one release with discrete Laplace noise",
        r"\min_t (P[Z > t-d] + (\alpha - P[Z > t]) P[Z = t-d]/P[Z = t]), \; P[Z = x] \propto e^{-|x|/b}",
        DeltaBound(
            integer_power("scale", discrete_laplace_tail),
            by_answers("scale", laplace_weight, lambda scale: 120 * scale),
            points("alpha scale sensitivity", ("0.01", 2, 1), ("0.3", 1, 3), ("0.9", "0.5", 2)),
        ),
        float64_lost="1e-15", domain=(ALPHA, SCALE, SENSITIVITY), quantity=QuantityKind.PROBABILITY, falls=("scale",),
        rises=("alpha", "sensitivity"), note="The trade-off function is beta, one less this power.",
    ),
    own(
        "power.discrete_gaussian", "trade-off function of the discrete Gaussian mechanism",
        "Largest power of a test at level alpha against one release with discrete Gaussian noise",
        r"\min_t (P[Z > t-d] + (\alpha - P[Z > t]) P[Z = t-d]/P[Z = t]), \; P[Z = x] \propto e^{-x^2/2\sigma^2}",
        DeltaBound(
            integer_power("sigma", discrete_gaussian_tail),
            by_answers("sigma", gaussian_weight, lambda sigma: 18 * sigma + 2),
            points("alpha sigma sensitivity", ("0.01", 2, 1), ("0.3", 1, 3), ("0.9", "0.5", 2)),
        ),
        domain=(ALPHA, NARROW, SENSITIVITY), quantity=QuantityKind.PROBABILITY, rises=("alpha", "sensitivity"),
        note="The trade-off function is beta, one less this power.", cost=20,
    ),
    own(
        "power.randomized_response", "trade-off function of randomised response",
        "Largest power of a test at level alpha against randomised response",
        r"\min(e^{\varepsilon_0}\alpha, \; \alpha + (e^{\varepsilon_0}-1)/(e^{\varepsilon_0}+m-1), \; 1 - "
        r"e^{-\varepsilon_0}(1-\alpha))",
        DeltaBound(
            response_power, _response_by_answers,
            (
                {"alpha": "0.01", "epsilon_0": 1}, {"alpha": "0.4", "epsilon_0": 1, "categories": 4},
                {"alpha": "0.9", "epsilon_0": "0.5", "categories": 3},
            ),
        ),
        domain=(ALPHA, EPSILON_0, CATEGORIES), quantity=QuantityKind.PROBABILITY, falls=("categories",),
        rises=("alpha", "epsilon_0"),
        note="Of two categories the trade-off function of epsilon_0 itself: beta is one less this power.",
    ),
    own(
        "power.bounded_range", "trade-off function of bounded range, exponential mechanism",
        "Largest power of a test at level alpha against any mechanism of bounded range",
        r"\alpha / (\alpha + e^{-\eta} (1 - \alpha))",
        DeltaBound(range_power, _range_by_search, points("alpha eta", ("0.01", 1), ("0.4", 3), ("0.9", "0.1"))),
        domain=(ALPHA, ETA), quantity=QuantityKind.PROBABILITY, rises=("alpha", "eta"),
        note="Of the class: a pair of two outcomes attains it, another one at each level. Beta is one less this power.",
    ),
    own(
        "advantage.gaussian", "advantage against the Gaussian mechanism, k releases",
        "Largest power less false alarms against k releases with Gaussian noise",
        r"\max_\alpha (1 - \beta(\alpha) - \alpha) = 2\Phi(\sqrt{k}/(2\sigma)) - 1",
        DeltaBound(profile(0, sqrt(k) / sigma), _gaussian_overlap, points("sigma k", (1, 1), (30, 10))),
        domain=(SIGMA, K), quantity=QuantityKind.PROBABILITY, falls=("sigma",), rises=("k",),
    ),
    own(
        "advantage.laplace", "advantage against the Laplace mechanism",
        "Largest power less false alarms against one release with Laplace noise",
        r"\max_\alpha (1 - \beta(\alpha) - \alpha) = 1 - e^{-1/(2b)}",
        DeltaBound(-expm1(-1 / (2 * scale)), _laplace_overlap, ({"scale": 1}, {"scale": 20})), domain=(SCALE,),
        quantity=QuantityKind.PROBABILITY, falls=("scale",),
    ),
)  # fmt: skip
