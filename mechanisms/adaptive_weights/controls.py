"""Variants of the set union with adaptive weights that look wrong and are not."""

from mechanisms.adaptive_weights.mechanism import MECHANISM, AdaptiveWeights


class NothingRerouted(AdaptiveWeights):
    """Weight above the level is lost."""

    def rerouted(self, back: float, keys: tuple[str, ...], _first: dict[str, float]) -> dict[str, float]:
        """Return zeros."""
        return super().rerouted(0 * back, keys, _first)


CONTROLS = (
    MECHANISM.neutral(
        id="adaptive_weights_lost", title="weight above the level is not rerouted", subclass=NothingRerouted,
        pair="new_2",
        proof="Without the second step z is 0: the squared change is at most 1 - 2 B/sqrt(t) + B/t, below 1. New keys "
        "are below the level, so the law of this pair is the same.",
    ),
    MECHANISM.neutral(
        id="adaptive_weights_low_level", title="the level is lower, so that keys of many users give back", pair="moved",
        at={"beta": 32}, proof="The bound on the change of the weights holds at every level.",
    ),
)  # fmt: skip
