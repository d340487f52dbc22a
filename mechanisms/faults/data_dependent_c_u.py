"""C_u is taken from the data: nobody can touch more groups than there are, so the noise follows the number of groups.

The bound is true of the data at hand and still leaks: the scale of the noise tells how many groups there are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows, far_count
from mechanisms.mechanism import BatchMechanism, Fault
from proofs_numeric.arithmetic.special import log_normal_cdf, normal_cdf
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact


@dataclass(frozen=True)
class GroupsBoundCu(BatchMechanism):
    """Algorithm 1 with noise sigma sqrt(min(c_u, number of groups) / c_u)."""

    c_u: int
    tau: int
    tau_star: float
    sigma: float

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases at the scale that the number of nonempty groups gives."""
        groups = sum(count > 0 for count in histogram.values())
        scale = self.sigma * math.sqrt(min(self.c_u, max(1, groups)) / self.c_u)
        mechanism = correct.GaussianSparseHistogram(self.tau, self.tau_star, scale, grid=correct.grid_for(self.sigma))
        return mechanism.release_many(histogram, n, rng)


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> GroupsBoundCu:
    """Algorithm 1 with C_u from the data; counts only."""
    mechanism = correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)
    return GroupsBoundCu(int(c_u), mechanism.tau, mechanism.tau_star, mechanism.sigma)


def profile(
    A: Any, epsilon: Any, direction: Direction, *, new_rows: int, wide: Exact, narrow: Exact, gap: Exact
) -> Any:
    """An untouched row whose noise has scale `wide` in left and `narrow` in right, beside `new_rows` rows at tau.

    The ratio of two centred normals depends on |x|: the best events are its tails, or an interval around zero. With
    beta = Phi(gap / wide)^new_rows the new rows compose as in Lemma 5.2.
    """
    a, b = A.number(wide), A.number(narrow)
    log_beta = new_rows * log_normal_cdf(A, A.number(gap) / a)
    log_ratio, rate = A.log(a / b), 1 / (b * b) - 1 / (a * a)
    if direction is Direction.FORWARD:
        shifted = A.number(epsilon) - log_beta
        x = A.sqrt(A.maximum(0, 2 * (shifted + log_ratio) / rate))
        tails = 2 * (normal_cdf(A, -x / a) - A.exp(shifted) * normal_cdf(A, -x / b))
        return -A.expm1(log_beta) + A.exp(log_beta) * tails
    shifted = A.number(epsilon) + log_beta
    x = A.sqrt(A.maximum(0, 2 * (log_ratio - shifted) / rate))
    return 1 - 2 * normal_cdf(A, -x / b) - A.exp(shifted) * (1 - 2 * normal_cdf(A, -x / a))


_PARAMETERS = {"c_u": 4, "sigma": 8, "gap": 30, "mu_o": 0, "tau": 1}

FAULT = Fault(
    id="data_dependent_c_u",
    title="C_u from the number of groups in the data",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "wc6",
        [1, 1, 1],
        "three new groups beside an untouched one: four groups against one",
        adjacency(_PARAMETERS),
        partial(profile, new_rows=3, wide=8, narrow=4, gap=30),
        untouched=[far_count(tau_star=Fraction(31), sigma=Fraction(8))],
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="The untouched row's noise is twice as wide when the user's groups are there; its tails show it.",
)
