"""Every released row is dropped with probability 1/2, by coins that do not look at the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows
from mechanisms.mechanism import Control
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact


class Thinned(correct.GaussianSparseHistogram):
    """Algorithm 1 with half of its released rows."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases, each row kept with probability 1/2."""
        keys, values = super().release_many(histogram, n, rng)
        values[rng.random(values.shape) < 0.5] = np.nan
        return keys, values


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> Thinned:
    """Algorithm 1, thinned."""
    return Thinned(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


def profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """One row at tau: out with probability (1 - Phi(gap/sigma)) / 2 in left, never in right."""
    e, released = A.exp(A.number(epsilon)), normal_cdf(A, A.number(-3)) / 2
    if direction is Direction.FORWARD:
        return released + A.maximum(0, 1 - released - e)
    return A.maximum(0, 1 - e * (1 - released))


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1}

CONTROL = Control(
    id="dropped_keys",
    title="released rows dropped at random",
    mechanism="gaussian_sparse_histogram",
    satisfies="wilkins2024.thm5.4",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows("wc1", [1], "one changed row at tau: only left can release it", adjacency(_PARAMETERS), profile),
    epsilon=1,
    proof=(
        "The coins are independent of the data given the output of Algorithm 1, so dropping is a randomised "
        "function of that output: for every outcome of the coins it is post-processing, and a hockey stick is "
        "convex, so their mixture raises none."
    ),
)
