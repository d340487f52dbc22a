"""F1: the shared noise is drawn once a counter instead of once a release."""

from __future__ import annotations

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


class PerCounter(correct.CorrelatedStabilityHistogram):
    """Algorithm 2 with an own Z for every counter."""

    def _shared_noise(self, n: int, counters: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return rng.standard_normal((n, counters)) * self.shared_scale


def build(*, k: Exact, sigma: Exact, gap: Exact, tau: Exact = 1) -> PerCounter:
    """Algorithm 2 with an own Z for every counter."""
    return PerCounter(**vars(correct.build(k=k, sigma=sigma, gap=gap, tau=tau)))


def profile(A: Any, epsilon: Any, _direction: Direction, *, k: int, sigma: int) -> Any:
    """K independent counters of variance ``sigma^2 (1 + k^{-1/2})``, all changed."""
    return gaussian_profile(A, epsilon, A.sqrt(k / (1 + 1 / A.sqrt(A.number(k)))) / sigma)


_PARAMETERS = {"k": 4, "sigma": 2, "gap": 20, "tau": 1}

FAULT = Fault(
    id="correlated_shared_noise_per_counter",
    title="the shared noise is drawn for each counter",
    mechanism="correlated_stability_histogram",
    violates="lebeda2025.csh.exact",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=all_changed(_PARAMETERS, partial(profile, k=4, sigma=2)),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="Without the common part a change of all counters is k independent changes; their mean shows it.",
)
