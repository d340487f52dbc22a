"""Branches taken by the conditions of an accountant's source, recorded call by call.

The functions of the target's file, and of modules in its folder that it imports, run a rewritten source. There each
condition records its truth value, and each case and each handler records whether it ran. Results, line numbers and
errors stay those of the original source. The module imports nothing of the auditor.
"""

from __future__ import annotations

import ast
import functools
import inspect
import math
import operator
import os
import sys
import types
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

OPERATORS: dict[type, Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
NAME = "__call_branches__"
"""Name of the recorder in the globals of a rewritten function."""
MOST_CHARACTERS = 60
"""Maximum length of a reported condition, in characters."""
ORDERS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
MATCH = getattr(ast, "Match", ())
"""The class of match statements; Python 3.9 has none."""
MOST_MODULES = 20
"""Maximum number of modules that are rewritten."""
MOST_NUMBERS = 50
"""Maximum number of numbers taken from the source."""
LARGEST_POWER = 40
"""Expressions are evaluated at powers of 2 up to this one, and at their inverses and negatives."""
BISECTIONS = 1100
"""Maximum number of halvings of an interval of doubles."""
CALLED: dict[str, Any] = {
    **{one.__name__: one for one in (math.sqrt, math.exp, math.expm1, math.log, math.log1p, math.log2, math.log10)},
    **{one.__name__: one for one in (math.floor, math.ceil, math.fabs, abs, pow, round, float, int)},
}
"""Functions in expressions that are evaluated, by their last name."""
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
FUNCTIONS = (ast.FunctionDef, ast.Lambda)
CACHED = type(functools.lru_cache(None)(len))
"""Type of a function wrapped by `functools.lru_cache`."""


def conditions(tree: ast.AST) -> Iterator[tuple[Any, Any]]:
    """Yield each statement or expression with a test, each case and each handler, and its function, in source order."""

    def walk(node: ast.AST, function: Any) -> Iterator[tuple[Any, Any]]:
        if function is not None and isinstance(node, (ast.If, ast.While, ast.IfExp, ast.ExceptHandler)):
            yield node, function
        if function is not None and isinstance(node, MATCH):
            for case in node.cases:
                case.subject = node.subject
                yield case, function
        inner = node if isinstance(node, FUNCTIONS) else function
        for child in ast.iter_child_nodes(node):
            yield from walk(child, inner)

    yield from walk(tree, None)


def is_of_parameters(test: ast.AST, function: Any) -> bool:
    """Return whether a condition uses parameters of its function and no name that the function assigns."""
    arguments = function.args
    parameters = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
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


def constant_of(node: ast.AST | None) -> float | None:
    """Return the value of arithmetic on literals, such as `2**40`; None for any other node."""
    if node is None or names_in(node):
        return None
    try:
        return value_of(node, "", math.nan)
    except (ArithmeticError, ValueError, TypeError, AttributeError, IndexError):
        return None


def comparisons_of(test: ast.AST) -> list[tuple[str, str, float]]:
    """Return the comparisons of a name with a constant in a condition, with the name on the left."""
    comparisons = []
    for node in ast.walk(test):
        if not isinstance(node, ast.Compare):
            continue
        sides = [node.left, *node.comparators]
        for left, op, right in zip(sides, node.ops, sides[1:]):  # noqa: B905 - Python 3.9 has no strict
            order = ORDERS.get(type(op))
            for name, constant, mirrored in ((left, right, False), (right, left, True)):
                number = constant_of(constant)
                if order and isinstance(name, ast.Name) and number is not None:
                    comparisons.append((name.id, MIRRORED[order] if mirrored else order, number))
            if order == "==" and isinstance(left, ast.Tuple) and isinstance(right, ast.Tuple):
                comparisons += equalities(left.elts, right.elts)
    return comparisons


def solutions_of(test: ast.AST) -> list[tuple[str, float]]:
    """Return names and values at which an expression of one name equals what a condition compares it with.

    Both sides have arithmetic and the functions of `CALLED` only; comparisons of a name with a constant are left out.
    """
    solutions = []
    for node in ast.walk(test):
        sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        for one, other in zip(sides, sides[1:]):  # noqa: B905, RUF007 - Python 3.9 has neither
            for side, literal in ((one, other), (other, one)):
                names = names_in(side)
                plain = isinstance(side, ast.Name) and constant_of(literal) is not None
                if len(names) == 1 and not names_in(literal) and not plain:
                    solutions += [(names[0], root) for root in roots(side, names[0], literal)]
    return solutions


def names_in(expression: ast.AST) -> list[str]:
    """Return the names of an expression's values, without those of functions."""
    functions = [id(part) for one in ast.walk(expression) if isinstance(one, ast.Call) for part in ast.walk(one.func)]
    names = [one.id for one in ast.walk(expression) if isinstance(one, ast.Name) and id(one) not in functions]
    return list(dict.fromkeys(names))


def value_of(node: Any, name: str, value: float) -> float:
    """Return the value of an expression of one name.

    Raises:
        ValueError, ArithmeticError, TypeError: it has no value, or is no arithmetic.
    """
    if isinstance(node, ast.Name):
        return value
    number = number_of(node)
    if number is not None:
        return number
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -value_of(node.operand, name, value)
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return float(OPERATORS[type(node.op)](value_of(node.left, name, value), value_of(node.right, name, value)))
    called = isinstance(node, ast.Call) and not node.keywords
    last = getattr(node.func, "attr", getattr(node.func, "id", "")) if called else ""
    if last not in CALLED:
        raise TypeError(last)
    arguments = [value_of(each, name, value) for each in node.args]
    return float(CALLED[last](arguments[0], *(int(each) if last == "round" else each for each in arguments[1:])))


def roots(expression: ast.AST, name: str, level: ast.AST) -> list[float]:
    """Return the doubles, up to a power of 2, at which an expression of one name equals a constant one or passes it."""

    def beyond(at: float) -> float | None:
        try:
            difference = value_of(expression, name, at) - value_of(level, "", math.nan)
        except (ArithmeticError, ValueError, TypeError):
            return None
        return difference if isinstance(difference, float) and not math.isnan(difference) else None

    powers = [2.0**power for power in range(-LARGEST_POWER, LARGEST_POWER + 1)]
    grid = [(at, beyond(at)) for at in [*(-at for at in reversed(powers)), 0.0, *powers]]
    defined = [(at, over) for at, over in grid if over is not None]
    zeros = [at for at, over in defined if over == 0]
    for (left, first), (right, last) in zip(defined, defined[1:]):  # noqa: B905, RUF007 - Python 3.9 has neither
        if first * last >= 0:
            continue
        low, high = left, right
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            over = beyond(middle)
            if over is None or over == 0 or middle in (low, high):
                break
            low, high = (middle, high) if (over < 0) == (first < 0) else (low, middle)
        zeros.append(middle)
    return sorted(zeros, key=abs)


def equalities(names: Any, values: Any) -> list[tuple[str, str, float]]:
    """Return the comparisons of names with constants at equal places of two lists of nodes."""
    pairs = zip(names, map(constant_of, values))  # noqa: B905 - Python 3.9 has no strict
    return [(name.id, "==", number) for name, number in pairs if isinstance(name, ast.Name) and number is not None]


def pattern_values(pattern: Any) -> list[Any]:
    """Return the nodes of the values of a pattern, in order; no value at the place of any other pattern."""
    parts = getattr(pattern, "patterns", [pattern])
    return [getattr(part, "value", None) for part in parts]


def numbers_of(tree: ast.AST, names: Mapping[str, Any]) -> Iterator[float]:
    """Yield the numbers in conditions, comparisons, cases and keys of tables, at which answers may be special.

    Args:
        tree: a source.
        names: the globals of its module, for the constants that comparisons name.
    """
    for node in ast.walk(tree):
        parts: list[Any] = []
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            parts = list(ast.walk(node.test))
        elif isinstance(node, ast.Compare):
            parts = list(ast.walk(node))
        elif isinstance(node, ast.Dict):
            parts = [part for key in node.keys if key is not None for part in ast.walk(key)]
        elif isinstance(node, MATCH):
            parts = [part for case in node.cases for part in ast.walk(case.pattern)]
        for part in parts:
            number = number_of(part)
            if number is not None:
                yield number
            elif isinstance(part, ast.Name):
                yield from numbers_in(names.get(part.id))


def numbers_in(value: Any) -> Iterator[float]:
    """Yield a number, or the numbers in a collection or among the keys of a table."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)
    elif isinstance(value, (tuple, list, set, frozenset, dict)):
        for one in list(value)[:MOST_NUMBERS]:
            yield from numbers_in(one)


def lookups_of(tree: ast.AST, names: Mapping[str, Any]) -> Iterator[list[tuple[str, float]]]:
    """Yield the keys of tables that a source looks up by names: the names of each lookup, with the numbers of one key.

    Args:
        tree: a source.
        names: the globals of its module, for the tables that lookups name.
    """
    for node in ast.walk(tree):
        table: Any = None
        if isinstance(node, ast.Subscript):
            table, key = node.value, node.slice
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "get" and node.args:
            table, key = node.func.value, node.args[0]  # type: ignore[attr-defined]
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            table, key = node.comparators[0], node.left
        if table is None:
            continue
        parts = [getattr(part, "id", "") for part in (key.elts if isinstance(key, ast.Tuple) else [key])]
        keys = names.get(table.id) if isinstance(table, ast.Name) else literal_keys(table)
        for each in list(keys)[:MOST_NUMBERS] if isinstance(keys, (dict, set, frozenset, list, tuple)) else []:
            numbers = list(numbers_in(each))
            if all(parts) and len(numbers) == len(parts):
                yield list(zip(parts, numbers))  # noqa: B905 - Python 3.9 has no strict


def literal_keys(table: ast.AST) -> list[Any]:
    """Return the literal keys of a table, or the literal members of a collection."""
    nodes = table.keys if isinstance(table, ast.Dict) else getattr(table, "elts", [])
    keys = []
    for node in nodes:
        try:
            keys.append(ast.literal_eval(node))  # type: ignore[arg-type]
        except (ValueError, TypeError):
            continue
    return keys


def only_raises(body: Any) -> bool:
    """Return whether a branch refuses: its last statement raises, or all statements are calls with unused results."""
    if not isinstance(body, list) or not body:
        return False
    calls = all(isinstance(each, ast.Expr) and isinstance(each.value, ast.Call) for each in body)
    return calls or isinstance(body[-1], (ast.Raise, ast.Assert))


class Rewriting(ast.NodeTransformer):
    """Wraps the test of each condition of a function in a call that records its truth value.

    A case, or a handler, records True where its body starts, and False where its statement starts.
    """

    def __init__(self, numbers: dict[int, int]) -> None:
        self.numbers = numbers

    def generic_visit(self, node: ast.AST) -> Any:
        """Visit the children, then wrap the test, or add the records."""
        number = self.numbers.get(id(node))
        parts = getattr(node, "cases", None) or getattr(node, "handlers", [])
        reached = [self.numbers[id(part)] for part in parts if id(part) in self.numbers]
        super().generic_visit(node)
        if number is not None and hasattr(node, "test"):
            node.test = self._record(number, node.test, node.test)
        elif number is not None:
            body = node.body  # type: ignore[attr-defined]
            body.insert(0, self._statement(number, body[0], way=True))
        missed = [self._statement(each, parts[0].body[0], way=False) for each in reached]
        if missed and isinstance(node, MATCH):
            return [*missed, node]
        if missed:
            node.body[:0] = missed  # type: ignore[attr-defined]
        return node

    @staticmethod
    def _record(number: int, value: Any, place: Any) -> Any:
        """Return the expression that records a value and returns it, at the place of another node."""
        call = ast.Call(ast.Name(NAME, ast.Load()), [ast.Constant(number), value], [])
        return ast.fix_missing_locations(ast.copy_location(call, place))

    def _statement(self, number: int, place: Any, *, way: bool) -> Any:
        return ast.copy_location(ast.Expr(self._record(number, ast.Constant(way), place)), place)


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield a code object and the code objects nested in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes(constant)


def own_modules(names: dict[str, Any], folder: str) -> list[dict[str, Any]]:
    """Return the globals of a module, and of the modules in a folder that it imports, directly or not.

    Args:
        names: the globals of the module.
        folder: the folder; packages that are installed in it do not count.
    """
    modules = [names]
    for module in modules:
        for value in list(module.values()):
            other: Any = vars(value) if isinstance(value, types.ModuleType) else getattr(value, "__globals__", None)
            if other is None and isinstance(value, type):
                other = vars(sys.modules.get(value.__module__, types))
            file: Any = (other or {}).get("__file__")
            within = isinstance(file, str) and os.path.abspath(file).startswith(folder + os.sep)  # noqa: PTH100
            is_present = any(other is one for one in modules)
            if within and not is_present and "site-packages" not in file[len(folder) :] and len(modules) < MOST_MODULES:
                modules.append(other)
    return modules


def functions_of(target: Any, module: Mapping[str, Any]) -> Iterator[types.FunctionType]:
    """Yield a function or the methods of a class, then the functions and methods of a module, decorated or not."""
    name = module.get("__name__", getattr(target, "__module__", None))
    for value in (target, *list(module.values())):
        members = vars(value).values() if isinstance(value, type) and value.__module__ == name else [value]
        for member in list(members):
            function: Any = member
            while function is not None:
                if isinstance(function, types.FunctionType):
                    yield function
                function = inside(function)


def inside(wrapper: Any) -> Any:
    """Return the function inside a standard-library wrapper or a decorated function; None for any other object."""
    if isinstance(wrapper, (staticmethod, classmethod)):
        return wrapper.__func__
    if isinstance(wrapper, property):
        return wrapper.fget
    return vars(wrapper).get("__wrapped__") if isinstance(wrapper, (types.FunctionType, CACHED)) else None


class CallBranches:
    """Conditions of a target's own source, the branches that they took, its numbers and the keys of its lookups."""

    def __init__(self, target: object) -> None:
        self.sites: list[dict[str, Any]] = []
        self.numbers: list[float] = []
        self.lookups: list[list[tuple[str, float]]] = []
        self.new: list[tuple[int, bool]] = []
        self._ways: set[tuple[int, bool]] = set()
        try:
            self._rewrite(target)
        except Exception:  # noqa: BLE001 - the module is the target's; without a source nothing is recorded
            self.sites, self.numbers, self.lookups = [], [], []

    def __call__(self, number: int, value: Any) -> Any:
        """Record the truth value of a condition and return it."""
        way = (number, bool(value))
        if way not in self._ways:
            self._ways.add(way)
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
        globals_of = getattr(function, "__globals__", None) or vars(sys.modules[function.__module__])
        folder = os.path.dirname(os.path.abspath(file))  # noqa: PTH100, PTH120 - text alone, no look at the disk
        entries = self._entries(function)
        for names in own_modules(globals_of, folder):
            if names is globals_of:
                self._rewrite_module(function, names, file, entries)
                continue
            try:
                self._rewrite_module(function, names, names["__file__"], set())
            except Exception:  # noqa: BLE001, S112 - a module without a readable source runs as it is
                continue

    def _rewrite_module(self, function: Any, names: dict[str, Any], file: str, entries: set[int]) -> None:
        """Rewrite the functions of one module; no entries: a module that the target imports."""
        with open(file, "rb") as stream:  # noqa: PTH123 - a file of the target
            source = stream.read()
        tree = ast.parse(source, file)
        original = compile(tree, file, "exec", dont_inherit=True)
        self.numbers = list(dict.fromkeys([*self.numbers, *numbers_of(tree, names)]))[:MOST_NUMBERS]
        self.lookups = [*self.lookups, *lookups_of(tree, names)][:MOST_NUMBERS]
        helper = "" if entries else os.path.basename(file)  # noqa: PTH119 - text alone
        places: dict[int, int] = {}
        sites: list[dict[str, Any]] = []
        for node, around in conditions(tree):
            places[id(node)] = len(self.sites) + len(sites)
            sites.append({**site_of(node, around, entry=first_line(around) in entries), "file": helper})
        rewritten = compile(Rewriting(places).visit(tree), file, "exec", dont_inherit=True)
        table = dict(zip(codes(original), codes(rewritten)))  # noqa: B905 - Python 3.9 has no strict
        self.sites += sites
        for member in functions_of(function, names):
            if member.__code__ in table:
                member.__globals__[NAME] = self
                member.__code__ = table[member.__code__]

    @staticmethod
    def _entries(function: Any) -> set[int]:
        """Return the first lines of the functions that the auditor calls: the target, or the methods of a class."""
        members = vars(function).values() if isinstance(function, type) else [function]
        return {member.__code__.co_firstlineno for member in members if isinstance(member, types.FunctionType)}


def site_of(node: Any, around: Any, *, entry: bool) -> dict[str, Any]:
    """Return the description of a condition, a case or a handler; `entry`: of a function that the auditor calls."""
    other: list[Any]
    if isinstance(node, ast.ExceptHandler):
        text = "except" + (f" {ast.unparse(node.type)}" if node.type else "")
        taken, other, line, decides, comparisons = node.body, [], node.lineno, False, []
    elif hasattr(node, "pattern"):
        subject = node.subject
        parts = subject.elts if isinstance(subject, ast.Tuple) else [subject]
        text = f"case {ast.unparse(node.pattern)}"
        taken, other, line = node.body, [], node.pattern.lineno
        decides = entry and is_of_parameters(subject, around)
        comparisons = equalities(parts, pattern_values(node.pattern))
    else:
        text, taken, other, line = ast.unparse(node.test), node.body, node.orelse, node.lineno
        decides, comparisons = entry and is_of_parameters(node.test, around), comparisons_of(node.test)
    test = getattr(node, "test", None)
    return {
        "line": line,
        "text": " ".join(text.split())[:MOST_CHARACTERS],
        "arms": [
            [taken[0].lineno, taken[-1].end_lineno] if isinstance(taken, list) else None,
            [other[0].lineno, other[-1].end_lineno] if isinstance(other, list) and other else None,
        ],
        "refuses": [only_raises(taken), only_raises(other)],
        "decides": decides,
        "comparisons": comparisons,
        "solutions": [] if test is None else solutions_of(test),
        "test": test is not None,
        "lone": isinstance(test, ast.Compare) and len(test.ops) == 1,
    }
