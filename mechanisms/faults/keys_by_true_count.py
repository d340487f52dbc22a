"""Keys come out in the order of their true counts, largest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mechanisms.faults.noise_reused_across_rows import profile
from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, far_count
from mechanisms.mechanism import Fault
from mechanisms.pair import Pair
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact


class SortedByCount(correct.GaussianSparseHistogram):
    """Algorithm 1 whose output is ordered by the true counts, ties by name."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases; the columns are in the order in which `release` emits the keys."""
        keys, values = super().release_many(histogram, n, rng)
        order = sorted(range(len(keys)), key=lambda i: (-histogram[keys[i]], keys[i]))
        return tuple(keys[i] for i in order), values[:, order]


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> SortedByCount:
    """Algorithm 1 with keys in the order of true counts."""
    return SortedByCount(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1}
_FAR = far_count(tau_star=7, sigma=2)

FAULT = Fault(
    id="keys_by_true_count",
    title="keys in the order of true counts",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "wc6",
        {"k0": _FAR, "k1": _FAR + 1},
        {"k0": _FAR, "k1": _FAR},
        "the user's record puts k1 before k0",
        adjacency(_PARAMETERS),
        # The order differs whenever both rows are out: profile 1 up to the probability that one is held back.
        profile,
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="The order of keys is a noiseless comparison of true counts.",
)
