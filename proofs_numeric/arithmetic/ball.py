"""Arb's balls: a rigorous enclosure, the only arithmetic that verdicts rest on."""

import functools
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

import flint

from proofs_numeric.arithmetic.arithmetic import Arithmetic, Exact, Number, exact

_BALLS = flint.arb, flint.acb
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

    def number(self, value: Number | str) -> Any:
        if isinstance(value, _BALLS):  # the most frequent first
            return value
        if isinstance(value, int):
            return flint.arb(value)
        if isinstance(value, str):
            if value == "infinity":
                return flint.arb.pos_inf()
            value = exact(value)
        if isinstance(value, int | Fraction):
            return flint.arb(flint.fmpq(value.numerator, value.denominator))
        return flint.arb(value) if isinstance(value, float) else value

    def interval(self, lower: Exact, upper: Exact) -> Any:
        """Return a ball that contains the closed interval ``[lower, upper]``."""
        return self.between(lower, upper)

    def between(self, x: Number, y: Number) -> Any:
        return self.number(x).union(self.number(y))

    @property
    def pi(self) -> Any:
        return flint.arb.pi()

    def exp(self, x: Number) -> Any:
        return self.number(x).exp()

    def expm1(self, x: Number) -> Any:
        return self.number(x).expm1()

    def log(self, x: Number) -> Any:
        return self.number(x).log()

    def log1p(self, x: Number) -> Any:
        return self.number(x).log1p()

    def sqrt(self, x: Number) -> Any:
        return self.number(x).sqrt()

    def maximum(self, *xs: Number) -> Any:
        return functools.reduce(flint.arb.max, map(self.number, xs))

    def minimum(self, *xs: Number) -> Any:
        return functools.reduce(flint.arb.min, map(self.number, xs))


@dataclass(frozen=True)
class ComplexBall(Ball):
    """Complex balls, for the integrands of rigorous integration.

    ``analytic`` is set while the integrator needs a holomorphic integrand: a logarithm or a root whose argument
    meets its branch cut then becomes indeterminate instead of discontinuous.
    """

    analytic: bool = False

    def number(self, value: Number | str) -> Any:
        real = super().number(value)
        return real if isinstance(real, flint.acb) else flint.acb(real)

    def log(self, x: Number) -> Any:
        return self.number(x).log(analytic=self.analytic)

    def sqrt(self, x: Number) -> Any:
        return self.number(x).sqrt(analytic=self.analytic)


class ContradictionError(Exception):
    """Two certified enclosures of one number do not meet: the code behind one of them is wrong.

    No ArithmeticError: where those mean "undefined here", this must not be one of them.
    """


def both(x: Any, y: Any) -> Any:
    """The intersection of two balls of one number; an indeterminate ball says nothing.

    Raises:
        ContradictionError: they do not meet.
    """
    if not (x.is_finite() and y.is_finite()):
        return x if x.is_finite() else y
    if not x.overlaps(y):
        raise ContradictionError(
            f"expected two enclosures of one number to meet, got {x} and {y}; report it as a defect"
        )
    return x.intersection(y)
