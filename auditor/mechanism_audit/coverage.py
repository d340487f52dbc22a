"""Lines of a target's source that ran on the datasets tried, and data-dependent blocks that did not run."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.mechanism_audit.result import ranges
from auditor.mechanism_audit.slices import Part, Source, Variable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from auditor.target.target import Step

TRIVIAL = (ast.Raise, ast.Pass, ast.Continue, ast.Break, ast.Assert)
"""Statements of a guard: a block that releases nothing."""


@dataclass(frozen=True)
class Hidden:
    """A block that never ran, behind a condition on data alone.

    Attributes:
        file: path.
        lines: first and last line of the block.
        condition: source text of the condition.
        taken: whether the block runs if the condition is true.
    """

    file: str
    lines: tuple[int, int]
    condition: str
    taken: bool

    def __str__(self) -> str:
        first, last = self.lines
        span = f"line {first}" if first == last else f"lines {first}-{last}"
        return f"{span} of {Path(self.file).name} ('{self.condition}' was never {'true' if self.taken else 'false'})"


@dataclass(frozen=True)
class Coverage:
    """Coverage of a target's source.

    Attributes:
        missed: file -> lines of statements that never ran, in functions that were called.
        hidden: blocks that never ran, behind a condition on data.
    """

    missed: dict[str, list[int]]
    hidden: tuple[Hidden, ...]

    def note(self) -> str | None:
        """Return the lines that never ran, in one line of text; None if all ran."""
        shown = [f"{Path(file).name}:{ranges(lines)}" for file, lines in self.missed.items() if lines]
        return f"never ran on any data set tried: {', '.join(shown)}" if shown else None

    def doubt(self) -> str | None:
        """Return why 'no violation found' is undecided; None if every block behind a condition on data ran."""
        if not self.hidden:
            return None
        more = f" and {len(self.hidden) - 1} more" if len(self.hidden) > 1 else ""
        return (
            f"{self.hidden[0]}{more} never ran on any data set tried, so its releases were not tested; give data that "
            "reach it with --dataset, or neighbours with --pair"
        )


def coverage_of(steps: Iterable[Step], start: str) -> Coverage:
    """Return the coverage of the functions that were called.

    Args:
        steps: file, first line of the function, line, next line.
        start: name of the function in which the target starts.
    """
    by_file: dict[str, set[tuple[int, int]]] = {}
    for file, first, _line, after in steps:
        by_file.setdefault(file, set()).add((first, after))
    missed: dict[str, list[int]] = {}
    hidden: list[Hidden] = []
    for file, pairs in sorted(by_file.items()):
        try:
            tree = ast.parse(Path(file).read_bytes())
        except (OSError, SyntaxError, ValueError):
            continue
        called, ran = {first for first, _line in pairs}, {line for _first, line in pairs}
        functions = [node for node in _functions(tree) if _first_line(node) in called]
        lines = {node.lineno for function in functions for node in _statements(function)}
        missed[file] = sorted(lines - ran)
        hidden += _hidden(file, functions, ran, start)
    return Coverage(missed, tuple(hidden))


Function = ast.FunctionDef | ast.AsyncFunctionDef


def _functions(tree: ast.Module) -> list[Function]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def _first_line(function: Function) -> int:
    """Return the first line as the interpreter counts it: the line of the first decorator, if there is one."""
    return min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])


def _statements(function: Function) -> Iterator[ast.stmt]:
    """Yield the statements of a function that run line by line, without the statements of nested functions."""
    rest: list[ast.stmt] = [*function.body]
    while rest:
        node = rest.pop()
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not text and not isinstance(node, ast.Global | ast.Nonlocal | ast.Pass | ast.Try):
            yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        rest += _blocks(node)


def _blocks(node: ast.stmt) -> list[ast.stmt]:
    handlers = [each for handler in getattr(node, "handlers", []) for each in handler.body]
    cases = [each for case in getattr(node, "cases", []) for each in case.body]
    own = [each for name in ("body", "orelse", "finalbody") for each in getattr(node, name, [])]
    return [*own, *handlers, *cases]


def _hidden(file: str, functions: list[Function], ran: set[int], start: str) -> Iterator[Hidden]:
    source = Source.read(file, start)
    if source is None:
        return
    data = source.made_of({*source.roots, *(key for key, table in source.keys.items() if table in source.roots)})
    noise = source.made_of({Variable(function.name, _generator(function)) for function in functions})
    for function in functions:
        for node in _statements(function):
            if not isinstance(node, ast.If):
                continue
            test = Part(node.test, function.name)
            if not data(test) or noise(test):
                continue
            for body, taken in ((node.body, True), (node.orelse, False)):
                if body and body[0].lineno not in {*ran, node.lineno} and not _guard(body):
                    lines = body[0].lineno, body[-1].end_lineno or body[-1].lineno
                    yield Hidden(file, lines, ast.unparse(node.test), taken)


def _generator(function: Function) -> str:
    """Return the name of the generator argument: the first with a usual name, otherwise the last argument."""
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
    return next((name for name in names if name in ("rng", "generator", "random", "gen")), names[-1] if names else "")


def _guard(body: list[ast.stmt]) -> bool:
    """Return whether a block is a guard: it raises, continues, breaks, passes or returns a constant."""
    last = body[-1]
    constant = isinstance(last, ast.Return) and (
        last.value is None
        or isinstance(last.value, ast.Constant)
        or (isinstance(last.value, ast.Dict | ast.List | ast.Tuple) and not [*ast.walk(last.value)][2:])
    )
    return len(body) == 1 and (isinstance(last, TRIVIAL) or constant)
