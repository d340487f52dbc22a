"""Audit of one pair of neighbours: blocks of releases, events learnt from them, and bets on these events."""

import copy
import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from auditor.search.events import Event, View, ViewChoice, coarsen, learn
from auditor.search.past import take
from auditor.search.shrinking import shrink
from auditor.statistics.betting import Counts, Hypotheses
from auditor.statistics.e_process import BetBlocks, EProcess, Period, Trajectory
from auditor.statistics.sample import Sample, concatenate
from auditor.statistics.seeds import block_generator
from auditor.statistics.tradeoff import TradeoffBand, band_of_bets, next_band
from auditor.target.target import BudgetSpentError
from proofs_numeric.statements.neighbours import Direction

FIRST_BLOCK = 6
"""Releases per dataset of the first block, which only serves learning; no bet is placed on it."""
FIRST_NEW_KEY_BLOCK = 16
"""First block of a pair with a new key, in releases per dataset: on the side without the key all must be equal."""
SMALLEST_BLOCK = 3
BLOCK_GROWTH = 0.04
"""Least size of the next block, as a share of all past releases: few blocks, and a stop soon after refutation."""
AHEAD = 0.125
"""Size of the next block as a share of the releases in which the wealth might suffice, up to all past releases. For the
confirmation of a frozen event, as a share of all past releases."""
LUCK = 2.0
"""Standard deviations of the log-wealth's past changes by which it might exceed its predicted growth."""
LARGEST_BLOCK, BLOCK_NUMBERS = 262_144, 2**22
"""Most releases per dataset in a block, and most numbers: blocks with many columns have fewer releases."""
RESERVOIR = 131_072
"""Most releases per dataset that are stored for learning."""
RESERVOIR_NUMBERS = 2**21
"""Most numbers per dataset that are stored for learning: with many columns fewer releases are stored."""
SMALLEST_RESERVOIR = 2_048
MAX_STORED_FORMS = 32_768
"""Most distinct forms of releases that are stored for learning; then most releases of a block, since forms take long to
read."""
LEARNT_AGAIN = 3
"""Factor of releases between two learning steps; with a factor of 2, planted faults need as many releases."""
LAST_EVENTS = 4
"""Events per direction that are still bet on when the reservoir is full."""


class Side(StrEnum):
    """The neighbour that a mechanism releases."""

    LEFT = "left"
    RIGHT = "right"


class Identified(Protocol):
    """A pair of neighbours with a name."""

    @property
    def id(self) -> str:
        """Name of the pair, unique in an audit; part of the seed of its blocks."""


class Neighbouring(Identified, Protocol):
    """A pair of histograms."""

    @property
    def left(self) -> Mapping[str, int]:
        """First histogram."""

    @property
    def right(self) -> Mapping[str, int]:
        """Second histogram."""


class ReleasesMany(Protocol):
    """A vectorised mechanism."""

    def release_many(
        self, histogram: Mapping[str, int], n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """Return keys and (n, len(keys)) values, NaN where a key is not released."""


@dataclass(frozen=True)
class Interim:
    """Interim analysis of a pair.

    Attributes:
        n: releases per dataset at the analysis.
        full: releases per dataset that the pair gets if it goes on, at least.
        events: number of candidate events at the analysis.
        stopped: whether betting on the pair ends here.
    """

    n: int
    full: int
    events: int
    stopped: bool


P = TypeVar("P", bound=Identified)
H = TypeVar("H", bound=Neighbouring)


def histogram_sampler(mechanism: ReleasesMany) -> Callable[[H, Side, int, np.random.Generator], Sample]:
    """Return the sampler of a vectorised mechanism on pairs of histograms."""

    def sample(pair: H, side: Side, n: int, rng: np.random.Generator) -> Sample:
        keys, values = mechanism.release_many(pair.left if side is Side.LEFT else pair.right, n, rng)
        return Sample(tuple(keys), values)

    return sample


class PairAudit(Generic[P]):
    """The e-process of one pair, with the releases from which it learns.

    Args:
        pair: the pair.
        sample: (pair, side, n, rng) -> n independent releases.
        claim: the levels of the claim, one or several; all bet on the same releases.
        seed: entropy of all blocks.
        claim_id: part of the seeds.
        needed: log-wealth of this pair, at one level, that would decide.
    """

    def __init__(
        self,
        pair: P,
        sample: Callable[[P, Side, int, np.random.Generator], Sample],
        claim: Hypotheses,
        seed: int,
        claim_id: str,
        needed: float,
    ) -> None:
        self.pair, self.claim, self.needed = pair, claim, needed
        self.process, self.trajectory = EProcess(claim), Trajectory()
        self.bet_blocks: list[BetBlocks] = []
        """The blocks with their bets; empty for several levels, see `at`."""
        self.view: View | None = None
        self.n, self.blocks = 0, 0
        self.interim: Interim | None = None
        self._moved = 0.0
        self._sample, self._seed, self._claim_id = sample, seed, claim_id
        self._reservoir: dict[Side, list[Sample]] = {Side.LEFT: [], Side.RIGHT: []}
        self._reservoir_n, self._learn_at, self._capacity, self._learning = 0, 0, RESERVOIR, True
        self.largest_block = LARGEST_BLOCK
        """Most releases per dataset in one block."""
        self._past: tuple[Sample, Sample] | None = None
        self._forms: set[str] = set()
        self.betting_seconds = 0.0

    def at(self, place: int) -> Self:
        """Return the audit at one of several levels; its bets are placed again from the stored counts."""
        if len(self.claim) == 1:
            return self
        one = copy.copy(self)
        one.claim, one.process = self.claim.at(place), self.process.against(place)
        one.bet_blocks = self.trajectory.play(one.claim)
        return one

    def next_block(self) -> int:
        """Return the size of the next block, which ends at or before the next band of the trade-off function."""
        if self.n == 0:
            return FIRST_BLOCK if self.claim.new_key is None else FIRST_NEW_KEY_BLOCK
        size = max(SMALLEST_BLOCK, math.ceil(max(BLOCK_GROWTH * self.n, min(AHEAD * self._soonest(), self.n))))
        return min(size, next_band(self.n) - self.n, self.largest_block)

    def _soonest(self) -> float:
        """Return m, the releases in which the wealth might suffice.

        It solves promise m + LUCK deviation sqrt(m) = needed - log_wealth. The deviation per release is estimated from
        the changes of the log-wealth in the past blocks.
        """
        lacking = max(0.0, self.needed - self.process.log_wealth)
        luck, promise = LUCK * math.sqrt(self._moved / self.n), max(0.0, self.promise)
        if lacking == 0.0:
            return 0.0
        slowest = luck + math.sqrt(luck * luck + 4.0 * promise * lacking)
        return (2.0 * lacking / max(slowest, 1e-9)) ** 2

    @property
    def promise(self) -> float:
        """Predicted growth of the best of the next bets, per release of each side; 0 before the first bet."""
        self._catch_up()
        return self.process.promise

    def draw(self, stage: str, block: int, n: int) -> tuple[Sample, Sample]:
        """Return the releases of one block, left and right; a repeated call returns equal releases."""
        left, right = (
            self._sample(
                self.pair, side, n, block_generator(self._seed, self._claim_id, self.pair.id, str(side), stage, block)
            )
            for side in Side
        )
        return left, right

    def step(self, n: int) -> None:
        """Draw a block of n releases per dataset, bet on it, and store it for learning before the next bets."""
        self._catch_up()
        left, right = self.draw("audit", self.blocks, n)
        if self.n == 0 and self.claim.new_key is not None:
            other = right if self.claim.new_key is Direction.FORWARD else left
            if not other.alike:  # further outputs of this side are possible
                self.claim = replace(self.claim, new_key=None)
                self.process = EProcess(self.claim)
        if self.view is not None:
            counts = self.view.counts(left, right)
            began, before = time.process_time(), self.process.log_wealth
            bet_blocks = self.process.update(counts)
            self.bet_blocks += [bet_blocks] * (len(self.claim) == 1)
            self.betting_seconds += time.process_time() - began
            self._moved += (self.process.log_wealth - before) ** 2
            self.trajectory.periods[-1].blocks.append(counts)
        else:
            columns = max(1, len(left.keys))
            self._capacity = int(np.clip(RESERVOIR_NUMBERS // columns, SMALLEST_RESERVOIR, RESERVOIR))
            self.largest_block = int(np.clip(BLOCK_NUMBERS // columns, SMALLEST_BLOCK, LARGEST_BLOCK))
        self.n, self.blocks = self.n + n, self.blocks + 1
        if not self._learning:
            return
        self._forms.update(left.shapes or (), right.shapes or ())
        various = len(self._forms) > MAX_STORED_FORMS
        if various:
            self.largest_block = min(self.largest_block, MAX_STORED_FORMS)
        full = various or self._reservoir_n + n > self._capacity
        if not full:
            self._reservoir[Side.LEFT].append(left)
            self._reservoir[Side.RIGHT].append(right)
            self._reservoir_n += n
            self._past = None
        if full:
            self._settle()
        elif self.view is None:
            self._learn()

    def tradeoff(self, alpha: float) -> TradeoffBand | None:
        """Return the band of the pair from the releases that were bet on; None if they were too few."""
        return band_of_bets(self.trajectory, alpha)

    def past(self) -> tuple[Sample, Sample]:
        """Return the releases stored for learning, left and right, with common columns."""
        if self._past is None:
            both = concatenate([*self._reservoir[Side.LEFT], *self._reservoir[Side.RIGHT]])
            left, right = slice(0, self._reservoir_n), slice(self._reservoir_n, None)
            self._past = take(both, left), take(both, right)
        return self._past

    def _catch_up(self) -> None:
        """Learn from the past blocks if a learning step is due."""
        if self._learning and self.view is not None and self.n >= self._learn_at:
            self._learn()

    def _learn(self) -> None:
        self._learn_at = LEARNT_AGAIN * self.n
        self._bet_on(learn(*self.past(), self.claim))

    def _settle(self) -> None:
        """End learning and keep only the events that violate the claim most clearly, for fast counting."""
        self._learning = False
        if self.view is not None:
            self._bet_on(coarsen(ViewChoice(self.view, self.process.past), self.claim, LAST_EVENTS))

    def _bet_on(self, choice: ViewChoice) -> None:
        self.process.freeze(choice.past)
        self.view = choice.view
        self.trajectory.periods.append(Period(choice.past))

    def named_events(self) -> Iterator[Event]:
        """Yield every event, shrunk on the past, by decreasing past excess over the claim at its one level.

        Raises:
            ValueError: no block was drawn.
        """
        if self.view is None:
            raise ValueError("expected at least one block before an event is named, got none")
        for _excess, direction, size in self.process.nearest_events(self.claim):
            yield shrink(self.view.event(direction, size), *self.past(), self.claim)

    def violating_event(self, bound: float) -> Event:
        """Return the event that names a refutation, shrunk on the past.

        It is the event of largest capital if its past delta exceeds the claim and is at least `bound`; otherwise the
        event of largest past excess.

        Args:
            bound: lower bound on delta at the epsilon of the claim, which has one level.

        Raises:
            ValueError: no block was drawn.
        """
        if self.view is None:
            raise ValueError("expected at least one block before an event is named, got none")
        nearest = self.process.nearest_events(self.claim)
        _excess, direction, size = nearest[0]
        richest = self.process.richest_event()
        excess = next(excess for excess, *event in nearest if tuple(event) == richest)
        if excess > 0 and excess + claimed_for(self.claim, richest[0]) >= bound:
            direction, size = richest
        return shrink(self.view.event(direction, size), *self.past(), self.claim)


def claimed_for(claim: Hypotheses, direction: Direction) -> float:
    """Return the delta that one hypothesis claims for a direction."""
    return float((claim.forward if direction is Direction.FORWARD else claim.backward)[0])


def confirm(
    audit: PairAudit[P],
    claim: Hypotheses,
    event: Event,
    alpha: float,
    limit: int,
    most_blocks: int | None,
    deadline: float,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[Counts | None, int]:
    """Bet on one frozen event and fresh releases with a new capital of 1, until it reaches 1 / alpha.

    Args:
        audit: the pair.
        claim: the hypothesis to refute.
        event: frozen predicate.
        alpha: error probability of the confirmation.
        limit: most releases per dataset.
        most_blocks: most blocks; None for no limit.
        deadline: time of `clock` at which to give up; ignored if `most_blocks` is given.
        clock: clock in seconds.

    Returns: the counts of the fresh releases, None if the event is not confirmed within the limits or the sampler's
        deadline passed; and the number of blocks.

    """
    process = EProcess(Hypotheses(claim.epsilon, claim.forward, claim.backward, (event.direction,)))
    process.freeze(event.counts(*audit.past()))
    fresh = np.zeros((2, 2), dtype=np.int64)
    used, block = 0, 0
    while used < limit and (clock() < deadline if most_blocks is None else block < most_blocks):
        n = min(limit - used, max(SMALLEST_BLOCK, math.ceil(AHEAD * (used + audit.n))), audit.largest_block)
        try:
            counts = event.counts(*audit.draw("confirm", block, n))
        except BudgetSpentError:
            return None, block
        process.update(counts)
        fresh, used, block = fresh + counts, used + n, block + 1
        if process.log_wealth >= -math.log(alpha):
            return fresh, block
    return None, block
