"""Released values are rounded to multiples of 16 users."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows, far_count
from mechanisms.mechanism import Control

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> correct.GaussianSparseHistogram:
    """Algorithm 1 on a coarse grid."""
    return replace(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau), grid=16.0)


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1}

CONTROL = Control(
    id="coarse_grid",
    title="releases rounded to multiples of 16",
    mechanism="gaussian_sparse_histogram",
    satisfies="wilkins2024.thm5.4",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "wc2",
        [far_count(tau_star=7, sigma=2)],
        "the changed row far above tau*, where values matter",
        adjacency(_PARAMETERS),
        None,
    ),
    epsilon=1,
    proof=(
        "The decision is taken on the unrounded sum; what is released is a fixed function (rounding to the grid) "
        "of what Algorithm 1 releases. A function of the output that does not look at the data is post-processing "
        "and raises no hockey stick."
    ),
)
