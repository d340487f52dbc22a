"""Variants of the weighted Gaussian set union that look wrong and are not."""

from fractions import Fraction

import numpy as np

from mechanisms.histogram import Histogram, Released
from mechanisms.weighted_set_union.mechanism import MECHANISM, WeightedSetUnion


class KeysAlone(WeightedSetUnion):
    """The keys, without their weights."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N releases: 1 where a key is shown."""
        keys, values = super().release_many(histogram, n, rng)
        return keys, np.where(np.isnan(values), np.nan, 1.0)


CONTROLS = (
    MECHANISM.neutral(
        id="weighted_set_union_keys_alone", title="keys without their weights", subclass=KeysAlone, pair="new_4",
        proof="The keys are a function of the weights that are released with them. The pair's profile is the same: a "
        "new key names the user, whatever its weight.",
    ),
    MECHANISM.neutral(
        id="weighted_set_union_shares", title="users add 1/t to their t keys", pair="moved", at={"power": Fraction(1)},
        proof="Smaller weights than 1/sqrt(t): keys far above the threshold move by less, and new ones pass it less.",
    ),
)  # fmt: skip
