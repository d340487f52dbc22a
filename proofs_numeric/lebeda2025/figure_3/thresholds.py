"""The numbers behind Figure 3: least thresholds at (0.349, 1e-5)."""

from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Exact
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.expression import expm1, lift, log1p, quantile_complement
from proofs_numeric.lebeda2025.exact.noise_maximum import delta_infinite
from proofs_numeric.lebeda2025.lemma_8 import delta_gauss
from proofs_numeric.lebeda2025.lemma_22 import lemma_22
from proofs_numeric.lebeda2025.parameters import k, own, sigma, stated
from proofs_numeric.statements.box import Box, Parameter
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


_PUBLISHED: dict[str, Any] = {
    "domain": Box(
        (Parameter("k", "sparsity bound", "counters", lower=10, upper=51914, integer=True),),
        lambda *, k: k in _FIGURE_3, "k in {10, 51, 51914}",
    ),
    "points": tuple({"k": k} for k in _FIGURE_3),
}  # fmt: skip

CLAIMS = (
    stated(
        "fig3", "Section 5, Figure 3", "Theorem 11 beats the exact uncorrelated analysis at k = 10, 51 and 51914",
        r"\min_\sigma \tau_{\text{Theorem 11}} < \min_\sigma \tau_{\text{GSHM}}, (.349, 10^{-5})",
        Inequality(
            lambda A, *, k: lemma_22(A, epsilon=A.number(EPSILON), delta=DELTA, k=k, sigma=A.number(_FIGURE_3[k][0])),
            lambda A, *, k: gsh_threshold(A, sigma=A.number(_FIGURE_3[k][1]), k=k), Relation.LESS,
        ),
        note="the right side is at most the uncorrelated minimum: its sigma is below the least one (fig3.sigma)",
        **_PUBLISHED,
    ),
    own(
        "fig3.sigma", "Section 5, Figure 3", "the uncorrelated mechanism needs more than the sigmas used",
        r"f(\sqrt{k}/\sigma, .349) > 10^{-5}",
        Inequality(
            lift(DELTA),
            lambda A, *, k: gaussian_profile(A, A.number(EPSILON), A.sqrt(A.number(k)) / A.number(_FIGURE_3[k][1])),
            Relation.LESS,
        ),
        **_PUBLISHED,
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
        for at in (
            {"k": 10, "sigma": "17.741998401", "gap": "96.753015889"},
            {"k": 51914, "sigma": "1116.683797698", "gap": "7005.638328965"},
        )
    ),
)  # fmt: skip
