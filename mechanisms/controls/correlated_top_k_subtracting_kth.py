"""Top-k that subtracts the k-th count, unconditionally, instead of the (k+1)-th."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mechanisms.mechanism import Control
from mechanisms.pair import Pair
from mechanisms.top_k import mechanism as correct
from proofs_numeric.lebeda2025.sparse_monotone import top_k_subtracting_kth

if TYPE_CHECKING:
    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact


class SubtractsKth(correct.TopK):
    """Algorithm 3 with one counter fewer."""

    def reduce(self, histogram: Histogram) -> dict[str, int]:
        """Counts above the k-th, less it."""
        return top_k_subtracting_kth(histogram, self.inner.k)


def build(*, k: Exact, sigma: Exact, gap: Exact) -> SubtractsKth:
    """Algorithm 3 with one counter fewer."""
    return SubtractsKth(**vars(correct.build(k=k, sigma=sigma, gap=gap)))


_PARAMETERS = {"k": 2, "sigma": 4, "gap": 12}

CONTROL = Control(
    id="correlated_top_k_subtracting_kth",
    title="Top-k subtracts the k-th count instead of the (k+1)-th",
    mechanism="top_k",
    satisfies="lebeda2025.csh.exact",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "tie",
        {"k0": 61, "k1": 61, "k2": 60},
        {"k0": 60, "k1": 60, "k2": 60},
        "tied counts of which two move: what is subtracted stays",
        correct.adjacency(_PARAMETERS),
    ),
    epsilon=1,
    proof=(
        "The k-th count of a histogram padded with zeros moves like the (k+1)-th in Lemma 13, so the result is "
        "(k-1)-sparse and monotonic, hence k-sparse (lebeda2025.lem13.kth)."
    ),
)
