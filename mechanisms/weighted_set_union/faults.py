"""Planted faults of the weighted Gaussian set union: weights that do not shrink, and a threshold of one key."""

from typing import Any

from mechanisms.mechanism import AccountantFault, InDoubles
from mechanisms.weighted_set_union.mechanism import MECHANISM
from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.thresholds.weighted import delta_of_keys


@InDoubles
def one_key(A: Arithmetic, *, c_u: int, **at: Any) -> Any:
    """The delta of users of one key, however many they have."""
    del c_u
    return delta_of_keys(A, keys=1, **at)


FAULTS = (
    MECHANISM.broken(
        id="weighted_set_union_full_weights", title="users add one to each of their keys", pair="moved",
        at={"power": 0},
        explanation="Four keys that move by one are twice as far apart as one: weights have to fall with their number.",
    ),
    MECHANISM.broken(
        id="weighted_set_union_low_threshold", title="the threshold is one lower", pair="new_4", at={"threshold": 2},
        epsilon=3, explanation="New keys pass it far more often than the delta of the threshold above allows.",
    ),
    AccountantFault(
        id="weighted_one_key_accountant", title="the threshold's delta of users of one key",
        mechanism="weighted_set_union", violates="thresholds.weighted.delta", accountant=one_key,
        parameters={"epsilon": 1, "sigma": "3.8", "threshold": "17.2", "c_u": 100},
        explanation="A hundred keys of weight 1/10 are named more often than one of weight 1.",
    ),
)  # fmt: skip
