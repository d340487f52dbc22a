"""Releases of several kinds together: Gaussian and Laplace noise, and pairs (epsilon, delta) at their worst.

The losses are independent and their moments multiply; those of the Gaussian noise fall fast enough for all.
"""

from dataclasses import dataclass
from typing import Any

import flint

from proofs_numeric.arithmetic.special import binomial_pmf, gaussian_profile_direct, integral_over
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard import inversion
from proofs_numeric.standard.laplace_composition import LaplaceLoss
from proofs_numeric.standard.parameters import *


@dataclass(frozen=True)
class GaussianLoss(inversion.Loss):
    """Of Gaussian noise at a distance of `mu > 0` standard deviations: normal, mean mu^2/2, variance mu^2."""

    mu: Any

    def moment(self, z: Any) -> Any:
        """`e^(mu^2 z (z + 1)/2)`."""
        return (self.mu**2 * z * (z + 1) / 2).exp()

    def beyond(self, c: Any, t: Any) -> Any:
        """Attained at t."""
        return (self.mu**2 * (c * (c + 1) - t * t) / 2).exp()


@dataclass(frozen=True)
class ResponsesLoss(inversion.Loss):
    """Of `n` randomised responses that are `epsilon_0`-DP, or of discrete Laplace noise of scale `1/epsilon_0`."""

    epsilon_0: Any
    n: int

    def moment(self, z: Any) -> Any:
        """`(cosh((z + 1/2) epsilon_0)/cosh(epsilon_0/2))^n`."""
        half = self.epsilon_0 / 2
        return (((2 * z + 1) * half).cosh() / half.cosh()) ** self.n

    def beyond(self, c: Any, t: Any) -> Any:  # noqa: ARG002 - it comes back to its largest, again and again
        """The moment at the real point."""
        return self.moment(flint.acb(c)).real


def mixed(A: Arithmetic, *, k: int, m: int, n: int, **reals: Number) -> Any:
    """Delta of `k` releases with Gaussian noise, `m` with Laplace noise and `n` optimal (epsilon_0, delta_0) pairs."""

    def enclosed(bits: int, *, epsilon: Any, sigma: Any, scale: Any, epsilon_0: Any, delta_0: Any) -> Any:
        losses: list[inversion.Loss] = [GaussianLoss(flint.arb(k).sqrt() / sigma)]
        losses += [LaplaceLoss(1 / scale, m)] if m else []
        losses += [ResponsesLoss(epsilon_0, n)] if n else []
        finite = (1 - delta_0) ** n
        return (1 - finite) + finite * inversion.delta(losses, epsilon, bits)

    return inversion.in_balls(A, enclosed, **reals)


def _by_quadrature(A: Arithmetic, *, k: int, m: int, n: int, **reals: Number) -> Any:
    """Every sequence of answers, the noise of each Laplace release integrated, the Gaussian profile of what is left."""
    at: dict[str, Any] = {name: A.number(x) for name, x in reals.items()}
    one = 1 / (1 + A.exp(-at["epsilon_0"]))
    mu, u = A.sqrt(A.number(k)) / at["sigma"], 1 / at["scale"]

    def noisy(level: Number, releases: int) -> Any:
        if releases == 0:
            return gaussian_profile_direct(A, level, mu)
        outside = noisy(level - u, releases - 1) / 2 + A.exp(-u) / 2 * noisy(level + u, releases - 1)
        ends = [A.number(step) / 8 for step in range(9)]

        def weighted(_: Arithmetic, x: Number) -> Any:
            return A.exp(-x * u) * u / 2 * noisy(level - (1 - 2 * x) * u, releases - 1)

        return outside + integral_over(A, weighted, ends)

    finite = (1 - at["delta_0"]) ** n
    answers = (
        binomial_pmf(A, n, one, true) * noisy(at["epsilon"] - (2 * true - n) * at["epsilon_0"], m)
        for true in range(n + 1)
    )
    return 1 - finite + finite * A.sum(answers)


NOISE = Parameter("sigma", "standard deviation of the Gaussian noise", "sensitivities", "0.1", 100, log=True)
WIDE = Parameter("scale", "scale b of the Laplace noise", "sensitivities", "0.1", 10**4, log=True)
GAUSSIANS = Parameter("k", "releases with Gaussian noise", "releases", 1, 10**4, integer=True, log=True, default=1)
LAPLACES = Parameter("m", "releases with Laplace noise", "releases", 0, 10**4, integer=True, log=True, default=1)
PAIRS = Parameter("n", "mechanisms of (epsilon_0, delta_0)", "mechanisms", 0, 10**4, integer=True, log=True, default=1)

CLAIMS = (
    own(
        "composition.mixed", "composition of Gaussian and Laplace noise and of pairs",
        "Least delta that k Gaussian and m Laplace releases and n (epsilon_0, delta_0) mechanisms keep together",
        r"1 - (1-\delta_0)^n + (1-\delta_0)^n E(1 - e^{\varepsilon - L})_+, \; L = L_G + L_L + L_P",
        DeltaBound(
            mixed, _by_quadrature,
            points(
                "epsilon sigma k scale m epsilon_0 delta_0 n", (1, 2, 3, 4, 1, "0.3", "1e-6", 4),
                (0, 5, 1, 2, 1, 1, 0, 2), (3, 1, 2, 1, 0, "0.1", 0, 7),
            ),
        ),
        domain=(EPSILON, NOISE, GAUSSIANS, WIDE, LAPLACES, EPSILON_0, DELTA_0, PAIRS),
        points=points("epsilon sigma k scale m epsilon_0 delta_0 n", (4, 100, 1000, 100, 1000, "0.01", 0, 1000)),
        falls=("epsilon", "sigma", "scale"), rises=("k", "m", "epsilon_0", "delta_0", "n"),
        note="By inversion of the moment generating function; a pair at its worst is a randomised response.", cost=40,
    ),
)  # fmt: skip
