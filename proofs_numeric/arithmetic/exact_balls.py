"""Balls in which sums, differences, products and quotients of rationals stay exact, so that a tie is a tie."""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint

from proofs_numeric.arithmetic.arithmetic import Number
from proofs_numeric.arithmetic.ball import Ball
from proofs_numeric.arithmetic.special import as_fraction

_MAX_BITS = 512
"""Bits of a numerator or denominator beyond which a number is an ordinary ball."""


class _Exact(flint.arb):
    """A ball that holds its rational number."""

    rational: Fraction

    def __neg__(self) -> Any:
        return _ball_of(-self.rational)


def _ball_of(number: Fraction) -> _Exact:
    ball = _Exact(flint.fmpq(number.numerator, number.denominator))
    ball.rational = number
    return ball


def _rational_of(value: Any) -> Fraction | None:
    """The rational number that a value is, if it is known to be one of few bits."""
    if isinstance(value, _Exact):
        return value.rational
    if isinstance(value, int | Fraction):
        return Fraction(value)
    if isinstance(value, flint.arb) and value.is_exact() and value.bits() <= _MAX_BITS:
        return as_fraction(value)
    return None


def _rationals_of(values: tuple[Any, ...]) -> list[Fraction] | None:
    rationals = [rational for value in values if (rational := _rational_of(value)) is not None]
    return rationals if len(rationals) == len(values) else None


def _operation(name: str, of_rationals: Callable[[Fraction, Fraction], Fraction]) -> Callable[[_Exact, Any], Any]:
    of_balls = getattr(flint.arb, name)

    def result(self: _Exact, other: Any) -> Any:
        operand = _rational_of(other)
        if operand is None or (name == "__truediv__" and not operand) or (name == "__rtruediv__" and not self.rational):
            return of_balls(self, other)
        rational = of_rationals(self.rational, operand)
        small = max(abs(rational.numerator), rational.denominator).bit_length() <= _MAX_BITS
        return _ball_of(rational) if small else of_balls(self, other)

    return result


def _reflected(of: Callable[[Fraction, Fraction], Fraction]) -> Callable[[Fraction, Fraction], Fraction]:
    return lambda x, y: of(y, x)


for _name in ("add", "sub", "mul", "truediv"):
    _of = getattr(operator, _name)
    setattr(_Exact, f"__{_name}__", _operation(f"__{_name}__", _of))
    setattr(_Exact, f"__r{_name}__", _operation(f"__r{_name}__", _reflected(_of)))


@dataclass(frozen=True)
class ExactBalls(Ball):
    """Balls of which those of rationals hold their number, up to a size; slower than `Ball`."""

    def number(self, value: Number | str) -> Any:
        return _ball_of(value) if isinstance(value, Fraction) else super().number(value)

    def maximum(self, *xs: Number) -> Any:
        rationals = _rationals_of(xs)
        return super().maximum(*xs) if rationals is None else _ball_of(max(rationals))

    def minimum(self, *xs: Number) -> Any:
        rationals = _rationals_of(xs)
        return super().minimum(*xs) if rationals is None else _ball_of(min(rationals))
