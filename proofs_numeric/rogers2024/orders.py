"""Renyi divergences of all orders: the sharp constants of randomised response and of a Laplace count."""

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.laws import laplace_renyi
from proofs_numeric.rogers2024.parameters import *

w = exp((1 - 2 * alpha) * epsilon)
laplace_rho = epsilon + expm1(-epsilon)
"""``epsilon - 1 + e^-epsilon``: exact rho of one Laplace count, its Kullback-Leibler divergence."""
pure_rho = epsilon * expm1(epsilon) / (expm1(epsilon) + 2)
"""``epsilon tanh(epsilon/2)``: the exact rho of pure epsilon-DP, attained by randomised response at order 1."""

# --- randomised response, in the order ------------------------------------------------------------------------------

# The logarithm of (r^alpha + r^(1 - alpha)) over (1 + r).
_tanh = -expm1(-epsilon) / (1 + exp(-epsilon))
_in_order = epsilon * ((2 * alpha - 1) * _tanh - (1 - w) / (1 + w))
_bent = 2 * epsilon * (_tanh - 2 * epsilon * w / (1 + w) ** 2)
_beyond_sinh = (
    exp(epsilon) - exp(-epsilon) - 2 * epsilon,
    Derivative("epsilon", "lower", Derivative("epsilon", "lower")),
)
_AT_ONE = product_of(2 * epsilon * exp(-epsilon) / (1 + exp(-epsilon)) ** 2, _beyond_sinh)
_BENT = Derivative("alpha", "lower", Rewrite(Sign(), right=8 * epsilon**3 * w * (1 - w) / (1 + w) ** 3), _AT_ONE)
SHARP = Increasing(
    "exp", log1p(w) - log1p(exp(-epsilon)) + (alpha - 1) * epsilon, (alpha - 1) * alpha * pure_rho,
    Derivative(
        "alpha", "lower",
        Rewrite(Derivative("alpha", "lower", Rewrite(_BENT, right=_bent), Symbolic()), right=_in_order), Symbolic(),
    ),
)  # fmt: skip
"""The room is 0 at order 1, and so is its slope; its second derivative starts above 0 there, and grows."""

# --- a Laplace count, by the signs of derivatives ---------------------------------------------------------------------

_log_gap = (alpha - 1) * (alpha * laplace_rho - laplace_renyi)
_second_slope = 1 + 2 * (alpha - 1) * w - (2 * alpha - 1) * w * exp(epsilon), Derivative("epsilon", "lower")
_first_slope = (
    (1 - exp(-epsilon)) * (alpha + (alpha - 1) * w) - 1 + w,
    Derivative("epsilon", "lower", product_of(alpha * exp(-epsilon), _second_slope)),
)
_first_factor = alpha * (alpha - 1) / (alpha + (alpha - 1) * w)
LAPLACE = product_of(
    1 / (alpha - 1), (_log_gap, Derivative("epsilon", "lower", product_of(_first_factor, _first_slope)))
)
"""All that is differentiated by epsilon vanishes at 0."""
