"""Hadamard response: each client reports one index, its frequency is estimated from Walsh-Hadamard signs.

K = 2^ceil(log2(B + 1)); a client with item x uses row x + 1 of the Hadamard matrix (row 0 is all ones and says nothing)
and reports a uniform index with sign +1 in that row with probability e^epsilon/(1 + e^epsilon), else one with sign -1.
With a rate p below 1 a client outside the sample reports a uniform index: nobody sees who is in it. Any two rows
differ in half of their signs: the exact delta is `bharadwaj2022.base.hadamard`. A baseline of bharadwaj2022 Section 5;
the mechanism is that of Acharya, Sun and Zhang.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms.baselines.central_laplace import check_sampling
from mechanisms.calibrator import Calibrator
from mechanisms.histogram import Histogram, Released, validate
from mechanisms.mechanism import BatchMechanism, MechanismSpec, Parameters, of_numbers
from mechanisms.pair import ExactLaw
from mechanisms.sample_and_threshold.mechanism import check_whole, integer
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.bharadwaj2022.neighbours import HADAMARD
from proofs_numeric.bharadwaj2022.section_5 import baselines
from proofs_numeric.statements.neighbours import Direction, Neighbours


@dataclass(frozen=True)
class HadamardResponse:
    """The local randomiser and its estimator.

    Attributes:
        epsilon: of one report, > 0 (nats).
        buckets: number B of items, >= 1.
        p: probability that a client reports for its own item, 0 < p <= 1.
    """

    epsilon: float
    buckets: int
    p: float = 1.0

    def __post_init__(self) -> None:
        """Refuse parameters outside the mechanism's domain."""
        if not 0 < self.epsilon < math.inf:
            raise ValueError(f"expected 0 < epsilon < infinity (nats), got epsilon={self.epsilon}")
        check_whole("buckets", self.buckets, "items")
        check_sampling(self.p)

    @property
    def size(self) -> int:
        """Number K of indices, a power of two above B."""
        return 1 << self.buckets.bit_length()

    @property
    def keep(self) -> float:
        """Probability of a +1 index."""
        return 1 / (1 + math.exp(-self.epsilon))

    def reports(self, items: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
        """One index a client, shape of `items` (integers in [0, B))."""
        rows = self.rows(np.asarray(items, dtype=np.int64))
        index = rng.integers(0, self.size, size=rows.shape)
        targets = np.where(rng.random(rows.shape) < self.keep, 1, -1)
        # Flipping the lowest bit that the row has flips the sign: a bijection between the two halves.
        flip = signs(rows, index) != targets
        if self.p < 1:
            flip &= rng.random(rows.shape) < self.p
        return np.where(flip, index ^ (rows & -rows), index)

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.int64]:
        """Rows of the matrix by item: all but row 0."""
        return items + 1

    def frequencies(self, reports: ArrayLike) -> NDArray[np.float64]:
        """Unbiased relative frequencies of the B items from all clients' reports."""
        counts = np.bincount(np.asarray(reports), minlength=self.size).astype(np.float64)
        spectrum = walsh_hadamard(counts) / counts.sum()
        return np.asarray(spectrum[1 : self.buckets + 1] / (self.p * (2 * self.keep - 1)))


def signs(rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Entries of the Hadamard matrix, ``(-1)^popcount(row & column)``."""
    return np.asarray(1 - 2 * (np.bitwise_count(rows & columns).astype(np.int64) & 1))


def walsh_hadamard(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unnormalised Walsh-Hadamard transform of a vector whose length is a power of two."""
    transform, width = values.copy(), 1
    while width < transform.size:
        blocks = transform.reshape(-1, 2, width)
        transform = np.stack([blocks[:, 0] + blocks[:, 1], blocks[:, 0] - blocks[:, 1]], axis=1).ravel()
        width *= 2
    return transform


def report_law(mechanism: HadamardResponse, item: int) -> NDArray[np.float64]:
    """Probabilities of the K indices that one client with this item reports."""
    index = np.arange(mechanism.size)
    row = mechanism.rows(np.full_like(index, item))
    truth = np.where(signs(row, index) > 0, mechanism.keep, 1 - mechanism.keep) / (mechanism.size / 2)
    return np.asarray((1 - mechanism.p) / mechanism.size + mechanism.p * truth)


@dataclass(frozen=True)
class HadamardReports(BatchMechanism):
    """How many clients reported each index, the items being k0, k1, ...

    Attributes:
        local: the randomiser of one client.
    """

    local: HadamardResponse

    @property
    def indices(self) -> int:
        """Number of indices counted."""
        return self.local.size

    releases_only_input_keys = False
    """No: indices are released."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases: one column an index."""
        validate(histogram)
        items = np.repeat([item_number(key, self.local.buckets) for key in histogram], list(histogram.values()))
        reports = self.local.reports(np.broadcast_to(items.astype(np.int64), (n, items.size)), rng)
        counts = np.zeros((n, self.indices))
        np.add.at(counts, (np.arange(n)[:, None], reports), 1)
        return tuple(map(str, range(self.indices))), counts


def item_number(key: str, buckets: int) -> int:
    """The number of item `k<number>`, refused outside 0 .. buckets - 1."""
    number = key.removeprefix("k")
    if not (number.isdecimal() and int(number) < buckets):
        raise ValueError(f"expected items k0 .. k{buckets - 1}, got {key!r}")
    return int(number)


@of_numbers
def build(*, epsilon_0: Value, p: Value = 1, buckets: Value = 3) -> HadamardReports:
    """The mechanism by the names of its claim, for three items unless buckets says otherwise."""
    local = HadamardResponse(float(Fraction(epsilon_0)), integer("buckets", buckets), float(Fraction(p)))
    return HadamardReports(local)


def profile(A: Arithmetic, epsilon: Number, direction: Direction, *, epsilon_0: Value, p: Value) -> Number:
    """Exact profile of one client with one item against another, the same both ways, epsilon >= 0."""
    del direction
    return baselines.hadamard(
        A, epsilon=A.number(epsilon), epsilon_0=A.number(Fraction(epsilon_0)), p=A.number(Fraction(p))
    )


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Exact law of one client alone, whose item is replaced by another."""
    exact = partial(profile, epsilon_0=Fraction(parameters["epsilon_0"]), p=Fraction(parameters.get("p", 1)))
    return ExactLaw(exact) if sum(neighbours.left.values()) == sum(neighbours.right.values()) == 1 else ExactLaw()


MECHANISM = MechanismSpec(
    id="hadamard_response", title="Hadamard response on a hidden sample", build=build,
    parameters={"epsilon_0": 2, "p": "1/2"}, guarantee_claim="bharadwaj2022.base.hadamard",
    source="bharadwaj2022, Section 5", privacy=HADAMARD, law=law,
)  # fmt: skip

CALIBRATOR = Calibrator(id=MECHANISM.id, claim=MECHANISM.guarantee_claim, release="responses", users={})
