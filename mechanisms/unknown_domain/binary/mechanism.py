"""The Unknown Domain Binary Mechanism of rogers2024: running counts of items nobody declared.

Statement: after round r, release for every item seen so far its noisy count of the binary mechanism if that exceeds
T; an item new at round r gets fresh noise on the cells already in use. sigma = 1/epsilon and
T = 1 + sigma sqrt(ceil(log2(L + 1))) z(delta/(Delta_0 L)), the proof's threshold. Memory is O(log L) an item.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.baselines.binary_mechanism import PrefixNoise, adjacency, check_round, prefix_noise
from mechanisms.gaussian_sparse_histogram.mechanism import grid_for, round_to_grid
from mechanisms.mechanism import BatchMechanism, MechanismSpec, of_numbers, of_pairs
from mechanisms.pair import Pair
from mechanisms.unknown_domain.pairs import gaussian_shift, one_sided, with_atom
from mechanisms.unknown_domain.release import (
    check_count,
    check_delta,
    check_scale,
    check_threshold,
    decode,
    encode,
    stream_key,
)
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.special import integral, normal_cdf, normal_pdf
from proofs_numeric.rogers2024.continual import stream_new_mass_at, threshold_of_proof

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact, Parameters

REMEDY = "T > 0 needs delta < delta_0 L / 2"


@dataclass
class UnknownDomainCounter:
    """One run, fed round by round."""

    mechanism: UnknownDomainBinary
    noise: PrefixNoise
    index: dict[str, int]
    counts: NDArray[np.float64]

    def step(self, event: Iterable[str]) -> dict[str, float]:
        """Counts released after one more round.

        Raises:
            ValueError: the event holds more than delta_0 items, or the stream is over.
        """
        items = sorted(set(event))
        self.mechanism.check_event(self.noise.round + 1, len(items))
        new = [item for item in items if item not in self.index]
        if new:
            self.index |= {item: len(self.index) + i for i, item in enumerate(new)}
            self.noise.admit(len(new))
            self.counts = np.concatenate([self.counts, np.zeros(len(new))])
        self.counts[[self.index[item] for item in items]] += 1
        noisy = self.counts + self.noise.advance()
        shown = round_to_grid(noisy, self.mechanism.grid)
        passes = noisy > self.mechanism.threshold
        return {item: float(shown[i]) for item, i in sorted(self.index.items()) if passes[i]}


@dataclass(frozen=True)
class UnknownDomainBinary(BatchMechanism):
    """The Unknown Domain Binary Mechanism.

    Attributes:
        rounds: L.
        delta_0: most items of one event.
        scale: sigma of each cell (counts).
        threshold: T, > 0 (counts).
        grid: released values are rounded to the nearest multiple; a power of two.
    """

    rounds: int
    delta_0: int
    scale: float
    threshold: float
    grid: float

    def __post_init__(self) -> None:
        """Refuse a threshold that is none."""
        check_threshold(self.threshold, REMEDY)

    def check_event(self, round_: int, items: int) -> None:
        """Refuse a round beyond L and an event of more than delta_0 items."""
        check_round(round_, self.rounds, "T")
        if items > self.delta_0:
            raise ValueError(
                f"expected at most delta_0={self.delta_0} items in an event, got {items} at round {round_}"
            )

    def start(self, rng: np.random.Generator) -> UnknownDomainCounter:
        """A run to be fed round by round."""
        return UnknownDomainCounter(self, PrefixNoise(self.scale, rng), {}, np.zeros(0))

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent runs on an encoded stream: a column for each item and round from its first on."""
        stream = decode(histogram, self.rounds)
        for round_, event in stream.items():
            self.check_event(round_, len(event))
            if repeated := [item for item, count in event.items() if count > 1]:
                raise ValueError(f"expected an item at most once in an event, got {repeated} again at round {round_}")
        keys: list[str] = []
        blocks = [np.empty((n, 0))]
        for item in sorted({item for event in stream.values() for item in event}):
            counts = np.cumsum([item in stream[r] for r in range(1, self.rounds + 1)])
            first = int(np.argmax(counts > 0))
            noisy = (counts + self.noise(n, rng))[:, first:]
            keys += [stream_key(r, item) for r in range(first + 1, self.rounds + 1)]
            blocks.append(self.shown(noisy))
        return tuple(keys), np.concatenate(blocks, axis=1)

    releases_only_input_keys = False
    """No: an item is released in rounds after those in which it occurs."""

    def noise(self, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Noise of one item's counts, shape (n, rounds)."""
        return prefix_noise(self.rounds, n, self.scale, rng)

    def shown(self, noisy: NDArray[np.float64]) -> NDArray[np.float64]:
        """Counts above T on the grid, NaN elsewhere."""
        return np.where(noisy > self.threshold, round_to_grid(noisy, self.grid), np.nan)


def threshold(A: Any, *, L: Exact, delta_0: Exact, sigma: Exact, delta: Exact) -> Any:
    """T of Theorem 11's proof (counts)."""
    epsilon = 1 / A.number(sigma)
    return threshold_of_proof(A, L=int(L), delta_0=A.number(delta_0), epsilon=epsilon, delta=delta)


@of_numbers
def build(*, L: Exact, delta_0: Exact, sigma: Exact, delta: Exact) -> UnknownDomainBinary:
    """The mechanism by the names of Theorem 11.

    Raises:
        ValueError: delta outside (0, 1), L < 1, delta_0 < 1, sigma <= 0, or T <= 0.
    """
    check_delta(delta)
    rounds, items = check_count("L", L, "rounds"), check_count("delta_0", delta_0, "items")
    scale = check_scale("sigma", sigma)
    T = float(threshold(Float64(), L=L, delta_0=delta_0, sigma=sigma, delta=delta))
    return UnknownDomainBinary(rounds, items, scale, T, grid_for(scale))


def new_mass(
    A: Any, *, L: int, delta_0: Exact, sigma: Exact, delta: Exact, at: Any = threshold, noise: Exact = 1
) -> Any:
    """Mass of delta_0 items new at round 1 (U1), L <= 3; `at` is the threshold, `noise` scales sigma."""
    lead = (at(A, L=L, delta_0=delta_0, sigma=sigma, delta=delta) - 1) / (A.number(sigma) * A.number(noise))
    return stream_new_mass_at(A, lead=lead, L=L, delta_0=A.number(delta_0))


def pair_u1(parameters: Parameters, **mass: Any) -> Pair:
    """U1: delta_0 items at round 1, never again, against nothing; L <= 3."""
    settings = {name: parameters[name] for name in ("delta_0", "sigma", "delta")}
    items = [f"u{index:02d}" for index in range(int(parameters["delta_0"]))]
    return Pair(
        "u1",
        encode([items]),
        {},
        "items of the first event that never return",
        adjacency(parameters),
        partial(one_sided, mass=partial(new_mass, L=int(parameters["L"]), **settings, **mass)),
    )


def later_cells(parameters: Parameters) -> tuple[int, int]:
    """Round 2^j + 1 of the longest path after round 1, and its number of cells."""
    rounds = int(parameters["L"])
    start = 2 ** (rounds.bit_length() - 2) + 1
    cells, index = 0, start
    while index <= rounds:
        cells, index = cells + 1, index + (index & -index)
    return start, cells


def pair_u2(parameters: Parameters, squared: Exact | None = None, at: int | None = None) -> Pair:
    """U2: the item in every round, removed at one; its counts are far above T, so nothing is censored.

    Exact up to the probability that a count of that round or later stays below T (below 1e-45 at the parameters used).
    """
    rounds, (start, cells) = int(parameters["L"]), later_cells(parameters)
    start = at or start
    always = [["u"]] * rounds
    ratio = cells / Fraction(parameters["sigma"]) ** 2 if squared is None else squared
    return Pair(
        "u2",
        encode(always),
        encode([*always[: start - 1], [], *always[start:]]),
        f"an item of every round, removed at round {start}",
        adjacency(parameters),
        partial(gaussian_shift, squared=ratio),
    )


def _third(A: Any, *, count: int, sigma: Exact, lead: Any, returning: bool) -> Any:
    """Density of round 3's count `sigma y` scaled by sigma; where the item was new at round 2, jointly with silence."""
    s, x = A.number(sigma), lead(A)

    def density(B: Any, y: Any) -> Any:
        z = (y - count) / s
        value = normal_pdf(B, z / B.sqrt(2)) / (s * B.sqrt(2))
        return value * normal_cdf(B, B.sqrt(2) * (x - z / 2)) if returning else value

    return density


def _lead(A: Any, *, delta_0: Exact, sigma: Exact, delta: Exact) -> Any:
    return (threshold(A, L=3, delta_0=delta_0, sigma=sigma, delta=delta) - 1) / A.number(sigma)


def _silence(A: Any, *, sigma: Exact, lead: Any) -> tuple[Any, Any]:
    """Pr[S_2 <= T, S_3 <= T] with counts 1, 2 and Pr[S_3 <= T] with count 1."""
    s, x = A.number(sigma), lead(A)

    def joint(B: Any, u: Any) -> Any:
        return normal_pdf(B, u) * normal_cdf(B, x - 1 / s - u)

    both = A.sum(integral(A, joint, x - 4 * (i + 1), x - 4 * i) for i in range(8))
    return both, normal_cdf(A, x / A.sqrt(2))


def _span(A: Any, *, sigma: Exact, lead: Any) -> tuple[Any, Any]:
    T = 1 + A.number(sigma) * lead(A)
    return T, T + 20 * A.number(sigma)


def _own(A: Any, *, lead: Any) -> tuple[Any, Any]:
    return normal_cdf(A, -lead(A)), A.number(0)


def pair_u3(parameters: Parameters) -> Pair:
    """U3: an item new at round 2 that returns at round 3, against one new at round 3; L = 3."""
    sigma = parameters["sigma"]
    lead = partial(_lead, **{name: parameters[name] for name in ("delta_0", "sigma", "delta")})
    return Pair(
        "u3",
        encode([[], ["u"], ["u"]]),
        encode([[], [], ["u"]]),
        "a suppressed count shares a partial sum with the released one",
        adjacency(parameters),
        partial(
            with_atom,
            left=partial(_third, count=2, sigma=sigma, lead=lead, returning=True),
            right=partial(_third, count=1, sigma=sigma, lead=lead, returning=False),
            atoms=partial(_silence, sigma=sigma, lead=lead),
            span=partial(_span, sigma=sigma, lead=lead),
            own=partial(_own, lead=lead),
        ),
    )


def pairs(parameters: Parameters) -> tuple[Pair, ...]:
    """U1 up to three rounds, U3 at three; U2 for longer streams, where counts come to lie far above T."""
    rounds = int(parameters["L"])
    if rounds > 3:
        return (pair_u2(parameters),)
    return (pair_u1(parameters), pair_u3(parameters)) if rounds == 3 else (pair_u1(parameters),)


MECHANISM = MechanismSpec(
    id="unknown_domain_binary",
    title="Unknown Domain Binary Mechanism",
    build=build,
    parameters={"L": 3, "delta_0": 1, "sigma": 2, "delta": "1/20"},
    guarantee_claim="rogers2024.thm11.profile",
    **of_pairs(adjacency, pairs),
    source="rogers2024, Section 4.3; Theorem 11",
)
