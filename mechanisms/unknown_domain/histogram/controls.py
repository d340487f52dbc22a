"""Variants of Algorithm 1 of rogers2024 that look wrong and are not."""

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from mechanisms.mechanism import Boundary
from mechanisms.unknown_domain.histogram.gaussian import MECHANISM
from mechanisms.unknown_domain.histogram.release import UnknownDomainHistogram


class Clamped(UnknownDomainHistogram):
    """Algorithm 1, then rounding and clamping."""

    def threshold_values(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Whole counts up to a thousand."""
        return np.minimum(np.rint(super().threshold_values(counts, n, rng)), 1000.0)


CONTROLS = (
    MECHANISM.neutral(
        id="unknown_domain_clamped", title="rounded and clamped values", subclass=Clamped, pair="a1.high", epsilon=3,
        proof="Rounding and clamping are functions of the released values alone: post-processing. The pair's profile, "
        "that of the unprocessed mechanism, is an upper bound.",
    ),
    MECHANISM.neutral(
        id="unknown_domain_inclusive_boundary", title=">= in place of >",
        change=partial(replace, boundary=Boundary.INCLUSIVE), pair="a1.new", epsilon=3,
        proof="The decision is taken on the unrounded noisy count, which equals T with probability zero: the two "
        "mechanisms have the same law in the real-number model. With discrete noise the same change would raise the "
        "new-item mass.",
    ),
)  # fmt: skip
