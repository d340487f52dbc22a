"""The symbols and formulas of the paper: the law of a cell, its rates, the bounds, and what one event gives away."""

import functools
from typing import Any

import numpy as np
from scipy import special

from proofs_numeric.arithmetic.special import binomial_pmf, binomial_tail
from proofs_numeric.expression import Function
from proofs_numeric.expression.vocabulary import *


@functools.singledispatch
def lower_tail(A: Arithmetic, k: int, p: Number, v: int) -> Number:
    """``P[Bin(k, p) <= v]``, without cancellation: the upper tail of the complement."""
    if A.name == "symbolic":
        return 1 - binomial_tail(A, k, p, v + 1)
    return binomial_tail(A, k, 1 - A.number(p), k - v)


@lower_tail.register
def _(_A: Float64, k: int, p: Number, v: int) -> Any:
    # In doubles 1 - p loses the digits of a small p.
    inside = special.betaincc(np.maximum(v, 0) + 1, np.maximum(k - v, 1), p)
    return np.where(v < 0, 0.0, np.where(v >= k, 1.0, inside))[()]


epsilon, alpha, tau, k, p, q, factor = symbols("epsilon alpha tau k p q factor")
mass = Function("mass", binomial_pmf, r"\Pr[\mathrm{{Bin}}({0}, {1}) = {2}]")
tail = Function(
    "tail", binomial_tail, r"\Pr[\mathrm{{Bin}}({0}, {1}) \ge {2}]",
    (None, lambda k, p, tau: k * mass(k - 1, p, tau - 1), None),
)  # fmt: skip
hidden = Function("hidden", lower_tail, r"\Pr[\mathrm{{Bin}}({0}, {1}) \le {2}]")

sampling_rate = alpha * -expm1(-epsilon)
"""``p = alpha (1 - e^-epsilon)`` (Lemma 3)."""
bad_rate = -expm1(-epsilon) * (1 + alpha * exp(-epsilon))
"""``q = (1 - e^-epsilon)(1 + alpha e^-epsilon)``: (4) at the sampling rate of Lemma 3."""
bad_rate_of = 1 - (1 - p) / factor
"""``q`` for factor = e^epsilon: the rate above which a shown count is bad, (4)."""
log_odds = log((1 + alpha * exp(-epsilon)) / alpha)
divergence = log_odds - epsilon * (1 - sampling_rate) * exp(-epsilon) / bad_rate
"""``D(q || p) / q = log_odds - epsilon (1 - q)/q`` at p = alpha (1 - e^-epsilon)."""
kl = q * log(q / p) + (1 - q) * log((1 - q) / (1 - p))
"""``D(q || p)`` of two Bernoulli laws (nats), q and p in (0, 1)."""
theorem_2 = exp(-tau * divergence)
LEMMA_3_ALPHA = "0.5173446105"
"""C_alpha is positive for alpha up to here, and not for one unit of the last digit more."""
c_alpha = -log(alpha) - 1 / (1 + alpha)
"""``C_alpha`` (Lemma 3)."""
c_alpha_prime = log1p(1 / alpha) - 1 / (1 + alpha)
"""``C'_alpha``, positive for every alpha (Lemma 3')."""
lemma_3 = exp(-tau * c_alpha)
"""The delta of Lemma 3, for every epsilon."""
lemma_3_prime = exp(-tau * c_alpha_prime)
"""The delta of Lemma 3', for every epsilon."""
delta_binom = tail(floor(tau / bad_rate), sampling_rate, tau)
"""At least every forward hockey stick with k <= tau/q."""
NOTATION = {
    sampling_rate: "p_s", bad_rate: "q", divergence: r"\frac{D(q\|p_s)}{q}", c_alpha: r"C_\alpha",
    c_alpha_prime: r"C'_\alpha",
}  # fmt: skip
"""The paper's letters for expressions."""

forward_at = tail(k, p, tau) - factor * tail(k - 1, p, tau)
"""What "the cell is shown" gives away."""
at_threshold = forward_at(factor=(1 - p) / (1 - q))
"""The same where ``e^epsilon = (1 - p)/(1 - q)``."""
unseen_at = hidden(k - 1, p, tau - 1) - (1 - q) / (1 - p) * hidden(k, p, tau - 1)
"""``P[Bin(k - 1, p) < tau] - e^epsilon P[Bin(k, p) < tau]`` where ``e^epsilon = (1 - q)/(1 - p)``."""
backward_rate = 1 - exp(epsilon) * (1 - p)
"""``c = 1 - e^epsilon (1 - p)``: k - 1 copies give away no more than that, or nothing."""
positive_backward_rate = maximum(backward_rate, p**tau)
"""``max(c, p^tau)``: tau copies give p^tau away forward, so that c matters only above it."""
