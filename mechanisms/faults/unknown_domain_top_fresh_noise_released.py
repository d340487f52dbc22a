"""Algorithm 2: the decision uses one noise, the release a fresh one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.gaussian_sparse_histogram.mechanism import round_to_grid
from mechanisms.mechanism import Fault
from mechanisms.noise import normal
from mechanisms.pair import Pair
from mechanisms.unknown_domain.pairs import shown_afresh, users
from mechanisms.unknown_domain.top import mechanism as correct
from mechanisms.unknown_domain.top.pairs import any_passes, calibration_of
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact, Parameters


class FreshNoise(correct.UnknownDomainTop):
    """Algorithm 2 with two draws an item."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """Decide as Algorithm 2 does, show the counts with fresh noise; bottoms have count 0."""
        keys, decided = super().release_many(histogram, n, rng)
        counts = np.array([histogram.get(key, 0) for key in keys], dtype=np.float64)
        shown = round_to_grid(counts + normal.sample(rng, decided.shape, scale=self.scale), self.grid)
        return keys, np.where(np.isnan(decided), np.nan, shown)


def build(*, k_bar: Exact, delta_0: Exact, delta_inf: Exact, sigma: Exact, delta: Exact) -> FreshNoise:
    """Algorithm 2 with two draws an item."""
    return FreshNoise(
        **vars(correct.build(k_bar=k_bar, delta_0=delta_0, delta_inf=delta_inf, sigma=sigma, delta=delta))
    )


_PARAMETERS: Parameters = {"k_bar": 1, "delta_0": 1, "delta_inf": 1, "sigma": 1, "delta": "1e-7"}


def passes(A: Any, *, count: int) -> Any:
    """Probability that a count without a next one is shown."""
    return any_passes(A, items=1, lead=count, **calibration_of(_PARAMETERS))


FAULT = Fault(
    id="unknown_domain_top_fresh_noise_released",
    title="a fresh noise is released",
    mechanism="unknown_domain_top",
    violates="rogers2024.thm8.profile",
    caught_by="numeric.renyi",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "b.edge",
        {"a": 11},
        {"a": 10},
        "the top count lies at the threshold: the decision and the value leak on their own",
        users(_PARAMETERS),
        partial(shown_afresh, left=partial(passes, count=11), right=partial(passes, count=10), distance=1),
    ),
    direction=Direction.BACKWARD,
    epsilon=1,
    explanation=(
        "Two releases of the same count cost more rho than one: a tenth more here, which only the divergence shows."
    ),
)
