"""The binary mechanism: running counts of a declared universe over a stream, with Gaussian noise on partial sums.

Cell r holds the events of rounds (r - lowbit(r), r]; the noisy count after round r is the sum of the cells of the
binary digits of r, each with one noise N(0, sigma^2) drawn once. Only noise prefixes are kept: an item costs
popcount(r) <= log2(L + 1) doubles, whatever the length of the stream.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from mechanisms.calibrator import Calibrator
from mechanisms.gaussian_sparse_histogram.mechanism import grid_for, round_to_grid
from mechanisms.histogram import Histogram, Released
from mechanisms.mechanism import BatchMechanism, MechanismSpec, Parameters, of_numbers
from mechanisms.noise import normal
from mechanisms.pair import ExactLaw
from mechanisms.unknown_domain.profiles import added, gaussian_shift
from mechanisms.unknown_domain.release import check_count, check_scale, decode
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.expression import sqrt, symbols
from proofs_numeric.rogers2024.enumeration import cells_of_event
from proofs_numeric.rogers2024.neighbours import DECLARED_STREAM, labels
from proofs_numeric.rogers2024.thresholds import floor_levels
from proofs_numeric.statements.adjacency import stream_key
from proofs_numeric.statements.neighbours import Neighbours


@dataclass
class PrefixNoise:
    """Noise of running sums for a growing number of items, advanced round by round.

    `stack[j]` is the noise of the sum of the j + 1 longest cells of the current round; its length is popcount(round).
    """

    scale: float
    rng: np.random.Generator
    items: int = 0
    round: int = 0
    stack: list[NDArray[np.float64]] = field(default_factory=list)

    def advance(self) -> NDArray[np.float64]:
        """Noise of every item's count after the next round: the kept prefix plus one fresh cell."""
        self.round += 1
        trailing = (self.round & -self.round).bit_length() - 1
        del self.stack[len(self.stack) - trailing :]
        fresh = normal.sample(self.rng, (self.items,), scale=self.scale)
        if self.stack:
            fresh += self.stack[-1]
        self.stack.append(fresh)
        return fresh

    def admit(self, number: int) -> None:
        """Add items from now on, with fresh noise on every cell that is in use."""
        steps = normal.sample(self.rng, (len(self.stack), number), scale=self.scale)
        late = np.cumsum(steps, axis=0)
        self.stack = [np.concatenate([old, new]) for old, new in zip(self.stack, late, strict=True)]
        self.items += number


@dataclass
class BinaryCounter:
    """One run over a declared universe, in O(log L) memory an item."""

    universe: tuple[str, ...]
    rounds: int
    noise: PrefixNoise
    counts: NDArray[np.float64]
    grid: float

    def step(self, increments: NDArray[np.float64]) -> NDArray[np.float64]:
        """Noisy counts after one more round; `increments` holds one number an item.

        Raises:
            ValueError: not one number an item, or the stream is over.
        """
        check_round(self.noise.round + 1, self.rounds, "rho")
        if increments.shape != self.counts.shape:
            raise ValueError(
                f"expected one increment for each of {self.counts.size} items, got shape {increments.shape}"
            )
        self.counts += increments
        return round_to_grid(self.counts + self.noise.advance(), self.grid)


def check_round(round_: int, rounds: int, planned: str) -> None:
    """Refuse a round beyond L."""
    if round_ > rounds:
        raise ValueError(f"expected at most L={rounds} rounds, got round {round_}; {planned} was set for L rounds")


def prefix_noise(rounds: int, n: int, scale: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Noise of one item's counts after rounds 1..L for n runs, shape (n, rounds)."""
    noise = normal.sample(rng, (n, rounds), scale=scale)
    for index in range(1, rounds + 1):
        before = index - (index & -index)
        if before:
            noise[:, index - 1] += noise[:, before - 1]
    return noise


@dataclass(frozen=True)
class BinaryMechanism(BatchMechanism):
    """Running counts of a declared universe.

    Attributes:
        universe: items counted, whoever holds them.
        rounds: L.
        scale: sigma of each cell (counts).
        grid: released values are rounded to the nearest multiple; a power of two.
    """

    universe: tuple[str, ...]
    rounds: int
    scale: float
    grid: float

    releases_only_input_keys = False
    """No: an item is counted from round 1, seen or not."""

    def start(self, rng: np.random.Generator) -> BinaryCounter:
        """A run to be fed round by round."""
        noise = PrefixNoise(self.scale, rng, items=len(self.universe))
        return BinaryCounter(self.universe, self.rounds, noise, np.zeros(len(self.universe)), self.grid)

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent runs on an encoded stream: a column for each item and round."""
        stream = decode(histogram, self.rounds)
        blocks = []
        for item in self.universe:
            counts = np.cumsum([stream[r].get(item, 0) for r in range(1, self.rounds + 1)])
            blocks.append(round_to_grid(counts + prefix_noise(self.rounds, n, self.scale, rng), self.grid))
        keys = tuple(stream_key(r, item) for item in self.universe for r in range(1, self.rounds + 1))
        return keys, np.concatenate(blocks, axis=1)


@of_numbers
def build(*, L: Value, delta_0: Value, sigma: Value) -> BinaryMechanism:
    """The binary mechanism on delta_0 items u00, u01, ...

    Raises:
        ValueError: L < 1, delta_0 < 1 or sigma <= 0.
    """
    scale = check_scale("sigma", sigma)
    items = tuple(labels(check_count("delta_0", delta_0, "items"), "u"))
    return BinaryMechanism(items, check_count("L", L, "rounds"), scale, grid_for(scale))


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Exact law where one event is added: Gaussian noise on the cells of its round, for each of its items."""
    changes = added(neighbours)
    if changes is None:
        return ExactLaw()
    rounds, items = ({key.partition("/")[part] for key in changes} for part in (0, 2))
    if len(rounds) > 1 or not items <= set(build(**parameters).universe):
        return ExactLaw()
    squared = sum((left - right) ** 2 for left, right in changes.values())
    cells = len(cells_of_event(int(rounds.pop()), int(parameters["L"])))
    return ExactLaw(partial(gaussian_shift, squared=cells * squared / Fraction(parameters["sigma"]) ** 2))


MECHANISM = MechanismSpec(
    id="binary_mechanism", title="Binary mechanism over a declared universe", build=build,
    parameters={"L": 3, "delta_0": 1, "sigma": 2}, guarantee_claim="rogers2024.bm.profile", privacy=DECLARED_STREAM,
    law=law, source="rogers2024, Section 4.3",
)  # fmt: skip

_SIGMA, _ROUNDS = symbols("sigma L")
CALIBRATOR = Calibrator(
    id=MECHANISM.id, claim=MECHANISM.guarantee_claim, release="running_counts",
    users={"L": "releases", "delta_0": "keys"}, noise="sigma", deviation=_SIGMA * sqrt(floor_levels(_ROUNDS)),
)  # fmt: skip
"""The deviation is that of the round with the most noise terms."""
