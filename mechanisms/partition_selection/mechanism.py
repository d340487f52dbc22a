"""Optimal partition selection: a key of n users is released with the largest private probability of n users.

Statement: each key is released, without its count, with the probability of `standard.selection.keep`, all keys
independently. Google's libraries call it truncated geometric thresholding. With `lowest` above 1, keys of fewer users
are dropped first, and the others lose lowest - 1 users.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.calibrator import Calibrator
from mechanisms.histogram import Histogram, Released, validate
from mechanisms.integer_sparse_histogram.mechanism import check_whole
from mechanisms.mechanism import BatchMechanism, MechanismSpec, of_numbers
from mechanisms.pair import ExactLaw
from proofs_numeric.arithmetic import Arithmetic, Float64, Number
from proofs_numeric.expression import symbols
from proofs_numeric.standard.selection import SELECTION, largest_keep
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Parameters
    from proofs_numeric.arithmetic.formula import Value
    from proofs_numeric.statements.neighbours import Neighbours

Keep = Callable[..., Any]
"""``keep(A, epsilon_0=..., delta_0=..., users=...)``: the probability of releasing a key of n >= 1 users."""


@dataclass(frozen=True)
class PartitionSelection(BatchMechanism):
    """Keys, each released with a probability.

    Attributes:
        epsilon_0: epsilon of one key (nats), > 0.
        delta_0: delta of one key, in (0, 1).
        lowest: keys of fewer users are never released.
        keep: probability by the number of users, from the lowest on.
    """

    epsilon_0: float
    delta_0: float
    lowest: int = 1
    keep: Keep = largest_keep

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases: 1 where a key is released, NaN elsewhere."""
        validate(histogram)
        keys = tuple(sorted(histogram))
        at = {"epsilon_0": np.float64(self.epsilon_0), "delta_0": np.float64(self.delta_0)}
        chances = np.array([probability(Float64(), histogram[key], self.lowest, self.keep, **at) for key in keys])
        return keys, np.where(rng.random((n, len(keys))) < chances, 1.0, np.nan)


def probability(A: Arithmetic, users: int, lowest: int, keep: Keep, **at: Any) -> Any:
    """Return the probability that a key is released."""
    return A.number(0) if users < lowest else keep(A, users=users - lowest + 1, **at)


@of_numbers
def build(*, epsilon_0: Value, delta_0: Value, c_u: Value = 1, lowest: Value = 1) -> PartitionSelection:
    """The mechanism by the names of its claim; c_u is enforced on the records beforehand."""
    check_whole(c_u=c_u, lowest=lowest)
    epsilon, delta = float(Fraction(epsilon_0)), float(Fraction(delta_0))
    if not 0 < epsilon < math.inf:
        raise ValueError(f"expected 0 < epsilon_0 < infinity (nats), got epsilon_0={epsilon_0}")
    if not 0 < delta < 1:
        raise ValueError(f"expected 0 < delta_0 < 1, got delta_0={delta_0}")
    return PartitionSelection(epsilon, delta, int(Fraction(lowest)))


def selection_profile(
    A: Arithmetic,
    epsilon: Number,
    direction: Direction,
    *,
    changes: tuple[tuple[tuple[int, int], int], ...],
    lowest: int,
    keep: Keep = largest_keep,
    **at: Fraction,
) -> Any:
    """Exact hockey stick of keys whose numbers of users differ: (left, right) -> how many keys."""
    numbers = {name: A.number(value) for name, value in at.items()}
    chances = [[probability(A, users, lowest, keep, **numbers) for users in pair] for pair, _count in changes]
    if direction is Direction.BACKWARD:
        chances = [pair[::-1] for pair in chances]
    factor = A.exp(A.number(epsilon))

    def mass(side: int, released: tuple[int, ...]) -> Any:
        total = A.number(1)
        for pair, (_users, count), some in zip(chances, changes, released, strict=True):
            total = total * math.comb(count, some) * pair[side] ** some * (1 - pair[side]) ** (count - some)
        return total

    outcomes = itertools.product(*(range(count + 1) for _pair, count in changes))
    return A.sum(A.maximum(A.number(0), mass(0, one) - factor * mass(1, one)) for one in outcomes)


def law(neighbours: Neighbours, parameters: Parameters, keep: Keep = largest_keep) -> ExactLaw:
    """Law of the keys that differ; the others are alike."""
    changes = tuple(sorted(Counter(neighbours.changes.values()).items()))
    at: dict[str, Any] = {name: Fraction(parameters[name]) for name in ("epsilon_0", "delta_0")}
    lowest = int(parameters.get("lowest", 1))
    return ExactLaw(partial(selection_profile, changes=changes, lowest=lowest, keep=keep, **at))


MECHANISM = MechanismSpec(
    id="partition_selection", title="optimal partition selection (truncated geometric thresholding)", build=build,
    parameters={"epsilon_0": "1/4", "delta_0": "1/50", "c_u": 2}, guarantee_claim="standard.selection.keys",
    source="Desfontaines, Voss, Gipson and Mandayam, PoPETs 2022, as public descriptions have it", privacy=SELECTION,
    law=law,
)  # fmt: skip

_EPSILON, _C_U = symbols("epsilon c_u")
CALIBRATOR = Calibrator(
    id=MECHANISM.id, claim="standard.selection.keys", release="selections", users={"c_u": "keys"},
    chosen={"epsilon_0": _EPSILON / _C_U},
)  # fmt: skip
