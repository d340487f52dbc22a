"""The numbers behind Figure 3: least thresholds at (0.349, 1e-5)."""

from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Exact
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.expression import expm1, lift, log1p, quantile_complement
from proofs_numeric.lebeda2025.exact.noise_maximum import delta_infinite
from proofs_numeric.lebeda2025.lemma_8 import delta_gauss
from proofs_numeric.lebeda2025.lemma_22 import lemma_22
from proofs_numeric.lebeda2025.parameters import k, own, sigma, stated
from proofs_numeric.statements.box import points
from proofs_numeric.statements.kinds import Inequality, Quantity, Relation

EPSILON, DELTA = Fraction(349, 1000), Fraction(1, 10**5)
"""The privacy parameters of Figure 3."""

gsh_threshold = sigma * quantile_complement(-expm1(log1p(-lift(DELTA)) / k))
"""Least tau of the uncorrelated mechanism for its new counters: ``sigma Phi^{-1}((1 - delta)^{1/k})``."""
_FIGURE_3: dict[int, tuple[Exact, Exact]] = {
    # k: (sigma near the minimum of Theorem 11's threshold, a lower bound on the uncorrelated mechanism's least sigma)
    10: (Fraction("18.31"), Fraction("30.929")),
    51: (Fraction("38.6"), Fraction("69.84")),
    51914: (Fraction("1139.7"), Fraction("2228.48")),
}


def _least_gains(A: Arithmetic) -> Any:
    """The least quotient of the uncorrelated mechanism's threshold by that of Theorem 11 at the published k."""
    return A.minimum(
        *(
            gsh_threshold(A, sigma=A.number(uncorrelated), k=k)
            / lemma_22(A, epsilon=A.number(EPSILON), delta=DELTA, k=k, sigma=A.number(correlated))
            for k, (correlated, uncorrelated) in _FIGURE_3.items()
        )
    )


def _least_deltas(A: Arithmetic) -> Any:
    """The least delta of Gaussian noise of the sigmas used, at the published k."""
    sigmas = ((k, A.number(sigma)) for k, (_correlated, sigma) in _FIGURE_3.items())
    return A.minimum(*(gaussian_profile(A, A.number(EPSILON), A.sqrt(A.number(k)) / sigma) for k, sigma in sigmas))


CLAIMS = (
    stated(
        "fig3", "Section 5, Figure 3", "Theorem 11 beats the exact uncorrelated analysis at k = 10, 51 and 51914",
        r"\min_\sigma \tau_{\text{Theorem 11}} < \min_\sigma \tau_{\text{GSHM}}, (.349, 10^{-5})",
        Inequality(lift(1), _least_gains, Relation.LESS),
        note="the uncorrelated threshold is at most its minimum: its sigma is below the least one (fig3.sigma)",
    ),
    own(
        "fig3.sigma", "Section 5, Figure 3", "the uncorrelated mechanism needs more than the sigmas used",
        r"f(\sqrt{k}/\sigma, .349) > 10^{-5}", Inequality(lift(DELTA), _least_deltas, Relation.LESS),
    ),
    *(
        own(
            f"sec2.{name}.{at['k']}", "Section 5, Figure 3", f"{title}, k = {at['k']}", r"\delta / 10^{-5} = 1",
            Quantity(formula(**{symbol: at[symbol] for symbol in formula.symbols}) / DELTA, "1.00000000"),
        )
        for name, title, formula in (
            ("gap", "exact tau at the least sigma", delta_infinite),
            ("sigma", "least sigma of Theorem 11", delta_gauss(epsilon=EPSILON)),
        )
        for at in points(
            "k sigma gap", (10, "17.741998401", "96.753015889"), (51914, "1116.683797698", "7005.638328965"),
        )
    ),
)  # fmt: skip
