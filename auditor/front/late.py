"""A library that is loaded when something of it is first used."""

import importlib.util
import sys
from types import ModuleType
from typing import Any


class _Unloaded(ModuleType):
    """Becomes the library, in place, when an attribute of it is asked for.

    `importlib.util.LazyLoader` does not serve: `import` itself asks for `__spec__`, which ends its laziness.
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
    """Let `import name` of a package cost nothing until something of the package, or a module in it, is used.

    For a process of one thread, before the library is imported: a formula is evaluated in the arithmetic asked for, and
    NumPy, which its module imports too, takes longer to load than the answer takes.
    """
    found = None if name in sys.modules else importlib.util.find_spec(name)
    if found is None:
        return
    module = importlib.util.module_from_spec(found)
    del module.__path__
    module.__class__ = _Unloaded
    sys.modules[name] = module
