"""Releases drawn by another array library, on a graphics processor say, where the noise is added key by key.

Everything but the uniform draws is written in the array API standard, so that NumPy, CuPy and PyTorch run the same
lines. The law is that of the mechanism (the same rounding and thresholds); the draws are not: seeds come from the
caller's generator, so releases can be replayed on the same device and library.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.array_library import Library, Load
from mechanisms.baselines.analytic_gaussian import AnalyticGaussian
from mechanisms.baselines.laplace_mechanism import LaplaceMechanism
from mechanisms.gaussian_sparse_histogram.mechanism import GaussianSparseHistogram
from mechanisms.histogram import validate
from mechanisms.mechanism import BatchMechanism, Boundary

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Mechanism

SEEDS = 2**63


class Noise(StrEnum):
    """Laws that are drawn by transforming uniforms."""

    NORMAL = "normal"
    LAPLACE = "laplace"


@dataclass(frozen=True)
class Elementwise:
    """A mechanism that treats keys alike and apart: round(count + scale noise), shown from a threshold on.

    Attributes:
        noise: law of the noise.
        scale: its standard deviation (normal) or scale (Laplace).
        grid: released values are rounded to the nearest multiple.
        universe: the keys released; None: those of the input, in the order of names.
        least_count: smaller counts are never released.
        threshold: smaller noisy counts are not released (before rounding).

    """

    noise: Noise
    scale: float
    grid: float
    universe: tuple[str, ...] | None = None
    least_count: int = 0
    threshold: float = -math.inf


def elementwise(mechanism: Mechanism) -> Elementwise:
    """Describe a mechanism key by key.

    Raises:
        ValueError: its noise is not added key by key, or not known here to be.

    """
    if isinstance(mechanism, GaussianSparseHistogram) and mechanism.aggregates is None:
        if mechanism.upper_boundary is Boundary.INCLUSIVE and type(mechanism) is GaussianSparseHistogram:
            return Elementwise(
                Noise.NORMAL,
                mechanism.sigma,
                mechanism.grid,
                least_count=mechanism.least_count,
                threshold=mechanism.tau_star,
            )
    elif type(mechanism) is LaplaceMechanism:
        return Elementwise(Noise.LAPLACE, mechanism.scale, mechanism.grid, mechanism.universe)
    elif type(mechanism) is AnalyticGaussian:
        return Elementwise(Noise.NORMAL, mechanism.sigma, mechanism.grid, mechanism.universe)
    name = type(mechanism).__name__
    raise ValueError(f"expected a mechanism with noise key by key (normal or Laplace, no aggregates), got {name}")


TINY = 2.0**-54
"""Half of the least step between uniform doubles: moves a draw of 0 off 0, and no other draw in a way that shows."""


def draw(library: Library, noise: Noise, seed: int, shape: tuple[int, ...]) -> Any:
    """Return standard noise on the library's device: Box and Muller's transform, or a difference of exponentials."""
    xp = library.namespace
    uniforms = library.uniform(seed, (2, *shape))
    first, second = uniforms[0, ...], uniforms[1, ...]
    radius = -xp.log(first + TINY)
    if noise is Noise.NORMAL:
        return xp.sqrt(2.0 * radius) * xp.cos(2.0 * math.pi * second)
    return radius + xp.log(second + TINY)


@dataclass(frozen=True)
class ArrayRelease(BatchMechanism):
    """A mechanism whose releases another library draws.

    Attributes:
        description: what is drawn.
        load: returns the library; called in the process that draws.

    """

    description: Elementwise
    load: Load

    @property
    def releases_only_input_keys(self) -> bool:  # type: ignore[override]
        """Whether the released keys are those of the input."""
        return self.description.universe is None

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases: one column a key, NaN where not released.

        Raises:
            ValueError: the histogram is not one, or a count has too many grid steps for a double.
            LibraryError: the library cannot be used.

        """
        validate(histogram)
        library, at = self.load(), self.description
        xp = library.namespace
        keys = tuple(sorted(histogram)) if at.universe is None else at.universe
        counts = np.array([histogram.get(key, 0) for key in keys], dtype=np.float64)
        if counts.max(initial=0.0) > 2**52 * at.grid:
            raise ValueError(f"expected counts <= 2^52 grid steps of {at.grid}, got {counts.max()}")
        shift = library.from_host(np.where(counts >= at.least_count, counts, math.nan))
        noisy = shift + at.scale * draw(library, at.noise, int(rng.integers(SEEDS)), (n, len(keys)))
        rounded = xp.round(noisy / at.grid) * at.grid
        shown = xp.where(noisy >= at.threshold, rounded, rounded * math.nan)
        return keys, np.array(library.to_host(shown), dtype=np.float64)


def on(load: Load, mechanism: Mechanism) -> ArrayRelease:
    """Return the mechanism with its releases drawn by another library.

    Raises:
        ValueError: its noise is not added key by key.

    """
    return ArrayRelease(elementwise(mechanism), load)
