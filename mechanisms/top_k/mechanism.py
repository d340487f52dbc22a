"""Algorithm 3 of lebeda2025: Top-k pre-processing, then the correlated stability histogram.

The (k+1)-th largest count is subtracted from all and what is not positive is dropped: no ties to break, so no order of
keys can matter. The reduced histogram is k-sparse and monotonic (Lemma 13) whatever the input's sparsity.
"""

from dataclasses import dataclass, replace

import numpy as np

from mechanisms.correlated_stability_histogram import mechanism as csh
from mechanisms.correlated_stability_histogram.law import law as csh_law
from mechanisms.histogram import Histogram, Released, validate
from mechanisms.mechanism import BatchMechanism, MechanismSpec, Parameters, of_numbers
from mechanisms.pair import ExactLaw
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.lebeda2025.algorithm_3 import top_k
from proofs_numeric.lebeda2025.neighbours import TOP_K
from proofs_numeric.statements.neighbours import Neighbours


@dataclass(frozen=True)
class TopK(BatchMechanism):
    """Algorithm 3: ``release`` is the correlated stability histogram after the reduction."""

    inner: csh.CorrelatedStabilityHistogram

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases; columns are the keys that the reduction leaves."""
        validate(histogram)
        return self.inner.release_many(self.reduce(histogram), n, rng)

    def reduce(self, histogram: Histogram) -> dict[str, int]:
        """The reduced histogram."""
        return top_k(histogram, self.inner.k)


@of_numbers
def build(*, k: Value, sigma: Value, gap: Value) -> TopK:
    """Algorithm 3 by the names of Theorem 11."""
    return TopK(csh.build(k=k, sigma=sigma, gap=gap))


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Law of Algorithm 2 on the reduced histograms."""
    left, right = (top_k(side, int(parameters["k"])) for side in (neighbours.left, neighbours.right))
    return csh_law(replace(neighbours, left=left, right=right), parameters)


MECHANISM = MechanismSpec(
    id="top_k", title="Top-k counting queries with correlated noise (Algorithm 3)", build=build,
    parameters={"k": 4, "sigma": 4, "gap": 12}, guarantee_claim="lebeda2025.cor14.exact",
    source="lebeda2025, Section 4, Algorithm 3; Lemma 13, Corollary 14", privacy=TOP_K, law=law,
)  # fmt: skip

CALIBRATOR = replace(csh.CALIBRATOR, id=MECHANISM.id, claim=MECHANISM.guarantee_claim, release="top_counts", users={})
