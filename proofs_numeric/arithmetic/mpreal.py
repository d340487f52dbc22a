"""mpmath at any number of digits: the value shown to people."""

import functools
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath

from proofs_numeric.arithmetic.arithmetic import Arithmetic, Number, exact

_GUARD_DIGITS = 15


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

    def number(self, value: Number | str) -> Any:
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

    def exp(self, x: Number) -> Any:
        return self.context.exp(x)

    def expm1(self, x: Number) -> Any:
        # With as many more bits as cancel; mpmath's own looks for them, which takes five times as long.
        x, context = self.number(x), self.context
        lost = max(0, -context.mag(x))
        if lost > context.prec:
            return context.expm1(x)
        return context.exp(x, prec=context.prec + lost + 8) - 1

    def log(self, x: Number) -> Any:
        return self.context.log(x)

    def log1p(self, x: Number) -> Any:
        return self.context.log1p(x)

    def sqrt(self, x: Number) -> Any:
        return self.context.sqrt(x)

    def power(self, x: Number, y: Number) -> Any:
        return self.context.power(x, y)

    def maximum(self, *xs: Number) -> Any:
        return max(self.number(x) for x in xs)

    def minimum(self, *xs: Number) -> Any:
        return min(self.number(x) for x in xs)
