"""Exact hockey stick of pair N6: k counters at the threshold with shared noise, all changed; enclosed in balls.

Everything in units of sigma, counts less tau*: noisy counts are ``c + Z + X_i``, Z ~ N(0, 1/gamma), gamma = sqrt(k),
X_i ~ N(0, 1), and those that are not above 0 are held back.  The first law P has the count c + d, the second Q has c.

1. Which s counters pass, and the sum u of what passes, is sufficient.  With W = c + Z and f_s the s-fold convolution of
   ``e^{-y^2/2}`` on y > 0, the density of (s, u) is ``binom(k, s) (2 pi)^{-s/2} f_s(u) E[Phi(-W)^{k-s}
   e^{W u - s W^2/2}]``.  The change tilts the law of W by ``e^{gamma d W}``, so the likelihood ratio of P to Q is
   monotone in u: it rises if d > 0 and falls if d < 0.  One cut in u is best for each s.
2. ``f_s' = f_{s-1} - (u/s) f_s``, so ``f_s(u) = e^{-u^2/2} u^{s-1} sum_m p_{s,m} u^{2m}`` with ``(2m + s - 1) p_{s,m} =
   p_{s-1,m} + (1 - 1/s) p_{s,m-1}``: positive terms, nothing cancels, and ``p_{s,m} <= 1/(2^m m! (s-1)!)``.
3. Integrals over u by Gauss-Legendre panels.  ``|f_s(u)| <= |u|^{s-1} e^{Im(u)^2/2 - Re(u)^2/(2s)}/(s-1)!`` and
   ``e^{w x - x^2/(2s)} <= e^{s w^2/2}``, so on an ellipse a density is at most ``binom(k, s) (2 pi)^{-s/2} |u|^{s-1}
   e^{Im(u)^2/2}/(s-1)!``; N nodes err by 64/15 of that times half the panel times ``rho^{-2N}/(1 - rho^{-2})``:
   Chebyshev coefficients are at most ``2 rho^{-n}`` of it, and the rule errs by at most 2 + 2/15 on even n >= 2N >= 4.
"""

import functools
import math
from fractions import Fraction
from typing import Any

import flint
import numpy as np
from scipy import special

from mechanisms.correlated_stability_histogram.laws.shared_noise_rule import (
    Densities,
    Goal,
    SharedNoise,
    find_cut,
    logs,
    missed,
)
from proofs_numeric.arithmetic import Ball, Number
from proofs_numeric.arithmetic.ball import both
from proofs_numeric.arithmetic.special import normal_cdf

_RHO = 4
"""Ellipse of a panel: nodes err by 16^-N."""
_HALF_PANEL = 4


def all_changed_delta(*, k: int, count: Fraction, change: Fraction, epsilon: Number, bits: int) -> Any:
    """Ball for ``sup P(S) - e^epsilon Q(S)``, good to about ``bits`` bits where it is large enough.

    Args:
        k: counters, and the sparsity bound of the shared noise.
        count: c, a count of Q less tau*, in units of sigma.
        change: d, what the counts of P have more; of either sign, not 0.
        epsilon: at least 0, a ball or an exact number.
        bits: accuracy asked for.
    """
    with Ball(bits) as A:
        gamma = A.sqrt(A.number(k))
        goal = Goal.below(A, abs(A.number(change)) * A.sqrt(k * gamma / (k + gamma)), epsilon)
    if goal.out_of_reach:
        return goal.bracket
    with goal.arithmetic as A:
        return both(_Laws(A, k, count, change, A.number(epsilon), goal.log_error).delta(), goal.bracket)


@functools.lru_cache(maxsize=64)
def _series(s: int, terms: int, bits: int) -> Any:
    """``sum_m p_{s,m} y^m`` to ``terms`` terms (step 2)."""
    with Ball(bits) as A:
        row = [A.number(1)] + [A.number(0)] * (terms - 1)
        for size in range(2, s + 1):
            share, before, new_row = A.number(Fraction(size - 1, size)), A.number(0), []
            for m in range(terms):
                before = (row[m] + share * before) / (2 * m + size - 1)
                new_row.append(before)
            row = new_row
        return flint.arb_poly(row)


def convolved(A: Ball, s: int, u: Number) -> Any:
    """``f_s(u)`` for u > 0: s-fold convolution of ``exp(-y^2/2)`` on y > 0."""
    if s == 1:
        return A.exp(-u * u / 2)
    below = s * normal_cdf(A, -u / A.sqrt(A.number(s * (s - 1))))
    if below * 2**A.bits < 1:  # nearly a normal density: the restriction to positive parts hardly matters
        whole = (2 * A.pi) ** (A.number(s - 1) / 2) / A.sqrt(A.number(s)) * A.exp(-u * u / (2 * s))
        return whole * A.between(1 - below, 1)
    half = u * u / 2
    terms = 1 << math.ceil(math.log2(3 * float(half) + 1.5 * A.bits))
    rest = half**terms / (A.number(terms + 1).gamma() * math.factorial(s - 1) * (1 - half / (terms + 1)))
    return A.exp(-half) * u ** (s - 1) * (_series(s, terms, A.bits)(u * u) + A.between(0, rest))


@functools.lru_cache(maxsize=64)
def _gauss_legendre(nodes: int, bits: int) -> list[tuple[Any, Any]]:
    with Ball(bits):
        return [flint.arb.legendre_p_root(nodes, i, weight=True) for i in range(nodes)]


class _Laws:
    """Both laws of (s, u)."""

    def __init__(self, A: Ball, k: int, count: Fraction, change: Fraction, epsilon: Number, log_error: float) -> None:
        self.A, self.k, self.epsilon, self.factor = A, k, epsilon, A.exp(epsilon)
        self.sign, self.log_error = 1 if change > 0 else -1, log_error
        self.means = A.number(count + change), A.number(count)
        self.noise = SharedNoise(A, k=k, means=self.means, counters=k, log_error=log_error)

    def delta(self) -> Any:
        """Hockey stick of all outputs."""
        p, q = self.noise.beyond
        return self.A.sum(self._part(s) for s in range(self.k + 1)) + self.A.between(-self.factor * q, p)

    def _part(self, s: int) -> Any:
        """Hockey stick of the outputs in which s counters pass."""
        A, noise = self.A, self.noise
        shape = [math.comb(self.k, s) * normal_cdf(A, -w) ** (self.k - s) * A.exp(-s * w * w / 2) for w in noise.nodes]
        p, q = ([x * y for x, y in zip(shape, weights, strict=True)] for weights in noise.weights)
        if s == 0:
            return A.maximum(0, noise.error * A.sum(p) - self.factor * noise.error * A.sum(q))
        of_p, of_q = map(flint.arb_poly, (p, q))
        scale = (2 * A.pi) ** (-A.number(s) / 2)

        def densities(u: Number) -> tuple[Any, Any]:
            common = A.exp(noise.nodes[0] * u) * scale * convolved(A, s, u)
            ratio = A.exp(noise.step * u)
            return of_p(ratio) * common, of_q(ratio) * common

        w, log_p, log_q = np.array([float(node) for node in noise.nodes]), logs(p), logs(q)

        def log_ratio(u: float) -> float:
            return float(special.logsumexp(log_p + w * u) - special.logsumexp(log_q + w * u))

        reach = math.sqrt(2 * self.log_error * (s + s * s / math.sqrt(self.k)))
        middles = [s * float(mean) for mean in self.means]
        low = max(0.0, min(middles) - reach)
        window = low, max(low + 1, max(middles) + reach)
        cut = find_cut(log_ratio, float(self.epsilon), window, self.sign)
        event = (cut, window[1]) if self.sign > 0 else (window[0], cut)
        in_p, in_q = (noise.error * mass for mass in self._masses(s, densities, *event))
        missing_mass = missed(A, self.factor, densities, cut, window, self.sign)
        return in_p - self.factor * in_q + self._outside(s, *window) + missing_mass

    def _masses(self, s: int, densities: Densities, low: float, high: float) -> tuple[Any, Any]:
        """Probabilities of the event under P and Q, by panels (step 3)."""
        A, rho = self.A, self.A.number(_RHO)
        if not low < high:
            return A.number(0), A.number(0)
        panels = math.ceil((high - low) / (2 * _HALF_PANEL))
        start, end = A.number(Fraction(low)), A.number(Fraction(high))
        half = (end - start) / (2 * panels)
        wide, tall = half * (rho + 1 / rho) / 2, half * (rho - 1 / rho) / 2
        largest = math.comb(self.k, s) * (2 * A.pi) ** (-A.number(s) / 2) / math.factorial(s - 1)
        largest = largest * (end + wide) ** (s - 1) * A.exp(tall * tall / 2)
        largest = largest * A.number(64) / 15 * half * panels / (1 - rho**-2)
        count = max(2, math.ceil((float(largest.log()) + self.log_error) / (2 * math.log(_RHO))))
        totals = [A.number(0), A.number(0)]
        for panel in range(panels):
            for x, weight in _gauss_legendre(count, A.bits):
                density_values = densities(start + half * (2 * panel + 1 + x))
                totals = [
                    total + half * weight * density for total, density in zip(totals, density_values, strict=True)
                ]
        error = largest * rho ** (-2 * count) * A.between(-1, 1)
        p, q = (total + error * A.sum(weights) for total, weights in zip(totals, self.noise.weights, strict=True))
        return p, q

    def _outside(self, s: int, low: float, high: float) -> Any:
        """What sums outside the window may add: s normals that nothing holds back are there no less often."""
        A = self.A
        spread = A.sqrt(s + s * s / A.sqrt(A.number(self.k)))

        def at_most(mean: Number) -> Number:
            above = normal_cdf(A, (s * mean - A.number(Fraction(high))) / spread)
            below = normal_cdf(A, (A.number(Fraction(low)) - s * mean) / spread) if low > 0 else 0
            return math.comb(self.k, s) * (above + below)

        p, q = map(at_most, self.means)
        return A.between(-self.factor * q, p)
