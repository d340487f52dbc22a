"""Small counts get proportionally less noise: standard deviation sigma min(1, C / tau*)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows, reverse
from mechanisms.mechanism import Fault
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact


class RelativeNoise(correct.GaussianSparseHistogram):
    """Adds noise of a constant relative error below tau*."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        scale = self.sigma * np.minimum(1.0, counts / self.tau_star)
        noisy = counts + scale * rng.standard_normal((n, counts.size))
        released = (counts >= self.least_count) & (noisy >= self.tau_star)
        return np.where(released, correct.round_to_grid(noisy, self.grid), np.nan)


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> RelativeNoise:
    """Algorithm 1 with noise that grows with the count."""
    return RelativeNoise(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


def profile(A: Any, epsilon: Any, direction: Direction, *, count: int, tau_star: Exact, sigma: Exact) -> Any:
    """Censored normals of different scales, count <= tau* against count - 1 in left and right.

    The log-ratio is a convex quadratic in the released value whose vertex lies below tau*, so the best event is a
    half-line above its larger root, and perhaps the event of no release.
    """
    if direction is Direction.BACKWARD:
        forward = partial(profile, direction=Direction.FORWARD, count=count, tau_star=tau_star, sigma=sigma)
        return reverse(A, epsilon, lambda value: forward(A, value))
    epsilon, t, m_p, m_q = A.number(epsilon), A.number(tau_star), A.number(count), A.number(count - 1)
    p, q, e = A.number(sigma) * m_p / t, A.number(sigma) * m_q / t, A.exp(epsilon)
    # log(P/Q) - epsilon = square y^2 - 2 slope y + constant
    square = (1 / (q * q) - 1 / (p * p)) / 2
    slope = (m_q / (q * q) - m_p / (p * p)) / 2
    constant = A.log(q / p) - (m_p / p) ** 2 / 2 + (m_q / q) ** 2 / 2 - epsilon
    root = (slope + A.sqrt(A.maximum(0, slope * slope - square * constant))) / square
    cut = A.maximum(t, root)
    held = A.maximum(0, normal_cdf(A, (t - m_p) / p) - e * normal_cdf(A, (t - m_q) / q))
    return held + normal_cdf(A, (m_p - cut) / p) - e * normal_cdf(A, (m_q - cut) / q)


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1}

FAULT = Fault(
    id="noise_scaled_by_count",
    title="noise scaled by the count",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "wc5",
        [6],
        "one changed row with count tau* - 1 in left",
        adjacency(_PARAMETERS),
        partial(profile, count=6, tau_star=7, sigma=2),
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="Below tau* the noise is smaller than sigma, and its scale moves with the count.",
)
