"""Released values are clipped to [tau*, 1000 tau*]: rounding shows no value below the threshold, nor a huge one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows
from mechanisms.mechanism import Control

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact


class Clipped(correct.GaussianSparseHistogram):
    """Algorithm 1 with clipped values."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return np.clip(super()._noisy_counts(counts, n, rng), self.tau_star, 1000 * self.tau_star)


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> Clipped:
    """Algorithm 1 with clipped values."""
    return Clipped(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1}

CONTROL = Control(
    id="clipped_values",
    title="values clipped from below at tau* and from above at a constant",
    mechanism="gaussian_sparse_histogram",
    satisfies="wilkins2024.thm5.4",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "wc5", [7], "one changed row with count tau*: its value is near the clip", adjacency(_PARAMETERS), None
    ),
    epsilon=1,
    proof=(
        "Clipping to an interval fixed in advance is a function of the released value alone, so this is "
        "post-processing of Algorithm 1. Below, only values that rounding moved under tau* change at all."
    ),
)
