"""Lazy import of a library at its first use."""

import importlib.util
import sys
from types import ModuleType
from typing import Any


class _Unloaded(ModuleType):
    """A placeholder that becomes the library, in place, on the first attribute access.

    `importlib.util.LazyLoader` does not work: `import` itself accesses `__spec__`, which triggers the load.
    """

    def __getattr__(self, name: str) -> Any:
        spec = self.__spec__
        if spec is None or spec.loader is None:
            raise AttributeError(name)
        self.__class__ = ModuleType  # type: ignore[assignment]
        self.__path__ = spec.submodule_search_locations or []
        spec.loader.exec_module(self)
        return getattr(self, name)


def late(name: str) -> None:
    """Make `import name` of a package free until the package, or a module in it, is used.

    Call it in a single-threaded process, before the library is imported. Purpose: the module of arithmetics imports
    NumPy, which takes longer to load than an evaluation without NumPy takes.
    """
    specification = None if name in sys.modules else importlib.util.find_spec(name)
    if specification is None:
        return
    module = importlib.util.module_from_spec(specification)
    del module.__path__
    module.__class__ = _Unloaded
    sys.modules[name] = module
