"""The number systems in which every formula is evaluated.

A formula is written once, with the arithmetic as its first argument ``A``:

>>> def delta_infinite(A, *, c_u, sigma, gap):
...     return -A.expm1(c_u * log_normal_cdf(A, gap / sigma))

``Float64`` is NumPy (vectorised; curves and searches), ``MpReal`` is mpmath (the value shown to people), ``Ball`` is
Arb (a rigorous enclosure; the only arithmetic verdicts rest on) and ``Symbolic`` is SymPy (algebraic identities).
Values carry the operators ``+ - * /`` and mix with Python integers.

Balls have no order: ``<``, ``>`` and ``==`` may all be False.  Formulas therefore never branch on a value;
:mod:`proofs_numeric.certify` compares.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal, Self

import flint
import mpmath
import numpy as np
import sympy

Exact = int | Fraction
"""A number that defines a claim: nothing is lost between the page and the proof."""

Infinity = Literal["infinity"]

_GUARD_DIGITS = 15
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
    def number(self, value: Any) -> Any:
        """Return the exact ``value`` (int, Fraction, decimal string, ``"infinity"``) in this arithmetic."""

    @property
    @abstractmethod
    def pi(self) -> Any:
        """The circle constant."""

    @property
    def infinity(self) -> Any:
        """Positive infinity."""
        return self.number("infinity")

    @abstractmethod
    def exp(self, x: Any) -> Any:
        """Exponential."""

    @abstractmethod
    def expm1(self, x: Any) -> Any:
        """``exp(x) - 1`` without cancellation."""

    @abstractmethod
    def log(self, x: Any) -> Any:
        """Natural logarithm."""

    @abstractmethod
    def log1p(self, x: Any) -> Any:
        """``log(1 + x)`` without cancellation."""

    @abstractmethod
    def sqrt(self, x: Any) -> Any:
        """Square root."""

    @abstractmethod
    def maximum(self, *xs: Any) -> Any:
        """Largest of the arguments (an enclosure of it for balls)."""

    @abstractmethod
    def minimum(self, *xs: Any) -> Any:
        """Smallest of the arguments (an enclosure of it for balls)."""

    def between(self, x: Any, y: Any) -> Any:  # noqa: ARG002 - enclosures need both ends
        """Return a number known to lie between ``x`` and ``y``: ``x`` itself unless the arithmetic encloses."""
        return x

    def power(self, x: Any, y: Any) -> Any:
        """``x ** y`` for ``x > 0`` and real ``y``."""
        return self.exp(y * self.log(x))

    def sum(self, terms: Iterable[Any]) -> Any:
        """Sum of the terms."""
        return functools.reduce(lambda left, right: left + right, terms, self.number(0))


@dataclass(frozen=True)
class Float64(Arithmetic):
    """IEEE double precision over NumPy; formulas are vectorised, no direction of rounding is promised."""

    name = "float64"
    bits = 64

    def number(self, value: Any) -> Any:
        if isinstance(value, str):
            return np.float64(np.inf) if value == "infinity" else np.float64(float(Fraction(value)))
        if isinstance(value, int | Fraction):
            return np.float64(float(value))
        return np.asarray(value, dtype=np.float64)[()]

    @property
    def pi(self) -> Any:
        return np.float64(np.pi)

    def exp(self, x: Any) -> Any:
        return np.exp(x)

    def expm1(self, x: Any) -> Any:
        return np.expm1(x)

    def log(self, x: Any) -> Any:
        return np.log(x)

    def log1p(self, x: Any) -> Any:
        return np.log1p(x)

    def sqrt(self, x: Any) -> Any:
        return np.sqrt(x)

    def power(self, x: Any, y: Any) -> Any:
        return np.power(self.number(x), y)

    def maximum(self, *xs: Any) -> Any:
        return functools.reduce(np.maximum, xs)

    def minimum(self, *xs: Any) -> Any:
        return functools.reduce(np.minimum, xs)


@functools.lru_cache(maxsize=64)
def _mp_context(digits: int) -> Any:
    context = mpmath.MPContext()
    context.dps = digits + _GUARD_DIGITS
    return context


@dataclass(frozen=True)
class MpReal(Arithmetic):
    """mpmath at ``digits`` significant decimal digits plus guard digits; a value, not an enclosure."""

    digits: int = 50
    name = "mpmath"

    @property
    def context(self) -> Any:
        """The private mpmath context of this precision."""
        return _mp_context(self.digits)

    @property
    def bits(self) -> int:
        return int(self.context.prec)

    def number(self, value: Any) -> Any:
        if isinstance(value, str):
            if value == "infinity":
                return self.context.inf
            value = exact(value)
        if isinstance(value, Fraction):
            return self.context.mpf(value.numerator) / value.denominator
        return self.context.mpf(value)

    @property
    def pi(self) -> Any:
        return +self.context.pi

    def exp(self, x: Any) -> Any:
        return self.context.exp(x)

    def expm1(self, x: Any) -> Any:
        return self.context.expm1(x)

    def log(self, x: Any) -> Any:
        return self.context.log(x)

    def log1p(self, x: Any) -> Any:
        return self.context.log1p(x)

    def sqrt(self, x: Any) -> Any:
        return self.context.sqrt(x)

    def power(self, x: Any, y: Any) -> Any:
        return self.context.power(x, y)

    def maximum(self, *xs: Any) -> Any:
        return max(self.number(x) for x in xs)

    def minimum(self, *xs: Any) -> Any:
        return min(self.number(x) for x in xs)


_saved_precisions: list[int] = []


@dataclass(frozen=True)
class Ball(Arithmetic):
    """Arb balls at ``bits`` bits: every value is a rigorous enclosure of the real number it stands for."""

    bits: int = 128
    name = "ball"
    encloses = True

    def __enter__(self) -> Self:
        _saved_precisions.append(flint.ctx.prec)
        flint.ctx.prec = self.bits
        return self

    def __exit__(self, *exc: object) -> None:
        flint.ctx.prec = _saved_precisions.pop()

    def number(self, value: Any) -> Any:
        if isinstance(value, str):
            if value == "infinity":
                return flint.arb.pos_inf()
            value = exact(value)
        if isinstance(value, Fraction):
            return flint.arb(flint.fmpq(value.numerator, value.denominator))
        if isinstance(value, int):
            return flint.arb(value)
        return value

    def interval(self, lower: Exact, upper: Exact) -> Any:
        """Return a ball that contains the closed interval ``[lower, upper]``."""
        return self.between(lower, upper)

    def between(self, x: Any, y: Any) -> Any:
        return self.number(x).union(self.number(y))

    @property
    def pi(self) -> Any:
        return flint.arb.pi()

    def exp(self, x: Any) -> Any:
        return self.number(x).exp()

    def expm1(self, x: Any) -> Any:
        return self.number(x).expm1()

    def log(self, x: Any) -> Any:
        return self.number(x).log()

    def log1p(self, x: Any) -> Any:
        return self.number(x).log1p()

    def sqrt(self, x: Any) -> Any:
        return self.number(x).sqrt()

    def maximum(self, *xs: Any) -> Any:
        return functools.reduce(lambda x, y: x.max(y), map(self.number, xs))

    def minimum(self, *xs: Any) -> Any:
        return functools.reduce(lambda x, y: x.min(y), map(self.number, xs))


@dataclass(frozen=True)
class ComplexBall(Ball):
    """Complex balls, for the integrands of rigorous integration.

    ``analytic`` is set while the integrator needs a holomorphic integrand: a logarithm or a root whose argument
    meets its branch cut then becomes indeterminate instead of discontinuous.
    """

    analytic: bool = False

    def number(self, value: Any) -> Any:
        real = super().number(value)
        return real if isinstance(real, flint.acb) else flint.acb(real)

    def log(self, x: Any) -> Any:
        return self.number(x).log(analytic=self.analytic)

    def sqrt(self, x: Any) -> Any:
        return self.number(x).sqrt(analytic=self.analytic)


class IrrationalError(ArithmeticError):
    """A formula left the rational numbers."""


@dataclass(frozen=True)
class Rational(Arithmetic):
    """Exact rationals: the value itself where a formula needs nothing else, IrrationalError where it does."""

    name = "rational"

    def number(self, value: Any) -> Any:
        if value == "infinity":
            raise IrrationalError("expected a rational number, got infinity")
        return Fraction(exact(value))

    @property
    def pi(self) -> Any:
        raise IrrationalError("expected a rational number, got pi")

    def exp(self, x: Any) -> Any:
        raise IrrationalError(f"expected sums, products and quotients, got exp({x})")

    def expm1(self, x: Any) -> Any:
        return self.exp(x)

    def log(self, x: Any) -> Any:
        raise IrrationalError(f"expected sums, products and quotients, got log({x})")

    def log1p(self, x: Any) -> Any:
        return self.log(1 + x)

    def sqrt(self, x: Any) -> Any:
        raise IrrationalError(f"expected sums, products and quotients, got sqrt({x})")

    def maximum(self, *xs: Any) -> Any:
        return max(map(self.number, xs))

    def minimum(self, *xs: Any) -> Any:
        return min(map(self.number, xs))


@dataclass(frozen=True)
class Symbolic(Arithmetic):
    """SymPy expressions: for identities, and for derivatives of a formula that is written elsewhere once."""

    name = "symbolic"

    def number(self, value: Any) -> Any:
        if isinstance(value, str):
            return sympy.oo if value == "infinity" else self.number(exact(value))
        if isinstance(value, Fraction):
            return sympy.Rational(value.numerator, value.denominator)
        return sympy.sympify(value)

    @property
    def pi(self) -> Any:
        return sympy.pi

    def exp(self, x: Any) -> Any:
        return sympy.exp(x)

    def expm1(self, x: Any) -> Any:
        return sympy.exp(x) - 1

    def log(self, x: Any) -> Any:
        return sympy.log(x)

    def log1p(self, x: Any) -> Any:
        return sympy.log(1 + x)

    def sqrt(self, x: Any) -> Any:
        return sympy.sqrt(x)

    def maximum(self, *xs: Any) -> Any:
        return sympy.Max(*xs)

    def minimum(self, *xs: Any) -> Any:
        return sympy.Min(*xs)
