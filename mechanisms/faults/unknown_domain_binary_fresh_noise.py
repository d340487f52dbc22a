"""The binary mechanism draws fresh noise in every round instead of re-using cells."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from mechanisms.mechanism import Fault
from mechanisms.noise import normal
from mechanisms.unknown_domain.binary import mechanism as correct
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact, Parameters


class FreshNoise(correct.UnknownDomainBinary):
    """Running counts with independent noises of the right variance."""

    def noise(self, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Noise of variance popcount(r) sigma^2, independent over rounds."""
        cells = np.array([r.bit_count() for r in range(1, self.rounds + 1)], dtype=np.float64)
        return normal.sample(rng, (n, self.rounds), scale=self.scale) * np.sqrt(cells)


def build(*, L: Exact, delta_0: Exact, sigma: Exact, delta: Exact) -> FreshNoise:
    """Running counts with independent noises."""
    return FreshNoise(**vars(correct.build(L=L, delta_0=delta_0, sigma=sigma, delta=delta)))


_PARAMETERS: Parameters = {"L": 127, "delta_0": 1, "sigma": 1, "delta": "1/20"}
_SQUARED = sum((Fraction(1, r.bit_count()) for r in range(64, 128)), Fraction(0))

FAULT = Fault(
    id="unknown_domain_binary_fresh_noise",
    title="fresh noise in every round",
    mechanism="unknown_domain_binary",
    violates="rogers2024.thm11.profile",
    caught_by="numeric.pair_profile",
    build=build,
    parameters=_PARAMETERS,
    pair=correct.pair_u2(_PARAMETERS, squared=_SQUARED, at=64),
    direction=Direction.FORWARD,
    epsilon=12,
    explanation=(
        "Averaging over rounds removes the noise: the squared distance is sum 1/popcount(r) over all later rounds."
    ),
)
