"""Sample-and-threshold on exactly m clients: what Section 3.2 of bharadwaj2022 warns of.

The released counts say how many clients were held back: delta = m/n at every epsilon.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.calibrator import Calibrator
from mechanisms.histogram import Histogram, Released, validate
from mechanisms.laws.events import one_sided
from mechanisms.mechanism import BatchMechanism, Boundary, MechanismSpec, Parameters, of_numbers
from mechanisms.pair import ExactLaw
from mechanisms.sample_and_threshold.mechanism import check_tau, check_whole, integer, least_count
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.bharadwaj2022.neighbours import FIXED_SIZE
from proofs_numeric.expression import lift
from proofs_numeric.statements.neighbours import Neighbours


class DrawnSample(BatchMechanism):
    """A thresholded histogram of clients drawn without replacement; subclasses say how many."""

    tau: int
    rule: Boundary

    def sizes(self, population: int, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Sample sizes of n releases from a population of this size."""
        raise NotImplementedError

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases: one column a key in the order of names, NaN where not shown."""
        keys, values = draw_samples(histogram, lambda population: self.sizes(population, n, rng), rng)
        values[values < least_count(self.tau, self.rule)] = np.nan
        return keys, values


def draw_samples(histogram: Histogram, sizes: Any, rng: np.random.Generator) -> Released:
    """Keys in the order of names and their counts in samples of `sizes(population)` clients, one row a sample."""
    validate(histogram)
    keys = tuple(sorted(histogram))
    counts = np.array([histogram[key] for key in keys], dtype=np.int64)
    taken = sizes(int(counts.sum()))
    values = np.empty((taken.size, counts.size))
    # Conditional hypergeometric draws, one cell after the other, all releases at once.
    left = np.full(taken.size, counts.sum())
    for i, count in enumerate(counts):
        values[:, i] = rng.hypergeometric(np.full(taken.size, count), left - count, taken)
        left, taken = left - count, taken - values[:, i].astype(np.int64)
    return keys, values


@dataclass(frozen=True)
class FixedSize(DrawnSample):
    """Exactly m clients.

    Attributes:
        m: sample size (clients).
        tau: threshold on sampled counts (clients).
        rule: whether a sampled count equal to tau is shown.
    """

    m: int
    tau: int
    rule: Boundary = Boundary.INCLUSIVE

    def __post_init__(self) -> None:
        """Refuse a sample size or a threshold that is none."""
        check_whole("m", self.m, "clients")
        check_tau(self.tau, self.rule)

    def sizes(self, population: int, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return m, every time."""
        del rng
        check_size("m", self.m, population)
        return np.full(n, self.m)


def check_size(name: str, size: int, population: int) -> None:
    """Refuse to draw more clients than there are."""
    if not 1 <= size <= population:
        raise ValueError(f"expected 1 <= {name} <= n={population} (clients), got {name}={size}; draw fewer")


@of_numbers
def build(*, m: Value, n: Value, tau: Value) -> FixedSize:
    """The mechanism by the names of its claim, for a population of n."""
    size = integer("m", m)
    check_size("m", size, integer("n", n))
    return FixedSize(size, integer("tau", tau))


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Exact law for a unique item beside n - 1 copies against n copies, where m >= tau.

    With the unique client drawn (probability m/n) m - 1 of the majority are counted, else m; without it always m.
    """
    m, n, tau = (integer(name, parameters[name]) for name in ("m", "n", "tau"))
    unique = sorted(neighbours.changes.values()) == [(1, 0), (n - 1, n)]
    return ExactLaw(partial(one_sided, mass=lift(Fraction(m, n)))) if unique and m >= tau else ExactLaw()


MECHANISM = MechanismSpec(
    id="fixed_size_sample", title="Sample-and-threshold histogram, sample of fixed size", build=build,
    parameters={"m": 12, "n": 41, "tau": 5}, guarantee_claim="bharadwaj2022.fix.delta",
    source="bharadwaj2022, Section 3.2", privacy=FIXED_SIZE, law=law,
)  # fmt: skip

CALIBRATOR = Calibrator(id=MECHANISM.id, claim=MECHANISM.guarantee_claim, release="fixed_size_samples", users={})
