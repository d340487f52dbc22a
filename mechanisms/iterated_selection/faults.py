"""Planted faults of the iterated weighted set union: a last round that leaks more, disjoint rounds."""

from typing import Any

from mechanisms.iterated_selection.accountant import worst_of_rounds
from mechanisms.iterated_selection.mechanism import MECHANISM
from mechanisms.mechanism import AccountantFault
from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.thresholds.iterated import ROUNDS, SPLIT
from proofs_numeric.thresholds.weighted import delta_weighted


def largest_of_rounds(A: Arithmetic, *, epsilon: Any, c_u: int, **at: Any) -> Any:
    """The largest of the rounds' deltas."""
    each = (
        delta_weighted(A, epsilon=epsilon, sigma=at[f"sigma_{i}"], threshold=at[f"threshold_{i}"], c_u=c_u)
        for i in ROUNDS
    )
    return A.maximum(*each)


FAULTS = (
    MECHANISM.broken(
        id="iterated_selection_whole_budget", title="the last round has the noise and the threshold of a single round",
        pair="new_2", at={"sigma_3": "1/2", "threshold_3": "3/2"},
        parameters={"threshold_1": 14, "threshold_2": 9, "threshold_3": "11/2"}, epsilon=5,
        explanation="A new key that the rounds before withheld is shown in the last one far more often than its part "
        "of delta allows.",
    ),
    MECHANISM.broken(
        id="iterated_selection_half_noise", title="the last round has half of its noise", pair="near",
        at={"sigma_3": "1/2"}, epsilon=3, direction=Direction.BACKWARD,
        explanation="A key that the first rounds withhold is shown in the last one with a weight that tells one user.",
    ),
    AccountantFault(
        id="iterated_largest_round_accountant", title="the largest of the rounds' deltas, as if rounds had other keys",
        mechanism="iterated_selection", violates="thresholds.iterated.keys", accountant=worst_of_rounds,
        formula=largest_of_rounds, parameters={**SPLIT, "c_u": 10},
        explanation="Removed keys do not make the rounds disjoint: a key that a round withholds is in the next one.",
    ),
)  # fmt: skip
