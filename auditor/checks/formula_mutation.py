"""Mutants of a claim's formulas, one node of their source at a time: a sign, a lost factor, a root left out, one more.

What a formula calls in its paper's room is copied with it, so that a change in a helper reaches this side of the claim
and no other: the oracle, the exact value and every other claim keep theirs.  Arithmetic and special functions stay.
"""

from __future__ import annotations

import ast
import copy
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from types import CellType, CodeType, FunctionType
from typing import Any

import proofs_numeric
from auditor.checks.mutation import NUDGE
from proofs_numeric.statements.claim import Claim

_ROOMS = Path(proofs_numeric.__file__).parent
_SHARED = frozenset({"arithmetic", "statements", "kernel"})
"""Rooms whose functions are no paper's formulas."""
SIDES = ("formula", "left", "right", "achieved", "probability", "factor", "value")
"""Fields of kinds that hold what a claim says; an oracle and an exact value are what it is compared with."""
_UNARY = frozenset({"sqrt", "exp", "expm1", "log", "log1p"})


@dataclass(frozen=True)
class Change:
    """One node of a formula's source, before and after; ``place`` is file:line below the papers' rooms."""

    place: str
    before: str
    after: str

    def __str__(self) -> str:
        """In a line."""
        return f"{self.place}: {self.before} -> {self.after}"


def formula_mutants(claim: Claim) -> Iterator[tuple[Change, Callable[[], Claim]]]:
    """Each change of one node in a formula of the claim, and what makes the claim that has it.

    Nothing for kinds that are enumerated: their predicate is the statement itself.
    """
    for side in (part.name for part in fields(claim.kind) if part.name in SIDES):
        for function in _Copy({}).functions(getattr(claim.kind, side)):
            for change, code in _changed(function):
                yield change, functools.partial(_mutant, claim, side, function.__code__, code)


def _mutant(claim: Claim, side: str, original: CodeType, code: Callable[[], CodeType]) -> Claim:
    formula = _Copy({original: code()}).of(getattr(claim.kind, side))
    return replace(claim, kind=replace(claim.kind, **{side: formula}))


class _Copy:
    """Copies of functions of the papers and of all that they call there, some with other code."""

    def __init__(self, codes: dict[CodeType, CodeType]) -> None:
        self.codes = codes
        self.memo: dict[int, Any] = {}
        self.globals: dict[int, dict[str, Any]] = {}
        self.copied: list[FunctionType] = []

    def functions(self, formula: Callable[..., Any]) -> list[FunctionType]:
        """The functions of the papers that a formula is made of."""
        self.of(formula)
        return self.copied

    def of(self, value: Any) -> Any:
        """The copy of a formula; anything else is itself."""
        if id(value) not in self.memo:
            self.memo[id(value)] = value
            self.memo[id(value)] = self._made(value)
        return self.memo[id(value)]

    def _made(self, value: Any) -> Any:
        if isinstance(value, functools.partial):
            arguments = {name: self.of(each) for name, each in value.keywords.items()}
            return functools.partial(self.of(value.func), *map(self.of, value.args), **arguments)
        if hasattr(value, "cache_parameters"):
            inner = self.of(value.__wrapped__)
            return value if inner is value.__wrapped__ else functools.lru_cache(**value.cache_parameters())(inner)
        if isinstance(value, FunctionType) and hasattr(value, "registry"):
            return self._dispatching(value)
        if isinstance(value, FunctionType) and _of_a_paper(value.__code__):
            return self._function(value)
        return value

    def _dispatching(self, value: Any) -> Any:
        """A `singledispatch` function: implementations of a paper in a wrapper of the standard library."""
        made = functools.singledispatch(self.of(value.registry[object]))
        self.memo[id(value)] = made
        for kind, implementation in value.registry.items():
            made.register(kind, self.of(implementation))
        return made

    def _function(self, function: FunctionType) -> FunctionType:
        self.copied.append(function)
        code = self.codes.get(function.__code__, function.__code__)
        space = self.globals.setdefault(id(function.__globals__), dict(function.__globals__))
        cells_made = tuple(CellType() for _name in code.co_freevars)
        made = FunctionType(code, space, function.__name__, function.__defaults__, cells_made)
        made.__kwdefaults__ = function.__kwdefaults__
        self.memo[id(function)] = made
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        for name, cell in zip(code.co_freevars, cells_made, strict=True):
            cell.cell_contents = self.of(cells[name].cell_contents)
        for name in _names(code):
            if name in function.__globals__:
                space[name] = self.of(function.__globals__[name])
        return made


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


def _of_a_paper(code: CodeType) -> bool:
    file = Path(code.co_filename)
    return file.is_relative_to(_ROOMS) and file.relative_to(_ROOMS).parts[0] not in _SHARED


@functools.cache
def _module(file: str) -> ast.Module:
    return ast.parse(Path(file).read_text(encoding="utf-8"))


def _changed(function: FunctionType) -> Iterator[tuple[Change, Callable[[], CodeType]]]:
    """Each change of one node of a function's body, and what compiles it."""
    node = _source(function.__code__)
    if node is None:
        return
    place = Path(function.__code__.co_filename).relative_to(_ROOMS).as_posix()
    for number, old in enumerate(ast.walk(node)):
        for after, new in {ast.unparse(each): each for each in _rewritten(old)}.items():
            change = Change(f"{place}:{old.lineno}", ast.unparse(old), after)  # type: ignore[attr-defined]
            yield change, functools.partial(_swapped, node, number, new, function.__code__)


def _swapped(node: ast.FunctionDef | ast.Lambda, number: int, new: ast.expr, original: CodeType) -> CodeType:
    """The code of a definition with another node in the place of one of them."""
    mutated = copy.deepcopy(node)
    old = next(islice(ast.walk(mutated), number, None))
    _Swap(old, ast.fix_missing_locations(ast.copy_location(copy.deepcopy(new), old))).visit(mutated)
    return _compiled(mutated, original)


class _Swap(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else super().visit(node)


def _source(code: CodeType) -> ast.FunctionDef | ast.Lambda | None:
    """The definition that a code object was compiled from."""
    at = [(line, column) for line, _end, column, _last in code.co_positions() if line and column is not None]
    found = [
        node
        for node in ast.walk(_module(code.co_filename))
        if isinstance(node, ast.FunctionDef | ast.Lambda)
        and _first_line(node) == code.co_firstlineno
        and getattr(node, "name", "<lambda>") == code.co_name
        and (isinstance(node, ast.FunctionDef) or any(_spans(node.body, place) for place in at))
    ]
    return found[0] if len(found) == 1 else None


def _first_line(node: ast.FunctionDef | ast.Lambda) -> int:
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    return min([node.lineno, *(each.lineno for each in decorators)])


def _spans(node: ast.expr, place: tuple[int, int]) -> bool:
    return (node.lineno, node.col_offset) <= place <= (node.end_lineno or 0, node.end_col_offset or 0)


def _compiled(node: ast.FunctionDef | ast.Lambda, original: CodeType) -> CodeType:
    """The code of a changed definition, with the free variables of the original."""
    inner: ast.stmt
    if isinstance(node, ast.FunctionDef):
        node.decorator_list, node.returns = [], None
        inner = node
    else:
        inner = ast.Expr(node)
    names = original.co_freevars
    outer = ast.FunctionDef(
        "outer",
        ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, []),
        [inner],
        [],
    )
    module = ast.fix_missing_locations(ast.Module([outer], []))
    return _found(compile(module, original.co_filename, "exec"), original.co_name)


def _found(code: CodeType, name: str) -> CodeType:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            return inner if inner.co_name == name and code.co_name == "outer" else _found(inner, name)
    raise LookupError(name)


def _rewritten(node: ast.AST) -> Iterator[ast.expr]:
    """What may stand in a node's place: see the module's first line."""
    match node:
        case ast.BinOp(left, operator, right):
            other = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}.get(type(operator))
            if other is not None:
                yield ast.BinOp(left, other(), right)
            yield left
            if isinstance(operator, ast.Add | ast.Mult):
                yield right
        case ast.UnaryOp(ast.USub(), operand):
            yield operand
        case ast.Call(ast.Attribute(_, name), [only], []) if name in _UNARY:
            yield only
        case ast.Call(ast.Attribute(_, "maximum" | "minimum"), [first, *_], []) if not isinstance(first, ast.Starred):
            yield first
        case ast.Call(ast.Attribute(_, "number") as number, [ast.Constant(str(text))], []):
            yield ast.Call(number, [ast.Constant(str(Fraction(text) * (1 + NUDGE)))], [])
        case ast.Compare(left, [operator], [right]):
            strict = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}.get(type(operator))
            if strict is not None:
                yield ast.Compare(left, [strict()], [right])
        case ast.Constant(int(number)) if not isinstance(number, bool):
            yield ast.Constant(number + 1)
