"""Backward slices of a target's source (Weiser 1981): the uses of a draw, and the definitions of its scale.

Names are resolved within one file, functions by name, without the order of statements. The results name a line to
inspect; they decide nothing.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

ATTRIBUTE, ENTRY, RETURNED = ".", "[]", "return"
"""Scope of every attribute, scope of every table entry by its name, and name of a function's return value."""
MOST_STEPS = 16
"""Largest number of definitions followed."""
SCALES = {"exponential": 0, "geometric": 0, "standard_normal": None}
"""Index of the scale among a draw's arguments, if it is not 1; None if there is no scale."""
SAME: Mapping[str, tuple[str, ...]] = {
    "normal": ("gauss", "normalvariate"),
    "standard_normal": ("randn",),
    "exponential": ("expovariate",),
    "random": ("rand", "random_sample", "ranf", "sample"),
    "integers": ("randint", "randrange", "randbelow"),
}
"""Names of NumPy's methods in its `RandomState` and in the standard library."""
RATE = "expovariate"
"""Method whose argument is the inverse of a scale."""
_MEMBERSHIP = (ast.In, ast.NotIn, ast.Is, ast.IsNot)
_GENERATORS = frozenset({"default_rng", "RandomState", "Random", "seed", "PCG64", "Philox", "SFC64", "MT19937"})
_PROPERTIES = frozenset({"property", "cached_property"})
_GENERATOR_NAMES = frozenset({"rng", "generator", "random", "gen"})
_RANDOMNESS = ("random", "secrets")
"""Modules that draw from a generator of their own."""
_LINEAR = frozenset(
    {
        "round", "int", "float", "sum", "max", "min", "dict", "list", "tuple", "zip", "sorted", "array", "asarray",
        "where",
    },
)  # fmt: skip
"""Library functions that keep the scale of noise."""
FEW_SEEDS = 2.0**31
"""Number of seeds that can all be tried within a day."""
_WHOLE = frozenset({"integers", "randint", "randrange", "randbelow"})
_ROUNDING = frozenset({"round", "rint", "floor", "ceil"})
_OPERATORS: Mapping[type[ast.operator | ast.unaryop], Callable[..., float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow, ast.USub: operator.neg, ast.UAdd: operator.pos,
}  # fmt: skip
_FUNCTIONS: Mapping[str, Callable[..., float]] = {
    name: getattr(math, name) for name in ("sqrt", "exp", "expm1", "log", "log1p", "log2", "log10")
} | {"float": float, "abs": abs, "max": max, "min": min}
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Variable(NamedTuple):
    """A name of a function ('' for the file), an attribute or entry of any object, or a function's return value."""

    scope: str
    name: str


class Part(NamedTuple):
    """An expression, with the function that contains it."""

    node: ast.expr
    scope: str

    @property
    def constant(self) -> float | None:
        """Return the value of a single number; None for other expressions."""
        match self.node:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return float(number)
        return None


class Factor(NamedTuple):
    """A factor or divisor of noise, with its power and its line."""

    part: Part
    power: int
    line: int


@dataclass
class Source:
    """Definitions of one file.

    Attributes:
        defined: variable -> expressions assigned to it.
        comparisons: comparisons of the file, except membership and identity.
        products: products and quotients of the file, except those within nonlinear functions.
        terms: terms of sums and differences, and increments of names.
        calls: calls of the file.
        roots: inputs of functions that no other function of the file calls.
        generators: generators of random numbers: arguments, and modules with a generator of their own.
        keys: loop variables over the keys of a table by `items`, and the table; keys do not depend on values.
    """

    defined: dict[Variable, list[Part]] = field(default_factory=dict)
    comparisons: list[tuple[ast.Compare, str]] = field(default_factory=list)
    products: list[tuple[ast.BinOp, str]] = field(default_factory=list)
    terms: list[Part] = field(default_factory=list)
    calls: list[tuple[ast.Call, str]] = field(default_factory=list)
    roots: set[Variable] = field(default_factory=set)
    generators: set[Variable] = field(default_factory=set)
    keys: dict[Variable, Variable] = field(default_factory=dict)
    _functions: dict[str, _Function] = field(default_factory=dict)
    _constructors: dict[str, str] = field(default_factory=dict)
    _fields: dict[str, list[str]] = field(default_factory=dict)
    _defaults: dict[Variable, Part] = field(default_factory=dict)
    _properties: set[str] = field(default_factory=set)
    _owners: set[str] = field(default_factory=set)
    _lambdas: dict[ast.Lambda, str] = field(default_factory=dict)
    _outer: dict[str, str] = field(default_factory=dict)
    _curved: set[ast.AST] = field(default_factory=set)
    _walks: dict[Part, tuple[frozenset[ast.AST], tuple[Variable, ...]]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: str, start: str = "", lines: Container[int] = ()) -> Source | None:
        """Return the definitions of a file that concern a target; None if it is no readable Python.

        Args:
            path: path of the file.
            start: name of the target; a file that does not define it is read completely.
            lines: lines that draw.
        """
        try:
            tree = ast.parse(Path(path).read_bytes())
        except (OSError, SyntaxError, ValueError):
            return None
        return cls.of(tree.body, start, lines)

    @classmethod
    def of(cls, body: list[ast.stmt], start: str, lines: Container[int] = (), modules: Iterable[str] = ()) -> Source:
        """Return the definitions of statements that concern a target, as `read` does.

        Args:
            body: statements of one or more files.
            start: name of the target.
            lines: lines that draw.
            modules: names of the modules among the files.
        """
        tree = ast.Module(relevant_statements(body, start, lines), [])
        source = cls(_owners=set(modules))
        source._name_functions(tree)
        source._visit(tree, "")
        for variable, default in source._defaults.items():
            source.defined.setdefault(variable, [default])
        called = {name for call, _scope in source.calls if (name := source._local(call)) is not None}
        for name, function in source._functions.items():
            names = [argument.arg for argument in function.args.args if argument.arg not in ("self", "cls")]
            root = name not in called and name != "__init__"
            if root and names:
                source.roots.add(Variable(name, names[0]))
            usual = _GENERATOR_NAMES.intersection([*names, *(argument.arg for argument in function.args.kwonlyargs)])
            source.generators |= {Variable(name, each) for each in usual or (names[-1:] if root and names[1:] else ())}
        source.generators |= {Variable(scope, module) for module in _RANDOMNESS for scope in ("", ATTRIBUTE)}
        return source

    def _name_functions(self, tree: ast.Module) -> None:
        """Record functions, classes and properties; a lambda is a function by the name it is bound to."""
        returned: dict[str, ast.Lambda] = {}
        for node in ast.walk(tree):
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self._functions[node.name] = node
                    if any(name_of(each) in _PROPERTIES for each in node.decorator_list):
                        self._properties.add(node.name)
                    for each in node.body:
                        if isinstance(each, ast.Return) and isinstance(each.value, ast.Lambda):
                            returned[node.name] = each.value
                case ast.ClassDef():
                    self._constructors[node.name] = "__init__"
                    self._owners.add(node.name)
                    self._fields[node.name] = [
                        each.target.id
                        for each in node.body
                        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
                    ]
        for node in ast.walk(tree):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda() as function):
                    self._functions[name], self._lambdas[function] = function, name
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=maker))) if (
                    maker in returned
                ):
                    self._functions[name], self._lambdas[returned[maker]] = returned[maker], name
                case ast.Assign(targets=[ast.Name(id=name) | ast.Attribute(attr=name)], value=value) if (
                    called(value) in self._constructors
                ):
                    self._owners.add(name)

    def _visit(self, node: ast.AST, scope: str) -> None:
        inner = self._opened(node, scope)
        self._bound(node, scope)
        self._used(node, scope)
        for child in ast.iter_child_nodes(node):
            self._visit(child, inner)

    def _opened(self, node: ast.AST, scope: str) -> str:
        """Return the scope within a node, and record the definitions of a function or class."""
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                self._enter(node, name, scope)
                return name
            case ast.Lambda() if node in self._lambdas:
                name = self._lambdas[node]
                self._enter(node, name, scope)
                self._define(Variable(name, RETURNED), node.body, name)
                return name
            case ast.ClassDef():
                for each in node.body:
                    match each:
                        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                            self._defaults[Variable(ATTRIBUTE, name)] = Part(value, scope)
                        case ast.Assign(targets=[ast.Name(id=name)], value=value):
                            self._define(Variable(ATTRIBUTE, name), value, scope)
        return scope

    def _bound(self, node: ast.AST, scope: str) -> None:
        """Record the definitions of a statement, a loop or a table."""
        match node:
            case ast.Assign():
                for target in node.targets:
                    self._bind(target, node.value, scope)
            case ast.AnnAssign(value=ast.expr() as value) | ast.AugAssign(value=value) | ast.NamedExpr(value=value):
                self._bind(node.target, value, scope)
            case ast.For() | ast.AsyncFor() | ast.comprehension():
                self._loop(node.target, node.iter, scope)
            case ast.Return(value=ast.expr() as value) | ast.Yield(value=ast.expr() as value):
                self._define(Variable(scope, RETURNED), value, scope)
            case ast.withitem(optional_vars=ast.expr() as target):
                self._bind(target, node.context_expr, scope)
            case ast.Dict():
                for key, entry in zip(node.keys, node.values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        self._define(Variable(ENTRY, key.value), entry, scope)

    def _used(self, node: ast.AST, scope: str) -> None:
        """Record comparisons, terms, products and calls; products within nonlinear expressions are left out."""
        match node:
            case ast.Compare() if not isinstance(node.ops[0], _MEMBERSHIP):
                self.comparisons.append((node, scope))
                self._curved.update(ast.walk(node))
            case ast.BinOp(op=ast.Add() | ast.Sub()):
                self.terms += (Part(node.left, scope), Part(node.right, scope))
            case ast.AugAssign(op=ast.Add() | ast.Sub()):
                self.terms.append(Part(node.value, scope))
            case ast.BinOp(op=ast.Mult() | ast.Div()) if node not in self._curved:
                self.products.append((node, scope))
            case ast.Call():
                self.calls.append((node, scope))
                self._pass(node, scope)
                if self._local(node) is None and not self._keeps_scale(node):
                    self._curved.update(each for argument in node.args for each in ast.walk(argument))

    def _enter(self, function: _Function, name: str, scope: str) -> None:
        """Record the enclosing scope of a function, and the defaults of its parameters."""
        self._outer[name] = scope
        arguments = function.args
        with_default = arguments.args[len(arguments.args) - len(arguments.defaults) :]
        for argument, default in (
            *zip(with_default, arguments.defaults, strict=True),
            *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
        ):
            if default is not None:
                self._defaults[Variable(name, argument.arg)] = Part(default, scope)

    @staticmethod
    def _keeps_scale(call: ast.Call) -> bool:
        match call.func:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                return name in _LINEAR or name in ("append", "add", "extend", "update")
        return False

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
            case ast.Tuple(elts=[key, value]), ast.Call(func=ast.Attribute(value=owner, attr="items")):
                target = value
                if isinstance(key, ast.Name) and isinstance(owner, ast.Name):
                    self.keys[Variable(scope, key.id)] = Variable(scope, owner.id)
        self._bind(target, over, scope)

    def _pass(self, call: ast.Call, scope: str) -> None:
        """Record the arguments of a call as definitions of parameters, and the elements added to a list."""
        match call.func:
            case ast.Attribute(value=owner, attr="append" | "add" | "extend" | "update"):
                for value in call.args:
                    self._bind(owner, value, scope)
        function = self._functions.get(name := self._local(call) or "")
        if function is None:
            if isinstance(call.func, ast.Name) and (fields := self._fields.get(call.func.id)):
                by_name = ((keyword.arg or "", keyword.value) for keyword in call.keywords)
                for name, value in (*zip(fields, call.args, strict=False), *by_name):
                    self._define(Variable(ATTRIBUTE, name), value, scope)
            return
        names = [argument.arg for argument in function.args.args]
        names = names[1:] if names[:1] in (["self"], ["cls"]) else names
        for parameter, value in zip(names, call.args, strict=False):
            self._define(Variable(name, parameter), value, scope)
        for keyword in call.keywords:
            if keyword.arg is not None:
                self._define(Variable(name, keyword.arg), keyword.value, scope)

    def _local(self, call: ast.Call) -> str | None:
        """Return the function of the file that a call refers to; None for other functions."""
        match call.func:
            case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                pass
            case ast.Attribute(value=owner, attr=name) if (
                called(owner) in self._constructors or name_of(owner) in self._owners
            ):
                pass
            case _:
                return None
        name = self._constructors.get(name, name)
        return name if name in self._functions else None

    def variables(self, part: Part) -> tuple[Variable, ...]:
        """Return the variables of an expression, one step back, without repeats, in an order independent of hashes."""
        return self._made(part)[1]

    def _made(self, part: Part) -> tuple[frozenset[ast.AST], tuple[Variable, ...]]:
        """Return the nodes of an expression and its variables, computed once."""
        if part not in self._walks:
            self._walks[part] = frozenset(ast.walk(part.node)), tuple(dict.fromkeys(self._back(part)))
        return self._walks[part]

    def _back(self, part: Part) -> Iterator[Variable]:
        todo: list[ast.AST] = [part.node]
        while todo:
            node = todo.pop()
            match node:
                case ast.Name(id=name):
                    yield self.variable(name, part.scope)
                case ast.Attribute(attr=name):
                    yield self._attribute(name)
                case ast.Subscript(value=owner, slice=index):  # a selected element does not depend on its index
                    todo.append(owner)
                    if isinstance(index, ast.Constant) and isinstance(index.value, str):
                        yield Variable(ENTRY, index.value)
                    continue
                case ast.Call():
                    if (function := self._local(node)) is not None:
                        yield Variable(function, RETURNED)
            todo.extend(ast.iter_child_nodes(node))

    def variable(self, name: str, scope: str) -> Variable:
        """Return the variable that a name in a function refers to."""
        while scope:
            local, function = Variable(scope, name), self._functions.get(scope)
            parameters = [] if function is None else [a.arg for a in (*function.args.args, *function.args.kwonlyargs)]
            if local in self.defined or local in self.keys or name in parameters:
                return local
            scope = self._outer.get(scope, "")
        return Variable("", name)

    def _attribute(self, name: str) -> Variable:
        return Variable(name, RETURNED) if name in self._properties else Variable(ATTRIBUTE, name)

    def draw(self, line: int, method: str) -> Part | None:
        """Return the call on a line that draws by a method: itself, an alias, through SciPy or as a choice."""
        on_line = [(call, scope) for call, scope in self.calls if call.lineno <= line <= (call.end_lineno or line)]
        for name in (method, *SAME.get(method, ()), "rvs", "choice"):
            for call, scope in on_line:
                if called(call) == name and self._local(call) is None:
                    return Part(call, scope)
        return None

    def made_of(self, starts: Iterable[Variable] = (), nodes: Sequence[ast.expr] = ()) -> Callable[[Part], bool]:
        """Return a predicate: whether an expression contains one of the nodes, or depends on one of the variables."""
        reached, before = set(starts), -1

        def holds(part: Part) -> bool:
            inner_nodes, variables = self._made(part)
            return not inner_nodes.isdisjoint(nodes) or not reached.isdisjoint(variables)

        while len(reached) > before:
            before = len(reached)
            reached |= {name for name, parts in self.defined.items() if any(map(holds, parts))}
        return holds

    def origin(self, part: Part, but: re.Pattern[str] | None = None) -> Part:
        """Return the single expression that a name stands for, through names and arguments; otherwise the part itself.

        Args:
            part: the expression.
            but: names that are meaningful by themselves and are not followed.
        """
        for _ in range(MOST_STEPS):
            name = getattr(part.node, "id", getattr(part.node, "attr", ""))
            if (but is not None and but.search(name)) or (before := self._before(part)) is None:
                return part
            part = before
        return part

    def addends(self, part: Part, steps: int = MOST_STEPS) -> Iterator[Part]:
        """Yield a sum and its terms, each before it is followed, to a depth of at most `steps`."""
        yield part
        part = self.origin(part)
        match part.node:
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right) if steps > 0:
                for each in (left, right):
                    yield from self.addends(Part(each, part.scope), steps - 1)

    def _before(self, part: Part) -> Part | None:
        """Return the only definition of a name, an attribute or a table entry; None if there is not exactly one."""
        match part.node:
            case ast.Name(id=name):
                variable = self.variable(name, part.scope)
            case ast.Attribute(attr=name):
                variable = self._attribute(name)
            case ast.Subscript(slice=ast.Constant(value=str() as name)):
                variable = Variable(ENTRY, name)
            case _:
                return None
        defined = self.defined.get(variable, [])
        return defined[0] if len(defined) == 1 else None

    def number(
        self, part: Part, value_of: Mapping[ast.expr, float] | None = None, steps: int = MOST_STEPS
    ) -> float | None:
        """Return the value of an expression of numbers; None if it cannot be derived.

        Args:
            part: the expression.
            value_of: values for some of its subexpressions.
            steps: largest number of definitions followed.
        """
        if value_of is not None and part.node in value_of:
            return value_of[part.node]
        if (constant := part.constant) is not None:
            return constant
        if (before := self._before(part)) is not None:
            return self.number(before, value_of, steps - 1) if steps > 0 else None
        match part.node:
            case ast.BinOp(left=left, op=sign, right=right):
                nodes, function = [left, right], _OPERATORS.get(type(sign))
            case ast.UnaryOp(op=sign, operand=operand):
                nodes, function = [operand], _OPERATORS.get(type(sign))
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=nodes, keywords=[]):
                function = _FUNCTIONS.get(name)
            case _:
                return None
        values = [self.number(Part(node, part.scope), value_of, steps) for node in nodes]
        numbers = [value for value in values if value is not None]
        if function is None or len(numbers) < len(values):
            return None
        try:
            value = float(function(*numbers))
        except (ArithmeticError, ValueError, TypeError):
            return None
        return value if math.isfinite(value) else None

    def constants(self, part: Part) -> list[tuple[Part, float | None]]:
        """Return the constants that an expression depends on, with its elasticity in each: d log / d log."""
        value = self.number(part)
        results = []
        for leaf in dict.fromkeys(one for several in self.slice(part).values() for one in several):
            number = leaf.constant
            if number is None:
                continue
            moved = None if not value else self.number(part, {leaf.node: number * 1.01})
            ratio = None if moved is None or not value else moved / value
            results.append((leaf, math.log(ratio) / math.log(1.01) if ratio is not None and ratio > 0 else None))
        return results

    def slice(self, part: Part) -> dict[Variable, list[Part]]:
        """Return all definitions that an expression depends on."""
        results: dict[Variable, list[Part]] = {}
        todo = [part]
        while todo:
            for variable in self.variables(todo.pop()):
                if variable not in results:
                    results[variable] = self.defined.get(variable, [])
                    todo += results[variable]
        return results

    def scale(self, draw: Part, method: str) -> Part | None:
        """Return the argument that sets the scale of a draw; None if there is none."""
        law = self.frozen(draw)
        for call, scope in ((draw.node, draw.scope), *([] if law is None else [law])):
            if not isinstance(call, ast.Call):
                return None
            for keyword in call.keywords:
                if keyword.arg in ("scale", "sigma", "p"):
                    return Part(keyword.value, scope)
        place = SCALES.get(method, 1)
        call, scope = draw if law is None else law
        arguments = call.args if isinstance(call, ast.Call) else []
        if place is None or place >= len(arguments):
            return None
        if called(call) == RATE:
            return inverse(self.origin(Part(arguments[place], scope)))
        return Part(arguments[place], scope)

    def weights(self, part: Part) -> Part:
        """Return the weights from which probabilities were computed, before the division by their sum."""
        for _ in range(MOST_STEPS):
            part = self.origin(part)
            match part.node:
                case ast.Call() as call:
                    returned = self.defined.get(Variable(self._local(call) or "", RETURNED), [])
                    if len(returned) != 1:
                        return part
                    (part,) = returned
                case ast.BinOp(left=odds, op=ast.Div()):
                    part = Part(odds, part.scope)
                case _:
                    return part
        return part

    @property
    def seeded(self) -> tuple[ast.Call, str] | None:
        """Return the first call with fixed randomness (number, data, time or few seeds), and a text on it."""
        data = self.made_of(self.roots)
        for call, scope in self.calls:
            name = called(call)
            seeds = [keyword.value for keyword in call.keywords if keyword.arg in ("random_state", "seed")]
            seeds += call.args[:1] if name in _GENERATORS else []
            if any(isinstance(seed, ast.Constant) and isinstance(seed.value, int) for seed in seeds):
                return call, "the same seed each time"
            if any(data(Part(seed, scope)) for seed in seeds):
                return call, "a seed computed from the data"
            for seed in seeds:
                if (few := self._few_seeds(Part(seed, scope))) is not None:
                    return call, few
        return None

    def _few_seeds(self, seed: Part) -> str | None:
        """Return the source of a seed if it can be guessed (the time, or few numbers); None otherwise."""
        node, scope = self.origin(seed)
        for call in ast.walk(node):
            match call:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="time")) | ast.Name(id="time" | "time_ns")):
                    return "the time"
                case ast.Call(func=ast.Attribute(attr=name), args=[*_, most]) if name in _WHOLE:
                    number = self.number(Part(most, scope))
                    if number is not None and number < FEW_SEEDS:
                        return f"one of few seeds ({name} up to {number:g})"
        return None

    def frozen(self, draw: Part) -> Part | None:
        """Return SciPy's law with its parameters that `rvs` draws from; None if the draw has the parameters itself."""
        match draw.node:
            case ast.Call(func=ast.Attribute(value=owner, attr="rvs")):
                law = self.origin(Part(owner, draw.scope))
                return law if isinstance(law.node, ast.Call) else None
        return None

    def factor(self, draw: Part) -> Part | None:
        """Return the factor of a draw at its place in the source, other than a sign; None if there is none."""
        for node, scope in self.products:
            if draw.node in (node.left, node.right):
                other = Part(node.right if node.left is draw.node else node.left, scope)
                return None if self._is_sign(other) else other
        return None

    def _is_sign(self, part: Part) -> bool:
        """Return whether an expression is a choice of 1 or -1."""
        match part.node:
            case ast.Call(args=[ast.List(elts=signs) | ast.Tuple(elts=signs), *_]) if called(part.node) == "choice":
                return all(self.number(Part(sign, part.scope)) in (1.0, -1.0) for sign in signs)
        return False

    def added(self, draw: Part) -> bool:
        """Return whether a draw is a term of a sum, unchanged or rounded to whole numbers."""
        return any(draw.node in (node := self.origin(term).node, _unrounded(node)) for term in self.terms)

    def factors(self, draw: Part) -> list[Factor]:
        """Return the factors and divisors of a draw's noise on its way to the output."""
        noisy = self.made_of(nodes=[draw.node])
        results = []
        for node, scope in self.products:
            left, right = Part(node.left, scope), Part(node.right, scope)
            if noisy(left) != noisy(right):
                part = right if noisy(left) else left
                if self._is_sign(part):
                    continue
                power = -1 if isinstance(node.op, ast.Div) and part is right else 1
                if isinstance(part.node, ast.UnaryOp):
                    part = Part(part.node.operand, scope)
                results.append(Factor(part, power, node.lineno))
        return results


def _unrounded(node: ast.expr) -> ast.expr:
    """Return the rounded expression if an expression rounds, perhaps with a conversion to integers; otherwise itself.

    A conversion without rounding truncates towards zero, which is not symmetric.
    """
    match node:
        case (
            ast.Call(func=ast.Name(id="int"), args=[inner]) | ast.Call(func=ast.Attribute(value=inner, attr="astype"))
        ) if inner is not (within := _unrounded(inner)):
            return within
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[inner, *_]) if name in _ROUNDING:
            return inner
    return node


def called(call: ast.expr) -> str:
    """Return the name of the called function, without its owner; "" if there is no call or no name."""
    return name_of(call.func) if isinstance(call, ast.Call) else ""


def name_of(node: ast.expr) -> str:
    """Return the name that an expression is, without its owner; "" for other expressions."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def inverse(part: Part) -> Part:
    """Return 1 over an expression, with 1 over 1 / x simplified to x."""
    match part.node:
        case ast.BinOp(left=ast.Constant(value=1 | 1.0), op=ast.Div(), right=scale):
            return Part(scale, part.scope)
    over = ast.BinOp(ast.Constant(1.0), ast.Div(), part.node)
    node = ast.Constant(1.0 / part.constant) if part.constant else over
    return Part(ast.copy_location(node, part.node), part.scope)


def relevant_statements(body: list[ast.stmt], start: str, lines: Container[int]) -> list[ast.stmt]:
    """Return the statements of a file, without names unrelated to the target and its draws."""
    defining = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    binds = {
        each: {each.name}
        if isinstance(each, defining)
        else {node.id for node in ast.walk(each) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        for each in body
    }
    if not any(start in names for names in binds.values()):
        return body
    used_names, statements, before = {start}, set[ast.stmt](), -1
    while len(statements) > before:
        before = len(statements)
        for each in body:
            draws = any(line in lines for line in range(each.lineno, (each.end_lineno or each.lineno) + 1))
            if each not in statements and (
                not used_names.isdisjoint(binds[each]) or (draws and isinstance(each, defining))
            ):
                statements.add(each)
                used_names |= {getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(each)}
    return [each for each in body if each in statements or not binds[each]]
