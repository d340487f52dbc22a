"""Lemma 3 and the steps of its proof (what is monotone in it: `monotone` beside it)."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.bharadwaj2022 import cells, neighbours
from proofs_numeric.bharadwaj2022.lemma_3.prime import entropy_series
from proofs_numeric.bharadwaj2022.parameters import (
    ALPHA,
    EPSILON_ALPHA,
    EPSILON_ALPHA_TAU,
    SETTINGS,
    own,
    refuted,
    stated,
    uncheckable,
)
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import QuantityKind, Role
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.kinds import DeltaBound, Editorial, Identity, Inequality, Relation
from proofs_numeric.statements.tactics import (
    Boxes,
    ByClaim,
    Derivative,
    Increasing,
    Part,
    Product,
    Substitute,
    Symbolic,
    Through,
)

_DELTA_UPPER: dict[str, Any] = {"quantity": QuantityKind.DELTA, "role": Role.UPPER, "privacy": neighbours.ITEM}


def eps_term(A: Arithmetic, *, epsilon: Number, alpha: Number) -> Number:
    """``((1 - q)/q) epsilon``."""
    q = cells.bad_rate(A, epsilon=epsilon, alpha=alpha)
    return epsilon * A.exp(-epsilon) * (1 - cells.sampling_rate(A, epsilon=epsilon, alpha=alpha)) / q


def equation_7(A: Arithmetic, *, epsilon: Number, alpha: Number) -> Number:
    """``epsilon/(e^epsilon - 1) (1 - alpha/(1 + alpha e^-epsilon))`` (7)."""
    return epsilon / A.expm1(epsilon) * (1 - alpha / (1 + alpha * A.exp(-epsilon)))


def equation_6(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: Number) -> Number:
    """``exp(-tau (ln(1/alpha) - ((1 - q)/q) epsilon))`` (6)."""
    return A.exp(-tau * (-A.log(alpha) - equation_7(A, epsilon=epsilon, alpha=alpha)))


def divergence_from_definition(A: Arithmetic, *, epsilon: Number, alpha: Number) -> Number:
    """``D(q || p)`` as q ln(q/p) + (1 - q) ln((1 - q)/(1 - p))."""
    p = cells.sampling_rate(A, epsilon=epsilon, alpha=alpha)
    return cells.kl(A, q=cells.bad_rate(A, epsilon=epsilon, alpha=alpha), p=p)


def divergence_as_printed(A: Arithmetic, *, epsilon: Number, alpha: Number) -> Number:
    """``q ln((1 + alpha e^-epsilon)/alpha) - epsilon (1 - q)``."""
    return cells.bad_rate(A, epsilon=epsilon, alpha=alpha) * cells.divergence(A, epsilon=epsilon, alpha=alpha)


def _limit(A: Arithmetic, *, epsilon: Number, alpha: Number) -> Number:
    del A, epsilon
    return 1 / (1 + alpha)


def limit_margin(A: Arithmetic, *, alpha: Number, y: Number) -> Any:
    """``alpha^2 + (1 + alpha) M(y) (1 - alpha y)``: limit - (7) with the factor y = 1 - e^-epsilon taken out."""
    return alpha * alpha + (1 + alpha) * entropy_series(A, y) * (1 - alpha * y)


def _c_alpha(A: Arithmetic, *, alpha: Number) -> Number:
    return cells.c_alpha(A, alpha=alpha)


def _log_of_equation_6(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int) -> Any:
    return tau * (A.log(alpha) + equation_7(A, epsilon=epsilon, alpha=alpha))


def _room_below_limit(A: Arithmetic, *, epsilon: Number, alpha: Number, **_tau: int) -> Any:
    return _limit(A, epsilon=epsilon, alpha=alpha) - equation_7(A, epsilon=epsilon, alpha=alpha)


def _vacuous(*, alpha: Fraction, **_others: Any) -> str | None:
    """What to say of Lemma 3's bound where C_alpha <= 0."""
    if alpha <= Fraction(cells.LEMMA_3_ALPHA):
        return None
    return f"vacuous, as C_alpha <= 0 and a delta is at most 1; Lemma 3 says more for alpha <= {cells.LEMMA_3_ALPHA}"


_ALPHA_BOX = Box((ALPHA,))

CLAIMS = (
    uncheckable(
        "lem3.asym.letters",
        "Lemma 3",
        "O for Omega",
        r"\alpha^{O(\tau)}",
        Editorial("alpha^{O(tau)}", "alpha^{Omega(tau)}", "An upper bound on the exponent bounds no delta."),
        corrected_by="bharadwaj2022.lem3.asym",
    ),
    stated(
        "lem3.stmt",
        "Lemma 3",
        "delta = exp(-C_alpha tau) at p = alpha (1 - e^-epsilon)",
        r"\delta=\exp(-C_\alpha\tau),\ C_\alpha=\ln(1/\alpha)-1/(1+\alpha)",
        DeltaBound(
            cells.lemma_3,
            exact=cells.tight,
            proof=Through(
                cells.theorem_2,
                ByClaim("bharadwaj2022.thm2.stmt"),
                Through(
                    equation_6,
                    ByClaim("bharadwaj2022.lem3.6"),
                    Increasing(
                        "exp",
                        _log_of_equation_6,
                        lambda A, *, epsilon, alpha, tau: -tau * cells.c_alpha(A, alpha=alpha),
                        Product(
                            (
                                Part(lambda A, *, tau, **_rest: A.number(tau)),
                                Part(_room_below_limit, ByClaim("bharadwaj2022.lem3.lim")),
                            )
                        ),
                    ),
                ),
            ),
        ),
        domain=EPSILON_ALPHA_TAU,
        points=SETTINGS,
        loose="1.1e6 above the exact delta at the paper's default; "
        f"vacuous (>= 1) for alpha above {cells.LEMMA_3_ALPHA}",
        remark=_vacuous,
        note="The paper's restriction epsilon <= 1 is not needed.",
        **_DELTA_UPPER,
    ),
    refuted(
        "lem3.range",
        "Lemma 3",
        "C_alpha > 0 for every 0 < alpha <= 1",
        r"C_\alpha>0,\ 0<\alpha\le1",
        Inequality(zero, _c_alpha, Relation.LESS),
        by="lem3.range.corrected",
        domain=_ALPHA_BOX,
        note="The range of the lemma reaches where its bound exceeds 1.",
    ),
    own(
        "lem3.range.corrected",
        "Lemma 3",
        "C_alpha > 0 for alpha <= 0.5173",
        r"C_\alpha>0,\ \alpha\le0.5173",
        Inequality(zero, _c_alpha, Relation.LESS, proof=Boxes()),
        domain=Box((replace(ALPHA, upper="0.5173"),)),
    ),
    stated(
        "lem3.1mq",
        "Lemma 3",
        "1 - q = (1 - p) e^-epsilon",
        r"1-q=(1-p)e^{-\epsilon}",
        Identity(
            lambda A, *, epsilon, alpha: 1 - cells.bad_rate(A, epsilon=epsilon, alpha=alpha),
            lambda A, *, epsilon, alpha: (1 - cells.sampling_rate(A, epsilon=epsilon, alpha=alpha)) * A.exp(-epsilon),
            proof=Symbolic(),
        ),
        domain=EPSILON_ALPHA,
    ),
    stated(
        "lem3.D",
        "Lemma 3",
        "D(q||p) = q ln((1 + alpha e^-epsilon)/alpha) - epsilon (1 - q)",
        r"D(q\|p)=q\ln\tfrac{1+\alpha e^{-\epsilon}}{\alpha}-\epsilon(1-q)",
        Identity(divergence_from_definition, divergence_as_printed, proof=Symbolic()),
        domain=EPSILON_ALPHA,
    ),
    stated(
        "lem3.6",
        "Lemma 3, (6)",
        "Theorem 2's bound is at most (6)",
        r"\exp(-\tfrac\tau qD(q\|p))\le\exp(-\tau(\ln\tfrac1\alpha-\tfrac{1-q}q\epsilon))",
        Inequality(
            cells.theorem_2,
            equation_6,
            Relation.LESS,
            proof=Increasing(
                "exp",
                lambda A, *, epsilon, alpha, tau: -tau * cells.divergence(A, epsilon=epsilon, alpha=alpha),
                _log_of_equation_6,
                Product(
                    (
                        Part(lambda A, *, tau, **_rest: A.number(tau)),
                        Part(lambda A, *, epsilon, alpha, **_rest: A.log1p(alpha * A.exp(-epsilon))),
                    )
                ),
            ),
        ),
        domain=EPSILON_ALPHA_TAU,
    ),
    stated(
        "lem3.7",
        "Lemma 3, (7)",
        "The epsilon term of the exponent",
        r"\tfrac{1-q}q\epsilon=\tfrac{\epsilon}{e^\epsilon-1}\left(1-\tfrac{\alpha}{1+\alpha e^{-\epsilon}}\right)",
        Identity(eps_term, equation_7, proof=Symbolic()),
        domain=EPSILON_ALPHA,
    ),
    stated(
        "lem3.lim",
        "Lemma 3",
        "(7) stays below its limit 1/(1 + alpha)",
        r"\sup_\epsilon\tfrac{1-q}q\epsilon=\lim_{\epsilon\to0}=1/(1+\alpha)",
        Inequality(
            equation_7,
            _limit,
            Relation.LESS,
            proof=Product(
                (
                    Part(
                        lambda A, *, epsilon, alpha: -A.expm1(-epsilon) / ((1 + alpha) * (1 + alpha * A.exp(-epsilon)))
                    ),
                    Part(
                        lambda A, *, epsilon, alpha: limit_margin(A, alpha=alpha, y=-A.expm1(-epsilon)),
                        Substitute(
                            Box((Parameter("alpha", "", upper=1), Parameter("y", "1 - e^-epsilon", upper=1))),
                            {"y": lambda A, *, epsilon, alpha: -A.expm1(-epsilon)},
                            Boxes(),
                            zero,
                            limit_margin,
                        ),
                    ),
                )
            ),
        ),
        domain=EPSILON_ALPHA,
    ),
    stated(
        "lem3.asym",
        "Lemma 3",
        "C_alpha is at least half of ln(1/alpha) for alpha <= 0.15",
        r"\delta=\alpha^{\Omega(\tau)}",
        Inequality(lambda A, *, alpha: -A.log(alpha) / 2, _c_alpha, Relation.LESS, proof=Derivative("alpha", "upper")),
        domain=Box((replace(ALPHA, upper="3/20"),)),
        note="The printed O must be Omega in all three places; this is what is meant.",
    ),
)
