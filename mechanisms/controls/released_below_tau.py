"""Groups below tau are released too when their noisy count reaches tau*, which is kept."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows, near_profile
from mechanisms.mechanism import Control

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> correct.GaussianSparseHistogram:
    """Algorithm 1 without its lower threshold, at the same tau*."""
    return replace(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau), tau=1)


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 3}

CONTROL = Control(
    id="released_below_tau",
    title="groups below tau released, tau* kept",
    mechanism="gaussian_sparse_histogram",
    satisfies="wilkins2024.thm5.4",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "at_tau",
        [3],
        "the changed row at tau in left; in right, below tau, it is released too",
        adjacency(_PARAMETERS),
        partial(near_profile, count=3, tau_star=9, sigma=2),
    ),
    epsilon=1,
    proof=(
        "This is Algorithm 1 with tau = 1 and the same tau*, hence with the gap tau* - 1 >= tau* - tau. Its exact "
        "delta is Theorem 5.4 at that gap, and the theorem's delta does not increase with the gap: only the first "
        "term depends on it, as 1 - Phi(gap/sigma)^C_u."
    ),
)
