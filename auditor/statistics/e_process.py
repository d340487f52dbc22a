"""E-process of one pair: a mixture of bets over modes, stakes and events, updated block by block."""

from __future__ import annotations

import copy
import itertools
import math
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from auditor.statistics.betting import (
    BOTH_DIRECTIONS,
    MODES,
    PRIOR_POWERS,
    PRIOR_SHARE,
    RENEWED,
    STAKE_SHARES,
    Bets,
    Counts,
    Floats,
    Hypotheses,
    Mode,
    event_counts,
    event_rates,
    hopeless,
    log_sum_exp,
    partners,
    place_bets,
)
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True)
class BetBlocks:
    """B consecutive blocks with the bets on one set of candidate events, or one block against B hypotheses.

    Attributes:
        bets: their bets, H = B.
        spread: (B, 3, R, J): logarithm of the share that each mode and event has of its account before the block.
        idle: (B, R): logarithm of the share of each account in reserve.
        counts: (B, 6, 3, J): counts of the block by `event_counts`; (1, 6, 3, J) for one block.
    """

    bets: Bets
    spread: Floats
    idle: Floats
    counts: Floats

    def gains(self, e_epsilon: Floats, delta_f: Floats, delta_b: Floats) -> Floats:
        """Return the log-wealth that each account gains in each block, (B, R); see `Bets.log_gains`."""
        outcome = self.spread + self.bets.log_gains(self.counts, e_epsilon, delta_f, delta_b)
        return np.asarray(np.logaddexp(log_sum_exp(outcome, (1, 3)), self.idle))

    def against(self, place: int) -> BetBlocks:
        """Return the block with its bets against one of several hypotheses."""
        one = slice(place, place + 1)
        bets = Bets(*(getattr(self.bets, name.name)[one] for name in fields(Bets)))
        return BetBlocks(bets, self.spread[one], self.idle[one], self.counts)


def stack(bet_blocks: Sequence[BetBlocks]) -> list[BetBlocks]:
    """Return the blocks in as few arrays as their numbers of events allow."""
    pieces = []
    for _, group in itertools.groupby(bet_blocks, key=lambda each: each.spread.shape[-1]):
        blocks = list(group)
        bets = (np.concatenate([getattr(each.bets, name.name) for each in blocks]) for name in fields(Bets))
        parts = zip(*((block.spread, block.idle, block.counts) for block in blocks), strict=True)
        pieces.append(BetBlocks(Bets(*bets), *map(np.concatenate, parts)))
    return pieces


def initial_accounts(claim: Hypotheses) -> tuple[Floats, Floats]:
    """Return the logarithms of the initial capital of each account and of its share in reserve, (R,) each."""
    bet = claim.shares().sum(axis=0)
    idle = (1.0 - bet.sum()) * STAKE_SHARES
    return np.log(bet + idle), np.log(idle / (bet + idle))


class EProcess:
    """Wealth of the mixture over modes, stakes and events against each of H claims about one pair.

    Against each claim the capital 1 is split over accounts, one for each stake. An account keeps a reserve and spreads
    the rest over modes and candidate events. `freeze` recomputes the spread from the past for new candidates; `update`
    lets it follow the wealth of each bet. No capital moves between stakes: the small stakes serve the bounds, which
    evaluate the bets against weaker claims.

    Args:
        claim: H null hypotheses.
    """

    def __init__(self, claim: Hypotheses) -> None:
        self.claim = claim
        self.accounts, self.idle = (np.stack([each] * len(claim)) for each in initial_accounts(claim))
        """(H, R): logarithms of the capital of each account, and of its share in reserve."""
        self.spread: Floats = np.zeros((len(claim), *claim.shares().shape, 0))
        """(H, 3, R, J): logarithm of the share that each mode and event has of its account."""
        self.past: Counts = np.zeros((0, 2), dtype=np.int64)
        self.partner: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._log_wealths: Floats | None = None
        self._next: Bets | None = None
        """The bets of the next block; computed when needed, since `freeze` may come first."""

    def freeze(self, past: Counts) -> None:
        """Replace the candidate events.

        Args:
            past: all earlier releases counted in the new cells, (K, 2) with K >= 2.

        Raises:
            ValueError: `past` has another shape.
        """
        if past.ndim != 2 or past.shape[1] != 2 or len(past) < 2:
            raise ValueError(f"expected counts of shape (K, 2) with K >= 2, got {past.shape}")
        if len(self.past):
            self.idle = self.idle + math.log1p(-RENEWED)
        self.past, self.partner, self._next = past.copy(), partners(past), None
        pooled = np.cumsum(past.sum(axis=1))[:-1] / max(1, past.sum())
        shares = np.stack([pooled, 1.0 - pooled[::-1], pooled])[:, None, :]
        prior = np.maximum(shares ** PRIOR_POWERS[0] * (1.0 - shares) ** PRIOR_POWERS[1], 1e-6)
        with np.errstate(divide="ignore"):
            prior = np.log(self.claim.shares()[..., None] * prior / prior.sum(axis=-1, keepdims=True))
        prior = prior - log_sum_exp(prior, (0, 2))[:, None]
        informed = self._gains(event_counts(past, self.partner)) + prior
        informed = informed - log_sum_exp(informed, (1, 3))[:, None, :, None]
        renewed = np.logaddexp(informed + np.log1p(-PRIOR_SHARE), prior + np.log(PRIOR_SHARE))
        self.spread = renewed + np.log1p(-np.exp(self.idle))[:, None, :, None]

    def update(self, block: Counts) -> BetBlocks:
        """Bet on a block of fresh releases, (K, 2), by the past alone; then add the block to the past.

        Returns: the block with its bets.

        Raises:
            ValueError: `freeze` was not called before.
        """
        if not len(self.past):
            raise ValueError("expected events by freeze before a block, got none")
        bet_blocks = BetBlocks(self._bets(), self.spread, self.idle, event_counts(block, self.partner)[None])
        outcome = self.spread + self._gains(bet_blocks.counts[0])
        gain = np.logaddexp(log_sum_exp(outcome, (1, 3)), self.idle)
        self.accounts, self.idle, self._log_wealths = self.accounts + gain, self.idle - gain, None
        self.spread = outcome - gain[:, None, :, None]
        self.past, self._next = self.past + block, None
        return bet_blocks

    @property
    def promise(self) -> float:
        """Predicted growth of the best of the next bets, per release of each side; 0 before `freeze`."""
        return float(self._bets().growth.max()) if len(self.past) else 0.0

    def _bets(self) -> Bets:
        if self._next is None:
            statistics = event_counts(self.past, self.partner)
            bets = place_bets(self.claim, statistics, self.partner)
            idle = hopeless(self.claim, statistics)[:, :, None, None]
            self._next = replace(bets, stakes=np.where(idle, 0.0, bets.stakes))
        return self._next

    def _gains(self, counts: Floats) -> Floats:
        """Return the log-wealth that each (claim, mode, account, event) gains on a block."""
        claim = self.claim
        return self._bets().log_gains(counts[None], np.exp(claim.epsilon), claim.forward, claim.backward)

    @property
    def log_wealths(self) -> Floats:
        """Logarithm of the mixture's wealth against each claim, (H,)."""
        if self._log_wealths is None:
            self._log_wealths = log_sum_exp(self.accounts, 1)
        return self._log_wealths

    @property
    def log_wealth(self) -> float:
        """Logarithm of the largest wealth over the claims."""
        return float(self.log_wealths.max())

    def against(self, place: int) -> EProcess:
        """Return the wealth against one of several claims."""
        one, part = copy.copy(self), slice(place, place + 1)
        one.claim, one._log_wealths, one._next = self.claim.at(place), None, None  # noqa: SLF001 - its own copy
        one.accounts, one.idle, one.spread = self.accounts[part], self.idle[part], self.spread[part]
        return one

    def nearest_events(self, claim: Hypotheses) -> list[tuple[float, Direction, int]]:
        """Return past excess, direction and number of cells of every event, largest excess first.

        The excess is that of the event's delta over the delta of `claim`, one hypothesis. Events that are too frequent
        on the other side to violate the claim come last.
        """
        e, deltas = np.exp(claim.epsilon[0]), (claim.forward[0], claim.backward[0])
        candidates = []
        for direction, p, q, delta in zip(BOTH_DIRECTIONS, *event_rates(self.past), deltas, strict=True):
            allowed = e * q + delta
            if direction in claim.directions:
                excess = (p - allowed - (allowed >= 1.0)).tolist()
                candidates += [(value, direction, cells) for cells, value in enumerate(excess, 1)]
        return sorted(candidates, key=lambda each: (-each[0], each[1]))

    def richest_event(self) -> tuple[Direction, int]:
        """Return direction and number of cells of the event with the largest capital against the one claim.

        In the mode BOTH two events share the capital; the event of larger predicted growth is returned.
        """
        capital = log_sum_exp((self.accounts[:, None, :, None] + self.spread)[0], 1)
        mode, event = divmod(int(np.argmax(capital)), capital.shape[1])
        forward = backward = event
        if MODES[mode] is Mode.BOTH:
            backward = int(self.partner[forward])
            growth = self._bets().growth[0]
            mode = 0 if growth[0, forward] >= growth[1, backward] else 1
        if MODES[mode] is Mode.FORWARD:
            return Direction.FORWARD, forward + 1
        return Direction.BACKWARD, backward + 1


@dataclass(frozen=True)
class Period:
    """Consecutive blocks with one set of candidate events.

    Attributes:
        past: (K, 2), earlier releases in the cells of this period; they choose the first bets, and no bet of the period
            is evaluated on them.
        blocks: (K, 2) each, the releases on which bets are evaluated, in order.
    """

    past: Counts
    blocks: list[Counts] = field(default_factory=list)


@dataclass
class Trajectory:
    """The counts of all blocks in order; the wealth against any claim follows from them."""

    periods: list[Period] = field(default_factory=list)

    def play(self, claim: Hypotheses) -> list[BetBlocks]:
        """Return every block with its bets against each hypothesis of `claim`."""
        process = EProcess(claim)
        bet_blocks = []
        for period in self.periods:
            process.freeze(period.past)
            bet_blocks += [process.update(block) for block in period.blocks]
        return bet_blocks

    def coarse(self) -> Trajectory:
        """Return the releases in fewer blocks: later blocks, except the last, are at least as large as all before them.

        Stakes are constant within a block, so a stop between two drawn blocks is a stopping time of the supermartingale
        with these stakes.
        """
        periods = (Period(period.past, [*doubling(period.blocks, int(period.past.sum()))]) for period in self.periods)
        return Trajectory([*periods])


FEW = 1024
"""Releases of both sides up to which blocks are not merged: early bets learn much from each block."""


def doubling(blocks: Sequence[Counts], before: int) -> Iterator[Counts]:
    """Merge blocks, in order, until each is as large as all releases before it; the first few are not merged."""
    merged: list[Counts] = []
    size = 0
    for block in blocks:
        merged.append(block)
        size += int(block.sum())
        if size >= before or before < FEW:
            yield np.sum(merged, axis=0)
            merged, before, size = [], before + size, 0
    if merged:
        yield np.sum(merged, axis=0)
