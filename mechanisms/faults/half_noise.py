"""Half the noise: the standard deviation is passed where the code expects the half-width of an interval."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows, far_count, rows_profile
from mechanisms.mechanism import Fault
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> correct.GaussianSparseHistogram:
    """Algorithm 1 with noise of standard deviation sigma / 2."""
    mechanism = correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)
    return replace(mechanism, sigma=mechanism.sigma / 2)


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1}

FAULT = Fault(
    id="half_noise",
    title="half the noise",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "wc2",
        [far_count(tau_star=7, sigma=2)],
        "the changed row far above tau*: two normals at distance 2 / sigma",
        adjacency(_PARAMETERS),
        partial(rows_profile, at_threshold=0, far=1, sigma=1, gap=6),
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="Rows far above tau* are at distance 2/sigma instead of 1/sigma; large released values show it.",
)
