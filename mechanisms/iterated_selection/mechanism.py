"""Iterated weighted set union: three rounds of weighted set union, each without the keys that were shown before.

Statement: in round i each user adds 1/sqrt(t) to each of the t keys that are left to them; a key whose weight with
noise N(0, sigma_i^2) exceeds T_i is released with the noisy weight, and removed from the data. The input is records, as
of the weighted set union. A released key is `key@i`, so a release has the round. The paper's release (Swanberg,
Desfontaines and Haney, arXiv 2301.01998, not read) is the keys, a function of this one; a public implementation
releases the weights, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.calibrator import Calibrator
from mechanisms.gaussian_sparse_histogram.mechanism import grid_for, round_to_grid
from mechanisms.histogram import Histogram, Released, users_of, validate
from mechanisms.integer_sparse_histogram.mechanism import check_whole
from mechanisms.mechanism import BatchMechanism, MechanismSpec, of_numbers
from mechanisms.noise import normal
from mechanisms.pair import ExactLaw
from mechanisms.unknown_domain.release import check_scale
from mechanisms.weighted_set_union.mechanism import counts_of_others
from proofs_numeric.expression import symbols
from proofs_numeric.thresholds.iterated import ITERATED, ROUNDS, named_profile, rounds_of, shared_profile
from proofs_numeric.thresholds.weighted import FAR

if TYPE_CHECKING:
    from mechanisms.mechanism import Parameters
    from proofs_numeric.arithmetic import Arithmetic, Number
    from proofs_numeric.arithmetic.formula import Value
    from proofs_numeric.statements.neighbours import Direction, Neighbours

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class IteratedSelection(BatchMechanism):
    """Rounds of weighted set union.

    Attributes:
        rounds: standard deviation of the noise and threshold of each round (weights).
    """

    rounds: tuple[tuple[float, float], ...]
    releases_only_input_keys = False

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases: a column for each key and round, NaN where not released."""
        validate(histogram)
        alone, users = users_of(histogram)
        keys = tuple(sorted({*alone, *(key for user in users for key in user)}))
        places = {key: place for place, key in enumerate(keys)}
        left = np.ones((n, len(keys)), dtype=bool)
        columns = []
        for i, (sigma, threshold) in enumerate(self.rounds):
            weights = np.tile(np.array([alone.get(key, 0) for key in keys], dtype=float), (n, 1))
            for user in users:
                mine = [places[key] for key in user]
                weights[:, mine] += self.shares(left[:, mine], i)
            noisy = weights + normal.sample(rng, (n, len(keys)), scale=sigma)
            passes = left & (noisy > threshold)
            columns.append(np.where(passes, round_to_grid(noisy, grid_for(sigma)), np.nan))
            left = self.remaining(left, passes)
        names = tuple(f"{key}@{i}" for i in range(1, len(self.rounds) + 1) for key in keys)
        return names, np.concatenate(columns, axis=1)

    def shares(self, left: Mask, _round: int) -> NDArray[np.float64]:
        """Return what a user adds to each key that is left, 0 to others: (n, keys of the user)."""
        return np.asarray(left / np.sqrt(np.maximum(left.sum(axis=1, keepdims=True), 1)))

    def remaining(self, left: Mask, output: Mask) -> Mask:
        """Return which keys the next round has: (n, keys)."""
        return np.asarray(left & ~output)


def checked_rounds(at: Parameters) -> tuple[tuple[float, float], ...]:
    """Return noise and threshold of each round in doubles."""
    return tuple((check_scale(f"sigma_{i}", at[f"sigma_{i}"]), float(Fraction(at[f"threshold_{i}"]))) for i in ROUNDS)


@of_numbers
def build(*, c_u: Value = 1, **rounds: Value) -> IteratedSelection:
    """The mechanism by the names of its claim; c_u is enforced on the records beforehand."""
    check_whole(c_u=c_u)
    return IteratedSelection(checked_rounds(rounds))


def iterated_profile(
    A: Arithmetic, epsilon: Number, direction: Direction, *, rounds: tuple[tuple[Fraction, Fraction], ...],
    new: int = 0, far: int = 0, others: int = 0,
) -> Any:  # fmt: skip
    """Exact hockey stick of a user's new keys beside others far above all thresholds, or of one shared key."""
    numbers = [(A.number(sigma), A.number(threshold)) for sigma, threshold in rounds]
    if others:
        return shared_profile(A, epsilon, direction, rounds=numbers, others=others)
    return named_profile(A, epsilon, direction, rounds=numbers, new=new, far=far)


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Law where left has a user more, whose keys nobody has or many others, or who has one key; else none is known."""
    counts, rounds = counts_of_others(neighbours), tuple(rounds_of(Fraction, parameters))
    if counts is None:
        return ExactLaw()
    far = [count for count in counts if count >= max(T + FAR * s for s, T in rounds)]
    if len(far) + counts.count(0) == len(counts):
        return ExactLaw(partial(iterated_profile, rounds=rounds, new=counts.count(0), far=len(far)))
    return ExactLaw(partial(iterated_profile, rounds=rounds, others=counts[0])) if len(counts) == 1 else ExactLaw()


MECHANISM = MechanismSpec(
    id="iterated_selection", title="iterated weighted set union (DP-SIPS)", build=build,
    parameters={
        "sigma_1": 3, "threshold_1": 9, "sigma_2": 2, "threshold_2": 6, "sigma_3": 1, "threshold_3": "7/2", "c_u": 2,
    },
    guarantee_claim="thresholds.iterated.keys",
    source="Swanberg, Desfontaines and Haney, PoPETs 2023, as the abstract and a public implementation have it",
    privacy=ITERATED, law=law,
)  # fmt: skip

_SIGMA, _THRESHOLD = symbols("sigma_1 threshold_1")
CALIBRATOR = Calibrator(
    id=MECHANISM.id, claim="thresholds.iterated.keys", release="keys", users={"c_u": "keys"}, noise="sigma_1",
    threshold="threshold_1", limit_threshold=1 + FAR * _SIGMA, deviation=_SIGMA,
    follows={
        "sigma_2": _SIGMA / 2, "sigma_3": _SIGMA / 4, "threshold_2": 1 + (_THRESHOLD - 1) / 2,
        "threshold_3": 1 + (_THRESHOLD - 1) / 4,
    },
)  # fmt: skip
"""Each round has half the noise of the one before, and a threshold as many deviations above 1."""
