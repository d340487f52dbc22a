"""Misra-Gries sketches released through the correlated stability histogram (lebeda2025, Definition 9).

A sketch with k counters of a stream in which every user holds one element, and any merge of such sketches, is k-sparse
and monotonic; the sketching is deterministic, so it is pre-processing. One element may move all k counters.
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
from proofs_numeric.lebeda2025.sketches import merge, misra_gries
from proofs_numeric.statements.adjacency import AddRemoveUser

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact, Parameters


_LONGEST = 10**7
"""Elements of a histogram that are dealt to a sketch one by one."""


@dataclass(frozen=True)
class MisraGriesRelease(BatchMechanism):
    """Sketches of streams, their merge, and its private release.

    Attributes:
        inner: the release; its k is the number of counters of every sketch.
    """

    inner: csh.CorrelatedStabilityHistogram

    def sketch(self, *streams: Iterable[str]) -> dict[str, int]:
        """Merged sketch of the streams: one element a user."""
        return merge([misra_gries(stream, self.inner.k) for stream in streams], self.inner.k)

    def release_streams(self, streams: Iterable[Iterable[str]], rng: np.random.Generator) -> dict[str, float]:
        """One release of the merged sketch."""
        return self.inner.release(self.sketch(*streams), rng)

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N releases of the sketch of one stream, the histogram's elements in the order of their names."""
        validate(histogram)
        if sum(histogram.values()) > _LONGEST:
            raise ValueError(f"expected at most {_LONGEST} elements in all, got more; sketch the stream itself")
        stream = (key for key in sorted(histogram) for _element in range(histogram[key]))
        return self.inner.release_many(self.sketch(stream), n, rng)


@of_numbers
def build(*, k: Exact, sigma: Exact, gap: Exact) -> MisraGriesRelease:
    """Sketches of k counters, released by the names of Theorem 11."""
    return MisraGriesRelease(csh.build(k=k, sigma=sigma, gap=gap))


def adjacency(_parameters: Parameters) -> AddRemoveUser:
    """One element of the stream."""
    return AddRemoveUser(c_u=1)


def pairs(parameters: Parameters) -> tuple[Pair, ...]:
    """One further element, the last of the stream, that lowers every counter; and one that raises its own."""
    k, sigma, gap = int(parameters["k"]), Fraction(parameters["sigma"]), Fraction(parameters["gap"])
    far = far_count(threshold=1 + gap, sigma=sigma)

    def moved(pair_id: str, description: str, left: dict[str, int], right: dict[str, int], *, l: int, j: int) -> Pair:
        profile = partial(pair_profile, k=k, sigma=sigma, gap=gap, l=l, j=j)
        new, shared = partial(all_new_loss, k=k, sigma=sigma, gap=gap), partial(shared_loss, k=k, sigma=sigma, j=j)
        return Pair(pair_id, left, right, description, adjacency(parameters), profile, new if l else shared)

    ones, high = ({f"k{i}": count for i in range(k)} for count in (1, far))
    return (
        moved("n1", "k counters at 1, all emptied by the element z", ones, ones | {"z": 1}, l=k, j=0),
        moved("all", "counters far above the threshold, all lowered by the element z", high, high | {"z": 1}, l=0, j=k),
        moved("one", "an element that its counter counts", high | {"k0": far + 1}, high, l=0, j=1),
    )


MECHANISM = MechanismSpec(
    id="misra_gries",
    title="Misra-Gries sketch released with correlated noise",
    build=build,
    parameters={"k": 4, "sigma": 4, "gap": 12},
    guarantee_claim="lebeda2025.csh.exact",
    **of_pairs(adjacency, pairs),
    source="lebeda2025, Section 3, Definition 9 and the example after it",
)
