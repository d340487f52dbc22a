"""A noisy count equal to tau* is held back: > in place of >= at the upper threshold."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows, rows_profile
from mechanisms.mechanism import Boundary, Control

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> correct.GaussianSparseHistogram:
    """Algorithm 1 with C + v > tau*."""
    mechanism = correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)
    return replace(mechanism, upper_boundary=Boundary.EXCLUSIVE)


_PARAMETERS = {"c_u": 2, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1}

CONTROL = Control(
    id="exclusive_upper_boundary",
    title="> in place of >= at tau*",
    mechanism="gaussian_sparse_histogram",
    satisfies="wilkins2024.thm5.4",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "wc1",
        [1, 1],
        "two changed rows at tau: only left can release them",
        adjacency(_PARAMETERS),
        partial(rows_profile, at_threshold=2, far=0, sigma=2, gap=6),
    ),
    epsilon=3,
    proof=(
        "The normal law has no atoms, so C + v = tau* has probability 0 and both rules give the same law. (At the "
        "lower threshold, or with discrete noise, the rule matters: there > acts as tau + 1.)"
    ),
)
