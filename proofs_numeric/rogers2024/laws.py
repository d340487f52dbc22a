"""Formulas the topics share: tails, Renyi divergences and Gaussian averages, over every arithmetic."""

import functools
from collections.abc import Callable
from typing import Any

import flint
import numpy as np

from proofs_numeric.arithmetic import MpReal, special
from proofs_numeric.arithmetic.special import integral, normal_cdf, normal_pdf
from proofs_numeric.expression import Function as Named
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.parameters import *

Function = Callable[[Arithmetic, Number], Number]
distance, theta, left, right = symbols("distance theta left right")


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
    inside = in_panels(A, lambda B, u: normal_pdf(B, u) * function(B, u), -reach, reach)
    return inside + A.between(A.number(0), 2 * normal_cdf(A, -reach))


def in_panels(
    A: Arithmetic, integrand: Function, start: Any, end: Any, *, cuts: tuple[int, int] = (8, 1), part_of_bits: int = 2
) -> Number:
    """Integral in so many panels, the second number where it is enclosed, to that part of the bits."""
    number, bits = (cuts[1], A.bits // part_of_bits) if A.encloses else (cuts[0], None)
    width = (end - start) / number
    return A.sum(integral(A, integrand, start + i * width, start + (i + 1) * width, bits=bits) for i in range(number))


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


some_of = Named("some_of", above_any)
"""``1 - (1 - tail)^count`` of a count and a tail."""
laplace_tail = Named("laplace_tail", special.laplace_tail, r"\Pr[\mathrm{{Lap}} > {0}]", real=True)
laplace_profile = maximum(0, -expm1((epsilon - distance) / 2))
"""Hockey stick of two Laplace laws ``distance`` scales apart, exact for ``epsilon >= -distance``."""
laplace_renyi = log((alpha * exp((alpha - 1) * epsilon) + (alpha - 1) * exp(-alpha * epsilon)) / (2 * alpha - 1)) / (
    alpha - 1
)
"""``D_alpha`` of two Laplace laws ``epsilon`` scales apart, ``alpha > 1`` (Mironov 2017, Table II)."""
two_point_renyi = (log1p((1 - theta) * expm1(-alpha * epsilon)) - alpha * log1p((1 - theta) * expm1(-epsilon))) / (
    alpha - 1
)
"""``D_alpha`` of an exponential mechanism's extreme pair: log ratio takes two values ``epsilon`` apart.

The outcome of the larger ratio has mass ``theta`` under Q; ``alpha > 1``.
"""
_total = 1 + (1 - theta) * expm1(-epsilon)
two_point_kl = -log(_total) - epsilon * (1 - theta) * exp(-epsilon) / _total
"""Kullback-Leibler divergence of the pair of ``two_point_renyi``."""
truncated_renyi_excess = (
    log_cdf(alpha * left + (1 - alpha) * right) - alpha * log_cdf(left) + (alpha - 1) * log_cdf(right)
) / (alpha - 1)
"""What truncating two unit Gaussians to one half-space adds to ``alpha |mean difference|^2 / 2``.

``left`` and ``right`` are the distances of the two means inside the half-space's edge (standard deviations).
Never positive because ``log Phi`` is concave and the argument lies outside the segment.
"""
