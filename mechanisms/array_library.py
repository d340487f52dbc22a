"""Array libraries that can draw releases, on a graphics processor say.

A library is loaded at the first release, in the process that draws: a device that was opened before a fork is lost to
the child.
"""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
"""Returns the library; called in the process that draws."""


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
