"""Algorithm 1 whose released values are rounded to whole counts and clamped at a thousand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mechanisms.mechanism import Control
from mechanisms.unknown_domain.histogram import gaussian as correct
from mechanisms.unknown_domain.histogram.release import UnknownDomainHistogram

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact, Parameters


class Clamped(UnknownDomainHistogram):
    """Algorithm 1, then rounding and clamping."""

    def threshold_values(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Whole counts up to a thousand."""
        return np.minimum(np.rint(super().threshold_values(counts, n, rng)), 1000.0)


def build(*, delta_0: Exact, delta_inf: Exact, sigma: Exact, delta: Exact) -> Clamped:
    """Algorithm 1, then rounding and clamping."""
    return Clamped(**vars(correct.build(delta_0=delta_0, delta_inf=delta_inf, sigma=sigma, delta=delta)))


_PARAMETERS: Parameters = {"delta_0": 3, "delta_inf": 1, "sigma": 2, "delta": "1/20"}

CONTROL = Control(
    id="unknown_domain_clamped",
    title="rounded and clamped values",
    mechanism="unknown_domain_gaussian",
    satisfies="rogers2024.thm7.gaussian.profile",
    build=build,
    parameters=_PARAMETERS,
    pair=correct.pairs(_PARAMETERS)[1],
    epsilon=3,
    proof=(
        "Rounding and clamping are functions of the released values alone: post-processing. The pair's "
        "profile, that of the unprocessed mechanism, is an upper bound."
    ),
)
