"""Logarithms of normal masses are concave, so they lie below the extensions of their chords.

For ``alpha >= 1`` and ``d = x - y`` the gap ``alpha L(y + d) + (1 - alpha) L(y) - L(y + alpha d)`` vanishes at
``alpha = 1``; its slope there is ``L(y + d) - L(y) - d L'(y + d)``, which vanishes at ``d = 0`` and has the slope
``-d L''(y + d)``; and its second derivative by alpha is ``-d^2 L''(y + alpha d)``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import normal_cdf, normal_pdf
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.tactics import ByClaim, Derivative, Part, Product, Split, Substitute, Sum, Tactic

_BEYOND = (
    Parameter("alpha", "how far out, in chords", lower=1),
    Parameter("d", "the chord", lower="-infinity"),
    Parameter("y", "its end", lower="-infinity"),
)


def beyond_chord(
    minus_curvature: Callable[[Formula], tuple[Part, ...]],
    new: dict[str, Formula],
    left: Formula,
    right: Formula,
    *others: Parameter,
) -> Tactic:
    """Go over to alpha, ``d`` and ``y``, as ``new`` says; ``minus_curvature(at)`` is ``-L''(at)`` in factors."""

    def step(A: Arithmetic, *, d: Number, **_rest: Any) -> Number:
        return d

    def back(A: Arithmetic, *, d: Number, **_rest: Any) -> Number:
        return -d

    def squared(A: Arithmetic, *, d: Number, **_rest: Any) -> Number:
        return d * d

    end = minus_curvature(lambda _A, *, d, y, **_rest: y + d)
    beyond = minus_curvature(lambda _A, *, alpha, d, y, **_rest: y + alpha * d)
    slope = Split(
        "d",
        0,
        Derivative("d", "upper", Product((Part(back), *end))),
        Derivative("d", "lower", Product((Part(step), *end))),
    )
    curvature = Derivative("alpha", "lower", Product((Part(squared), *beyond)), at_end=slope)
    return Substitute(Box((*_BEYOND, *others)), new, Derivative("alpha", "lower", curvature), left, right)


# --- a half-line: L(x) = log Phi(x), -L'' = phi rho / Phi -------------------------------------------------------------


def half_line(at: Formula) -> tuple[Part, ...]:
    """``-(log Phi)''`` at a point, in factors."""

    def hazard(A: Arithmetic, **values: Any) -> Any:
        x = at(A, **values)
        return normal_pdf(A, x) / normal_cdf(A, x)

    def excess(A: Arithmetic, **values: Any) -> Any:
        return at(A, **values) + hazard(A, **values)

    return (Part(hazard), Part(excess, ByClaim("wilkins2024.thm5.4.collapse.rho", {"x": at})))


# --- an interval of a given width: L(x) = log(Phi(width - x) - Phi(-x)) -----------------------------------------------


def _mass(A: Arithmetic, *, start: Number, width: Number) -> Number:
    return normal_cdf(A, start + width) - normal_cdf(A, start)


def _moment(A: Arithmetic, *, start: Number, width: Number) -> Number:
    return normal_pdf(A, start) - normal_pdf(A, start + width)


def _mean_below_end(A: Arithmetic, *, start: Number, width: Number) -> Number:
    at = {"start": start, "width": width}
    return (start + width) * _mass(A, **at) - _moment(A, **at)


def _mean_above_start(A: Arithmetic, *, start: Number, width: Number) -> Number:
    at = {"start": start, "width": width}
    return _moment(A, **at) - start * _mass(A, **at)


def _at_end(A: Arithmetic, *, start: Number, width: Number) -> Number:
    return normal_pdf(A, start + width)


def _at_start(A: Arithmetic, *, start: Number, **_width: Number) -> Number:
    return normal_pdf(A, start)


def _end_part(A: Arithmetic, **at: Number) -> Number:
    return _mean_below_end(A, **at) * _at_end(A, **at)


def _start_part(A: Arithmetic, **at: Number) -> Number:
    return _mean_above_start(A, **at) * _at_start(A, **at)


def _narrowed(A: Arithmetic, **at: Number) -> Number:
    return _end_part(A, **at) + _start_part(A, **at)


WIDTH = Parameter("width", "length of the interval", open_lower=True)
_VARIANCE_BELOW_ONE = Sum(
    (
        Part(_end_part, Product((Part(_mean_below_end, Derivative("width", "lower")), Part(_at_end)))),
        Part(
            _start_part,
            Product(
                (
                    Part(
                        _mean_above_start,
                        Derivative(
                            "width", "lower", Product((Part(lambda _A, *, width, **_rest: width), Part(_at_end)))
                        ),
                    ),
                    Part(_at_start),
                )
            ),
        ),
    )
)
"""The mass times what truncation takes off the variance: the mean lies inside the interval."""


def interval(at: Formula) -> tuple[Part, ...]:
    """``-(log(Phi(width - x) - Phi(-x)))''`` at a point x, in factors."""

    def start(A: Arithmetic, **values: Any) -> Any:
        return -at(A, **values)

    def per_mass(A: Arithmetic, *, width: Number, **values: Any) -> Number:
        return 1 / _mass(A, start=start(A, **values), width=width) ** 2

    def narrowed(A: Arithmetic, *, width: Number, **values: Any) -> Number:
        return _narrowed(A, start=start(A, **values), width=width)

    box = Box((Parameter("start", "of the interval, from the mean", lower="-infinity"), WIDTH))
    return (Part(per_mass), Part(narrowed, Substitute(box, {"start": start}, _VARIANCE_BELOW_ONE, zero, _narrowed)))
