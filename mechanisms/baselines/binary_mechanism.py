"""The binary mechanism: running counts of a declared universe over a stream, with Gaussian noise on partial sums.

Cell r holds the events of rounds (r - lowbit(r), r]; the noisy count after round r is the sum of the cells of the
binary digits of r, each with one noise N(0, sigma^2) drawn once. Only noise prefixes are kept: an item costs
popcount(r) <= log2(L + 1) doubles, whatever the length of the stream.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from mechanisms.gaussian_sparse_histogram.mechanism import grid_for, round_to_grid
from mechanisms.mechanism import BatchMechanism, MechanismSpec, of_numbers, of_pairs
from mechanisms.noise import normal
from mechanisms.pair import Pair
from mechanisms.unknown_domain.pairs import gaussian_shift
from mechanisms.unknown_domain.release import EventLevel, check_count, check_scale, decode, encode, stream_key

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact, Parameters


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

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent runs on an encoded stream: a column for each item and round."""
        stream = decode(histogram, self.rounds)
        blocks = []
        for item in self.universe:
            counts = np.cumsum([stream[r].get(item, 0) for r in range(1, self.rounds + 1)])
            blocks.append(round_to_grid(counts + prefix_noise(self.rounds, n, self.scale, rng), self.grid))
        keys = tuple(stream_key(r, item) for item in self.universe for r in range(1, self.rounds + 1))
        return keys, np.concatenate(blocks, axis=1)


@of_numbers
def build(*, L: Exact, delta_0: Exact, sigma: Exact) -> BinaryMechanism:
    """The binary mechanism on delta_0 items u00, u01, ...

    Raises:
        ValueError: L < 1, delta_0 < 1 or sigma <= 0.
    """
    scale = check_scale("sigma", sigma)
    items = tuple(f"u{index:02d}" for index in range(check_count("delta_0", delta_0, "items")))
    return BinaryMechanism(items, check_count("L", L, "rounds"), scale, grid_for(scale))


def adjacency(parameters: Parameters) -> EventLevel:
    """One event added or removed."""
    return EventLevel(int(parameters["delta_0"]))


def pairs(parameters: Parameters) -> tuple[Pair, ...]:
    """An event of all items in the first round (the longest path of cells) and one in the last."""
    items, rounds = int(parameters["delta_0"]), int(parameters["L"])
    ratio = items / Fraction(parameters["sigma"]) ** 2
    universe = [f"u{index:02d}" for index in range(items)]
    found = []
    for name, at, cells in (("first", 1, rounds.bit_length()), ("last", rounds, 1)):
        left = encode(universe if r == at else [] for r in range(1, rounds + 1))
        profile = partial(gaussian_shift, squared=cells * ratio)
        found.append(Pair(name, left, {}, f"the {name} round's event", adjacency(parameters), profile))
    return tuple(found)


MECHANISM = MechanismSpec(
    id="binary_mechanism",
    title="Binary mechanism over a declared universe",
    build=build,
    parameters={"L": 3, "delta_0": 1, "sigma": 2},
    guarantee_claim="rogers2024.bm.profile",
    **of_pairs(adjacency, pairs),
    source="rogers2024, Section 4.3",
)
