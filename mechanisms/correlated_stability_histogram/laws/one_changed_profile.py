"""Exact hockey stick of pair N4: two counters at the threshold, one of them changed, beside far ones; in balls.

Everything in units of sigma, counts less tau*: counter a has c_a + d under the first law P and c_a under the second Q,
counter b has c_b under both, and ``m = k - 2`` unchanged ones are far above the threshold.  Noise is Z + X_i, Z ~
N(0, 1/gamma), gamma = sqrt(k), X_i ~ N(0, 1); a and b are held back unless above 0.  For epsilon >= 0:

1. What passes beside the far counters tells Z like one normal observation more: its mean M given both is N(0, v_M), and
   Z is N(M, v) given M, ``v = 1/(gamma + m + 1)``, ``v_M = 1/gamma - v``.  The residual R of the counter that passes is
   N(r M, w^2) given M, ``r = 1/(gamma v_M)``, ``w^2 = 1 + 1/gamma - r/gamma``: R = r M if m = 0.
2. b passes: given M it is independent of a, which is N(c_a + M, s^2), ``s^2 = 1 + v``, and shown if above 0.  The best
   event given M is a tail of a's residual on the side of d, from ``x* = epsilon s^2/d + d/2`` or from the threshold's
   ``-c_a - M``, whichever is larger; if d < 0 the latter is "a is held back", worth showing from some M on only.
3. a alone passes: M is from its count under Q, ``M' = M - d v`` under P, b is held back with probability ``g(M) =
   Phi(-(c_b + M)/s)``, and ``ln p/q = d (R - M) - (1 - v) d^2/2 + ln g(M') - ln g(M)``.  Given M the best event is a
   tail of R with a known end Y*(M), cut at R = -c_a; there the ratio falls in M if d > 0 and rises if d < 0 (given a's
   count it is a posterior mean of ``e^{-d Z}``, and Z is stochastically increasing in M).
4. Neither passes: the far counters' mean is sufficient; its likelihood ratio falls if d > 0, to less than 1 everywhere,
   and rises if d < 0.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import flint
import numpy as np
from scipy import special

from mechanisms.correlated_stability_histogram.laws.shared_noise_rule import (
    UNBOUNDED,
    Goal,
    SharedNoise,
    find_cut,
    inside,
    logs,
    missed,
)
from proofs_numeric.arithmetic import Arithmetic, Ball, Float64, Number
from proofs_numeric.arithmetic.ball import both
from proofs_numeric.arithmetic.roots import increasing_root
from proofs_numeric.arithmetic.special import integral, normal_cdf, normal_pdf

_Law = Callable[[Any, Any], Any]
"""Density in M, in any arithmetic."""


def one_changed_delta(
    *, k: int, count: Fraction, beside: Fraction, change: Fraction, epsilon: Number, bits: int
) -> Any:
    """Ball for ``sup P(S) - e^epsilon Q(S)``, good to about ``bits`` bits where it is large enough.

    Args:
        k: counters, at least 2, and the sparsity bound of the shared noise.
        count: c_a, less tau*, in units of sigma.
        beside: c_b, the same for the unchanged counter.
        change: d, of either sign, not 0.
        epsilon: at least 0, a ball or an exact number.
        bits: accuracy asked for.
    """
    with Ball(bits) as A:
        goal = Goal.below(A, abs(A.number(change)) * A.sqrt(1 - 1 / (k + A.sqrt(A.number(k)))), epsilon)
    if goal.out_of_reach:
        return goal.bracket
    with goal.arithmetic as A:
        laws = _Laws(A, k, count, beside, change, A.number(epsilon), goal)
        return both(laws.b_passes() + laws.a_alone() + laws.neither(), goal.bracket)


class _Laws:
    """Both laws in one arithmetic."""

    def __init__(
        self, A: Ball, k: int, count: Fraction, beside: Fraction, change: Fraction, epsilon: Number, goal: Goal
    ) -> None:
        self.A, self.k, self.far, self.goal = A, k, k - 2, goal
        self.a, self.b, self.d = A.number(count), A.number(beside), A.number(change)
        self.sign, self.epsilon, self.factor = 1 if change > 0 else -1, epsilon, A.exp(epsilon)
        gamma = A.sqrt(A.number(k))
        self.v = 1 / (gamma + self.far + 1)
        self.width = A.sqrt(1 / gamma - self.v)
        self.slope = 1 / (gamma * self.width**2)
        self.w = A.sqrt(1 + (1 - self.slope) / gamma) if self.far else A.number(0)
        self.s = A.sqrt(1 + self.v)
        self.reach = A.number(Fraction(math.sqrt(2 * goal.log_error)))
        # Of P, and of Q times e^epsilon, where |M| is beyond its window.
        rest = 2 * normal_cdf(A, -self.reach)
        self.beyond = A.between(-self.factor * rest, rest)

    def _mean(self, A: Arithmetic, m: Number) -> Any:
        """Density of M."""
        return normal_pdf(A, m / self.width) / self.width

    def _integral(self, p: _Law, q: _Law, low: Any, high: Number) -> Number:
        """``int p - e^epsilon q``, 0 where the ends are reversed."""

        def integrand(A: Arithmetic, m: Number) -> Any:
            return p(A, m) - self.factor * q(A, m)

        return integral(self.A, integrand, low.min(high), high, bits=self.goal.bits, scale=self.goal.scale)

    def b_passes(self) -> Any:
        """Step 2."""
        A, best = self.A, self.epsilon * self.s**2 / self.d + self.d / 2
        low, high = -self.reach * self.width, self.reach * self.width
        if not self.far:
            low = low.max(-self.b / self.slope)
        kink = (-self.a - best).min(high)

        def law(moved: Number, end: Callable[[Any], Any]) -> _Law:
            def density(C: Arithmetic, m: Number) -> Any:
                passes = normal_cdf(C, (self.b + self.slope * m) / self.w) if self.far else 1
                return self._mean(C, m) * passes * normal_cdf(C, self.sign * (moved - end(m)) / self.s)

            return density

        still, missing_mass = A.number(0), A.number(0)
        near = law(self.d, lambda m: -self.a - m), law(still, lambda m: -self.a - m)
        beyond_kink = law(self.d, lambda m: best + 0 * m), law(still, lambda m: best + 0 * m)
        start = low
        if self.sign < 0:

            def log_ratio(m: float) -> float:
                x = -float(self.a) - m
                p, q = special.log_ndtr(np.array([x - float(self.d), x]) / float(self.s))
                return float(p - q)

            window = math.nextafter(float(low), -math.inf), float(kink)
            if window[0] < window[1]:
                cut = find_cut(log_ratio, float(self.epsilon), window, 1)
                start = low if cut == window[0] else A.number(Fraction(cut))
                missing_mass = missed(A, self.factor, lambda m: (near[0](A, m), near[1](A, m)), cut, window, 1)
        return (
            self._integral(*near, start, kink)
            + self._integral(*beyond_kink, kink.max(low), high)
            + missing_mass
            + self.beyond
        )

    def _tail(self, C: Arithmetic, m: Number) -> Number:
        """``g(M)``."""
        return normal_cdf(C, -(self.b + m) / self.s)

    def _log_held(self, m: float) -> float:
        return float(special.log_ndtr(-(float(self.b) + m) / float(self.s)))

    def _of_p(self, C: Arithmetic, m: Number) -> Any:
        """Density of M under P, b held back."""
        moved = m - self.d * self.v
        return self._mean(C, moved) * self._tail(C, moved)

    def _of_q(self, C: Arithmetic, m: Number) -> Any:
        return self._mean(C, m) * self._tail(C, m)

    def _end(self, C: Arithmetic, m: Number) -> Any:
        """``Y*(M)``."""
        loss = self.epsilon + C.log(self._tail(C, m)) - C.log(self._tail(C, m - self.d * self.v))
        return m + (1 - self.v) * self.d / 2 + loss / self.d

    def _densities_beyond(self, end: _Law) -> tuple[_Law, _Law]:
        """Both densities of M where R is beyond ``end``, on the side of d, and above the threshold."""

        def law(mean: _Law, moved: Number) -> _Law:
            def density(C: Arithmetic, m: Number) -> Any:
                middle = self.slope * (m - moved * self.v) + moved
                tail = normal_cdf(C, self.sign * (middle - end(C, m)) / self.w)
                if self.sign < 0:
                    tail = tail - normal_cdf(C, (-self.a - middle) / self.w)
                return mean(C, m) * tail

            return density

        return law(self._of_p, self.d), law(self._of_q, self.A.number(0))

    def a_alone(self) -> Any:
        """Step 3."""
        A, shift, width = self.A, abs(float(self.d * self.v)), float(self.width)
        low = -math.ceil((float(self.reach) * width + shift) * 64) / 64

        def rarity(m: float) -> float:
            """Log of the chance that is left out, over that of M above m and b held back nevertheless."""
            return float(special.log_ndtr(-float(self.reach)) - special.log_ndtr(-m / width)) - self._log_held(m)

        end = float(increasing_root(Float64(), rarity, low, -low))
        high = math.ceil((end + shift) * 64) / 64
        least = A.number(Fraction(high)) - abs(self.d * self.v)
        rest = self._tail(A, least) * normal_cdf(A, -least / self.width)
        delta = self._a_and_far(low, high) if self.far else self._a_only(low, high)
        return delta + A.between(-self.factor * rest, rest) + self.beyond

    def _a_and_far(self, low: float, high: float) -> Any:
        A, window = self.A, (low, high)

        def log_ratio(m: float) -> float:
            """Of p to q at R = -c_a."""
            a, d, v = float(self.a), float(self.d), float(self.v)
            return d * (-a - m) - (1 - v) * d * d / 2 + self._log_held(m - d * v) - self._log_held(m)

        cut = find_cut(log_ratio, float(self.epsilon), window, -self.sign)
        inner = inside(cut, window, -self.sign)
        outermost, innermost = window[:: -self.sign]
        outer_ball, inner_ball = A.number(Fraction(cut)), A.number(Fraction(inner))
        # R = -c_a is worth showing iff Y* is not on its far side.
        outer_room, inner_room = (self.sign * (-self.a - self._end(A, m)) for m in (outer_ball, inner_ball))
        if not ((cut == outermost or outer_room <= 0) and (inner == innermost or inner_room >= 0)):
            return UNBOUNDED
        between = outer_ball.union(inner_ball)
        p, q = (density(A, between) for density in self._densities_beyond(lambda C, m: self._end(C, m).union(-self.a)))
        delta = (p - self.factor * q) * abs(inner_ball - outer_ball)
        last = A.number(Fraction(high))
        if self.sign < 0:
            return delta + self._integral(*self._densities_beyond(self._end), inner_ball, last)
        whole = self._densities_beyond(lambda _C, m: -self.a + 0 * m)  # R > -c_a, all of it
        return (
            delta
            + self._integral(*whole, A.number(Fraction(low)), inner_ball)
            + self._integral(*self._densities_beyond(self._end), outer_ball, last)
        )

    def _a_only(self, low: float, high: float) -> Any:
        """M tells R: the ratio is monotone in M."""
        A, shift = self.A, float(self.d * self.v)
        start, stop = (-self.a / self.slope).max(A.number(Fraction(low))), A.number(Fraction(high))
        window = math.nextafter(float(start), -math.inf), high
        if not window[0] < high:
            return A.number(0)

        def log_ratio(m: float) -> float:
            squares = (m * m - (m - shift) ** 2) / (2 * float(self.width) ** 2)
            return squares + self._log_held(m - shift) - self._log_held(m)

        cut = find_cut(log_ratio, float(self.epsilon), window, self.sign)
        middle = start if cut == window[0] else A.number(Fraction(cut))
        ends = (middle, stop) if self.sign > 0 else (start, middle)

        def densities(m: Number) -> tuple[Any, Any]:
            return self._of_p(A, m), self._of_q(A, m)

        missing_mass = missed(A, self.factor, densities, cut, window, self.sign)
        return self._integral(self._of_p, self._of_q, *ends) + missing_mass

    def neither(self) -> Any:
        """Step 4."""
        A, m = self.A, self.far
        if self.sign > 0:
            return A.number(0)
        noise = SharedNoise(A, k=self.k, means=(0, 0), counters=self.k, log_error=self.goal.log_error)
        (beyond, _same), (weights, _equal) = noise.beyond, noise.weights
        still = [x * normal_cdf(A, -self.b - z) for x, z in zip(weights, noise.nodes, strict=True)]
        p, q = (
            [x * normal_cdf(A, -self.a - moved - z) for x, z in zip(still, noise.nodes, strict=True)]
            for moved in (self.d, 0)
        )
        rest = A.between(-self.factor * beyond, beyond)
        if not m:
            return A.maximum(0, noise.error * A.sum(p) - self.factor * noise.error * A.sum(q)) + rest
        root = A.sqrt(A.number(m))
        of_p, of_q = (
            flint.arb_poly([x * A.exp(-m * z * z / 2) for x, z in zip(law, noise.nodes, strict=True)]) for law in (p, q)
        )

        def densities(r: Number) -> tuple[Any, Any]:
            common, ratio = root * normal_pdf(A, root * r) * A.exp(m * r * noise.nodes[0]), A.exp(m * r * noise.step)
            return of_p(ratio) * common, of_q(ratio) * common

        z = np.array([float(node) for node in noise.nodes])
        log_p, log_q = logs(p) - m * z * z / 2, logs(q) - m * z * z / 2

        def log_ratio(r: float) -> float:
            return float(special.logsumexp(log_p + m * r * z) - special.logsumexp(log_q + m * r * z))

        spread = A.sqrt(1 / A.sqrt(A.number(self.k)) + A.number(1) / m)
        end = math.ceil(float(self.reach * spread) * 64) / 64
        cut = find_cut(log_ratio, float(self.epsilon), (-end, end), 1)
        passes = [normal_cdf(A, root * (z - A.number(Fraction(cut)))) for z in noise.nodes]
        in_p, in_q = (noise.error * A.sum(x * y for x, y in zip(law, passes, strict=True)) for law in (p, q))
        missing_mass = missed(A, self.factor, densities, cut, (-end, end), 1)
        return in_p - self.factor * in_q + rest + self.beyond + missing_mass
