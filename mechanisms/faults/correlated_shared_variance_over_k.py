"""F3: the shared variance is sigma^2/k instead of sigma^2/sqrt(k)."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.correlated_stability_histogram import mechanism as correct
from mechanisms.correlated_stability_histogram.pairs import all_changed
from mechanisms.mechanism import Fault
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact


class VarianceOverK(correct.CorrelatedStabilityHistogram):
    """Algorithm 2 with shared variance sigma^2/k."""

    def _shared_noise(self, n: int, _counters: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return rng.standard_normal((n, 1)) * (self.sigma / math.sqrt(self.k))


def build(*, k: Exact, sigma: Exact, gap: Exact, tau: Exact = 1) -> VarianceOverK:
    """Algorithm 2 with shared variance sigma^2/k."""
    return VarianceOverK(**vars(correct.build(k=k, sigma=sigma, gap=gap, tau=tau)))


def profile(A: Any, epsilon: Any, _direction: Direction, *, k: int, sigma: int) -> Any:
    """Covariance ``sigma^2 (I + 1 1^T/k)``, all k changed: distance ``sqrt(k/2)/sigma``."""
    return gaussian_profile(A, epsilon, A.sqrt(A.number(k) / 2) / sigma)


_PARAMETERS = {"k": 4, "sigma": 1, "gap": 20, "tau": 1}

FAULT = Fault(
    id="correlated_shared_variance_over_k",
    title="the shared variance is sigma^2/k",
    mechanism="correlated_stability_histogram",
    violates="lebeda2025.csh.exact",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=all_changed(_PARAMETERS, partial(profile, k=4, sigma=1)),
    direction=Direction.FORWARD,
    epsilon=2,
    explanation="The ratio of variances is k where Lemma 8 needs sqrt(k); a change of all counters shows.",
)
