"""Terms of Coq's real numbers: a formula as text that a proof assistant reads.

In Coq every function is total (``/ 0`` and ``ln (- 1)`` are some real number), so a term says nothing of where the
formula is defined.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic.arithmetic import Arithmetic, Number, exact


@dataclass(frozen=True)
class Order:
    """A comparison of two terms: a hypothesis.  It has no truth value, so no formula branches on it."""

    text: str

    def __bool__(self) -> bool:
        raise TypeError(f"expected no branch on a value, got one on {self.text}")


@dataclass(frozen=True, eq=False)
class Term:
    """A real number in Coq's syntax, in brackets wherever it is more than a name or a numeral."""

    text: str

    def __add__(self, other: Any) -> Term:
        return Term(f"({self.text} + {text(other)})")

    def __radd__(self, other: Any) -> Term:
        return Term(f"({text(other)} + {self.text})")

    def __sub__(self, other: Any) -> Term:
        return Term(f"({self.text} - {text(other)})")

    def __rsub__(self, other: Any) -> Term:
        return Term(f"({text(other)} - {self.text})")

    def __mul__(self, other: Any) -> Term:
        return Term(f"({self.text} * {text(other)})")

    def __rmul__(self, other: Any) -> Term:
        return Term(f"({text(other)} * {self.text})")

    def __truediv__(self, other: Any) -> Term:
        return Term(f"({self.text} / {text(other)})")

    def __rtruediv__(self, other: Any) -> Term:
        return Term(f"({text(other)} / {self.text})")

    def __pow__(self, power: Any) -> Term:
        if not isinstance(power, int | Fraction) or power != int(power):
            raise TypeError(f"expected an integer power, got {power}")
        if abs(power) == 1:
            return self if power == 1 else Term(f"(/ {self.text})")
        return Term(f"({self.text} ^ {int(power)})" if power >= 0 else f"(/ ({self.text} ^ {-int(power)}))")

    def __neg__(self) -> Term:
        return Term(f"(- {self.text})")

    def __abs__(self) -> Term:
        return Term(f"(Rabs {self.text})")

    def __float__(self) -> float:
        raise TypeError(f"expected no rounding of a value, got {self.text}")

    def __lt__(self, other: Any) -> Order:
        return Order(f"{self.text} < {text(other)}")

    def __le__(self, other: Any) -> Order:
        return Order(f"{self.text} <= {text(other)}")

    def __gt__(self, other: Any) -> Order:
        return Order(f"{text(other)} < {self.text}")

    def __ge__(self, other: Any) -> Order:
        return Order(f"{text(other)} <= {self.text}")

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> Any:
        return Order(f"{self.text} = {text(other)}")


def text(value: Any) -> str:
    """A term, or an exact number, in Coq's syntax.

    Raises:
        TypeError: anything else, a float too.

    """
    if isinstance(value, Term):
        return value.text
    number = exact(value)
    if isinstance(number, Fraction):
        return f"({text(number.numerator)} / {number.denominator})"
    return f"{number}" if number >= 0 else f"({number})"


@dataclass(frozen=True)
class Coq(Arithmetic):
    """Sums, products, quotients, integer powers, exp, ln, sqrt, maxima and minima; no special function."""

    name = "coq"

    def number(self, value: Number | str) -> Term:
        return value if isinstance(value, Term) else Term(text(value))

    @property
    def pi(self) -> Term:
        return Term("PI")

    def exp(self, x: Number) -> Term:
        return Term(f"(exp {text(x)})")

    def expm1(self, x: Number) -> Term:
        return self.exp(x) - 1

    def log(self, x: Number) -> Term:
        return Term(f"(ln {text(x)})")

    def log1p(self, x: Number) -> Term:
        return self.log(1 + x)

    def sqrt(self, x: Number) -> Term:
        return Term(f"(sqrt {text(x)})")

    def maximum(self, *xs: Number) -> Term:
        return functools.reduce(lambda x, y: Term(f"(Rmax {x.text} {y.text})"), map(self.number, xs))

    def minimum(self, *xs: Number) -> Term:
        return functools.reduce(lambda x, y: Term(f"(Rmin {x.text} {y.text})"), map(self.number, xs))
