"""Mutants of a claim's formulas that change one node: a sign, a missing factor, a missing root, a constant plus one.

Nodes are nodes of an expression, or of the source of a function.

A mutant copies the functions that its formula calls in the paper's package. So a changed helper affects one side of the
claim only; the oracle, the exact value and all other claims keep the original. Arithmetic and special functions are not
copied.
"""

from __future__ import annotations

import ast
import copy
import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from types import CellType, CodeType, FunctionType
from typing import Any

import proofs_numeric
from auditor.checks.mutation import NUDGE
from proofs_numeric.arithmetic.formula import OfFormulas
from proofs_numeric.expression import Expression, Function, apply, maximum, minimum, text
from proofs_numeric.expression.nodes import ADD, DIVIDE, MULTIPLY, NEGATE, POWER, SUBTRACT
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.derivation import Derivation

_PACKAGE = Path(proofs_numeric.__file__).parent
_SHARED = frozenset({"arithmetic", "statements", "expression", "kernel"})
"""Packages without formulas of papers, except for the modules below."""
_OF_SEVERAL_PAPERS = frozenset(
    {f"statements/{name}.py" for name in ("concentrated", "constants", "profile_divergence")}
    | {
        f"arithmetic/{name}.py"
        for name in (
            "pair_stick",
            "mixed_pair",
            "mixed_pair_enclosure",
            "mixed_pair_trapezoid",
            "mixed_pair_quadrature",
        )
    }
)
OF_LAWS = ("budgets", "pairs", "noise")
"""Fields of kinds that define the laws whose delta a formula is; a formula computed at a point does not use them."""
SIDES = ("formula", "left", "right", "start", "step", "achieved", "probability", "factor", "value", "every", *OF_LAWS)
"""Fields of kinds that contain a claim's statement; an oracle and an exact value are not mutated."""
_UNARY = frozenset({"sqrt", "exp", "expm1", "log", "log1p"})
_OPPOSITE = {ADD: SUBTRACT, SUBTRACT: ADD, MULTIPLY: DIVIDE, DIVIDE: MULTIPLY}
Original = CodeType | Expression


@dataclass(frozen=True)
class Change:
    """One node of a formula, before and after; ``place`` is file:line:column of a source, or "expression"."""

    place: str
    before: str
    after: str
    original: Original = field(repr=False, compare=False)
    code: Callable[[], Original] = field(repr=False, compare=False)
    """Returns the replacement of ``original``."""

    def __str__(self) -> str:
        """Return the change in one line."""
        return f"{self.place}: {self.before} -> {self.after}"


def formula_mutants(claim: Claim) -> Iterator[tuple[Change, Callable[[], Claim]]]:
    """Yield each change of one node in a formula of the claim, and a function that returns the mutated claim.

    Enumerated kinds have no mutants: their predicate is the statement itself.
    """
    for side in (part.name for part in fields(claim.kind) if part.name in SIDES):
        for change in _changes(getattr(claim.kind, side)):
            yield change, functools.partial(_mutant, claim, side, change)


def _changes(formula: Any) -> Iterator[Change]:
    """Yield each change of one node in a formula, or in a mapping of formulas."""
    copier = _Copy({})
    copier.of(formula)
    for node in dict.fromkeys(node for expression in copier.expressions for node in expression.nodes()):
        for new in _replacements(node):
            yield Change("expression", text(node), text(new), node, functools.partial(lambda new: new, new))
    for function in copier.copied:
        yield from _node_changes(function)


def _mutant(claim: Claim, side: str, change: Change) -> Claim:
    """Return the claim with the change on one side, and in the steps of its derivation."""
    copied = _Copy({change.original: change.code()})
    kind: Any = replace(claim.kind, **{side: copied.of(getattr(claim.kind, side))})
    proof = getattr(kind, "proof", None)
    return replace(claim, kind=replace(kind, proof=copied.steps(proof)) if isinstance(proof, Derivation) else kind)


def uses(claim: Claim) -> Iterator[Original]:
    """Yield the code of the papers and the nodes of expressions in a claim's formulas."""
    for part in fields(claim.kind):
        copier = _Copy({})
        copier.of(getattr(claim.kind, part.name))
        yield from (function.__code__ for function in copier.copied)
        yield from (node for expression in copier.expressions for node in expression.nodes())


def change_throughout(claim: Claim, change: Change) -> Claim:
    """Return the claim with the change in all formulas, oracle and exact value, and the original proof."""
    copied = _Copy({change.original: change.code()})
    parts = {part.name: copied.of(getattr(claim.kind, part.name)) for part in fields(claim.kind)}
    return replace(claim, kind=replace(claim.kind, **parts))


class _Copy:
    """Copies of functions of the papers and of the functions they call there, with replaced code or nodes."""

    def __init__(self, codes: Mapping[Original, Original]) -> None:
        self.codes = codes
        self.memo: dict[int, Any] = {}
        self.globals: dict[int, dict[str, Any]] = {}
        self.copied: list[FunctionType] = []
        self.expressions: list[Expression] = []

    def steps(self, derivation: Derivation) -> Derivation:
        """Return a derivation with the copies of the formulas in its steps."""
        copies = (
            replace(step, **{one.name: self.of(getattr(step, one.name)) for one in fields(step)})
            for step in derivation.steps
        )
        return Derivation(tuple(copies))

    def of(self, value: Any) -> Any:
        """Return the copy of a formula; any other value unchanged."""
        if id(value) not in self.memo:
            self.memo[id(value)] = value
            self.memo[id(value)] = self._build(value)
        return self.memo[id(value)]

    def _build(self, value: Any) -> Any:
        if isinstance(value, Expression):
            return self._expression(value)
        if isinstance(value, Function):
            evaluate = self.of(value.evaluate)
            return value if evaluate is value.evaluate else replace(value, evaluate=evaluate)
        if isinstance(value, functools.partial):
            arguments = {name: self.of(each) for name, each in value.keywords.items()}
            return functools.partial(self.of(value.func), *map(self.of, value.args), **arguments)
        if isinstance(value, Mapping):
            return {name: self.of(each) for name, each in value.items()}
        if isinstance(value, OfFormulas) and is_dataclass(value):
            return replace(value, **{part.name: self.of(getattr(value, part.name)) for part in fields(value)})
        if hasattr(value, "cache_parameters"):
            inner = self.of(value.__wrapped__)
            return value if inner is value.__wrapped__ else functools.lru_cache(**value.cache_parameters())(inner)
        if isinstance(value, FunctionType) and hasattr(value, "registry"):
            return self._dispatching(value)
        if isinstance(value, FunctionType) and _of_a_paper(value.__code__):
            return self._function(value)
        return value

    def _expression(self, expression: Expression) -> Expression:
        self.expressions.append(expression)
        expressions: dict[Expression, Expression] = {}
        for node in expression.nodes():
            new: Any = self.codes.get(node, node)
            arguments = (expressions.get(argument, argument) for argument in new.arguments)
            expressions[node] = apply(self.of(new.head) if isinstance(new.head, Function) else new.head, *arguments)
        return expressions[expression]

    def _dispatching(self, value: Any) -> Any:
        """Return a `singledispatch` function with copied implementations; itself if none is of a paper.

        Functions of the arithmetic are not copied, since number systems that are loaded later register there.
        """
        if not any(_of_a_paper(each.__code__) for each in value.registry.values()):
            return value
        dispatcher = functools.singledispatch(self.of(value.registry[object]))
        self.memo[id(value)] = dispatcher
        for kind, implementation in value.registry.items():
            dispatcher.register(kind, self.of(implementation))
        return dispatcher

    def _function(self, function: FunctionType) -> FunctionType:
        self.copied.append(function)
        code: Any = self.codes.get(function.__code__, function.__code__)
        space = self.globals.setdefault(id(function.__globals__), dict(function.__globals__))
        cells_made = tuple(CellType() for _name in code.co_freevars)
        copied = FunctionType(code, space, function.__name__, function.__defaults__, cells_made)
        copied.__kwdefaults__ = function.__kwdefaults__
        self.memo[id(function)] = copied
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        for name, cell in zip(code.co_freevars, cells_made, strict=True):
            cell.cell_contents = self.of(cells[name].cell_contents)
        for name in _names(code):
            if name in function.__globals__:
                space[name] = self.of(function.__globals__[name])
        return copied


def _replacements(node: Expression) -> Iterator[Expression]:
    """Yield the replacements of a node of an expression; see `_rewrite_node` for sources."""
    head, arguments = node.head, node.arguments
    if not isinstance(head, Function):
        return
    if head in _OPPOSITE:
        yield apply(_OPPOSITE[head], *arguments)
    if head in {*_OPPOSITE, POWER, NEGATE, maximum, minimum} or head.name in _UNARY:
        yield arguments[0]
    if head in {ADD, MULTIPLY}:
        yield arguments[1]
    for place, argument in enumerate(arguments):
        if isinstance(argument.head, int | Fraction):
            other = argument.head + 1 if isinstance(argument.head, int) else argument.head * (1 + NUDGE)
            yield apply(head, *arguments[:place], other, *arguments[place + 1 :])


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


def _of_a_paper(code: CodeType) -> bool:
    file = Path(code.co_filename)
    if not file.is_relative_to(_PACKAGE):
        return False
    inside = file.relative_to(_PACKAGE)
    return inside.parts[0] not in _SHARED or inside.as_posix() in _OF_SEVERAL_PAPERS


@functools.cache
def _definitions(file: str) -> Mapping[int, list[ast.FunctionDef | ast.Lambda]]:
    """Return the definitions of a module by first line."""
    definitions: dict[int, list[ast.FunctionDef | ast.Lambda]] = {}
    for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            definitions.setdefault(_first_line(node), []).append(node)
    return definitions


def _node_changes(function: FunctionType) -> Iterator[Change]:
    """Yield each change of one node of a function's body."""
    node = _source(function.__code__)
    if node is None:
        return
    place = Path(function.__code__.co_filename).relative_to(_PACKAGE).as_posix()
    for number, old in enumerate(ast.walk(node)):
        for after, new in {ast.unparse(each): each for each in _rewrite_node(old)}.items():
            code = functools.partial(_swap_node, node, number, new, function.__code__)
            at = f"{place}:{old.lineno}:{old.col_offset + 1}"  # type: ignore[attr-defined]
            yield Change(at, ast.unparse(old), after, function.__code__, code)


def _swap_node(node: ast.FunctionDef | ast.Lambda, number: int, new: ast.expr, original: CodeType) -> CodeType:
    """Return the code of a definition with one node replaced."""
    mutated = copy.deepcopy(node)
    old = next(islice(ast.walk(mutated), number, None))
    _Swap(old, ast.fix_missing_locations(ast.copy_location(copy.deepcopy(new), old))).visit(mutated)
    return _compile_definition(mutated, original)


class _Swap(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else super().visit(node)


def _source(code: CodeType) -> ast.FunctionDef | ast.Lambda | None:
    """Return the definition of a code object; None if it is not unique."""
    at = [(line, column) for line, _end, column, _last in code.co_positions() if line and column is not None]
    candidates = [
        node
        for node in _definitions(code.co_filename).get(code.co_firstlineno, ())
        if getattr(node, "name", "<lambda>") == code.co_name
        and (isinstance(node, ast.FunctionDef) or any(_spans(node.body, place) for place in at))
    ]
    return candidates[0] if len(candidates) == 1 else None


def _first_line(node: ast.FunctionDef | ast.Lambda) -> int:
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    return min([node.lineno, *(each.lineno for each in decorators)])


def _spans(node: ast.expr, place: tuple[int, int]) -> bool:
    return (node.lineno, node.col_offset) <= place <= (node.end_lineno or 0, node.end_col_offset or 0)


def _compile_definition(node: ast.FunctionDef | ast.Lambda, original: CodeType) -> CodeType:
    """Return the code of a changed definition, with the free variables of the original."""
    inner: list[ast.stmt]
    names = original.co_freevars
    if isinstance(node, ast.FunctionDef):
        node.decorator_list, node.returns = [], None
        # a recursive function finds itself in the scope of the original
        inner = [node] if node.name in names else [ast.Global([node.name]), node]
    else:
        inner = [ast.Expr(node)]
    outer = ast.FunctionDef(
        "outer", ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, []), inner, []
    )
    module = ast.fix_missing_locations(ast.Module([outer], []))
    return _code_named(compile(module, original.co_filename, "exec"), original.co_name)


def _code_named(code: CodeType, name: str) -> CodeType:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            return inner if inner.co_name == name and code.co_name == "outer" else _code_named(inner, name)
    raise LookupError(name)


def _rewrite_node(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the replacements of a node of a source; see the module's first line."""
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
