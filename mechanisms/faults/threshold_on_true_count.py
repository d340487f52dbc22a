"""The true count decides what is released; only the released value is noisy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows
from mechanisms.mechanism import Fault
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact


class TrueCountDecides(correct.GaussianSparseHistogram):
    """Releases C + v for groups with C >= tau*."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        values = correct.round_to_grid(counts + self.sigma * rng.standard_normal((n, counts.size)), self.grid)
        values[:, counts < self.tau_star] = float("nan")
        return values


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> TrueCountDecides:
    """Algorithm 1 with C >= tau* in place of C + v >= tau*."""
    return TrueCountDecides(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


def disjoint_profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """Profile of two laws with disjoint supports: 1 at every epsilon, either way."""
    del epsilon, direction
    return A.number(1)


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1}

FAULT = Fault(
    id="threshold_on_true_count",
    title="the true count is compared with tau*",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "at_tau_star",
        [7],
        "one changed row with count tau* in left: always released there, never in right",
        adjacency(_PARAMETERS),
        disjoint_profile,
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="Whether a key is present tells exactly on which side of tau* its count is.",
)
