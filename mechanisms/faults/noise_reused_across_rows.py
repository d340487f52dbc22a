"""One draw of noise serves every row of a release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import FAR, adjacency, changed_rows, far_count, widened
from mechanisms.mechanism import Fault
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact


class OneDraw(correct.GaussianSparseHistogram):
    """Adds the same v to every count of a release."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        noisy = counts + self.sigma * rng.standard_normal((n, 1))
        released = (counts >= self.least_count) & (noisy >= self.tau_star)
        return np.where(released, correct.round_to_grid(noisy, self.grid), np.nan)


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> OneDraw:
    """Algorithm 1 with one v for all rows."""
    return OneDraw(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


def profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """Profile of (N, N) against (N - 1, N) under one draw: 1, but for the releases that show less than both rows."""
    del epsilon, direction
    return widened(A, A.number(1), -normal_cdf(A, A.number(-FAR)))


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1}
_FAR = far_count(tau_star=7, sigma=2)

FAULT = Fault(
    id="noise_reused_across_rows",
    title="the same noise on every row",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "wc6",
        [_FAR],
        "a changed row beside an untouched one, equal in left",
        adjacency(_PARAMETERS),
        profile,
        untouched=[_FAR],
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="The difference of two released rows is the difference of their true counts.",
)
