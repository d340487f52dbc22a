"""Exact rational arithmetic: with e^epsilon and p rational, every probability of this paper is a fraction.

Formulas that take ``factor`` = e^epsilon in place of epsilon run in it with zero tolerance; an exponential or a
logarithm has no rational value and raises TypeError.
"""

from fractions import Fraction
from typing import Any, NoReturn

from proofs_numeric.arithmetic import Arithmetic, Number, exact


class Rational(Arithmetic):
    """Fractions; comparisons are exact."""

    name = "rational"

    def number(self, value: Any) -> Fraction:
        return Fraction(exact(value))

    @property
    def pi(self) -> Any:
        return self._irrational("pi")

    def exp(self, x: Number) -> Any:
        return self._irrational(f"exp({x})")

    def expm1(self, x: Number) -> Any:
        return self._irrational(f"expm1({x})")

    def log(self, x: Number) -> Number:
        return self._irrational(f"log({x})")

    def log1p(self, x: Number) -> Any:
        return self._irrational(f"log1p({x})")

    def sqrt(self, x: Number) -> Any:
        return self._irrational(f"sqrt({x})")

    def maximum(self, *xs: Any) -> Any:
        return max(Fraction(x) for x in xs)

    def minimum(self, *xs: Any) -> Any:
        return min(Fraction(x) for x in xs)

    def _irrational(self, what: str) -> NoReturn:
        raise TypeError(f"expected rational operations only, got {what}; pass factor = e^epsilon as a fraction")
