"""Logarithms of normal masses are concave, so they lie below the extensions of their chords.

For ``alpha >= 1`` and ``d = x - y`` the gap ``alpha L(y + d) + (1 - alpha) L(y) - L(y + alpha d)`` vanishes at
``alpha = 1``; its slope there is ``L(y + d) - L(y) - d L'(y + d)``, which vanishes at ``d = 0`` and has the slope
``-d L''(y + d)``; and its second derivative by alpha is ``-d^2 L''(y + alpha d)``.
"""

from collections.abc import Callable

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.parameters import alpha

d, y, start, width = symbols("d y start width")
_BEYOND = (
    Parameter("alpha", "how far out, in chords", lower=1),
    Parameter("d", "the chord", lower="-infinity"),
    Parameter("y", "its end", lower="-infinity"),
)


def beyond_chord(
    minus_curvature: Callable[[Expression], tuple[Part, ...]],
    new: dict[str, Formula],
    left: Formula,
    right: Formula,
    *others: Parameter,
) -> Tactic:
    """Go over to alpha, ``d`` and ``y``, as ``new`` says; ``minus_curvature(at)`` is ``-L''(at)`` in factors."""
    end, beyond = minus_curvature(y + d), minus_curvature(y + alpha * d)
    slope = Split("d", 0, Derivative("d", "upper", product_of(-d, *end)), Derivative("d", "lower", product_of(d, *end)))
    curvature = Derivative("alpha", "lower", product_of(d * d, *beyond), at_end=slope)
    return Substitute(Box((*_BEYOND, *others)), new, Derivative("alpha", "lower", curvature), left, right)


def half_line(at: Expression) -> tuple[Part, ...]:
    """``-(log Phi)''`` at a point, in factors: ``-L'' = phi rho / Phi``."""
    hazard = phi(at) / Phi(at)
    return (part(hazard), part((at + hazard, ByClaim("wilkins2024.thm5.4.collapse.rho", {"x": at}))))


# --- an interval of a given width: L(x) = log(Phi(width - x) - Phi(-x)) -----------------------------------------------

_mass, _moment = Phi(start + width) - Phi(start), phi(start) - phi(start + width)
_at_end, _at_start = phi(start + width), phi(start)
_mean_below_end, _mean_above_start = (start + width) * _mass - _moment, _moment - start * _mass
_end_part, _start_part = _mean_below_end * _at_end, _mean_above_start * _at_start
_narrowed = _end_part + _start_part

WIDTH = Parameter("width", "length of the interval", open_lower=True)
_VARIANCE_BELOW_ONE = sum_of(
    (_end_part, product_of((_mean_below_end, Derivative("width", "lower")), _at_end)),
    (_start_part, product_of((_mean_above_start, Derivative("width", "lower", product_of(width, _at_end))), _at_start)),
)
"""The mass times what truncation takes off the variance: the mean lies inside the interval."""


def interval(at: Expression) -> tuple[Part, ...]:
    """``-(log(Phi(width - x) - Phi(-x)))''`` at a point x, in factors."""
    box = Box((Parameter("start", "of the interval, from the mean", lower="-infinity"), WIDTH))
    narrowed = Substitute(box, {"start": -at}, _VARIANCE_BELOW_ONE, zero, _narrowed)
    return (part(1 / _mass(start=-at) ** 2), part((_narrowed(start=-at), narrowed)))
