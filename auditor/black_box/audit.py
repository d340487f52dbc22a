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

A sampler is any callable (pair, side, n, rng) -> Sample; `auditor.statistics.sample` makes samples of arrays with NaN
and of lists of arbitrary JSON outputs or exceptions. For every pair an e-process bets on events learnt from earlier
blocks; wealths are averaged over pairs, so that 1 / alpha may be reached at any time, by any pair, in any direction,
with error probability at most alpha for all of them together; pairs that win wealth get more of the samples. Searching
for an event never decides: an event or direction is named as confirmed only if its own wealth suffices on releases
drawn after it was frozen.
"""

import math
import time
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from itertools import chain
from typing import Generic

import numpy as np

from auditor.black_box.pair_audit import P, PairAudit, Side, confirm
from auditor.findings.evidence import WealthPoint
from auditor.search.events import Event, View
from auditor.statistics.betting import BOTH_DIRECTIONS, MODES, Floats, Hypotheses, Mode, log_sum_exp
from auditor.statistics.confidence import delta_lower, epsilon_lower, profile_lower
from auditor.statistics.e_process import stacked
from auditor.statistics.power import Efficiency, Laws, betting_power, detectable_delta, kl_inf
from auditor.statistics.sample import Sample
from auditor.statistics.tradeoff import joint
from auditor.target.target import BudgetSpentError
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.statements.verdict import Verdict

EXPLORED = 0.25
"""Part of the samples that pairs get by their shares, whatever they promise."""
LEAST_PROMISE = 1e-12
PROMISING = 0.5
"""Part of all releases up to which the pair that promises most gets more than are asked for."""
POWER = 0.95
"""Probability with which a violation of the size told is seen."""
SMALLEST_POWER, LARGEST_POWER = 16.0, 1e15
"""Releases a side between which those that a power would take are looked for."""
POWER_STEP = 1.1
"""Factor between two numbers of releases that are looked at for that."""
PATH_STEP = 3
CONCLUSION = 1.5
"""Seconds that the bounds at the end take, for each second of betting: they hold all bets against other hypotheses."""


@dataclass(frozen=True)
class Budget:
    """When an audit stops that decides nothing. Limits are looked at between blocks only.

    Attributes:
        samples: releases a side over all pairs.
        seconds: time by `clock`; None for no limit. A run stopped by it is replayed with `blocks`.
        blocks: blocks over all pairs; None for no limit.
        confirmation: fresh releases a side for naming the event, as a multiple of those that found it; 0 leaves it
            likely.
        confirmation_blocks: blocks of the confirmation; None for no limit.
        clock: what measures seconds.
        detect: the delta that each pair must show with probability .95, in an event that the neighbour never shows;
            a silence of less power is undecided, and pairs that lack it get releases beyond `samples`. None asks for
            no power.
        most: releases a side over all pairs, those beyond `samples` included.
        extended: whether, once all this is drawn, a pair that promises to decide in as many releases as were drawn gets
            them, up to `PROMISING` of all.

    """

    samples: int
    seconds: float | None = None
    blocks: int | None = None
    confirmation: float = 8.0
    confirmation_blocks: int | None = None
    clock: Callable[[], float] = time.monotonic
    detect: float | None = None
    most: int = 10**8
    extended: bool = False

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
        verdict: refuted, no violation seen (the budget ran out), or undecided (too few releases to see any violation).
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
        pair_samples: those of the pair named.
        blocks: blocks drawn over all pairs: replaying with this limit (and the next) gives the same result.
        confirmation_blocks: blocks of fresh releases that the event was judged on.
        log_wealth: natural logarithm of the averaged wealth at the stop; it refutes where >= log(1 / alpha).
        delta_claimed: delta claimed for the pair and direction named.
        detectable_delta: smallest true delta of the named event that as many releases of its pair refute with
            probability .95 (exact power of the accounts on the frozen event); 1 where they refute none.
        power: the same for an event that the neighbour never shows, on the pair that shows least of all: every pair
            would have shown so large a delta.
        lacking: releases a side, over all pairs, that the power asked for would take beyond those drawn; 0 where it was
            reached or none was asked for.
        efficiency: how near the refutation came to the fewest releases possible; None unless refuted.
        profile: lower bounds on delta at the epsilons that were asked for, (epsilon, bound) each, simultaneous at a
            level alpha of their own and valid at every time.
        tradeoff: corners (false positives, false negatives) of an upper bound on every f for which the mechanism is
            f-DP on the pairs, left against right, from the releases that were bet on; at a level alpha of its own and
            valid at every time.
        view: cells that the pair's outputs are divided into, ordered from left-like to right-like.
        seconds: time spent; not part of any identity.
        path: (releases a side, log-wealth) after some blocks, the last among them: three in a row span a factor
            `PATH_STEP` of releases.

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

    def wealth(self) -> list[WealthPoint]:
        """Return the path as evidence: logarithms to base 10, rounded down to thousandths."""
        return [
            WealthPoint(samples=samples, log10=f"{math.floor(1000 * log_wealth / math.log(10)) / 1000:g}")
            for samples, log_wealth in self.path
        ]


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
    weights: Sequence[float] | None = None,
    profile: Sequence[float] = (),
    prior: float = 0.0,
    new_key: Callable[[P], Direction | None] = lambda _pair: None,
    laws: Callable[[P], Laws | None] = lambda _pair: None,
    on_block: Callable[[int, int, float, Callable[[], float]], None] | None = None,
) -> BlackBoxResult:
    """Audit "on every pair, in every direction, delta(epsilon) <= delta" until a decision or the budget's end.

    Args:
        sample: (pair, side, n, rng) -> n independent releases. It may raise `auditor.target.target.BudgetSpentError`:
            the block under way is then dropped and the audit ends.
        pairs: pairs of neighbours with distinct ids; they share the samples as `next_pair` says.
        epsilon: claimed epsilon, >= 0.
        delta: claimed delta in [0, 1), or (pair, direction) -> delta where pairs are held to their own exact profiles.
        alpha: false-alarm probability for all pairs, directions and events together, in (0, 1).
        seed: entropy of all blocks.
        budget: when to stop without a decision.
        claim_id: enters the seeds.
        directions: directions that the claim covers.
        weights: initial share of the capital of each pair, sum 1; even where not given.
        profile: epsilons at which delta is bounded from below, by bets against the claimed delta there.
        prior: logarithm of wealth that earlier runs, on other samples, have won against the same claim; it counts for
            the verdict, not for the bounds.
        new_key: the direction in which a pair has keys that its other side lacks: most of its capital bets on what that
            side never shows, where the first look at it shows one outcome only.
        laws: exact laws of a pair on the left and on the right, on cells of any kind, or of a pair that dominates it;
            only the efficiency is held against them.
        on_block: called after each block with (blocks, samples, log-wealth, power), where power() is that of the
            result, as if it ended here.

    Returns: the result; the same for the same arguments whenever the same number of blocks was drawn.

    Errors:
        ValueError: no pair, two pairs of one id, alpha outside (0, 1), weights that are no shares.

    """
    run = _played(
        sample, pairs, epsilon, delta, alpha, seed, budget, claim_id, directions, weights, prior, new_key, on_block
    )
    return conclude(run, epsilon, profile, alpha, budget, laws)


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
    """Return whether `audit_pairs` would refute on one pair: its bets, without the bounds and the power at the end."""
    run = _played(
        sample, [pair], epsilon, delta, alpha, seed, budget, claim_id, directions, None, 0.0, lambda _pair: None, None
    )
    return run.log_wealth >= run.needed


@dataclass
class Run(Generic[P]):
    """Bets on pairs, played until a decision or the budget's end.

    Attributes:
        audits: of each pair.
        log_shares: logarithm of each pair's share of the capital.
        needed: log-wealth that refutes.
        started, deadline: by the budget's clock.
        path: as in the result.

    """

    audits: list[PairAudit[P]]
    log_shares: Floats
    needed: float
    started: float
    deadline: float
    path: list[tuple[int, float]] = field(default_factory=list)

    def log_wealths(self) -> Floats:
        """Return the log-wealth of each pair, its share of the capital included."""
        return np.asarray([audit.process.log_wealth for audit in self.audits] + self.log_shares)

    @property
    def log_wealth(self) -> float:
        """That of all pairs together."""
        return float(log_sum_exp(self.log_wealths()))

    def last_call(self) -> float:
        """When drawing has to end for the conclusion to be in time."""
        return self.deadline - CONCLUSION * sum(audit.betting_seconds for audit in self.audits)


def _played(
    sample: Callable[[P, Side, int, np.random.Generator], Sample],
    pairs: Sequence[P],
    epsilon: float,
    delta: float | Callable[[P, Direction], float],
    alpha: float,
    seed: int,
    budget: Budget,
    claim_id: str,
    directions: tuple[Direction, ...],
    weights: Sequence[float] | None,
    prior: float,
    new_key: Callable[[P], Direction | None],
    on_block: Callable[[int, int, float, Callable[[], float]], None] | None,
) -> Run[P]:
    """Return the bets of `audit_pairs`, played to their end."""
    shares = checked_shares(pairs, weights)
    if not 0 < alpha < 1:
        raise ValueError(f"expected 0 < alpha < 1, got alpha={alpha}")

    def claimed(pair: P, direction: Direction) -> float:
        return delta(pair, direction) if callable(delta) else delta

    def claim_of(pair: P) -> Hypotheses:
        forward, backward = (np.array([claimed(pair, d)]) if d in directions else np.zeros(1) for d in BOTH_DIRECTIONS)
        return Hypotheses(np.array([float(epsilon)]), forward, backward, directions, new_key(pair))

    needed, log_shares = -math.log(alpha) - prior, np.log(shares)
    audits = [
        PairAudit(pair, sample, claim_of(pair), seed, claim_id, needed - share)
        for pair, share in zip(pairs, log_shares.tolist(), strict=True)
    ]
    started = budget.clock()
    deadline = math.inf if budget.seconds is None else started + budget.seconds
    run = Run(audits, log_shares, needed, started, deadline)
    power = partial(power_of, audits, run.log_shares.tolist(), alpha)
    samples = blocks = 0
    while True:
        turn = next_turn(audits, run.log_wealths(), shares, run.needed, alpha, samples, budget)
        if turn is None or (budget.blocks is not None and blocks >= budget.blocks) or budget.clock() >= run.last_call():
            break
        audit, room = turn
        n = min(room, audit.next_block())
        try:
            audit.step(n)
        except BudgetSpentError:
            break
        samples, blocks = samples + n, blocks + 1
        wealth = run.log_wealth
        if len(run.path) > 1 and samples < PATH_STEP * run.path[-2][0]:
            run.path.pop()
        run.path.append((samples, wealth))
        if on_block is not None:
            on_block(blocks, samples, wealth, power)
        if wealth >= run.needed:
            break
    return run


def checked_shares(pairs: Sequence[P], weights: Sequence[float] | None) -> Floats:
    """Return the initial share of each pair; ValueError for no pair, two of one id, or weights that are no shares."""
    if not pairs or len({pair.id for pair in pairs}) != len(pairs):
        raise ValueError(f"expected at least one pair and distinct ids, got {[pair.id for pair in pairs]}")
    shares = np.full(len(pairs), 1.0 / len(pairs)) if weights is None else np.array(weights)
    if len(shares) != len(pairs) or shares.min() <= 0 or abs(math.fsum(shares) - 1.0) > 1e-9:
        raise ValueError(f"expected a positive weight for each pair, of sum 1, got {shares.tolist()}")
    return shares


def next_pair(
    audits: Sequence[PairAudit[P]], log_wealths: Floats, shares: Floats, needed: float, room: float = math.inf
) -> int:
    """Return the pair of the next block: the one that would decide alone in the fewest releases, if promises held.

    A pair that has not had its share of the EXPLORED samples goes first. What few releases promise is too much, so a
    pair is not given up early; and where none promises to decide in what is left, the one most behind its share goes,
    since more releases may promise more. A function of the past alone, so the averaged wealth stays a wager that nobody
    can expect to win.

    Args:
        audits: the pairs.
        log_wealths: of each pair, its share of the capital included.
        shares: of each pair, sum 1.
        needed: log-wealth that decides.
        room: releases a side that are left.

    """
    drawn = np.array([audit.n + audit.next_block() for audit in audits])
    due = drawn / (EXPLORED * shares)
    if due.min() < sum(audit.n for audit in audits) or min(audit.n for audit in audits) == 0:
        return int(np.argmin(due))
    promising = most_promising(audits, log_wealths, needed, room)
    return int(np.argmin(due)) if promising is None else promising


def most_promising(audits: Sequence[PairAudit[P]], log_wealths: Floats, needed: float, room: float) -> int | None:
    """Return the pair that would decide alone in the fewest releases, if promises held; None of none in `room`."""
    promises = np.array([audit.promise for audit in audits])
    wanted = (needed - log_wealths) / np.maximum(promises, LEAST_PROMISE)
    return int(np.argmin(wanted)) if wanted.min() <= room else None


def power_threshold(audit: PairAudit[P], log_share: float, alpha: float) -> float:
    """Return the log-wealth that one event of a pair has to win for the audit to decide, in its dearest direction."""
    share = min(audit.claim.mode_shares()[MODES.index(Mode(way.value))] for way in audit.claim.directions)
    return -math.log(alpha * share / audit.process.spread.shape[-1]) - log_share


def most_claimed(audit: PairAudit[P]) -> float:
    """Return the larger of the deltas claimed for a pair's two directions."""
    return max(float(audit.claim.forward.max()), float(audit.claim.backward.max()))


def shows(audit: PairAudit[P], n: int, delta: float, log_share: float, alpha: float) -> bool:
    """Return whether n releases a side show so large a delta, with probability .95, in an event of one side only."""
    claimed, threshold = most_claimed(audit), power_threshold(audit, log_share, alpha)
    return delta > claimed and betting_power(n, delta, 0.0, float(audit.claim.epsilon[0]), claimed, threshold) >= POWER


def weakest(
    audits: Sequence[PairAudit[P]], log_shares: Sequence[float], alpha: float, detect: float | None
) -> PairAudit[P] | None:
    """Return the pair with the fewest releases among those that do not show `detect` yet; None where all do."""
    if detect is None:
        return None
    weak = [
        audit
        for audit, share in zip(audits, log_shares, strict=True)
        if audit.view is None or not shows(audit, audit.n, detect, share, alpha)
    ]
    return min(weak, key=lambda audit: audit.n) if weak else None


def power_of(audits: Sequence[PairAudit[P]], log_shares: Sequence[float], alpha: float) -> float:
    """Return the delta that every pair would have shown, with probability .95, in an event of one side only; 1 if none.

    Rounded up.
    """
    least = 0.0
    for audit, share in zip(audits, log_shares, strict=True):
        if audit.view is None:
            return 1.0
        claimed, threshold = most_claimed(audit), power_threshold(audit, share, alpha)
        least = max(least, detectable_delta(audit.n, 0.0, float(audit.claim.epsilon[0]), claimed, threshold))
    return least


def lacking(audits: Sequence[PairAudit[P]], log_shares: Sequence[float], alpha: float, detect: float | None) -> int:
    """Return the releases a side, over all pairs, that showing `detect` would take beyond those drawn.

    To about a tenth; what further learning changes is not foreseen.
    """
    if detect is None:
        return 0
    total = 0
    for audit, share in zip(audits, log_shares, strict=True):
        if audit.view is None:
            continue
        least = max(audit.n, SMALLEST_POWER)
        steps = [least * POWER_STEP**k for k in range(math.ceil(math.log(LARGEST_POWER / least, POWER_STEP)) + 1)]
        found = bisect_left(steps[:-1], x=True, key=lambda n: shows(audit, math.ceil(n), detect, share, alpha))
        total += max(0, math.ceil(steps[found]) - audit.n)
    return total


def next_turn(
    audits: Sequence[PairAudit[P]],
    log_wealths: Floats,
    shares: Floats,
    needed: float,
    alpha: float,
    samples: int,
    budget: Budget,
) -> tuple[PairAudit[P], int] | None:
    """Return the pair of the next block and the releases a side that are left for it; None where all is drawn."""
    if samples < budget.samples:
        room = budget.samples - samples
        return audits[next_pair(audits, log_wealths, shares, needed, room)], room
    weak = weakest(audits, np.log(shares).tolist(), alpha, budget.detect)
    if weak is not None:
        return (weak, budget.most - samples) if samples < budget.most else None
    promising = most_promising(audits, log_wealths, needed, samples) if budget.extended else None
    if promising is None or audits[promising].n >= PROMISING * samples:
        return None
    return audits[promising], audits[promising].next_block()


def efficiency_of(
    audits: Sequence[PairAudit[P]], leader: int, laws: Callable[[P], Laws | None], epsilon: float, needed: float
) -> Efficiency | None:
    """Return the efficiency of a refutation by the log-wealth `needed`; None where earlier runs' wealth sufficed."""

    def optimal_growth(audit: PairAudit[P], law: Laws) -> float:
        deltas = (
            float(delta[0]) if way in audit.claim.directions else 1.0
            for way, delta in zip(BOTH_DIRECTIONS, (audit.claim.forward, audit.claim.backward), strict=True)
        )
        return kl_inf(*law, epsilon, *deltas).upper

    if needed <= 0:
        return None
    samples = sum(audit.n for audit in audits)
    known = [(audit, law) for audit in audits if (law := laws(audit.pair)) is not None]
    if len(known) == len(audits):
        return Efficiency(needed / (samples * max(optimal_growth(*each) for each in known)), "exact")
    left, right = (audits[leader].process.past / audits[leader].process.past.sum(axis=0)).T
    return Efficiency(needed / (samples * optimal_growth(audits[leader], (left, right))), "estimated")


def detectable(audit: PairAudit[P], event: Event, log_share: float, alpha: float) -> float:
    """Return the smallest true delta that the releases of a pair would have shown in an event of it; 1 if none.

    Args:
        audit: the pair.
        event: predicate with its direction.
        log_share: logarithm of the pair's share of the capital.
        alpha: error probability.

    """
    counts, forward, claim = event.counts(*audit.past()), event.direction is Direction.FORWARD, audit.claim
    inside = counts[0] if forward else counts[1]
    elsewhere = float((inside / counts.sum(axis=0))[1 if forward else 0])
    claimed = float((claim.forward if forward else claim.backward)[0])
    event_share = claim.mode_shares()[MODES.index(Mode(event.direction.value))] / audit.process.spread.shape[-1]
    threshold = -math.log(alpha * event_share) - log_share
    return detectable_delta(audit.n, elsewhere, float(claim.epsilon[0]), claimed, threshold)


def conclude(
    run: Run[P],
    epsilon: float,
    epsilons: Sequence[float],
    alpha: float,
    budget: Budget,
    laws: Callable[[P], Laws | None],
) -> BlackBoxResult:
    """Return the result of an audit that has stopped: bounds, the event with its status, power and efficiency."""
    audits, log_shares, needed, started = run.audits, run.log_shares, run.needed, run.started
    log_wealths, log_wealth, deadline = run.log_wealths(), run.log_wealth, run.last_call()
    refuted = log_wealth >= needed
    samples, blocks = sum(audit.n for audit in audits), sum(audit.blocks for audit in audits)
    drawn = [place for place, audit in enumerate(audits) if audit.view is not None]
    if not drawn:
        return BlackBoxResult(
            Verdict.UNDECIDED, epsilon, alpha, 0.0, 0.0, audits[0].pair.id, Direction.FORWARD, "", EventStatus.NONE,
            0.0, 0.0, 0, samples, 0, blocks, 0, log_wealth, float(audits[0].claim.forward[0]), 1.0, 1.0, 0, None,
            (), (), None, budget.clock() - started,
        )  # fmt: skip
    candidates = (
        (place, event, detectable(audits[place], event, float(log_shares[place]), alpha))
        for place in sorted(drawn, key=lambda place: -float(log_wealths[place]))
        for event in audits[place].named_events(refuted=refuted)
    )
    named = next(candidates)
    # A silence is told by what would have been seen: an event that no law could show tells nothing.
    place, event, caught = (
        named if refuted else next((each for each in chain([named], candidates) if each[2] < 1.0), named)
    )
    leader = audits[place]
    status, counts = EventStatus.LIKELY, event.counts(*leader.past())
    judged = 0
    if refuted:
        most = int(budget.confirmation * samples)
        fresh, judged = confirm(leader, event, alpha, most, budget.confirmation_blocks, deadline, budget.clock)
        if fresh is not None:
            status, counts = EventStatus.CONFIRMED, fresh
    forward = event.direction is Direction.FORWARD
    inside = counts[0] if forward else counts[1]
    totals = counts.sum(axis=0)
    shares = inside / totals
    claimed = float((leader.claim.forward if forward else leader.claim.backward)[0])
    plays = [stacked(audit.played) for audit in audits]
    claims = [audit.claim for audit in audits]
    profile: tuple[tuple[float, float], ...] = ()
    if epsilons:
        forth, back = (np.full(len(epsilons), float(d[0])) for d in (leader.claim.forward, leader.claim.backward))
        there = Hypotheses(np.array(epsilons, dtype=float), forth, back, leader.claim.directions)
        bounds = profile_lower([audit.trajectory for audit in audits], there, log_shares.tolist(), alpha)
        profile = tuple(zip(epsilons, bounds.tolist(), strict=True))
    bands = [audit.tradeoff(alpha * math.exp(share)) for audit, share in zip(audits, log_shares, strict=True)]
    power = 1.0 if refuted else power_of(audits, log_shares.tolist(), alpha)
    enough = caught < 1.0 if budget.detect is None else power <= budget.detect
    silent = Verdict.CONSISTENT if enough else Verdict.UNDECIDED
    return BlackBoxResult(
        Verdict.REFUTED if refuted else silent,
        epsilon,
        alpha,
        delta_lower(plays, claims, log_shares.tolist(), alpha),
        epsilon_lower(plays, claims, log_shares.tolist(), alpha),
        leader.pair.id,
        event.direction,
        event.text,
        status,
        float(shares[0]),
        float(shares[1]),
        int(totals[0]),
        samples,
        leader.n,
        blocks,
        judged,
        log_wealth,
        claimed,
        caught,
        power,
        0 if refuted or enough else lacking(audits, log_shares.tolist(), alpha, budget.detect),
        efficiency_of(audits, place, laws, epsilon, needed) if refuted else None,
        profile,
        tuple(joint([band for band in bands if band is not None]).corners()),
        leader.view,
        budget.clock() - started,
        tuple(run.path),
    )
