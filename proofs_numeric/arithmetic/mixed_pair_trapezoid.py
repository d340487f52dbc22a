"""Certified enclosures of hockey sticks of mixed pairs with ``mu_1 > 0``, by the trapezoidal rule in the mean x.

The integrand F of `pair_stick` is a sum of two terms, a density times ``Phi(+-mu_1/2 - level/mu_1)``, and holds g, all
as functions of ``z = x + iy``.  Let ``c = l s^2/(1 + l b^2)``, s the slope of g's threshold in x.

1. P[no new counter | x] is the chance of a convex set, in the coordinates ``w = (X_1, ..., X_l, X) - x v`` one that
   does not depend on x; the shortest such v has ``|v|^2 = c``.  So with ``xi = v.w + c x``, of the normal w + x v
   conditioned on the set, ``g(x + iy) = g(x) e^{c y^2/2} E[e^{-iy xi}]``, and on the real line ``(ln g)' = -E xi``,
   ``(ln g)'' = Var xi - c``.
2. ln g is concave (`mixed_pair_enclosure`), so ``Var xi <= c``, and with ``m = -(ln g)'``, which rises by at most c,
   ``E[e^{-iy xi}] = e^{-iym} (1 + theta)``, ``|theta| <= q = c y^2/2``.  Where ``q < 1`` g has no zero: F is analytic
   there, ``ln |g(z)| - ln g(x)`` lies between ln(1 - q) and q, and arg g(z) within ``asin q <= pi q/2`` of ``-ym``.
3. ``|Phi(u + iv)| <= min(e^{v^2/2} Phi(u), 1 + e^{v^2/2} Phi(-u))`` (`noise_maximum`), here ``|v| <= (|y| |m - mu_2| +
   pi q/2)/mu_1``; and ``|phi(z)| = e^{y^2/2} phi(x)``.  So |F| is bounded by values of g on the real line.
4. With step h, the nodes in a rectangle ``[left, right] x [-a, a]`` whose ends are half a step from the outermost: the
   residues of ``F(z) cot(pi z/h)/(2i)`` sum to the rule, and cot is -i above and i below the real line but for at most
   ``2/(e^{2 pi a/h} - 1)`` at the top and the bottom and ``2 e^{-2 pi |y|/h}`` at the sides.  So the rule errs on
   [left, right] by at most ``2/(e^{2 pi a/h} - 1)`` of the integral of the bound over the top, and the integrals of ``2
   e^{-2 pi y/h}`` of it up both sides, y from 0 to a.
"""

import functools
import itertools
import math
from dataclasses import dataclass
from typing import Any

import flint
import numpy as np

from proofs_numeric.arithmetic.arithmetic import Arithmetic
from proofs_numeric.arithmetic.ball import Ball
from proofs_numeric.arithmetic.float64 import Float64
from proofs_numeric.arithmetic.mixed_pair import MixedPair
from proofs_numeric.arithmetic.noise_maximum import LatticeSurvival, log_unreleased
from proofs_numeric.arithmetic.special import log_normal_cdf

_LOG_2 = math.log(2.0)
_MOST_NODES = 2**10
"""More, where the level bends more sharply, cost more than panels do, but where g is needed to more than these bits."""
_FEWEST_NODES = 12
_LARGEST_REACH = 10**5
"""Bits of g beyond which its own rule is long."""
_PANELS = 128
"""Parts of the window in which F's bound is constant."""
_SIDE = 16
"""Parts of a half side."""


@dataclass(frozen=True)
class Strip:
    """Bounds of F at ``x_0 <= Re z <= x_1``, ``|Im z| <= y``, from ln g at both ends and m between m_0 and m_1."""

    pair: MixedPair
    x_0: Any
    x_1: Any
    log_g_0: Any
    log_g_1: Any
    m_0: Any
    m_1: Any

    def logs(self, A: Arithmetic, y: Any, c: Any) -> tuple[Any, Any]:
        """Logarithms of bounds of both terms."""
        pair = self.pair
        q, mu_2 = c * y * y / 2, pair.mu_2
        less, more = A.log1p(-q), q  # of ln |g|
        losses = mu_2 * self.x_0 + mu_2 * mu_2 / 2, mu_2 * self.x_1 + mu_2 * mu_2 / 2
        if pair.forward:
            low = pair.epsilon - losses[1] - self.log_g_0 - more
            high = pair.epsilon - losses[0] - self.log_g_1 - less
        else:
            low = pair.epsilon + losses[0] + self.log_g_1 + less
            high = pair.epsilon + losses[1] + self.log_g_0 + more
        turn = A.maximum(self.m_1 - mu_2, mu_2 - self.m_0)
        growth = ((y * turn + A.pi * q / 2) / pair.mu_1) ** 2 / 2

        def log_phi(side: int) -> Any:
            half = side * pair.mu_1 / 2
            direct = growth + log_normal_cdf(A, half - low / pair.mu_1)
            return A.minimum(direct, A.log1p(A.exp(growth + log_normal_cdf(A, high / pair.mu_1 - half))))

        def log_density(shift: Any) -> Any:
            nearest = A.maximum(0, self.x_0 + shift, -self.x_1 - shift)
            return (y * y - nearest * nearest) / 2

        larger, smaller = log_density(0) + self.log_g_0 + more, log_density(mu_2)
        first, second = (larger, smaller) if pair.forward else (smaller, larger)
        return first + log_phi(1), pair.epsilon + second + log_phi(-1)


def trapezoid(
    A: Ball, pair: MixedPair, window: tuple[float, float], bits: int, log_size: float, reach: int
) -> tuple[Any, Any, Any] | None:
    """The integral over about a window, to ``2^-bits e^log_size``; the ends, and the integral between them.

    Args:
        A: balls.
        pair: with ``mu_1 > 0``.
        window: in x; the ends are moved by at most a step.
        bits: accuracy asked for; what is reached is in the enclosure.
        log_size: about the logarithm of the result.
        reach: bits to which g is needed absolutely.

    Returns:
        None where too many nodes are needed, or g is not known.

    """
    a, h = _height_and_step(pair.in_float64(), window, bits * _LOG_2 - log_size)
    if not (window[1] - window[0]) <= h * max(_MOST_NODES, reach) or reach > _LARGEST_REACH:
        return None
    first, last = math.floor(window[0] / h), math.ceil(window[1] / h)
    step, number = flint.arb(h), flint.arb
    silence = _lattice(A.bits, pair.l, *map(exactly, (pair.t, pair.b, pair.slope * step)), bits + 8, reach)
    g = {i: silence(i) for i in range(first - 1, last + 2)}
    total = A.sum(pair.integrand(A, step * i, g[i]) for i in range(first, last + 1))
    c = curvature(pair)

    def strip(i: int, j: int) -> Strip:
        log_0, log_1, c_w = g[i].log(), g[j].log(), c * (j - i) * step
        mean = (log_0 - log_1) / ((j - i) * step)
        return Strip(pair, step * i, step * j, log_0, log_1, (mean - c_w).max(number(0)), mean + c_w)

    def bound(part: Strip, y: Any) -> Any:
        return sum((log.exp() for log in part.logs(A, y, c)), number(0)) / (2 * A.pi).sqrt()

    stride = max(1, (last - first) // _PANELS)
    ends = [*range(first - 1, last + 1, stride), last + 1]
    top = A.sum((j - i) * step * bound(strip(i, j), number(a)) for i, j in itertools.pairwise(ends))
    part = number(a) / _SIDE
    sides = A.sum(
        part * (-2 * A.pi * part * k / step).exp() * bound(strip(i, i + 1), part * (k + 1))
        for k in range(_SIDE)
        for i in (first - 1, last)
    )
    error = 2 * top / (2 * A.pi * number(a) / step).expm1() + 2 * sides
    half = step / 2
    return step * first - half, step * last + half, step * total + number(0, error.upper())


def curvature(pair: MixedPair) -> Any:
    """What ``-(ln g)''`` is at most, c."""
    return pair.l * pair.slope * pair.slope / (1 + pair.l * pair.b * pair.b)


def _height_and_step(pair: MixedPair, window: tuple[float, float], log_error: float) -> tuple[float, float]:
    """Half-height of the rectangle and step, such that the error is about ``e^-log_error``; the largest step."""
    width = window[1] - window[0]
    x = np.linspace(window[0] - 2 * width / _FEWEST_NODES, window[1] + 2 * width / _FEWEST_NODES, 321)
    log_g = log_unreleased(l=pair.l, t=pair.t - pair.slope * x, b=float(pair.b))
    c = float(curvature(pair))

    def step(a: Any, spacing: float) -> Any:
        """At half-heights a, of the bounds on parts of this width, those beyond the window too."""
        ends = np.arange(window[0] - 1.5 * spacing, window[1] + 2 * spacing, spacing)
        logs_g = np.interp(ends, x, log_g)
        mean, around = -np.diff(logs_g) / spacing, c * spacing
        part = Strip(pair, ends[:-1], ends[1:], logs_g[:-1], logs_g[1:], np.maximum(mean - around, 0), mean + around)
        with np.errstate(all="ignore"):
            logs = np.logaddexp(*part.logs(Float64(), a[..., None], c))
        return 2 * math.pi * a / (log_error + np.fmax(0.0, np.max(logs, axis=-1) + math.log(width)) + 3)

    best = 0.0, 0.0
    heights, least = min(8.0, math.sqrt(2 / c)) * 0.75 ** np.arange(0.5, 24), width / _PANELS
    for a, spacing in zip(heights, np.clip(step(heights, least), least, width / _FEWEST_NODES), strict=True):
        if spacing > best[1] and (h := min(float(step(a, spacing)), float(spacing))) > best[1]:
            best = float(a), h
    mantissa, exponent = math.frexp(best[1])
    return best[0], math.ldexp(math.floor(mantissa * 16) / 16, exponent)


def exactly(x: Any) -> tuple[Any, Any]:
    """A ball's middle and radius."""
    return x.mid().man_exp(), x.rad().man_exp()


@functools.lru_cache(maxsize=64)
def _lattice(precision: int, l: int, t: Any, b: Any, step: Any, bits: int, reach: int) -> Any:
    """Pairs that differ in j alone share g."""
    with Ball(precision) as A:
        t, b, step = (flint.arb(flint.arb(middle), flint.arb(radius)) for middle, radius in (t, b, step))
        return functools.cache(LatticeSurvival(A, l, t, b, step, bits, reach))
