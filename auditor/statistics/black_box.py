"""The black-box auditor: from releases of neighbours to a verdict on (epsilon, delta), whenever it stops.

Example, a mechanism with half the noise it claims:

    import numpy as np
    from auditor.statistics.black_box import Budget, Side, audit_pairs, histogram_sampler

    class HalfTheNoise:
        def release_many(self, histogram, n, rng):
            keys = tuple(histogram)
            return keys, np.array(list(histogram.values())) + rng.laplace(0.0, 0.5, (n, len(keys)))

    pair = Pair("one-key", {"k0": 1}, {"k0": 0}, "one more user", adjacency)  # mechanisms.pair, or anything with id,
    left, right result = audit_pairs(histogram_sampler(HalfTheNoise()), [pair], epsilon=1.0, delta=0.0, alpha=0.05,
    seed=7,
                         budget=Budget(samples=10_000))
    result.verdict, result.samples, result.event, result.delta_lower    # REFUTED, about 100, "value of k0 <= ...", > 0

A sampler is any callable (pair, side, n, rng) -> Sample; `auditor.statistics.sample` makes samples of arrays with NaN
and of lists of arbitrary JSON outputs or exceptions. For every pair an e-process bets on events learnt from earlier
blocks; wealths are averaged over pairs, so that 1 / alpha may be reached at any time, by any pair, in any direction,
with error probability at most alpha for all of them together. Searching for an event never decides: an event or
direction is named as confirmed only if its own wealth suffices on releases drawn after it was frozen.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from auditor.search.events import Event, View, coarsen, learn_view, shrink, take
from auditor.statistics.betting import (
    BOTH_DIRECTIONS,
    MODES,
    PSEUDO_COUNT,
    STAKE_SHARES,
    Counts,
    EProcess,
    Hypotheses,
    Mode,
    Period,
    Trajectory,
    delta_lower,
    epsilon_lower,
)
from auditor.statistics.power import detectable_delta, kl_inf
from auditor.statistics.sample import Sample, concatenate
from auditor.statistics.seeds import block_generator
from auditor.target import BudgetSpentError
from mechanisms.pair import Direction
from proofs_numeric.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

FIRST_BLOCK = 16
"""Releases a side that are only looked at; no bet is placed on them."""
SMALLEST_BLOCK = 8
BLOCK_GROWTH = 0.08
"""Next block as a share of the releases so far: stops soon after the wealth suffices, in few blocks."""
LARGEST_BLOCK = 262_144
"""Releases a side; with many columns fewer, as for the reservoir."""
RESERVOIR = 131_072
"""Releases a side kept for learning; memory does not grow beyond them."""
RESERVOIR_NUMBERS = 2**21
"""Numbers a side kept for learning: with many columns fewer releases are kept."""
SMALLEST_RESERVOIR = 2_048
CONCLUSION = 2.5
"""Seconds that the bounds at the end take, for each second of betting: they play all bets again."""
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


@dataclass(frozen=True)
class Budget:
    """When an audit stops that decides nothing. Limits are looked at between blocks only.

    Attributes:
        samples: releases a side over all pairs.
        seconds: wall-clock time; None for no limit. A run stopped by it is replayed with `blocks`.
        blocks: blocks over all pairs; None for no limit.
        confirmation: fresh releases a side for naming the event, as a multiple of those that found it; 0 leaves it
            likely.

    """

    samples: int
    seconds: float | None = None
    blocks: int | None = None
    confirmation: float = 8.0

    def __post_init__(self) -> None:
        if self.samples < 1:
            raise ValueError(f"expected samples >= 1, got samples={self.samples}")


class EventStatus(StrEnum):
    """What is known about the event that is reported."""

    CONFIRMED = "confirmed"
    """Refutes the claim, at level alpha of its own, on releases drawn after it was frozen."""
    LIKELY = "likely"
    """Suggested by the search; decides nothing."""
    NONE = "none"
    """No block was drawn."""


@dataclass(frozen=True)
class BlackBoxResult:
    """Outcome of an audit; probabilities and wealths are floats of this run, not bounds unless the name says so.

    Attributes:
        verdict: REFUTED, CONSISTENT (the budget ran out), or UNDECIDED (not even one block was bet on).
        epsilon: claimed epsilon.
        alpha: false-alarm probability of verdict, delta_lower and epsilon_lower together.
        delta_lower: lower bound on the largest delta(epsilon) over pairs and directions.
        epsilon_lower: lower bound on the largest epsilon(delta) over pairs and directions, at the delta of the pair
            named.
        pair: id of the pair with the greatest wealth.
        direction: direction of the event.
        event: predicate, shrunk.
        event_status: whether the event, and with it pair and direction, is confirmed or only likely.
        event_left: share of left releases in the event, on fresh releases where confirmed, else on those of the search.
        event_right: the same for right releases.
        event_samples: releases a side behind these shares.
        samples: releases a side over all pairs that the verdict rests on (without confirmation).
        blocks: blocks drawn over all pairs: replaying with this limit gives the same result.
        log_wealth: natural logarithm of the averaged wealth at the stop; REFUTED where >= log(1 / alpha).
        delta_claimed: delta claimed for the pair and direction named.
        detectable_delta: smallest true delta of the named event that as many releases of its pair refute with
            probability .95 (exact power of one account of the mixture on the frozen event).
        efficiency: log(1 / alpha) / KL_inf of the estimated laws, over the releases used; None unless REFUTED.
        seconds: time spent; not part of any identity.

    """

    verdict: Verdict
    epsilon: float
    alpha: float
    delta_lower: float
    epsilon_lower: float
    pair: str
    direction: Direction
    event: str
    event_status: EventStatus
    event_left: float
    event_right: float
    event_samples: int
    samples: int
    blocks: int
    log_wealth: float
    delta_claimed: float
    detectable_delta: float
    efficiency: float | None
    seconds: float = field(compare=False)


class PairAudit(Generic[P]):
    """The e-process of one pair, with the releases it learns from."""

    def __init__(
        self,
        pair: P,
        sample: Callable[[P, Side, int, np.random.Generator], Sample],
        claim: Hypotheses,
        seed: int,
        claim_id: str,
    ) -> None:
        self.pair, self.claim = pair, claim
        self.process, self.trajectory = EProcess(claim), Trajectory()
        self.view: View | None = None
        self.n, self.blocks = 0, 0
        self._sample, self._seed, self._claim_id = sample, seed, claim_id
        self._kept: dict[Side, list[Sample]] = {Side.LEFT: [], Side.RIGHT: []}
        self._kept_n, self._learn_at, self._capacity = 0, 0, RESERVOIR
        self.betting_seconds = 0.0

    @property
    def largest_block(self) -> int:
        """Most releases a side in one block."""
        return LARGEST_BLOCK * self._capacity // RESERVOIR

    def next_block(self) -> int:
        """Return the size of the next block."""
        if self.n == 0:
            return FIRST_BLOCK
        return int(min(max(SMALLEST_BLOCK, math.ceil(BLOCK_GROWTH * self.n)), self.largest_block))

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
        """Draw a block, bet on it, and learn from it."""
        left, right = self.draw("audit", self.blocks, n)
        if self.view is not None:
            counts = self.view.counts(left, right)
            began = time.monotonic()
            self.process.update(counts)
            self.betting_seconds += time.monotonic() - began
            self.trajectory.periods[-1].blocks.append(counts)
        else:
            self._capacity = int(np.clip(RESERVOIR_NUMBERS // max(1, len(left.keys)), SMALLEST_RESERVOIR, RESERVOIR))
        self.n, self.blocks = self.n + n, self.blocks + 1
        if self._kept_n + n <= self._capacity:
            self._kept[Side.LEFT].append(left)
            self._kept[Side.RIGHT].append(right)
            self._kept_n += n
        if self.n == self._kept_n and self.n >= self._learn_at:
            self._learn()

    def past(self) -> tuple[Sample, Sample]:
        """Return the releases kept for learning, with common columns."""
        both = concatenate([*self._kept[Side.LEFT], *self._kept[Side.RIGHT]])
        left, right = slice(0, self._kept_n), slice(self._kept_n, None)
        return take(both, left), take(both, right)

    def _learn(self) -> None:
        left, right = self.past()
        self.view = learn_view(left, right, self.claim)
        counts = self.view.counts(left, right)
        self.process.freeze(counts)
        if 2 * self.n > self._capacity:
            # Nothing is learnt after this: what is left is to count fast, so only the events with money stay.
            self.view = coarsen(self.view, self.process.richest_sizes(LAST_EVENTS))
            counts = self.view.counts(left, right)
            self.process.freeze(counts)
        self.trajectory.periods.append(Period(counts))
        self._learn_at = 2 * self.n

    def named_event(self, *, refuted: bool) -> Event:
        """Return the event with the most money, or else the one nearest to a violation, shrunk on past releases."""
        if self.view is None:
            raise ValueError("expected at least one block before an event is named, got none")
        direction, size = self.process.richest_event() if refuted else self.process.nearest_event()
        return shrink(self.view.event(direction, size), *self.past(), self.claim)


def confirm(audit: PairAudit[P], event: Event, alpha: float, limit: int, deadline: float) -> Counts | None:
    """Bet on one frozen event and fresh releases with a new capital of 1; return their counts at 1 / alpha.

    Args:
        audit: the pair.
        event: frozen predicate.
        alpha: error probability of the name.
        limit: most releases a side.
        deadline: monotonic time at which to give up.

    Returns: None where the event is not confirmed within the limits, or the sampler's own deadline passed.

    """
    claim = Hypotheses(audit.claim.epsilon, audit.claim.forward, audit.claim.backward, (event.direction,))
    process = EProcess(claim)
    process.freeze(event.counts(*audit.past()))
    fresh = np.zeros((2, 2), dtype=np.int64)
    used, block = 0, 0
    while used < limit and time.monotonic() < deadline:
        n = min(limit - used, max(SMALLEST_BLOCK, math.ceil(BLOCK_GROWTH * (used + audit.n))), audit.largest_block)
        try:
            counts = event.counts(*audit.draw("confirm", block, n))
        except BudgetSpentError:
            return None
        process.update(counts)
        fresh, used, block = fresh + counts, used + n, block + 1
        if process.log_wealth >= -math.log(alpha):
            return fresh
    return None


def audit_pairs(
    sample: Callable[[P, Side, int, np.random.Generator], Sample],
    pairs: Sequence[P],
    epsilon: float,
    delta: float | Callable[[P, Direction], float],
    *,
    alpha: float,
    seed: int,
    budget: Budget,
    claim_id: str = "",
    directions: tuple[Direction, ...] = BOTH_DIRECTIONS,
    prior: float = 0.0,
    on_block: Callable[[int, int, float], None] | None = None,
) -> BlackBoxResult:
    """Audit "on every pair, in every direction, delta(epsilon) <= delta" until a decision or the budget's end.

    Args:
        sample: (pair, side, n, rng) -> n independent releases. It may raise `auditor.target.BudgetSpentError`:
            the block under way is then dropped and the audit ends.
        pairs: pairs of neighbours with distinct ids; they share the samples: after each round over all of them comes a
            block of the leading one.
        epsilon: claimed epsilon, >= 0.
        delta: claimed delta in [0, 1), or (pair, direction) -> delta where pairs are held to their own exact profiles.
        alpha: false-alarm probability for all pairs, directions and events together, in (0, 1).
        seed: entropy of all blocks.
        budget: when to stop without a decision.
        claim_id: enters the seeds.
        directions: directions that the claim covers.
        prior: logarithm of wealth that earlier runs, on other samples, have won against the same claim; it counts for
            the verdict, not for the bounds.
        on_block: called after each block with (blocks, samples, log-wealth).

    Returns: the result; the same for the same arguments whenever the same number of blocks was drawn.

    Errors:
        ValueError: no pair, two pairs of one id, alpha outside (0, 1).

    """
    if not pairs or len({pair.id for pair in pairs}) != len(pairs):
        raise ValueError(f"expected at least one pair and distinct ids, got {[pair.id for pair in pairs]}")
    if not 0 < alpha < 1:
        raise ValueError(f"expected 0 < alpha < 1, got alpha={alpha}")
    started = time.monotonic()
    deadline = math.inf if budget.seconds is None else started + budget.seconds

    def claimed(pair: P, direction: Direction) -> float:
        return delta(pair, direction) if callable(delta) else delta

    def claim_of(pair: P) -> Hypotheses:
        forward, backward = (np.array([claimed(pair, d)]) if d in directions else np.zeros(1) for d in BOTH_DIRECTIONS)
        return Hypotheses(np.array([float(epsilon)]), forward, backward, directions)

    audits = [PairAudit(pair, sample, claim_of(pair), seed, claim_id) for pair in pairs]

    def log_wealth() -> float:
        return float(logsumexp([audit.process.log_wealth for audit in audits])) - math.log(len(audits))

    def last_call() -> float:
        """When drawing has to end for the conclusion to be in time."""
        return deadline - CONCLUSION * sum(audit.betting_seconds for audit in audits)

    needed = -math.log(alpha) - prior
    samples = blocks = 0
    for audit in schedule(audits):
        room = budget.samples - samples
        if room <= 0 or (budget.blocks is not None and blocks >= budget.blocks) or time.monotonic() >= last_call():
            break
        n = min(room, audit.next_block())
        try:
            audit.step(n)
        except BudgetSpentError:
            break
        samples, blocks = samples + n, blocks + 1
        wealth = log_wealth()
        if on_block is not None:
            on_block(blocks, samples, wealth)
        if wealth >= needed:
            break
    wealth = log_wealth()
    return conclude(audits, epsilon, alpha, budget, samples, blocks, wealth, wealth >= needed, last_call(), started)


def schedule(audits: Sequence[PairAudit[P]]) -> Iterator[PairAudit[P]]:
    """Yield the pair of each next block: every pair in turn, then the one with the greatest wealth."""
    while True:
        yield from audits
        if len(audits) > 1:
            yield max(audits, key=lambda audit: audit.process.log_wealth)


def conclude(
    audits: Sequence[PairAudit[P]],
    epsilon: float,
    alpha: float,
    budget: Budget,
    samples: int,
    blocks: int,
    log_wealth: float,
    refuted: bool,
    deadline: float,
    started: float,
) -> BlackBoxResult:
    """Return the result of an audit that has stopped: bounds, the event with its status, power and efficiency."""
    drawn = [audit for audit in audits if audit.view is not None]
    if not drawn:
        return BlackBoxResult(
            Verdict.UNDECIDED, epsilon, alpha, 0.0, 0.0, audits[0].pair.id, Direction.FORWARD, "", EventStatus.NONE,
            0.0, 0.0, 0, samples, blocks, log_wealth, float(audits[0].claim.forward[0]), 1.0, None, time.monotonic() -
            started,
        )  # fmt: skip
    leader = max(drawn, key=lambda audit: audit.process.log_wealth)
    event = leader.named_event(refuted=refuted)
    status, counts = EventStatus.LIKELY, event.counts(*leader.past())
    if refuted:
        fresh = confirm(leader, event, alpha, int(budget.confirmation * samples), deadline)
        if fresh is not None:
            status, counts = EventStatus.CONFIRMED, fresh
    forward = event.direction is Direction.FORWARD
    inside = counts[0] if forward else counts[1]
    totals = counts.sum(axis=0)
    shares = inside / totals
    claimed = float((leader.claim.forward if forward else leader.claim.backward)[0])
    trajectories = [audit.trajectory for audit in audits]
    claims = [audit.claim for audit in audits]
    delta_bound = delta_lower(trajectories, claims, alpha)
    epsilon_bound = epsilon_lower(trajectories, claims, alpha)
    mode = MODES.index(Mode(event.direction.value))
    candidates = leader.process.spread.shape[-1]
    share = leader.claim.mode_shares()[mode] * STAKE_SHARES.min() / candidates / len(audits)
    caught = detectable_delta(
        leader.n, float(shares[1] if forward else shares[0]), epsilon, claimed, -math.log(alpha * share)
    )
    efficiency = None
    if refuted:
        smoothed = leader.process.past + PSEUDO_COUNT
        laws = smoothed / smoothed.sum(axis=0)
        deltas = [
            float(d[0]) if x in leader.claim.directions else 1.0
            for x, d in zip(BOTH_DIRECTIONS, (leader.claim.forward, leader.claim.backward), strict=True)
        ]
        efficiency = -math.log(alpha) / (samples * kl_inf(laws[:, 0], laws[:, 1], epsilon, *deltas).upper)
    return BlackBoxResult(
        Verdict.REFUTED if refuted else Verdict.CONSISTENT,
        epsilon,
        alpha,
        delta_bound,
        epsilon_bound,
        leader.pair.id,
        event.direction,
        event.text,
        status,
        float(shares[0]),
        float(shares[1]),
        int(totals[0]),
        samples,
        blocks,
        log_wealth,
        claimed,
        caught,
        efficiency,
        time.monotonic() - started,
    )
