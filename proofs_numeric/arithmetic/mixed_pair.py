"""A pair with new and shared counters in one arithmetic: its parameters, privacy-loss level, and integrand.

The letters are those of `pair_stick`: x is the mean of the shared outputs in its own deviations.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import flint

from proofs_numeric.arithmetic import Arithmetic, ComplexBall, Float64, Number
from proofs_numeric.arithmetic.special import normal_cdf, normal_pdf


def squared_distance(*, d: Any, j: Any, ratio: Any) -> Any:
    """Squared distance at ``own = 1`` when j of d shared counters change: ``j - j^2/(d + ratio)``, nothing cancels."""
    return j * (d - j + ratio) / (d + ratio)


def distances(A: Arithmetic, *, own: Number, ratio: Number, d: int, j: int | Fraction) -> tuple[Any, Any]:
    """``mu_1, mu_2``, along the change and along the mean, when j of d > 0 shared counters change."""
    mean = A.number(j) / d * A.sqrt(d * ratio / (d + ratio))
    return A.sqrt(A.number(j * (d - j)) / d) / own, mean / own


@dataclass(frozen=True)
class MixedPair:
    """A pair (l, j) beside ``d`` shared counters, ``l, d > 0``.

    Attributes:
        own, ratio: scale of each noise, and how many times its variance is that of the shared noise.
        new: probability that some new counter is released, A_l.
        silent: probability that none is.
        gaussian: hockey stick of the shared counters alone.
        forward: whether the neighbour with the larger counts comes first.
    """

    l: int
    d: int
    j: int
    A: Arithmetic
    epsilon: Any
    own: Any
    gap: Any
    ratio: Any
    new: Any
    silent: Any
    gaussian: Any
    forward: bool

    @functools.cached_property
    def mu_1(self) -> Any:
        return distances(self.A, own=self.own, ratio=self.ratio, d=self.d, j=self.j)[0]

    @functools.cached_property
    def mu_2(self) -> Any:
        return distances(self.A, own=self.own, ratio=self.ratio, d=self.d, j=self.j)[1]

    @functools.cached_property
    def t(self) -> Any:
        return self.gap / self.own

    @functools.cached_property
    def slope(self) -> Any:
        return self.A.sqrt(self.d / (self.ratio * (self.ratio + self.d)))

    @functools.cached_property
    def b(self) -> Any:
        return 1 / self.A.sqrt(self.ratio + self.d)

    def in_float64(self) -> MixedPair:
        """The same pair in doubles."""
        A = Float64()
        names = ("epsilon", "own", "gap", "ratio", "new", "silent", "gaussian")
        return replace(self, A=A, **{name: A.number(float(getattr(self, name))) for name in names})

    @functools.cached_property
    def ends(self) -> tuple[Any, Any]:
        """What the hockey stick lies between, without an integral (`pair_stick`)."""
        A = self.A
        if self.forward:
            return A.maximum(self.new, self.gaussian), self.new + self.silent * self.gaussian
        rise = A.expm1(self.epsilon)
        low = A.maximum(self.gaussian, self.new - rise * self.silent, 0)
        return A.minimum(low, 1), A.minimum(self.gaussian + (1 + rise) * self.new, 1)

    @functools.cached_property
    def told_apart_by_release(self) -> Any:
        """The hockey stick where no shared counter changes and the level leaves to silence one sign; None elsewhere."""
        A = self.A
        if self.j == 0 and self.forward and self.epsilon >= 0:
            return self.new
        if self.j == 0 and not self.forward and self.epsilon <= 0:  # 1 - e^epsilon g is never below 0
            return self.new * A.exp(self.epsilon) - A.expm1(self.epsilon)
        return None

    def level(self, x: Number, log_g: Number) -> Any:
        """Privacy-loss level left to the change, at mean x."""
        loss = self.mu_2 * x + self.mu_2 * self.mu_2 / 2 + log_g
        return self.epsilon - loss if self.forward else self.epsilon + loss

    def integrand(self, A: Arithmetic, x: Number, g: Number, *, kinked: bool | None = None) -> Any:
        """Integrand (without ``A_l``), as if mu_1 were 0 where ``kinked``."""
        level = self.level(x, A.log(g))
        density, other = self.densities(A, x, g)
        if self.kinked if kinked is None else kinked:
            # HS(0, level), in a form whose sign a wide ball still knows.
            return density * _positive_part(A, -A.expm1(level))
        first = density * normal_cdf(A, self.mu_1 / 2 - level / self.mu_1)
        return first - A.exp(self.epsilon) * other * normal_cdf(A, -self.mu_1 / 2 - level / self.mu_1)

    def difference(self, A: Arithmetic, x: Number, g: Number) -> Any:
        """What the integrand is the positive part of where ``mu_1 = 0``."""
        density, other = self.densities(A, x, g)
        return density - A.exp(self.epsilon) * other

    def densities(self, A: Arithmetic, x: Number, g: Number) -> tuple[Any, Any]:
        """Densities of the mean when no new counter is released: under the neighbour that comes first, and second."""
        larger, smaller = normal_pdf(A, x) * g, normal_pdf(A, x + self.mu_2)
        return (larger, smaller) if self.forward else (smaller, larger)

    @property
    def kinked(self) -> bool:
        """Whether the shared outputs tell through their mean alone: the integrand is then a positive part."""
        return self.j in {0, self.d}


def _positive_part(A: Arithmetic, x: Any) -> Any:
    if isinstance(A, ComplexBall):
        return x.real_max(flint.acb(0), analytic=A.analytic)
    return A.maximum(0, x)
