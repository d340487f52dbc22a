"""Backward slices of a target's source (Weiser 1981): where what is drawn goes, and where its scale is set.

Names are resolved within one file, functions by name, without the order of statements: what is said here names a line
to look at, and decides nothing.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

ATTRIBUTE, RETURNED = ".", "return"
"""Scope of every attribute, and the name of what a function returns."""
MOST_STEPS = 16
"""Definitions that are followed at most."""
SCALES = {"exponential": 0, "geometric": 0, "standard_normal": None}
"""Place of the scale among the arguments of a draw, where it is not the second; None: it has none."""
_MEMBERSHIP = (ast.In, ast.NotIn, ast.Is, ast.IsNot)


class Variable(NamedTuple):
    """A name of a function ('' for the file), an attribute of anything, or what a function returns."""

    scope: str
    name: str


class Part(NamedTuple):
    """An expression, and the function that holds it."""

    node: ast.expr
    scope: str


@dataclass
class Source:
    """The definitions of one file.

    Attributes:
        defined: expressions by the variable that takes them.
        comparisons: of the file, but for those of membership and identity.
        products: and quotients, of the file.
        calls: of the file.
        roots: the input of functions that no other function of the file calls.

    """

    defined: dict[Variable, list[Part]] = field(default_factory=dict)
    comparisons: list[tuple[ast.Compare, str]] = field(default_factory=list)
    products: list[tuple[ast.BinOp, str]] = field(default_factory=list)
    calls: list[tuple[ast.Call, str]] = field(default_factory=list)
    roots: set[Variable] = field(default_factory=set)
    _functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = field(default_factory=dict)
    _constructors: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, path: str) -> Source | None:
        """Return the definitions of a file; None where it is no readable Python."""
        try:
            tree = ast.parse(Path(path).read_bytes())
        except (OSError, SyntaxError, ValueError):
            return None
        found = cls()
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found._functions[node.name] = node
            elif isinstance(node, ast.ClassDef):
                found._constructors[node.name] = "__init__"
        found._visit(tree, "")
        called = {name for call, _scope in found.calls if (name := found._local(call)) is not None}
        for name, function in found._functions.items():
            names = [argument.arg for argument in function.args.args if argument.arg not in ("self", "cls")]
            if name not in called and name != "__init__" and names:
                found.roots.add(Variable(name, names[0]))
        return found

    def _visit(self, node: ast.AST, scope: str) -> None:
        inner = scope
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                inner = node.name
            case ast.Assign():
                for target in node.targets:
                    self._bind(target, node.value, scope)
            case ast.AnnAssign(value=ast.expr() as value) | ast.AugAssign(value=value) | ast.NamedExpr(value=value):
                self._bind(node.target, value, scope)
            case ast.For() | ast.AsyncFor() | ast.comprehension():
                self._loop(node.target, node.iter, scope)
            case ast.Return(value=ast.expr() as value):
                self._define(Variable(scope, RETURNED), value, scope)
            case ast.Compare() if not isinstance(node.ops[0], _MEMBERSHIP):
                self.comparisons.append((node, scope))
            case ast.BinOp(op=ast.Mult() | ast.Div()):
                self.products.append((node, scope))
            case ast.Call():
                self.calls.append((node, scope))
                self._pass(node, scope)
        for child in ast.iter_child_nodes(node):
            self._visit(child, inner)

    def _define(self, variable: Variable, value: ast.expr, scope: str) -> None:
        self.defined.setdefault(variable, []).append(Part(value, scope))

    def _bind(self, target: ast.expr, value: ast.expr, scope: str) -> None:
        match target:
            case ast.Name():
                self._define(Variable(scope, target.id), value, scope)
            case ast.Attribute():
                self._define(Variable(ATTRIBUTE, target.attr), value, scope)
            case ast.Subscript() | ast.Starred():
                self._bind(target.value, value, scope)
            case ast.Tuple() | ast.List():
                parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
                values = parts if len(parts) == len(target.elts) else [value] * len(target.elts)
                for each, part in zip(target.elts, values, strict=True):
                    self._bind(each, part, scope)

    def _loop(self, target: ast.expr, over: ast.expr, scope: str) -> None:
        match target, over:
            case ast.Tuple(), ast.Call(func=ast.Name(id="zip"), args=parts):
                over = ast.Tuple(parts, ast.Load())
            case ast.Tuple(elts=[_, value]), ast.Call(func=ast.Attribute(attr="items")):  # keys are made of no values
                target = value
        self._bind(target, over, scope)

    def _pass(self, call: ast.Call, scope: str) -> None:
        """Define the parameters of a function of the file by what it is called with; fill a list that is added to."""
        match call.func:
            case ast.Attribute(value=owner, attr="append" | "add" | "extend" | "update"):
                for value in call.args:
                    self._bind(owner, value, scope)
        function = self._functions.get(self._local(call) or "")
        if function is None:
            return
        names = [argument.arg for argument in function.args.args]
        names = names[1:] if names[:1] in (["self"], ["cls"]) else names
        for name, value in zip(names, call.args, strict=False):
            self._define(Variable(function.name, name), value, scope)
        for keyword in call.keywords:
            if keyword.arg is not None:
                self._define(Variable(function.name, keyword.arg), keyword.value, scope)

    def _local(self, call: ast.Call) -> str | None:
        """Return the function of the file that is called; None for others."""
        match call.func:
            case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                name = self._constructors.get(name, name)
                return name if name in self._functions else None
        return None

    def variables(self, part: Part) -> Iterator[Variable]:
        """Yield what an expression is made of, one step back."""
        for node in ast.walk(part.node):
            match node:
                case ast.Name(id=name):
                    yield self._named(name, part.scope)
                case ast.Attribute(attr=name):
                    yield Variable(ATTRIBUTE, name)
                case ast.Call():
                    if (function := self._local(node)) is not None:
                        yield Variable(function, RETURNED)

    def _named(self, name: str, scope: str) -> Variable:
        own, function = Variable(scope, name), self._functions.get(scope)
        parameters = [] if function is None else [a.arg for a in (*function.args.args, *function.args.kwonlyargs)]
        return own if own in self.defined or name in parameters else Variable("", name)

    def draw(self, line: int, method: str) -> Part | None:
        """Return the call on a line that draws by a method, itself or through SciPy."""
        on_line = [(call, scope) for call, scope in self.calls if call.lineno <= line <= (call.end_lineno or line)]
        for name in (method, "rvs"):
            for call, scope in on_line:
                if isinstance(call.func, ast.Attribute) and call.func.attr == name:
                    return Part(call, scope)
        return None

    def made_of(self, starts: Iterable[Variable] = (), nodes: Sequence[ast.expr] = ()) -> Callable[[Part], bool]:
        """Return whether an expression holds one of the nodes, or takes a value from one of the variables."""
        reached, before = set(starts), -1

        def holds(part: Part) -> bool:
            return any(node in nodes for node in ast.walk(part.node)) or not reached.isdisjoint(self.variables(part))

        while len(reached) > before:
            before = len(reached)
            reached |= {name for name, parts in self.defined.items() if any(map(holds, parts))}
        return holds

    def origin(self, part: Part) -> Part:
        """Return the one expression that a name stands for, through names and arguments; the part itself otherwise."""
        for _ in range(MOST_STEPS):
            match part.node:
                case ast.Name(id=name):
                    variable = self._named(name, part.scope)
                case ast.Attribute(value=ast.Name(id="self"), attr=name):
                    variable = Variable(ATTRIBUTE, name)
                case _:
                    return part
            defined = self.defined.get(variable, [])
            if len(defined) != 1:
                return part
            (part,) = defined
        return part

    def slice(self, part: Part) -> dict[Variable, list[Part]]:
        """Return every definition that an expression rests on."""
        found: dict[Variable, list[Part]] = {}
        todo = [part]
        while todo:
            for variable in self.variables(todo.pop()):
                if variable not in found:
                    found[variable] = self.defined.get(variable, [])
                    todo += found[variable]
        return found

    def scale(self, draw: Part, method: str) -> Part | None:
        """Return the argument that sets the scale of a draw; None where there is none, or what is drawn is scaled."""
        call = draw.node
        if not isinstance(call, ast.Call):
            return None
        for keyword in call.keywords:
            if keyword.arg in ("scale", "p"):
                return Part(keyword.value, draw.scope)
        place = SCALES.get(method, 1)
        return Part(call.args[place], draw.scope) if place is not None and place < len(call.args) else None

    def factor(self, draw: Part) -> Part | None:
        """Return what a draw is multiplied with where it stands; None where it is not."""
        for node, scope in self.products:
            if draw.node in (node.left, node.right):
                return Part(node.right if node.left is draw.node else node.left, scope)
        return None
