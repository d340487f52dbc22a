"""Planted faults of the set union with adaptive weights: rerouting without its bound, and a cap that comes too late."""

import math
from typing import Any

from mechanisms.adaptive_weights.mechanism import MECHANISM, AdaptiveWeights, build, law_of
from mechanisms.mechanism import of_kind


class ToLightest(AdaptiveWeights):
    """Users give all that they get back to the lightest of their keys."""

    def rerouted(self, back: float, keys: tuple[str, ...], first: dict[str, float]) -> dict[str, float]:
        """Return the weight that comes back on the key with the least weight of the first step."""
        lightest = min(keys, key=lambda key: (first[key], key))
        return {key: back * (key == lightest) for key in keys}


class LateCap(AdaptiveWeights):
    """The number of keys is capped in the users' shares, and not on their keys."""

    def base(self, keys: int) -> float:
        """Return the share of a user of one key at most."""
        return 1 / math.sqrt(min(keys, 1)) - 1 / keys


def _law(pair: str, subclass: type[AdaptiveWeights]) -> Any:
    (worst,) = (each for each in MECHANISM.privacy.worst_cases(MECHANISM.parameters) if each.id == pair)
    return law_of(worst, of_kind(subclass, build, **MECHANISM.parameters))


FAULTS = (
    MECHANISM.broken(
        id="adaptive_weights_to_lightest", title="users give all that comes back to their lightest key",
        subclass=ToLightest, pair="rerouted", profile=_law("rerouted", ToLightest), epsilon=3,
        explanation="A key at its level returns what a new user adds to it, and the crowd of that key moves it all to "
        "the user's other key: the weights change by more than 1.",
    ),
    MECHANISM.broken(
        id="adaptive_weights_late_cap", title="the cap on the number of keys is in the shares alone", subclass=LateCap,
        pair="moved", profile=_law("moved", LateCap), epsilon=3,
        explanation="A user of two keys adds to each as a user of one would: a cap must remove keys before they weigh.",
    ),
)  # fmt: skip
