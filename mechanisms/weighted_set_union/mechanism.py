"""Weighted Gaussian set union: each user adds 1/sqrt(t) to their t keys; keys whose noisy weight passes T are shown.

Statement: for each key that some user has, draw N(0, sigma^2) and release weight plus noise if that is above T. The
weights are a function of all records of a user, so the input is records: a key `user/key` is one of that user, a plain
key counts users who have it alone. Released weights are rounded to a grid after the decision. The paper (Gopi and
others, ICML 2020, not read) shows the keys alone, a function of that.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.calibrator import Calibrator
from mechanisms.gaussian_sparse_histogram.law import rows_loss, rows_profile
from mechanisms.gaussian_sparse_histogram.mechanism import grid_for, round_to_grid
from mechanisms.histogram import Histogram, Released, users_of, validate
from mechanisms.integer_sparse_histogram.mechanism import check_whole
from mechanisms.mechanism import BatchMechanism, MechanismSpec, of_numbers
from mechanisms.noise import normal
from mechanisms.pair import ExactLaw
from mechanisms.unknown_domain.release import check_scale
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.expression import symbol
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.thresholds.weighted import FAR, WEIGHTED

if TYPE_CHECKING:
    from mechanisms.laws.privacy_loss import SumLoss
    from mechanisms.mechanism import Parameters
    from proofs_numeric.arithmetic.formula import Value
    from proofs_numeric.statements.neighbours import Neighbours


@dataclass(frozen=True)
class KeysByWeight(BatchMechanism):
    """Release of the keys whose noisy weight exceeds a threshold; a subclass says what weight a key has.

    Attributes:
        sigma: standard deviation of the noise (weights), > 0.
        threshold: T, what a noisy weight must exceed (weights).
    """

    sigma: float
    threshold: float
    releases_only_input_keys = False

    def weights(self, records: Histogram) -> dict[str, float]:
        """Return the weight of each key."""
        raise NotImplementedError

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases: one column a key in the order of keys, NaN where not released."""
        validate(histogram)
        weights = self.weights(histogram)
        keys = tuple(sorted(weights))
        noisy = np.array([weights[key] for key in keys]) + normal.sample(rng, (n, len(keys)), scale=self.sigma)
        return keys, np.where(noisy > self.threshold, round_to_grid(noisy, grid_for(self.sigma)), np.nan)


@dataclass(frozen=True)
class WeightedSetUnion(KeysByWeight):
    """Weighted Gaussian set union.

    Attributes:
        power: a user of t keys adds t^-power to each; 1/2.
    """

    power: float = 0.5

    def weights(self, records: Histogram) -> dict[str, float]:
        """Return the weight of each key."""
        alone, users = users_of(records)
        total: dict[str, float] = defaultdict(float, alone)
        for keys in users:
            for key in keys:
                total[key] += len(keys) ** -self.power
        return total


@of_numbers
def build(*, sigma: Value, threshold: Value, c_u: Value = 1, power: Value = Fraction(1, 2)) -> WeightedSetUnion:
    """The mechanism by the names of its claim; c_u is enforced on the records beforehand."""
    check_whole(c_u=c_u)
    return WeightedSetUnion(check_scale("sigma", sigma), float(Fraction(threshold)), float(Fraction(power)))


def union_profile(
    A: Arithmetic,
    epsilon: Number,
    direction: Direction,
    *,
    new: int,
    far: int,
    sigma: Value,
    threshold: Value,
    power: Value = Fraction(1, 2),
) -> Any:
    """Exact hockey stick of a user's new keys beside others far above T: rows in units of the weight."""
    unit = A.power(A.number(new + far), A.number(power))
    rows: dict[str, Any] = {"sigma": A.number(sigma) * unit, "gap": A.number(threshold) * unit - 1}
    return rows_profile(A, epsilon, direction, at_threshold=new, far=far, **rows)


def union_loss(direction: Direction, *, new: int, far: int, sigma: Value, threshold: Value) -> SumLoss:
    """Privacy loss of the same pair."""
    unit = math.sqrt(new + far)
    rows: dict[str, Any] = {"sigma": float(Fraction(sigma)) * unit, "gap": float(Fraction(threshold)) * unit - 1}
    return rows_loss(direction, at_threshold=new, far=far, **rows)


def counts_of_others(neighbours: Neighbours) -> list[int] | None:
    """Return how many others have each key of the user whom left has more; None if the sides differ otherwise."""
    mine = sorted({*neighbours.left} - {*neighbours.right})
    shared = neighbours.right
    if len({record.partition("/")[0] for record in mine}) != 1 or any("/" in key for key in shared):
        return None
    if any(neighbours.left.get(key) != count for key, count in shared.items()):
        return None
    return [shared.get(record.partition("/")[2], 0) for record in mine]


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Law where left has a user more, whose keys nobody else has or many others, far above T; else none is known."""
    counts = counts_of_others(neighbours)
    sigma, threshold = Fraction(parameters["sigma"]), Fraction(parameters["threshold"])
    if counts is None or any(0 < count < threshold + FAR * sigma for count in counts):
        return ExactLaw()
    at: dict[str, Any] = {
        "new": counts.count(0),
        "far": len(counts) - counts.count(0),
        "sigma": sigma,
        "threshold": threshold,
    }
    power = Fraction(parameters.get("power", Fraction(1, 2)))
    if power != Fraction(1, 2):
        return ExactLaw(partial(union_profile, **at, power=power))
    return ExactLaw(partial(union_profile, **at), partial(union_loss, **at))


MECHANISM = MechanismSpec(
    id="weighted_set_union", title="weighted Gaussian set union", build=build,
    parameters={"sigma": 1, "threshold": 3, "c_u": 4}, guarantee_claim="thresholds.weighted.delta",
    source="Gopi and others, ICML 2020, as public descriptions have it", privacy=WEIGHTED, law=law,
)  # fmt: skip


_SIGMA = symbol("sigma")
CALIBRATOR = Calibrator(
    id=MECHANISM.id, claim="thresholds.weighted.delta", release="keys", users={"c_u": "keys"}, noise="sigma",
    threshold="threshold", limit_threshold=1 + FAR * _SIGMA, deviation=_SIGMA,
    least={"sigma": "thresholds.gaussian.sigma", "threshold": "thresholds.weighted.threshold"},
)  # fmt: skip
