"""Black-box audit of somebody's mechanism: releases of neighbours against (epsilon, delta), or against a claim.

The mechanism runs in a killable child. It is first looked at (is it deterministic given its generator, does it change
its input, how fast is it), then pairs are chosen: the claim's worst cases, the caller's pair, or pairs searched on
randomness of their own; the verdict rests on fresh releases only.
"""

from __future__ import annotations

import json
import math
import shlex
import time
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from auditor.errors import UsageError
from auditor.mechanism_audit import one_sample
from auditor.mechanism_audit.pair_search import SEARCH_SHARE, initial_shares, searched
from auditor.mechanism_audit.pair_shrinking import shrunk
from auditor.mechanism_audit.promise import given_pair, promise_of
from auditor.mechanism_audit.result import Band, MechanismAudit, real, stopped
from auditor.mechanism_audit.sampler import LOOKS, Pace, Sampler
from auditor.settings import MOST_SAMPLES
from auditor.statistics.betting import BOTH_DIRECTIONS, hypothesis
from auditor.statistics.black_box import Budget, EventStatus, audit_pairs
from auditor.statistics.pair_audit import Side
from auditor.statistics.seeds import block_generator, seed_of
from auditor.statistics.tradeoff import BAND_SAMPLES, TradeoffBand, band_of_cells
from auditor.target.target import CANNOT, BudgetSpentError, Limits, Misbehaved, MisbehavedError, Target, as_target
from proofs_numeric.statements.neighbours import Direction, Neighbours
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from auditor.mechanism_audit.promise import Level, Promise
    from auditor.statistics.black_box import BlackBoxResult
    from proofs_numeric.statements.claim import Claim

MOST_TRIED = 200
"""Smaller pairs tried at most, on samples that judge nothing."""
TRIED_ALPHA = 1e-3
TRIED_SAMPLES = 1000
"""Releases a side at which a smaller pair is given up, or twice those of the pair it came from, if more."""
TRIED_SHARE = 0.5
"""Share of the time left for trying smaller pairs."""
SMALLEST_JUDGED = 3
"""The smallest pairs that stood the trial are judged on fresh samples until one is refuted; they share alpha evenly."""
GRACE_SHARE = 0.25
"""The budget stops an audit between blocks; a block that overruns it by this share is given up."""
PROFILE_EPSILONS = (0.0, 0.5, 1.0, 2.0, 4.0)
"""Where delta is bounded from below, besides the claimed epsilon."""


def audit_mechanism(
    target: str | Callable[..., Any] | object,
    claim: Claim | None = None,
    *,
    parameters: Mapping[str, int | Fraction | str] | None = None,
    epsilon: str | None = None,
    delta: str | None = None,
    pair: Mapping[str, Any] | None = None,
    pairs: Sequence[Neighbours] = (),
    adjacency: Any = None,
    direction: Literal["both", "forward", "backward"] = "both",
    budget: float = 10.0,
    samples: int = MOST_SAMPLES,
    alpha: str = "1e-6",
    seed: int = 0,
    c_u: int = 1,
    one_run: int | None = None,
    blocks: Sequence[int] | None = None,
    limits: Limits | None = None,
) -> MechanismAudit:
    """Audit a mechanism by its releases alone.

    Args:
        target: `package.module:callable`, `path/to/file.py:callable`, a live callable `release(histogram, rng)`, or an
            object with `release_many(histogram, n, rng)`.
        claim: the claim it should keep, at `parameters`; or give `epsilon` and `delta`.
        parameters: exact values by the claim's names; `tau` places worst-case pairs of claims that take `gap`, and
            `tau_star` may stand for gap = tau_star - tau.
        epsilon: exact text, >= 0.
        delta: exact text in [0, 1).
        pair: `{"left": histogram, "right": histogram}`; else the claim's worst cases, or searched pairs.
        pairs: where no pair is given: pairs of the target's own, in place of the claim's.
        adjacency: the target's own, in place of the claim's.
        direction: both, forward (left first) or backward.
        budget: seconds of wall clock.
        samples: releases a side at most, of each test.
        alpha: false-alarm probability of the whole audit, in (0, 1).
        seed: seed of everything.
        c_u: with epsilon and delta: most keys one user changes.
        one_run: instead of many releases of neighbours, one release of so many keys of one user each; valid only
            where keys get independent noise and only input keys are released.
        blocks: blocks of each stage, as the command of a finished audit lists them: replays it whatever the clock says.
        limits: time of one answer and memory of the target.

    Errors:
        TargetError: the target does not import.
        UsageError: claim, numbers, pair, direction or budget cannot be used.
        ParameterError: a parameter is missing, unknown or out of range.

    """
    promise = promise_of(claim, parameters, epsilon, delta, c_u)
    directions = _directions(direction)
    level_alpha = _alpha(alpha)
    limited = _budget_words(budget, samples)
    relation = adjacency or (promise.adjacency if claim is not None else None)
    chosen = tuple(pairs) or promise.pairs if pair is None else (given_pair(pair, relation),)
    located = target if isinstance(target, Target) else as_target(target, "mechanism", limits)
    words = ["auditor", "mechanism", located.name, *promise.arguments, "--direction", direction, *limited]
    words += ["--alpha", alpha, "--seed", str(seed)]
    if one_run is not None:
        if one_run < promise.c_u or pair is not None or promise.rho is not None:
            raise UsageError(
                f"expected --one-run N >= {promise.c_u}, an (epsilon, delta) and no --pair, got --one-run {one_run}"
            )
        words += ["--one-run", str(one_run)]
    notes: list[str] = []
    pace = Pace(math.inf if blocks is not None else time.monotonic() + budget, None if blocks is None else (*blocks,))

    def outcome(
        verdict: Verdict,
        detail: str,
        result: BlackBoxResult | None = None,
        named: Neighbours | None = None,
        band: Band | None = None,
    ) -> MechanismAudit:
        held_to = (promise.epsilon, promise.delta)
        if promise.rho is not None and result is not None:  # the level of the curve that the result is about
            held_to = (f"{result.epsilon:.17g}", real(result.delta_claimed, down=False))
        ended = None if result is None else stopped(result, samples if one_run is None else 1)
        again = shlex.join([*words, *_pair_words(pair), *_block_words(pace)])
        return MechanismAudit(
            located.name, verdict, detail, *held_to, promise.rho, result, named, alpha, seed, tuple(notes), band,
            ended, again,
        )  # fmt: skip

    with located:
        sampler, band = Sampler(located, pace, GRACE_SHARE * budget), None
        try:
            notes += sampler.look((chosen[0] if chosen else Neighbours("", {"k0": 2}, {})).left, seed_of(seed, "look"))
            if one_run is not None:
                result, named = _one_run(sampler, promise, level_alpha, seed, one_run, budget, notes)
            else:
                result, named = _decide(sampler, promise, chosen, directions, level_alpha, seed, samples, notes)
                band = _band(sampler, named, result, level_alpha, seed)
        except MisbehavedError as error:
            return outcome(Verdict.ERROR, f"{CANNOT}: {error.what.detail}")
        except BudgetSpentError:
            result, named = None, None
        notes += sampler.notes(many=one_run is None)
    refuted = result is not None and result.verdict is Verdict.REFUTED
    if not refuted and sampler.drawn and sampler.raised == sampler.drawn:
        notes.clear()  # what was noticed is said of releases, and there was none
        remedy = "mend it, or give histograms that it accepts with --pair"
        return outcome(Verdict.ERROR, f"{CANNOT}: raises on every input tried: {sampler.error}; {remedy}")
    if result is None or named is None:
        spent = f"within the budget of {budget:g} s; give more seconds with --budget"
        if not sampler.drawn:
            few = f"is slow: gives fewer than {LOOKS} releases" if sampler.alive else "gives no release"
            return outcome(Verdict.ERROR, f"{CANNOT}: {few} {spent}")
        return outcome(Verdict.UNDECIDED, f"gives too few releases to bet on {spent}")
    counted = _counted(result) if one_run is None else f"one release of {one_run} keys"
    return outcome(result.verdict, _sentence(result, promise, counted), result, named, band)


def _budget_words(budget: float, samples: int) -> list[str]:
    if not 0 < budget < math.inf:
        raise UsageError(f"expected a finite budget > 0 (seconds), got {budget}")
    if samples < 1:
        raise UsageError(f"expected samples >= 1, got samples={samples}")
    return ["--budget", f"{budget:g}", *([] if samples == MOST_SAMPLES else ["--samples", str(samples)])]


def _pair_words(pair: Mapping[str, Any] | None) -> list[str]:
    return [] if pair is None else ["--pair", json.dumps(pair)]


def _block_words(pace: Pace) -> list[str]:
    return ["--blocks", ",".join(map(str, pace.drawn))] if pace.drawn else []


def _directions(direction: str) -> tuple[Direction, ...]:
    if direction == "both":
        return BOTH_DIRECTIONS
    if direction not in list(Direction):
        raise UsageError(f"expected --direction both, forward or backward, got '{direction}'")
    return (Direction(direction),)


def _alpha(text: str) -> float:
    try:
        value = float(Fraction(text))
    except (TypeError, ValueError, ZeroDivisionError):
        raise UsageError(f"expected 0 < alpha < 1, an exact number such as 1e-6, got {text!r}") from None
    if not 0 < value < 1:
        raise UsageError(f"expected 0 < alpha < 1, got {text}")
    return value


def _decide(
    sampler: Sampler,
    promise: Promise,
    chosen: tuple[Neighbours, ...],
    directions: tuple[Direction, ...],
    alpha: float,
    seed: int,
    samples: int,
    notes: list[str],
) -> tuple[BlackBoxResult, Neighbours]:
    """Return the result at the level with the strongest evidence and its pair; note what one-sample tests assume.

    Levels share alpha and the time evenly, after what the one-sample tests have for themselves: fixed by whether the
    target declares to release only input keys.
    """
    key_alpha = one_sample.SHARE * alpha if sampler.target.releases_only_input_keys else 0.0
    best: tuple[BlackBoxResult, Neighbours] | None = None
    share = (alpha - key_alpha) / len(promise.levels)
    for place, level in enumerate(promise.levels):
        pairs = chosen or searched(
            sampler, promise.c_u, hypothesis(level.epsilon, level.delta, directions), seed_of(seed, "search", place),
            SEARCH_SHARE * sampler.pace.seconds() / (len(promise.levels) - place),
        )  # fmt: skip
        exposed = one_sample.exposed(pairs, directions) if key_alpha and place == 0 else []
        if exposed:
            exposed = exposed if chosen else one_sample.most_telling(exposed)
            notes.append(
                f"assumed: {one_sample.ASSUMPTION}; keys that the neighbour lacks are tested on one sample, at a "
                "quarter of alpha"
            )
            tested = one_sample.keys_test(sampler, exposed, promise.levels, key_alpha, seed, samples)
            leak = next((found for found in tested if found[0].verdict is Verdict.REFUTED), None)
            if leak is not None:
                return leak
            silent = min((found for found, _pair in tested), key=lambda found: found.detectable_delta)
            notes.append(
                f"keys that the neighbour lacks do not give it away: {silent.samples} releases would have caught a "
                f"true delta >= {real(silent.detectable_delta, down=False)} with probability 0.95"
            )
        grid = tuple(sorted({*PROFILE_EPSILONS, level.epsilon}))
        options: dict[str, Any] = {"alpha": share, "seed": seed, "directions": directions, "profile": grid}
        result = _paced(
            sampler, pairs, level, samples, sampler.pace.seconds() / (len(promise.levels) - place),
            weights=None if chosen else initial_shares(pairs), claim_id=f"decide {place}", **options,
        )  # fmt: skip
        named = next(pair for pair in pairs if pair.id == result.pair)
        if result.verdict is Verdict.REFUTED and not chosen:
            named, result = _shrunk(sampler, named, level, result, options)
        if best is None or _rank(result) > _rank(best[0]):
            best = result, named
        if result.verdict is Verdict.REFUTED:
            break
    assert best is not None  # noqa: S101 - a promise has at least one level
    return best


def _paced(
    sampler: Sampler, pairs: Sequence[Neighbours], level: Level, samples: int, seconds: float, **options: Any
) -> BlackBoxResult:
    """Audit pairs at a level for as long as the pace allows, and note the blocks drawn."""
    pace = sampler.pace
    limit, confirmation = pace.limit(), pace.limit(ahead=1)
    budget = Budget(samples, None if limit is not None else seconds, limit, confirmation_blocks=confirmation)
    result = audit_pairs(sampler, pairs, level.epsilon, level.delta, budget=budget, **options)
    pace.drawn += [result.blocks, result.confirmation_blocks]
    return result


def _shrunk(
    sampler: Sampler, pair: Neighbours, level: Level, result: BlackBoxResult, options: dict[str, Any]
) -> tuple[Neighbours, BlackBoxResult]:
    """Return the smallest pair found that is refuted too: tried on samples of their own, judged on fresh ones."""
    pace, tried = sampler.pace, 0
    limit, until = pace.limit(), time.monotonic() + TRIED_SHARE * pace.seconds()
    enough = Budget(max(TRIED_SAMPLES, 2 * result.pair_samples), confirmation=0.0)

    def accepts(candidate: Neighbours) -> bool | None:
        """Whether a smaller pair is refuted too; None when the time is over, and a silence may be due to that."""
        nonlocal tried
        if tried >= (MOST_TRIED if limit is None else limit) or (limit is None and time.monotonic() >= until):
            return None
        try:
            found = audit_pairs(
                sampler, [candidate], level.epsilon, level.delta, alpha=TRIED_ALPHA, seed=options["seed"],
                budget=enough, directions=options["directions"], claim_id=f"try {tried}",
            )  # fmt: skip
        except MisbehavedError as error:  # no answer to a smaller input takes back what the larger one showed
            sampler.trouble = error.what.detail
            tried += 1
            return False
        if found.verdict is not Verdict.REFUTED and limit is None and pace.over():
            return None
        tried += 1
        return found.verdict is Verdict.REFUTED

    smaller = shrunk(pair, accepts)[1:]
    pace.drawn.append(tried)
    most, own = 4 * result.pair_samples + 1000, {**options, "alpha": options["alpha"] / SMALLEST_JUDGED}
    for place, candidate in enumerate(smaller[: -SMALLEST_JUDGED - 1 : -1]):
        if pace.over():
            break
        try:
            again = _paced(sampler, [candidate], level, most, pace.seconds(), claim_id=f"judge {place}", **own)
        except MisbehavedError as error:
            sampler.trouble = error.what.detail
            pace.drawn += [0, 0]
            continue
        if again.verdict is Verdict.REFUTED:
            return candidate, _in_all(again, result.samples)
    return pair, result


def _in_all(result: BlackBoxResult, before: int) -> BlackBoxResult:
    """Count the releases of the larger pairs too: without their refutation this one would not have been looked for."""
    samples, efficiency = before + result.samples, result.efficiency
    if efficiency is not None:
        efficiency = replace(efficiency, share=efficiency.share * result.samples / samples)
    return replace(result, samples=samples, efficiency=efficiency)


def _band(sampler: Sampler, pair: Neighbours, result: BlackBoxResult, alpha: float, seed: int) -> Band | None:
    """Bound the trade-off function by the releases that were bet on, of all pairs; None where nothing was bet.

    A refutation needs too few of them, and is followed by fresh ones of its pair where there is time.
    """
    epsilons = tuple(sorted({*PROFILE_EPSILONS, result.epsilon}))
    of_bets = None
    if result.tradeoff:
        fpr, fnr = np.array(result.tradeoff).T
        of_bets = Band(TradeoffBand(fpr, fnr, result.alpha), result.samples, epsilons)
    n, pace = min(BAND_SAMPLES, 4 * result.pair_samples), sampler.pace
    if result.verdict is not Verdict.REFUTED or result.view is None or pace.limit() == 0 or pace.over():
        return of_bets
    try:
        left, right = (sampler(pair, side, n, block_generator(seed, "trade-off", pair.id, str(side))) for side in Side)
    except (BudgetSpentError, MisbehavedError) as error:
        sampler.trouble = error.what.detail if isinstance(error, MisbehavedError) else sampler.trouble
        pace.drawn.append(0)
        return of_bets
    pace.drawn.append(1)
    return Band(band_of_cells(result.view.counts(left, right), alpha), n, epsilons)


def _one_run(
    sampler: Sampler, promise: Promise, alpha: float, seed: int, keys: int, budget: float, notes: list[str]
) -> tuple[BlackBoxResult, Neighbours]:
    """Return the result of one release of many single-user keys, and the pair that each of its trials stands for.

    The one release may take the whole budget.
    """
    target = sampler.target
    if target.releases_only_input_keys is False:
        raise UsageError(f"--one-run is not valid: {target.name} declares releases_only_input_keys = False")
    target.limits = replace(target.limits, answer_seconds=max(target.limits.answer_seconds, budget))
    notes.append(f"assumed: {one_sample.INDEPENDENT_KEYS}; not valid otherwise")
    result, named, foreign = one_sample.one_run(sampler, keys, promise.c_u, promise.levels[0], alpha, seed)
    if foreign:
        detail = f"{foreign} of the keys it releases are not keys of its input: a one-run audit is not valid"
        raise MisbehavedError(Misbehaved("foreign keys", detail))
    return result, named


def _rank(result: BlackBoxResult) -> tuple[bool, int, float]:
    """Order results by what they say: a refutation, then the samples behind a silence, then its evidence."""
    return (result.verdict is Verdict.REFUTED, result.samples, result.log_wealth)


def _sentence(result: BlackBoxResult, promise: Promise, counted: str) -> str:
    claimed = f"(epsilon={promise.epsilon}, delta={promise.delta})" if promise.rho is None else f"rho={promise.rho}"
    if result.verdict is Verdict.REFUTED:
        named = "event" if result.event_status is EventStatus.CONFIRMED else "likely event"
        return (
            f"refutes {claimed}: at epsilon={result.epsilon:g} "
            f"delta is at least {real(result.delta_lower, down=True)}, "
            f"{named}: {result.event} ({result.direction.value}, pair {result.pair}, {counted})"
        )
    if result.verdict is Verdict.UNDECIDED:
        return f"undecided: {counted} are too few to see any violation of the likeliest event; draw more"
    caught = real(result.detectable_delta, down=False)
    return (
        f"no violation seen in {counted}; "
        f"would have caught a true delta >= {caught} of the likeliest event with probability 0.95 "
        f"(claimed {promise.delta})"
    )


def _counted(result: BlackBoxResult) -> str:
    """Say how many samples there were, and how many of them of the pair named."""
    if result.pair_samples == result.samples:
        return f"{result.samples} samples a side"
    return f"{result.pair_samples} of {result.samples} samples a side"
