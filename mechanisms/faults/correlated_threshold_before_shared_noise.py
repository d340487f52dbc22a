"""F9: the threshold is compared before the shared noise is added."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.correlated_stability_histogram import mechanism as correct
from mechanisms.correlated_stability_histogram.pairs import counters
from mechanisms.mechanism import Boundary, Fault
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact


class ThresholdFirst(correct.CorrelatedStabilityHistogram):
    """Algorithm 2 that decides on C + Z_i and releases C + Z + Z_i."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        own = counts + self.sigma * rng.standard_normal((n, counts.size))
        held = own < self.tau_star if self.boundary is Boundary.INCLUSIVE else own <= self.tau_star
        values = np.rint((own + self._shared_noise(n, counts.size, rng)) / self.grid) * self.grid
        values[held] = np.nan
        return values


def build(*, k: Exact, sigma: Exact, gap: Exact, tau: Exact = 1) -> ThresholdFirst:
    """Algorithm 2 that compares too early."""
    return ThresholdFirst(**vars(correct.build(k=k, sigma=sigma, gap=gap, tau=tau)))


def profile(A: Any, epsilon: Any, _direction: Direction, *, sigma: int, below: int) -> Any:
    """Best of two events for one counter whose left count is ``below`` under the threshold: released, or not.

    Only the decision is used: the exact delta of the indicator, a lower bound on that of the release.
    """
    e = A.exp(A.number(epsilon))
    left, right = A.number(-below) / sigma, A.number(-below - 1) / sigma
    released = normal_cdf(A, left) - e * normal_cdf(A, right)
    held = normal_cdf(A, -left) - e * normal_cdf(A, -right)
    return A.maximum(0, released, held)


# A depth near epsilon sigma^2 - 1/2 makes "released" the best event of two normals at distance 1/sigma.
_PARAMETERS = {"k": 1, "sigma": 1, "gap": 10, "tau": 1}

FAULT = Fault(
    id="correlated_threshold_before_shared_noise",
    title="the threshold is compared before the shared noise is added",
    mechanism="correlated_stability_histogram",
    violates="lebeda2025.csh.exact",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=counters(
        "n4",
        "one counter 1 below the threshold, changed",
        _PARAMETERS,
        new=0,
        shared=(9,),
        changed=1,
        profile=partial(profile, sigma=1, below=1),
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="The decision has the own noise only, and so sees the change at distance 1/sigma.",
)
