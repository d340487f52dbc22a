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
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from auditor import one_sample
from auditor.errors import ExitCode, UsageError
from auditor.pair_search import Neighbours, drawn, families, release_threshold, simpler, size
from auditor.statistics.betting import BOTH_DIRECTIONS, hypothesis
from auditor.statistics.black_box import Budget, EventStatus, audit_pairs
from auditor.statistics.pair_audit import PairAudit, Side
from auditor.statistics.sample import Sample
from auditor.statistics.seeds import seed_of
from auditor.target import BudgetSpentError, Limits, Misbehaved, MisbehavedError, Target, as_target
from mechanisms import gaussian_sparse_histogram_pairs
from mechanisms.histogram import validate
from mechanisms.pair import Direction
from proofs_numeric.adjacency import AddRemoveUser
from proofs_numeric.arithmetic import Ball
from proofs_numeric.certify import enclose
from proofs_numeric.claim import Parameter, QuantityKind, evaluate_in, format_parameters
from proofs_numeric.guarantee import ApproximateCDP
from proofs_numeric.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from auditor.statistics.black_box import BlackBoxResult
    from auditor.target import Batch
    from proofs_numeric.claim import Claim, Value

LOOKS = 16
"""Releases in the first look."""
DRAWN_PAIRS = 10
SCREEN_BLOCKS = (200, 199)
"""Blocks of releases a side by which searched pairs are ranked (learnt on the first, bet on the second, which is too
short to be learnt from again); none of them decides."""
SEARCH_SHARE = 0.4
"""Share of the time left that the search for pairs may take."""
FINALISTS = 3
SHRINK_TESTS = 12
SLOW = 200.0
"""Releases a second below which a mechanism is called slow."""
GRACE_SHARE = 0.25
"""The budget stops an audit between blocks; a block that overruns it by this share is given up."""
MOST_SAMPLES = 10**8
THRESHOLDED = {"c_u", "sigma", "gap"}
"""Parameters of a claim on the two thresholds' gap, at whose place a caller may give the thresholds themselves."""
TAU = Parameter("tau", "counts below are never released", unit="users", lower=1, integer=True)
TAU_STAR = Parameter("tau_star", "noisy counts below are not released", unit="users", open_lower=True)
CDP_GRID = (1.0, 2.0, 4.0, 7.0)
"""Excess of epsilon over rho in units of 2 sqrt(rho) at which a concentrated claim is read."""


@dataclass(frozen=True)
class MechanismAudit:
    """Result of `audit_mechanism`; `to_json` is the contract's document.

    Args:
        target: what was sampled.
        verdict: REFUTED, CONSISTENT, UNDECIDED (no sample could be bet on) or ERROR (the target cannot be audited).
        detail: the verdict in one line.
        epsilon: claimed epsilon as text.
        delta_claimed: claimed delta as text.
        rho: claimed rho of a concentrated claim, else None.
        result: the black-box result; None where there is none.
        pair: the pair it names.
        alpha: false-alarm probability of the whole audit.
        seed: seed of everything.
        notes: what was seen of the target beside its outputs, one line each.
        reproduce: command line that repeats it.

    """

    target: str
    verdict: Verdict
    detail: str
    epsilon: str
    delta_claimed: str
    rho: str | None
    result: BlackBoxResult | None
    pair: Neighbours | None
    alpha: str
    seed: int
    notes: tuple[str, ...]
    reproduce: str

    @property
    def exit_code(self) -> ExitCode:
        """1 when refuted, 2 when the target could not be audited, else 0."""
        if self.verdict is Verdict.REFUTED:
            return ExitCode.FINDINGS
        return ExitCode.USAGE if self.verdict is Verdict.ERROR else ExitCode.OK

    def to_json(self) -> dict[str, Any]:
        """Return the contract's JSON document."""
        result, pair = self.result, self.pair
        document: dict[str, Any] = {
            "verdict": self.verdict.value,
            "detail": self.detail,
            "target": self.target,
            "epsilon": self.epsilon,
            "delta_claimed": self.delta_claimed,
            "delta_lower": None if result is None else _real(result.delta_lower, down=True),
            "epsilon_lower": None if result is None else _real(result.epsilon_lower, down=True),
            "pair": None if pair is None else {"id": pair.id, "left": dict(pair.left), "right": dict(pair.right)},
            "direction": None if result is None else result.direction.value,
            "event": None if result is None else result.event,
            "event_status": EventStatus.NONE.value if result is None else result.event_status.value,
            "samples": 0 if result is None else result.samples,
            "blocks": 0 if result is None else result.blocks,
            "alpha": self.alpha,
            "detectable_delta": None if result is None else _real(result.detectable_delta, down=False),
            "seed": self.seed,
            "notes": list(self.notes),
            "reproduce": self.reproduce,
        }
        return document if self.rho is None else {**document, "rho": self.rho}


def _real(value: float, *, down: bool) -> str:
    """Return a bound to six digits, rounded to its own side."""
    if math.isinf(value):
        return "infinity"
    text = f"{value:.6g}"
    if (down and float(text) > value) or (not down and float(text) < value):
        exponent = math.floor(math.log10(abs(value))) - 5
        text = f"{float(text) + (-1 if down else 1) * 10.0**exponent:.6g}"
    return text


@dataclass(frozen=True)
class Level:
    """One (epsilon, delta) that the mechanism is held to."""

    epsilon: float
    delta: float


@dataclass(frozen=True)
class Promise:
    """What is claimed: levels, the pairs that may expose it, who is a neighbour, and the texts for the report."""

    levels: tuple[Level, ...]
    pairs: tuple[Neighbours, ...]
    """Empty: pairs are searched."""
    c_u: int
    adjacency: Any
    epsilon: str
    delta: str
    rho: str | None
    arguments: tuple[str, ...]
    """Command-line words that state the claim."""


def promise_of_numbers(epsilon: str, delta: str, c_u: int) -> Promise:
    """Return the promise (epsilon, delta) for users who add 1 to at most `c_u` keys.

    Errors:
        UsageError: epsilon or delta is no number in range, or c_u < 1.

    """
    try:
        e, d = Fraction(epsilon), Fraction(delta)
    except (TypeError, ValueError, ZeroDivisionError):
        raise UsageError(f"expected exact numbers such as 1 and 1e-5, got epsilon={epsilon}, delta={delta}") from None
    if not (e >= 0 and 0 <= d < 1):
        raise UsageError(f"expected epsilon >= 0 and 0 <= delta < 1, got epsilon={epsilon}, delta={delta}")
    if c_u < 1:
        raise UsageError(f"expected c_u >= 1 (keys), got c_u={c_u}")
    words = ("--epsilon", str(epsilon), "--delta", str(delta), *(("--c-u", str(c_u)) if c_u != 1 else ()))
    level = Level(float(e), float(d))
    return Promise((level,), (), c_u, AddRemoveUser(c_u=c_u), str(epsilon), str(delta), None, words)


def promise_of_claim(claim: Claim, parameters: Mapping[str, int | Fraction | str]) -> Promise:
    """Return what a claim promises at its parameters, with its worst-case pairs.

    A delta claim is read at its epsilon, rounded up to a double; a rho claim through the delta of its curve on a grid
    of epsilons.

    Errors:
        ParameterError: a parameter is missing, unknown or out of range.
        UsageError: the claim promises no (epsilon, delta).

    """
    formula = claim.formula
    if formula is None or claim.quantity not in {QuantityKind.DELTA, QuantityKind.RHO}:
        raise UsageError(
            f"claim {claim.id} ({claim.kind.title}) promises no delta or rho that a mechanism could keep; "
            "give a claim that does, or --epsilon and --delta"
        )
    given, extra = _without_thresholds(claim, parameters)
    values = claim.domain.parse(given)
    c_u = int(values.get("c_u", 1))
    words = ("--claim", claim.id, *(f"{name}={value}" for name, value in {**values, **extra}.items()))
    pairs, adjacency = _worst_cases({**values, **extra}, c_u)
    if claim.quantity is QuantityKind.DELTA:
        if "epsilon" not in values:
            raise UsageError(f"claim {claim.id} takes no epsilon; give --epsilon and --delta")
        bound = enclose(formula, values, 20)
        delta = min(1.0, math.nextafter(float(bound.upper), math.inf))
        if delta >= 1:
            raise UsageError(
                f"claim {claim.id} promises delta >= 1 at {format_parameters(values)}: nothing can refute it"
            )
        level = Level(float(Fraction(values["epsilon"])), delta)
        return Promise((level,), pairs, c_u, adjacency, str(values["epsilon"]), bound.decimal(17)[2], None, words)
    rho = enclose(formula, values, 20).upper
    guarantee = ApproximateCDP(delta=Fraction(values.get("delta", 0)), rho=rho)
    levels = tuple(_cdp_level(guarantee, float(rho), step) for step in CDP_GRID)
    epsilons = ", ".join(f"{level.epsilon:.6g}" for level in levels)
    deltas = ", ".join(f"{level.delta:.6g}" for level in levels)
    return Promise(levels, pairs, c_u, adjacency, epsilons, deltas, f"{float(rho):.17g}", words)


def _without_thresholds(
    claim: Claim, parameters: Mapping[str, int | Fraction | str]
) -> tuple[dict[str, int | Fraction | str], dict[str, Value]]:
    """Return the claim's own parameters, and tau where it was given: a claim on the gap knows neither threshold.

    Errors:
        ParameterError: a threshold out of range.
        UsageError: both gap and tau_star are given.

    """
    given, extra = dict(parameters), {}
    if set(claim.domain.names) >= THRESHOLDED:
        if "tau" in given:
            extra["tau"] = TAU.parse(given.pop("tau"))
        if "tau_star" in given:
            if "gap" in given:
                raise UsageError(
                    f"expected gap or tau_star, got gap={given['gap']} and tau_star={given['tau_star']}; "
                    "tau_star = tau + gap, and tau is 1 unless given"
                )
            given["gap"] = Fraction(TAU_STAR.parse(given.pop("tau_star"))) - Fraction(extra.get("tau", 1))
    return given, extra


def _cdp_level(guarantee: ApproximateCDP, rho: float, step: float) -> Level:
    epsilon = rho + 2 * math.sqrt(rho) * step
    value = evaluate_in(Ball(128), lambda A: guarantee.profile(A, A.number(Fraction(epsilon))), {})
    return Level(epsilon, min(math.nextafter(float(value.upper()), math.inf), math.nextafter(1.0, 0.0)))


def _worst_cases(values: Mapping[str, Value], c_u: int) -> tuple[tuple[Neighbours, ...], Any]:
    """Return the claim's worst-case pairs (none where it has no threshold gap) and its adjacency."""
    if not set(values) >= THRESHOLDED:
        return (), AddRemoveUser(c_u=c_u, per_key=int(values.get("per_key", 1)))
    parameters = {"mu_o": 0, "tau": 1, **values}
    pairs = gaussian_sparse_histogram_pairs.pairs(parameters)
    return (
        tuple(Neighbours(pair.id, dict(pair.left), dict(pair.right)) for pair in pairs),
        gaussian_sparse_histogram_pairs.adjacency(parameters),
    )


def given_pair(pair: Mapping[str, Any], promise: Promise, *, by_claim: bool) -> Neighbours:
    """Return the caller's pair, checked.

    Errors:
        UsageError: not {"left": {...}, "right": {...}}, no histograms, or no neighbours under the claim's adjacency.

    """
    if set(pair) != {"left", "right"} or not all(isinstance(side, dict) for side in pair.values()):
        raise UsageError(
            'expected a pair {"left": {key: count}, "right": {key: count}}, got keys ' + ", ".join(map(str, pair))
        )
    try:
        validate(pair["left"])
        validate(pair["right"])
        if by_claim:
            promise.adjacency.check(pair["left"], pair["right"])
    except ValueError as error:
        raise UsageError(f"--pair: {error}") from None
    if pair["left"] == pair["right"]:
        raise UsageError("--pair: expected two histograms that differ, got the same one twice")
    return Neighbours("given", dict(pair["left"]), dict(pair["right"]))


# --- sampling -------------------------------------------------------------------------------------------------------


@dataclass
class Sampler:
    """Draws from the target, and keeps what it noticed."""

    target: Target
    deadline: float
    grace: float = 0.0
    mutated: bool = False
    rng_ignored: bool = False
    raised: int = 0
    drawn: int = 0
    seconds: float = 0.0

    @property
    def speed(self) -> float:
        """Releases a second so far, of the target's own time."""
        return self.drawn / max(self.seconds, 1e-9)

    def batch(self, histogram: Mapping[str, int], n: int, seed: int, path: Sequence[int] = ()) -> Batch:
        """Return `n` releases and keep the notes."""
        batch = self.target.sample(histogram, n, seed, path, self.deadline + self.grace)
        self.mutated |= batch.mutated
        self.rng_ignored |= not batch.rng_used
        self.drawn += n
        self.seconds += batch.seconds
        if batch.shapes is not None and batch.shape_index is not None:
            errors = [i for i, shape in enumerate(batch.shapes) if shape.startswith("raised ")]
            self.raised += int(np.isin(batch.shape_index, errors).sum())
        return batch

    def __call__(self, pair: Neighbours, side: Side, n: int, rng: np.random.Generator) -> Sample:
        """Return the sample of a block, by the seed path of its generator."""
        seeds = rng.bit_generator.seed_seq
        assert isinstance(seeds, np.random.SeedSequence)  # noqa: S101 - block generators are made from one
        histogram = pair.left if side is Side.LEFT else pair.right
        batch = self.batch(histogram, n, int(seeds.entropy), seeds.spawn_key)  # type: ignore[arg-type]
        return Sample(batch.columns, batch.values, batch.shapes, batch.shape_index)

    def look(self, histogram: Mapping[str, int], seed: int) -> list[str]:
        """Return one-line notes about determinism, input and failures, from a few releases.

        Errors:
            MisbehavedError: every release raises: there is nothing to audit.

        """
        first, again = (self.batch(histogram, LOOKS, seed) for _ in range(2))
        same = _same(first, again)
        notes = []
        if self.rng_ignored:
            how = "its output is constant given its input" if same else "its randomness cannot be replayed"
            notes.append(f"ignores its rng: {how}")
        elif not same:
            notes.append("is not deterministic given its rng: the same seed gave different releases")
        return notes

    def notes(self) -> list[str]:
        """Return the notes of the whole audit."""
        notes = []
        if self.mutated:
            notes.append("mutates its input: each release was given a fresh copy")
        if 0 < self.raised < self.drawn:
            notes.append(
                f"is random in its failure or fails on some inputs: {self.raised} of {self.drawn} releases raised"
            )
        if self.seconds > 0.1 and self.speed < SLOW:
            notes.append(f"is slow: {self.speed:.3g} releases a second; a small budget detects little")
        return notes


def _same(first: Batch, again: Batch) -> bool:
    if first.columns != again.columns or first.shapes != again.shapes:
        return False
    indices = [batch.shape_index for batch in (first, again) if batch.shape_index is not None]
    same_shapes = len(indices) < 2 or np.array_equal(indices[0], indices[1])
    return same_shapes and bool(np.array_equal(first.values, again.values, equal_nan=True))


def _searched(sampler: Sampler, promise: Promise, level: Level, seed: int, samples: int) -> tuple[Neighbours, ...]:
    """Return the pairs that look worst on releases that decide nothing."""

    def mostly_released(count: int) -> bool:
        if time.monotonic() > sampler.deadline:
            raise BudgetSpentError
        batch = sampler.batch({"k0": count}, LOOKS, seed_of(seed, "threshold", count))
        column = batch.columns.index("k0") if "k0" in batch.columns else None
        return column is not None and bool(np.mean(~np.isnan(batch.values[:, column])) >= 0.5)

    threshold = release_threshold(mostly_released)
    candidates = (*families(promise.c_u, threshold), *drawn(promise.c_u, threshold, DRAWN_PAIRS, seed))
    seconds = SEARCH_SHARE * (sampler.deadline - time.monotonic())
    affordable = int(min(sampler.speed * seconds, 2 * samples) / (2 * sum(SCREEN_BLOCKS)))
    if affordable <= FINALISTS:
        return candidates[:FINALISTS]  # too slow to rank anything: the commonest mistakes first
    ranked: list[tuple[float, tuple[int, int], Neighbours]] = []
    for pair in candidates[:affordable]:  # how many is settled before the first is looked at
        audit = PairAudit(pair, sampler, hypothesis(level.epsilon, level.delta), seed, "screen")
        for block in SCREEN_BLOCKS:
            audit.step(block)
        ranked.append((-audit.process.log_wealth, size(pair), pair))
    ranked.sort(key=lambda entry: entry[:2])
    return tuple(pair for _, _, pair in ranked[:FINALISTS])


def _shrunk(
    sampler: Sampler,
    pair: Neighbours,
    level: Level,
    result: BlackBoxResult,
    alpha: float,
    seed: int,
    directions: tuple[Direction, ...],
) -> tuple[Neighbours, BlackBoxResult]:
    """Return the smallest pair found that is refuted too, each tested on fresh releases at its share of alpha."""
    most = 4 * result.samples + 1000
    best, tests, improved = pair, 0, True
    while improved and tests < SHRINK_TESTS:
        improved = False
        for candidate in simpler(best):
            budget = Budget(samples=most, seconds=max(sampler.deadline - time.monotonic(), 0.01))
            if tests >= SHRINK_TESTS or time.monotonic() > sampler.deadline:
                break
            tests += 1
            again = audit_pairs(
                sampler,
                [candidate],
                level.epsilon,
                level.delta,
                alpha=alpha / SHRINK_TESTS,
                seed=seed,
                budget=budget,
                claim_id=f"shrink {tests}",
                directions=directions,
            )
            if again.verdict is Verdict.REFUTED:
                best, result, improved = candidate, again, True
                break
    return best, result


def promised(
    claim: str | None,
    parameters: Mapping[str, int | Fraction | str],
    **named: int | Fraction | str | None,
) -> dict[str, Any]:
    """Arguments of :func:`audit_mechanism` from keywords: with a claim, epsilon, delta and c_u are its parameters."""
    given = {name: value for name, value in named.items() if value is not None}
    if claim is not None:
        return {"parameters": {**parameters, **given}}
    texts = {name: str(value) for name, value in given.items() if name != "c_u"}
    return {"parameters": parameters, **texts, "c_u": given.get("c_u", 1)}


def audit_mechanism(
    target: str | Callable[..., Any] | object,
    claim: Claim | None = None,
    *,
    parameters: Mapping[str, int | Fraction | str] | None = None,
    epsilon: str | None = None,
    delta: str | None = None,
    pair: Mapping[str, Any] | None = None,
    pairs: Sequence[Neighbours] = (),
    direction: Literal["both", "forward", "backward"] = "both",
    budget: float = 10.0,
    samples: int = MOST_SAMPLES,
    alpha: str = "1e-6",
    seed: int = 0,
    c_u: int = 1,
    one_run: int | None = None,
    limits: Limits | None = None,
) -> MechanismAudit:
    """Audit a mechanism by its releases alone.

    Args:
        target: `package.module:callable`, `path/to/file.py:callable`, a live callable `release(histogram, rng)`, or an
            object with
            `release_many(histogram, n, rng)`.
        claim: the claim it should keep, at `parameters`; or give `epsilon` and `delta`.
        parameters: exact values by the claim's names; `tau` places worst-case pairs of claims that take `gap`, and
            `tau_star` may stand for gap = tau_star - tau.
        epsilon: exact text, >= 0.
        delta: exact text in [0, 1).
        pair: `{"left": histogram, "right": histogram}`; else the claim's worst cases, or searched pairs.
        pairs: where no pair is given: pairs of the target's own, in place of the claim's.
        direction: both, forward (left first) or backward.
        budget: seconds of wall clock.
        samples: releases a side at most.
        alpha: false-alarm probability of the whole audit, in (0, 1).
        seed: seed of everything.
        c_u: with epsilon and delta: most keys one user changes.
        one_run: instead of many releases of neighbours, one release of so many keys of one user each; valid only
            where keys get independent noise and only input keys are released.
        limits: time of one answer and memory of the target.

    Errors:
        TargetError: the target does not import.
        UsageError: claim, numbers, pair, direction or budget cannot be used.
        ParameterError: a parameter is missing, unknown or out of range.

    """
    promise = _promise(claim, parameters, epsilon, delta, c_u)
    directions = _directions(direction)
    level_alpha = _alpha(alpha)
    if one_run is not None and (one_run < 1 or pair is not None or promise.rho is not None):
        raise UsageError(f"expected --one-run N >= 1 with an (epsilon, delta) and no --pair, got {one_run}")
    if not 0 < budget < math.inf:
        raise UsageError(f"expected a finite budget > 0 (seconds), got {budget}")
    chosen = (
        (given_pair(pair, promise, by_claim=claim is not None),) if pair is not None else tuple(pairs) or promise.pairs
    )
    located = target if isinstance(target, Target) else as_target(target, "mechanism", limits)
    words = [
        "auditor",
        "mechanism",
        located.name,
        *promise.arguments,
        "--direction",
        direction,
        "--budget",
        f"{budget:g}",
        "--alpha",
        alpha,
        "--seed",
        str(seed),
    ]
    if one_run is not None:
        words += ["--one-run", str(one_run)]
    notes: list[str] = []

    def outcome(
        verdict: Verdict, detail: str, result: BlackBoxResult | None = None, named: Neighbours | None = None
    ) -> MechanismAudit:
        held_to = (promise.epsilon, promise.delta)
        if promise.rho is not None and result is not None:  # the level of the curve that the result is about
            held_to = (f"{result.epsilon:.17g}", _real(result.delta_claimed, down=False))
        return MechanismAudit(
            located.name, verdict, detail, *held_to, promise.rho, result, named, alpha, seed, tuple(notes),
            shlex.join([*words, *_pair_words(named if one_run is None else None)]),
        )  # fmt: skip

    with located:
        sampler = Sampler(located, time.monotonic() + budget, GRACE_SHARE * budget)
        try:
            notes += sampler.look((chosen[0] if chosen else Neighbours("", {"k0": 2}, {})).left, seed_of(seed, "look"))
            if one_run is not None:
                result, named = _one_run(sampler, promise, level_alpha, seed, one_run, notes)
            else:
                result, named = _decide(sampler, promise, chosen, directions, level_alpha, seed, samples, notes)
        except MisbehavedError as error:
            return outcome(Verdict.ERROR, f"cannot be audited: {error.what.detail}")
        except BudgetSpentError:
            result, named = None, None
        notes += sampler.notes()
    refuted = result is not None and result.verdict is Verdict.REFUTED
    if not refuted and sampler.drawn and sampler.raised == sampler.drawn:
        return outcome(Verdict.ERROR, "cannot be audited: raises on every input tried")
    if result is None or named is None:
        return outcome(Verdict.UNDECIDED, f"the budget of {budget:g} s was spent before a release could be bet on")
    return outcome(result.verdict, _sentence(result, promise), result, named)


def _pair_words(pair: Neighbours | None) -> list[str]:
    return [] if pair is None else ["--pair", json.dumps({"left": dict(pair.left), "right": dict(pair.right)})]


def _promise(
    claim: Claim | None, parameters: Mapping[str, Any] | None, epsilon: str | None, delta: str | None, c_u: int
) -> Promise:
    if claim is not None and epsilon is None and delta is None:
        return promise_of_claim(claim, parameters or {})
    if claim is None and epsilon is not None and delta is not None and not parameters:
        return promise_of_numbers(epsilon, delta, c_u)
    raise UsageError("expected either --claim CLAIM name=value ... or --epsilon E --delta D, got a mixture or neither")


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
        pairs = chosen or _searched(sampler, promise, level, seed_of(seed, "search", place), samples)
        exposed = one_sample.exposed(pairs, directions) if key_alpha and place == 0 else []
        if exposed:
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
                f"true delta >= {_real(silent.detectable_delta, down=False)} with probability 0.95"
            )
        left = (sampler.deadline - time.monotonic()) / (len(promise.levels) - place)
        result = audit_pairs(
            sampler,
            pairs,
            level.epsilon,
            level.delta,
            alpha=share,
            seed=seed,
            budget=Budget(samples=samples, seconds=max(left, 0.01)),
            claim_id=f"decide {place}",
            directions=directions,
        )
        named = next(pair for pair in pairs if pair.id == result.pair)
        if result.verdict is Verdict.REFUTED and not chosen:
            named, result = _shrunk(sampler, named, level, result, share, seed, directions)
        if best is None or _rank(result) > _rank(best[0]):
            best = result, named
        if result.verdict is Verdict.REFUTED:
            break
    assert best is not None  # noqa: S101 - a promise has at least one level
    return best


def _one_run(
    sampler: Sampler, promise: Promise, alpha: float, seed: int, keys: int, notes: list[str]
) -> tuple[BlackBoxResult, Neighbours]:
    """Return the result of one release of many single-user keys, and the pair that each of its keys stands for."""
    notes.append(f"assumed: {one_sample.INDEPENDENT_KEYS}; not valid otherwise")
    result, foreign = one_sample.one_run(sampler, keys, promise.levels[0], alpha, seed)
    if foreign:
        detail = f"{foreign} of the keys it releases are not keys of its input: a one-run audit is not valid"
        raise MisbehavedError(Misbehaved("foreign keys", detail))
    return result, Neighbours(result.pair, {"u0": 1}, {})


def _rank(result: BlackBoxResult) -> tuple[bool, int, float]:
    """Order results by what they say: a refutation, then the samples behind a silence, then its evidence."""
    return (result.verdict is Verdict.REFUTED, result.samples, result.log_wealth)


def _sentence(result: BlackBoxResult, promise: Promise) -> str:
    claimed = f"(epsilon={promise.epsilon}, delta={promise.delta})" if promise.rho is None else f"rho={promise.rho}"
    if result.verdict is Verdict.REFUTED:
        named = "event" if result.event_status is EventStatus.CONFIRMED else "likely event"
        return (
            f"refutes {claimed}: at epsilon={result.epsilon:g} "
            f"delta is at least {_real(result.delta_lower, down=True)}, "
            f"{named}: {result.event} ({result.direction.value}, pair {result.pair}, {result.samples} samples a side)"
        )
    if result.verdict is Verdict.UNDECIDED:
        return "undecided: too few releases to bet on"
    caught = _real(result.detectable_delta, down=False)
    return (
        f"no violation seen in {result.samples} samples a side; "
        f"would have caught a true delta >= {caught} of the likeliest event with probability 0.95 "
        f"(claimed {promise.delta})"
    )
