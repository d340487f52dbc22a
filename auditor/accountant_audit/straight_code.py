"""Conversion of an adapter's function to a plain program: helpers are inlined, known values decide conditions."""

import ast
import builtins
import copy
from collections.abc import Iterator, Mapping, Sequence

from auditor.errors import UsageError

Functions = Mapping[str, ast.FunctionDef]
Arguments = tuple[dict[str, ast.expr], dict[str, list[ast.expr]], dict[str, list[ast.keyword]]]
"""Arguments of a call by parameter: single ones, those of `*`, and those of `**`."""
IMPORTS = (ast.Import, ast.ImportFrom)


def straight_code(functions: Functions, name: str, points: Sequence[Mapping[str, str]], answers: Sequence[str]) -> str:
    """Return a program that prints a function's results.

    Args:
        functions: functions of the adapter, by name.
        name: the function to call.
        points: arguments as Python text; a single point gives a program without a function. Parameters that are not in
            a point keep their defaults.
        answers: printed result of each call, added as a comment.

    Raises:
        UsageError: a helper returns at several places, or its names clash; a name has no value in the program.
    """
    function = functions[name]
    defaults = {key: ast.unparse(default) for key, default in _defaults(function.args).items()}
    points = [{**point, **{key: text for key, text in defaults.items() if key not in point}} for point in points]
    shared = {key: text for key, text in points[0].items() if all(point[key] == text for point in points)}
    try:
        values = {key: ast.literal_eval(text) for key, text in shared.items()}
    except ValueError:
        raise UsageError(f"{name} has a default that is no literal") from None
    body = _Straight(functions, values, _locals(function)).statements(function.body)
    imports = [each for each in body if isinstance(each, IMPORTS)]
    rest = [each for each in body if not isinstance(each, IMPORTS)]
    used = {each.id for each in _within(rest) if isinstance(each, ast.Name)}
    names = [key for key in points[0] if key in used]
    if missing := used - _bound(body) - {*names, *dir(builtins)}:
        raise UsageError(f"{name} uses {', '.join(sorted(missing))}, which the program does not define")
    if len(points) > 1:
        lines = ["", "", f"def {name}({', '.join(names)}):", *(f"    {line}" for line in _text(rest)), "", ""]
        for point, answer in zip(points, answers, strict=True):
            arguments = ", ".join(f"{key}={point[key]}" for key in names)
            lines.append(f"print({name}({arguments}))  # {answer}")
        return "\n".join([*_text(imports), *lines, ""])
    if not isinstance(rest[-1], ast.Return) or any(isinstance(each, ast.Return) for each in _within(rest[:-1])):
        raise UsageError(f"{name} returns at several places")
    first = [f"{', '.join(names)} = {', '.join(points[0][key] for key in names)}"] if names else []
    last = rest[-1].value
    printed = f"print({'' if last is None else ast.unparse(last)})  # {answers[0]}"
    return "\n".join([*_text(imports), *first, *_text(rest[:-1]), printed, ""])


def _text(statements: Sequence[ast.stmt]) -> list[str]:
    return [line for each in statements for line in ast.unparse(ast.fix_missing_locations(each)).splitlines()]


def _within(statements: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    return (each for statement in statements for each in ast.walk(statement))


def _locals(function: ast.FunctionDef) -> set[str]:
    """Return the names that a function binds, without its parameters."""
    stored = {
        each.id for each in _within(function.body) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    return stored - {argument.arg for argument in parameters_of(function.args)}


def _bound(statements: Sequence[ast.stmt]) -> set[str]:
    """Return the names that statements bind: variables, imported names, functions and their parameters."""
    every = [*_within(statements)]
    stored = {each.id for each in every if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    imported = {each.asname or each.name.partition(".")[0] for each in every if isinstance(each, ast.alias)}
    defined = {each.name for each in every if isinstance(each, ast.FunctionDef | ast.ExceptHandler)}
    return stored | imported | {*filter(None, defined)} | {each.arg for each in every if isinstance(each, ast.arg)}


def parameters_of(form: ast.arguments) -> list[ast.arg]:
    """Return the named parameters of a function in order; those that are keywords only come last."""
    return [*form.posonlyargs, *form.args, *form.kwonlyargs]


def _defaults(form: ast.arguments) -> dict[str, ast.expr]:
    """Return the defaults of a function by parameter."""
    positional = [each.arg for each in (*form.posonlyargs, *form.args)]
    defaults = dict(zip(positional[len(positional) - len(form.defaults) :], form.defaults, strict=True))
    keywords = zip(form.kwonlyargs, form.kw_defaults, strict=True)
    return {**defaults, **{each.arg: default for each, default in keywords if default is not None}}


class _Straight(ast.NodeTransformer):
    """Replaces calls of helpers by their bodies.

    Args:
        functions: functions of the adapter, by name.
        values: values that decide conditions.
        bound: names that the program binds.
    """

    def __init__(self, functions: Functions, values: Mapping[str, object], bound: set[str]) -> None:
        self.functions, self.values, self.bound = functions, values, bound
        self.before: list[ast.stmt] = []

    def statements(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Return the statements, each after the inlined code of its helpers, without docstrings."""
        results: list[ast.stmt] = []
        for each in copy.deepcopy([*body]):
            if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant):
                continue
            outer, self.before = self.before, []
            made = self._decided(each) if isinstance(each, ast.If) else [self.visit(each)]
            results += [*self.before, *made]
            self.before = outer
        return results

    def _decided(self, branch: ast.If) -> list[ast.stmt]:
        """Return the statements of the branch taken if the condition is known, else the whole branch."""
        if {each.id for each in ast.walk(branch.test) if isinstance(each, ast.Name)} <= self.values.keys():
            condition = compile(ast.fix_missing_locations(ast.Expression(branch.test)), "condition", "eval")
            holds = eval(condition, {"__builtins__": {}}, dict(self.values))  # noqa: S307 - of our own adapter
            return self.statements(branch.body if holds else branch.orelse)
        return [self.visit(branch)]

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Replace a helper's call by its value, and `getattr` with a constant name by the attribute."""
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name):
            return node
        if node.func.id == "getattr" and len(node.args) == 2 and isinstance(node.args[1], ast.Constant):
            return ast.Attribute(node.args[0], str(node.args[1].value), ast.Load())
        helper = self.functions.get(node.func.id)
        return node if helper is None else self._inlined(helper, node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """Replace a formatted string of constants by its text."""
        self.generic_visit(node)
        parts = [each.value if isinstance(each, ast.FormattedValue) else each for each in node.values]
        texts = [str(each.value) for each in parts if isinstance(each, ast.Constant)]
        return ast.Constant("".join(texts)) if len(texts) == len(parts) else node

    def _inlined(self, helper: ast.FunctionDef, call: ast.Call) -> ast.expr:
        arguments = _arguments(helper, call)
        inner = _Straight(self.functions, {}, self.bound)
        names = _locals(helper)
        *body, last = [_Bound(arguments).visit(each) for each in copy.deepcopy(helper.body)]
        plain = isinstance(last, ast.Return) and not any(isinstance(each, ast.Return) for each in _within(body))
        if not plain or names & self.bound or last.value is None:
            raise UsageError(f"{helper.name} has names of its caller, or returns at several places")
        self.bound |= names
        body = inner.statements([*body, last])
        self.before += body[:-1]
        assert isinstance(body[-1], ast.Return)  # noqa: S101 - it was the last
        value = body[-1].value
        assert value is not None  # noqa: S101 - checked above
        return value


class _Bound(ast.NodeTransformer):
    """Replaces parameters by arguments, `*` and `**` by all their arguments."""

    def __init__(self, arguments: Arguments) -> None:
        self.single, self.starred, self.words = arguments

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Replace a parameter by its argument."""
        if node.id in self.starred:
            return ast.Tuple(self.starred[node.id], ast.Load())
        if node.id in self.words:
            passed = self.words[node.id]
            return ast.Dict([ast.Constant(word.arg) for word in passed], [word.value for word in passed])
        return copy.deepcopy(self.single.get(node.id, node)) if isinstance(node.ctx, ast.Load) else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Replace the arguments that a call passes on."""
        args: list[ast.expr] = []
        for each in node.args:
            passed = isinstance(each, ast.Starred) and isinstance(each.value, ast.Name) and each.value.id
            args += self.starred[passed] if passed and passed in self.starred else [each]
        keywords: list[ast.keyword] = []
        for word in node.keywords:
            name = word.arg is None and isinstance(word.value, ast.Name) and word.value.id
            keywords += self.words[name] if name and name in self.words else [word]
        return self.generic_visit(ast.Call(node.func, args, keywords))


def _arguments(helper: ast.FunctionDef, call: ast.Call) -> Arguments:
    """Return the arguments of a call by parameter: single ones, those of `*`, and those of `**`."""
    form = helper.args
    positional = [each.arg for each in (*form.posonlyargs, *form.args)]
    names = [each.arg for each in parameters_of(form)]
    single = {**_defaults(form), **dict(zip(positional, call.args, strict=False))}
    single |= {word.arg: word.value for word in call.keywords if word.arg in names}
    others = [word for word in call.keywords if word.arg not in names]
    starred = {} if form.vararg is None else {form.vararg.arg: call.args[len(positional) :]}
    keywords = {} if form.kwarg is None else {form.kwarg.arg: others}
    return single, starred, keywords
