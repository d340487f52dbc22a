"""Section 3.1: the sampling rate and the threshold that the paper picks, and what they amount to."""

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.parameters import ALPHA, EPSILON, EPSILON_ALPHA, own, refuted, stated
from proofs_numeric.bharadwaj2022.theorem_2.bound import DELTA_UPPER, SMALL, printed_exact_binomial
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.constants import one
from proofs_numeric.statements.kinds import Identity, Inequality, Quantity, Relation
from proofs_numeric.statements.tactics import Boxes, Derivative, Maximum, Part, Product, Symbolic


def _over_p(A: Arithmetic, *, epsilon: Number, alpha: Number) -> Number:
    """``(1 - 1/e) alpha epsilon/p``."""
    return -A.expm1(-A.number(1)) * alpha * epsilon / cells.sampling_rate(A, epsilon=epsilon, alpha=alpha)


def _over_epsilon(A: Arithmetic, *, epsilon: Number, alpha: Number) -> Number:
    """``p/(alpha epsilon)``."""
    return cells.sampling_rate(A, epsilon=epsilon, alpha=alpha) / (alpha * epsilon)


def _shortfall(A: Arithmetic, *, epsilon: Number, alpha: Number) -> Number:
    """``(alpha epsilon - p)/alpha``."""
    del alpha
    return epsilon + A.expm1(-epsilon)


def beyond_theta(A: Arithmetic, **point: Number) -> Any:
    """The larger of the lower end over p and of p over the upper end."""
    return A.maximum(_over_p(A, **point), _over_epsilon(A, **point))


CLAIMS = (
    refuted(
        "sec31.best",
        "Section 3.1",
        "The best bound is the exact binomial at k = tau/q",
        r"\delta\le\Pr[B(\lfloor\tau/q\rfloor,p)>\tau]",
        Inequality(cells.tight, printed_exact_binomial),
        by="delta_binom",
        evaluates=printed_exact_binomial,
        domain=SMALL,
        note="The best bound is bharadwaj2022.tight.",
        **DELTA_UPPER,
    ),
    stated(
        "sec31.num",
        "Section 3.1",
        "C_alpha = 0.935 at alpha = 1/6",
        r"C_{1/6}=0.935",
        Quantity(lambda A: cells.c_alpha(A, alpha=A.number("1/6")), "0.935"),
    ),
    stated(
        "sec31.num.rate",
        "Section 3.1",
        "p = 0.105 at epsilon = 1, alpha = 1/6",
        r"p_s=0.105",
        Quantity(lambda A: cells.sampling_rate(A, epsilon=A.number(1), alpha=A.number("1/6")), "0.105"),
    ),
    stated(
        "sec31.num.delta",
        "Section 3.1",
        "delta < 1e-8 at tau = 20, alpha = 1/6",
        r"\exp(-20C_{1/6})<10^{-8}",
        Inequality(
            lambda A: cells.lemma_3(A, epsilon=1, alpha=A.number("1/6"), tau=20),
            lambda A: A.number("1e-8"),
            Relation.LESS,
        ),
        loose="the exact delta is 6.87e-15; tau = 11 is enough for 1e-8 (bharadwaj2022.exp.tau.every)",
    ),
    stated(
        "sec31.theta",
        "Section 3.1",
        "p = Theta(alpha epsilon) for epsilon <= 1",
        r"(1-1/e)\alpha\epsilon\le p_s=\alpha(1-e^{-\epsilon})\le\alpha\epsilon,\quad0<\epsilon\le1",
        Inequality(
            beyond_theta,
            one,
            proof=Maximum(
                (
                    Part(
                        _over_p,
                        Derivative(
                            "epsilon",
                            "upper",
                            Product(
                                (
                                    Part(
                                        lambda A, *, epsilon, alpha: A.expm1(-A.number(1)) / -(A.expm1(-epsilon) ** 2)
                                    ),
                                    Part(
                                        lambda A, *, epsilon, alpha: 1 - (1 + epsilon) * A.exp(-epsilon),
                                        Derivative("epsilon", "lower"),
                                    ),
                                )
                            ),
                            Symbolic(),
                        ),
                    ),
                    Part(
                        _over_epsilon,
                        Product(
                            (
                                Part(lambda _A, *, epsilon, alpha: 1 / epsilon),
                                Part(
                                    lambda A, *, epsilon, alpha: epsilon + A.expm1(-epsilon),
                                    Derivative("epsilon", "lower"),
                                ),
                            )
                        ),
                    ),
                )
            ),
        ),
        domain=Box((replace(EPSILON, lower=0, open_lower=True, upper=1), ALPHA)),
        note="The upper half at every epsilon is bharadwaj2022.sec31.theta.upper; no lower half is.",
    ),
    stated(
        "sec31.theta.upper",
        "Section 3.1",
        "p = Theta(alpha epsilon), the upper half at every epsilon",
        r"p_s=\alpha(1-e^{-\epsilon})<\alpha\epsilon",
        Inequality(
            cells.sampling_rate,
            lambda _A, *, epsilon, alpha: alpha * epsilon,
            Relation.LESS,
            proof=Product(
                (Part(lambda _A, *, epsilon, alpha: alpha), Part(_shortfall, Derivative("epsilon", "lower")))
            ),
        ),
        domain=Box((replace(EPSILON, lower=0, open_lower=True), ALPHA)),
    ),
    stated(
        "sec31.inv",
        "Section 3.1",
        "epsilon = ln(alpha/(alpha - p))",
        r"\epsilon=\ln\tfrac{\alpha}{\alpha-p_s}",
        Identity(
            lambda _A, *, epsilon, alpha: epsilon,
            lambda A, *, epsilon, alpha: A.log(alpha / (alpha - cells.sampling_rate(A, epsilon=epsilon, alpha=alpha))),
            proof=Symbolic(),
        ),
        domain=EPSILON_ALPHA,
        note="Needs p < alpha.",
    ),
    stated(
        "sec31.tau",
        "Section 3.1",
        "tau = ln(1/delta)/C_alpha = 19.7 at alpha = 1/6, delta = 1e-8",
        r"\tau=\tfrac1{C_\alpha}\ln(1/\delta)",
        Quantity(lambda A: A.log(A.number(10**8)) / cells.c_alpha(A, alpha=A.number("1/6")), "19.7"),
        note="A real number: it must be rounded up, and alpha < 0.5173; rounding down to 19 gives 1.94e-8 by Lemma 3.",
    ),
    refuted(
        "sec31.fifth",
        "Section 3.1",
        "alpha = 1/5 is sampling with probability epsilon/5",
        r"\epsilon/5\le\tfrac15(1-e^{-\epsilon})",
        Inequality(lambda _A, *, epsilon: epsilon / 5, lambda A, *, epsilon: -A.expm1(-epsilon) / 5),
        by="sec31.fifth.corrected",
        domain=Box((replace(EPSILON, upper=1),)),
        note="epsilon/5 is alpha = 0.21 (epsilon = 0.1) to 0.32 (epsilon = 1).",
    ),
    own(
        "sec31.fifth.corrected",
        "Section 3.1",
        "With p = epsilon/5 and tau = 24 Theorem 2 still gives delta <= 1e-8 for epsilon <= 1",
        r"\exp(-\tfrac{24}qD(q\|p))\le10^{-8},\ p=\epsilon/5",
        Inequality(
            lambda A, *, epsilon: cells.theorem_2(A, epsilon=epsilon, alpha=-epsilon / 5 / A.expm1(-epsilon), tau=24),
            lambda A, *, epsilon: A.number("1e-8"),
            Relation.LESS,
            proof=Boxes(),
        ),
        domain=Box((replace(EPSILON, upper=1),)),
    ),
)
