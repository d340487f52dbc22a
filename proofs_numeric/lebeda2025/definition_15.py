"""Definition 15: the discrete Gaussian, its masses and tails in every arithmetic."""

import functools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import discrete_gaussian_tail_bound
from proofs_numeric.lebeda2025.parameters import stated
from proofs_numeric.statements.kinds import Definition


@functools.lru_cache(maxsize=64)
def terms(bits: int, sigma: float) -> int:
    """Integers on one side after which ``exp(-x^2/(2 sigma^2))`` is below ``2^-bits``."""
    return math.ceil(sigma * math.sqrt(2 * math.log(2) * (bits + 16))) + 3


class DiscreteGaussian:
    """The law N_Z(0, scale^2) in one arithmetic: masses at ``-n..n`` and tails, all enclosures for balls."""

    def __init__(self, A: Arithmetic, scale: Number) -> None:
        self.A, self.count = A, terms(A.bits, float(scale))
        rate = 1 / (2 * A.number(scale) * scale)
        half = [A.exp(-A.number(x * x) * rate) for x in range(self.count + 1)]
        beyond = discrete_gaussian_tail_bound(A, scale, self.count + 1)
        self.total = half[0] + 2 * A.sum(half[1:]) + 2 * beyond
        self._half = half
        tail, self._tails = beyond, [beyond]
        for x in range(self.count, 0, -1):
            tail = tail + half[x]
            self._tails.append(tail)
        self._tails.reverse()  # index x - 1: sum over integers >= x, for x = 1 .. count + 1

    def pmf(self, x: int) -> Any:
        """``P[V = x]``; beyond the table an enclosure of it for balls, 0 otherwise (the tail's)."""
        x = abs(x)
        return self._half[x] / self.total if x <= self.count else self._tails[-1] / self.total

    def survival(self, x: int) -> Any:
        """``P[V >= x]``, accurate in the upper tail."""
        if x <= 0:
            return 1 - self.survival(1 - x)
        return self._tails[min(x - 1, self.count)] / self.total

    def mean(self, f: Callable[[int], Any]) -> Any:
        """``E[f(V)]`` for f with values in [0, 1]; what lies beyond the table is enclosed."""
        inside = self.A.sum(self.pmf(x) * f(x) for x in range(-self.count, self.count + 1))
        return self.A.between(inside, inside + 2 * self.survival(self.count + 1))


def _small_discrete_gaussian(case: tuple[Fraction, tuple[Fraction, ...]]) -> bool:
    """Whether weights at 0, 1, 2 relative to each other are those of Definition 15 (compared in logs, exactly)."""
    variance, exponents = case
    return all(exponent == Fraction(-x * x) / (2 * variance) for x, exponent in enumerate(exponents))


CLAIMS = (
    stated(
        "def15", "Definition 15", "the discrete Gaussian", r"P[x] \propto \exp(-x^2/(2\sigma^2)), x \in \mathbb{Z}",
        Definition(
            _small_discrete_gaussian,
            (
                (Fraction(1, 2), (Fraction(0), Fraction(-1), Fraction(-4))),
                (Fraction(2), (Fraction(0), Fraction(-1, 4))),
            ),
            ((Fraction(1, 2), (Fraction(0), Fraction(-1), Fraction(-2))),),
        ),
    ),
)  # fmt: skip
