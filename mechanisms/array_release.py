"""Releases drawn by another array library, on a graphics processor say, where the noise is added key by key.

Everything but the uniform draws is written in the array API standard, so that NumPy, CuPy and PyTorch run the same
lines. The law is that of the mechanism (the same rounding and thresholds); the draws are not: seeds come from the
caller's generator, so releases can be replayed on the same device and library.

A library is loaded at the first release, in the process that draws: a device that was opened before a fork is lost to
the child.
"""

from __future__ import annotations

import contextlib
import importlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

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


class LibraryError(ValueError):
    """An array library cannot be used. Causes: it is not installed, or it needs a device and finds none."""


@dataclass(frozen=True)
class Library:
    """An array library.

    Attributes:
        name: for people.
        namespace: its functions by the names of the array API standard.
        uniform: (seed, shape) -> float64 array of independent draws from [0, 1), on its device.
        from_host: NumPy array -> array on its device.
        to_host: array -> NumPy array.
        accelerated: its device is not the processor that runs this program.

    """

    name: str
    namespace: Any
    uniform: Callable[[int, tuple[int, ...]], Any]
    from_host: Callable[[NDArray[np.float64]], Any]
    to_host: Callable[[Any], NDArray[np.float64]]
    accelerated: bool = False


Load = Callable[[], Library]
TINY = 2.0**-54
"""Half of the least step between uniform doubles: moves a draw of 0 off 0, and no other draw in a way that shows."""


def _imported(name: str, remedy: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise LibraryError(f"expected {name} to import, got '{error}'; {remedy}") from None


def numpy_library() -> Library:
    """Return NumPy as a library."""

    def uniform(seed: int, shape: tuple[int, ...]) -> NDArray[np.float64]:
        return np.random.Generator(np.random.PCG64(seed)).random(shape)

    return Library("NumPy", np, uniform, np.asarray, np.asarray)


def cupy_library() -> Library:
    """Return CuPy on its first device.

    Raises:
        LibraryError: it is not installed, or finds no device.

    """
    cupy = _imported("cupy", "pip install cupy-cuda13x (or the package of your CUDA version)")
    try:
        device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    except Exception as error:  # noqa: BLE001 - without a device CuPy draws nothing, whatever it raises
        raise LibraryError(f"expected a device for cupy, got {type(error).__name__}; use torch or numpy") from None

    def uniform(seed: int, shape: tuple[int, ...]) -> Any:
        return cupy.random.default_rng(seed).random(shape, dtype=cupy.float64)

    return Library(f"CuPy on {device}", cupy, uniform, cupy.asarray, cupy.asnumpy, accelerated=True)


def torch_library() -> Library:
    """Return PyTorch on its first CUDA device, or else on the processor.

    Raises:
        LibraryError: it is not installed.

    """
    torch = _imported("torch", "pip install torch")
    accelerated = bool(torch.cuda.is_available())
    device, name = ("cuda", torch.cuda.get_device_name(0)) if accelerated else ("cpu", "the processor")

    def uniform(seed: int, shape: tuple[int, ...]) -> Any:
        generator = torch.Generator(device).manual_seed(seed)
        return torch.rand(shape, dtype=torch.float64, device=device, generator=generator)

    return Library(
        f"PyTorch on {name}",
        torch,
        uniform,
        lambda array: torch.from_numpy(array).to(device),
        lambda array: array.cpu().numpy(),
        accelerated=accelerated,
    )


LIBRARIES: dict[str, Load] = {"numpy": numpy_library, "cupy": cupy_library, "torch": torch_library}
"""Libraries by the names that users give them."""


def accelerator() -> Library | None:
    """Return CuPy or PyTorch where one is installed and has a device; None, without complaint, where not."""
    for load in (cupy_library, torch_library):
        with contextlib.suppress(LibraryError):
            library = load()
            if library.accelerated:
                return library
    return None


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
