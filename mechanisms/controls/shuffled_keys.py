"""Keys come out in a random order drawn afresh for every release."""

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


class Shuffled(correct.GaussianSparseHistogram):
    """Algorithm 1 whose single release is in a uniformly random order."""

    def release(self, histogram: Histogram, rng: np.random.Generator) -> dict[str, float]:
        """One release in random order."""
        items = list(super().release(histogram, rng).items())
        return dict(items[i] for i in rng.permutation(len(items)))


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> Shuffled:
    """Algorithm 1 with keys in random order."""
    return Shuffled(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1}
_FAR = far_count(tau_star=7, sigma=2)

CONTROL = Control(
    id="shuffled_keys",
    title="keys in a random order",
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
        "Given the released rows the permutation is uniform and independent of the data: a randomised function of "
        "the output, hence post-processing; forgetting the order recovers the output, so nothing is lost either."
    ),
)
