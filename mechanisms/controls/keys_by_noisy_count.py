"""Keys come out in the order of their released noisy counts, largest first."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, far_count, rows_profile
from mechanisms.mechanism import Control
from mechanisms.pair import Pair

if TYPE_CHECKING:
    import numpy as np

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact


class SortedByNoisyCount(correct.GaussianSparseHistogram):
    """Algorithm 1 whose single release is ordered by the values it shows, ties by name."""

    def release(self, histogram: Histogram, rng: np.random.Generator) -> dict[str, float]:
        """One release, largest noisy count first."""
        released = super().release(histogram, rng)
        return dict(sorted(released.items(), key=lambda item: (-item[1], item[0])))


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> SortedByNoisyCount:
    """Algorithm 1 with keys in the order of noisy counts."""
    return SortedByNoisyCount(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1}
_FAR = far_count(tau_star=7, sigma=2)

CONTROL = Control(
    id="keys_by_noisy_count",
    title="keys in the order of noisy counts",
    mechanism="gaussian_sparse_histogram",
    satisfies="wilkins2024.thm5.4",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "wc6",
        {"k0": _FAR, "k1": _FAR + 1},
        {"k0": _FAR, "k1": _FAR},
        "the pair on which the order of true counts would be a giveaway",
        adjacency(_PARAMETERS),
        partial(rows_profile, at_threshold=0, far=1, sigma=2, gap=6),
    ),
    epsilon=1,
    proof=(
        "The order is a function of the released values (ties by name), so it adds nothing to them: "
        "post-processing, and invertible, so the law of what is learnt is unchanged. Compare the fault "
        "keys_by_true_count."
    ),
)
