"""Theorem 11, the repaired proof as certificates."""

from proofs_numeric.expression import eq, log_cdf, product_of, sum_of, symbols
from proofs_numeric.rogers2024.laws import truncated_renyi_excess
from proofs_numeric.rogers2024.log_concave import beyond_chord, half_line
from proofs_numeric.rogers2024.parameters import alpha, own
from proofs_numeric.statements.box import Parameter
from proofs_numeric.statements.tactics import ByClaim, Symbolic

left, right, d, x, y, t, u = symbols("left right d x y t u")
extrapolated = log_cdf(alpha * left + (1 - alpha) * right)
line_through = alpha * log_cdf(left) + (1 - alpha) * log_cdf(right)
_m = alpha * t + (1 - alpha) * u
exponent_of_tilt = (_m * _m / 2 - alpha * t * t / 2 - (1 - alpha) * u * u / 2) / (alpha - 1)
untruncated = alpha * (t - u) * (t - u) / 2
_EDGES = {"left": x, "right": x + 1}
_excess = truncated_renyi_excess(**_EDGES)
truncated_pair_renyi = alpha / 2 + _excess
"""``D_alpha`` of U3's two sides, both truncated to ``S_2 <= T`` (sigma = 1, ``x = T - 1``).

The two noisy cells (S_2, cell of round 3) have means (1, 1) and (0, 1): one step along the truncated coordinate,
whose edge lies ``x`` and ``x + 1`` beyond the means.  The theorem's ``alpha D_0 B/2`` is alpha at L = 3.
"""
_ROOM = (line_through - extrapolated)(**_EDGES), ByClaim("rogers2024.repair.thm11.half_space", _EDGES)

CLAIMS = (
    own(
        "repair.thm11.tilt", "Theorem 11, repaired proof", "Gaussian part of the truncated divergence",
        r"\frac{m^2 - \alpha t^2 - (1-\alpha)u^2}{2(\alpha-1)} = \alpha(t-u)^2/2,\ m = \alpha t + (1-\alpha)u",
        eq(exponent_of_tilt, untruncated), proof=Symbolic(),
        domain=(
            Parameter("alpha", "Renyi order", lower=1, upper=100, open_lower=True),
            Parameter("t", "mean", lower=-100, upper=100), Parameter("u", "mean", lower=-100, upper=100),
        ),
    ),
    own(
        "repair.thm11.half_space", "Theorem 11, repaired proof", "Truncating both sides to one half-space adds nothing",
        r"\log\Phi(\alpha x + (1-\alpha)y) \le \alpha\log\Phi(x) + (1-\alpha)\log\Phi(y),\ \alpha \ge 1",
        extrapolated <= line_through,
        proof=beyond_chord(
            half_line, {"d": left - right, "y": right}, log_cdf(y + alpha * d),
            alpha * log_cdf(y + d) + (1 - alpha) * log_cdf(y),
        ),
        domain=(
            Parameter("alpha", "Renyi order", lower=1, upper=100),
            Parameter("left", "distance of the edge", lower=-20, upper=20),
            Parameter("right", "distance of the edge", lower=-20, upper=20),
        ),
        note="The region of Theorem 11 is an intersection of half-spaces; Lemma 4.1 covers it in every dimension.",
    ),
    own(
        "repair.thm11.truncated", "Theorem 11, repaired proof", "U3 truncated on both sides",
        r"D_\alpha(P'\|Q') \le \alpha,\ L = 3,\ \Delta_0 = \sigma = 1", truncated_pair_renyi <= alpha,
        proof=sum_of((-_excess, product_of(1 / (alpha - 1), _ROOM)), alpha / 2),
        domain=(
            Parameter("alpha", "Renyi order", lower=1, upper=100, open_lower=True),
            Parameter("x", "(T - 1)/sigma", lower=-3, upper=10),
        ),
        note="With Q left untruncated the divergence is infinite for alpha > 2.",
    ),
)  # fmt: skip
