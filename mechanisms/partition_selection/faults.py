"""Planted faults of partition selection: a key that is nearly always released, and one delta for every key."""

from dataclasses import replace
from functools import partial
from typing import Any

from mechanisms.partition_selection.mechanism import MECHANISM, law
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.standard.selection import risen
from proofs_numeric.statements.neighbours import Direction, Neighbours


def rising_only(A: Arithmetic, *, epsilon_0: Number, delta_0: Number, users: int) -> Any:
    """The first term alone, up to 1."""
    grown = A.exp(users * A.number(epsilon_0))
    return A.minimum(A.number(1), risen(A, epsilon_0=A.number(epsilon_0), delta_0=A.number(delta_0), grown=grown))


_LAST = Neighbours("last", {"k0": 3}, {"k0": 2}, "the user with whom a key is always released")
_CERTAIN: dict[str, Value] = {"epsilon_0": 1, "delta_0": "1/10", "c_u": 1}

FAULTS = (
    MECHANISM.broken(
        id="partition_selection_uncapped", title="probabilities grow by the first term alone",
        change=partial(replace, keep=rising_only), parameters=_CERTAIN, pair=_LAST,
        profile=law(_LAST, _CERTAIN, rising_only).profile, direction=Direction.BACKWARD,
        explanation="A key that is always released with the user and withheld without tells who is absent.",
    ),
    MECHANISM.broken(
        id="partition_selection_delta_for_each_key", title="each of four keys has the delta of all", pair="new",
        at={"delta_0": "1/10"}, parameters={"epsilon_0": "1/4", "delta_0": "1/40", "c_u": 4}, epsilon=1,
        explanation="Four keys that only the user has are released nearly four times as often as one.",
    ),
)  # fmt: skip
