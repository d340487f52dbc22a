"""Algorithm 2 with one noise for item and threshold: the comparison is of true counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mechanisms.gaussian_sparse_histogram.mechanism import round_to_grid
from mechanisms.mechanism import Fault
from mechanisms.noise import normal
from mechanisms.pair import Pair
from mechanisms.unknown_domain.pairs import disjoint, users
from mechanisms.unknown_domain.release import check_ties, ranked
from mechanisms.unknown_domain.top import mechanism as correct
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact, Parameters


class TrueCounts(correct.UnknownDomainTop):
    """Algorithm 2 whose noises cancel in the comparison."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """An item passes if and only if its true count exceeds T + c_(k_bar+1)."""
        order = ranked(histogram, check_ties(self.ties))
        next_count = order[self.k_bar][1] if len(order) > self.k_bar else 0
        passing = sorted(item for item in order[: self.k_bar] if item[1] > self.threshold + next_count)
        counts = np.array([count for _key, count in passing], dtype=np.float64)
        values = round_to_grid(counts + normal.sample(rng, (n, counts.size), scale=self.scale), self.grid)
        return tuple(key for key, _count in passing), values


def build(*, k_bar: Exact, delta_0: Exact, delta_inf: Exact, sigma: Exact, delta: Exact) -> TrueCounts:
    """Algorithm 2 whose noises cancel in the comparison."""
    return TrueCounts(
        **vars(correct.build(k_bar=k_bar, delta_0=delta_0, delta_inf=delta_inf, sigma=sigma, delta=delta))
    )


_PARAMETERS: Parameters = {"k_bar": 1, "delta_0": 1, "delta_inf": 1, "sigma": 1, "delta": "1/20"}

FAULT = Fault(
    id="unknown_domain_top_true_counts_compared",
    title="item and threshold share their noise",
    mechanism="unknown_domain_top",
    violates="rogers2024.thm8.profile",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "b.edge",
        {"a": 4},
        {"a": 3},
        "the count crosses T = 3.326: released always in left, never in right",
        users(_PARAMETERS),
        disjoint,
    ),
    direction=Direction.FORWARD,
    epsilon=5,
    explanation="The noise cancels: whether the count exceeds T is shown without noise.",
)
