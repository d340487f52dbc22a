"""Variants of partition selection that look wrong and are not."""

import numpy as np

from mechanisms.histogram import Histogram, Released
from mechanisms.partition_selection.mechanism import MECHANISM, PartitionSelection


class Thinned(PartitionSelection):
    """Half of the released keys, at random."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N releases: each released key is kept with probability 1/2."""
        keys, values = super().release_many(histogram, n, rng)
        return keys, np.where(rng.random(values.shape) < 1 / 2, values, np.nan)


CONTROLS = (
    MECHANISM.neutral(
        id="partition_selection_lowest_three", title="keys of fewer than three users are dropped first",
        pair="crossing", at={"lowest": 3},
        proof="With a lowest number of users K the probabilities are those of n - K + 1 users, and 0 below K. Each is "
        "at most what the two terms allow after the one before.",
    ),
    MECHANISM.neutral(
        id="partition_selection_thinned", title="half of the released keys are dropped at random", subclass=Thinned,
        pair="new",
        proof="What is dropped depends on the release alone: post-processing. The pair's profile, that of the "
        "mechanism without it, is an upper bound.",
    ),
)  # fmt: skip
