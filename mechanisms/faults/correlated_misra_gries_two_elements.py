"""A Misra-Gries sketch of a stream in which one user holds two elements."""

from __future__ import annotations

from functools import partial

from mechanisms.correlated_stability_histogram.pairs import pair_profile
from mechanisms.mechanism import Fault
from mechanisms.misra_gries import mechanism as correct
from mechanisms.pair import Pair
from proofs_numeric.statements.adjacency import AddRemoveUser
from proofs_numeric.statements.neighbours import Direction

_PARAMETERS = {"k": 2, "sigma": 1, "gap": 3}

FAULT = Fault(
    id="correlated_misra_gries_two_elements",
    title="users with two elements of the sketched stream",
    mechanism="misra_gries",
    violates="lebeda2025.csh.exact",
    caught_by="empirical.black_box",
    build=correct.build,
    parameters=_PARAMETERS,
    pair=Pair(
        "two",
        {"k0": 2, "k1": 2},
        {"k0": 2, "k1": 2, "z0": 1, "z1": 1},
        "two further elements of one user empty two counters of 2",
        AddRemoveUser(c_u=2),
        # Both counters are one higher than a new counter is.
        partial(pair_profile, k=2, sigma=1, gap=2, l=2, j=0),
    ),
    direction=Direction.FORWARD,
    epsilon=2,
    explanation="Each element lowers every counter by one: with two of them counters move by two and leave from 2.",
)
