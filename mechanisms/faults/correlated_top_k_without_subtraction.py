"""F6: Top-k that keeps the k largest counts without subtracting the (k+1)-th."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.correlated_stability_histogram.pairs import far_count
from mechanisms.mechanism import Fault
from mechanisms.pair import Pair
from mechanisms.top_k import mechanism as correct
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.lebeda2025.sparse_monotone import kept_largest
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact


class KeepsLargest(correct.TopK):
    """Algorithm 3 without the subtraction."""

    def reduce(self, histogram: Histogram) -> dict[str, int]:
        """The k largest counts as they are, ties by key."""
        return kept_largest(histogram, self.inner.k)


def build(*, k: Exact, sigma: Exact, gap: Exact) -> KeepsLargest:
    """Algorithm 3 without the subtraction."""
    return KeepsLargest(**vars(correct.build(k=k, sigma=sigma, gap=gap)))


def profile(A: Any, _epsilon: Any, _direction: Direction, *, count: int, k: int, sigma: int, gap: int) -> Any:
    """At least the probability that the key which only one side keeps passes; at most 1."""
    passes = normal_cdf(A, (count - 1 - gap) / (A.number(sigma) * A.sqrt(1 + 1 / A.sqrt(A.number(k)))))
    return A.between(passes, 1)


_PARAMETERS = {"k": 2, "sigma": 4, "gap": 20}
_COUNT = far_count(threshold=Fraction(21), sigma=Fraction(4))

FAULT = Fault(
    id="correlated_top_k_without_subtraction",
    title="Top-k keeps the k largest counts without subtracting",
    mechanism="top_k",
    violates="lebeda2025.csh.exact",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "tie",
        {"k0": _COUNT, "k1": _COUNT, "k2": _COUNT},
        {"k0": _COUNT - 1, "k1": _COUNT, "k2": _COUNT},
        "three tied counts, of which the user's falls behind: k0 is kept on one side only, k2 on the other only",
        correct.adjacency(_PARAMETERS),
        partial(profile, count=_COUNT, k=2, sigma=4, gap=20),
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="Which of tied counters survives depends on one user: two counters change by their whole height.",
)
