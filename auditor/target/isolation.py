"""Coexistence with other packages of the same top-level names.

The top-level names `mechanisms` and `proofs_numeric` are generic: an audited project may have its own. Inside `ours()`
an import of these names finds the packages beside `auditor`. Outside, it finds the project's packages, as if ours were
not loaded. Modules keep direct references to their imports, so both work in one process. If no other package has the
names, no module is moved.

Not thread-safe: a process has one `sys.modules`, and the exchange changes it.
"""

import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from auditor.errors import OverwrittenError
from auditor.extras import missing

NAMES = ("mechanisms", "proofs_numeric")
DISTRIBUTION = "sparse-histogram-auditor"
ROOT = Path(__file__).resolve().parents[2]
_FOLDERS = tuple(ROOT / name for name in NAMES)


class _OurFinder:
    """Finds our two packages beside `auditor`, ahead of all other finders."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        return PathFinder.find_spec(name, [str(ROOT)], target) if path is None and name in NAMES else None


_parked_modules: dict[str, ModuleType] = {}
"""Modules of the side (ours or the project's) that is currently not in `sys.modules`."""
_inside = False


def _spec_is_ours(spec: ModuleSpec | None) -> bool:
    if spec is None:
        return False
    places = [spec.origin] if spec.origin else list(spec.submodule_search_locations or [])
    return any(_place_is_ours(place) for place in places)


@functools.cache  # every release of a live mechanism resolves every module
def _place_is_ours(place: str) -> bool:
    return any(Path(place).resolve().is_relative_to(folder) for folder in _FOLDERS)


def _take(*, ours: bool) -> dict[str, ModuleType]:
    """Remove from `sys.modules`, and return, the modules under our names that are ours, or the others."""
    modules = {name: module for name, module in sys.modules.items() if name.partition(".")[0] in NAMES}
    leaving = [name for name, module in modules.items() if _spec_is_ours(module.__spec__) is ours]
    return {name: sys.modules.pop(name) for name in leaving}


def _exchange(*, to_ours: bool) -> None:
    """Move one side's modules out of `sys.modules` and the other side's back in."""
    global _inside  # noqa: PLW0603 - sys.modules is the process's, and so is the record of who holds it
    leaving = _take(ours=not to_ours)
    sys.modules.update(_parked_modules)
    _parked_modules.clear()
    _parked_modules.update(leaving)
    if to_ours:
        sys.meta_path.insert(0, _OurFinder)
    else:
        sys.meta_path.remove(_OurFinder)
    _inside = to_ours


def is_contested() -> bool:
    """Return whether another package has one of our names."""
    specs = (PathFinder.find_spec(name) for name in NAMES)
    return bool(_parked_modules) or any(spec is not None and not _spec_is_ours(spec) for spec in specs)


def overwritten() -> list[str]:
    """Return one line with a remedy for each other distribution that installs a top-level package of our names."""
    from importlib.metadata import distributions

    names = []
    for distribution in distributions():
        # RECORD as text, and the name only on a match: parsing paths, or reading every name, takes a second
        files = "\n" + (distribution.read_text("RECORD") or "")
        taken = [each for each in NAMES if f"\n{each}/" in files]
        if taken and (name := distribution.metadata["Name"]) != DISTRIBUTION:
            names += [
                f"the distribution {name} {distribution.version} installs a top-level package '{each}', as this suite, "
                "and in one folder the later overwrites the other: keep them in environments of their own"
                for each in taken
            ]
    return sorted(set(names))


@contextmanager
def ours() -> Iterator[None]:
    """Make `mechanisms` and `proofs_numeric` mean the auditor's packages; may be nested."""
    global _inside  # noqa: PLW0603 - see _exchange
    if _inside:
        yield
        return
    _exchange(to_ours=True)
    try:
        yield
    except ImportError as error:
        if (lacking := missing(error)) is not None:
            raise lacking from error
        if (error.name or "").partition(".")[0] not in NAMES or not (text := overwritten()):
            raise
        raise OverwrittenError(f"cannot import {error.name}: {'; '.join(text)}") from error
    finally:
        if is_contested():
            _exchange(to_ours=False)
        else:
            sys.meta_path.remove(_OurFinder)
            _inside = False


@contextmanager
def theirs() -> Iterator[None]:
    """Inside `ours()`: give the names back to the project while its code runs."""
    if not _inside or not is_contested():
        yield
        return
    _exchange(to_ours=False)
    try:
        yield
    finally:
        _exchange(to_ours=True)


class _Guest:
    """An object of the project; its methods run with the project's modules under the shared names."""

    def __init__(self, target: object) -> None:
        self._target = target

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._target, name)
        return _hosted(value) if callable(value) else value


def _hosted(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with theirs():
            return function(*args, **kwargs)

    return call


def guest(target: Any) -> Any:
    """Return a callable or mechanism that runs with the project's modules; itself if no name is contested."""
    if not is_contested():
        return target
    if hasattr(target, "release_many") or not callable(target):
        return type(type(target).__qualname__, (_Guest,), {})(target)
    return _hosted(target)
