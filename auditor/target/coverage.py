"""Coverage of a target's own source, with the order of lines, by the interpreter's trace function.

It covers lines, and the branches of expressions within a line (from Python 3.11 on).

The worker loads this file in any Python from 3.9; it imports nothing of the auditor. The own source of a target is the
content of its file's folder, subfolders included, without installed packages.
"""

import dis
import functools
import inspect
import os
import sys
import sysconfig
import threading
from typing import Any

PROLOGUE = ("RESUME", "COPY_FREE_VARS", "MAKE_CELL")
"""Instructions before the body of a function."""
END = -1
"""Marks the end of a call in place of the next line."""
Step = tuple[str, int, int, int]
"""File, first line of the function, line, and the next line (END: the call ends; `marked` for a branch of the line)."""
INSTALLED = tuple(
    os.path.join(sysconfig.get_path(name), "")  # noqa: PTH118 - trace functions see plain names
    for name in ("stdlib", "platstdlib", "purelib", "platlib")
)

FOREIGN = (
    *INSTALLED,
    os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), ""),  # noqa: PTH100, PTH118, PTH120
)
"""Folders of installed packages, and of the auditor: a target may stand beside it."""


def marked(column: int) -> int:
    """Return the mark of a branch within a line, from the column at which its first instruction begins."""
    return END - 1 - column


def branches(code: Any) -> dict[int, tuple[int, int]]:
    """Return the branches within lines: offset of the first instruction -> line and column."""
    edges: dict[int, tuple[int, int]] = {}
    if not hasattr(code, "co_positions"):  # before Python 3.11
        return edges
    instructions = list(dis.get_instructions(code))
    places = {each.offset: place for place, each in enumerate(instructions)}
    where: list[Any] = [getattr(each, "positions", None) for each in instructions]
    for place, each in enumerate(instructions[:-1]):
        if "JUMP" not in each.opname or "IF" not in each.opname:
            continue
        for after in (place + 1, places[each.argval]):
            if where[after].lineno == where[place].lineno and where[after].col_offset is not None:
                edges[instructions[after].offset] = where[after].lineno, where[after].col_offset
    return edges


def body_of(code: Any) -> list[tuple[int, int]]:
    """Return line and column of the first instruction in the body of a lambda; none before Python 3.11."""
    if not hasattr(code, "co_positions"):
        return []
    body = [each for each in dis.get_instructions(code) if each.opname not in PROLOGUE]
    where: Any = getattr(body[0], "positions", None)
    return [(where.lineno, where.col_offset)]


@functools.cache
def empty_caches(folder: str) -> None:
    """Empty the caches of a folder's functions once: a function that answers from its cache runs no line."""
    modules = [each for each in [*sys.modules.values()] if (getattr(each, "__file__", None) or "").startswith(folder)]
    classes = [part for each in modules for part in vars(each).values() if isinstance(part, type)]
    for each in (*modules, *classes) if folder else ():
        for part in [*vars(each).values()]:
            if type(part) is type(empty_caches):
                part.cache_clear()


class Coverage:
    """Collects steps between lines inside its `with` block.

    Args:
        mechanism: the callable, or the object with `release` or `release_many`.
    """

    def __init__(self, mechanism: Any) -> None:
        self.folder = _folder_of(mechanism)
        empty_caches(self.folder)
        self.steps: set[Step] = set()
        self._before: Any = None
        self._branches: dict[Any, dict[int, tuple[int, int]]] = {}

    def __enter__(self) -> "Coverage":  # noqa: PYI034 - Python 3.9
        if self.folder:
            self._before = sys.gettrace()
            sys.settrace(self._called)
            threading.settrace(self._called)  # threads that the target starts
        return self

    def __exit__(self, *_: object) -> None:
        if self.folder:
            sys.settrace(self._before)
            threading.settrace(self._before)

    def new_steps(self) -> list[Step]:
        """Return the steps collected since the previous call, sorted, and clear them."""
        steps, self.steps = self.steps, set()
        return sorted(steps)

    def _called(self, frame: Any, _event: str, _argument: Any) -> Any:
        code = frame.f_code
        if not code.co_filename.startswith(self.folder) or code.co_filename.startswith(FOREIGN):
            return None
        steps, file, first = self.steps, code.co_filename, code.co_firstlineno
        last = first
        if code not in self._branches:
            self._branches[code] = branches(code)
            if self._branches[code]:
                steps.add((file, first, first, marked(0)))  # the interpreter says which branches ran
            if code.co_name == "<lambda>":
                steps.update((file, first, line, marked(column)) for line, column in body_of(code))
        unseen = self._branches[code]
        frame.f_trace_opcodes = bool(unseen)

        def follow(frame: Any, event: str, _argument: Any) -> Any:
            nonlocal last
            if event == "opcode":
                if frame.f_lasti in unseen:
                    line, column = unseen.pop(frame.f_lasti)
                    steps.add((file, first, line, marked(column)))
                    frame.f_trace_opcodes = bool(unseen)
            elif event == "line":
                steps.add((file, first, last, frame.f_lineno))
                last = frame.f_lineno
            elif event == "return":
                steps.add((file, first, last, END))
            return follow

        return follow


def _folder_of(mechanism: Any) -> str:
    """Return the folder of the file that defines a mechanism, with a separator at its end; "" if there is none."""
    release = getattr(mechanism, "release_many", None) or getattr(mechanism, "release", mechanism)
    while isinstance(release := inspect.unwrap(release), functools.partial):
        release = release.func
    for candidate in (release, type(mechanism)):
        try:
            file = inspect.getfile(candidate)
        except (TypeError, ValueError):
            continue
        if os.path.isfile(file) and not file.startswith(INSTALLED):  # noqa: PTH113 - as above
            return os.path.join(os.path.dirname(os.path.abspath(file)), "")  # noqa: PTH100, PTH118, PTH120 - as above
    return ""
