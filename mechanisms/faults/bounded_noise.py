"""Noise is cut at two standard deviations so that no value is far off: a normal conditioned on |v| <= 2 sigma."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr, ndtri

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows, far_count
from mechanisms.mechanism import Fault
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact

_BOUND = 2


class Bounded(correct.GaussianSparseHistogram):
    """Releases C + v with |v| <= 2 sigma."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        noise = self.sigma * ndtri(rng.uniform(ndtr(-_BOUND), ndtr(_BOUND), (n, counts.size)))
        noisy = counts + noise
        released = (counts >= self.least_count) & (noisy >= self.tau_star)
        return np.where(released, correct.round_to_grid(noisy, self.grid), np.nan)


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> Bounded:
    """Algorithm 1 with truncated noise."""
    return Bounded(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


def profile(A: Any, epsilon: Any, direction: Direction, *, sigma: Exact) -> Any:
    """Two truncated normals one apart; the laws are mirror images, so both directions agree.

    With x = value - N, the best event is x >= max(-2 sigma, min(sigma^2 epsilon - 1/2, 2 sigma - 1)).
    """
    del direction
    epsilon, s = A.number(epsilon), A.number(sigma)
    cut = A.maximum(-_BOUND * s, A.minimum(s * s * epsilon - A.number(1) / 2, _BOUND * s - 1))
    above = normal_cdf(A, -cut / s) - normal_cdf(A, A.number(-_BOUND))
    shifted = normal_cdf(A, -(cut + 1) / s) - normal_cdf(A, A.number(-_BOUND))
    return (above - A.exp(epsilon) * shifted) / (1 - 2 * normal_cdf(A, A.number(-_BOUND)))


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1}

FAULT = Fault(
    id="bounded_noise",
    title="noise cut at two standard deviations",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "wc2",
        [far_count(tau_star=7, sigma=2)],
        "the changed row far above tau*",
        adjacency(_PARAMETERS),
        partial(profile, sigma=2),
    ),
    direction=Direction.FORWARD,
    epsilon=2,
    explanation="A value above N - 1 + 2 sigma denies the count N - 1, at any epsilon.",
)
