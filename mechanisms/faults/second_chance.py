"""A group that is held back is tried again, up to ten times, so that fewer groups are lost."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows, rows_profile
from mechanisms.mechanism import Fault
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact

_ATTEMPTS = 10


class Retries(correct.GaussianSparseHistogram):
    """Draws the noise of a row until it passes, ten times at most."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        values = super()._noisy_counts(counts, n, rng)
        for _attempt in range(_ATTEMPTS - 1):
            values = np.where(np.isnan(values), super()._noisy_counts(counts, n, rng), values)
        return values


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> Retries:
    """Algorithm 1 with ten attempts a row."""
    return Retries(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1}

FAULT = Fault(
    id="second_chance",
    title="rows held back are tried again",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.impossible_key",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "wc1",
        [1],
        "one changed row at tau: ten attempts pass as one of ten rows would",
        adjacency(_PARAMETERS),
        partial(rows_profile, at_threshold=_ATTEMPTS, far=0, sigma=2, gap=6),
    ),
    direction=Direction.FORWARD,
    epsilon="3/2",
    explanation="A new key appears with probability 1 - Phi(gap/sigma)^10.",
)
