"""The numbers behind Figure 3: least thresholds at (0.349, 1e-5)."""

from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Exact, Number
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.expression import Expression, expm1, lift, log1p, quantile_complement
from proofs_numeric.lebeda2025.exact.noise_maximum import delta_infinite
from proofs_numeric.lebeda2025.lemma_8 import delta_gauss
from proofs_numeric.lebeda2025.lemma_22 import lemma_22
from proofs_numeric.lebeda2025.parameters import k, ours, own, sigma, stated
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
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


def _theorem_11_threshold(A: Arithmetic, *, k: int) -> Number:
    sigma = A.number(_FIGURE_3[k][0])
    return lemma_22(A, epsilon=A.number(EPSILON), delta=DELTA, k=k, sigma=sigma)


def _gsh_gauss(A: Arithmetic, *, k: int) -> Any:
    return gaussian_profile(A, A.number(EPSILON), A.sqrt(A.number(k)) / A.number(_FIGURE_3[k][1]))


def _tie(sigma: str, gap: str, k: int) -> Expression:
    return delta_infinite(k=k, sigma=sigma, gap=gap) / DELTA


def _gauss_ratio(sigma: str, k: int) -> Expression:
    return delta_gauss(epsilon=EPSILON, k=k, sigma=sigma) / DELTA


CLAIMS = (
    stated(
        "fig3", "Section 5, Figure 3", "Theorem 11 beats the exact uncorrelated analysis at k = 10, 51 and 51914",
        r"\min_\sigma \tau_{\text{Theorem 11}} < \min_\sigma \tau_{\text{GSHM}}, (.349, 10^{-5})",
        Inequality(
            _theorem_11_threshold, lambda A, *, k: gsh_threshold(A, sigma=A.number(_FIGURE_3[k][1]), k=k),
            Relation.LESS,
        ),
        domain=Box(
            (Parameter("k", "sparsity bound", "counters", lower=10, upper=51914, integer=True),),
            lambda *, k: k in _FIGURE_3, "k in {10, 51, 51914}",
        ),
        points=tuple({"k": k} for k in _FIGURE_3),
        note="the right side is at most the uncorrelated minimum: its sigma is below the least one (fig3.sigma)",
    ),
    own(
        "fig3.sigma", "Section 5, Figure 3", "the uncorrelated mechanism needs more than the sigmas used",
        r"f(\sqrt{k}/\sigma, .349) > 10^{-5}", Inequality(left=lift(DELTA), right=_gsh_gauss, relation=Relation.LESS),
        domain=Box(
            (Parameter("k", "sparsity bound", "counters", lower=10, upper=51914, integer=True),),
            lambda *, k: k in _FIGURE_3, "k in {10, 51, 51914}",
        ),
        points=tuple({"k": k} for k in _FIGURE_3),
    ),
    *(
        Claim(
            id=f"lebeda2025.sec2.{name}",
            source=ours("Section 5, Figure 3"),
            title=title,
            statement=r"\delta / 10^{-5} = 1",
            kind=Quantity(formula=formula, printed="1.00000000"),
        )
        for name, title, formula in (
            ("gap.10", "exact tau at the least sigma, k = 10", _tie("17.741998401", "96.753015889", 10)),
            ("gap.51914", "exact tau at the least sigma, k = 51914", _tie("1116.683797698", "7005.638328965", 51914)),
            ("sigma.10", "least sigma of Theorem 11, k = 10", _gauss_ratio("17.741998401", 10)),
            ("sigma.51914", "least sigma of Theorem 11, k = 51914", _gauss_ratio("1116.683797698", 51914)),
        )
    ),
)  # fmt: skip
