"""Planted faults of the geometric sparse histogram: its threshold, its scale, and two accountants."""

from typing import Any

from mechanisms.geometric_sparse_histogram.mechanism import MECHANISM
from mechanisms.mechanism import AccountantFault, InDoubles
from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.thresholds.laplace import BETWEEN_THE_ENDS, laplace_integer_profile, two_ends


@InDoubles
def strict(A: Arithmetic, *, threshold: int, **at: Any) -> Any:
    """The exact profile at the next threshold: P[Z > T - m] for P[Z >= T - m]."""
    return laplace_integer_profile(A, threshold=threshold + 1, **at)


@InDoubles
def maximum_rule(A: Arithmetic, **at: Any) -> Any:
    """The larger of the two ends."""
    return two_ends(A, **at)


FAULTS = (
    MECHANISM.broken(
        id="geometric_sparse_histogram_low_threshold", title="keys at threshold - 1 are released", pair="new_keys",
        at={"threshold": 4}, parameters={"threshold": 5}, epsilon=2,
        explanation="On integers > and >= are different mechanisms: a new key passes e^(1/b) times as often.",
    ),
    MECHANISM.broken(
        id="geometric_sparse_histogram_one_key_scale", title="the scale of one key for users of two", pair="moved",
        at={"scale": 1}, parameters={"scale": 2, "threshold": 12},
        explanation="Two keys move together: the noise has to be as wide as their l1 distance needs.",
    ),
    AccountantFault(
        id="geometric_strict_threshold_accountant", title="P[Z > T - m] in place of P[Z >= T - m]",
        mechanism="geometric_sparse_histogram", violates="thresholds.laplace.integer.profile", accountant=strict,
        parameters={"epsilon": 1, "scale": 1, "threshold": 4, "c_u": 1, "per_key": 1},
        explanation="The tail one integer further is e^(-1/b) of what a new key passes with (opendp issue 2922).",
    ),
    AccountantFault(
        id="geometric_maximum_rule_accountant", title="the maximum rule with discrete Laplace noise",
        mechanism="geometric_sparse_histogram", violates="thresholds.laplace.integer.profile", accountant=maximum_rule,
        parameters=BETWEEN_THE_ENDS, explanation="One new key beside one that moves is worse than two of either kind.",
    ),
)  # fmt: skip
