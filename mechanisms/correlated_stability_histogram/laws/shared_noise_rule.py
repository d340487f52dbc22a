"""Laws that share noise, in balls: the noise on finitely many nodes, and the best cut of a monotone likelihood ratio.

1. Given the shared noise W ~ N(mean, 1/gamma) counters are independent.  Where the rest of the integrand is a product
   of normal densities and distribution functions of W with squared slopes of sum n, the trapezoidal rule of step h
   errs by at most ``theta = 2 e^{L a^2/2} / (e^{2 pi a/h} - 1)`` times the integral, ``L = gamma + n``, for every a,
   because ``|Phi(x + iy)| <= e^{y^2/2} Phi(x)`` (proofs_numeric.arithmetic.noise_maximum has the steps).
2. Where the ratio R of two laws is monotone in u, the best event is one side of a cut.  A cut t a little outside the
   best one adds ``int (p - e^eps q) <= 0`` between them: at most ``(e^eps q - p)`` there times the distance to any
   point on the other side.  Both sides are certified, so nothing rests on how the cut was found.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

from proofs_numeric.arithmetic import Ball, Float64, Number
from proofs_numeric.arithmetic.roots import increasing_root
from proofs_numeric.arithmetic.special import gaussian_profile, normal_cdf, normal_pdf

Densities = Callable[[Any], tuple[Any, Any]]
"""Values proportional to both laws' densities at u, by one factor."""
UNBOUNDED = flint.arb(0).union(flint.arb.pos_inf())
"""The whole line."""
_LOG_2 = math.log(2.0)
_SPARE = 12
"""Bits by which a result may be smaller than it would be if no counter were held back."""
_LARGEST_LOG_ERROR = 120.0
_MARGIN = 1e-10
"""Half-width of the certified bracket of a cut, relative to 1 + |cut|."""


@dataclass(frozen=True)
class Goal:
    """How accurate a hockey stick is wanted.

    Attributes:
        bracket: an enclosure that costs nothing.
        bits: relative accuracy.
        log_error: minus the logarithm of the probabilities that may be left out.
    """

    bracket: Any
    bits: int
    log_error: float

    @classmethod
    def below(cls, A: Ball, mu: Number, epsilon: Number) -> Goal:
        """Return the goal for counters that would be at distance ``mu`` if nothing were held back."""
        profile = gaussian_profile(A, A.number(epsilon), mu)
        log_size = float(profile.upper().log()) if profile.is_finite() and profile > 0 else -math.inf
        return cls(profile.union(0), A.bits, (A.bits + _SPARE) * _LOG_2 - log_size + float(epsilon))

    @property
    def out_of_reach(self) -> bool:
        """Whether only what is known will be returned: below 1e-37 or so."""
        return self.log_error > _LARGEST_LOG_ERROR

    @property
    def arithmetic(self) -> Ball:
        """Balls that hold such accuracy."""
        return Ball(math.ceil(self.log_error / _LOG_2) + 64)

    @property
    def scale(self) -> Any:
        """What a negligible part is small against."""
        return self.bracket.upper() * flint.arb(2) ** -_SPARE


class SharedNoise:
    """The shared noise under two laws, on the nodes of one trapezoidal rule.

    Attributes:
        step: distance of the nodes.
        nodes: values of W.
        weights: masses of the nodes, under each law.
        error: ``1 +- theta``: integrals are sums times it.
        beyond: for each law, the most that W outside the nodes adds to a probability.
    """

    def __init__(self, A: Ball, *, k: int, means: tuple[Any, Any], counters: int, log_error: float) -> None:
        """Nodes for an error of about ``e^-log_error``; ``counters`` is n of step 1."""
        gamma = A.sqrt(A.number(k))
        scale, curvature = A.sqrt(gamma), gamma + counters
        step = _short(math.sqrt(2 * math.pi**2 / (log_error * float(curvature))))
        reach, middles = math.sqrt(2 * log_error / float(gamma)), [float(mean) for mean in means]
        first, last = math.floor((min(middles) - reach) / step), math.ceil((max(middles) + reach) / step)
        self.step = A.number(Fraction(step))
        self.nodes = [self.step * place for place in range(first, last + 1)]
        mass = self.step * scale
        self.weights = tuple([mass * normal_pdf(A, scale * (w - mean)) for w in self.nodes] for mean in means)
        a = 2 * A.pi / (self.step * curvature)
        theta = 2 * A.exp(curvature * a * a / 2) / A.expm1(2 * A.pi * a / self.step)
        self.error = 1 + A.between(-theta, theta)
        self.beyond = tuple(
            normal_cdf(A, scale * (self.nodes[1] - mean)) + normal_cdf(A, scale * (mean - self.nodes[-2]))
            for mean in means
        )


def logs(law: list[Any]) -> NDArray[np.float64]:
    """Logarithms of positive balls as doubles, where doubles hold them and where they do not."""
    return np.array([float(x.mid().log()) if x.mid() > 0 else -math.inf for x in law])


def find_cut(log_ratio: Callable[[float], float], epsilon: float, window: tuple[float, float], sign: int) -> float:
    """About where a ratio that rises (sign 1) or falls (-1) crosses ``e^epsilon``, a little outside the best event.

    The event is ``u > cut`` where the ratio rises, ``u < cut`` where it falls; an end of the window where that is all
    of it, or nothing.
    """

    def excess(u: float) -> float:
        return sign * (log_ratio(u) - epsilon)

    if excess(window[0]) >= 0:
        return window[0]
    if excess(window[1]) <= 0:
        return window[1]
    root = float(increasing_root(Float64(), excess, *window))
    return float(min(window[1], max(window[0], root - sign * _MARGIN * (1 + abs(root)))))


def inside(cut: float, window: tuple[float, float], sign: int) -> float:
    """Return the point as far inside the best event as the cut is outside."""
    return min(window[1], max(window[0], cut + sign * 2 * _MARGIN * (1 + abs(cut))))


def missed(A: Ball, factor: Number, densities: Densities, cut: float, window: tuple[float, float], sign: int) -> Any:
    """What a better cut in the window would add (step 2); unbounded unless the best one is certified to be near."""
    outermost, innermost = window[::sign]
    inner = inside(cut, window, sign)
    ends = A.number(Fraction(cut)), A.number(Fraction(inner))
    (cut_p, cut_q), (inner_p, inner_q) = map(densities, ends)
    outside_is_worse = cut == outermost or cut_p <= factor * cut_q
    inside_is_better = inner == innermost or inner_p >= factor * inner_q
    if not (outside_is_worse and inside_is_better):
        return UNBOUNDED
    p, q = densities(A.between(*ends))
    return A.between(0, A.maximum(0, factor * q - p) * abs(ends[1] - ends[0]))


def _short(value: float) -> float:
    """Value cut to ten bits, so that its multiples are exact."""
    mantissa, exponent = math.frexp(value)
    return math.ldexp(math.floor(mantissa * 1024) / 1024, exponent)
