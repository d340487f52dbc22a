"""Only the three largest released values are published."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows, rows_profile
from mechanisms.mechanism import Control

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact

_KEPT = 3


class LargestReleased(correct.GaussianSparseHistogram):
    """Algorithm 1 followed by a cut to the three largest noisy counts, ties by name."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases, at most three rows each."""
        keys, values = super().release_many(histogram, n, rng)
        order = np.argsort(-values, axis=1, kind="stable")  # NaN last
        np.put_along_axis(values, order[:, _KEPT:], np.nan, axis=1)
        return keys, values


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> LargestReleased:
    """Algorithm 1, cut to three rows; counts only."""
    return LargestReleased(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


_PARAMETERS = {"c_u": 3, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1}

CONTROL = Control(
    id="largest_released",
    title="only the largest released values are published",
    mechanism="gaussian_sparse_histogram",
    satisfies="wilkins2024.thm5.4",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "wc1",
        [1, 1, 1],
        "three changed rows at tau: the cut never bites, the law is that of Algorithm 1",
        adjacency(_PARAMETERS),
        partial(rows_profile, at_threshold=3, far=0, sigma=2, gap=6),
    ),
    epsilon=3,
    proof="Which rows are kept is a function of the released values and names only: post-processing of Algorithm 1.",
)
