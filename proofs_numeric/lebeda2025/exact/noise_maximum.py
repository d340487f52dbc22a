"""The probability that some new counter is released, exact: that the largest of the correlated noises passes."""

from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import MpReal
from proofs_numeric.arithmetic.noise_maximum import released
from proofs_numeric.arithmetic.special import log_normal_cdf
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.statements.noise import OfSharedNoise, Passing, SharedNoise

shared_slope = 1 / sqrt(sqrt(k))
"""``b = k^{-1/4}``: standard deviation of the shared noise in units of sigma."""
delta_infinite = algorithm(released)(l=k, t=gap / sigma, b=shared_slope)
"""``P[max_i (Z + Z_i) > tau]``, exact: the delta of a pair whose k counters are all new."""


def _by_definition(A: MpReal, *, k: int, sigma: Number, gap: Number) -> Any:
    """One less the integral of N(z; 0, eta^2) Phi((tau - z)/sigma)^k, by mpmath's quadrature in counts."""
    eta = sigma / A.number(k) ** A.number(Fraction(1, 4))

    def density(z: Number) -> Any:
        some = -A.expm1(k * log_normal_cdf(A, (gap - z) / sigma))
        return A.exp(-z * z / (2 * eta * eta)) / (eta * A.sqrt(2 * A.pi)) * some

    return A.context.quad(density, A.context.linspace(-13 * eta, 13 * eta, 14), method="gauss-legendre")


NOISE = SharedNoise(k, sigma * shared_slope, sigma, gap)
"""The noise of k new counters."""

SHAPE = Box((K, SIGMA, GAP))
POINTS: tuple[dict[str, Value], ...] = points(
    "k sigma gap", (10, "17.741998401", "96.753015889"),
    (51914, "1116.683797698", "7005.638328965"), (1, 1, 40), (2, 1, -5),
)  # fmt: skip

CLAIMS = (
    own(
        "csh.exact.delta_inf", "Theorem 11", "exact probability that some of k new counters is released",
        r"\delta_\infty = 1 - \int N(z; 0, \eta^2) \Phi((\tau - z)/\sigma)^k dz",
        DeltaBound(
            delta_infinite, _by_definition, points("k sigma gap", (10, 2, 5), (3, 1, -1), (1, "0.5", 4), (1000, 3, 12)),
            noise=Passing(NOISE), proof=OfSharedNoise(Symbolic()),
        ),
        domain=SHAPE, points=POINTS, cost=3,
    ),
)  # fmt: skip
