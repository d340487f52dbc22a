"""Permute-and-flip: selection of a candidate by its score plus exponential noise of scale 2/epsilon_0.

A record changes each score by at most 1. Let S be a set of candidates and G(t) the probability that S wins after its
scores rise by t against the other scores. The largest noisy score of each side has a hazard rate of at most
epsilon_0/2, so that `G' <= epsilon_0/2 min(G, 1 - G)`. The distribution function of Laplace noise of scale 2/epsilon_0
attains this bound at every t, and two candidates have it. A record moves t by at most 2.
"""

from typing import Any

from proofs_numeric.arithmetic.roots import peak_value
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard.parameters import *

selected = maximum(0, -expm1((epsilon - epsilon_0) / 2))
"""Exact delta of one selection, at its worst scores."""


def _by_flips(A: Arithmetic, *, epsilon: Number, epsilon_0: Number) -> Any:
    """Two candidates by the definition: the worse one wins if it comes first and its coin shows heads."""
    factor, rate = A.exp(A.number(epsilon)), A.number(epsilon_0) / 2

    def first_wins(lead: Number) -> Number:
        heads = A.exp(-rate * abs(lead)) / 2
        return 1 - heads if lead > 0 else heads

    def advantage(lead: Number) -> Number:
        return first_wins(lead + 2) - factor * first_wins(lead)

    return max(A.number(0), peak_value(A, advantage, A.number(-2), A.number(0)))


CLAIMS = (
    own(
        "permute_and_flip", "permute-and-flip, noisy maximum with exponential noise",
        "Exact delta of one selection by permute-and-flip", r"(1 - e^{(\varepsilon - \varepsilon_0)/2})_+",
        DeltaBound(
            selected, _by_flips, points("epsilon epsilon_0", (0, 1), ("0.5", 2), (3, 10), (1, "0.5")),
            proof=derived(
                Unchecked(
                    "hazard rates",
                    "a maximum of shifted exponential variables has a hazard rate of at most epsilon_0/2: the odds of "
                    "each set of candidates grow no faster than those of a threshold on Laplace noise, and a "
                    "record moves the scores of a set by at most 2 against the others",
                ),
            ),
        ),
        domain=(EPSILON, EPSILON_0), falls=("epsilon",), rises=("epsilon_0",),
        note="The noise has scale 2/epsilon_0 for scores that a record changes by at most 1. If a record moves all "
        "scores in one direction, epsilon_0 is 1/scale.",
    ),
)  # fmt: skip
