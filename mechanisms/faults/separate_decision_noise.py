"""The decision and the released value draw noise of their own: C + v >= tau*, but C + w is released.

It looks like more noise and is less privacy: the decision is a second, free look at the count. Rows far above tau* and
rows at tau have the correct mechanism's law; only rows near tau* show it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows
from mechanisms.mechanism import Fault
from proofs_numeric.arithmetic.special import gaussian_profile, log_normal_cdf, normal_cdf
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact


class SeparateNoise(correct.GaussianSparseHistogram):
    """Decides on one noisy count and releases another."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        decision, value = counts + self.sigma * rng.standard_normal((2, n, counts.size))
        released = (counts >= self.least_count) & (decision >= self.tau_star)
        return np.where(released, correct.round_to_grid(value, self.grid), np.nan)


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> SeparateNoise:
    """Algorithm 1 with independent noise for the decision and for the release."""
    return SeparateNoise(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


def profile(A: Any, epsilon: Any, direction: Direction, *, count: int, tau_star: Exact, sigma: Exact) -> Any:
    """A biased coin composed with a Gaussian of distance 1/sigma where the coin says release.

    With r the release probabilities, r_P f(1/sigma, epsilon - log(r_P / r_Q)) + max(0, 1 - r_P - e^epsilon (1 - r_Q)).
    """
    epsilon, s, t = A.number(epsilon), A.number(sigma), A.number(tau_star)
    first, second = (count, count - 1) if direction is Direction.FORWARD else (count - 1, count)
    log_first, log_second = log_normal_cdf(A, (first - t) / s), log_normal_cdf(A, (second - t) / s)
    released = A.exp(log_first) * gaussian_profile(A, epsilon - log_first + log_second, 1 / s)
    held = normal_cdf(A, (t - first) / s) - A.exp(epsilon) * normal_cdf(A, (t - second) / s)
    return released + A.maximum(0, held)


_PARAMETERS = {"c_u": 1, "sigma": 1, "gap": 5, "mu_o": 0, "tau": 1}

FAULT = Fault(
    id="separate_decision_noise",
    title="separate noise for the decision and for the release",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "wc5",
        [6],
        "one changed row with count tau* in left",
        adjacency(_PARAMETERS),
        partial(profile, count=6, tau_star=6, sigma=1),
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="Near tau* the decision moves with the count, and the released value is a full second measurement.",
)
