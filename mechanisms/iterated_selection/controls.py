"""Variants of the iterated weighted set union that look wrong and are not."""

import numpy as np
from numpy.typing import NDArray

from mechanisms.histogram import Histogram, Released
from mechanisms.iterated_selection.mechanism import MECHANISM, IteratedSelection, Mask


class RoundsHidden(IteratedSelection):
    """The keys, without weights and rounds."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N releases: 1 where a key is shown in any round."""
        names, values = super().release_many(histogram, n, rng)
        keys = tuple(name.rpartition("@")[0] for name in names[: len(names) // len(self.rounds)])
        is_released = ~np.isnan(values.reshape(n, len(self.rounds), len(keys))).all(axis=1)
        return keys, np.where(is_released, 1.0, np.nan)


class SharesKept(IteratedSelection):
    """Users keep the share of the first round: 1 over the root of the number of all their keys."""

    def shares(self, left: Mask, _round: int) -> NDArray[np.float64]:
        """Return the share of the first round, on keys that are left."""
        return np.asarray(left / np.sqrt(left.shape[1]))


CONTROLS = (
    MECHANISM.neutral(
        id="iterated_selection_rounds_hidden", title="keys without their weights and rounds", subclass=RoundsHidden,
        pair="new_2",
        proof="The keys are a function of the release with weights and rounds. The pair's profile is the same: a new "
        "key names the user in any round.",
    ),
    MECHANISM.neutral(
        id="iterated_selection_shares_kept", title="users keep the share of the first round", subclass=SharesKept,
        pair="new_2",
        proof="Users of new keys keep all of them until one is shown, so the law of this pair is the same. After a "
        "removal the shares are smaller than 1/sqrt(t): keys pass less often and move less.",
    ),
)  # fmt: skip
