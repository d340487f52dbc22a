"""Exact rationals: the value itself where a formula needs nothing else."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic.arithmetic import Arithmetic, Number, exact


class IrrationalError(ArithmeticError):
    """A formula left the rational numbers."""


@dataclass(frozen=True)
class Rational(Arithmetic):
    """Exact rationals: the value itself where a formula needs nothing else, IrrationalError where it does."""

    name = "rational"

    def number(self, value: Any) -> Any:
        if type(value) is Fraction:
            return value
        if value == "infinity":
            raise IrrationalError("expected a rational number, got infinity")
        return Fraction(exact(value))

    @property
    def pi(self) -> Any:
        raise IrrationalError("expected a rational number, got pi")

    def exp(self, x: Number) -> Any:
        raise IrrationalError(f"expected sums, products and quotients, got exp({x})")

    def expm1(self, x: Number) -> Any:
        return self.exp(x)

    def log(self, x: Number) -> Any:
        raise IrrationalError(f"expected sums, products and quotients, got log({x})")

    def log1p(self, x: Number) -> Any:
        return self.log(1 + x)

    def sqrt(self, x: Number) -> Any:
        raise IrrationalError(f"expected sums, products and quotients, got sqrt({x})")

    def maximum(self, *xs: Number) -> Any:
        return max(map(self.number, xs))

    def minimum(self, *xs: Number) -> Any:
        return min(map(self.number, xs))
