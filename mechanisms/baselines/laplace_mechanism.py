"""The Laplace mechanism over a declared universe: every noisy count is released, rounded to a declared grid."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from mechanisms.gaussian_sparse_histogram.mechanism import grid_for, round_to_grid
from mechanisms.histogram import validate
from mechanisms.mechanism import BatchMechanism, MechanismSpec, of_numbers, of_pairs
from mechanisms.noise import laplace
from mechanisms.pair import Pair
from mechanisms.unknown_domain.pairs import laplace_shift
from mechanisms.unknown_domain.release import check_count, check_scale
from proofs_numeric.statements.adjacency import AddRemoveUser

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact, Parameters


@dataclass(frozen=True)
class LaplaceMechanism(BatchMechanism):
    """Noisy counts of a universe fixed in advance.

    Attributes:
        universe: the keys released, whoever is in them.
        scale: b (counts).
        grid: released values are rounded to the nearest multiple; a power of two.
    """

    universe: tuple[str, ...]
    scale: float
    grid: float

    releases_only_input_keys = False
    """No: a key of the universe is released with nobody in it."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases: one column a key of the universe, in its order."""
        validate(histogram)
        counts = np.array([histogram.get(key, 0) for key in self.universe], dtype=np.float64)
        return self.universe, round_to_grid(counts + laplace.sample(rng, (n, counts.size), scale=self.scale), self.grid)


@of_numbers
def build(*, delta_1: Exact, b: Exact) -> LaplaceMechanism:
    """Laplace noise of scale b on the universe k0, k1; delta_1 is the guarantee's sensitivity, enforced beforehand."""
    check_count("delta_1", delta_1, "counts")
    scale = check_scale("b", b)
    return LaplaceMechanism(("k0", "k1"), scale, grid_for(scale))


def adjacency(parameters: Parameters) -> AddRemoveUser:
    """One user whose counts in one key move by at most delta_1."""
    return AddRemoveUser(c_u=1, per_key=int(parameters["delta_1"]))


def pairs(parameters: Parameters) -> tuple[Pair, ...]:
    """One count moves by delta_1."""
    step = int(parameters["delta_1"])
    profile = partial(laplace_shift, distance=step / Fraction(parameters["b"]))
    left, right = {"k0": step, "k1": 5}, {"k1": 5}
    return (Pair("one", left, right, "one count moves by delta_1", adjacency(parameters), profile),)


MECHANISM = MechanismSpec(
    id="laplace_mechanism",
    title="Laplace mechanism over a declared universe",
    build=build,
    parameters={"delta_1": 1, "b": 1},
    guarantee_claim="rogers2024.thm1.laplace",
    **of_pairs(adjacency, pairs),
    source="rogers2024, Theorem 1",
)
