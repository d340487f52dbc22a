"""Algorithm 3 of lebeda2025: Top-k pre-processing, then the correlated stability histogram.

The (k+1)-th largest count is subtracted from all and what is not positive is dropped: no ties to break, so no order of
keys can matter. The reduced histogram is k-sparse and monotonic (Lemma 13) whatever the input's sparsity.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from mechanisms.correlated_stability_histogram import mechanism as csh
from mechanisms.correlated_stability_histogram.pairs import all_new_loss, far_count, pair_profile, shared_loss
from mechanisms.histogram import validate
from mechanisms.mechanism import BatchMechanism, MechanismSpec, of_numbers, of_pairs
from mechanisms.pair import Pair
from proofs_numeric.lebeda2025.exact_pair import worst_change
from proofs_numeric.lebeda2025.sparse_monotone import top_k
from proofs_numeric.statements.adjacency import AddRemoveUser

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact, Parameters

_ANY = 10**6
"""Bound on the keys of one user that the relation checks; Algorithm 3 needs none."""


@dataclass(frozen=True)
class TopK(BatchMechanism):
    """Algorithm 3: ``release`` is the correlated stability histogram after the reduction."""

    inner: csh.CorrelatedStabilityHistogram

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases; columns are the keys that the reduction leaves."""
        validate(histogram)
        return self.inner.release_many(self.reduce(histogram), n, rng)

    def reduce(self, histogram: Histogram) -> dict[str, int]:
        """The reduced histogram."""
        return top_k(histogram, self.inner.k)


@of_numbers
def build(*, k: Exact, sigma: Exact, gap: Exact) -> TopK:
    """Algorithm 3 by the names of Theorem 11."""
    return TopK(csh.build(k=k, sigma=sigma, gap=gap))


def adjacency(_parameters: Parameters) -> AddRemoveUser:
    """One user with any number of keys."""
    return AddRemoveUser(c_u=_ANY)


def pairs(parameters: Parameters) -> tuple[Pair, ...]:
    """The pairs N1 and N2 on top of a shared floor that the reduction takes off."""
    k, sigma, gap = int(parameters["k"]), Fraction(parameters["sigma"]), Fraction(parameters["gap"])
    far, floor = far_count(threshold=1 + gap, sigma=sigma), 5

    def lifted(pair_id: str, description: str, l: int, j: int) -> Pair:
        counts = [floor] * l + [floor + far] * (k - l)
        right = {f"k{i}": count for i, count in enumerate(counts)} | {"z": floor}
        moved = set(range(l)) | set(range(l, l + j))
        left = {key: count + (key != "z" and int(key[1:]) in moved) for key, count in right.items()}
        profile = partial(pair_profile, k=k, sigma=sigma, gap=gap, l=l, j=j)
        new, shared = partial(all_new_loss, k=k, sigma=sigma, gap=gap), partial(shared_loss, k=k, sigma=sigma, j=j)
        return Pair(pair_id, left, right, description, adjacency(parameters), profile, new if l else shared)

    return (
        lifted("n1", "k counters tied at the floor, all changed: only left keeps them", k, 0),
        lifted("n2", "k counters far above the floor, the worst number changed", 0, worst_change(k, k)),
    )


MECHANISM = MechanismSpec(
    id="top_k",
    title="Top-k counting queries with correlated noise (Algorithm 3)",
    build=build,
    parameters={"k": 4, "sigma": 4, "gap": 12},
    guarantee_claim="lebeda2025.csh.exact",
    **of_pairs(adjacency, pairs),
    source="lebeda2025, Section 4, Algorithm 3; Lemma 13, Corollary 14",
)
