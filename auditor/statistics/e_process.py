"""The wealth of one pair's bets: a mixture over modes, stakes and events that follows the releases block by block."""

from __future__ import annotations

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
class Played:
    """B consecutive blocks that were bet on with the same candidate events, or one block against B hypotheses.

    Attributes:
        bets: their bets, H = B.
        spread: (B, 3, R, J): logarithm of the share that each mode and event has of its account before the block.
        idle: (B, R): logarithm of the share of each account that is not bet.
        counts: (B, 6, 3, J): what came out, by `event_counts`; (1, 6, 3, J) of one block.
    """

    bets: Bets
    spread: Floats
    idle: Floats
    counts: Floats

    def gains(self, e_epsilon: Floats, delta_f: Floats, delta_b: Floats) -> Floats:
        """Return the log-wealth that each account gains in each block, (B, R), against this; see `Bets.log_gains`."""
        outcome = self.spread + self.bets.log_gains(self.counts, e_epsilon, delta_f, delta_b)
        return np.asarray(np.logaddexp(log_sum_exp(outcome, (1, 3)), self.idle))

    def against(self, place: int) -> Played:
        """Return one block as it was bet on against one of several hypotheses."""
        one = slice(place, place + 1)
        bets = Bets(*(getattr(self.bets, name.name)[one] for name in fields(Bets)))
        return Played(bets, self.spread[one], self.idle[one], self.counts)


def stacked(played: Sequence[Played]) -> list[Played]:
    """Return the same blocks in as few pieces as their numbers of events allow."""
    pieces = []
    for _, group in itertools.groupby(played, key=lambda each: each.spread.shape[-1]):
        blocks = list(group)
        bets = (np.concatenate([getattr(each.bets, name.name) for each in blocks]) for name in fields(Bets))
        parts = zip(*((block.spread, block.idle, block.counts) for block in blocks), strict=True)
        pieces.append(Played(Bets(*bets), *map(np.concatenate, parts)))
    return pieces


def initial_accounts(claim: Hypotheses) -> tuple[Floats, Floats]:
    """Return the logarithms of the capital of each account and of its idle share, (R,), before anything is bet."""
    bet = claim.shares().sum(axis=0)
    idle = (1.0 - bet.sum()) * STAKE_SHARES
    return np.log(bet + idle), np.log(idle / (bet + idle))


class EProcess:
    """Wealth of the mixture over modes, stakes and events against each of H claims about one pair.

    Against each claim the capital 1 is split over accounts, one a stake. An account spreads its capital, but for what
    is idle, over modes and candidate events; the spread is renewed from the past whenever the candidates are
    (`freeze`), and follows the wealth of each bet in between (`update`). Stakes keep their capital apart: the small
    ones are for the bounds, which hold the bets against weaker claims.
    """

    def __init__(self, claim: Hypotheses) -> None:
        self.claim = claim
        self.accounts, self.idle = (np.stack([each] * len(claim)) for each in initial_accounts(claim))
        """(H, R): logarithms of the capital of each account, and of the share of it that is not bet."""
        self.spread: Floats = np.zeros((len(claim), *claim.shares().shape, 0))
        """(H, 3, R, J): logarithm of the share that each mode and event has of its account."""
        self.past: Counts = np.zeros((0, 2), dtype=np.int64)
        self.partner: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._log_wealth: float | None = None
        self._next: Bets | None = None
        """The bets of the next block, once they are asked for: candidates may be taken anew before."""

    def freeze(self, past: Counts) -> None:
        """Take new candidate events: `past` are all earlier releases counted in the new cells, (K, 2) with K >= 2."""
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

    def update(self, block: Counts) -> Played:
        """Bet on a block of fresh releases, (K, 2), as the past alone suggests; then make it part of the past."""
        if not len(self.past):
            raise ValueError("expected events by freeze before a block, got none")
        played = Played(self._bets(), self.spread, self.idle, event_counts(block, self.partner)[None])
        outcome = self.spread + self._gains(played.counts[0])
        gain = np.logaddexp(log_sum_exp(outcome, (1, 3)), self.idle)
        self.accounts, self.idle, self._log_wealth = self.accounts + gain, self.idle - gain, None
        self.spread = outcome - gain[:, None, :, None]
        self.past, self._next = self.past + block, None
        return played

    @property
    def promise(self) -> float:
        """Log-wealth for one release of each side that the past promises the best of the next bets; 0 before any."""
        return float(self._bets().growth.max()) if len(self.past) else 0.0

    def _bets(self) -> Bets:
        if self._next is None:
            statistics = event_counts(self.past, self.partner)
            bets = place_bets(self.claim, statistics, self.partner)
            idle = hopeless(self.claim, statistics)[:, :, None, None]
            self._next = replace(bets, stakes=np.where(idle, 0.0, bets.stakes))
        return self._next

    def _gains(self, counts: Floats) -> Floats:
        """Return the log-wealth each (claim, mode, account, event) gains on a block."""
        claim = self.claim
        return self._bets().log_gains(counts[None], np.exp(claim.epsilon), claim.forward, claim.backward)

    @property
    def log_wealth(self) -> float:
        """Logarithm of the mixture's wealth against the one claim; ValueError where there are more."""
        if self._log_wealth is None:
            self._log_wealth = float(log_sum_exp(self.accounts, 1).item())
        return self._log_wealth

    def nearest_events(self) -> list[tuple[Direction, int]]:
        """Return direction and number of cells of all events, nearest to a violation first by past frequencies.

        Events so frequent on the other side that no probability could violate the claim come last.
        """
        e, deltas = np.exp(self.claim.epsilon[0]), (self.claim.forward[0], self.claim.backward[0])
        found = []
        for direction, p, q, delta in zip(BOTH_DIRECTIONS, *event_rates(self.past), deltas, strict=True):
            allowed = e * q + delta
            if direction in self.claim.directions:
                excess = (p - allowed - (allowed >= 1.0)).tolist()
                found += [(-value, direction, cells) for cells, value in enumerate(excess, 1)]
        return [(direction, cells) for _excess, direction, cells in sorted(found, key=lambda each: each[0])]

    def richest_event(self) -> tuple[Direction, int]:
        """Return direction and number of cells of the event with the most money.

        In the mode BOTH the money is held by two events: the one of larger predicted growth is named.
        """
        money = log_sum_exp((self.accounts[:, None, :, None] + self.spread)[0], 1)
        mode, event = divmod(int(np.argmax(money)), money.shape[1])
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
    """A stretch of blocks with the same candidate events.

    Attributes:
        past: (K, 2), earlier releases by the cells of this period: they choose the first bets and are never bet on
            here.
        blocks: (K, 2) each, the releases that are bet on, in order.
    """

    past: Counts
    blocks: list[Counts] = field(default_factory=list)


@dataclass
class Trajectory:
    """The counts that were bet on, in order: the wealth against any claim can be computed from them afterwards."""

    periods: list[Period] = field(default_factory=list)

    def play(self, claim: Hypotheses) -> list[Played]:
        """Return every block as it is bet on against each hypothesis of `claim`."""
        process = EProcess(claim)
        played = []
        for period in self.periods:
            process.freeze(period.past)
            played += [process.update(block) for block in period.blocks]
        return played

    def coarse(self) -> Trajectory:
        """Return the same releases in fewer blocks: later ones, but the last, as large as all releases before them.

        Stakes stay as they are within a block, so a stop between two of the blocks that were drawn is a stop of the
        same supermartingale.
        """
        periods = (Period(period.past, [*doubling(period.blocks, int(period.past.sum()))]) for period in self.periods)
        return Trajectory([*periods])


FEW = 1024
"""Releases of both sides up to which blocks are played as they were drawn: there each bet learns much."""


def doubling(blocks: Sequence[Counts], before: int) -> Iterator[Counts]:
    """Merge blocks, in order, until each is as large as all releases before it; the first few stay as they are."""
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
