"""One pair of neighbours under audit: blocks of releases, the events learnt from them, the bets placed on them."""

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from auditor.search.events import Event, Learnt, View, coarsen, learn
from auditor.search.past import take
from auditor.search.shrinking import shrink
from auditor.statistics.betting import Counts, Hypotheses
from auditor.statistics.e_process import EProcess, Period, Played, Trajectory
from auditor.statistics.sample import Sample, concatenate
from auditor.statistics.seeds import block_generator
from auditor.statistics.tradeoff import TradeoffBand, band_of_bets, next_band
from auditor.target.target import BudgetSpentError
from proofs_numeric.statements.neighbours import Direction

FIRST_BLOCK = 6
"""Releases a side that are only looked at; no bet is placed on them."""
FIRST_LOOK = 16
"""As many where bets count on what the other side never shows: it has to be alike in all of them."""
SMALLEST_BLOCK = 3
BLOCK_GROWTH = 0.04
"""Next block as a share of the releases so far, at least: stops soon after the wealth suffices, in few blocks."""
AHEAD = 0.125
"""And as a share of the releases in which the wealth might suffice, up to all so far: where that is far off, blocks
double. Of a frozen event, which learns little more, as a share of the releases so far."""
LUCK = 2.0
"""Standard deviations of what the log-wealth has moved by so far, which it might gain beyond what is promised."""
LARGEST_BLOCK, BLOCK_NUMBERS = 262_144, 2**22
"""Releases a side, and numbers of them: with many columns fewer releases."""
RESERVOIR = 131_072
"""Releases a side kept for learning; memory does not grow beyond them."""
RESERVOIR_NUMBERS = 2**21
"""Numbers a side kept for learning: with many columns fewer releases are kept."""
SMALLEST_RESERVOIR = 2_048
LEARNT_AGAIN = 3
"""Events are learnt again when there are so many times the releases; at each doubling, planted faults are refuted by as
many."""
LAST_EVENTS = 4
"""Events a direction that are still bet on when the reservoir is full."""


class Side(StrEnum):
    """Which of two neighbours is released."""

    LEFT = "left"
    RIGHT = "right"


class Identified(Protocol):
    """A pair of neighbours, of which only the name matters here."""

    @property
    def id(self) -> str:
        """Name of the pair, unique in an audit; part of the seed of its blocks."""


class Neighbouring(Identified, Protocol):
    """A pair of histograms."""

    @property
    def left(self) -> Mapping[str, int]:
        """One histogram."""

    @property
    def right(self) -> Mapping[str, int]:
        """The other."""


class ReleasesMany(Protocol):
    """A vectorised mechanism."""

    def release_many(
        self, histogram: Mapping[str, int], n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """Return keys and (n, len(keys)) values, NaN where not released."""


P = TypeVar("P", bound=Identified)
H = TypeVar("H", bound=Neighbouring)


def histogram_sampler(mechanism: ReleasesMany) -> Callable[[H, Side, int, np.random.Generator], Sample]:
    """Return the sampler of a vectorised mechanism on pairs of histograms."""

    def sample(pair: H, side: Side, n: int, rng: np.random.Generator) -> Sample:
        keys, values = mechanism.release_many(pair.left if side is Side.LEFT else pair.right, n, rng)
        return Sample(tuple(keys), values)

    return sample


class PairAudit(Generic[P]):
    """The e-process of one pair, with the releases it learns from."""

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
        self.played: list[Played] = []
        self.view: View | None = None
        self.n, self.blocks = 0, 0
        self._moved = 0.0
        self._sample, self._seed, self._claim_id = sample, seed, claim_id
        self._kept: dict[Side, list[Sample]] = {Side.LEFT: [], Side.RIGHT: []}
        self._kept_n, self._learn_at, self._capacity, self._learning = 0, 0, RESERVOIR, True
        self.largest_block = LARGEST_BLOCK
        """Most releases a side in one block."""
        self._past: tuple[Sample, Sample] | None = None
        self.betting_seconds = 0.0

    def next_block(self) -> int:
        """Return the size of the next block, which passes no look at the trade-off function."""
        if self.n == 0:
            return FIRST_BLOCK if self.claim.new_key is None else FIRST_LOOK
        size = max(SMALLEST_BLOCK, math.ceil(max(BLOCK_GROWTH * self.n, min(AHEAD * self._soonest(), self.n))))
        return min(size, next_band(self.n) - self.n, self.largest_block)

    def _soonest(self) -> float:
        """Return m, the releases in which the wealth might suffice: promise m + LUCK deviation sqrt(m) is what lacks.

        The deviation is that of one release, by what the blocks so far have moved the logarithm of the wealth.
        """
        lacking = max(0.0, self.needed - self.process.log_wealth)
        luck, promise = LUCK * math.sqrt(self._moved / self.n), max(0.0, self.promise)
        if lacking == 0.0:
            return 0.0
        slowest = luck + math.sqrt(luck * luck + 4.0 * promise * lacking)
        return (2.0 * lacking / max(slowest, 1e-9)) ** 2

    @property
    def promise(self) -> float:
        """Log-wealth for one release of each side that the past promises the best of the next bets; 0 before any."""
        self._catch_up()
        return self.process.promise

    def draw(self, stage: str, block: int, n: int) -> tuple[Sample, Sample]:
        """Return the releases of one block, left and right; the same ones whenever it is asked for."""
        left, right = (
            self._sample(
                self.pair, side, n, block_generator(self._seed, self._claim_id, self.pair.id, str(side), stage, block)
            )
            for side in Side
        )
        return left, right

    def step(self, n: int) -> None:
        """Draw a block, bet on it, and keep it to learn from: that waits until there are further bets."""
        self._catch_up()
        left, right = self.draw("audit", self.blocks, n)
        if self.n == 0 and self.claim.new_key is not None:
            other = right if self.claim.new_key is Direction.FORWARD else left
            if not other.alike:  # what it has not shown yet is nothing to count on
                self.claim = replace(self.claim, new_key=None)
                self.process = EProcess(self.claim)
        if self.view is not None:
            counts = self.view.counts(left, right)
            began, before = time.process_time(), self.process.log_wealth
            self.played.append(self.process.update(counts))
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
        full = self._kept_n + n > self._capacity
        if not full:
            self._kept[Side.LEFT].append(left)
            self._kept[Side.RIGHT].append(right)
            self._kept_n += n
            self._past = None
        if full:
            self._settle()
        elif self.view is None:
            self._learn()

    def tradeoff(self, alpha: float) -> TradeoffBand | None:
        """Return the band of the pair from the releases that were bet on; None where they were too few."""
        return band_of_bets(self.trajectory, alpha)

    def past(self) -> tuple[Sample, Sample]:
        """Return the releases kept for learning, with common columns."""
        if self._past is None:
            both = concatenate([*self._kept[Side.LEFT], *self._kept[Side.RIGHT]])
            left, right = slice(0, self._kept_n), slice(self._kept_n, None)
            self._past = take(both, left), take(both, right)
        return self._past

    def _catch_up(self) -> None:
        """Learn from the blocks so far, where that is due."""
        if self._learning and self.view is not None and self.n >= self._learn_at:
            self._learn()

    def _learn(self) -> None:
        self._learn_at = LEARNT_AGAIN * self.n
        self._bet_on(learn(*self.past(), self.claim))

    def _settle(self) -> None:
        """Learn nothing more: what is left is to count fast, so only the clearest of the known events stay."""
        self._learning = False
        if self.view is not None:
            self._bet_on(coarsen(Learnt(self.view, self.process.past), self.claim, LAST_EVENTS))

    def _bet_on(self, learnt: Learnt) -> None:
        self.process.freeze(learnt.past)
        self.view = learnt.view
        self.trajectory.periods.append(Period(learnt.past))

    def named_events(self, *, refuted: bool) -> Iterator[Event]:
        """Yield the event with the most money, or else all from the nearest to a violation on; shrunk on the past."""
        if self.view is None:
            raise ValueError("expected at least one block before an event is named, got none")
        for direction, size in [self.process.richest_event()] if refuted else self.process.nearest_events():
            yield shrink(self.view.event(direction, size), *self.past(), self.claim)


def confirm(
    audit: PairAudit[P],
    event: Event,
    alpha: float,
    limit: int,
    most_blocks: int | None,
    deadline: float,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[Counts | None, int]:
    """Bet on one frozen event and fresh releases with a new capital of 1, until 1 / alpha.

    Args:
        audit: the pair.
        event: frozen predicate.
        alpha: error probability of the name.
        limit: most releases a side.
        most_blocks: most blocks; None for no limit.
        deadline: time of `clock` at which to give up.
        clock: what measures time.

    Returns: the counts of the fresh releases, None where the event is not confirmed within the limits or the sampler's
        own deadline passed; and the number of blocks.

    """
    claim = Hypotheses(audit.claim.epsilon, audit.claim.forward, audit.claim.backward, (event.direction,))
    process = EProcess(claim)
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
