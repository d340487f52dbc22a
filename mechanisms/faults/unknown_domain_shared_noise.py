"""One draw of noise for all items of a release."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mechanisms.gaussian_sparse_histogram.mechanism import round_to_grid
from mechanisms.mechanism import Fault
from mechanisms.pair import Pair
from mechanisms.unknown_domain.histogram import gaussian as correct
from mechanisms.unknown_domain.histogram.release import UnknownDomainHistogram
from mechanisms.unknown_domain.pairs import disjoint, users
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact, Parameters


class SharedNoise(UnknownDomainHistogram):
    """Algorithm 1 with one noise a release."""

    def threshold_values(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Every count moves by the same noise."""
        noisy = counts + self.noise(rng, (n, 1), scale=self.scale)
        return self.held_back(noisy, round_to_grid(noisy, self.grid))


def build(*, delta_0: Exact, delta_inf: Exact, sigma: Exact, delta: Exact) -> SharedNoise:
    """Algorithm 1 with one noise a release."""
    return SharedNoise(**vars(correct.build(delta_0=delta_0, delta_inf=delta_inf, sigma=sigma, delta=delta)))


_PARAMETERS: Parameters = {"delta_0": 1, "delta_inf": 1, "sigma": 1, "delta": "1/20"}

FAULT = Fault(
    id="unknown_domain_shared_noise",
    title="one noise for all items",
    mechanism="unknown_domain_gaussian",
    violates="rogers2024.thm7.gaussian.profile",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "a1.shared",
        {"a": 51, "b": 50},
        {"a": 50, "b": 50},
        "the difference of two released counts is exact",
        users(_PARAMETERS),
        disjoint,
    ),
    direction=Direction.FORWARD,
    epsilon=5,
    explanation="The difference of any two released counts carries no noise.",
)
