"""Theorem 11, the repaired proof as certificates."""

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import log_normal_cdf
from proofs_numeric.rogers2024.laws import truncated_renyi_excess
from proofs_numeric.rogers2024.log_concave import beyond_chord, half_line
from proofs_numeric.rogers2024.parameters import ours
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import Identity, Inequality
from proofs_numeric.statements.tactics import ByClaim, Part, Product, Sum, Symbolic


def extrapolated(A: Arithmetic, *, alpha: Number, left: Number, right: Number) -> Number:
    """``log Phi(alpha left + (1 - alpha) right)``."""
    alpha, left, right = A.number(alpha), A.number(left), A.number(right)
    return log_normal_cdf(A, alpha * left + (1 - alpha) * right)


def line_through(A: Arithmetic, *, alpha: Number, left: Number, right: Number) -> Number:
    """``alpha log Phi(left) + (1 - alpha) log Phi(right)``."""
    alpha = A.number(alpha)
    return alpha * log_normal_cdf(A, A.number(left)) + (1 - alpha) * log_normal_cdf(A, A.number(right))


def _line_beyond(A: Arithmetic, *, alpha: Number, d: Number, y: Number) -> Number:
    return alpha * log_normal_cdf(A, y + d) + (1 - alpha) * log_normal_cdf(A, y)


def _beyond(A: Arithmetic, *, alpha: Number, d: Number, y: Number) -> Number:
    return log_normal_cdf(A, y + alpha * d)


def exponent_of_tilt(A: Arithmetic, *, alpha: Number, t: Number, u: Number) -> Number:
    """``[m^2/2 - alpha t^2/2 - (1-alpha) u^2/2]/(alpha-1)`` with ``m = alpha t + (1-alpha) u``."""
    m = alpha * t + (1 - alpha) * u
    return (m * m / 2 - alpha * t * t / 2 - (1 - alpha) * u * u / 2) / (alpha - 1)


def untruncated(A: Arithmetic, *, alpha: Number, t: Number, u: Number) -> Number:
    """``alpha (t - u)^2/2``."""
    return alpha * (t - u) * (t - u) / 2


def truncated_pair_renyi(A: Arithmetic, *, alpha: Number, x: Number) -> Number:
    """``D_alpha`` of U3's two sides, both truncated to ``S_2 <= T`` (sigma = 1, ``x = T - 1``).

    The two noisy cells (S_2, cell of round 3) have means (1, 1) and (0, 1): one step along the truncated coordinate,
    whose edge lies ``x`` and ``x + 1`` beyond the means.
    """
    alpha, x = A.number(alpha), A.number(x)
    return alpha / 2 + truncated_renyi_excess(A, alpha=alpha, left=x, right=x + 1)


def _edges(A: Arithmetic, *, alpha: Number, x: Number) -> dict[str, Number]:
    return {"alpha": alpha, "left": x, "right": x + 1}


def theorem_renyi(A: Arithmetic, *, alpha: Number, x: Number) -> Number:
    """``alpha D_0 B/2`` at L = 3, sigma = 1: ``alpha``."""
    return A.number(alpha)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.repair.thm11.tilt",
        source=ours("Theorem 11, repaired proof"),
        title="Gaussian part of the truncated divergence",
        statement=(
            r"\frac{m^2 - \alpha t^2 - (1-\alpha)u^2}{2(\alpha-1)} = \alpha(t-u)^2/2,\ m = \alpha t + "
            r"(1-\alpha)u"
        ),
        kind=Identity(exponent_of_tilt, untruncated, Symbolic()),
        domain=Box(
            (
                Parameter("alpha", "Renyi order", lower=1, upper=100, open_lower=True),
                Parameter("t", "mean", lower=-100, upper=100),
                Parameter("u", "mean", lower=-100, upper=100),
            )
        ),
    ),
    Claim(
        id="rogers2024.repair.thm11.half_space",
        source=ours("Theorem 11, repaired proof"),
        title="Truncating both sides to one half-space adds nothing",
        statement=r"\log\Phi(\alpha x + (1-\alpha)y) \le \alpha\log\Phi(x) + (1-\alpha)\log\Phi(y),\ \alpha \ge 1",
        kind=Inequality(
            extrapolated,
            line_through,
            proof=beyond_chord(
                half_line,
                {"d": lambda _A, *, left, right, **_rest: left - right, "y": lambda _A, *, right, **_rest: right},
                _beyond,
                _line_beyond,
            ),
        ),
        domain=Box(
            (
                Parameter("alpha", "Renyi order", lower=1, upper=100),
                Parameter("left", "distance of the edge", lower=-20, upper=20),
                Parameter("right", "distance of the edge", lower=-20, upper=20),
            )
        ),
        note="The region of Theorem 11 is an intersection of half-spaces; Lemma 4.1 covers it in every dimension.",
    ),
    Claim(
        id="rogers2024.repair.thm11.truncated",
        source=ours("Theorem 11, repaired proof"),
        title="U3 truncated on both sides",
        statement=r"D_\alpha(P'\|Q') \le \alpha\Delta_0\lceil\log_2(L+1)\rceil\varepsilon^2/2",
        kind=Inequality(
            truncated_pair_renyi,
            theorem_renyi,
            proof=Sum(
                (
                    Part(
                        lambda A, **at: -truncated_renyi_excess(A, **_edges(A, **at)),
                        Product(
                            (
                                Part(lambda A, *, alpha, x: 1 / (alpha - 1)),
                                Part(
                                    lambda A, **at: (
                                        line_through(A, **_edges(A, **at)) - extrapolated(A, **_edges(A, **at))
                                    ),
                                    ByClaim(
                                        "rogers2024.repair.thm11.half_space",
                                        {"left": lambda _A, *, x, **_rest: x, "right": lambda _A, *, x, **_rest: x + 1},
                                    ),
                                ),
                            )
                        ),
                    ),
                    Part(lambda A, *, alpha, x: alpha / 2),
                )
            ),
        ),
        domain=Box(
            (
                Parameter("alpha", "Renyi order", lower=1, upper=100, open_lower=True),
                Parameter("x", "(T - 1)/sigma", lower=-3, upper=10),
            )
        ),
        note="With Q left untruncated the divergence is infinite for alpha > 2.",
    ),
)
