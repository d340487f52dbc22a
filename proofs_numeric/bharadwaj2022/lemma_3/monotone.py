"""The monotonicity steps of Lemma 3's proof: what falls with epsilon, and what does not."""

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.lemma_3.bound import equation_6
from proofs_numeric.bharadwaj2022.parameters import EPSILON, EPSILON_ALPHA, EPSILON_ALPHA_TAU, own, refuted, stated
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.kinds import Identity, Inequality, Monotonicity, Relation
from proofs_numeric.statements.tactics import Derivative, Part, Product, Slope, Sum


def over_expm1(A: Arithmetic, *, epsilon: Number) -> Number:
    """``epsilon/(e^epsilon - 1)``."""
    return epsilon / A.expm1(epsilon)


def _odds_of_alpha(A: Arithmetic, *, epsilon: Number, alpha: Number) -> Number:
    return -1 / (1 + alpha * A.exp(-epsilon))


def _numerator(A: Arithmetic, *, epsilon: Number) -> Number:
    return -(A.exp(epsilon) * (epsilon - 1) + 1)


def _derivative_as_printed(A: Arithmetic, *, epsilon: Number) -> Number:
    """``-(d/de) e^e (e - 1) + 1`` read as printed: the 1 outside the derivative."""
    return -epsilon * A.exp(epsilon) + 1


def _derivative(A: Arithmetic, *, epsilon: Number) -> Number:
    return -epsilon * A.exp(epsilon)


def _over_expm1_falls(A: Arithmetic, *, epsilon: Number, **_rest: Number) -> Number:
    return epsilon * A.exp(epsilon) - A.expm1(epsilon)


def _kept(A: Arithmetic, *, epsilon: Number, alpha: Number, **_rest: Number) -> Number:
    return 1 - alpha / (1 + alpha * A.exp(-epsilon))


def _first_falls(A: Arithmetic, *, epsilon: Number, alpha: Number, **_rest: Number) -> Number:
    fall = _over_expm1_falls(A, epsilon=epsilon) / A.expm1(epsilon) ** 2
    return fall * _kept(A, epsilon=epsilon, alpha=alpha)


def _second_falls(A: Arithmetic, *, epsilon: Number, alpha: Number, **_rest: Number) -> Number:
    part = alpha * A.exp(-epsilon)
    return over_expm1(A, epsilon=epsilon) * alpha * part / (1 + part) ** 2


_EPSILON_BOX = Box((EPSILON,))

CLAIMS = (
    stated(
        "lem3.mono1",
        "Lemma 3",
        "-1/(1 + alpha e^-epsilon) falls with epsilon",
        r"-1/(1+\alpha e^{-\epsilon})\downarrow",
        Monotonicity(_odds_of_alpha, "epsilon", increasing=False, proof=Slope()),
        domain=EPSILON_ALPHA,
    ),
    stated(
        "lem3.mono2",
        "Lemma 3",
        "epsilon/(e^epsilon - 1) falls with epsilon",
        r"\epsilon/(e^\epsilon-1)\downarrow",
        Monotonicity(
            over_expm1,
            "epsilon",
            increasing=False,
            proof=Slope(
                Product(
                    (
                        Part(lambda A, *, epsilon: 1 / A.expm1(epsilon) ** 2),
                        Part(_over_expm1_falls, Derivative("epsilon", "lower")),
                    )
                )
            ),
        ),
        domain=_EPSILON_BOX,
    ),
    refuted(
        "lem3.mono2.derivative",
        "Lemma 3",
        "The derivative of the numerator as printed",
        r"-\tfrac{d}{d\epsilon}e^\epsilon(\epsilon-1)+1=-\epsilon e^\epsilon",
        Identity(_derivative_as_printed, _derivative),
        by="lem3.mono2.derivative.corrected",
        domain=_EPSILON_BOX,
        note="The 1 belongs inside the derivative.",
    ),
    own(
        "lem3.mono2.derivative.corrected",
        "Lemma 3",
        "f = -(e^epsilon (epsilon - 1) + 1) is negative for epsilon > 0",
        r"-(e^\epsilon(\epsilon-1)+1)<0",
        Inequality(_numerator, lambda A, *, epsilon: A.number(0), Relation.LESS, proof=Derivative("epsilon", "lower")),
        domain=_EPSILON_BOX,
    ),
    stated(
        "lem3.mono3",
        "Lemma 3",
        "(6) falls with epsilon",
        r"\exp(-\tau(\ln\tfrac1\alpha-\tfrac{1-q}q\epsilon))\downarrow",
        Monotonicity(
            equation_6,
            "epsilon",
            increasing=False,
            proof=Slope(
                Product(
                    (
                        Part(lambda A, *, tau, **at: tau * equation_6(A, tau=tau, **at)),
                        Part(
                            lambda A, **at: _first_falls(A, **at) + _second_falls(A, **at),
                            Sum(
                                (
                                    Part(
                                        _first_falls,
                                        Product(
                                            (
                                                Part(lambda A, *, epsilon, **_rest: 1 / A.expm1(epsilon) ** 2),
                                                Part(_over_expm1_falls, Derivative("epsilon", "lower")),
                                                Part(_kept),
                                            )
                                        ),
                                    ),
                                    Part(_second_falls),
                                )
                            ),
                        ),
                    )
                )
            ),
        ),
        domain=EPSILON_ALPHA_TAU,
        note="Theorem 2's own exponent D/q is not monotone for alpha > 0.7187 (lem3.mono3.divergence).",
    ),
    refuted(
        "lem3.mono3.divergence",
        "Lemma 3",
        "The unsimplified exponent D/q grows with epsilon for every alpha <= 1",
        r"D(q\|p)/q\uparrow",
        Monotonicity(cells.divergence, "epsilon", increasing=True),
        by="lem3.mono3",
        domain=EPSILON_ALPHA,
    ),
)
