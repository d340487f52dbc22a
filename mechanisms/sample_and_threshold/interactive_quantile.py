"""A quantile by binary search: a fresh two-bucket sample-and-threshold histogram a step.

Everything that is released is the two counts of each step; splits and answer are functions of them.  Where all clients
hold 0 or a value near 1, every split has the same two buckets, so the steps are independent whatever way they go.
Source: bharadwaj2022 Section 4.2, Lemma 8.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from mechanisms.histogram import Histogram, Released, validate
from mechanisms.mechanism import BatchMechanism, Boundary, MechanismSpec, Parameters, of_numbers
from mechanisms.pair import ExactLaw
from mechanisms.sample_and_threshold.hierarchical_histogram import check_fraction, histogram_of, read_value
from mechanisms.sample_and_threshold.mechanism import CALIBRATOR as ONE_LEVEL
from mechanisms.sample_and_threshold.mechanism import check_rate, check_tau, check_whole, integer, least_count, sampled
from mechanisms.sample_and_threshold.trie_heavy_hitters import profile
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.bharadwaj2022.neighbours import SPLIT
from proofs_numeric.statements.neighbours import Neighbours


@dataclass(frozen=True)
class InteractiveQuantile(BatchMechanism):
    """The counts left and right of the split, step by step; the input's keys are the clients' values as text.

    Attributes:
        phi: fraction of clients sought, 0 < phi < 1.
        p: probability that a client takes part in one step.
        tau: threshold on sampled counts (clients).
        levels: number h of steps; the answer is the middle of an interval of width 2^-h.
        rule: whether a sampled count equal to tau is shown.
    """

    phi: float
    p: float
    tau: int
    levels: int
    rule: Boundary = Boundary.INCLUSIVE

    def __post_init__(self) -> None:
        """Refuse parameters outside the mechanism's domain."""
        check_fraction(self.phi)
        check_rate(self.p)
        check_tau(self.tau, self.rule)
        check_whole("levels", self.levels, "steps")

    releases_only_input_keys = False
    """No: counts of steps are released."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent searches: columns `left 1`, `right 1`, `left 2`, ...; NaN where not shown."""
        validate(histogram)
        values = np.array([float(read_value(text)) for text in histogram])
        counts = np.array(list(histogram.values()), dtype=np.int64)
        low, sample = np.zeros(n), None
        table = np.empty((n, 2 * self.levels))
        for step in range(self.levels):
            sample = self._sampled(counts, n, rng, sample)
            below = np.where(values < (low + 0.5 ** (step + 1))[:, None], sample, 0.0).sum(axis=1)
            buckets = np.stack([below, sample.sum(axis=1) - below], axis=1)
            buckets[buckets < least_count(self.tau, self.rule)] = np.nan
            table[:, 2 * step : 2 * step + 2] = buckets
            low += np.where(self._decides(buckets, values, counts, low + 0.5 ** (step + 1)), 0.5 ** (step + 1), 0.0)
        names = tuple(f"{side} {step + 1}" for step in range(self.levels) for side in ("left", "right"))
        return names, table

    def _sampled(
        self, counts: NDArray[np.int64], n: int, rng: np.random.Generator, last: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        """Sampled clients by value, shape (n, len(counts)), independent of the last step's."""
        del last
        return sampled(counts, self.p, n, rng)

    def _decides(
        self,
        buckets: NDArray[np.float64],
        values: NDArray[np.float64],
        counts: NDArray[np.int64],
        splits: NDArray[np.float64],
    ) -> NDArray[np.bool_]:
        """Whether the search goes right: a function of the shown counts, not of the data."""
        del values, counts, splits
        return goes_right(buckets, self.phi)

    def quantile(self, released: dict[str, float]) -> float:
        """The answer that a release stands for."""
        low = 0.0
        for step in range(1, self.levels + 1):
            counts = np.array([[released.get(f"left {step}", math.nan), released.get(f"right {step}", math.nan)]])
            low += 0.5**step if goes_right(counts, self.phi)[0] else 0.0
        return low + 0.5 ** (self.levels + 1)


def goes_right(counts: NDArray[np.float64], phi: float) -> NDArray[np.bool_]:
    """Whether the search goes right after counts of shape (n, 2); what is not shown counts as nothing."""
    left, right = np.nan_to_num(counts).T
    return np.asarray(left < phi * (left + right))


def interactive_quantile(
    values: Sequence[float], phi: float, *, p: float, tau: int, steps: int, rng: np.random.Generator
) -> float:
    """The phi-quantile of the clients' values in [0, 1), where the samples are large enough to show it.

    Raises:
        ValueError: phi outside (tau/m, 1 - tau/m) with m = p n, or another parameter out of range.
    """
    search = InteractiveQuantile(phi, p, tau, steps)
    edge = tau / (p * max(len(values), 1))
    if not edge < phi < 1 - edge:
        raise ValueError(f"expected tau/m < phi < 1 - tau/m with tau/m={edge:.6g}, got phi={phi}; sample more clients")
    return search.quantile(search.release(histogram_of(values), rng))


@of_numbers
def build(*, p: Value, tau: Value, levels: Value, phi: Value = "1/2") -> InteractiveQuantile:
    """The mechanism by the names of its claim; the median unless phi says otherwise."""
    return InteractiveQuantile(float(Fraction(phi)), float(Fraction(p)), integer("tau", tau), integer("levels", levels))


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Exact law where every split that the search can choose separates the same values: each step has two cells."""
    levels, width = (steps := integer("levels", parameters["levels"])), Fraction(1, 2**steps)
    sides = [[0, 0], [0, 0]]
    for buckets, histogram in zip(sides, (neighbours.left, neighbours.right), strict=True):
        for text, count in histogram.items():
            value = read_value(text)
            if width <= value < 1 - width:
                return ExactLaw()
            buckets[value >= width] += count
    changes = tuple(zip(*sides, strict=True))
    paths = tuple((change,) * levels for change in changes if change[0] != change[1])
    p, tau = Fraction(parameters["p"]), integer("tau", parameters["tau"])
    return ExactLaw(partial(profile, p=p, tau=tau, paths=paths, prune=False))


MECHANISM = MechanismSpec(
    id="interactive_quantile", title="Quantile by interactive search, a fresh two-bucket histogram a step", build=build,
    parameters={"p": "3/10", "tau": 5, "levels": 2}, guarantee_claim="bharadwaj2022.lem8.rate",
    source="bharadwaj2022, Section 4.2, Lemma 8", privacy=SPLIT, law=law,
)  # fmt: skip

CALIBRATOR = replace(ONE_LEVEL, id=MECHANISM.id, claim=MECHANISM.guarantee_claim, release="levels")
