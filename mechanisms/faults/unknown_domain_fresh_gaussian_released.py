"""Gaussian: the decision uses one noise, the release a fresh one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.gaussian_sparse_histogram.mechanism import round_to_grid
from mechanisms.mechanism import Fault
from mechanisms.pair import Pair
from mechanisms.unknown_domain.histogram import gaussian as correct
from mechanisms.unknown_domain.histogram.release import UnknownDomainHistogram
from mechanisms.unknown_domain.pairs import shown_afresh, users
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact, Parameters


class FreshNoise(UnknownDomainHistogram):
    """Algorithm 1 with two draws an item."""

    def threshold_values(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Decide with one noise, show another."""
        decided, shown = (counts + self.noise(rng, (n, counts.size), scale=self.scale) for _draw in range(2))
        return self.held_back(decided, round_to_grid(shown, self.grid))


def build(*, delta_0: Exact, delta_inf: Exact, sigma: Exact, delta: Exact) -> FreshNoise:
    """Algorithm 1 with two draws an item."""
    return FreshNoise(**vars(correct.build(delta_0=delta_0, delta_inf=delta_inf, sigma=sigma, delta=delta)))


_PARAMETERS: Parameters = {"delta_0": 1, "delta_inf": 1, "sigma": 1, "delta": "1e-7"}


def passes(A: Any, *, count: int) -> Any:
    """Probability that a count is shown."""
    return normal_cdf(A, count - correct.threshold(A, **_PARAMETERS))


FAULT = Fault(
    id="unknown_domain_fresh_gaussian_released",
    title="a fresh noise is released",
    mechanism="unknown_domain_gaussian",
    violates="rogers2024.thm7.gaussian.profile",
    caught_by="numeric.pair_profile",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "a1.edge",
        {"a": 7},
        {"a": 6},
        "a shared count at the threshold: the decision and the value leak on their own",
        users(_PARAMETERS),
        partial(shown_afresh, left=partial(passes, count=7), right=partial(passes, count=6), distance=1),
    ),
    direction=Direction.FORWARD,
    epsilon=4,
    explanation=(
        "Two releases of the same count cost more rho than one. Near epsilon = 0 the loose conversion of rho hides it; "
        "the tail of the loss and the Kullback-Leibler divergence do not."
    ),
)
