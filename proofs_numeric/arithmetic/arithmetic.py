"""What a number system offers to formulas, and the exact numbers that define claims.

A formula is written once, with the arithmetic as its first argument ``A``:

>>> def delta_infinite(A, *, c_u, sigma, gap):
...     return -A.expm1(c_u * log_normal_cdf(A, gap / sigma))

Values carry the operators ``+ - * /`` and mix with Python integers.  Balls have no order: ``<``, ``>`` and ``==`` may
all be False.  Formulas therefore never branch on a value; :mod:`proofs_numeric.arithmetic.enclosure` compares.
"""

from __future__ import annotations

import functools
import operator
from abc import ABC, abstractmethod
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, ClassVar, Literal, Protocol, Self

Exact = int | Fraction
"""A number that defines a claim: nothing is lost between the page and the proof."""

Infinity = Literal["infinity"]

LARGEST_EXPONENT = 9999
"""Decimal exponents beyond this are refused: their exact rationals would fill the memory."""


def exact(value: int | Fraction | str) -> Exact:
    """Return ``value`` as an exact rational; integers stay ``int``.

    Accepts integers, fractions, and the strings ``"3"``, ``"1e-8"``, ``"0.349"``, ``"1/6"``.  A float is refused: its
    decimal text and its binary value are different numbers, and a claim must say which one it means.
    """
    if isinstance(value, bool) or not isinstance(value, int | Fraction | str):
        raise TypeError(
            f'expected an exact number (3, "1e-8", "1/6"), got {value!r}; write it as a string or a Fraction'
        )
    exponent = value.lower().partition("e")[2].lstrip("+-") if isinstance(value, str) else ""
    if exponent.isdigit() and int(exponent) > LARGEST_EXPONENT:
        raise ValueError(f"expected a decimal exponent of at most {LARGEST_EXPONENT}, got {value!r}")
    try:
        fraction = Fraction(value)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f'expected an exact number (3, "1e-8", "1/6"), got {value!r}') from None
    return int(fraction) if fraction.denominator == 1 else fraction


class Number(Protocol):
    """A value of a formula: an int, or whatever an arithmetic makes of one (mpf, arb, mpi, a symbol, doubles).

    What the number systems share is their operators, with one another's exact numbers and with their own kind; the type
    checker sees by them that text, or a list, is no number.
    """

    def __add__(self, other: Any, /) -> Number: ...
    def __sub__(self, other: Any, /) -> Number: ...
    def __mul__(self, other: Any, /) -> Number: ...
    def __truediv__(self, other: Any, /) -> Number: ...
    def __pow__(self, other: Any, /) -> Number: ...
    def __radd__(self, other: Any, /) -> Number: ...
    def __rsub__(self, other: Any, /) -> Number: ...
    def __rmul__(self, other: Any, /) -> Number: ...
    def __rtruediv__(self, other: Any, /) -> Number: ...
    def __neg__(self) -> Number: ...
    def __abs__(self) -> Number: ...
    def __float__(self) -> float: ...
    def __lt__(self, other: Any, /) -> Any: ...
    def __le__(self, other: Any, /) -> Any: ...
    def __gt__(self, other: Any, /) -> Any: ...
    def __ge__(self, other: Any, /) -> Any: ...


class Arithmetic(ABC):
    """What a formula may ask of a number system.

    Used as a context manager around an evaluation: precision is scoped and never leaks.
    """

    name: str
    encloses: ClassVar[bool] = False
    """Whether values are rigorous enclosures: what a formula leaves out must then be added (:meth:`between`)."""

    @property
    def bits(self) -> int:
        """Working precision, at least that of the values: where a series may be cut."""
        raise TypeError(f"expected an arithmetic of finite precision, got {self.name}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        return None

    @abstractmethod
    def number(self, value: Number | str) -> Number:
        """Return the exact ``value`` (int, Fraction, decimal string, ``"infinity"``) in this arithmetic."""

    @property
    @abstractmethod
    def pi(self) -> Number:
        """The circle constant."""

    @property
    def infinity(self) -> Number:
        """Positive infinity."""
        return self.number("infinity")

    @abstractmethod
    def exp(self, x: Number) -> Number:
        """Exponential."""

    @abstractmethod
    def expm1(self, x: Number) -> Number:
        """``exp(x) - 1`` without cancellation."""

    @abstractmethod
    def log(self, x: Number) -> Number:
        """Natural logarithm."""

    @abstractmethod
    def log1p(self, x: Number) -> Number:
        """``log(1 + x)`` without cancellation."""

    @abstractmethod
    def sqrt(self, x: Number) -> Number:
        """Square root."""

    @abstractmethod
    def maximum(self, *xs: Number) -> Number:
        """Largest of the arguments (an enclosure of it for balls)."""

    @abstractmethod
    def minimum(self, *xs: Number) -> Number:
        """Smallest of the arguments (an enclosure of it for balls)."""

    def between(self, x: Number, y: Number) -> Number:  # noqa: ARG002 - enclosures need both ends
        """Return a number known to lie between ``x`` and ``y``: ``x`` itself unless the arithmetic encloses."""
        return x

    def power(self, x: Number, y: Number) -> Number:
        """``x ** y`` for ``x > 0`` and real ``y``."""
        return self.exp(y * self.log(x))

    def sum(self, terms: Iterable[Number]) -> Number:
        """Sum of the terms."""
        return functools.reduce(operator.add, terms, self.number(0))
