"""Section 3.1: the sampling rate and the threshold that the paper picks, and what they amount to."""

from dataclasses import replace

from proofs_numeric.bharadwaj2022.formulas import sampling_rate as rate
from proofs_numeric.bharadwaj2022.parameters import *
from proofs_numeric.bharadwaj2022.theorem_2.bound import SMALL, printed_exact_binomial, tight
from proofs_numeric.expression.vocabulary import *

over_p = -expm1(-lift(1)) * alpha * epsilon / rate
over_epsilon = rate / (alpha * epsilon)
SHORTFALL = epsilon + expm1(-epsilon), Derivative("epsilon", "lower")
OVER_P_RISES = Derivative(
    "epsilon", "upper",
    product_of(
        expm1(-lift(1)) / -(expm1(-epsilon) ** 2), (1 - (1 + epsilon) * exp(-epsilon), Derivative("epsilon", "lower")),
    ),
    Symbolic(),
)  # fmt: skip

CLAIMS = (
    refuted(
        "sec31.best", "Section 3.1", "The best bound is the exact binomial at k = tau/q",
        r"\delta\le\Pr[B(\lfloor\tau/q\rfloor,p)>\tau]", tight <= printed_exact_binomial, by="delta_binom",
        evaluates=printed_exact_binomial, domain=SMALL, note="The best bound is bharadwaj2022.tight.", **DELTA_UPPER,
    ),
    stated(
        "sec31.num", "Section 3.1", "C_alpha = 0.935 at alpha = 1/6", r"C_{1/6}=0.935",
        Quantity(c_alpha(alpha="1/6"), "0.935"),
    ),
    stated(
        "sec31.num.rate", "Section 3.1", "p = 0.105 at epsilon = 1, alpha = 1/6", r"p_s=0.105",
        Quantity(rate(epsilon=1, alpha="1/6"), "0.105"),
    ),
    stated(
        "sec31.num.delta", "Section 3.1", "delta < 1e-8 at tau = 20, alpha = 1/6", r"\exp(-20C_{1/6})<10^{-8}",
        lemma_3(alpha="1/6", tau=20) < "1e-8",
        loose="the exact delta is 6.87e-15; tau = 11 is enough for 1e-8 (bharadwaj2022.exp.tau.every)",
    ),
    stated(
        "sec31.theta", "Section 3.1", "p = Theta(alpha epsilon) for epsilon <= 1", None,
        maximum(over_p, over_epsilon) <= 1, domain=(replace(EPSILON_TO_ONE, lower=0, open_lower=True), ALPHA),
        proof=largest_of((over_p, OVER_P_RISES), (over_epsilon, product_of(1 / epsilon, SHORTFALL))),
        note="The upper half at every epsilon is bharadwaj2022.sec31.theta.upper; no lower half is.",
    ),
    stated(
        "sec31.theta.upper", "Section 3.1", "p = Theta(alpha epsilon), the upper half at every epsilon", None,
        rate < alpha * epsilon, domain=(replace(EPSILON, lower=0, open_lower=True), ALPHA),
        proof=product_of(alpha, SHORTFALL),
    ),
    stated(
        "sec31.inv", "Section 3.1", "epsilon = ln(alpha/(alpha - p))", None, eq(epsilon, log(alpha / (alpha - rate))),
        proof=Symbolic(), domain=EPSILON_ALPHA, note="Needs p < alpha.",
    ),
    stated(
        "sec31.tau", "Section 3.1", "tau = ln(1/delta)/C_alpha = 19.7 at alpha = 1/6, delta = 1e-8",
        r"\tau=\tfrac1{C_\alpha}\ln(1/\delta)", Quantity(log(lift(10**8)) / c_alpha(alpha="1/6"), "19.7"),
        note="A real number: it must be rounded up, and alpha < 0.5173; rounding down to 19 gives 1.94e-8 by Lemma 3.",
    ),
    refuted(
        "sec31.fifth", "Section 3.1", "alpha = 1/5 is sampling with probability epsilon/5", None,
        epsilon / 5 <= -expm1(-epsilon) / 5, by="sec31.fifth.corrected", domain=(EPSILON_TO_ONE,),
        note="epsilon/5 is alpha = 0.21 (epsilon = 0.1) to 0.32 (epsilon = 1).",
    ),
    own(
        "sec31.fifth.corrected", "Section 3.1",
        "With p = epsilon/5 and tau = 24 Theorem 2 still gives delta <= 1e-8 for epsilon <= 1",
        r"\exp(-\tfrac{24}qD(q\|p))\le10^{-8},\ p=\epsilon/5",
        theorem_2(alpha=-epsilon / 5 / expm1(-epsilon), tau=24) < "1e-8", proof=Boxes(), domain=(EPSILON_TO_ONE,),
    ),
)  # fmt: skip
