"""Stages of an audit: tests of pairs within the time limit, and of smaller pairs afterwards."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from auditor.black_box.audit import Budget, conclude, new_run, refutes
from auditor.mechanism_audit import draws, many_keys, one_sample
from auditor.mechanism_audit.input_search import FEWEST_PAIRS
from auditor.mechanism_audit.request import NOTHING_CLAIMED, SAMPLES
from auditor.mechanism_audit.sampler import Standing
from auditor.settings import MOST_SAMPLES
from auditor.target.target import MisbehavedError
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from auditor.black_box.audit import BlackBoxResult, Run
    from auditor.mechanism_audit.promise import Level
    from auditor.mechanism_audit.sampler import Sampler
    from proofs_numeric.statements.neighbours import Direction, Neighbours

MOST_TRIED = 200
"""Largest number of smaller pairs tried on releases that decide nothing."""
TRIED_ALPHA = 1e-3
TRIED_SAMPLES = 1000
"""Releases per dataset after which a smaller pair is abandoned, or twice those of its original pair if more."""
TRIED_SHARE = 0.5
"""Time for the trials of smaller pairs, as a share of the remaining time."""
TRIED_SECONDS = 8.0
"""CPU seconds for these trials at the default budget, or as long as the audit took so far if that is more."""
SMALLEST_JUDGED = 3
"""Number of accepted pairs, smallest first, that are tested on fresh releases until one is refuted; they share alpha
evenly."""
FEWEST_FIRST, FIRST_SHARE = 1 << 11, 0.1
"""Fewest releases per dataset, over all pairs, before the releases that the required power lacks, and the share of the
remaining time that more of them may take, up to `SAMPLES`."""
INTERIM_HITS, QUICK_SHARE = 60.0, 0.2
"""Releases of a pair of the required delta that show the event up to its interim analysis and in some pairs beyond, and
the share of the time in which all pairs must reach them for a smaller delta to be the aim."""
COUNTING_SHARE = 0.4
"""Share of the budget that counting the fewest pairs must not exceed in a target that is not slow."""
POWER_SECONDS = 0.5
"""Seconds between two updates of the displayed power, which takes milliseconds to compute."""


def new_bets(
    sampler: Sampler,
    pairs: Sequence[Neighbours],
    levels: Sequence[Level],
    *,
    alpha: float,
    seed: int,
    directions: tuple[Direction, ...],
    claim_id: str,
    weights: Sequence[float] | None = None,
) -> Run[Neighbours]:
    """Return bets on pairs at all levels together, before the first block."""
    epsilons, deltas = [level.epsilon for level in levels], [level.delta for level in levels]
    return new_run(
        sampler, pairs, epsilons, deltas, alpha=alpha, seed=seed, claim_id=claim_id, directions=directions,
        weights=weights, new_key=partial(one_sample.new_key, directions=directions),
    )  # fmt: skip


def bet(
    sampler: Sampler,
    run: Run[Neighbours],
    samples: int,
    seconds: float,
    *,
    detect: float | None = None,
    most: int = MOST_SAMPLES,
    interim: bool = False,
    extended: bool = False,
) -> Budget:
    """Continue bets within the time limit, record the blocks drawn, and return the limits."""
    pace, before = sampler.pace, run.blocks
    limit = pace.limit()
    budget = Budget(
        samples, None if limit is not None else seconds, limit, clock=pace.clock, detect=detect, most=most,
        interim=interim, extended=extended,
    )  # fmt: skip
    needed, last_time = -math.log10(run.alpha), 0.0

    def follow(_blocks: int, release_count: int, log_wealth: float, power: Callable[[], float]) -> None:
        nonlocal last_time
        before, now = sampler.standing, time.monotonic()
        due = before is None or now - last_time > POWER_SECONDS
        last_time = now if due else last_time
        current_power = power() if due or before is None else before.power
        sampler.set_standing(Standing(release_count, log_wealth / math.log(10), needed, current_power))

    with sampler.doing("testing pairs"):
        run.play(budget, None if sampler.watch is None else follow)
    pace.blocks.append(run.blocks - before)
    return budget


def concluded(sampler: Sampler, run: Run[Neighbours], budget: Budget, profile: Sequence[float] = ()) -> BlackBoxResult:
    """Return the result of bets, as `conclude` does; record the confirming blocks."""
    pace = sampler.pace
    with sampler.doing("concluding"):
        result = conclude(run, replace(budget, confirmation_blocks=pace.limit()), profile)
    pace.blocks.append(result.confirmation_blocks)
    return result


def refutation(
    sampler: Sampler, run: Run[Neighbours], samples: int, seconds: float, profile: Sequence[float]
) -> BlackBoxResult | None:
    """Continue bets within the time limit, and return their result if they refute the claim; None otherwise."""
    budget = bet(sampler, run, samples, seconds)
    return concluded(sampler, run, budget, profile) if run.refutes else None


def paced(
    sampler: Sampler,
    pairs: Sequence[Neighbours],
    levels: Sequence[Level],
    samples: int,
    seconds: float,
    *,
    profile: Sequence[float] = (),
    detect: float | None = None,
    most: int = MOST_SAMPLES,
    **options: Any,
) -> BlackBoxResult:
    """Audit pairs at all levels within the time limit; the options are those of `new_bets`."""
    run = new_bets(sampler, pairs, levels, **options)
    budget = bet(sampler, run, samples, seconds, detect=detect, most=most, interim=detect is not None)
    return concluded(sampler, run, budget, profile)


def shrunk_pair(
    sampler: Sampler,
    pair: Neighbours,
    level: Level,
    result: BlackBoxResult,
    options: dict[str, Any],
    allowed: Callable[[Neighbours], Neighbours | None],
    shrink: Callable[[Neighbours, Callable[[Neighbours], bool | None]], list[Neighbours]],
) -> tuple[Neighbours, BlackBoxResult]:
    """Return the smallest refuted pair found, and its result.

    The search for smaller pairs uses releases of its own; fresh releases decide.

    Args:
        sampler: source of the releases.
        pair: refuted pair.
        level: claimed level.
        result: result of `pair`.
        options: alpha, seed, directions and profile of the test.
        allowed: maps a smaller pair to keys that the target accepts; None if it is no neighbouring pair.
        shrink: returns the pair and smaller pairs that a test accepts, smallest last.
    """
    pace, trials = sampler.pace, 0
    limit, so_far = pace.limit(), pace.clock()
    until = so_far + min(TRIED_SHARE * pace.seconds(), max(pace.share_of(TRIED_SECONDS), so_far))
    enough = Budget(max(TRIED_SAMPLES, 2 * result.pair_samples), confirmation=0.0, clock=pace.clock)

    def accepts(candidate: Neighbours) -> bool | None:
        """Return whether a smaller pair is refuted; None if time has run out, which may explain a missing violation."""
        nonlocal trials
        if trials >= (MOST_TRIED if limit is None else limit) or (limit is None and pace.clock() >= until):
            return None
        usable_pair = allowed(candidate)
        if usable_pair is None:
            return False
        try:
            is_refuted = refutes(
                sampler, usable_pair, level.epsilon, level.delta, alpha=TRIED_ALPHA, seed=options["seed"],
                budget=enough, directions=options["directions"], claim_id=f"try {trials}",
            )  # fmt: skip
        except MisbehavedError as error:  # a failure on a smaller input does not retract the larger one's violation
            sampler.record_failure(error)
            trials += 1
            return False
        if not is_refuted and limit is None and pace.over():
            return None
        trials += 1
        return is_refuted

    smaller = [usable_pair for each in shrink(pair, accepts)[1:] if (usable_pair := allowed(each)) is not None]
    pace.blocks.append(trials)
    most, settings = 4 * result.pair_samples + 1000, {**options, "alpha": options["alpha"] / SMALLEST_JUDGED}
    for place, candidate in enumerate(smaller[: -SMALLEST_JUDGED - 1 : -1]):
        if pace.limit() == 0 or pace.over():
            pace.blocks += [0, 0]
            continue
        try:
            again = paced(sampler, [candidate], [level], most, pace.seconds(), claim_id=f"judge {place}", **settings)
        except MisbehavedError as error:
            sampler.record_failure(error)
            pace.blocks += [0, 0]
            continue
        if again.verdict is Verdict.REFUTED:
            return candidate, _in_all(again, result.samples)
    return pair, result


def _in_all(result: BlackBoxResult, before: int) -> BlackBoxResult:
    """Add the releases of the larger pairs to the count: their refutation led to the test of this pair."""
    samples, efficiency = before + result.samples, result.efficiency
    if efficiency is not None:
        efficiency = replace(efficiency, share=efficiency.share * result.samples / samples)
    return replace(result, samples=samples, efficiency=efficiency)


def first_releases(sampler: Sampler, pairs: Sequence[Neighbours], shares: Sequence[float]) -> int:
    """Return the releases per dataset before those that the required power lacks, and record the number.

    Args:
        sampler: source of the releases, with the seconds of a release of each pair.
        pairs: pairs to test.
        shares: share of each pair in these releases.
    """
    pace, usual = sampler.pace, 2 * sampler.release_seconds
    takes = math.fsum(
        share * sampler.pair_seconds.get(pair.id, usual) for pair, share in zip(pairs, shares, strict=True)
    )
    affordable = int(min(SAMPLES, FIRST_SHARE * pace.seconds() / max(takes, 1e-9)))
    return max(FEWEST_FIRST, pace.decide(max(FEWEST_FIRST, affordable)))


def is_slow(sampler: Sampler) -> bool:
    """Return whether counting lacks the time for the smallest number of pairs, and record the answer."""
    pace = sampler.pace
    takes = 2 * FEWEST_PAIRS * sampler.release_seconds * INTERIM_HITS / many_keys.COUNTED
    return pace.decide_whether(takes > COUNTING_SHARE * pace.budget)


def affordable(sampler: Sampler, pairs: int, required_delta: float) -> float | None:
    """Return the delta that counting aims to detect where releases of many keys test the release of a key.

    Counting then tests likelier events: it must detect `COUNTED` or the required delta, and aims at a smaller delta for
    a quick target. Other rare events remain untested, and the verdict states both powers. The result is None if a quick
    target can detect the required delta by counting alone. The recorded block counts include whether it is quick.
    """
    pace, takes = sampler.pace, 2 * pairs * sampler.release_seconds * INTERIM_HITS / NOTHING_CLAIMED
    if pace.decide_whether(takes <= QUICK_SHARE * pace.seconds()):
        return NOTHING_CLAIMED if required_delta < draws.RARE else None
    return max(required_delta, many_keys.COUNTED)
