"""The correlated Gaussian mechanism on k counting queries: Lemma 8 of lebeda2025.

Every one of the k declared counters is released, zeros included: f + Z 1 + (Z_1, ..., Z_k). Values are rounded to a
declared grid.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from mechanisms.calibrator import Calibrator
from mechanisms.correlated_stability_histogram.law import pair_profile, shared_loss
from mechanisms.correlated_stability_histogram.mechanism import check_counts, check_scale, check_sparsity, sparsity
from mechanisms.gaussian_sparse_histogram.mechanism import grid_for, round_to_grid
from mechanisms.histogram import Histogram, Released
from mechanisms.mechanism import BatchMechanism, MechanismSpec, Parameters, of_numbers
from mechanisms.pair import ExactLaw
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.expression import sqrt, symbols
from proofs_numeric.lebeda2025.neighbours import COUNTING_QUERIES
from proofs_numeric.statements.neighbours import Neighbours


@dataclass(frozen=True)
class CorrelatedGaussian(BatchMechanism):
    """Lemma 8.

    Attributes:
        k: number of counters; their keys are k0, ..., k(k-1).
        sigma: deviation of each counter's own noise (users); the shared noise has sigma k^(-1/4).
        grid: released values are rounded to the nearest multiple; a power of two.
    """

    k: int
    sigma: float
    grid: float = 2.0**-10
    releases_only_input_keys = False

    def __post_init__(self) -> None:
        """Refuse what is no dimension or no scale."""
        check_sparsity(self.k)
        check_scale(self.sigma)

    @property
    def shared_scale(self) -> float:
        """Deviation of the shared noise."""
        return float(self.sigma * self.k**-0.25)

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases of all k counters.

        Raises:
            ValueError: a key is none of the declared ones, or a count too large for the grid.
        """
        check_counts(histogram, grid=self.grid)
        keys = tuple(f"k{i}" for i in range(self.k))
        unknown = sorted(set(histogram) - set(keys))
        if unknown:
            raise ValueError(
                f"expected keys k0 to k{self.k - 1}, got {unknown[0]!r}; declare it before the data are seen"
            )
        counts = np.array([histogram.get(key, 0) for key in keys], dtype=np.float64)
        shared = rng.standard_normal((n, 1)) * self.shared_scale
        return keys, round_to_grid(counts + shared + self.sigma * rng.standard_normal((n, self.k)), self.grid)


@of_numbers
def build(*, k: Value, sigma: Value) -> CorrelatedGaussian:
    """Lemma 8 by its names: k counters, own deviation sigma (users)."""
    return CorrelatedGaussian(k=sparsity(k), sigma=float(Fraction(sigma)), grid=grid_for(float(Fraction(sigma))))


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Law where counters change by one, all upwards; no count matters, and the others' noise is released too."""
    keys = {**neighbours.left, **neighbours.right}
    changes = [neighbours.left.get(key, 0) - neighbours.right.get(key, 0) for key in keys]
    if not set(changes) <= {0, 1}:
        return ExactLaw()
    at: dict[str, Any] = {"k": int(parameters["k"]), "sigma": Fraction(parameters["sigma"]), "j": sum(changes)}
    return ExactLaw(partial(pair_profile, **at, gap=0, l=0), partial(shared_loss, **at))


MECHANISM = MechanismSpec(
    id="correlated_gaussian", title="correlated Gaussian mechanism (Lemma 8)", build=build,
    parameters={"k": 4, "sigma": 2}, guarantee_claim="lebeda2025.lem8.exact", source="lebeda2025, Section 2.4, Lemma 8",
    privacy=COUNTING_QUERIES, law=law,
)  # fmt: skip

_K, _SIGMA = symbols("k sigma")
CALIBRATOR = Calibrator(
    id=MECHANISM.id, claim=MECHANISM.guarantee_claim, release="known_keys", users={"k": "all_keys"}, noise="sigma",
    deviation=_SIGMA * sqrt(1 + 1 / sqrt(_K)),
)  # fmt: skip
