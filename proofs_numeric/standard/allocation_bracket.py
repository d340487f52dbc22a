"""Random allocation: the delta of all outputs between two bounds.

Without the record the likelihood ratio of all outputs is the mean of `X_i = e^(mu z_i - mu^2/2)` over the n steps, with
standard normal `z_i`. With `S = X_1 + ... + X_n` and `K = n e^epsilon` or `n e^-epsilon`

    delta of a record removed = E (S - n e^epsilon)_+ / n = 1 - e^epsilon + E (n e^epsilon - S)_+ / n,
    delta of a record added   = e^epsilon E (n e^-epsilon - S)_+ / n,

the price of an option on a sum. `E (K - S)_+` falls and is convex in each `X_i`. So it is smallest for the law of `X_i`
whose `E (t - X_i)_+` is smallest at every t. A convex function with kinks at multiples of a width is such a price of a
law on these multiples, whose sums are powers of a polynomial:

- at least: between two of these multiples the chord of the price is above it by no more than both tangents allow; the
  chords less that, and of these the largest convex function below them;
- at most: the chords.

Only `X_i >= a` and sums below K count. At most, an `X_i` below a ends the sum at 0: that adds `n K P[X_i < a]`.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import flint

from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.special import integral, normal_cdf, normal_pdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard import inversion
from proofs_numeric.standard.parameters import *
from proofs_numeric.standard.random_allocation import STEPS, largest_output

LEAST = -10
"""Standard score of the least `X_i` that counts."""
WIDTHS = 4096
"""Number of widths up to K."""
FINE = 64
"""Multiples up to this one are all places of the law; beyond, places are this part of themselves apart."""


def _places() -> list[int]:
    """Return the places of the law, in widths."""
    places = [0]
    while places[-1] < WIDTHS:
        places.append(min(WIDTHS, places[-1] + max(1, places[-1] // FINE)))
    return places


PLACES = _places()


class _Put:
    """`E (K - S)_+` for a sum of n, with two laws of its terms on a lattice, in the precision of the context."""

    def __init__(self, top: Any, steps: int, mu: Any) -> None:
        ball = Ball(flint.ctx.prec)
        least = (LEAST * mu - mu * mu / 2).exp()
        below = normal_cdf(ball, flint.arb(LEAST))
        self.steps, self.lost = steps, steps * top * below
        self.width = (top - steps * least) / WIDTHS
        self.prices: list[Any] = []
        self.slopes: list[Any] = []
        for place in PLACES if self.width > 0 else ():
            x = least + place * self.width
            score = (x.log() + mu * mu / 2) / mu
            slope = normal_cdf(ball, score)
            self.slopes.append(slope - below)
            self.prices.append(x * slope - normal_cdf(ball, score - mu) - below * (x - least))
        self.prices = [price - self.prices[0] for price in self.prices]

    @property
    def most(self) -> Any:
        """An upper bound."""
        return self.lost + self._mean(self.prices)

    @property
    def least(self) -> Any:
        """A lower bound."""
        gaps = [self._gap(j) for j in range(len(self.prices) - 1)]
        beside = zip(gaps, [*gaps[1:], flint.arb(0)], strict=True)
        lowered = [price - one.max(other) for price, (one, other) in zip(self.prices[1:], beside, strict=True)]
        scale = flint.arb(2) ** flint.ctx.prec / self.width if self.prices else flint.arb(0)
        return self._mean(_convex_below([0, 0, *(_floor(price * scale) for price in lowered[1:])], scale))

    def _gap(self, j: int) -> Any:
        """At least what the chord from place j to the next is above the price: their tangents are below it."""
        between = self.width * (PLACES[j + 1] - PLACES[j])
        chord = (self.prices[j + 1] - self.prices[j]) / between
        low, high = self.slopes[j], self.slopes[j + 1]
        return between * (chord - low) * (high - chord) / (high - low)

    def _mean(self, prices: Sequence[Any]) -> Any:
        """`E (K - S)_+` for the law with these prices at its places."""
        if not prices:
            return flint.arb(0)
        masses, before = [flint.arb(0)] * WIDTHS, flint.arb(0)
        for j, place in enumerate(PLACES[:-1]):
            chord = (prices[j + 1] - prices[j]) / (self.width * (PLACES[j + 1] - place))
            masses[place], before = chord - before, chord
        saved, flint.ctx.cap = flint.ctx.cap, WIDTHS
        try:
            total = _power(flint.arb_series(masses, prec=WIDTHS), self.steps)
        finally:
            flint.ctx.cap = saved
        return self.width * sum(((WIDTHS - n) * total[n] for n in range(WIDTHS)), flint.arb(0))


def _floor(value: Any) -> int:
    """Return a whole number that is at most a ball, and at least 0."""
    if not value.is_finite():
        return 0
    mantissa, exponent = map(int, value.lower().man_exp())
    return max(0, mantissa << exponent if exponent >= 0 else mantissa >> -exponent)


def _convex_below(values: Sequence[int], scale: Any) -> list[Any]:
    """Return the largest convex function that is below values at the places, divided by a scale."""
    corners: list[int] = []
    for j, value in enumerate(values):
        while len(corners) > 1:
            first, last = corners[-2:]
            rise = (values[last] - values[first]) * (PLACES[j] - PLACES[last])
            if rise < (value - values[last]) * (PLACES[last] - PLACES[first]):
                break
            corners.pop()
        corners.append(j)
    below: list[Any] = []
    for first, last in pairwise(corners):
        slope = Fraction(values[last] - values[first], PLACES[last] - PLACES[first])
        exact = (values[first] + slope * (PLACES[j] - PLACES[first]) for j in range(first, last))
        below += [flint.arb(flint.fmpq(one.numerator, one.denominator)) / scale for one in exact]
    return [*below, flint.arb(values[-1]) / scale]


def _power(base: Any, exponent: int) -> Any:
    """Return a power of a series by squaring; its coefficients stay positive."""
    result = None
    while exponent:
        if exponent % 2:
            result = base if result is None else result * base
        exponent //= 2
        base = base * base if exponent else base
    return result


def _both_orders(A: Arithmetic, bound: str, *, epsilon: Number, sigma: Number, steps: int) -> Any:
    def enclosed(_bits: int, *, epsilon: Any, sigma: Any) -> Any:
        factor, mu = epsilon.exp(), 1 / sigma
        removed, added = (getattr(_Put(steps * each, steps, mu), bound) for each in (factor, 1 / factor))
        return (1 - factor + removed / steps).max(factor * added / steps).max(flint.arb(0)).min(flint.arb(1))

    return inversion.in_balls(A, enclosed, epsilon=epsilon, sigma=sigma)


def from_above(A: Arithmetic, *, epsilon: Number, sigma: Number, steps: int) -> Any:
    """Upper bound on the delta of all outputs, a record removed or added."""
    return _both_orders(A, "most", epsilon=epsilon, sigma=sigma, steps=steps)


def from_below(A: Arithmetic, *, epsilon: Number, sigma: Number, steps: int) -> Any:
    """Lower bound on the same: of the lattice, or of the largest output."""
    lattice = _both_orders(A, "least", epsilon=epsilon, sigma=sigma, steps=steps)
    return A.maximum(lattice, largest_output(A, epsilon=epsilon, sigma=sigma, steps=steps))


def _by_pairs(A: Arithmetic, *, epsilon: Number, sigma: Number, steps: int) -> Any:
    """Two steps: the mass of each place by quadrature of its hat; all pairs of places are added up."""
    factor, mu = A.exp(A.number(epsilon)), 1 / A.number(sigma)
    places = [*range(2 * FINE)]
    while places[-1] < WIDTHS:
        places.append(min(WIDTHS, places[-1] + places[-1] // FINE))
    least = A.exp(LEAST * mu - mu * mu / 2)

    def option(top: Any) -> Any:
        width = (top - steps * least) / WIDTHS
        scores = [(A.log(least + place * width) + mu * mu / 2) / mu for place in places]

        def side(j: int, towards: int) -> Any:
            """Mass between two places that goes to place j: in proportion to how near it is."""
            ends = sorted((scores[j], scores[towards]))
            far = least + places[towards] * width

            def at(_A: Arithmetic, z: Any) -> Any:
                share = (A.exp(mu * z - mu * mu / 2) - far) / (width * (places[j] - places[towards]))
                return share * normal_pdf(A, z)

            return integral(A, at, *ends)

        masses = [side(j, j + 1) + (side(j, j - 1) if j else 0) for j in range(len(places) - 1)]
        lost = steps * top * normal_cdf(A, A.number(LEAST))
        pairs = (
            m * other * (WIDTHS - i - j)
            for m, i in zip(masses, places, strict=False)
            for other, j in zip(masses, places, strict=False)
            if i + j < WIDTHS
        )
        return lost + width * A.sum(pairs)

    removed, added = option(steps * factor), option(steps / factor)
    return max(1 - factor + removed / steps, factor * added / steps)


CLAIMS = (
    own(
        "random_allocation.upper", "random allocation, Gaussian noise, from above",
        "Delta of one epoch of random allocation, a record removed or added, at most",
        r"\max(1 - e^\varepsilon + E(n e^\varepsilon - S)_+/n, e^\varepsilon E(n e^{-\varepsilon} - S)_+/n), \; S = "
        r"\sum_i e^{\mu z_i - \mu^2/2}, \; \mu = 1/\sigma",
        DeltaBound(
            from_above, _by_pairs, points("epsilon sigma steps", ("0.5", 1, 2), (2, "0.6", 2)), exact=from_below,
        ),
        domain=(replace(EPSILON, upper=20), replace(SIGMA, lower="0.3", upper=20), replace(STEPS, upper=10**4)),
        points=({"epsilon": 2, "sigma": "0.7", "steps": 100},), role=Role.UPPER, falls=("epsilon",), cost=40,
        note="The terms of the sum are moved to a lattice. An answer is unsafe below the bound from the other side, or "
        "below `standard.random_allocation`. Deltas below about 1e-20 are bounded only.",
    ),
)  # fmt: skip
