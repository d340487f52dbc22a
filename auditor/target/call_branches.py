"""Branches taken by the conditions of an accountant's source, recorded call by call.

The functions of the target's file run a rewritten source in which each condition records its truth value. Results, line
numbers and errors stay those of the original source. The module imports nothing of the auditor.
"""

from __future__ import annotations

import ast
import functools
import inspect
import sys
import types
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "__call_branches__"
"""Name of the recorder in the globals of a rewritten function."""
SHOWN = 60
"""Maximum length of a reported condition, in characters."""
ORDERS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
FUNCTIONS = (ast.FunctionDef, ast.Lambda)
CACHED = type(functools.lru_cache(None)(len))
"""Type of a function wrapped by `functools.lru_cache`."""


def conditions(tree: ast.AST) -> Iterator[tuple[Any, Any]]:
    """Yield each statement or expression with a test, and its enclosing function, in source order."""

    def walk(node: ast.AST, function: Any) -> Iterator[tuple[Any, Any]]:
        if function is not None and isinstance(node, (ast.If, ast.While, ast.IfExp)):
            yield node, function
        inner = node if isinstance(node, FUNCTIONS) else function
        for child in ast.iter_child_nodes(node):
            yield from walk(child, inner)

    yield from walk(tree, None)


def is_of_parameters(test: ast.AST, function: Any) -> bool:
    """Return whether a condition uses parameters of its function and no name that the function assigns."""
    named = function.args
    parameters = {one.arg for one in (*named.posonlyargs, *named.args, *named.kwonlyargs)}
    names = {one.id for one in ast.walk(test) if isinstance(one, ast.Name)}
    stores = {one.id for one in ast.walk(function) if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}
    return bool(names & parameters) and not names & stores


def first_line(function: Any) -> int:
    """Return the first line of a function's code: the line of its first decorator, if any."""
    lines: list[int] = [function.lineno, *(one.lineno for one in getattr(function, "decorator_list", ()))]
    return min(lines)


def number_of(node: ast.AST) -> float | None:
    """Return the value of a numeric literal; None for any other node."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = number_of(node.operand)
        return None if inner is None else -inner
    is_number = isinstance(node, ast.Constant) and isinstance(node.value, (int, float))
    return float(node.value) if is_number and not isinstance(node.value, bool) else None  # type: ignore[attr-defined]


def comparisons_of(test: ast.AST) -> list[tuple[str, str, float]]:
    """Return the comparisons of a name with a literal in a condition, with the name on the left."""
    found = []
    for node in ast.walk(test):
        if not isinstance(node, ast.Compare):
            continue
        sides = [node.left, *node.comparators]
        for left, op, right in zip(sides, node.ops, sides[1:]):  # noqa: B905 - Python 3.9 has no strict
            order = ORDERS.get(type(op))
            for name, literal, mirrored in ((left, right, False), (right, left, True)):
                number = number_of(literal)
                if order and isinstance(name, ast.Name) and number is not None:
                    found.append((name.id, MIRRORED[order] if mirrored else order, number))
    return found


def only_raises(body: Any) -> bool:
    """Return whether a branch refuses: its last statement raises, or all statements are calls with unused results."""
    if not isinstance(body, list) or not body:
        return False
    calls = all(isinstance(each, ast.Expr) and isinstance(each.value, ast.Call) for each in body)
    return calls or isinstance(body[-1], (ast.Raise, ast.Assert))


class Rewriting(ast.NodeTransformer):
    """Wraps the test of each condition of a function in a call that records its truth value."""

    def __init__(self, numbers: dict[int, int]) -> None:
        self.numbers = numbers

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Visit the children, then wrap the test."""
        number = self.numbers.get(id(node))
        super().generic_visit(node)
        if number is not None:
            test = node.test  # type: ignore[attr-defined]
            call = ast.Call(ast.Name(NAME, ast.Load()), [ast.Constant(number), test], [])
            node.test = ast.fix_missing_locations(ast.copy_location(call, test))  # type: ignore[attr-defined]
        return node


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield a code object and the code objects nested in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes(constant)


def functions_of(target: Any) -> Iterator[types.FunctionType]:
    """Yield a function or the methods of a class, then the functions and methods of its module, decorated or not."""
    module = getattr(target, "__globals__", None) or vars(sys.modules.get(target.__module__, types))
    for value in (target, *list(module.values())):
        members = vars(value).values() if isinstance(value, type) and value.__module__ == target.__module__ else [value]
        for member in list(members):
            found: Any = member
            while found is not None:
                if isinstance(found, types.FunctionType):
                    yield found
                found = inside(found)


def inside(wrapper: Any) -> Any:
    """Return the function inside a standard-library wrapper or a decorated function; None for any other object."""
    if isinstance(wrapper, (staticmethod, classmethod)):
        return wrapper.__func__
    if isinstance(wrapper, property):
        return wrapper.fget
    return vars(wrapper).get("__wrapped__") if isinstance(wrapper, (types.FunctionType, CACHED)) else None


class CallBranches:
    """Conditions of the file that defines a target, and the branches that they took."""

    def __init__(self, target: object) -> None:
        self.sites: list[dict[str, Any]] = []
        self.new: list[tuple[int, bool]] = []
        self._known: set[tuple[int, bool]] = set()
        try:
            self._rewrite(target)
        except Exception:  # noqa: BLE001 - the module is the target's; without a source nothing is recorded
            self.sites = []

    def __call__(self, number: int, value: Any) -> Any:
        """Record the truth value of a condition and return it."""
        way = (number, bool(value))
        if way not in self._known:
            self._known.add(way)
            self.new.append(way)
        return way[1]

    def take_new(self) -> list[tuple[int, bool]]:
        """Return the (condition, truth value) pairs first recorded since the previous call of this method."""
        new, self.new = self.new, []
        return new

    def _rewrite(self, target: object) -> None:
        built: Any = getattr(target, "built", target)
        function: Any = inspect.unwrap(built)
        file = inspect.getsourcefile(function)
        if file is None:
            return
        with open(file, "rb") as stream:  # noqa: PTH123 - the one file of the target
            source = stream.read()
        tree = ast.parse(source, file)
        original = compile(tree, file, "exec", dont_inherit=True)
        entries = self._entries(function)
        numbers: dict[int, int] = {}
        for node, around in conditions(tree):
            numbers[id(node)] = len(self.sites)
            self.sites.append(self._site(node, around, entry=first_line(around) in entries))
        rewritten = compile(Rewriting(numbers).visit(tree), file, "exec", dont_inherit=True)
        table = dict(zip(codes(original), codes(rewritten)))  # noqa: B905 - Python 3.9 has no strict
        for found in functions_of(function):
            if found.__code__ in table:
                found.__globals__[NAME] = self
                found.__code__ = table[found.__code__]

    @staticmethod
    def _entries(function: Any) -> set[int]:
        """Return the first lines of the functions that the auditor calls: the target, or the methods of a class."""
        members = vars(function).values() if isinstance(function, type) else [function]
        return {member.__code__.co_firstlineno for member in members if isinstance(member, types.FunctionType)}

    @staticmethod
    def _site(node: Any, around: Any, *, entry: bool) -> dict[str, Any]:
        taken, other = node.body, node.orelse
        return {
            "line": node.lineno,
            "text": " ".join(ast.unparse(node.test).split())[:SHOWN],
            "arms": [
                [node.body[0].lineno, node.body[-1].end_lineno] if isinstance(taken, list) else None,
                [other[0].lineno, other[-1].end_lineno] if isinstance(other, list) and other else None,
            ],
            "refuses": [only_raises(taken), only_raises(other)],
            "decides": entry and is_of_parameters(node.test, around),
            "comparisons": comparisons_of(node.test),
            "lone": isinstance(node.test, ast.Compare) and len(node.test.ops) == 1,
        }
