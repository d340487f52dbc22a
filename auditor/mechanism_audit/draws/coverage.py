"""Lines of a target's source that ran on the datasets tried, and data-dependent blocks that did not run."""

from __future__ import annotations

import ast
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.mechanism_audit.draws.slices import RETURNED, Part, Source, Variable
from auditor.mechanism_audit.draws.uncalled import Chosen, Function, Names, choices
from auditor.mechanism_audit.result import ranges
from auditor.target.coverage import END, marked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from auditor.target.target import Step

TRIVIAL = (ast.Raise, ast.Pass, ast.Continue, ast.Break, ast.Assert)
"""Statements of a guard: a block that releases nothing."""
NEVER = "# pragma: no cover"
"""Comment by which the user declares that a block cannot run, on the line before the block or in the block."""


UNCOUNTED_CODE = "installed packages and compiled code"
"""Code of which the interpreter counts no lines."""


@dataclass(frozen=True)
class Hidden:
    """A block that never ran, behind a condition on data alone.

    Attributes:
        file: path.
        lines: first and last line of the block.
        condition: source text of the condition, and what never happened to it.
        around: whether the way around the block never ran, instead of the block.
    """

    file: str
    lines: tuple[int, int]
    condition: str
    around: bool = False

    def __str__(self) -> str:
        first, last = self.lines
        span = f"line {first}" if first == last else f"lines {first}-{last}"
        return f"{'the way around ' if self.around else ''}{span} of {Path(self.file).name} ({self.condition})"


@dataclass(frozen=True)
class Coverage:
    """Coverage of a target's source.

    Attributes:
        missed: file -> lines of statements that never ran, in functions that were called.
        hidden: blocks that never ran, behind a condition on data.
        declared: those of which the user declares that they cannot run.
        uncounted_names: functions that a line that ran names, and of which no line was counted.
    """

    missed: dict[str, list[int]]
    hidden: tuple[Hidden, ...]
    declared: tuple[Hidden, ...] = ()
    uncounted_names: tuple[str, ...] = ()

    def note(self) -> str:
        """Return in one line which lines never ran, which are declared not to run, and which were not counted."""
        places = [f"{Path(file).name}:{ranges(lines)}" for file, lines in self.missed.items() if lines]
        declared = f" (assumed, by '{NEVER}': {', '.join(map(str, self.declared))})" if self.declared else ""
        first, *others = (Path(file).name for file in self.missed)
        files = f"{first} and {len(others)} more files" if others else first
        lines = f"never ran on any data set tried: {', '.join(places)}" if places else f"every line ran in {files}"
        names = f"{', '.join(self.uncounted_names)} (compiled, or in another process), " if self.uncounted_names else ""
        return f"{lines}{declared}; not counted: {names}{UNCOUNTED_CODE}"

    def doubt(self) -> str | None:
        """Return why 'no violation found' is undecided; None if every block behind a condition on data ran."""
        if not self.hidden:
            return None
        more = f" and {len(self.hidden) - 1} more" if len(self.hidden) > 1 else ""
        return (
            f"{self.hidden[0]}{more} never ran on any data set tried, so its releases were not tested; give data that "
            f"reach it with --dataset or --strategy, or neighbours with --pair; '{NEVER}' declares that it cannot run"
        )


def coverage_of(steps: Iterable[Step], start: str) -> Coverage:
    """Return the coverage of the functions that were called.

    Args:
        steps: file, first line of the function, line, next line.
        start: name of the function in which the target starts.
    """
    by_file: dict[str, list[Step]] = {}
    for step in steps:
        by_file.setdefault(step[0], []).append(step)
    ran_in = {file: Ran.of(file_steps) for file, file_steps in sorted(by_file.items())}
    trees = dict(_trees(ran_in))
    modules = [Path(file).stem for file in trees]
    source = Source.of([node for tree in trees.values() for node in tree.body], start, modules=modules)
    flow = Flow(source)
    missed: dict[str, list[int]] = {}
    hidden: list[Hidden] = []
    uncounted_names: list[str] = []
    for file, tree in trees.items():
        ran, names = ran_in[file], Names(file, tree)
        functions = [node for node in ast.walk(tree) if isinstance(node, Function) and _first_line(node) in ran.called]
        lines = {node.lineno for function in functions for node in _statements(function)}
        missed[file] = sorted(lines - ran.lines)
        for function in functions:
            finder = Finder(file, function, ran, flow)
            hidden += [*finder.hidden(), *finder.uncalled(names, ran_in)]
            uncounted_names += finder.uncounted_names(names, ran_in)
    hidden = [*dict.fromkeys(hidden)]
    declared = [one for one in hidden if _is_declared(one)]
    undeclared = tuple(one for one in hidden if one not in declared)
    return Coverage(missed, undeclared, tuple(declared), tuple(dict.fromkeys(uncounted_names)))


def _is_declared(hidden: Hidden) -> bool:
    first, last = hidden.lines
    return any(NEVER in line for line in Path(hidden.file).read_text("utf-8").splitlines()[max(0, first - 2) : last])


def _trees(files: Iterable[str]) -> Iterator[tuple[str, ast.Module]]:
    """Yield the readable files, each with its source."""
    for file in files:
        with suppress(OSError, SyntaxError, ValueError):
            yield file, ast.parse(Path(file).read_bytes())


@dataclass(frozen=True)
class Ran:
    """What ran in one file.

    Attributes:
        called: first lines of the functions that were called.
        lines: lines that ran.
        jumps: lines, each with a line that followed it (`END`: the call ended).
        columns: places (line, column) at which a branch within a line began.
    """

    called: frozenset[int]
    lines: frozenset[int]
    jumps: frozenset[tuple[int, int]]
    columns: frozenset[tuple[int, int]]

    @classmethod
    def of(cls, steps: Iterable[Step]) -> Ran:
        """Return what the steps of one file ran."""
        all_steps = list(steps)
        plain = [step for step in all_steps if step[3] >= END]
        return cls(
            called=frozenset(first for _file, first, _line, _after in all_steps),
            lines=frozenset(after for *_, after in plain),
            jumps=frozenset((line, after) for *_, line, after in plain),
            columns=frozenset((line, marked(after)) for *_, line, after in all_steps if after < END),
        )

    def has(self, node: ast.expr | ast.stmt, beside: ast.AST | None) -> bool:
        """Return whether a node ran, given the condition that decides; True if the interpreter does not say."""
        lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
        condition = _span(beside)
        if any(line in self.lines and line not in condition for line in lines):
            return True
        if node.lineno not in condition:
            return False
        end = (lines[-1], node.end_col_offset or 0)
        return not self.columns or any((node.lineno, node.col_offset) <= place < end for place in self.columns)

    def calls(self, function: Chosen) -> bool:
        """Return whether a function was called; for a lambda, by the place of its body if the interpreter says it."""
        if isinstance(function, ast.Lambda):
            return function.lineno in self.called and self.has(function.body, function)
        return _first_line(function) in self.called


def _span(node: ast.AST | None) -> range:
    """Return the lines of a node; none without a node."""
    first = getattr(node, "lineno", 0)
    return range(first, (getattr(node, "end_lineno", -1) or first) + 1)


def _first_line(function: Function) -> int:
    """Return the first line as the interpreter counts it: the line of the first decorator, if there is one."""
    return min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])


Block = list[ast.stmt]


def _blocks(body: Block, after: Block) -> Iterator[tuple[Block, Block]]:
    """Yield a block and those within its statements, without nested functions, each with the statements after it.

    Only a block of an `if` has statements after it: a loop goes on with itself.
    """
    yield body, after
    for place, node in enumerate(body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        rest = (body[place + 1 :] or after) if isinstance(node, ast.If) else []
        blocks = [getattr(node, name, []) for name in ("body", "orelse", "finalbody")]
        inner = (each.body for each in (*getattr(node, "handlers", []), *getattr(node, "cases", [])))
        for block in filter(None, (*blocks, *inner)):
            yield from _blocks(block, rest)


def _statements(function: Function) -> Iterator[ast.stmt]:
    """Yield the statements of a function that run line by line, without the statements of nested functions."""
    for block, _after in _blocks(function.body, []):
        for node in block:
            text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if not text and not isinstance(node, ast.Global | ast.Nonlocal | ast.Pass | ast.Try):
                yield node


class Flow:
    """Dependence of expressions on data and on noise.

    Args:
        source: definitions of all files that ran.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        tables = {key for key, table in source.keys.items() if table in source.roots}
        self.data = source.made_of({*source.roots, *tables})
        self.noise = source.made_of(source.generators)
        self._scales: dict[Variable, bool] = {}

    def scales(self, variable: Variable) -> bool:
        """Return whether a variable is in an argument of a draw, or in a factor of noise."""
        if variable not in self._scales:
            holds = self.source.made_of({variable})
            self._scales[variable] = any(holds(part) and self.noise(other) for part, other in self._scaled())
        return self._scales[variable]

    def _scaled(self) -> Iterator[tuple[Part, Part]]:
        """Yield the factors of products with the other factor, and the arguments of methods with their object."""
        for node, scope in self.source.products:
            left, right = Part(node.left, scope), Part(node.right, scope)
            yield from ((left, right), (right, left))
        for call, scope in self.source.calls:
            if isinstance(call.func, ast.Attribute):
                for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
                    yield Part(argument, scope), Part(call.func.value, scope)


class Finder:
    """Search of the blocks and expressions of a function that never ran, behind a condition on data alone.

    Args:
        file: path of the function's file.
        function: a function that was called.
        ran: what ran in the file.
        flow: dependence on data and on noise.
    """

    def __init__(self, file: str, function: Function, ran: Ran, flow: Flow) -> None:
        self.file, self.function, self.ran = file, function, ran
        self._data, self._noise, self._flow = flow.data, flow.noise, flow

    def hidden(self) -> Iterator[Hidden]:
        """Yield the blocks, then the expressions."""
        for block, after in _blocks(self.function.body, []):
            for place, node in enumerate(block):
                yield from self._of_statement(node, block[place + 1 :] or after)
        for each in ast.walk(self.function):
            yield from self._of_expression(each)

    def uncalled(self, names: Names, ran_in: Mapping[str, Ran]) -> Iterator[Hidden]:
        """Yield the functions among which a statement that ran chooses by data, and that were never called.

        Args:
            names: functions and assignments of the file.
            ran_in: file -> what ran in it.
        """
        for node in _statements(self.function):
            for part in ast.walk(node) if self.ran.has(node, None) else ():
                for file, chosen in choices(part, names, self._decides):
                    called = file in ran_in and ran_in[file].calls(chosen)
                    if not called and not self._guard(_body(chosen), contained=False):
                        name = "a lambda" if isinstance(chosen, ast.Lambda) else f"'{chosen.name}'"
                        lines = (chosen.lineno, chosen.end_lineno or chosen.lineno)
                        yield Hidden(file, lines, f"{name} was never chosen in line {node.lineno}")

    def uncounted_names(self, names: Names, ran_in: Mapping[str, Ran]) -> Iterator[str]:
        """Yield the functions that a line that ran names, and of which no line ran.

        Args:
            names: functions and assignments of the file.
            ran_in: file -> what ran in it.
        """
        for node in _statements(self.function):
            if hasattr(node, "body") or not self.ran.has(node, None):
                continue
            for part in ast.walk(node):
                file, function = (
                    names.functions_by_name.get(part.id, ("", None)) if isinstance(part, ast.Name) else ("", None)
                )
                if function is not None and not (file in ran_in and ran_in[file].calls(function)):
                    yield f"{function.name} in line {function.lineno} of {Path(file).name}"

    def _of_statement(self, node: ast.stmt, rest: Block) -> Iterator[Hidden]:
        """Yield what a statement hides, given the statements after it."""
        match node:
            case ast.If(test=test) if self._decides(test):
                text = ast.unparse(test)
                yield from self._block(node.body, test, f"'{text}' was never true")
                yield from self._block(node.orelse, test, f"'{text}' was never false")
                if not node.orelse and self.ran.has(node.body[0], test):
                    yield from self._way_around(node, rest)
            case ast.While(test=test) if self._decides(test):
                yield from self._block(node.body, test, f"'{ast.unparse(test)}' was never true")
            case ast.Match(subject=subject) if self._decides(subject):
                for case in node.cases:
                    pattern = f"'{ast.unparse(subject)}' never matched '{ast.unparse(case.pattern)}'"
                    yield from self._block(case.body, case.pattern, pattern)
            case ast.Try():
                for handler in node.handlers:
                    if any(self._uses_data(each) for each in handler.body):
                        name = "" if handler.type is None else f" {ast.unparse(handler.type)}"
                        yield from self._block(handler.body, None, f"'except{name}' never happened")

    def _block(self, body: Block, test: ast.AST | None, condition: str) -> Iterator[Hidden]:
        """Yield a block that never ran and is no guard."""
        if body and not self.ran.has(body[0], test) and not self._guard(body):
            yield Hidden(self.file, (body[0].lineno, body[-1].end_lineno or body[-1].lineno), condition)

    def _way_around(self, node: ast.If, rest: Block) -> Iterator[Hidden]:
        """Yield what runs only if a condition without an else is false, and never did."""
        condition = f"'{ast.unparse(node.test)}' was never false"
        if isinstance(node.body[-1], ast.Return | ast.Continue | ast.Break | ast.Raise):
            yield from self._block(rest, node.test, condition)
            return
        test, body = _span(node.test), range(node.body[0].lineno, (node.body[-1].end_lineno or 0) + 1)
        left = any(line in test and after not in test and after not in body for line, after in self.ran.jumps)
        if body[0] not in test and not left and any(self._draws(each) for each in node.body):
            yield Hidden(self.file, (body[0], body[-1]), condition, around=True)

    def _of_expression(self, node: ast.AST) -> Iterator[Hidden]:
        match node:
            case ast.IfExp(test=test, body=body, orelse=orelse) if self._decides(test):
                ran = self.ran.has(body, test), self.ran.has(orelse, test)
                if ran == (False, True):
                    yield from self._expression(body, f"'{ast.unparse(test)}' was never true")
                elif ran == (True, False):
                    yield from self._expression(orelse, f"'{ast.unparse(test)}' was never false")
            case ast.Return(value=ast.BoolOp() as choice) | ast.Assign(value=ast.BoolOp() as choice):
                first = choice.values[0]
                late = next((each for each in choice.values[1:] if not self.ran.has(each, first)), None)
                if late is not None and self._decides(first) and not isinstance(late, ast.Compare | ast.BoolOp):
                    never = "true" if isinstance(choice.op, ast.And) else "false"
                    yield from self._expression(late, f"'{ast.unparse(first)}' was never {never}")
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                first, part = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt, node.elt)
                tests = [test for each in node.generators for test in each.ifs]
                if tests and all(map(self._decides, tests)) and not self.ran.has(first, tests[-1]):
                    yield from self._expression(part, f"'{ast.unparse(tests[-1])}' was never true")

    def _expression(self, part: ast.expr, condition: str) -> Iterator[Hidden]:
        if self._data(Part(part, self.function.name)):
            yield Hidden(self.file, (part.lineno, part.end_lineno or part.lineno), condition)

    def _guard(self, body: Block, *, contained: bool = True) -> bool:
        """Return whether a block is a guard: it raises, continues, breaks, passes, or states nothing of the data.

        A constant that scales noise is no guard.

        Args:
            body: the block.
            contained: whether the function contains the block; of another function only constants are guards.
        """
        return isinstance(body[-1], ast.Raise) or all(self._states_nothing(node, contained=contained) for node in body)

    def _states_nothing(self, node: ast.stmt, *, contained: bool) -> bool:
        """Return whether a statement leaves the block, or returns or assigns what depends neither on data nor noise."""
        name = self.function.name
        match node:
            case ast.Return(value=value):
                result = Variable(name, RETURNED)
            case ast.Assign(targets=[ast.Name(id=target) | ast.Subscript(value=ast.Name(id=target))], value=value):
                result = self._flow.source.variable(target, name)
            case _:
                return isinstance(node, TRIVIAL)
        constant = value is None or not any(isinstance(each, ast.Name) for each in ast.walk(value))
        is_constant = constant or (contained and value is not None and not self._data(Part(value, name)))
        return is_constant and not self._flow.scales(result)

    def _decides(self, test: ast.expr) -> bool:
        """Return whether a condition depends on data and not on noise."""
        part = Part(test, self.function.name)
        return self._data(part) and not self._noise(part)

    def _uses_data(self, node: ast.stmt) -> bool:
        return any(self._data(Part(each, self.function.name)) for each in ast.walk(node) if isinstance(each, ast.Name))

    def _draws(self, node: ast.stmt) -> bool:
        return any(self._noise(Part(each, self.function.name)) for each in ast.walk(node) if isinstance(each, ast.Call))


def _body(function: Chosen) -> Block:
    """Return the statements of a function without its docstring."""
    if isinstance(function, ast.Lambda):
        return [ast.Return(function.body)]
    text = isinstance(function.body[0], ast.Expr) and isinstance(function.body[0].value, ast.Constant)
    return function.body[text:] or function.body
