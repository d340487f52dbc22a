"""Top-k that subtracts the k-th count, and only if more than k counters are non-zero."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from mechanisms.correlated_stability_histogram.pairs import far_count
from mechanisms.faults.correlated_top_k_without_subtraction import profile
from mechanisms.mechanism import Fault
from mechanisms.pair import Pair
from mechanisms.top_k import mechanism as correct
from proofs_numeric.lebeda2025.sketches import merge_subtracting_kth_if_more
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact


class SubtractsIfMore(correct.TopK):
    """Algorithm 3 that leaves k counters as they are and lowers k + 1 by the k-th."""

    def reduce(self, histogram: Histogram) -> dict[str, int]:
        """The histogram itself where it is k-sparse, else its counts above the k-th, less it."""
        return merge_subtracting_kth_if_more([{key: count for key, count in histogram.items() if count}], self.inner.k)


def build(*, k: Exact, sigma: Exact, gap: Exact) -> SubtractsIfMore:
    """Algorithm 3 with another subtraction."""
    return SubtractsIfMore(**vars(correct.build(k=k, sigma=sigma, gap=gap)))


_PARAMETERS = {"k": 2, "sigma": 4, "gap": 20}
_COUNT = far_count(threshold=Fraction(21), sigma=Fraction(4))
_TWO = {"k0": _COUNT, "k1": _COUNT}

FAULT = Fault(
    id="correlated_top_k_kth_if_more",
    title="the k-th count is subtracted, but only if more than k counters are non-zero",
    mechanism="top_k",
    violates="lebeda2025.csh.exact",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "third",
        _TWO | {"z": 1},
        _TWO,
        "a third counter of one user: the second count is subtracted from two tied ones",
        correct.adjacency(_PARAMETERS),
        partial(profile, count=_COUNT, k=2, sigma=4, gap=20),
    ),
    direction=Direction.BACKWARD,
    epsilon=1,
    explanation="Whether a high count is subtracted at all depends on one user.",
)
