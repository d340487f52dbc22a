"""Misra-Gries sketches released through the correlated stability histogram (lebeda2025, Definition 9).

A sketch with k counters of a stream in which every user holds one element, and any merge of such sketches, is k-sparse
and monotonic; the sketching is deterministic, so it is pre-processing. One element may move all k counters.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from mechanisms.correlated_stability_histogram import mechanism as csh
from mechanisms.correlated_stability_histogram.law import law as csh_law
from mechanisms.histogram import Histogram, Released, validate
from mechanisms.mechanism import BatchMechanism, MechanismSpec, Parameters, of_numbers
from mechanisms.pair import ExactLaw
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.lebeda2025.definition_9.misra_gries import merge, misra_gries, sketch_runs
from proofs_numeric.lebeda2025.neighbours import MISRA_GRIES
from proofs_numeric.statements.neighbours import Neighbours

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

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N releases of the sketch of one stream, the histogram's elements in the order of their names."""
        validate(histogram)
        if sum(histogram.values()) > _LONGEST:
            raise ValueError(f"expected at most {_LONGEST} elements in all, got more; sketch the stream itself")
        stream = (key for key in sorted(histogram) for _element in range(histogram[key]))
        return self.inner.release_many(self.sketch(stream), n, rng)


@of_numbers
def build(*, k: Value, sigma: Value, gap: Value) -> MisraGriesRelease:
    """Sketches of k counters, released by the names of Theorem 11."""
    return MisraGriesRelease(csh.build(k=k, sigma=sigma, gap=gap))


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Law of Algorithm 2 on the sketches of the two streams."""
    k = int(parameters["k"])
    left, right = (sketch_runs(sorted(side.items()), k) for side in (neighbours.left, neighbours.right))
    return csh_law(replace(neighbours, left=left, right=right), parameters)


MECHANISM = MechanismSpec(
    id="misra_gries", title="Misra-Gries sketch released with correlated noise", build=build,
    parameters={"k": 4, "sigma": 4, "gap": 12}, guarantee_claim="lebeda2025.def9.mg.delta",
    source="lebeda2025, Section 3, Definition 9 and the example after it", privacy=MISRA_GRIES, law=law,
)  # fmt: skip

CALIBRATOR = replace(csh.CALIBRATOR, id=MECHANISM.id, claim=MECHANISM.guarantee_claim, release="sketches", users={})
