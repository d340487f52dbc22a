"""F2: the shared noise is left out."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.correlated_stability_histogram import mechanism as correct
from mechanisms.correlated_stability_histogram.pairs import all_changed
from mechanisms.mechanism import Fault
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact


class NoSharedNoise(correct.CorrelatedStabilityHistogram):
    """Algorithm 2 without Z."""

    def _shared_noise(self, n: int, _counters: int, _rng: np.random.Generator) -> NDArray[np.float64]:
        return np.zeros((n, 1))


def build(*, k: Exact, sigma: Exact, gap: Exact, tau: Exact = 1) -> NoSharedNoise:
    """Algorithm 2 without Z."""
    return NoSharedNoise(**vars(correct.build(k=k, sigma=sigma, gap=gap, tau=tau)))


def profile(A: Any, epsilon: Any, _direction: Direction, *, k: int, sigma: int) -> Any:
    """K independent counters of variance ``sigma^2``, all changed (the same law if Z is released too)."""
    return gaussian_profile(A, epsilon, A.sqrt(A.number(k)) / sigma)


_PARAMETERS = {"k": 4, "sigma": 2, "gap": 20, "tau": 1}

FAULT = Fault(
    id="correlated_shared_noise_omitted",
    title="the shared noise is left out",
    mechanism="correlated_stability_histogram",
    violates="lebeda2025.csh.exact",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=all_changed(_PARAMETERS, partial(profile, k=4, sigma=2)),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="Sigma is calibrated for correlated noise; without Z all counters are at distance sqrt(k)/sigma.",
)
