"""Functions of a target that data may choose and never chose: entries of tables, and functions handed on by name."""

from __future__ import annotations

import ast
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.mechanism_audit.draws.slices import name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Function = ast.FunctionDef | ast.AsyncFunctionDef
Chosen = Function | ast.Lambda
MOST_STEPS = 4
"""Largest number of assignments followed from a table to its entries."""
CALLED = frozenset(
    {"lru_cache", "cache", "wraps", "contextmanager", "staticmethod", "classmethod", "property", "cached_property"}
)
"""Decorators after which the interpreter still calls the function that they decorate."""
NAMESPACES = ("globals", "locals", "vars")


class Names:
    """Functions and assignments of a file, and of the modules in its folder that it imports.

    Args:
        file: path of the file.
        tree: its source.
    """

    def __init__(self, file: str, tree: ast.Module) -> None:
        self.file, self.tree = file, tree

    @cached_property
    def functions(self) -> dict[tuple[bool, str], list[tuple[str, Function]]]:
        """Return functions, each with its file, by whether an attribute names them, and name.

        Methods and functions of other files are attributes. Functions with other decorators than `CALLED` and the
        functions of the file are left out, because a decorator may hide a call.
        """
        functions_of: dict[tuple[bool, str], list[tuple[str, Function]]] = {}
        for file, tree in self._trees():
            plain = CALLED | {node.name for node in ast.walk(tree) if isinstance(node, Function)}
            methods = {id(each) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for each in node.body}
            for node in ast.walk(tree):
                if isinstance(node, Function) and all(_decorator(each) in plain for each in node.decorator_list):
                    ways = {id(node) in methods} if file == self.file else {True, id(node) in methods}
                    for way in ways:
                        functions_of.setdefault((way, node.name), []).append((file, node))
        return functions_of

    @cached_property
    def assigned(self) -> dict[str, list[ast.expr]]:
        """Return name of a variable or attribute -> values assigned to it."""
        values: dict[str, list[ast.expr]] = {}
        for _file, tree in self._trees():
            for node in ast.walk(tree):
                match node:
                    case ast.Assign(targets=targets, value=value):
                        pass
                    case ast.AnnAssign(target=only, value=ast.expr() as value):
                        targets = [only]
                    case _:
                        continue
                for target in targets:
                    if isinstance(target, ast.Name | ast.Attribute):
                        values.setdefault(name_of(target), []).append(value)
        return values

    @cached_property
    def functions_by_name(self) -> dict[str, tuple[str, Function]]:
        """Return the functions of the files' first level, each with its file, whatever decorates them.

        Generators are left out: they run when something iterates over them.
        """
        functions = ((file, node) for file, tree in self._trees() for node in tree.body if isinstance(node, Function))
        return {
            node.name: (file, node)
            for file, node in functions
            if not any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(node))
        }

    def entries(self, table: ast.expr, steps: int = MOST_STEPS) -> Iterator[tuple[str, Chosen]]:
        """Yield the functions in a table, whether it is written in place or assigned to a name."""
        parts: list[ast.expr | None] = []
        match table:
            case ast.Lambda():
                yield self.file, table
            case ast.Name() | ast.Attribute():
                functions = self.functions_of(table)
                yield from functions
                parts += self.assigned.get(name_of(table), []) if steps and not functions else []
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                parts += elements
            case ast.Dict(values=values):
                parts += values
            case ast.Call(func=ast.Name(id="dict") | ast.Attribute(attr="partial") | ast.Name(id="partial")):
                parts += [*table.args[:1], *(word.value for word in table.keywords)]
        for part in parts:
            if part is not None:
                yield from self.entries(part, steps - 1)

    def matching(self, index: ast.expr, *, attribute: bool) -> Iterator[tuple[str, Chosen]]:
        """Yield the functions, or those that attributes name, whose names contain a text constant of an index."""
        constants = (node for part in self.values(index) for node in ast.walk(part) if isinstance(node, ast.Constant))
        texts = {node.value for node in constants if isinstance(node.value, str) and len(node.value) > 1}
        for (way, name), functions in self.functions.items():
            if way is attribute and any(text in name for text in texts):
                yield from functions

    def values(self, index: ast.expr) -> list[ast.expr]:
        """Return an index, and what is assigned to its names."""
        names = [node.id for node in ast.walk(index) if isinstance(node, ast.Name)]
        return [index, *(value for name in names for value in self.assigned.get(name, []))]

    def conditions(self, index: ast.expr) -> Iterator[ast.expr]:
        """Yield the expressions that decide an index: itself, and the indices and conditions within its values."""
        yield index
        for part in self.values(index):
            for node in ast.walk(part):
                if isinstance(node, ast.Subscript | ast.IfExp):
                    yield node.slice if isinstance(node, ast.Subscript) else node.test

    def functions_of(self, name: ast.Name | ast.Attribute) -> list[tuple[str, Function]]:
        """Return the functions of a name or attribute."""
        return self.functions.get((isinstance(name, ast.Attribute), name_of(name)), [])

    def _trees(self) -> Iterator[tuple[str, ast.Module]]:
        yield self.file, self.tree
        for node in ast.walk(self.tree):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else modules
            for module in modules:
                path = Path(self.file).parent / f"{module.replace('.', '/')}.py"
                try:
                    yield str(path), ast.parse(path.read_bytes())
                except (OSError, SyntaxError, ValueError):
                    continue


def choices(node: ast.AST, names: Names, decides: Callable[[ast.expr], bool]) -> Iterator[tuple[str, Chosen]]:
    """Yield the functions among which an expression chooses by data.

    Args:
        node: subscript, `get` or `getattr`.
        names: functions and assignments of the file.
        decides: returns whether an expression depends on data and not on noise.
    """
    match node:
        case ast.Subscript(value=ast.Call(func=ast.Name(id=space)), slice=index) if space in NAMESPACES:
            functions = names.matching(index, attribute=False)
        case ast.Call(func=ast.Name(id="getattr"), args=[_, index, *_]):
            functions = names.matching(index, attribute=True)
        case (
            ast.Subscript(value=table, slice=index)
            | ast.Call(func=ast.Attribute(value=table, attr="get"), args=[index, *_])
        ):
            functions = names.entries(table)
        case ast.Call(args=[_, _, *_] as arguments):
            index = ast.Tuple(arguments, ast.Load())
            functions = chain.from_iterable(
                names.functions_of(one) for one in arguments if isinstance(one, ast.Name | ast.Attribute)
            )
        case _:
            return
    if any(map(decides, names.conditions(index))):
        yield from functions


def _decorator(node: ast.expr) -> str:
    return name_of(node.func if isinstance(node, ast.Call) else node)
