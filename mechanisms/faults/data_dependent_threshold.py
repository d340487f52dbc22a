"""tau* is lowered to the largest count, so that some group always has a fair chance to be released."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows
from mechanisms.mechanism import Fault
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact


class LargestCountThreshold(correct.GaussianSparseHistogram):
    """Uses min(tau*, largest count) as the upper threshold."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases under the lowered threshold."""
        lowered = min(self.tau_star, max([self.tau, *histogram.values()]))
        mechanism = correct.GaussianSparseHistogram(**{**vars(self), "tau_star": lowered})
        return mechanism.release_many(histogram, n, rng)


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> LargestCountThreshold:
    """Algorithm 1 with a threshold that depends on the data."""
    return LargestCountThreshold(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


def profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """One group of one user against none: released with probability 1/2, so a coin against a constant."""
    half, e = A.number(1) / 2, A.exp(A.number(epsilon))
    return half + A.maximum(0, half - e) if direction is Direction.FORWARD else A.maximum(0, 1 - e / 2)


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1}

FAULT = Fault(
    id="data_dependent_threshold",
    title="tau* follows the largest count",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.impossible_key",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows("wc1", [1], "one group of one user against no group", adjacency(_PARAMETERS), profile),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="Where every group is small the threshold is small too: a lone user's key comes out half the time.",
)
