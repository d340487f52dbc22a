"""Renyi divergences of all orders: the sharp constants of randomised response and of a Laplace count."""

from __future__ import annotations

from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.rogers2024.laws import laplace_renyi
from proofs_numeric.statements.concentrated import dp_to_cdp_rho
from proofs_numeric.statements.tactics import Derivative, Increasing, Part, Product, Rewrite, Sign, Symbolic


def laplace_rho(A: Arithmetic, *, epsilon: Number) -> Number:
    """``epsilon - 1 + e^-epsilon``: exact rho of one Laplace count, its Kullback-Leibler divergence."""
    epsilon = A.number(epsilon)
    return epsilon + A.expm1(-epsilon)


# --- randomised response, in the order ------------------------------------------------------------------------------


def _log_moment(A: Arithmetic, *, alpha: Number, epsilon: Number) -> Any:
    """``log((r^alpha + r^(1 - alpha))/(1 + r))``."""
    return (
        A.log1p(_decay(A, alpha=alpha, epsilon=epsilon))
        - A.log1p(A.exp(-A.number(epsilon)))
        + (alpha - 1) * A.number(epsilon)
    )


def _log_allowed(A: Arithmetic, *, alpha: Number, epsilon: Number) -> Any:
    return (A.number(alpha) - 1) * alpha * dp_to_cdp_rho(A, epsilon=epsilon)


def _tanh(A: Arithmetic, epsilon: Number) -> Any:
    """``tanh(epsilon/2)``."""
    return -A.expm1(-A.number(epsilon)) / (1 + A.exp(-A.number(epsilon)))


def _in_order(A: Arithmetic, *, alpha: Number, epsilon: Number) -> Any:
    w = _decay(A, alpha=alpha, epsilon=epsilon)
    return epsilon * ((2 * alpha - 1) * _tanh(A, epsilon) - (1 - w) / (1 + w))


def _bent(A: Arithmetic, *, alpha: Number, epsilon: Number) -> Any:
    w = _decay(A, alpha=alpha, epsilon=epsilon)
    return 2 * epsilon * (_tanh(A, epsilon) - 2 * epsilon * w / (1 + w) ** 2)


def _bent_more(A: Arithmetic, *, alpha: Number, epsilon: Number) -> Any:
    w = _decay(A, alpha=alpha, epsilon=epsilon)
    return 8 * epsilon**3 * w * (1 - w) / (1 + w) ** 3


def _beyond_sinh(A: Arithmetic, *, epsilon: Number) -> Any:
    """``sinh(epsilon) - epsilon``, twice."""
    return A.exp(A.number(epsilon)) - A.exp(-A.number(epsilon)) - 2 * A.number(epsilon)


def _weight(A: Arithmetic, *, epsilon: Number) -> Any:
    return 2 * epsilon * A.exp(-A.number(epsilon)) / (1 + A.exp(-A.number(epsilon))) ** 2


_AT_ONE = Product((Part(_weight), Part(_beyond_sinh, Derivative("epsilon", "lower", Derivative("epsilon", "lower")))))
SHARP = Increasing(
    "exp",
    _log_moment,
    _log_allowed,
    Derivative(
        "alpha",
        "lower",
        Rewrite(
            Derivative(
                "alpha",
                "lower",
                Rewrite(Derivative("alpha", "lower", Rewrite(Sign(), right=_bent_more), _AT_ONE), right=_bent),
                Symbolic(),
            ),
            right=_in_order,
        ),
        Symbolic(),
    ),
)
"""The room is 0 at order 1, and so is its slope; its second derivative starts above 0 there, and grows."""


# --- a Laplace count, by the signs of derivatives ---------------------------------------------------------------------


def _decay(A: Arithmetic, *, alpha: Number, epsilon: Number) -> Number:
    return A.exp((1 - 2 * A.number(alpha)) * epsilon)


def _log_gap(A: Arithmetic, *, alpha: Number, epsilon: Number, **_rest: Number) -> Number:
    return (alpha - 1) * (alpha * laplace_rho(A, epsilon=epsilon) - laplace_renyi(A, alpha=alpha, epsilon=epsilon))


def _first_factor(A: Arithmetic, *, alpha: Number, epsilon: Number, **_rest: Number) -> Number:
    return alpha * (alpha - 1) / (alpha + (alpha - 1) * _decay(A, alpha=alpha, epsilon=epsilon))


def _first_slope(A: Arithmetic, *, alpha: Number, epsilon: Number, **_rest: Number) -> Number:
    w = _decay(A, alpha=alpha, epsilon=epsilon)
    return (1 - A.exp(-epsilon)) * (alpha + (alpha - 1) * w) - 1 + w


def _second_slope(A: Arithmetic, *, alpha: Number, epsilon: Number, **_rest: Number) -> Number:
    w = _decay(A, alpha=alpha, epsilon=epsilon)
    return 1 + 2 * (alpha - 1) * w - (2 * alpha - 1) * w * A.exp(epsilon)


LAPLACE = Product(
    (
        Part(lambda A, *, alpha, epsilon, **_rest: 1 / (alpha - 1)),
        Part(
            _log_gap,
            Derivative(
                "epsilon",
                "lower",
                Product(
                    (
                        Part(_first_factor),
                        Part(
                            _first_slope,
                            Derivative(
                                "epsilon",
                                "lower",
                                Product(
                                    (
                                        Part(lambda A, *, alpha, epsilon, **_rest: alpha * A.exp(-epsilon)),
                                        Part(_second_slope, Derivative("epsilon", "lower")),
                                    )
                                ),
                            ),
                        ),
                    )
                ),
            ),
        ),
    )
)
"""All that is differentiated by epsilon vanishes at 0."""
