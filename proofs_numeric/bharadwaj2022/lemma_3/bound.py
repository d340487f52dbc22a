"""Lemma 3 and the steps of its proof (what is monotone in it: `monotone` beside it)."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.cells import (
    alpha,
    bad_rate,
    c_alpha,
    divergence,
    epsilon,
    kl,
    lemma_3,
    sampling_rate,
    tau,
    theorem_2,
)
from proofs_numeric.bharadwaj2022.lemma_3.prime import M, y
from proofs_numeric.bharadwaj2022.parameters import (
    ALPHA,
    DELTA_UPPER,
    EPSILON_ALPHA,
    EPSILON_ALPHA_TAU,
    SETTINGS,
    own,
    refuted,
    stated,
    uncheckable,
)
from proofs_numeric.expression import eq, exp, expm1, lift, log, log1p, product_of
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.kinds import Achieved, DeltaBound, Editorial
from proofs_numeric.statements.tactics import Boxes, ByClaim, Derivative, Increasing, Substitute, Symbolic, Through

eps_term = epsilon * exp(-epsilon) * (1 - sampling_rate) / bad_rate
"""``((1 - q)/q) epsilon``."""
equation_7 = epsilon / expm1(epsilon) * (1 - alpha / (1 + alpha * exp(-epsilon)))
equation_6 = exp(-tau * (-log(alpha) - equation_7))
log_of_equation_6 = tau * (log(alpha) + equation_7)
limit = 1 / (1 + alpha)
limit_margin = alpha * alpha + (1 + alpha) * M(y) * (1 - alpha * y)
"""Limit - (7) with the factor y = 1 - e^-epsilon taken out."""
LIMIT_BY_BOXES = Substitute(
    Box((Parameter("alpha", "", upper=1), Parameter("y", "1 - e^-epsilon", upper=1))), {"y": -expm1(-epsilon)}, Boxes(),
    lift(0), limit_margin,
)  # fmt: skip


def _vacuous(*, alpha: Fraction, **_others: Any) -> str | None:
    """What to say of Lemma 3's bound where C_alpha <= 0."""
    if alpha <= Fraction(cells.LEMMA_3_ALPHA):
        return None
    return f"vacuous, as C_alpha <= 0 and a delta is at most 1; Lemma 3 says more for alpha <= {cells.LEMMA_3_ALPHA}"


CLAIMS = (
    uncheckable(
        "lem3.asym.letters", "Lemma 3", "O for Omega", r"\alpha^{O(\tau)}",
        Editorial("alpha^{O(tau)}", "alpha^{Omega(tau)}", "An upper bound on the exponent bounds no delta."),
        corrected_by="bharadwaj2022.lem3.asym",
    ),
    stated(
        "lem3.stmt", "Lemma 3", "delta = exp(-C_alpha tau) at p = alpha (1 - e^-epsilon)",
        r"\delta=\exp(-C_\alpha\tau),\ C_\alpha=\ln(1/\alpha)-1/(1+\alpha)",
        DeltaBound(lemma_3, exact=cells.tight, by=Achieved("bharadwaj2022.tight")),
        domain=EPSILON_ALPHA_TAU, points=SETTINGS,
        proof=Through(
            theorem_2, ByClaim("bharadwaj2022.thm2.stmt"),
            Through(
                equation_6, ByClaim("bharadwaj2022.lem3.6"),
                Increasing(
                    "exp", log_of_equation_6, -tau * c_alpha,
                    product_of(tau, (limit - equation_7, ByClaim("bharadwaj2022.lem3.lim"))),
                ),
            ),
        ),
        loose="1.1e6 above the exact delta at the paper's default; "
        f"vacuous (>= 1) for alpha above {cells.LEMMA_3_ALPHA}",
        remark=_vacuous, note="The paper's restriction epsilon <= 1 is not needed.", **DELTA_UPPER,
    ),
    refuted(
        "lem3.range", "Lemma 3", "C_alpha > 0 for every 0 < alpha <= 1", None, c_alpha > 0, by="lem3.range.corrected",
        domain=(ALPHA,), note="The range of the lemma reaches where its bound exceeds 1.",
    ),
    own(
        "lem3.range.corrected", "Lemma 3", "C_alpha > 0 for alpha <= 0.5173", r"C_\alpha>0,\ \alpha\le0.5173",
        c_alpha > 0, proof=Boxes(), domain=(replace(ALPHA, upper="0.5173"),),
    ),
    stated(
        "lem3.1mq", "Lemma 3", "1 - q = (1 - p) e^-epsilon", None,
        eq(1 - bad_rate, (1 - sampling_rate) * exp(-epsilon)), proof=Symbolic(), domain=EPSILON_ALPHA,
    ),
    stated(
        "lem3.D", "Lemma 3", "D(q||p) = q ln((1 + alpha e^-epsilon)/alpha) - epsilon (1 - q)",
        r"D(q\|p)=q\ln\tfrac{1+\alpha e^{-\epsilon}}{\alpha}-\epsilon(1-q)",
        eq(kl(q=bad_rate, p=sampling_rate), bad_rate * divergence), proof=Symbolic(), domain=EPSILON_ALPHA,
    ),
    stated(
        "lem3.6", "Lemma 3, (6)", "Theorem 2's bound is at most (6)",
        r"\exp(-\tfrac\tau qD(q\|p))\le\exp(-\tau(\ln\tfrac1\alpha-\tfrac{1-q}q\epsilon))", theorem_2 < equation_6,
        domain=EPSILON_ALPHA_TAU,
        proof=Increasing("exp", -tau * divergence, log_of_equation_6, product_of(tau, log1p(alpha * exp(-epsilon)))),
    ),
    stated(
        "lem3.7", "Lemma 3, (7)", "The epsilon term of the exponent",
        r"\tfrac{1-q}q\epsilon=\tfrac{\epsilon}{e^\epsilon-1}\left(1-\tfrac{\alpha}{1+\alpha e^{-\epsilon}}\right)",
        eq(eps_term, equation_7), proof=Symbolic(), domain=EPSILON_ALPHA,
    ),
    stated(
        "lem3.lim", "Lemma 3", "(7) stays below its limit 1/(1 + alpha)",
        r"\sup_\epsilon\tfrac{1-q}q\epsilon=\lim_{\epsilon\to0}=1/(1+\alpha)", equation_7 < limit, domain=EPSILON_ALPHA,
        proof=product_of(
            -expm1(-epsilon) / ((1 + alpha) * (1 + alpha * exp(-epsilon))),
            (limit_margin(y=-expm1(-epsilon)), LIMIT_BY_BOXES),
        ),
    ),
    stated(
        "lem3.asym", "Lemma 3", "C_alpha is at least half of ln(1/alpha) for alpha <= 0.15",
        r"\delta=\alpha^{\Omega(\tau)}", -log(alpha) / 2 < c_alpha, proof=Derivative("alpha", "upper"),
        domain=(replace(ALPHA, upper="3/20"),),
        note="The printed O must be Omega in all three places; this is what is meant.",
    ),
)  # fmt: skip
