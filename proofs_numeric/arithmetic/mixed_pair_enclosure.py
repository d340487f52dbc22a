"""Certified enclosures of hockey sticks of mixed pairs, in balls: by rigorous integration."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import flint
import numpy as np
from scipy import special as scipy_special

from proofs_numeric.arithmetic import Arithmetic, Ball, Number
from proofs_numeric.arithmetic.ball import both
from proofs_numeric.arithmetic.mixed_pair import MixedPair
from proofs_numeric.arithmetic.mixed_pair_quadrature import ROOM, level_roots, log_integral
from proofs_numeric.arithmetic.mixed_pair_trapezoid import exactly, trapezoid
from proofs_numeric.arithmetic.noise_maximum import ConditionalSurvival, log_unreleased
from proofs_numeric.arithmetic.special import integral, normal_cdf

_LOG_2 = math.log(2.0)


def enclosure(A: Ball, pair: MixedPair, *, bits: int | None = None) -> Any:
    """Enclosure of the pair's hockey stick to about ``bits`` bits (default: half the precision)."""
    bits = A.bits // 2 if bits is None else bits  # the other half is left to rounding and to ln g where g is small
    if pair.told_apart_by_release is not None:
        return pair.told_apart_by_release
    least, most = pair.ends
    bracket = least.union(most)
    if bracket.rel_accuracy_bits() >= bits:
        return bracket
    log_size = _log_size(pair, least)
    if not log_size > _LEAST_LOG_SIZE:
        return bracket
    integral = _integrated(A, pair, bits, log_size) + (pair.new if pair.forward else 0)
    return both(bracket, integral)


_LEAST_LOG_SIZE = -5e5
"""Below it (delta < 1e-217147) the window of the quadrature would be too long; the free enclosure is returned."""


def _log_size(pair: MixedPair, least: Any) -> float:
    """About the log of the result, for choosing windows and tolerances only."""
    lower = least.lower()
    log_least = float(lower.log()) if lower > 0 else -math.inf
    return min(0.0, log_integral(pair.in_float64(), log_least))


def _integrated(A: Ball, pair: MixedPair, bits: int, log_size: float) -> Any:
    """Enclosure of the integral to ``2^-bits e^log_size``."""
    log_error = _WINDOWS * math.ceil((bits * _LOG_2 - log_size) / _WINDOWS)
    reach = math.sqrt(2 * log_error) + 1
    cut = _cut(pair, log_error)
    centre = 0.0 if pair.forward else -float(pair.mu_2)
    window = centre - reach, centre + reach
    cut_off = window[0], window[1] if cut is None else min(window[1], cut)

    def known_to(x: float) -> int:
        return math.ceil((log_error - min(0.0, float(_log_g(pair, x)))) / _LOG_2) + 8

    if not cut_off[0] < cut_off[1]:
        return A.number(0).union(A.number(1))
    start = window[0]
    if not pair.kinked:
        # In reverse the integrand is not small where silence is rare, and is small where it is likely.
        start = window[0] if pair.forward else _start(pair, cut_off, log_error)
        some = start, cut_off[1] if pair.forward else window[1]
        trapezoids = trapezoid(A, pair, some, bits, log_size, known_to(some[1]))
        if trapezoids is not None:
            return trapezoids[2] + _left_out(A, pair, window[0], start, *trapezoids[:2], known_to(some[1]))
    accuracy = known_to(cut_off[1])
    low, high = map(_dyadic, (start, cut_off[1]))
    left_out = _left_out(A, pair, window[0], start, low, high, accuracy)
    rule = _rule(A.bits, pair.l, *exactly(pair.b), accuracy)

    def integrand(C: Arithmetic, x: Number) -> Any:
        return pair.integrand(C, x, rule(C, pair.t - pair.slope * x))

    scale = _dyadic(log_size).exp()
    parts = _parts(A, pair, rule, (low, high), math.exp(-log_error / 2)) if pair.kinked else None
    if parts is None:
        return integral(A, integrand, low, high, bits=bits, scale=scale) + left_out

    def smooth(C: Arithmetic, x: Number) -> Any:
        return pair.difference(C, x, rule(C, pair.t - pair.slope * x))

    within = [integral(A, smooth, *part, bits=bits, scale=scale) for part in parts.positive]
    around = [(right - left) * integrand(A, left.union(right)) for left, right in parts.kinks]
    return left_out + A.sum([*within, *around])


def _start(pair: MixedPair, window: tuple[float, float], log_error: float) -> float:
    """In reverse: where the level, which is concave, falls to what is too high to matter; else the window's start."""
    rough, x = pair.in_float64(), np.linspace(*window, 1025)
    matters = float(rough.mu_1) * (math.sqrt(2 * log_error) + float(rough.mu_1) / 2)
    high = np.flatnonzero(rough.level(x, _log_g(pair, x)) >= matters)
    return float(x[min(high[-1], len(x) - 2)]) if high.size and high[0] == 0 else window[0]


def _left_out(A: Ball, pair: MixedPair, first: float, start: float, low: Any, high: Any, bits: int) -> Any:
    """The integral outside of [low, high], low at about ``start``; before it, in reverse, from ``first`` on.

    There the level is concave, so at least the smaller of those at both ends, and HS(mu, level) is at most
    ``Phi(mu/2 - level/mu)``.
    """
    if not first < start:
        return _outside(A, pair, low, high, bits)
    rule = _rule(A.bits, pair.l, *exactly(pair.b), bits)
    levels = [pair.level(x, A.log(rule(A, pair.t - pair.slope * x))) for x in (_dyadic(first), low)]
    before = normal_cdf(A, pair.mu_1 / 2 - A.minimum(*levels) / pair.mu_1)
    return _outside(A, pair, _dyadic(first), high, bits) + A.number(0).union(before)


def _outside(A: Ball, pair: MixedPair, low: Any, high: Any, bits: int) -> Any:
    """The integral beyond both ends of a window, g known to about ``2^-bits``."""
    shift = 0 if pair.forward else pair.mu_2
    left = A.number(0).union(normal_cdf(A, low + shift))
    # g falls, and 1 - e^level <= HS <= 1.
    silent = A.maximum(0, _rule(A.bits, pair.l, *exactly(pair.b), bits)(A, pair.t - pair.slope * high))
    rare = silent * normal_cdf(A, -high)
    if pair.forward:
        return left + A.number(0).union(rare)
    most: Any = normal_cdf(A, -(high + shift))
    return left + most.union(A.maximum(0, most - A.exp(pair.epsilon) * rare))


@dataclass(frozen=True)
class _Parts:
    """Where the difference of the densities is positive, and short intervals around its changes of sign."""

    positive: list[tuple[Any, Any]]
    kinks: list[tuple[Any, Any]]


def _parts(A: Ball, pair: MixedPair, rule: _Memory, window: tuple[Any, Any], width: float) -> _Parts | None:
    """The window parted where the level of a pair with ``mu_1 = 0`` changes sign; None where a sign is not certain.

    ``ln g`` is concave (g is a mean over X of a function log-concave in x and X together), so the level, in reverse its
    negative, is convex: below 0 between two points where it is, and above 0 beyond a point where it is while on the
    other side it falls below.
    """

    def convex(x: Number) -> Any:
        level = pair.level(x, A.log(rule(A, pair.t - pair.slope * x)))
        return level if pair.forward else -level

    kinks = [_narrowed(convex, root, width) for root in level_roots(pair.in_float64(), *map(float, window))]
    ends = [window[0], *(end for kink in kinks for end in kink), window[1]]
    if not all(left < right for left, right in itertools.pairwise(ends)):
        return None
    positive = []
    for place, (left, right) in enumerate(zip(ends[::2], ends[1::2], strict=True)):
        at_left, at_right = convex(left), convex(right)
        below = at_left < 0 and at_right < 0
        above = (place > 0 and at_left > 0) or (place < len(kinks) and at_right > 0)
        if not below and not above:
            return None
        if below if pair.forward else above:
            positive.append((left, right))
    return _Parts(positive, kinks)


def _narrowed(function: Callable[[Any], Any], root: float, width: float) -> tuple[Any, Any]:
    """Ends of certainly opposite signs around a root, about ``width`` apart; both the root itself where there are none.

    Signs that the precision does not tell stop the bisection early.
    """
    left, right = _dyadic(root - ROOM), _dyadic(root + ROOM)
    rises = function(right) > 0
    if not (function(left) < 0 if rises else function(left) > 0 and function(right) < 0):
        return _dyadic(root), _dyadic(root)
    while right - left > width:
        middle = ((9 * left + 7 * right) / 16).mid()  # no root is likely to be met exactly
        value = function(middle)
        if value > 0:
            left, right = (left, middle) if rises else (middle, right)
        elif value < 0:
            left, right = (middle, right) if rises else (left, middle)
        else:
            break
    return left, right


_WINDOWS = 4.0
"""Windows are those of logarithms of errors rounded up to multiples of it, so that pairs that differ in j share g."""


@dataclass(frozen=True)
class _Memory:
    """g of pairs with l new counters and b: pairs that differ in j alone ask for the same values."""

    survival: ConditionalSurvival
    values: dict[Any, Any]

    def __call__(self, A: Arithmetic, t: Any) -> Any:
        key = (type(t), exactly(t.real), exactly(t.imag))
        if key not in self.values:
            self.values[key] = self.survival(A, t)
        return self.values[key]


@functools.lru_cache(maxsize=64)
def _rule(precision: int, l: int, middle: Any, radius: Any, bits: int) -> _Memory:
    with Ball(precision) as A:
        b = A.number(flint.arb(flint.arb(middle), flint.arb(radius)))
        return _Memory(ConditionalSurvival(A, l, b, bits), {})


def _cut(pair: MixedPair, log_error: float) -> float | None:
    """Mean x (a short double) beyond which "no new counter" is too rare to matter, or None within the window."""
    extra = 0.0 if pair.forward else max(0.0, float(pair.epsilon))

    def rare(x: Any) -> Any:
        return extra + _log_g(pair, x) + scipy_special.log_ndtr(-x) < -log_error

    high = math.sqrt(2 * log_error)
    if not rare(high) or _log_g(pair, high) > -8:
        return None
    last = math.ceil(high)
    whole = last - np.count_nonzero(rare(np.arange(1.0 - last, last)))
    return float(whole - np.count_nonzero(rare(whole - np.arange(1, 64) / 64)) / 64)


def _log_g(pair: MixedPair, x: Any) -> Any:
    return log_unreleased(l=pair.l, t=float(pair.t) - float(pair.slope) * x, b=float(pair.b))


def _dyadic(value: float) -> Any:
    return flint.arb(value)
