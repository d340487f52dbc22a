"""Variants of the correlated stability histogram that look wrong and keep their claim."""

import numpy as np
from numpy.typing import NDArray

from mechanisms.correlated_stability_histogram.mechanism import MECHANISM, CorrelatedStabilityHistogram


class Rounded(CorrelatedStabilityHistogram):
    """Algorithm 2 with whole, clipped values."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return np.clip(np.rint(super()._noisy_counts(counts, n, rng)), 0, 10**6)


CONTROLS = (
    MECHANISM.neutral(
        id="correlated_rounded", title="values rounded to whole counts and clipped", subclass=Rounded, pair="n1",
        proof="Rounding and clipping to public constants are functions of the release alone: post-processing.",
    ),
    # The mechanism itself: what differs is the claim, one factor fewer than Theorem 11 has.
    MECHANISM.neutral(
        id="correlated_power_k", title="delta_infinity with psi^k in place of psi^(k+1)",
        satisfies="lebeda2025.thm11.power", parameters={"gap": 3}, pair="n1",
        proof="For tau >= 0, psi = Phi(tau/((1 + k^(-1/4)) sigma)) is at most Phi(tau/(sigma sqrt(1 + k^(-1/2)))), "
        "whose k-th power Slepian's inequality puts below the exact probability (lebeda2025.lem10.power.corrected). "
        "For tau < 0 the order reverses.",
    ),
)  # fmt: skip
