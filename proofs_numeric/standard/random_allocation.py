"""Random allocation: each record is in one of the steps, drawn uniformly, and each step has Gaussian noise.

Without the record the outputs of the steps are noise; with the record one of them, at random, is moved by 1. The delta
of their largest output is a lower bound on the delta of all outputs. Its likelihood ratio at x, in units of the noise,
is
`((steps - 1) Phi(x - mu)/Phi(x) + e^(mu x - mu^2/2))/steps`. It rises with x and lies between
`e^(mu x - mu^2/2)/steps` and `e^(mu x - mu^2/2)`.

An expansion of the likelihood ratio gives its moments of integer order: the moment of order alpha is
`alpha!/steps^alpha` times the coefficient of z^alpha in `(sum_a e^(a (a - 1) mu^2/2) z^a/a!)^steps`.
"""

import math
from typing import Any

from proofs_numeric.arithmetic.finite_laws import partitions
from proofs_numeric.arithmetic.roots import increasing_root, peak_value
from proofs_numeric.arithmetic.special import log_normal_cdf, normal_cdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard.parameters import *

STEPS = Parameter("steps", "steps of an epoch", "steps", 1, 10**6, integer=True, log=True)
INTEGER_ORDER = Parameter("alpha", "order of the divergence", "order", 2, 64, integer=True, log=True)


def largest_output(A: Arithmetic, *, epsilon: Number, sigma: Number, steps: int) -> Any:
    """Delta of the largest output, a record removed or added."""
    epsilon, mu = A.number(epsilon), 1 / A.number(sigma)

    def loss(x: Any, level: Any) -> Any:
        others = (steps - 1) * A.exp(log_normal_cdf(A, x - mu) - log_normal_cdf(A, x))
        return A.log((others + A.exp(mu * x - mu * mu / 2)) / steps) - level

    def logs(level: Any) -> tuple[Any, Any]:
        """Log-probabilities, with and without the record, that the largest output is below the point of that loss."""
        centre = level / mu + mu / 2
        x = increasing_root(A, loss, centre - 1, centre + A.log(A.number(steps)) / mu + 1, level)
        noise = log_normal_cdf(A, x)
        return (steps - 1) * noise + log_normal_cdf(A, x - mu), steps * noise

    (within, without), (moved, unmoved) = logs(epsilon), logs(-epsilon)
    removed = A.exp(epsilon) * A.expm1(without) - A.expm1(within)
    added = A.exp(unmoved) - A.exp(epsilon + moved)
    return A.maximum(0, removed, added)


def _by_tests(A: Arithmetic, *, epsilon: Number, sigma: Number, steps: int) -> Any:
    """The best test of the largest output, by golden section over its threshold, in both orders of the laws."""
    factor, sigma = A.exp(A.number(epsilon)), A.number(sigma)

    def below(t: Any) -> tuple[Any, Any]:
        noise = normal_cdf(A, t / sigma) ** (steps - 1)
        return noise * normal_cdf(A, (t - 1) / sigma), noise * normal_cdf(A, t / sigma)

    def removed(t: Any) -> Any:
        moved, unmoved = below(t)
        return (1 - moved) - factor * (1 - unmoved)

    def added(t: Any) -> Any:
        moved, unmoved = below(t)
        return unmoved - factor * moved

    far = 20 * sigma * (1 + sigma)
    return max(A.number(0), *(peak_value(A, advantage, -far, far, 180) for advantage in (removed, added)))


def divergence(A: Arithmetic, *, alpha: int, sigma: Number, steps: int) -> Any:
    """Renyi divergence of integer order, a record removed: the power of a series by its recurrence."""
    half = 1 / (2 * A.number(sigma) ** 2)
    series = [A.exp(a * (a - 1) * half) / math.factorial(a) for a in range(alpha + 1)]
    power = [A.number(1)]
    for n in range(1, alpha + 1):
        power.append(A.sum((k * (steps + 1) - n) * series[k] * power[n - k] for k in range(1, n + 1)) / n)
    return (A.log(power[alpha] * math.factorial(alpha)) - alpha * A.log(A.number(steps))) / (alpha - 1)


def _by_partitions(A: Arithmetic, *, alpha: int, sigma: Number, steps: int) -> Any:
    """Every way in which alpha factors of the mean of likelihood ratios fall on the steps."""
    variance, total = A.number(sigma) ** 2, A.number(0)
    for parts in partitions(alpha, alpha):
        if len(parts) <= steps:
            repeated = math.prod(math.factorial(parts.count(part)) for part in {*parts})
            ways = math.factorial(alpha) // math.prod(map(math.factorial, parts))
            moment = A.exp(A.number(sum(part * (part - 1) for part in parts)) / (2 * variance))
            total = total + math.perm(steps, len(parts)) // repeated * ways * moment
    return A.log(total / A.number(steps) ** alpha) / (alpha - 1)


CLAIMS = (
    own(
        "random_allocation", "random allocation, Gaussian noise",
        "Delta of one epoch of random allocation, a record removed or added, at least",
        r"\max_x (1 - \Phi(x)^{n-1} \Phi(x-\mu) - e^\varepsilon (1 - \Phi(x)^n), \Phi(x)^n - e^\varepsilon "
        r"\Phi(x)^{n-1} \Phi(x-\mu)), \; \mu = 1/\sigma",
        DeltaBound(
            largest_output, _by_tests,
            points("epsilon sigma steps", ("0.5", 1, 10), (2, "0.7", 100), (1, 2, 1), (0, "0.5", 4)),
        ),
        float64_error="1e-6", float64_lost="1e-14", domain=(EPSILON, SIGMA, STEPS), falls=("epsilon", "sigma"),
        role=Role.LOWER, cost=10,
        note="The delta of the largest output alone (Chua et al. 2024), so that no smaller delta is right; also for "
        "balls and bins. Sigma is the noise divided by what the record changes of its step.",
    ),
    own(
        "random_allocation.renyi", "Renyi divergence, random allocation",
        "Renyi divergence of integer order alpha of one epoch of random allocation, a record removed",
        r"\tfrac{1}{\alpha-1} \log(\alpha! n^{-\alpha} [z^\alpha] (\sum_a e^{a(a-1)/(2\sigma^2)} z^a/a!)^n)",
        DeltaBound(divergence, _by_partitions, points("alpha sigma steps", (2, 1, 10), (7, 2, 3), (5, "0.7", 100))),
        float64_error="1e-6", float64_lost="1e-12", domain=(INTEGER_ORDER, SIGMA, STEPS), quantity=QuantityKind.EPSILON,
        rises=("alpha",), falls=("sigma", "steps"), cost=5,
    ),
)  # fmt: skip
