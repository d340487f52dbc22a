"""An expression as a Python function: each node is computed once, arguments first."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic.arithmetic import Arithmetic
from proofs_numeric.expression.nodes import ADD, DIVIDE, MULTIPLY, NEGATE, POWER, SUBTRACT, Expression, Function

_OF_INTEGERS = frozenset({ADD, SUBTRACT, MULTIPLY, NEGATE})
"""Operations whose value may be a Python integer, if all arguments are."""


def compiled(expression: Expression) -> Callable[[Arithmetic, Mapping[str, Any]], Any]:
    """Return `formula(A, at)`: the value at the values `at` of symbols."""
    writer = _Writer()
    for node in expression.nodes():
        writer.add(node)
    lines = ["def formula(A, at):", *writer.lines, f"    return {writer.texts[expression]}"]
    code = compile("\n".join(lines), f"<{expression}>", "exec")  # the formula stands in tracebacks
    exec(code, writer.objects)  # noqa: S102 - code of this module, with names that it makes
    formula: Callable[[Arithmetic, Mapping[str, Any]], Any] = writer.objects["formula"]
    return formula


def _is_count(node: Expression) -> bool:
    """Whether the node is a constant integer that is not negative."""
    return isinstance(node.head, int) and node.head >= 0


class _Writer:
    """The lines of a function, the text that stands for each node, and the objects that the lines name."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.texts: dict[Expression, str] = {}
        self.numbers: dict[Expression, str] = {}
        self.objects: dict[str, Any] = {}
        self.integers: set[Expression] = set()
        """Nodes whose value may be a Python integer, of which a quotient would be a float."""

    def add(self, node: Expression) -> None:
        head = node.head
        if isinstance(head, int):
            self.texts[node] = f"({head})"
            self.integers.add(node)
            return
        if isinstance(head, str):
            code, integer = f"at[{head!r}]", True
        elif isinstance(head, Fraction):
            code, integer = f"A.number({self.name_of(head)})", False
        elif isinstance(head.evaluate, str):
            texts = self.arguments(node, head)
            code = head.evaluate.format(*texts, all=", ".join(texts))
            whole = head in _OF_INTEGERS or (head is POWER and _is_count(node.arguments[1]))
            integer = whole and self.integers.issuperset(node.arguments)
        else:
            texts = self.arguments(node, head)
            keywords = (f"{name}={value}" for name, value in zip(head.keywords, texts, strict=True))
            code = f"{self.name_of(head.evaluate)}(A, {', '.join(keywords if head.keywords else texts)})"
            integer = not head.real
        self.texts[node] = self.line(code)
        if integer:
            self.integers.add(node)

    def arguments(self, node: Expression, head: Function) -> list[str]:
        """The texts of the arguments, as numbers of the arithmetic where the function needs them."""
        texts = [self.texts[argument] for argument in node.arguments]
        maybe = [argument in self.integers for argument in node.arguments]
        if head is DIVIDE:
            made = [all(maybe), False]
        elif head is POWER:
            made = [maybe[0] and not _is_count(node.arguments[1]), False]
        else:
            made = [head.real and one for one in maybe]
        pairs = zip(node.arguments, texts, made, strict=True)
        return [self.number(argument) if one else text for argument, text, one in pairs]

    def number(self, node: Expression) -> str:
        """The text of a node as a number of the arithmetic, which is made once."""
        if node not in self.numbers:
            self.numbers[node] = self.line(f"A.number({self.texts[node]})")
        return self.numbers[node]

    def line(self, code: str) -> str:
        """Add a line, and return the name of its value."""
        name = f"v{len(self.lines)}"
        self.lines.append(f"    {name} = {code}")
        return name

    def name_of(self, value: object) -> str:
        name = f"c{len(self.objects)}"
        self.objects[name] = value
        return name
