"""Formulas the topics share: tails, Renyi divergences and Gaussian averages, over every arithmetic."""

import functools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from proofs_numeric.arithmetic import Arithmetic, Ball, Float64, MpReal, Number
from proofs_numeric.arithmetic.special import integral, log_normal_cdf, normal_cdf, normal_pdf

Function = Callable[[Arithmetic, Number], Number]


@functools.singledispatch
def window(A: Arithmetic, scale: Number) -> Number:
    """An exact ``R >= |scale|`` beyond which a standard normal's mass is negligible at the arithmetic's precision.

    ``Phi(-R)`` is below ``phi(scale)`` times two to the minus the working bits.
    """
    raise NotImplementedError(A)


@window.register
def _(A: Float64, scale: Any) -> Number:
    return float(np.ceil(np.sqrt(np.max(scale) ** 2 + 80))) + 1


@window.register
def _(A: MpReal, scale: Number) -> Any:
    return A.context.ceil(A.sqrt(scale * scale + 1.4 * A.context.prec)) + 1


@window.register
def _(A: Ball, scale: Any) -> Any:
    scale = A.number(scale)
    reach = (scale * scale + flint.arb(1.4) * A.bits).sqrt().upper().ceil() + 1
    return reach if reach.is_finite() else A.number(0) / 0


def normal_average(A: Arithmetic, function: Function, scale: Number) -> Number:
    """``E[function(A, Z)]``, Z standard normal, for a function with values in [0, 1].

    The integral over ``[-R, R]`` plus, for balls, an enclosure of the rest; ``scale`` tells how far out the average
    gathers its mass (``R`` of :func:`window`).
    """
    reach = window(A, scale)
    return _panels(A, lambda B, u: normal_pdf(B, u) * function(B, u), reach) + _rest(A, normal_cdf(A, -reach))


def _panels(A: Arithmetic, integrand: Function, reach: Number) -> Number:
    cuts = 1 if A.encloses else 8
    width = 2 * reach / cuts
    bits = A.bits // 2 if A.encloses else None
    return A.sum(integral(A, integrand, -reach + i * width, -reach + (i + 1) * width, bits=bits) for i in range(cuts))


def _rest(A: Arithmetic, tail: Number) -> Number:
    """Enclosure of what two tails of mass ``tail`` can add; 0 where the arithmetic does not enclose."""
    return A.between(A.number(0), 2 * tail)


def above_any(A: Arithmetic, count: Number, tail: Number) -> Number:
    """``1 - (1 - tail)^count`` without cancellation."""
    if isinstance(tail, flint.acb) and isinstance(count, int) and not abs(tail) < 0.5:
        return 1 - (1 - tail) ** count  # entire: where 1 - tail meets 0 the logarithm has its branch point
    # A tail that rounds to one in doubles loses nothing: log1p(-1) = -inf, expm1(-inf) = -1.
    with np.errstate(divide="ignore"):
        return -A.expm1(count * A.log1p(-tail))


def gaussian_tail(A: Arithmetic, x: Number) -> Number:
    """``P[N(0,1) > x]``."""
    return normal_cdf(A, -x)


def laplace_profile(A: Arithmetic, *, epsilon: Number, distance: Number) -> Number:
    """Hockey stick of two Laplace laws ``distance`` scales apart: ``max(0, 1 - e^((epsilon - distance)/2))``.

    Exact for ``epsilon >= -distance``.
    """
    return A.maximum(0, -A.expm1((A.number(epsilon) - distance) / 2))


def laplace_renyi(A: Arithmetic, *, alpha: Number, epsilon: Number) -> Number:
    """``D_alpha`` of two Laplace laws ``epsilon`` scales apart, ``alpha > 1`` (Mironov 2017, Table II)."""
    alpha, epsilon = A.number(alpha), A.number(epsilon)
    mean = (alpha * A.exp((alpha - 1) * epsilon) + (alpha - 1) * A.exp(-alpha * epsilon)) / (2 * alpha - 1)
    return A.log(mean) / (alpha - 1)


def two_point_renyi(A: Arithmetic, *, alpha: Number, epsilon: Number, theta: Number) -> Number:
    """``D_alpha`` of an exponential mechanism's extreme pair: log ratio takes two values ``epsilon`` apart.

    The outcome of the larger ratio has mass ``theta`` under Q; ``alpha > 1``.
    """
    alpha, epsilon, theta = A.number(alpha), A.number(epsilon), A.number(theta)
    at_order = A.log1p((1 - theta) * A.expm1(-alpha * epsilon))
    at_one = A.log1p((1 - theta) * A.expm1(-epsilon))
    return (at_order - alpha * at_one) / (alpha - 1)


def two_point_kl(A: Arithmetic, *, epsilon: Number, theta: Number) -> Number:
    """Kullback-Leibler divergence of the pair of :func:`two_point_renyi`."""
    epsilon, theta = A.number(epsilon), A.number(theta)
    total = 1 + (1 - theta) * A.expm1(-epsilon)
    return -A.log(total) - epsilon * (1 - theta) * A.exp(-epsilon) / total


def truncated_renyi_excess(A: Arithmetic, *, alpha: Number, left: Number, right: Number) -> Number:
    """What truncating two unit Gaussians to one half-space adds to ``alpha |mean difference|^2 / 2``.

    ``left`` and ``right`` are the distances of the two means inside the half-space's edge (standard deviations).
    ``[log Phi(x) - alpha log Phi(left) - (1 - alpha) log Phi(right)] / (alpha - 1)``, ``x = alpha left + (1-alpha)
    right``; never positive because ``log Phi`` is concave and ``x`` lies outside the segment.
    """
    alpha, left, right = A.number(alpha), A.number(left), A.number(right)
    beyond = alpha * left + (1 - alpha) * right
    outer = log_normal_cdf(A, beyond)
    return (outer - alpha * log_normal_cdf(A, left) + (alpha - 1) * log_normal_cdf(A, right)) / (alpha - 1)


HALF = Fraction(1, 2)
