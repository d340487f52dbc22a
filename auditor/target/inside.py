"""A target whose output is what one function inside it returned.

The worker loads this file in any Python from 3.9; it imports nothing of the auditor.
"""

import copy
import functools
import importlib
import inspect
import sys
from collections.abc import Callable
from typing import Any

ATOMS = (int, float, str, bool, type(None))
"""Types of values that the target cannot change after the function has returned them."""
SILENT = 100
"""Releases without a call of the function after which the audit ends."""


class Inside:
    """A mechanism whose release is the list of the values that a function returned, in the order of its calls.

    The function is replaced where it is defined, and in every module that imported it by name.

    Args:
        name: `function` or `Class.method` of the target's module, or `module:function`.
        origin: the callable of the mechanism; its signature is kept, without the number of releases.
        release: (input, generator) -> output of the mechanism.
        error: exception for a function that is not called.

    Errors:
        LookupError: no such function; the text is a predicate of the target.
    """

    def __init__(
        self, name: str, origin: Any, release: Callable[[Any, Any], object], error: Callable[[str], Exception]
    ) -> None:
        self.returned: list[Any] = []
        self.called, self.released = False, 0
        self._recorded(name, origin)

        def run(data: Any, rng: Any) -> list[Any]:
            self.returned.clear()
            release(data, rng)
            self.released += 1
            self.called = self.called or bool(self.returned)
            if not self.called and self.released >= SILENT:
                message = f"did not call {name} in {self.released} releases; name a function that it calls"
                raise error(message)
            return [*self.returned]

        first, *_, last = inspect.signature(origin).parameters.values()
        wrapped: Any = functools.update_wrapper(run, origin, updated=())
        wrapped.__signature__ = inspect.Signature([first, last])
        self.release = wrapped

    def _recorded(self, name: str, origin: Any) -> None:
        """Replace the function by one that keeps what it returns."""
        place, _, attribute = name.rpartition(":")
        module = _module(place, origin)
        owner: Any = module
        *path, last = attribute.split(".")
        for part in path:
            owner = _part(owner, part, name)
        _part(owner, last, name)
        static = inspect.getattr_static(owner, last)
        wrap = type(static) if isinstance(static, (staticmethod, classmethod)) else None
        function = static.__func__ if wrap is not None else static
        if not callable(function):
            message = f"has no function {name}: it is of type {type(function).__name__}"
            raise LookupError(message)  # noqa: TRY004 - of the caller's name, not of a type here
        recording = self._recording(function)
        try:
            setattr(owner, last, recording if wrap is None else wrap(recording))
        except (AttributeError, TypeError):
            message = f"cannot be audited inside {name}, which Python cannot replace; name a function around it"
            raise LookupError(message) from None
        for other in [*sys.modules.values()]:
            names = [attribute for attribute, value in [*getattr(other, "__dict__", {}).items()] if value is function]
            for attribute in names:
                setattr(other, attribute, recording)

    def _recording(self, function: Any) -> Any:
        """Return the function with a record of each value that it returns."""
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def later(*arguments: Any, **keywords: Any) -> Any:
                return self._record(await function(*arguments, **keywords))

            return later

        @functools.wraps(function)
        def at_once(*arguments: Any, **keywords: Any) -> Any:
            return self._record(function(*arguments, **keywords))

        return at_once

    def _record(self, value: Any) -> Any:
        self.returned.append(value if isinstance(value, ATOMS) else copy.deepcopy(value))
        return value


def _module(place: str, origin: Any) -> Any:
    """Return a module by its name or file; the mechanism's own if `place` is empty."""
    if not place:
        return inspect.getmodule(inspect.unwrap(getattr(origin, "__func__", origin)))
    if place.endswith(".py"):
        for module in [*sys.modules.values()]:
            file = getattr(module, "__file__", None)
            if file is not None and (file == place or file.endswith(f"/{place}")):
                return module
        message = f"imports no file {place}; name its module, or give --inside FUNCTION for its own file"
        raise LookupError(message)
    try:
        return importlib.import_module(place)
    except ImportError as error:
        message = f"imports no module {place} ({error})"
        raise LookupError(message) from None


def _part(owner: Any, part: str, name: str) -> Any:
    """Return an attribute of a module or a class."""
    if not hasattr(owner, part):
        kind = "class" if isinstance(owner, type) else "module"
        file = getattr(owner, "__file__", None) or getattr(owner, "__name__", owner)
        message = f"has no function {name}: the {kind} {file} has no {part}"
        raise LookupError(message)
    return getattr(owner, part)
