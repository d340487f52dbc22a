"""The threshold is compared one too low: C + v >= tau* - 1, as when tau* is stored as an exclusive integer bound."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows, rows_profile
from mechanisms.mechanism import Fault
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> correct.GaussianSparseHistogram:
    """Algorithm 1 with tau* - 1 in place of tau*."""
    mechanism = correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)
    return replace(mechanism, tau_star=mechanism.tau_star - 1)


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 5, "mu_o": 0, "tau": 1}

FAULT = Fault(
    id="tau_star_off_by_one",
    title="tau* off by one",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.impossible_key",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "wc1",
        [1],
        "one changed row at tau: only left can release it",
        adjacency(_PARAMETERS),
        partial(rows_profile, at_threshold=1, far=0, sigma=2, gap=4),
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="New keys appear with probability 1 - Phi((gap - 1)/sigma)^c_u instead of 1 - Phi(gap/sigma)^c_u.",
)
