"""Certified enclosures of hockey sticks of mixed pairs, in balls: step 4 of `exact_pair` by rigorous integration."""

from __future__ import annotations

import math
from typing import Any

import flint
from scipy import special as scipy_special

from proofs_numeric.arithmetic import Arithmetic, Ball, Float64
from proofs_numeric.lebeda2025.mixed_pair import MixedPair
from proofs_numeric.lebeda2025.mixed_pair_quadrature import quadrature
from proofs_numeric.lebeda2025.noise_maximum import ConditionalSurvival, log_unreleased
from proofs_numeric.special import integral, normal_cdf

_LOG_2 = math.log(2.0)


def enclosure(A: Ball, pair: MixedPair, *, bits: int | None = None) -> Any:
    """Enclosure of the pair's hockey stick to about ``bits`` bits (default: half the precision)."""
    bits = A.bits // 2 if bits is None else bits  # the other half is left to rounding and to ln g where g is small
    if pair.forward:
        least = A.maximum(pair.new, pair.gaussian)
        known = least.union(pair.new + (1 - pair.new) * pair.gaussian)
        if pair.j == 0 and pair.epsilon >= 0:
            return pair.new
    else:
        # The event "shared counters alone", and the whole space.
        least = A.maximum(pair.gaussian, 1 - A.exp(pair.epsilon) * (1 - pair.new), 0)
        known = least.union(A.number(1))
    if known.rel_accuracy_bits() >= bits:
        return known
    log_size = _log_size(pair, least)
    if not log_size > _LEAST_LOG_SIZE:
        return known
    found = _integrated(A, pair, bits, log_size) + (pair.new if pair.forward else 0)
    return known.intersection(found) if found.is_finite() and found.overlaps(known) else known


_LEAST_LOG_SIZE = -5e5
"""Below it (delta < 1e-217147) the window of the quadrature would be too long; the free enclosure is returned."""


def _log_size(pair: MixedPair, least: Any) -> float:
    """About the log of the result, for choosing windows and tolerances only."""
    lower = least.lower()
    log_least = float(lower.log()) if lower > 0 else -math.inf
    rough = float(quadrature(Float64(), pair.in_float64()))
    return min(0.0, max(log_least, math.log(rough) if rough > 0 else -math.inf))


def _integrated(A: Ball, pair: MixedPair, bits: int, log_size: float) -> Any:
    """Enclosure of the integral of step 4 to ``2^-bits e^log_size``."""
    log_error = bits * _LOG_2 - log_size
    reach = _dyadic(math.sqrt(2 * log_error) + 1)
    cut = _cut(pair, log_error)
    mu_2 = pair.mu_2
    low = -reach if pair.forward else -reach - mu_2
    high = reach if pair.forward else reach - mu_2
    tail = normal_cdf(A, -reach)
    left_out = A.number(0).union(2 * tail)
    log_least = 0.0
    if cut is not None:
        cut_ball = _dyadic(cut)
        high = high.min(cut_ball)
        log_least = min(
            0.0, float(log_unreleased(l=pair.l, t=float(pair.t) - float(pair.slope) * cut, b=float(pair.b)))
        )
        # Beyond the cut g is at most its value there, and 1 - e^level <= HS <= 1.
        rule = ConditionalSurvival(A, pair.l, pair.b, math.ceil((log_error - log_least) / _LOG_2) + 8)
        g_cut = A.maximum(0, rule(A, pair.t - pair.slope * cut_ball))
        beyond = A.number(0).union(g_cut * normal_cdf(A, -cut_ball))
        if pair.forward:
            left_out = left_out + beyond
        else:
            left_out = left_out + normal_cdf(A, -(cut_ball + mu_2)) - A.exp(pair.epsilon) * beyond
    rule = ConditionalSurvival(A, pair.l, pair.b, math.ceil((log_error - log_least) / _LOG_2) + 8)

    def integrand(C: Arithmetic, x: Any) -> Any:
        return pair.integrand(C, x, rule(C, pair.t - pair.slope * x))

    if not low < high:
        return left_out + A.number(0).union(A.number(1))
    return integral(A, integrand, low, high, bits=bits, scale=_dyadic(math.exp(max(log_size, -700.0)))) + left_out


def _cut(pair: MixedPair, log_error: float) -> float | None:
    """Mean x (a short double) beyond which "no new counter" is too rare to matter, or None within the window."""
    l, t, slope, b = pair.l, float(pair.t), float(pair.slope), float(pair.b)
    extra = 0.0 if pair.forward else max(0.0, float(pair.epsilon))

    def log_rest(x: float) -> float:
        return extra + float(log_unreleased(l=l, t=t - slope * x, b=b)) + float(scipy_special.log_ndtr(-x))

    low, high = -math.sqrt(2 * log_error), math.sqrt(2 * log_error)
    if log_rest(high) >= -log_error or log_unreleased(l=l, t=t - slope * high, b=b) > -8:
        return None
    for _step in range(24):
        middle = (low + high) / 2
        low, high = (low, middle) if log_rest(middle) < -log_error else (middle, high)
    return math.ceil(high * 64) / 64


def _dyadic(value: float) -> Any:
    return flint.arb(value)
