"""The parameters that the claims of the paper share, with their domains."""

from dataclasses import replace
from typing import Any

from proofs_numeric.bharadwaj2022 import neighbours
from proofs_numeric.bharadwaj2022.formulas import *
from proofs_numeric.expression.vocabulary import *

EPSILON = Parameter("epsilon", "privacy-loss level at which delta is evaluated", "nats", "1e-4", 20, log=True)
EPSILON_TO_ONE = replace(EPSILON, upper=1)
LEVEL = replace(EPSILON, lower=0, log=False)
LEVEL_TO_TEN = replace(LEVEL, upper=10)
ALPHA = Parameter(
    "alpha", "sampling rate over its largest value, p = alpha (1 - e^-epsilon)", lower="1e-3", upper=1, log=True
)
TAU = Parameter("tau", "a cell is reported iff its sampled count is >= tau", "clients", 1, 1000, integer=True, log=True)
TAU_SMALL = replace(TAU, upper=40)
P = Parameter("p", "sampling probability of a client", "probability", 0, 1, open_lower=True, open_upper=True)
P_S = replace(P, name="p_s", description="sampling probability m / n of a client")
K = Parameter("k", "clients that hold the item", "clients", 1, 400, integer=True, log=True)
K_A = replace(K, name="ka", description="clients that hold the item that loses one", upper=2000)
K_B = replace(K, name="kb", description="clients that hold the item that gains one", lower=0, upper=4000, log=False)
Q = replace(P, name="q", description="rate above which a count is bad, 1 - e^-epsilon (1 - p)")
ANY_K = replace(K, upper="infinity", log=False)
ANY_TAU = replace(TAU, upper="infinity", log=False)


def rate_within(lower: str, upper: str) -> Parameter:
    """The sampling probability in a closed interval."""
    return replace(P, lower=lower, upper=upper, open_lower=False, open_upper=False)


PROBABILITY: dict[str, Any] = {"quantity": QuantityKind.PROBABILITY}
"""What a claim about a probability says beside its formulas."""
DELTA_UPPER: dict[str, Any] = {"quantity": QuantityKind.DELTA, "role": Role.UPPER, "privacy": neighbours.ITEM}
"""What a claim that bounds the delta of one histogram says beside its formula."""
EPSILON_ALPHA = Box(
    (
        replace(EPSILON, lower=0, open_lower=True, upper="infinity", searched=("1e-4", 20)),
        replace(ALPHA, lower=0, open_lower=True, searched=("1e-4", 1)),
    )
)
"""Every epsilon and every share, as printed."""
EPSILON_ALPHA_TAU = Box((*EPSILON_ALPHA.parameters, replace(TAU, upper="infinity", searched=(1, 1000))))
"""As Theorem 2 is printed."""
SETTINGS = points("epsilon alpha tau", (1, "1/6", 20), (1, "1/2", 5), ("1/2", 1, 5), ("1/10", "1/6", 20))
"""That of the paper's experiments (P1), one whose delta sampling can see (P2), and two more."""

_paper = Paper("bharadwaj2022", NOTATION)
stated, refuted, own, uncheckable = _paper.stated, _paper.refuted, _paper.own, _paper.uncheckable
CASES = sizes(6, 9, 14)
"""Sizes of the finite statements."""
