"""Expressions: formulas as trees that can be read, changed, printed and evaluated.

A node is a symbol, an exact number, or a function applied to nodes.  Equal expressions are one object.

>>> x = symbol("x")
>>> (x * x)(x=x + 1)  # substitution by keyword
>>> (x * x)(A, x=3)   # the value in the arithmetic A, as of any `Formula`
>>> x * x < 1         # a statement
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, overload
from weakref import WeakValueDictionary

from proofs_numeric.arithmetic.arithmetic import Arithmetic, Number, exact
from proofs_numeric.statements.kinds import Inequality, Relation


@dataclass(frozen=True, eq=False)
class Function:
    """A function of the field, or an algorithm, by name.

    Args:
        name: its name in plain text.
        evaluate: `evaluate(A, *arguments)` in every arithmetic, or Python code with `{0}` for the first
            argument and `{all}` for all of them.
        latex: LaTeX, likewise; the name and all arguments if empty.
        partials: the derivative by each argument, as an expression of the arguments; None where there is none.
        keywords: the names of the arguments, if `evaluate` takes them by keyword.
        real: whether the arguments become numbers of the arithmetic first; the value then is one, too.
    """

    name: str
    evaluate: Callable[..., Any] | str
    latex: str = ""
    partials: tuple[Callable[..., Expression] | None, ...] = ()
    keywords: tuple[str, ...] = ()
    real: bool = False

    def __call__(self, *arguments: Any, **keywords: Any) -> Expression:
        """Apply the function; an argument with a keyword that is not given is the symbol of that name."""
        if unknown := sorted(keywords.keys() - self.keywords[len(arguments) :]):
            raise TypeError(f"expected arguments of {self.name} among {list(self.keywords)}, got {unknown}")
        rest = (keywords.get(name, symbol(name)) for name in self.keywords[len(arguments) :])
        return apply(self, *arguments, *rest)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by the module and the name that hold the function: functions are compared by identity."""
        for module, loaded in [*sys.modules.items()]:
            for name, value in [*getattr(loaded, "__dict__", {}).items()]:
                if value is self:
                    return _load, (module, name)
        raise pickle.PicklingError(f"expected a function with a name in a module, got {self.name}")


def _load(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name)


@dataclass(frozen=True, eq=False, repr=False)
class Expression:
    """A symbol (its name), a number, or a function with arguments: made by `symbol`, `lift` and `apply`."""

    head: Function | str | int | Fraction
    arguments: tuple[Expression, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return apply, (self.head, *self.arguments)

    @overload
    def __call__(self, /, **at: Any) -> Expression: ...
    @overload
    def __call__(self, A: Arithmetic, /, **at: Any) -> Number: ...
    def __call__(self, A: Arithmetic | None = None, /, **at: Any) -> Any:
        """Return the value in an arithmetic, or without one the expression with others in the place of symbols.

        Raises:
            TypeError: a symbol without a value, or a substitution for a symbol that does not occur.
        """
        if A is None:
            if unknown := sorted(at.keys() - self.symbols):
                raise TypeError(f"expected symbols among {sorted(self.symbols)} to substitute, got {unknown}")
            return self.replaced({symbol(name): lift(value) for name, value in at.items()})
        values = {name: A.number(value) if isinstance(value, Fraction) else value for name, value in at.items()}
        try:
            return self.compiled(A, values)
        except KeyError:
            if missing := sorted(self.symbols - at.keys()):
                raise TypeError(f"expected values of {sorted(self.symbols)}, got none of {missing}") from None
            raise

    @functools.cached_property
    def compiled(self) -> Callable[[Arithmetic, Mapping[str, Any]], Any]:
        """The expression as a Python function of an arithmetic and the values of symbols."""
        from proofs_numeric.expression.compiler import compiled  # which needs the operations

        return compiled(self)

    @functools.cached_property
    def symbols(self) -> frozenset[str]:
        """The names of its symbols."""
        heads = {self.head} if isinstance(self.head, str) else set()
        return frozenset(heads).union(*(argument.symbols for argument in self.arguments))

    def nodes(self) -> Iterator[Expression]:
        """Each node once, arguments before what they are arguments of."""
        order: dict[Expression, None] = {}

        def visit(node: Expression) -> None:
            if node not in order:
                for argument in node.arguments:
                    visit(argument)
                order[node] = None

        visit(self)
        return iter(order)

    def replaced(self, by: Mapping[Expression, Expression]) -> Expression:
        """The expression with other nodes in the place of some."""
        made: dict[Expression, Expression] = {}
        for node in self.nodes():
            arguments = tuple(made[argument] for argument in node.arguments)
            made[node] = by.get(node) or (node if arguments == node.arguments else apply(node.head, *arguments))
        return made[self]

    def __add__(self, other: Any) -> Expression:
        return apply(ADD, self, other)

    def __radd__(self, other: Any) -> Expression:
        return apply(ADD, other, self)

    def __sub__(self, other: Any) -> Expression:
        return apply(SUBTRACT, self, other)

    def __rsub__(self, other: Any) -> Expression:
        return apply(SUBTRACT, other, self)

    def __mul__(self, other: Any) -> Expression:
        return apply(MULTIPLY, self, other)

    def __rmul__(self, other: Any) -> Expression:
        return apply(MULTIPLY, other, self)

    def __truediv__(self, other: Any) -> Expression:
        return apply(DIVIDE, self, other)

    def __rtruediv__(self, other: Any) -> Expression:
        return apply(DIVIDE, other, self)

    def __pow__(self, other: Any) -> Expression:
        """Power with an integer exponent; see `power` for real ones."""
        return apply(POWER, self, other)

    def __neg__(self) -> Expression:
        return apply(NEGATE, self)

    def __le__(self, other: Any) -> Inequality:
        return Inequality(self, lift(other))

    def __lt__(self, other: Any) -> Inequality:
        return Inequality(self, lift(other), Relation.LESS)

    def __ge__(self, other: Any) -> Inequality:
        return lift(other) <= self

    def __gt__(self, other: Any) -> Inequality:
        return lift(other) < self

    def __str__(self) -> str:
        from proofs_numeric.expression.printing import text  # which needs the functions

        return text(self)

    __repr__ = __str__


_INTERNED: WeakValueDictionary[tuple[object, ...], Expression] = WeakValueDictionary()


def apply(head: Function | str | int | Fraction, *arguments: Any) -> Expression:
    """Return the one expression with this head and these arguments."""
    lifted = tuple(map(lift, arguments))
    return _INTERNED.setdefault((type(head), head, lifted), Expression(head, lifted))


def symbol(name: str) -> Expression:
    """Return the symbol of a parameter."""
    return apply(name)


def symbols(names: str) -> tuple[Expression, ...]:
    """Return a symbol for each name in a text."""
    return tuple(map(symbol, names.split()))


def lift(value: Expression | int | Fraction | str) -> Expression:
    """Return an expression as it is, and an exact number (3, "1e-8", "1/6") as an expression.

    Raises:
        TypeError: a float.
    """
    return value if isinstance(value, Expression) else apply(exact(value))


@functools.cache
def algorithm(function: Callable[..., Any], latex: str = "") -> Function:
    """Return a Python function `function(A, *, ...)` that no expression states as a function of its parameters.

    A parameter with a default keeps it.

    Its docstring is its contract: domain, and whether it returns the value, a bracket or a bound.
    """
    _arithmetic, *parameters = inspect.signature(function).parameters.values()
    names = tuple(one.name for one in parameters if one.default is one.empty)
    return Function(function.__name__, function, latex, keywords=names)


ADD, SUBTRACT = Function("+", "{0} + {1}"), Function("-", "{0} - {1}")
MULTIPLY, DIVIDE = Function("*", "{0} * {1}"), Function("/", "{0} / {1}")
POWER, NEGATE = Function("**", "{0} ** {1}"), Function("-", "-{0}")
