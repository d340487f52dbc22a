"""Releases drawn by another array library, on a graphics processor say, where the noise is added key by key.

Everything but the uniform draws is written in the array API standard, so that NumPy, CuPy and PyTorch run the same
lines. The law is that of the mechanism (the same rounding and thresholds); the draws are not: seeds come from the
caller's generator, so releases can be replayed on the same device and library.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.analytic_gaussian import AnalyticGaussian
from mechanisms.gaussian_sparse_histogram import GaussianSparseHistogram
from mechanisms.histogram import validate
from mechanisms.laplace_mechanism import LaplaceMechanism
from mechanisms.mechanism import Boundary

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


@dataclass(frozen=True)
class Library:
    """An array library.

    Attributes:
        name: for people.
        namespace: its functions by the names of the array API standard.
        uniform: (seed, shape) -> float64 array of independent draws from (0, 1), on its device.
        to_host: array -> NumPy array.

    """

    name: str
    namespace: Any
    uniform: Callable[[int, tuple[int, ...]], Any]
    to_host: Callable[[Any], NDArray[np.float64]]


TINY = 2.0**-54
"""Half of the least step between uniform doubles: moves a draw of 0 off 0, and no other draw in a way that shows."""


def numpy_library(namespace: Any = np) -> Library:
    """Return NumPy as a library; another namespace of NumPy arrays may be given."""
    return Library(
        "NumPy", namespace, lambda seed, shape: np.random.Generator(np.random.PCG64(seed)).random(shape), np.asarray
    )


def accelerator() -> Library | None:
    """Return CuPy or PyTorch where one is installed and has a device; None, without complaint, where not."""
    for found in (_cupy, _torch):
        library = found()
        if library is not None:
            return library
    return None


def _cupy() -> Library | None:
    if importlib.util.find_spec("cupy") is None:
        return None
    cupy: Any = importlib.import_module("cupy")
    try:
        device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    except Exception:  # noqa: BLE001 - a library without a device is no accelerator, whatever it raises
        return None

    def uniform(seed: int, shape: tuple[int, ...]) -> Any:
        return cupy.random.default_rng(seed).random(shape, dtype=cupy.float64)

    return Library(f"CuPy on {device}", cupy, uniform, cupy.asnumpy)


def _torch() -> Library | None:
    if importlib.util.find_spec("torch") is None:
        return None
    torch: Any = importlib.import_module("torch")
    if not torch.cuda.is_available():
        return None

    def uniform(seed: int, shape: tuple[int, ...]) -> Any:
        generator = torch.Generator("cuda").manual_seed(seed)
        return torch.rand(shape, dtype=torch.float64, device="cuda", generator=generator)

    return Library(f"PyTorch on {torch.cuda.get_device_name(0)}", torch, uniform, lambda array: array.cpu().numpy())


def draw(library: Library, noise: Noise, seed: int, shape: tuple[int, ...]) -> Any:
    """Return standard noise on the library's device: Box and Muller's transform, or a difference of exponentials."""
    xp = library.namespace
    first, second = library.uniform(seed, (2, *shape))
    radius = -xp.log(first + TINY)
    if noise is Noise.NORMAL:
        return xp.sqrt(2.0 * radius) * xp.cos(2.0 * math.pi * second)
    return radius + xp.log(second + TINY)


@dataclass(frozen=True)
class ArrayRelease:
    """A mechanism whose releases another library draws; as `Mechanism` where an audit needs it."""

    description: Elementwise
    library: Library

    @property
    def releases_only_input_keys(self) -> bool:
        """Whether the released keys are those of the input."""
        return self.description.universe is None

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases: one column a key, NaN where not released."""
        validate(histogram)
        at, xp = self.description, self.library.namespace
        keys = tuple(sorted(histogram)) if at.universe is None else at.universe
        counts = [float(histogram.get(key, 0)) for key in keys]
        shift = np.array([count if count >= at.least_count else -math.inf for count in counts])
        noise = draw(self.library, at.noise, int(rng.integers(SEEDS)), (n, len(keys)))
        noisy = at.scale * noise
        for column, value in enumerate(shift.tolist()):
            noisy[:, column] += value
        rounded = xp.round(noisy / at.grid) * at.grid
        shown = xp.where(noisy >= at.threshold, rounded, rounded * math.nan)
        values = np.array(self.library.to_host(shown), dtype=np.float64)
        values[:, np.isneginf(shift)] = math.nan
        return keys, values


def on(library: Library, mechanism: Mechanism) -> ArrayRelease:
    """Return the mechanism with its releases drawn by `library`.

    Raises:
        ValueError: its noise is not added key by key.

    """
    return ArrayRelease(elementwise(mechanism), library)
