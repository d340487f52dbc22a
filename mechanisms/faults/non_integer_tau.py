"""tau = 3/2: counts are integers, so it acts as tau = 2 while delta is read at gap = tau* - 3/2 (erratum E1)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mechanisms.faults.tau_zero import build
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows, rows_profile
from mechanisms.mechanism import Fault
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Parameters

_PARAMETERS: Parameters = {"c_u": 1, "sigma": 2, "gap": "9/2", "mu_o": 0, "tau": "3/2"}

FAULT = Fault(
    id="non_integer_tau",
    title="tau is not an integer",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "wc1",
        [2],
        "one changed row with count 2 = ceil(tau); with count 1 it is never released",
        adjacency(_PARAMETERS),
        partial(rows_profile, at_threshold=1, far=0, sigma=2, gap=4),
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="The smallest count that passes is ceil(tau): the true gap is tau* - ceil(tau), smaller than printed.",
)
