"""The release says how many groups were held back, exactly, as a quality figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mechanisms.faults.threshold_on_true_count import disjoint_profile
from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows
from mechanisms.mechanism import Fault
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact


class WithSuppressedCount(correct.GaussianSparseHistogram):
    """Algorithm 1 with one more key, `suppressed`."""

    releases_only_input_keys = False
    """No: `suppressed` is a key of every release."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases with the number of groups at or above tau that were held back."""
        keys, values = super().release_many(histogram, n, rng)
        visited = [histogram[key] >= self.least_count for key in keys]
        suppressed = np.sum(np.isnan(values[:, visited]), axis=1, dtype=np.float64)
        return (*keys, "suppressed"), np.column_stack([values, suppressed])


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> WithSuppressedCount:
    """Algorithm 1 with the number of suppressed groups."""
    return WithSuppressedCount(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1}

FAULT = Fault(
    id="suppressed_count_published",
    title="the number of suppressed groups is published",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows("wc1", [1], "one group of one user against no group", adjacency(_PARAMETERS), disjoint_profile),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="Released and suppressed groups add up to the number of groups: 1 in left, 0 in right.",
)
