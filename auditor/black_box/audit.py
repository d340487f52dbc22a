"""The black-box auditor: from releases of neighbours to a verdict on (epsilon, delta), whenever it stops.

Example, a mechanism with half the noise it claims:

    import numpy as np
    from auditor.black_box.audit import Budget, audit_pairs
    from auditor.black_box.pair_audit import histogram_sampler

    class HalfTheNoise:
        def release_many(self, histogram, n, rng):
            keys = tuple(histogram)
            return keys, np.array(list(histogram.values())) + rng.laplace(0.0, 0.5, (n, len(keys)))

    # mechanisms.pair, or anything with id, left, right
    pair = Pair("one-key", {"k0": 1}, {"k0": 0}, "one more user", adjacency)
    sampler = histogram_sampler(HalfTheNoise())
    result = audit_pairs(sampler, [pair], epsilon=1.0, delta=0.0, alpha=0.05, seed=7, budget=Budget(samples=10_000))
    result.verdict, result.samples, result.event, result.delta_lower    # refuted, about 100, "value of k0 <= ...", > 0

A sampler is any callable (pair, side, n, rng) -> Sample. `auditor.statistics.sample` makes samples of arrays with NaN
and of lists of JSON outputs or exceptions. For every pair an e-process bets on events learnt from earlier blocks.
Wealths are averaged over pairs: the probability that the average reaches 1 / alpha at any time is at most alpha, for
all pairs and directions together. Pairs that gain wealth get more of the samples. The search for an event never
decides. An event or direction is reported as confirmed only if its wealth suffices on releases drawn after it was
frozen.

A claim may have H levels (epsilon, delta), such as points of a curve; a mechanism that satisfies the claim satisfies
each level. All levels bet on the same releases, with a wealth of their own, and alpha is shared evenly: the claim is
refuted once the wealth against one level reaches H / alpha. Under the claim each of the H wealths is a supermartingale
with start 1, whatever the others are, since pairs, block sizes and events are functions of the past. By Ville's
inequality one of them ever reaches H / alpha with probability at most alpha / H, so any does with probability at most
alpha. A refutation is thus that of one level at the error probability alpha / H, and so are its bounds.
"""

import math
import time
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Generic, Self

import numpy as np

from auditor.black_box.pair_audit import Interim, P, PairAudit, Side, claimed_for, confirm
from auditor.search.events import Event, View
from auditor.statistics.betting import BOTH_DIRECTIONS, MODES, Counts, Floats, Hypotheses, Mode, log_sum_exp
from auditor.statistics.confidence import Bound, delta_lower, epsilon_lower, profile_lower
from auditor.statistics.e_process import stack
from auditor.statistics.power import Efficiency, Laws, betting_power, detectable_delta, kl_inf
from auditor.statistics.sample import Sample
from auditor.statistics.tradeoff import joint
from auditor.target.target import BudgetSpentError
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from auditor.findings.evidence import WealthPoint

EXPLORED = 0.25
"""Share of the samples that is allocated by the pairs' shares, independent of their predicted growth."""
LEAST_PROMISE = 1e-12
PROMISING = 0.5
"""Share of all releases up to which the pair of largest predicted growth gets releases beyond the budget."""
FUTILE = 0.4
"""Growth that the past predicts for the full releases of a pair, as a share of the log-wealth needed, below which the
interim analysis stops the pair."""
LEAST_PREDICTED = 0.25
"""Predicted growth over the past releases, as a share of the log-wealth needed, from which a promising pair gets more
releases than the budget's. A smaller prediction is often luck."""
POWER = 0.95
"""Probability of detection at the reported size of a violation."""
INTERIM_POWER = 0.975
"""Probability that a pair with the required violation goes on after its interim analysis, and probability that its full
number of releases then refutes: one of the two fails with probability 1 - POWER at most."""
SMALLEST_POWER, LARGEST_POWER = 16.0, 1e15
"""Range, in releases per dataset, of the search for the releases that a power requires."""
POWER_STEP = 1.1
"""Ratio of consecutive numbers of releases in that search."""
PATH_STEP = 3
CONCLUSION = 1.5
"""Seconds for the final bounds per second of betting: the bounds evaluate all bets against other hypotheses."""


@dataclass(frozen=True)
class Budget:
    """Limits of an audit without a decision; they are checked between blocks only.

    Attributes:
        samples: releases per dataset over all pairs.
        seconds: time by `clock`; None for no limit. To replay a run that it stopped, set `blocks`.
        blocks: blocks over all pairs; None for no limit.
        confirmation: fresh releases per dataset to confirm the event, as a multiple of the releases that found it; 0
            leaves the event likely.
        confirmation_blocks: blocks of the confirmation; None for no limit.
        clock: clock in seconds.
        detect: the delta that each pair must detect with probability .95, on an event that is impossible on the
            neighbour, at the level that takes fewest releases. Pairs of less power get releases beyond `samples`; if
            the power stays too small, an audit without a violation is undecided. None requires no power.
        most: releases per dataset over all pairs, with the releases beyond `samples`.
        interim: whether a pair without growth stops early; see `analyse`. `detect` is required.
        extended: whether a pair gets releases beyond `samples`, before pairs that lack power, if its predicted growth
            decides within as many releases as were drawn, and if its past releases predict the share
            `LEAST_PREDICTED` of the wealth that decides. The pair gets at most the share `PROMISING` of all releases.

    """

    samples: int
    seconds: float | None = None
    blocks: int | None = None
    confirmation: float = 8.0
    confirmation_blocks: int | None = None
    clock: Callable[[], float] = time.monotonic
    detect: float | None = None
    most: int = 10**8
    interim: bool = False
    extended: bool = False

    def __post_init__(self) -> None:
        if self.samples < 1:
            raise ValueError(f"expected samples >= 1, got samples={self.samples}")
        if self.interim and self.detect is None:
            raise ValueError("expected detect with interim, got detect=None")


class EventStatus(StrEnum):
    """Status of the reported event."""

    CONFIRMED = "confirmed"
    """Refutes the claim, at a separate level alpha, on releases drawn after it was frozen."""
    LIKELY = "likely"
    """Suggested by the search; decides nothing."""
    NONE = "none"
    """No block was drawn."""


@dataclass(frozen=True)
class BlackBoxResult:
    """Outcome of an audit; probabilities and wealths are floats, and bounds only if their name has `lower`.

    Attributes:
        verdict: refuted, no violation seen (the budget ran out), or undecided (too few releases for the power).
        epsilon: claimed epsilon; of several levels that of the refuted one, otherwise that of the power.
        alpha: false-alarm probability of verdict, delta_lower and epsilon_lower together.
        delta_lower: lower bound on the largest delta(epsilon) over pairs and directions; that of `pair` if refuted.
        epsilon_lower: lower bound on the largest epsilon(delta) over pairs and directions, at the delta of `pair`; that
            of `pair` if refuted.
        pair: id of the reported pair.
        direction: direction of the event.
        event: predicate, shrunk.
        event_status: whether the event, and with it pair and direction, is confirmed or only likely.
        event_left: share of left releases in the event: of fresh releases if confirmed, otherwise of the search's.
        event_right: share of right releases in the event, likewise.
        event_samples: releases per dataset behind these shares.
        samples: releases per dataset over all pairs that support the verdict (without confirmation).
        pair_samples: releases per dataset of `pair`.
        blocks: blocks drawn over all pairs; a replay with this limit (and the next) gives an equal result.
        confirmation_blocks: blocks of fresh releases that tested the event.
        log_wealth: natural logarithm of the averaged wealth at the stop; it refutes if >= log(1 / alpha).
        delta_claimed: delta claimed for `pair` and `direction`.
        detectable_delta: smallest true delta of the event that as many releases of the pair refute with probability
            .95 (exact power of the accounts on the frozen event); 1 if none.
        power: smallest delta that every pair detects with probability .95, on an event that is impossible on the
            neighbour; 1 if none. A pair that stopped early would have got its full number of releases otherwise.
        lacking: further releases per dataset, over all pairs, that the required power needs; 0 if it was reached or
            none was required.
        efficiency: efficiency of the refutation relative to an optimal test; None unless refuted.
        profile: lower bounds on delta at the requested epsilons, (epsilon, bound) each, simultaneous at a separate
            level alpha and valid at every time.
        tradeoff: corners (false positives, false negatives) of an upper bound on every f for which the mechanism is
            f-DP on the pairs, left against right, from the releases that were bet on; at a separate level alpha and
            valid at every time.
        view: cells of the pair's outputs, ordered from left-like to right-like.
        seconds: duration; not compared.
        path: (releases per dataset, log-wealth) after some blocks, the last block among them: three consecutive points
            span a factor `PATH_STEP` of releases.

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
    pair_samples: int
    blocks: int
    confirmation_blocks: int
    log_wealth: float
    delta_claimed: float
    detectable_delta: float
    power: float
    lacking: int
    efficiency: Efficiency | None
    profile: tuple[tuple[float, float], ...]
    tradeoff: tuple[tuple[float, float], ...]
    view: View | None
    seconds: float = field(compare=False)
    path: tuple[tuple[int, float], ...] = ()

    def wealth(self) -> "list[WealthPoint]":
        """Return the path as evidence: logarithms to base 10, rounded down to thousandths."""
        from auditor.findings.evidence import WealthPoint  # Pydantic is slow to import

        return [
            WealthPoint(samples=samples, log10=f"{math.floor(1000 * log_wealth / math.log(10)) / 1000:g}")
            for samples, log_wealth in self.path
        ]


def audit_pairs(
    sample: Callable[[P, Side, int, np.random.Generator], Sample],
    pairs: Sequence[P],
    epsilon: float | Sequence[float],
    delta: float | Sequence[float] | Callable[[P, Direction], float],
    *,
    alpha: float,
    seed: int,
    budget: Budget,
    claim_id: str = "",
    directions: tuple[Direction, ...] = BOTH_DIRECTIONS,
    weights: Sequence[float] | None = None,
    profile: Sequence[float] = (),
    prior: float = 0.0,
    new_key: Callable[[P], Direction | None] = lambda _pair: None,
    laws: Callable[[P], Laws | None] = lambda _pair: None,
    on_block: Callable[[int, int, float, Callable[[], float]], None] | None = None,
) -> BlackBoxResult:
    """Audit "on every pair, in every direction, delta(epsilon) <= delta" until a decision or the budget's end.

    Args:
        sample: (pair, side, n, rng) -> n independent releases. If it raises `auditor.target.target.BudgetSpentError`,
            the audit drops the current block and ends.
        pairs: pairs of neighbours with distinct ids; `next_pair` allocates the samples.
        epsilon: claimed epsilon, >= 0, or that of each of H levels.
        delta: claimed delta in [0, 1), or that of each level, or (pair, direction) -> the exact delta of the pair.
        alpha: false-alarm probability for all pairs, directions and events together, in (0, 1).
        seed: entropy of all blocks.
        budget: limits of an audit without a decision.
        claim_id: part of the seeds.
        directions: directions that the claim covers.
        weights: initial share of the capital of each pair, sum 1; even if None.
        profile: epsilons at which to bound delta from below, by bets against the claimed delta there.
        prior: log-wealth of earlier runs, on other samples, against the claim; it counts for the verdict, not for the
            bounds.
        new_key: (pair) -> the direction whose first side has keys that the other side lacks, or None. Most of the
            pair's capital bets on outputs impossible on the other side, if the first releases of that side are equal.
        laws: (pair) -> exact laws on the left and on the right, on any cells, of the pair or of a pair that dominates
            it, or None; used for the efficiency only.
        on_block: called after each block with (blocks, samples, log-wealth, power), where power() is the power of a
            result that ends here.

    Returns: the result; equal arguments and equal numbers of blocks give equal results.

    Raises:
        ValueError: no pair, duplicate ids, alpha outside (0, 1), or weights that are not shares.

    """
    run = new_run(
        sample, pairs, epsilon, delta, alpha=alpha, seed=seed, claim_id=claim_id, directions=directions,
        weights=weights, prior=prior, new_key=new_key,
    )  # fmt: skip
    run.play(budget, on_block)
    return conclude(run, budget, profile, laws)


def refutes(
    sample: Callable[[P, Side, int, np.random.Generator], Sample],
    pair: P,
    epsilon: float,
    delta: float,
    *,
    alpha: float,
    seed: int,
    budget: Budget,
    claim_id: str = "",
    directions: tuple[Direction, ...] = BOTH_DIRECTIONS,
) -> bool:
    """Return whether `audit_pairs` would refute on one pair; bounds and power are not computed."""
    run = new_run(sample, [pair], epsilon, delta, alpha=alpha, seed=seed, claim_id=claim_id, directions=directions)
    run.play(budget)
    return run.refutes


@dataclass
class Run(Generic[P]):
    """Bets on pairs, at one or several levels; each `play` continues them until a decision or a budget's end.

    Between two plays a caller may use the past and randomness of its own. The next bets still depend on earlier
    releases only, so the wealth stays a supermartingale, and one alpha serves all plays.

    Attributes:
        audits: the audit of each pair.
        shares: each pair's share of the capital.
        alpha: false-alarm probability of all plays and levels together.
        needed: log-wealth against one level that refutes.
        started, deadline: times of the last play, by its budget's clock.
        path: as in the result.

    """

    audits: list[PairAudit[P]]
    shares: Floats
    alpha: float
    needed: float
    started: float = 0.0
    deadline: float = math.inf
    path: list[tuple[int, float]] = field(default_factory=list)

    @property
    def log_shares(self) -> list[float]:
        """Logarithm of each pair's share of the capital."""
        return list(np.log(self.shares).tolist())

    @property
    def samples(self) -> int:
        """Releases per dataset, over all pairs."""
        return sum(audit.n for audit in self.audits)

    @property
    def blocks(self) -> int:
        """Blocks, over all pairs."""
        return sum(audit.blocks for audit in self.audits)

    @property
    def level_alpha(self) -> float:
        """False-alarm probability of each level."""
        return self.alpha / len(self.audits[0].claim)

    def leading(self) -> tuple[int, Floats]:
        """Return the level of largest wealth, and the log-wealth of each pair there, weighted by its share."""
        wealths = np.stack([audit.process.log_wealths for audit in self.audits], axis=1) + np.log(self.shares)
        level = int(np.argmax(log_sum_exp(wealths, 1)))
        return level, wealths[level]

    def log_wealths(self) -> Floats:
        """Return the log-wealth of each pair at the leading level, weighted by its share of the capital."""
        return self.leading()[1]

    @property
    def log_wealth(self) -> float:
        """Log-wealth of all pairs together at the leading level."""
        return float(log_sum_exp(self.log_wealths()))

    def at(self, level: int) -> Self:
        """Return the bets at one level, with its share of alpha."""
        return replace(self, audits=[audit.at(level) for audit in self.audits], alpha=self.level_alpha)

    @property
    def refutes(self) -> bool:
        """Whether the log-wealth suffices for a refutation."""
        return self.log_wealth >= self.needed

    def last_call(self) -> float:
        """Return the time at which drawing must end for the conclusion to be in time."""
        return self.deadline - CONCLUSION * sum(audit.betting_seconds for audit in self.audits)

    def play(
        self, budget: Budget, on_block: Callable[[int, int, float, Callable[[], float]], None] | None = None
    ) -> None:
        """Bet until a decision or the budget's end; its samples count those of earlier plays, its blocks do not.

        Args:
            budget: limits of this play.
            on_block: as in `audit_pairs`, with the blocks of this play.

        """
        self.started, blocks, samples = budget.clock(), 0, self.samples
        self.deadline = math.inf if budget.seconds is None else self.started + budget.seconds
        power = partial(power_of, self.audits, self.log_shares, self.level_alpha, budget.detect)
        shares = dict(zip(self.audits, self.log_shares, strict=True))
        changed = self.audits
        while True:
            for audit in changed if budget.interim else ():
                analyse(audit, shares[audit], self.level_alpha, self.needed, budget)
            wealths = self.log_wealths()
            turn = next_turn(self.audits, wealths, self.shares, self.needed, self.level_alpha, samples, budget)
            if turn is None or blocks == budget.blocks or budget.clock() >= self.last_call():
                break
            audit, remaining = turn
            n = min(remaining, audit.next_block())
            try:
                audit.step(n)
            except BudgetSpentError:
                break
            samples, blocks, changed = samples + n, blocks + 1, [audit]
            wealth = self.log_wealth
            if len(self.path) > 1 and samples < PATH_STEP * self.path[-2][0]:
                self.path.pop()
            self.path.append((samples, wealth))
            if on_block is not None:
                on_block(blocks, samples, wealth, power)
            if wealth >= self.needed:
                break


def new_run(
    sample: Callable[[P, Side, int, np.random.Generator], Sample],
    pairs: Sequence[P],
    epsilon: float | Sequence[float],
    delta: float | Sequence[float] | Callable[[P, Direction], float],
    *,
    alpha: float,
    seed: int,
    claim_id: str = "",
    directions: tuple[Direction, ...] = BOTH_DIRECTIONS,
    weights: Sequence[float] | None = None,
    prior: float = 0.0,
    new_key: Callable[[P], Direction | None] = lambda _pair: None,
) -> Run[P]:
    """Return the bets of `audit_pairs` before the first block."""
    shares = checked_shares(pairs, weights)
    if not 0 < alpha < 1:
        raise ValueError(f"expected 0 < alpha < 1, got alpha={alpha}")

    epsilons = np.atleast_1d(np.asarray(epsilon, dtype=np.float64))

    def claimed(pair: P, direction: Direction) -> Floats:
        deltas = delta(pair, direction) if callable(delta) else delta
        return np.atleast_1d(np.asarray(deltas, dtype=np.float64)) * (direction in directions)

    def claim_of(pair: P) -> Hypotheses:
        forward, backward = (claimed(pair, direction) for direction in BOTH_DIRECTIONS)
        return Hypotheses(epsilons, forward, backward, directions, new_key(pair))

    needed = -math.log(alpha / len(epsilons)) - prior
    audits = [
        PairAudit(pair, sample, claim_of(pair), seed, claim_id, needed - share)
        for pair, share in zip(pairs, np.log(shares).tolist(), strict=True)
    ]
    return Run(audits, shares, alpha, needed)


def checked_shares(pairs: Sequence[P], weights: Sequence[float] | None) -> Floats:
    """Return the initial share of each pair; ValueError for no pair, duplicate ids, or weights that are not shares."""
    if not pairs or len({pair.id for pair in pairs}) != len(pairs):
        raise ValueError(f"expected at least one pair and distinct ids, got {[pair.id for pair in pairs]}")
    shares = np.full(len(pairs), 1.0 / len(pairs)) if weights is None else np.array(weights)
    if len(shares) != len(pairs) or shares.min() <= 0 or abs(math.fsum(shares) - 1.0) > 1e-9:
        raise ValueError(f"expected a positive weight for each pair, of sum 1, got {shares.tolist()}")
    return shares


def next_pair(
    audits: Sequence[PairAudit[P]], log_wealths: Floats, shares: Floats, needed: float, remaining: float = math.inf
) -> int:
    """Return the index of the next block's pair: by predicted growth it decides alone in the fewest releases.

    A pair that lacks its share of the EXPLORED samples goes first, since a prediction from few releases is unreliable.
    If no pair is predicted to decide in the remaining releases, the pair with the smallest part of its share goes. The
    choice is a function of the past alone, so the averaged wealth is a supermartingale.

    Args:
        audits: the pairs.
        log_wealths: log-wealth of each pair, weighted by its share of the capital.
        shares: share of each pair, sum 1.
        needed: log-wealth that decides.
        remaining: releases per dataset that are left.

    """
    sizes = np.array([audit.n + audit.next_block() for audit in audits])
    due = sizes / (EXPLORED * shares)
    if due.min() < sum(audit.n for audit in audits) or min(audit.n for audit in audits) == 0:
        return int(np.argmin(due))
    promising = most_promising(audits, log_wealths, needed, remaining)
    return int(np.argmin(due)) if promising is None else promising


def most_promising(audits: Sequence[PairAudit[P]], log_wealths: Floats, needed: float, limit: float) -> int | None:
    """Return the pair with the fewest predicted releases to decide alone; None if they exceed the limit for all."""
    promises = np.array([audit.promise for audit in audits])
    needs = (needed - log_wealths) / np.maximum(promises, LEAST_PROMISE)
    return int(np.argmin(needs)) if needs.min() <= limit else None


def event_share(audit: PairAudit[P], directions: Sequence[Direction], events: int | None = None) -> float:
    """Return the share of a pair's capital on one of its events, in the given direction of least capital.

    Args:
        audit: the pair.
        directions: directions of the event.
        events: number of candidate events; None for the present number.
    """
    share = min(audit.claim.mode_shares()[MODES.index(Mode(way.value))] for way in directions)
    return float(share) / (events or audit.process.spread.shape[-1])


def power_threshold(audit: PairAudit[P], directions: Sequence[Direction], log_share: float, alpha: float) -> float:
    """Return the log-wealth that one event of a pair must gain for a refutation, in the direction of least capital."""
    return -math.log(alpha * event_share(audit, directions)) - log_share


def most_claimed(claim: Hypotheses) -> float:
    """Return the larger of the deltas that one hypothesis claims for the two directions."""
    return max(claimed_for(claim, way) for way in BOTH_DIRECTIONS)


def power_level(claim: Hypotheses, delta: float | None) -> int:
    """Return the level at which fewest releases detect `delta`, on an event of one side only.

    They are about e^epsilon / (delta - claimed): so many releases without the event bound its probability there. None
    stands for a delta of 1.
    """
    excess = (1.0 if delta is None else delta) - np.maximum(claim.forward, claim.backward)
    return int(np.argmax(excess * np.exp(-claim.epsilon)))


def detects(audit: PairAudit[P], n: int, delta: float, log_share: float, alpha: float, power: float = POWER) -> bool:
    """Return whether n releases per dataset detect delta with a given power, on an event of one side only."""
    claim = audit.claim.at(power_level(audit.claim, delta))
    claimed, epsilon = most_claimed(claim), float(claim.epsilon[0])
    threshold = power_threshold(audit, claim.directions, log_share, alpha)
    return delta > claimed and betting_power(n, delta, 0.0, epsilon, claimed, threshold) >= power


def suffices(audit: PairAudit[P], n: int, log_share: float, alpha: float, budget: Budget) -> bool:
    """Return whether n releases per dataset of a pair suffice for its next analysis: the interim one, or the last."""
    detect, interim = budget.detect or 0.0, audit.interim
    if budget.interim and interim is None:
        return detects(audit, n, detect, 0.0, 1.0, INTERIM_POWER)
    stopped = interim is not None and interim.stopped
    return stopped or detects(audit, n, detect, log_share, alpha, POWER if interim is None else INTERIM_POWER)


def analyse(audit: PairAudit[P], log_share: float, alpha: float, needed: float, budget: Budget) -> None:
    """Analyse a pair once, and stop it for futility if it neither gained wealth nor promises to decide.

    The analysis is due when an event of one side, of the required probability, would have multiplied the capital of the
    pair with probability `INTERIM_POWER`. A pair that goes on gets the releases that refute with this probability. A
    stop only ends betting, so the wealth stays a supermartingale.
    """
    if audit.interim is not None or audit.view is None or not suffices(audit, audit.n, log_share, alpha, budget):
        return
    promise = audit.promise  # it may learn more events, each of which then has less capital
    if not suffices(audit, audit.n, log_share, alpha, budget):
        return
    events = audit.process.spread.shape[-1]
    audit.interim = Interim(audit.n, audit.n, events, stopped=False)
    full = audit.n + missing_releases(audit, log_share, alpha, budget)
    futile = audit.process.log_wealth < 0 and promise * full < FUTILE * needed
    audit.interim = Interim(audit.n, full, events, stopped=futile)


def weakest(
    audits: Sequence[PairAudit[P]], log_shares: Sequence[float], alpha: float, budget: Budget
) -> tuple[PairAudit[P], int] | None:
    """Return the pair with the fewest releases among the pairs that lack the required power, and what it lacks.

    A pair whose interim analysis is due but has not taken place lacks the power, unless its releases detect the
    required delta without one. None if there is no such pair; for the number see `missing_releases`.
    """
    if budget.detect is None:
        return None
    weak = [
        (audit, share)
        for audit, share in zip(audits, log_shares, strict=True)
        if audit.view is None
        or not suffices(audit, audit.n, share, alpha, budget)
        or (audit.interim is None and not detects(audit, audit.n, budget.detect, share, alpha))
    ]
    if not weak:
        return None
    audit, share = min(weak, key=lambda one: one[0].n)
    return audit, missing_releases(audit, share, alpha, budget)


def smallest_detected(
    audit: PairAudit[P], claim: Hypotheses, q: float, directions: Sequence[Direction], log_share: float, alpha: float
) -> float:
    """Return the smallest true delta of an event that the releases of a pair detect with probability .95; 1 if none.

    A pair that stopped early would have got its full number of releases if it had gained wealth. A pair with many
    releases all the same has the power of these, if that is larger.

    Args:
        audit: the pair.
        claim: one hypothesis about the pair.
        q: probability of the event on the other side.
        directions: directions of the event.
        log_share: logarithm of the pair's share of the capital.
        alpha: error probability.
    """
    epsilon, interim = float(claim.epsilon[0]), audit.interim
    claimed = max(claimed_for(claim, way) for way in directions)
    threshold = power_threshold(audit, directions, log_share, alpha)
    alone = detectable_delta(audit.n, q, epsilon, claimed, threshold)
    if interim is None:
        return alone
    gained = -math.log(event_share(audit, directions, interim.events))
    full, last = (interim.full, gained - math.log(alpha) - log_share) if interim.stopped else (audit.n, threshold)
    twice = max(
        detectable_delta(interim.n, q, epsilon, claimed, gained, INTERIM_POWER),
        detectable_delta(full, q, epsilon, claimed, last, INTERIM_POWER),
    )
    return min(alone, twice)


def power_of(
    audits: Sequence[PairAudit[P]], log_shares: Sequence[float], alpha: float, detect: float | None = None
) -> float:
    """Return the smallest delta that every pair detects with probability .95, rounded up; 1 if none.

    The event has probability delta on one side and is impossible on the other. Of several levels, the one that takes
    fewest releases to detect `detect` counts.
    """
    if any(audit.view is None for audit in audits):
        return 1.0
    claims = [audit.claim.at(power_level(audit.claim, detect)) for audit in audits]
    return max(
        smallest_detected(audit, claim, 0.0, claim.directions, share, alpha)
        for audit, claim, share in zip(audits, claims, log_shares, strict=True)
    )


def lacking(audits: Sequence[PairAudit[P]], log_shares: Sequence[float], alpha: float, budget: Budget) -> int:
    """Return the further releases per dataset, over all pairs, that are required for the power of `budget`.

    The result is accurate to about 10 %. It ignores the effect of further learning, and counts no releases of a pair
    after an interim analysis that is still due.
    """
    if budget.detect is None:
        return 0
    return sum(missing_releases(audit, share, alpha, budget) for audit, share in zip(audits, log_shares, strict=True))


def missing_releases(audit: PairAudit[P], log_share: float, alpha: float, budget: Budget) -> int:
    """Return the further releases per dataset, to about 10 %, that one pair requires for its next analysis.

    The result is 0 before the first block, from which the form of the releases is known.
    """
    if audit.view is None:
        return 0
    least = max(audit.n, SMALLEST_POWER)
    steps = [least * POWER_STEP**k for k in range(math.ceil(math.log(LARGEST_POWER / least, POWER_STEP)) + 1)]
    first = bisect_left(steps[:-1], x=True, key=lambda n: suffices(audit, math.ceil(n), log_share, alpha, budget))
    return max(0, math.ceil(steps[first]) - audit.n)


def next_turn(
    audits: Sequence[PairAudit[P]],
    log_wealths: Floats,
    shares: Floats,
    needed: float,
    alpha: float,
    samples: int,
    budget: Budget,
) -> tuple[PairAudit[P], int] | None:
    """Return the pair of the next block and the releases per dataset that are left for it; None at the end."""
    if samples < budget.samples:
        remaining = budget.samples - samples
        return audits[next_pair(audits, log_wealths, shares, needed, remaining)], remaining
    if samples >= budget.most:
        return None
    left = budget.most - samples
    promising = most_promising(audits, log_wealths, needed, samples) if budget.extended else None
    if promising is not None and audits[promising].n < PROMISING * samples:
        audit = audits[promising]
        if audit.promise * audit.n >= LEAST_PREDICTED * needed:
            return audit, left
    weak = weakest(audits, np.log(shares).tolist(), alpha, budget)
    return None if weak is None else (weak[0], min(weak[1] or left, left))


def efficiency_of(
    audits: Sequence[PairAudit[P]], leader: int, laws: Callable[[P], Laws | None], needed: float
) -> Efficiency | None:
    """Return the efficiency of a refutation by the log-wealth `needed`; None if earlier runs' wealth sufficed."""

    def optimal_growth(audit: PairAudit[P], law: Laws) -> float:
        deltas = (
            float(delta[0]) if way in audit.claim.directions else 1.0
            for way, delta in zip(BOTH_DIRECTIONS, (audit.claim.forward, audit.claim.backward), strict=True)
        )
        return kl_inf(*law, float(audit.claim.epsilon[0]), *deltas).upper

    if needed <= 0:
        return None
    samples = sum(audit.n for audit in audits)
    exact = [(audit, law) for audit in audits if (law := laws(audit.pair)) is not None]
    if len(exact) == len(audits):
        return Efficiency(needed / (samples * max(optimal_growth(*each) for each in exact)), "exact")
    left, right = (audits[leader].process.past / audits[leader].process.past.sum(axis=0)).T
    return Efficiency(needed / (samples * optimal_growth(audits[leader], (left, right))), "estimated")


def detectable(audit: PairAudit[P], claim: Hypotheses, event: Event, log_share: float, alpha: float) -> float:
    """Return the smallest true delta that the releases of a pair detect on one of its events; 1 if none.

    Args:
        audit: the pair.
        claim: the hypothesis to refute.
        event: predicate with its direction.
        log_share: logarithm of the pair's share of the capital.
        alpha: error probability.

    """
    elsewhere = float(shares_in(event, event.counts(*audit.past()))[0 if event.direction is Direction.BACKWARD else 1])
    return smallest_detected(audit, claim, elsewhere, (event.direction,), log_share, alpha)


def shares_in(event: Event, counts: Counts) -> Floats:
    """Return the shares of left and of right releases in an event, from its counts."""
    return np.asarray((counts[0] if event.direction is Direction.FORWARD else counts[1]) / counts.sum(axis=0))


def violation_of(run: Run[P], deltas: Bound) -> tuple[int, float]:
    """Return the pair that violates the refuted level, and its lower bound on delta at the level's epsilon.

    A bound over several pairs is that of its leading pair, provided that it exceeds the pair's own claim.

    Args:
        run: the bets at the refuted level.
        deltas: lower bound on delta at the claimed epsilon, over all pairs.
    """
    if deltas.value > most_claimed(run.audits[deltas.pair].claim):
        return deltas.pair, deltas.value
    place = int(np.argmax(run.log_wealths()))
    audit, share = run.audits[place], run.log_shares[place]
    return place, delta_lower([stack(audit.bet_blocks)], [audit.claim], [share], run.alpha).value


def nearest_event(run: Run[P], started: Sequence[int]) -> tuple[int, Event]:
    """Return a pair and its event nearest to a violation, if possible one with a detectable delta below 1.

    Args:
        run: the bets.
        started: indices of the pairs with releases.

    """
    wealths, first = run.log_wealths(), None
    for place in sorted(started, key=lambda place: -float(wealths[place])):
        audit, share = run.audits[place], run.log_shares[place]
        for event in audit.named_events():
            first = first or (place, event)
            if detectable(audit, audit.claim, event, share, run.alpha) < 1.0:
                return place, event
    if first is None:
        raise ValueError("expected a pair with releases, got none")
    return first


def conclude(
    run: Run[P], budget: Budget, profile: Sequence[float] = (), laws: Callable[[P], Laws | None] = lambda _pair: None
) -> BlackBoxResult:
    """Return the result of a stopped run: bounds, the event with its status, power and efficiency.

    Args:
        run: the bets.
        budget: limits of the last play.
        profile: as in `audit_pairs`.
        laws: as in `audit_pairs`.

    """
    together, refuted = run.alpha, run.refutes
    run = run.at(run.leading()[0] if refuted else power_level(run.audits[0].claim, budget.detect))
    audits, alpha, log_shares, started = run.audits, run.alpha, run.log_shares, run.started
    epsilon = float(audits[0].claim.epsilon[0])
    log_wealth, samples, blocks = run.log_wealth, run.samples, run.blocks
    started_pairs = [place for place, audit in enumerate(audits) if audit.view is not None]
    if not started_pairs:
        return BlackBoxResult(
            Verdict.UNDECIDED, epsilon, together, 0.0, 0.0, audits[0].pair.id, Direction.FORWARD, "",
            EventStatus.NONE, 0.0, 0.0, 0, samples, 0, blocks, 0, log_wealth, float(audits[0].claim.forward[0]), 1.0,
            1.0, 0, None, (), (), None, budget.clock() - started,
        )  # fmt: skip
    plays, claims = [stack(audit.bet_blocks) for audit in audits], [audit.claim for audit in audits]
    deltas = delta_lower(plays, claims, log_shares, alpha)
    bounded = profile_bounds(run, profile, together)
    status, fresh, confirmation_blocks = EventStatus.LIKELY, None, 0
    if refuted:
        place, lower = violation_of(run, deltas)
        leader, claim = audits[place], claims[place]
        event = leader.violating_event(lower)
        largest = max(epsilon, epsilon_lower([plays[place]], [claim], [log_shares[place]], alpha).value)
        most, deadline = int(budget.confirmation * samples), run.last_call()
        fresh, confirmation_blocks = confirm(
            leader, claim, event, alpha, most, budget.confirmation_blocks, deadline, budget.clock
        )
    else:
        place, event = nearest_event(run, started_pairs)
        leader, claim, lower = audits[place], claims[place], deltas.value
        largest = epsilon_lower(plays, claims, log_shares, alpha).value
    if fresh is not None:
        status = EventStatus.CONFIRMED
    counts = event.counts(*leader.past()) if fresh is None else fresh
    left, right = shares_in(event, counts).tolist()
    smallest = detectable(leader, claim, event, log_shares[place], alpha)
    bands = [audit.tradeoff(together * math.exp(share)) for audit, share in zip(audits, log_shares, strict=True)]
    power = 1.0 if refuted else power_of(audits, log_shares, alpha)
    enough = smallest < 1.0 if budget.detect is None else weakest(audits, log_shares, alpha, budget) is None
    not_rejected = Verdict.CONSISTENT if enough else Verdict.UNDECIDED
    return BlackBoxResult(
        Verdict.REFUTED if refuted else not_rejected,
        epsilon,
        together,
        lower,
        largest,
        leader.pair.id,
        event.direction,
        event.text,
        status,
        left,
        right,
        int(counts.sum(axis=0)[0]),
        samples,
        leader.n,
        blocks,
        confirmation_blocks,
        log_wealth,
        claimed_for(claim, event.direction),
        smallest,
        power,
        0 if refuted or enough else lacking(audits, log_shares, alpha, budget),
        efficiency_of(audits, place, laws, run.needed) if refuted else None,
        tuple((epsilon, bound.value) for epsilon, bound in bounded),
        tuple(joint([band for band in bands if band is not None]).corners()),
        leader.view,
        budget.clock() - started,
        tuple(run.path),
    )


def profile_bounds(run: Run[P], profile: Sequence[float], alpha: float) -> list[tuple[float, Bound]]:
    """Return epsilons with lower bounds on delta over all pairs, by bets against the delta claimed for the richest.

    Args:
        run: the bets at one level.
        profile: the epsilons.
        alpha: error probability of all these bounds together.
    """
    if not profile:
        return []
    claim = run.audits[int(np.argmax(run.log_wealths()))].claim
    forth, back = (np.full(len(profile), float(d[0])) for d in (claim.forward, claim.backward))
    there = Hypotheses(np.array(profile, dtype=float), forth, back, claim.directions)
    bounds = profile_lower([audit.trajectory for audit in run.audits], there, run.log_shares, alpha)
    return list(zip(profile, bounds, strict=True))
