"""The Laplace mechanism over a declared universe: every noisy count is released, rounded to a declared grid."""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from mechanisms.calibrator import Calibrator
from mechanisms.gaussian_sparse_histogram.mechanism import grid_for, round_to_grid
from mechanisms.histogram import Histogram, Released, validate
from mechanisms.mechanism import BatchMechanism, MechanismSpec, Parameters, of_numbers
from mechanisms.noise import laplace
from mechanisms.pair import ExactLaw
from mechanisms.unknown_domain.profiles import added, laplace_shift
from mechanisms.unknown_domain.release import check_count, check_scale
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.expression import sqrt, symbol
from proofs_numeric.rogers2024.neighbours import COUNTS
from proofs_numeric.statements.neighbours import Neighbours

UNIVERSE = ("k0", "k1")


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

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases: one column a key of the universe, in its order."""
        validate(histogram)
        counts = np.array([histogram.get(key, 0) for key in self.universe], dtype=np.float64)
        return self.universe, round_to_grid(counts + laplace.sample(rng, (n, counts.size), scale=self.scale), self.grid)


@of_numbers
def build(*, delta_1: Value, b: Value) -> LaplaceMechanism:
    """Laplace noise of scale b on the universe k0, k1; delta_1 is the guarantee's sensitivity, enforced beforehand."""
    check_count("delta_1", delta_1, "counts")
    scale = check_scale("b", b)
    return LaplaceMechanism(UNIVERSE, scale, grid_for(scale))


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Exact law where one count of the universe moves."""
    changes = added(neighbours)
    if changes is None or len(changes) > 1 or not set(changes) <= set(UNIVERSE):
        return ExactLaw()
    ((left, right),) = changes.values()
    return ExactLaw(partial(laplace_shift, distance=(left - right) / Fraction(parameters["b"])))


MECHANISM = MechanismSpec(
    id="laplace_mechanism", title="Laplace mechanism over a declared universe", build=build,
    parameters={"delta_1": 1, "b": 1}, guarantee_claim="rogers2024.thm1.laplace", privacy=COUNTS, law=law,
    source="rogers2024, Theorem 1",
)  # fmt: skip


CALIBRATOR = Calibrator(
    id=MECHANISM.id, claim="standard.laplace.composition", release="known_keys", users={"k": "keys"}, noise="scale",
    deviation=sqrt(2) * symbol("scale"),
)  # fmt: skip
