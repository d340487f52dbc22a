"""Which lines of a target's own source run, and which line follows which: seen by the interpreter's trace function.

Loaded by the worker in any Python from 3.9 on; nothing of the auditor is imported here. The own source of a target is
what lies in the folder of its file or below, without installed packages.
"""

import inspect
import os
import sys
import sysconfig
from typing import Any

END = -1
"""Stands for the line after the last one of a call."""
Step = tuple[str, int, int, int]
"""File, first line of the function, line, and the line after it (END: the call ends)."""
INSTALLED = tuple(
    os.path.join(sysconfig.get_path(name), "")  # noqa: PTH118 - trace functions see plain names
    for name in ("stdlib", "platstdlib", "purelib", "platlib")
)


class Coverage:
    """Collects steps between lines while it is entered.

    Args:
        mechanism: the callable, or the object with `release` or `release_many`.
    """

    def __init__(self, mechanism: Any) -> None:
        self.folder = _folder_of(mechanism)
        self.steps: set[Step] = set()
        self._before: Any = None

    def __enter__(self) -> "Coverage":  # noqa: PYI034 - Python 3.9
        if self.folder:
            self._before = sys.gettrace()
            sys.settrace(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        if self.folder:
            sys.settrace(self._before)

    def new_steps(self) -> list[Step]:
        """Return the steps collected since the last call, and forget them."""
        steps, self.steps = self.steps, set()
        return sorted(steps)

    def _called(self, frame: Any, _event: str, _argument: Any) -> Any:
        code = frame.f_code
        if not code.co_filename.startswith(self.folder) or code.co_filename.startswith(INSTALLED):
            return None
        steps, file, first = self.steps, code.co_filename, code.co_firstlineno
        last = first

        def follow(frame: Any, event: str, _argument: Any) -> Any:
            nonlocal last
            if event == "line":
                steps.add((file, first, last, frame.f_lineno))
                last = frame.f_lineno
            elif event == "return":
                steps.add((file, first, last, END))
            return follow

        return follow


def _folder_of(mechanism: Any) -> str:
    """Return the folder of the file that defines a mechanism, with a separator at its end; "" if there is none."""
    release = getattr(mechanism, "release_many", None) or getattr(mechanism, "release", mechanism)
    for candidate in (release, type(mechanism)):
        try:
            file = inspect.getfile(inspect.unwrap(candidate))
        except (TypeError, ValueError):
            continue
        if os.path.isfile(file) and not file.startswith(INSTALLED):  # noqa: PTH113 - as above
            return os.path.join(os.path.dirname(os.path.abspath(file)), "")  # noqa: PTH100, PTH118, PTH120 - as above
    return ""
