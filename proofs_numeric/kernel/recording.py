"""SymPy expressions under watch: what a formula divides by, what it takes logarithms of, and that it asks for no value.

SymPy drops some of it: ``exp(log(x))`` is ``x``, ``x/x`` is 1, and ``0 log(x)`` is 0, also where there is no logarithm;
a tail from 0 on is 1, also where p is no probability.  And a symbol is equal to no number, nor among any: a formula
that asks would be told what it says elsewhere.  Not seen is what a formula makes of the types of its numbers and of the
arithmetic: there, points are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import sympy

from proofs_numeric.arithmetic.arithmetic import Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import gaussian_profile, gaussian_profile_direct
from proofs_numeric.arithmetic.symbolic import (
    BinomialMass,
    BinomialTail,
    DiscreteGaussianLoss,
    DiscreteGaussianProfile,
    LaplaceProfile,
    PairStick,
    SharedLoss,
    Symbolic,
)

_PLAIN = Symbolic()
_PARTIAL = frozenset(
    {
        sympy.log, sympy.erfinv, BinomialMass, BinomialTail, DiscreteGaussianLoss, DiscreteGaussianProfile,
        LaplaceProfile, PairStick, SharedLoss,
    },
)  # fmt: skip
"""Functions that are not defined everywhere."""


class ExpressionError(ArithmeticError):
    """A formula has no expression, or its expression is not the formula, or is not defined on all of the box."""


@dataclass(frozen=True, eq=False)
class Recording(Symbolic):
    """SymPy's expressions as `Term`, with what they take of others that may not be there, and whether one was asked."""

    taken: list[Any] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)

    def number(self, value: Any) -> Any:
        return value if isinstance(value, Term) else Term(_PLAIN.number(value), self)

    def is_zero(self, x: Number) -> bool:
        return bool(self.number(x).built == 0)

    def of(self, function: Callable[..., Any], *xs: Number) -> Any:
        plain = [self.number(x).built for x in xs]
        if function in _PARTIAL:
            self.taken.append(function(*plain, evaluate=False))
        elif function is sympy.sqrt:
            self.taken.append(sympy.Pow(*plain, sympy.S.Half, evaluate=False))
        return self.number(function(*plain))

    def power_of(self, base: Any, exponent: Any) -> Any:
        """The base to the exponent."""
        if exponent == -1:  # factor by factor, as others may be divided by one of them
            bases = [factor.as_base_exp()[0] for factor in sympy.Mul.make_args(base)]
            self.taken.extend(sympy.Pow(one, -1, evaluate=False) for one in bases if one.is_zero is not False)
        elif not base.is_positive and not (exponent.is_integer and exponent.is_nonnegative):
            self.taken.append(sympy.Pow(base, exponent, evaluate=False))
        return self.number(base**exponent)

    def expression(self, formula: Formula, symbols: Mapping[str, Any]) -> Any:
        """What SymPy builds of a formula at the symbols.

        Raises:
            ExpressionError: it has no expression, or asks how a value compares.

        """
        try:
            built = self.number(formula(self, **{name: self.number(symbol) for name, symbol in symbols.items()})).built
        except ExpressionError:
            raise
        except Exception as error:
            raise ExpressionError(f"the formula has no SymPy expression: {' '.join(str(error).split())}") from error
        if self.refusals:  # and went on without an answer
            raise ExpressionError(self.refusals[0])
        return built

    def between(self, x: Number, y: Number) -> Number:  # noqa: ARG002 - neither is the number
        raise self.refusal("is known between two numbers alone")

    def refusal(self, what: str = "branches on a value") -> ExpressionError:
        """To raise where a term is asked what it is; noted, for a formula that goes on nevertheless."""
        self.refusals.append(f"the formula {what}")
        return ExpressionError(self.refusals[-1])


@gaussian_profile.register
def _(A: Recording, epsilon: Number, mu: Number) -> Any:
    if A.number(mu).built.is_zero:
        return A.maximum(0, -A.expm1(epsilon))
    return gaussian_profile_direct(A, epsilon, mu)


class Slack(NamedTuple):
    """That an expression is >= 0, or > 0: what a comparison of terms says."""

    built: Any
    strict: bool
    record: Recording

    def __bool__(self) -> bool:
        raise self.record.refusal()


def _refuse(term: Term, *_how: object) -> Any:
    raise term.record.refusal()


def _reflected(method: Callable[[Term, Term], Any]) -> Any:
    return lambda term, other: method(term.record.number(other), term)


def _method(operation: Callable[[Recording, Any, Any], Any]) -> Any:
    return lambda term, other: operation(term.record, term.built, term.record.number(other).built)


@dataclass(frozen=True, eq=False)
class Term:
    """An expression with the operators of a number, which answers no question about its value."""

    built: Any
    record: Recording
    _op_priority = 1e6
    """SymPy's own numbers leave what they share with one to it."""

    def _sympy_(self) -> Any:
        return self.built

    __add__ = _method(lambda A, x, y: A.number(x + y))
    __sub__ = _method(lambda A, x, y: A.number(x - y))
    __mul__ = _method(lambda A, x, y: A.number(x * y))
    __truediv__ = _method(lambda A, x, y: A.number(x) * A.power_of(y, sympy.S.NegativeOne))
    __pow__ = _method(lambda A, x, y: A.power_of(x, y))
    __radd__, __rsub__, __rmul__ = map(_reflected, (__add__, __sub__, __mul__))
    __rtruediv__, __rpow__ = map(_reflected, (__truediv__, __pow__))

    def __neg__(self) -> Any:
        return self.record.number(-self.built)

    def __abs__(self) -> Any:
        return self.record.number(abs(self.built))

    __le__ = _method(lambda A, x, y: Slack(y - x, strict=False, record=A))
    __lt__ = _method(lambda A, x, y: Slack(y - x, strict=True, record=A))
    __ge__ = _method(lambda A, x, y: Slack(x - y, strict=False, record=A))
    __gt__ = _method(lambda A, x, y: Slack(x - y, strict=True, record=A))

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__"):  # which Python and SymPy look for
            self.record.refusal()
        raise AttributeError(f"expected the operators of a number, got {name}")

    __eq__ = __ne__ = __hash__ = __bool__ = _refuse
    __float__ = __int__ = __index__ = __complex__ = __round__ = __trunc__ = __floor__ = __ceil__ = _refuse
    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __divmod__ = __rdivmod__ = __str__ = __repr__ = _refuse
