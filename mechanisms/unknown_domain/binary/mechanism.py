"""The Unknown Domain Binary Mechanism of rogers2024: running counts of items nobody declared.

Statement: after round r, release for every item seen so far its noisy count of the binary mechanism if that exceeds
T; an item new at round r gets fresh noise on the cells already in use. sigma = 1/epsilon and
T = 1 + sigma sqrt(ceil(log2(L + 1))) z(delta/(Delta_0 L)), the proof's threshold. Memory is O(log L) an item.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.baselines.binary_mechanism import CALIBRATOR as KNOWN_ITEMS
from mechanisms.baselines.binary_mechanism import PrefixNoise, check_round, prefix_noise
from mechanisms.gaussian_sparse_histogram.mechanism import grid_for, round_to_grid
from mechanisms.laws.events import one_sided
from mechanisms.mechanism import BatchMechanism, MechanismSpec, of_numbers
from mechanisms.pair import ExactLaw
from mechanisms.unknown_domain.profiles import added, gaussian_shift, with_atom
from mechanisms.unknown_domain.release import check_count, check_delta, check_scale, check_threshold, decode
from proofs_numeric.arithmetic import Arithmetic, Float64, Number
from proofs_numeric.arithmetic.special import integral, normal_cdf, normal_pdf
from proofs_numeric.expression import symbol
from proofs_numeric.rogers2024.enumeration import cells_of_event
from proofs_numeric.rogers2024.neighbours import UNKNOWN_STREAM
from proofs_numeric.rogers2024.theorem_11.statement import stream_new_mass_at
from proofs_numeric.rogers2024.thresholds import threshold_of_proof
from proofs_numeric.statements.adjacency import stream_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram, Released
    from mechanisms.mechanism import Parameters
    from mechanisms.pair import Profile
    from proofs_numeric.arithmetic.formula import Value
    from proofs_numeric.statements.neighbours import Neighbours

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
        rounded_sums = round_to_grid(noisy, self.mechanism.grid)
        passes = noisy > self.mechanism.threshold
        return {item: float(rounded_sums[i]) for item, i in sorted(self.index.items()) if passes[i]}


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

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
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
            blocks.append(self.select_released(noisy))
        return tuple(keys), np.concatenate(blocks, axis=1)

    releases_only_input_keys = False
    """No: an item is released in rounds after those in which it occurs."""

    def noise(self, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Noise of one item's counts, shape (n, rounds)."""
        return prefix_noise(self.rounds, n, self.scale, rng)

    def select_released(self, noisy: NDArray[np.float64]) -> NDArray[np.float64]:
        """Counts above T on the grid, NaN elsewhere."""
        return np.where(noisy > self.threshold, round_to_grid(noisy, self.grid), np.nan)


def threshold(A: Arithmetic, *, L: Value, delta_0: Value, sigma: Value, delta: Value) -> Number:
    """T of Theorem 11's proof (counts)."""
    epsilon = 1 / A.number(sigma)
    return threshold_of_proof(A, L=int(L), delta_0=A.number(delta_0), epsilon=epsilon, delta=A.number(delta))


@of_numbers
def build(*, L: Value, delta_0: Value, sigma: Value, delta: Value) -> UnknownDomainBinary:
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
    A: Arithmetic,
    *,
    items: int,
    L: Value,
    delta_0: Value,
    sigma: Value,
    delta: Value,
    at: Callable[..., Any] = threshold,
) -> Number:
    """Mass of items of the first event that never return (U1), L <= 3; `at` is the threshold (counts)."""
    lead = (at(A, L=L, delta_0=delta_0, sigma=sigma, delta=delta) - 1) / A.number(sigma)
    return stream_new_mass_at(A, lead=lead, L=int(L), delta_0=A.number(items))


def _third(A: Arithmetic, *, count: int, sigma: Value, lead: Any, returning: bool) -> Any:
    """Density of round 3's count `sigma y` scaled by sigma; where the item was new at round 2, jointly with silence."""
    s, x = A.number(sigma), lead(A)

    def density(B: Any, y: Number) -> Any:
        z = (y - count) / s
        value = normal_pdf(B, z / B.sqrt(2)) / (s * B.sqrt(2))
        return value * normal_cdf(B, B.sqrt(2) * (x - z / 2)) if returning else value

    return density


def _lead(A: Arithmetic, *, delta_0: Value, sigma: Value, delta: Value) -> Number:
    return (threshold(A, L=3, delta_0=delta_0, sigma=sigma, delta=delta) - 1) / A.number(sigma)


def _silence(A: Arithmetic, *, sigma: Value, lead: Any) -> tuple[Any, Any]:
    """Pr[S_2 <= T, S_3 <= T] with counts 1, 2 and Pr[S_3 <= T] with count 1."""
    s, x = A.number(sigma), lead(A)

    def joint(B: Any, u: Number) -> Number:
        return normal_pdf(B, u) * normal_cdf(B, x - 1 / s - u)

    both = A.sum(integral(A, joint, x - 4 * (i + 1), x - 4 * i) for i in range(8))
    return both, normal_cdf(A, x / A.sqrt(2))


def _span(A: Arithmetic, *, sigma: Value, lead: Any) -> tuple[Any, Any]:
    T = 1 + A.number(sigma) * lead(A)
    return T, T + 20 * A.number(sigma)


def _own_noise(A: Arithmetic, *, lead: Any) -> tuple[Any, Any]:
    return normal_cdf(A, -lead(A)), A.number(0)


def returning(*, delta_0: Value, sigma: Value, delta: Value) -> Profile:
    """Profile of an item new at round 2 that returns at round 3, against one new at round 3 (U3); L = 3."""
    lead = partial(_lead, delta_0=delta_0, sigma=sigma, delta=delta)
    return partial(
        with_atom,
        left=partial(_third, count=2, sigma=sigma, lead=lead, returning=True),
        right=partial(_third, count=1, sigma=sigma, lead=lead, returning=False),
        atoms=partial(_silence, sigma=sigma, lead=lead),
        span=partial(_span, sigma=sigma, lead=lead),
        alone=partial(_own_noise, lead=lead),
    )


CERTAIN_DEVIATIONS = 10
"""A count this many standard deviations of its noise above T is held back with probability below 1e-23."""


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Exact law of U1 and U3 up to three rounds; and of an event of items whose counts are far above T from then on."""
    L, sigma, delta = int(parameters["L"]), parameters["sigma"], parameters["delta"]
    changes = added(neighbours)
    if changes is None or len({key.partition("/")[0] for key in changes}) > 1 or max(neighbours.left.values()) > 1:
        return ExactLaw()
    round_ = int(next(iter(changes)).partition("/")[0])
    items = [key.partition("/")[2] for key in changes]
    calibration: dict[str, Any] = {"delta_0": parameters["delta_0"], "sigma": sigma, "delta": delta}
    if L <= 3 and not neighbours.right and round_ == 1:
        return ExactLaw(partial(one_sided, mass=partial(new_mass, items=len(items), L=L, **calibration)))
    if L == 3 and round_ == 2 and set(neighbours.right) == {stream_key(3, items[0])} and len(items) == 1:
        return ExactLaw(returning(**calibration))
    T, scale = float(threshold(Float64(), L=L, **calibration)), float(Fraction(sigma))
    last = max(int(key.partition("/")[0]) for key in neighbours.left)
    for item in items:
        count = sum(stream_key(index, item) in neighbours.right for index in range(1, round_))
        for index in range(round_, last + 1):
            count += stream_key(index, item) in neighbours.right
            if count < T + CERTAIN_DEVIATIONS * scale * math.sqrt(index.bit_count()):
                return ExactLaw()
        if last < L and count < T + CERTAIN_DEVIATIONS * scale * math.sqrt(L.bit_length()):
            return ExactLaw()
    cells = len(items) * len(cells_of_event(round_, L))
    return ExactLaw(partial(gaussian_shift, squared=cells / Fraction(sigma) ** 2))


MECHANISM = MechanismSpec(
    id="unknown_domain_binary", title="Unknown Domain Binary Mechanism", build=build,
    parameters={"L": 3, "delta_0": 1, "sigma": 2, "delta": "1/20"}, guarantee_claim="rogers2024.thm11.profile",
    privacy=UNKNOWN_STREAM, law=law, source="rogers2024, Section 4.3; Theorem 11",
)  # fmt: skip

CALIBRATOR = replace(
    KNOWN_ITEMS, id=MECHANISM.id, claim=MECHANISM.guarantee_claim, shares={"delta": Fraction(1, 2)},
    stated={"T": ("rogers2024.thm11.T_proof", {"epsilon": 1 / symbol("sigma")})},
)  # fmt: skip
