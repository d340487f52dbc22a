"""The monotonicity steps of Lemma 3's proof: what falls with epsilon, and what does not."""

from proofs_numeric.bharadwaj2022.cells import alpha, divergence, epsilon, tau
from proofs_numeric.bharadwaj2022.lemma_3.bound import equation_6
from proofs_numeric.bharadwaj2022.parameters import EPSILON, EPSILON_ALPHA, EPSILON_ALPHA_TAU, own, refuted, stated
from proofs_numeric.expression import eq, exp, expm1, factors, product_of, sum_of
from proofs_numeric.statements.kinds import Monotonicity
from proofs_numeric.statements.tactics import Derivative, Slope

over_expm1 = epsilon / expm1(epsilon)
per_square = 1 / expm1(epsilon) ** 2
over_expm1_falls = epsilon * exp(epsilon) - expm1(epsilon), Derivative("epsilon", "lower")
odds = alpha * exp(-epsilon)
first_falls = factors(per_square, over_expm1_falls, 1 - alpha / (1 + odds))
second_falls = over_expm1 * alpha * odds / (1 + odds) ** 2

CLAIMS = (
    stated(
        "lem3.mono1", "Lemma 3", "-1/(1 + alpha e^-epsilon) falls with epsilon", None,
        Monotonicity(-1 / (1 + odds), "epsilon", increasing=False), proof=Slope(), domain=EPSILON_ALPHA,
    ),
    stated(
        "lem3.mono2", "Lemma 3", "epsilon/(e^epsilon - 1) falls with epsilon", None,
        Monotonicity(over_expm1, "epsilon", increasing=False), domain=(EPSILON,),
        proof=Slope(product_of(per_square, over_expm1_falls)),
    ),
    refuted(
        "lem3.mono2.derivative", "Lemma 3", "The derivative of the numerator as printed",
        r"-\tfrac{d}{d\epsilon}e^\epsilon(\epsilon-1)+1=-\epsilon e^\epsilon",
        eq(-epsilon * exp(epsilon) + 1, -epsilon * exp(epsilon)), by="lem3.mono2.derivative.corrected",
        domain=(EPSILON,), note="The 1 belongs inside the derivative.",
    ),
    own(
        "lem3.mono2.derivative.corrected", "Lemma 3", "f = -(e^epsilon (epsilon - 1) + 1) is negative for epsilon > 0",
        None, -(exp(epsilon) * (epsilon - 1) + 1) < 0, proof=Derivative("epsilon", "lower"), domain=(EPSILON,),
    ),
    stated(
        "lem3.mono3", "Lemma 3", "(6) falls with epsilon",
        r"\exp(-\tau(\ln\tfrac1\alpha-\tfrac{1-q}q\epsilon))\downarrow",
        Monotonicity(equation_6, "epsilon", increasing=False), domain=EPSILON_ALPHA_TAU,
        proof=Slope(
            product_of(tau * equation_6, (first_falls.formula + second_falls, sum_of(first_falls, second_falls)))
        ),
        note="Theorem 2's own exponent D/q is not monotone for alpha > 0.7187 (lem3.mono3.divergence).",
    ),
    refuted(
        "lem3.mono3.divergence", "Lemma 3", "The unsimplified exponent D/q grows with epsilon for every alpha <= 1",
        r"D(q\|p)/q\uparrow", Monotonicity(divergence, "epsilon", increasing=True), by="lem3.mono3",
        domain=EPSILON_ALPHA,
    ),
)  # fmt: skip
