"""Algorithm 1 of rogers2024: noisy counts above a threshold, over whatever items have a positive count.

Statement: for each item with c_i > 0 release c_i + Z_i if c_i + Z_i > T. The noise is Gaussian or Laplace; the two
guarantees have a module each, `unknown_domain_gaussian` and `unknown_domain_laplace`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mechanisms.gaussian_sparse_histogram.mechanism import round_to_grid
from mechanisms.histogram import Histogram, Released, validate
from mechanisms.mechanism import BatchMechanism, Boundary
from mechanisms.unknown_domain.release import check_threshold

Sampler = Callable[..., "NDArray[np.float64]"]
"""`sample(rng, shape, scale=...)` of a module of `mechanisms.noise`."""

REMEDY = "T > 0 needs delta < delta_0 / 2, or more noise: epsilon = delta_inf / scale below log(delta_0 / (2 delta))"


@dataclass(frozen=True)
class UnknownDomainHistogram(BatchMechanism):
    """Algorithm 1.

    Attributes:
        noise: sampler of one law.
        scale: its scale (counts).
        threshold: T, > 0 and finite (counts).
        grid: released values are rounded to the nearest multiple after the decision; a power of two.
        boundary: whether a noisy count equal to T passes (printed: it does not).
    """

    noise: Sampler
    scale: float
    threshold: float
    grid: float
    boundary: Boundary = Boundary.EXCLUSIVE

    def __post_init__(self) -> None:
        """Refuse a threshold that is none."""
        check_threshold(self.threshold, REMEDY)

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases: one column an item in the order of labels, NaN where not released."""
        validate(histogram)
        keys = tuple(sorted(key for key, count in histogram.items() if count > 0))
        counts = np.array([histogram[key] for key in keys], dtype=np.float64)
        return keys, self.threshold_values(counts, n, rng)

    def threshold_values(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Shape (n, len(counts)): noisy counts above T on the grid, NaN elsewhere."""
        noisy = counts + self.noise(rng, (n, counts.size), scale=self.scale)
        return self.held_back(noisy, round_to_grid(noisy, self.grid))

    def held_back(self, decided: NDArray[np.float64], output: NDArray[np.float64]) -> NDArray[np.float64]:
        """`output` where `decided` passes the threshold, NaN elsewhere."""
        passes = decided >= self.threshold if self.boundary is Boundary.INCLUSIVE else decided > self.threshold
        output[~passes] = np.nan
        return output
