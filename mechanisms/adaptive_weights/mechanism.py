"""Set union with adaptive weights: what keys have above a level goes back to their users, who reroute a share of it.

Statement: a user of t keys, at most C_u, adds 1/t to each. A key with more than the level keeps the level; its users
get the rest back, in parts alike. A user who gets e back adds rho e/C_u to each of their keys. All users add
1/sqrt(t) - 1/t to each of their keys. Keys whose weight with noise N(0, sigma^2) exceeds T are released with it. The
idea is MaxAdaptiveDegree's (arXiv 2502.08878, not read); the constants are those of `thresholds.adaptive.sensitivity`.
The input is records, as of the weighted set union.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.calibrator import Calibrator
from mechanisms.histogram import Histogram, users_of
from mechanisms.integer_sparse_histogram.mechanism import check_whole
from mechanisms.mechanism import MechanismSpec, of_numbers
from mechanisms.pair import ExactLaw
from mechanisms.unknown_domain.release import check_scale
from mechanisms.weighted_set_union.mechanism import KeysByWeight
from mechanisms.weighted_set_union.mechanism import law as weighted_law
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.expression import symbol
from proofs_numeric.thresholds.adaptive import ADAPTIVE, BETA, SHARE
from proofs_numeric.thresholds.weighted import FAR

if TYPE_CHECKING:
    from mechanisms.mechanism import Parameters
    from proofs_numeric.arithmetic import Arithmetic, Number
    from proofs_numeric.arithmetic.formula import Value
    from proofs_numeric.statements.neighbours import Direction, Neighbours


@dataclass(frozen=True)
class AdaptiveWeights(KeysByWeight):
    """Set union with adaptive weights.

    Attributes:
        c_u: most keys of one user.
        level: weight above which a key gives back (weights), > 0.
        share: rho, the part of the returned weight that a user reroutes.
    """

    c_u: int
    level: float
    share: float = float(SHARE)

    def weights(self, records: Histogram) -> dict[str, float]:
        """Return the weight of each key."""
        alone, users = users_of(records)
        first: dict[str, float] = defaultdict(float, {key: float(count) for key, count in alone.items()})
        for keys in users:
            for key in keys:
                first[key] += 1 / len(keys)
        surplus = {key: max(0.0, 1 - self.level / weight) for key, weight in first.items()}
        final = {key: min(weight, self.level) for key, weight in first.items()}
        for key, count in alone.items():
            final[key] += count * self.rerouted(surplus[key], (key,), first)[key]
        for keys in users:
            back = math.fsum(surplus[key] for key in keys) / len(keys)
            more = self.rerouted(back, keys, first)
            for key in keys:
                final[key] += more[key] + self.base(len(keys))
        return final

    def base(self, keys: int) -> float:
        """Return what a user of so many keys adds to each beside the first step."""
        return 1 / math.sqrt(keys) - 1 / keys

    def rerouted(self, back: float, keys: tuple[str, ...], _first: dict[str, float]) -> dict[str, float]:
        """Return what a user who gets so much back adds to each of their keys."""
        return dict.fromkeys(keys, self.share * back / self.c_u)


@of_numbers
def build(*, sigma: Value, threshold: Value, c_u: Value = 1, beta: Value = BETA) -> AdaptiveWeights:
    """The mechanism by the names of its claim, with the level at T + beta sigma; c_u is enforced beforehand.

    Raises:
        ValueError: the level is below 1, where weight is taken from new keys, or a value is out of range.
    """
    check_whole(c_u=c_u)
    level = check_scale("level", Fraction(threshold) + Fraction(beta) * Fraction(sigma))
    if level < 1:
        raise ValueError(f"expected a level T + beta sigma of at least 1, got {level:g}")
    return AdaptiveWeights(check_scale("sigma", sigma), float(Fraction(threshold)), int(Fraction(c_u)), level)


_SURE = 30
"""Standard deviations above T at which a key is released but for a probability below 1e-197."""


def moved_profile(A: Arithmetic, epsilon: Number, _direction: Direction, *, distance: float) -> Any:
    """Exact hockey stick of keys far above T whose weights are a distance apart, in units of the noise."""
    return gaussian_profile(A, A.number(epsilon), A.number(Fraction(distance)))


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Law of new keys, and of keys far above T: in doubles, the distance of their weights; else none is known."""
    if not neighbours.right:
        return weighted_law(neighbours, parameters)
    return ExactLaw(law_of(neighbours, build(**parameters)))


def law_of(neighbours: Neighbours, mechanism: AdaptiveWeights) -> Any:
    """Profile of a mechanism with other weights on neighbours whose keys are far above T on both sides; else None."""
    sides = [mechanism.weights(side) for side in (neighbours.left, neighbours.right)]
    keys = {key for side in sides for key in side}
    least = mechanism.threshold + _SURE * mechanism.sigma
    moved = {key: sides[0].get(key, 0) - sides[1].get(key, 0) for key in keys}
    changed = [key for key, change in moved.items() if change]
    if any(min(side.get(key, 0) for side in sides) < least for key in changed):
        return None
    distance = math.sqrt(math.fsum(moved[key] ** 2 for key in changed)) / mechanism.sigma
    return partial(moved_profile, distance=distance)


MECHANISM = MechanismSpec(
    id="adaptive_weights", title="set union with adaptive weights", build=build,
    parameters={"sigma": "1/2", "threshold": 3, "c_u": 2}, guarantee_claim="thresholds.adaptive.level",
    source="after Chen, Cohen-Addad, Epasto and Zadimoghaddam, ICML 2025, as public descriptions have it",
    privacy=ADAPTIVE, law=law,
)  # fmt: skip

_SIGMA = symbol("sigma")
CALIBRATOR = Calibrator(
    id=MECHANISM.id, claim="thresholds.adaptive.level", release="keys", users={"c_u": "keys"}, noise="sigma",
    threshold="threshold", limit_threshold=2 + FAR * _SIGMA, deviation=_SIGMA,
)  # fmt: skip
