"""Renyi divergence at one order: what libraries add up over releases before they turn it into epsilon and delta.

`D_alpha(P || Q) = log E_Q (P/Q)^alpha / (alpha - 1)`, the larger of both orders of the neighbours. Of several releases
that are independent the divergences add.
"""

import math
from collections.abc import Sequence
from typing import Any

import flint

from proofs_numeric.arithmetic.roots import peak_value
from proofs_numeric.arithmetic.special import integral_over, normal_cdf, normal_pdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard import inversion
from proofs_numeric.standard.parameters import *
from proofs_numeric.statements.concentrated import delta_at_order_upper
from proofs_numeric.thresholds.integer import gaussian_weight

MOST_EVALUATIONS = 50_000

gaussian = alpha / (2 * sigma**2)


_near, _loss = alpha / (2 * alpha - 1), 1 / scale
laplace = log1p(_near * expm1((alpha - 1) * _loss) + (1 - _near) * expm1(-alpha * _loss)) / (alpha - 1)
"""`log(a e^((alpha-1)/b) + (1-a) e^(-alpha/b))/(alpha-1)` with `a = alpha/(2 alpha - 1)`."""


def discrete_laplace(A: Arithmetic, *, alpha: Number, scale: Number, sensitivity: int) -> Number:
    """Both tails are geometric; of the integers between, the loss is `(sensitivity - 2 x)/scale`."""
    alpha, u = A.number(alpha), 1 / A.number(scale)
    ratio, d = A.exp(-u), sensitivity
    between = A.sum(A.exp(-u * x) * A.expm1((alpha - 1) * (d - 2 * x) * u) for x in range(1, d))
    ends = A.expm1((alpha - 1) * d * u) + ratio**d * A.expm1(-(alpha - 1) * d * u)
    return A.log1p((ends + (1 - ratio) * between) / (1 + ratio)) / (A.number(alpha) - 1)


def discrete_gaussian(A: Arithmetic, *, alpha: Number, sigma: Number, sensitivity: int) -> Any:
    """`alpha d^2/(2 sigma^2)` and, below it, the masses of a moved lattice: `log(theta(alpha d)/theta(0))/(alpha - 1)`.

    `theta(s)` is the sum over the integers x of `exp(-(x - s)^2/(2 sigma^2))`, and largest at the integers.
    """
    alpha, spread = A.number(alpha), A.number(sigma)

    def enclosed(bits: int, *, alpha: Any, sigma: Any) -> Any:
        far = math.ceil(math.sqrt(2 * flint.ctx.prec * math.log(2)) * float(sigma.mid())) + 2
        moved = alpha * sensitivity
        moved -= math.floor(float(moved.mid()))

        def theta(shift: Any) -> Any:
            terms = ((-((x - shift) ** 2) / (2 * sigma**2)).exp() for x in range(-far, far + 1))
            rest = (-((far - 1) ** 2 / (2 * sigma**2))).exp() * 4 * (1 + sigma**2)  # of both ends
            return sum(terms, flint.arb(0)) + flint.arb(0).union(rest)

        whole = alpha * sensitivity**2 / (2 * sigma**2)
        return whole + (theta(moved) / theta(flint.arb(0))).log() / (alpha - 1)

    return inversion.in_balls(A, enclosed, alpha=alpha, sigma=spread)


_ends = exp(epsilon_0) * expm1((alpha - 1) * epsilon_0) + expm1(-(alpha - 1) * epsilon_0)
randomized_response = log1p(_ends / (exp(epsilon_0) + categories - 1)) / (alpha - 1)
"""Of two answers the likelihoods differ, by `e^epsilon_0` and its inverse."""

_b = expm1(-alpha * eta) / expm1(-eta)
_t = log((alpha - 1) * _b / (alpha * (_b * exp(-eta) - exp(-alpha * eta))))
_mass = (exp(-_t) - exp(-eta)) / -expm1(-eta)
bounded_range = log1p(_mass * expm1(alpha * _t) + (1 - _mass) * expm1(alpha * (_t - eta))) / (alpha - 1)
"""Of the worst pair of two outcomes, whose losses are `t` and `t - eta`.

`E_Q e^(alpha L)` is `e^(alpha t) (e^(-alpha eta) - b e^(-eta)) + b e^((alpha-1) t)` with
`b = (1 - e^(-alpha eta))/(1 - e^(-eta))`; the first factor is negative, and the best t a root of the derivative.
"""


def subsampled_gaussian(A: Arithmetic, *, alpha: Number, sigma: Number, rate: Number) -> Any:
    """`log E (1 - q + q e^Y)^alpha/(alpha - 1)`, `Y ~ N(-mu^2/2, mu^2)`, `mu = 1/sigma`, at any real order.

    The record removed, which is the larger of both orders (Mironov, Talwar and Zhang 2019, Theorem 5). What lies
    beyond the interval of integration is bounded: the power is at most 1 left of 0, and `1 - q + q e^(alpha y)` by
    convexity.
    """

    def enclosed(bits: int, *, alpha: Any, sigma: Any, rate: Any) -> Any:
        mu = 1 / sigma
        most = mu**2 * alpha * (alpha - 1) / 2  # logarithm of the moment at rate 1
        least = (most + alpha * rate.log()).max(flint.arb(0))
        nats = 2 * bits * math.log(2) + float((most - least).mid())  # what is beyond is small against the moment
        far = flint.arb(math.sqrt(2 * nats) + 1)
        low, high = -far * mu - mu**2 / 2, (alpha - flint.arb(1) / 2) * mu**2 + far * mu

        rest, half, scale = 1 - rate, mu**2 / 2, -1 / (2 * mu**2)

        def weighted(y: Any, analytic: bool) -> Any:
            power = alpha * (rest + rate * y.exp()).log(analytic)
            moved = y + half
            return (power + scale * moved * moved - least).exp()

        fine = flint.arb(2) ** (-2 * bits)
        inside = flint.acb.integral(weighted, low, high, rel_tol=fine, abs_tol=fine, eval_limit=MOST_EVALUATIONS).real
        inside /= mu * (2 * flint.arb.pi()).sqrt()
        ball = Ball(flint.ctx.prec)
        left = (1 + rate * most.exp()) * normal_cdf(ball, -far) + (1 - rate) * normal_cdf(ball, -far - alpha * mu)
        return (least + (inside + flint.arb(0).union(left * (-least).exp())).log()) / (alpha - 1)

    return inversion.in_balls(A, enclosed, alpha=alpha, sigma=sigma, rate=rate)


def _by_quadrature(A: Arithmetic, *, alpha: Number, sigma: Number, rate: Number) -> Any:
    alpha, sigma, rate = A.number(alpha), A.number(sigma), A.number(rate)

    def power(B: Arithmetic, x: Number) -> Number:
        absent, present = normal_pdf(B, x / sigma), normal_pdf(B, (x - 1) / sigma)
        return ((1 - rate) * absent + rate * present) ** alpha * absent ** (1 - alpha) / sigma

    ends = [sigma * step for step in range(-16, 17 + math.ceil(float(alpha / sigma)))]
    return A.log(integral_over(A, power, ends)) / (alpha - 1)


def _laplace_by_quadrature(A: Arithmetic, *, alpha: Number, scale: Number) -> Any:
    alpha, b = A.number(alpha), A.number(scale)

    def power(B: Arithmetic, x: Number) -> Number:
        return B.exp((-alpha * abs(x) - (1 - alpha) * abs(x - 1)) / b) / (2 * b)

    ends = [-b * step for step in range(90, 0, -1)] + [A.number(step) / 8 for step in range(9)]
    ends += [1 + b * step for step in range(1, 90)]
    return A.log(integral_over(A, power, ends)) / (alpha - 1)


def _of_weights(A: Arithmetic, alpha: Number, left: Sequence[Any], right: Sequence[Any]) -> Any:
    alpha = A.number(alpha)
    powers = (p**alpha * q ** (1 - alpha) for p, q in zip(left, right, strict=True))
    return A.log(A.sum(powers) / A.sum(left)) / (alpha - 1)


def _by_masses(noise: str, weight: Any, far: int) -> Any:
    """Of noise on the integers, over so many scales, and twice alpha sensitivities, on both sides."""

    def oracle(A: Arithmetic, *, alpha: Number, sensitivity: int, **parameters: Any) -> Any:
        scale = A.number(parameters[noise])
        reach = math.ceil(far * float(scale)) + 2 * sensitivity * math.ceil(float(alpha))
        places = ([A.number(x - moved) for x in range(-reach, reach + 1)] for moved in (0, sensitivity))
        return _of_weights(A, alpha, *([weight(A, x, scale) for x in side] for side in places))

    return oracle


def _response_by_masses(A: Arithmetic, *, alpha: Number, epsilon_0: Number, categories: int) -> Any:
    weights = [A.exp(A.number(epsilon_0)), *[A.number(1)] * (categories - 1)]
    return _of_weights(A, alpha, weights, weights[::-1])


def _range_by_search(A: Arithmetic, *, alpha: Number, eta: Number) -> Any:
    """The worst pair of two outcomes, by golden section over its larger loss."""
    alpha, eta = A.number(alpha), A.number(eta)

    def divergence(t: Number) -> Any:
        mass = (A.exp(-t) - A.exp(-eta)) / (1 - A.exp(-eta))
        return A.log(mass * A.exp(alpha * t) + (1 - mass) * A.exp(alpha * (t - eta))) / (alpha - 1)

    return peak_value(A, divergence, A.number(0), eta, 120)


divergence = symbol("divergence")
of_one_order = minimum(1, algorithm(delta_at_order_upper)(rho=divergence / alpha))
"""At most delta of what has a Renyi divergence at one order: `e^((a-1)(r-epsilon)) (1-1/a)^a/(a-1)`, at most 1."""


def _by_losses(A: Arithmetic, *, epsilon: Number, alpha: Number, divergence: Number) -> Any:
    """The most that a loss adds to delta by what it adds to the moment, at the loss where that is most; by search."""
    epsilon, power = A.number(epsilon), A.number(alpha) - 1

    def share(over: Number) -> Any:
        return (1 - A.exp(-over)) * A.exp(power * (A.number(divergence) - epsilon - over))

    return peak_value(A, share, A.number(0), A.number(5), 60)


ORDER = Parameter("alpha", "order of the divergence", "no unit", 1, 256, log=True, open_lower=True)
DIVERGENCE = Parameter("divergence", "Renyi divergence of that order, r", "nats", "1e-6", 100, log=True)
NOISE = Parameter("sigma", "standard deviation of the noise", "sensitivities", "0.3", 100, log=True)


def _claim(
    name: str, of: str, statement: str, bound: DeltaBound, *others: Parameter, rises: tuple[str, ...] = (), **more: Any
) -> Claim:
    return own(
        f"renyi.{name}", f"Renyi divergence, {of}", f"Renyi divergence of order alpha of {of}", statement, bound,
        domain=(ORDER, *others), quantity=QuantityKind.EPSILON, rises=("alpha", *rises), float64_lost="1e-15", **more,
    )  # fmt: skip


CLAIMS = (
    _claim(
        "gaussian", "one release with Gaussian noise", r"\alpha/(2\sigma^2)",
        DeltaBound(
            gaussian, lambda A, *, alpha, sigma: _by_quadrature(A, alpha=alpha, sigma=sigma, rate=1),
            points("alpha sigma", (2, 2), ("1.5", "0.7")),
        ),
        SIGMA, falls=("sigma",),
    ),
    _claim(
        "laplace", "one release with Laplace noise",
        r"\tfrac{1}{\alpha-1}\log(a e^{(\alpha-1)/b} + (1-a) e^{-\alpha/b}), \; a = \alpha/(2\alpha-1)",
        DeltaBound(laplace, _laplace_by_quadrature, points("alpha scale", (2, 1), ("1.5", 3))), SCALE,
        falls=("scale",), note="Mironov 2017, Proposition 6.",
    ),
    _claim(
        "discrete_laplace", "one release with discrete Laplace noise",
        r"\tfrac{1}{\alpha-1}\log\sum_x P[Z=x]^\alpha P[Z=x-d]^{1-\alpha}, \; P[Z = x] \propto e^{-|x|/b}",
        DeltaBound(
            discrete_laplace, _by_masses("scale", laplace_weight, 90),
            points("alpha scale sensitivity", (2, 1, 1), ("1.5", 3, 4)),
        ),
        SCALE, SENSITIVITY, rises=("sensitivity",), falls=("scale",),
    ),
    _claim(
        "discrete_gaussian", "one release with discrete Gaussian noise",
        r"\tfrac{\alpha d^2}{2\sigma^2} + \tfrac{1}{\alpha-1}\log\frac{\theta(\alpha d)}{\theta(0)}, \;"
        r" \theta(s) = \sum_x e^{-(x-s)^2/2\sigma^2}",
        DeltaBound(
            discrete_gaussian, _by_masses("sigma", gaussian_weight, 14),
            points("alpha sigma sensitivity", ("6.35", "0.1", 1), ("1.5", "0.4", 1), ("2.3", 1, 3), (2, 2, 1)),
        ),
        NARROW, SENSITIVITY, rises=("sensitivity",),
        note="At most alpha d^2/(2 sigma^2): it is d^2/(2 sigma^2)-zCDP, as standard.zcdp takes it to delta "
        "(Canonne, Kamath and Steinke 2020).",
        cost=5,
    ),
    _claim(
        "randomized_response", "one randomised response",
        r"\tfrac{1}{\alpha-1}\log\frac{e^{\alpha\varepsilon_0} + e^{(1-\alpha)\varepsilon_0} + m - 2}"
        r"{e^{\varepsilon_0} + m - 1}",
        DeltaBound(
            randomized_response, _response_by_masses,
            points("alpha epsilon_0 categories", (2, 1, 2), ("1.5", "0.3", 5)),
        ),
        EPSILON_0, CATEGORIES, rises=("epsilon_0",), falls=("categories",),
        note="Of two categories also what an epsilon_0-DP mechanism loses at most.",
    ),
    _claim(
        "bounded_range", "one mechanism of bounded range",
        r"\max_t \tfrac{1}{\alpha-1}\log(q_t e^{\alpha t} + (1-q_t) e^{\alpha(t-\eta)}), \;"
        r" q_t = (e^{-t} - e^{-\eta})/(1 - e^{-\eta})",
        DeltaBound(bounded_range, _range_by_search, points("alpha eta", (2, 1), ("1.5", 4))), ETA,
        rises=("eta",), note="Of the class, an exponential mechanism for one: the worst pair has two outcomes.",
    ),
    _claim(
        "subsampled_gaussian", "one Poisson-subsampled Gaussian step",
        r"\tfrac{1}{\alpha-1}\log E_{N(0,\sigma^2)}(1 - q + q e^{(2x-1)/2\sigma^2})^\alpha",
        DeltaBound(
            subsampled_gaussian, _by_quadrature,
            points("alpha sigma rate", (2, 1, "0.01"), ("1.25", 2, "0.3"), ("10.9", 3, "0.1")),
        ),
        NOISE, RATE, rises=("rate",), falls=("sigma",),
        note="A record removed, the larger of both orders (Mironov, Talwar and Zhang 2019).", cost=20,
    ),
    own(
        "rdp", "Renyi privacy of one order", "Delta of what has a Renyi divergence of order alpha",
        r"\min(1, e^{(\alpha-1)(r-\varepsilon)} (1 - 1/\alpha)^\alpha / (\alpha - 1))",
        DeltaBound(
            of_one_order, _by_losses, points("epsilon alpha divergence", (2, 8, "0.5"), (1, "1.5", "0.1")),
            exact=profile(epsilon, sqrt(2 * divergence / alpha)),
        ),
        domain=(EPSILON, ORDER, DIVERGENCE), role=Role.UPPER, falls=("epsilon",), rises=("divergence",),
        loose="below the delta of the Gaussian mechanism of this divergence, mu = sqrt(2 r/alpha), nothing is safe",
        note="Canonne, Kamath and Steinke 2020, Proposition 12.",
    ),
)  # fmt: skip
