"""A variant of Algorithm 3 that keeps its claim."""

from mechanisms.histogram import Histogram
from mechanisms.top_k.mechanism import MECHANISM, TopK
from proofs_numeric.lebeda2025.algorithm_3 import top_k_subtracting_kth
from proofs_numeric.statements.neighbours import Neighbours


class SubtractsKth(TopK):
    """Algorithm 3 with one counter fewer."""

    def reduce(self, histogram: Histogram) -> dict[str, int]:
        """Counts above the k-th, less it."""
        return top_k_subtracting_kth(histogram, self.inner.k)


CONTROLS = (
    MECHANISM.neutral(
        id="correlated_top_k_subtracting_kth", title="Top-k subtracts the k-th count instead of the (k+1)-th",
        subclass=SubtractsKth, parameters={"k": 2},
        pair=Neighbours(
            "tie", {"k0": 61, "k1": 61, "k2": 60}, {"k0": 60, "k1": 60, "k2": 60},
            "tied counts of which two move: what is subtracted stays",
        ),
        unknown_law=True,
        proof="The k-th count of a histogram padded with zeros moves like the (k+1)-th in Lemma 13, so the result is "
        "(k-1)-sparse and monotonic, hence k-sparse (lebeda2025.lem13.kth).",
    ),
)  # fmt: skip
