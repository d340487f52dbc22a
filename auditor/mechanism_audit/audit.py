"""Black-box audit of a mechanism: releases of neighbours against (epsilon, delta) or against a claim.

The mechanism runs in a child process that the audit can kill. The audit first checks basic properties: whether the
mechanism is deterministic given its generator, and whether it changes its input. It then chooses pairs. The caller's
pairs stand alone; otherwise it takes the claim's worst-case pairs and searches further pairs with separate randomness.
The verdict rests on fresh releases only. An audit reports 'no violation found' only with the requested power.
"""

from __future__ import annotations

import math
import shlex
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.black_box.audit import EventStatus
from auditor.black_box.pair_audit import Side
from auditor.errors import UsageError
from auditor.inputs.data import Rows, ends_of, left_out
from auditor.inputs.shrinking import without_users
from auditor.inputs.sources import yielded_neighbours
from auditor.inputs.tables import ALL, Table
from auditor.mechanism_audit import explored, floating_point, gaussian_value, many_keys, one_sample, steered, suspect
from auditor.mechanism_audit.beyond import BEYOND_SHARE, beyond_doubt, tries_beyond
from auditor.mechanism_audit.coverage import coverage_of
from auditor.mechanism_audit.draws import RELEASES
from auditor.mechanism_audit.input_search import search_inputs, with_ranked
from auditor.mechanism_audit.pair_search import FEW_USERS, LARGEST_COUNT, QUICK, beside, searched, usable
from auditor.mechanism_audit.pair_shrinking import shrunk
from auditor.mechanism_audit.request import NEXT_TO_NOTHING, NOTHING_CLAIMED, SAMPLES
from auditor.mechanism_audit.result import (
    Band,
    MechanismAudit,
    WouldTake,
    counted_text,
    inputs_text,
    real,
    stopped,
    would_take,
)
from auditor.mechanism_audit.sampler import LOOKS, DependentError, Pace, Sampler
from auditor.mechanism_audit.stages import paced, shrunk_pair
from auditor.settings import MOST_SAMPLES
from auditor.statistics.betting import hypothesis
from auditor.statistics.pure_epsilon import epsilon_shown
from auditor.statistics.seeds import block_generator, seed_of
from auditor.statistics.tradeoff import BAND_SAMPLES, TradeoffBand, band_of_cells
from auditor.target.target import CANNOT, BudgetSpentError, Misbehaved, MisbehavedError, Target, printing
from proofs_numeric.statements.neighbours import Neighbours
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from auditor.black_box.audit import BlackBoxResult
    from auditor.inputs.data import Data
    from auditor.mechanism_audit.explored import Explored
    from auditor.mechanism_audit.input_search import Inputs
    from auditor.mechanism_audit.many_keys import ManyKeysTest
    from auditor.mechanism_audit.progress import Progress
    from auditor.mechanism_audit.promise import Level, Promise
    from auditor.mechanism_audit.request import MechanismRequest
    from auditor.mechanism_audit.steered import SteeredTest

GLANCED = 1 << 15
"""Releases per dataset, over all pairs, of the screening phase for gross violations; it uses half of alpha."""
GLANCE_SHARE = 0.1
"""Share of the remaining time for the screening phase."""
NOT_STEERED = (
    "it draws neither from the generator that it is given nor from unseeded ones of NumPy or the standard library, so "
    "its draws cannot be steered: what has probability delta is seen in about 1/delta releases"
)
MUCH_MORE = 10
"""Times the budget that is proposed where the needed one is unknown."""
SURELY = 1.5
"""Times the releases that an audit lacks by estimate: the proposed audit must decide."""
BETTING = 2.0
"""CPU seconds of a release and the bets on it, as a multiple of the target's own."""
ONE_KEY = ("numbers", "numpy")
"""Forms of input without a column of keys, if the caller gives no data."""
PROFILE_EPSILONS = (0.0, 0.5, 1.0, 2.0, 4.0)
"""Values of epsilon, besides the claimed one, at which the audit bounds delta from below."""


def audit_mechanism(request: MechanismRequest, watch: Callable[[Progress], object] | None = None) -> MechanismAudit:
    """Audit a mechanism by its releases alone.

    Only releases, the seed and CPU seconds decide: a busy machine gives an equal verdict later.

    Args:
        request: the audit's target, claim, data and options.
        watch: called with the progress after each batch.

    Errors:
        TargetError: the target does not import.
        UsageError: claim, numbers, pair or one run cannot be used.
        ParameterError: a parameter is missing, unknown or out of range.
    """
    located = request.located()
    try:
        return _audited(request, located, watch)
    finally:
        located.close()


def _audited(request: MechanismRequest, located: Target, watch: Callable[[Progress], object] | None) -> MechanismAudit:
    """Audit a located target; it raises the errors of `audit_mechanism`."""
    data, kind, yielded = request.read_for(located)
    promise = request.promise(data)
    given = request.pairs_to_try(promise, data, kind)
    for level in promise.levels:
        request.wanted(level.delta)
    if request.one_run is not None:
        _check_one_run(request, promise)
    notes = _strays(request, promise)
    notes += [note] if isinstance(data, Table) and (note := data.note()) else []
    notes += [note] if request.searches and (note := left_out(data, promise.adjacency)) else []
    with located:
        decided: Decided | None
        sampler = _sampler(request, located, data, kind, promise)
        sampler.watch = watch
        found = yielded_neighbours(yielded, promise.adjacency, request.values) if yielded else []
        sampler.yielded = tuple(map(sampler.formed, found))
        given = tuple(map(sampler.formed, given))
        told = partial(_told, request, promise, located.name, sampler)
        try:
            if not (given or sampler.keys or sampler.rows or located.command):  # the accepted keys are not declared
                notes += sampler.listen(seed_of(request.seed, "listen"))
            first = given[0].left if given else {sampler.first_key: 2}
            notes += sampler.look(first, seed_of(request.seed, "look"))
            notes += sampler.check_batches(first, seed_of(request.seed, "batches"))
            if request.one_run is not None:
                decided, band = _one_run(sampler, promise, request, notes), None
            else:
                decided = _decide(sampler, promise, given, request, data, notes)
                band = None if decided is None else _band(sampler, decided.pair, decided.result, request)
                decided = None if decided is None else _located(sampler, decided, promise, request)
        except MisbehavedError as error:
            said = printing(located.printed) in error.what.detail
            return told(Verdict.ERROR, f"{CANNOT}: {error.what.detail}", notes if said else notes + sampler.console())
        except DependentError:
            text = "its releases depend on one another, drawn one by one as well: every test needs independent ones"
            remedy = "draw all noise of a release in its own call"
            return told(Verdict.UNDECIDED, f"undecided: {text}; {remedy}", notes + sampler.console())
        except BudgetSpentError:
            notes += sampler.notes(many=request.one_run is None)
            return told(Verdict.UNDECIDED, _spent(sampler, request), notes)
        notes += sampler.notes(many=request.one_run is None)
    if decided is None:
        refused = f"undecided: it refuses every input that was thought of: raises {sampler.error}"
        remedy = "name the keys that it takes with --keys, give --pair, or --dataset where it takes rows"
        return told(Verdict.UNDECIDED, f"{refused}; {remedy}", notes)
    result = decided.result
    if not located.releases_only_input_keys:
        notes += one_sample.hint(sampler, decided.tried, request.directions)
    sampler.moved = sampler.moved or _differs(result)
    if result.verdict is not Verdict.REFUTED and (doubt := _doubt(sampler, decided)) is not None:
        return told(Verdict.UNDECIDED, f"undecided: {doubt}", notes, decided, band)
    return told(result.verdict, _sentence(decided, promise, request), notes, decided, band)


def _sampler(request: MechanismRequest, located: Target, data: Data | None, kind: str, promise: Promise) -> Sampler:
    """Return the sampler of the target's releases, for data in the form that the target takes."""
    if data is None and kind == "histogram" and request.input is None:
        kind = located.input or kind
    if (form := request.form(data, kind)) is not None:
        located.take(form)
    sampler = Sampler(located, Pace(request.budget, request.blocks, request.wall))
    sampler.rows, sampler.values = kind != "histogram", ends_of(data, request.values)
    table = data.layout if isinstance(data, Table) else None
    sampler.fixed_keys = not table.names_keys if table is not None else kind in ONE_KEY
    sampler.one_record = table.user is None if table is not None else kind in ONE_KEY
    users = LARGEST_COUNT if data is None else max(FEW_USERS, sum(data.values()))
    sampler.largest = request.largest_count or users
    own_keys = data.keys_to_try if isinstance(data, Table) else (ALL,) if kind in ONE_KEY else tuple(data or ())
    sampler.keys = tuple(request.keys) or located.public_partitions or own_keys or promise.keys
    return sampler


def _spent(sampler: Sampler, request: MechanismRequest) -> str:
    """Return why an audit without any test is undecided: CPU budget or wall-clock limit exhausted."""
    walled = sampler.pace.walled
    spent = (
        f"within --wall {request.wall:g} seconds" if walled else f"within the budget of {request.budget:g} CPU seconds"
    )
    few = f"fewer than {LOOKS} releases" if sampler.drawn < LOOKS else "too few releases to bet on"
    return f"undecided: gives {few} {spent}; give more with {'--wall' if walled else '--budget'}"


def _doubt(sampler: Sampler, decided: Decided) -> str | None:
    """Return the reason to downgrade 'no violation found' to undecided; None if there is no reason."""
    test, rare = decided.suspected, decided.rare
    if test is not None:
        return (
            f"suspected of delta >= {real(test.delta_lower, down=True)} at epsilon={test.epsilon:g}, event: "
            f"{test.event} (pair {test.exposed.pair.id}, {test.samples} releases with steered draws, {test.tilted}). "
            f"It is so if {gaussian_value.ASSUMPTION}, which proves nothing of what was not"
        )
    if rare is not None and rare.suspicion:
        return f"suspected of what one neighbour alone shows, if seldom: {rare.suspicion}; {explored.UNPROVED}"
    return sampler.nothing_seen() or decided.beyond or decided.uncovered


def _strays(request: MechanismRequest, promise: Promise) -> list[str]:
    """Return a warning if the caller's pair is no neighbouring pair of the claim; otherwise no warning."""
    if request.pair is None or request.claim is not None:
        return []
    try:
        promise.adjacency.check(request.pair["left"], request.pair["right"])
    except ValueError as error:
        return [f"--pair is not of neighbours ({error}): what is said of it is not said of the promise"]
    return []


def _differs(result: BlackBoxResult) -> bool:
    """Return whether the event's shares differ by five standard deviations: the releases then depend on the input."""
    left, right, n = result.event_left, result.event_right, max(1, result.event_samples)
    return abs(left - right) > 5 * math.sqrt((left * (1 - left) + right * (1 - right) + 1 / n) / n)


def _told(
    request: MechanismRequest,
    promise: Promise,
    name: str,
    sampler: Sampler,
    verdict: Verdict,
    detail: str,
    notes: Sequence[str],
    decided: Decided | None = None,
    band: Band | None = None,
) -> MechanismAudit:
    """Return the outcome of the audit, with its texts and numbers."""
    result = None if decided is None else decided.result
    epsilon, delta = promise.epsilon, promise.delta
    if promise.measure and result is not None:  # level of the curve at which the result was found
        epsilon, delta = f"{result.epsilon:.17g}", real(result.delta_claimed, down=False)
    ended = None if result is None else stopped(result, request, walled=sampler.pace.walled)
    relation = str(promise.adjacency) if request.searches or request.relation_said else ""
    drawn = ["--blocks", ",".join(map(str, sampler.pace.drawn))] if sampler.pace.drawn else []
    if decided is not None and verdict is not Verdict.REFUTED:
        notes = [*notes, inputs_text(decided.tried, relation)]
    return MechanismAudit(
        target=name,
        verdict=verdict,
        detail=detail,
        epsilon=epsilon,
        delta_claimed=delta,
        measure=promise.measure,
        result=result,
        pair=None if decided is None else decided.pair,
        tried=() if decided is None else decided.tried,
        neighbours=relation,
        detect=None if result is None else request.wanted(result.delta_claimed),
        would_take=_would_take(request, lambda one: one.command(name, promise), sampler, decided)
        if verdict is Verdict.UNDECIDED
        else None,
        alpha=request.alpha,
        seed=request.seed,
        notes=tuple(notes),
        band=band,
        stopped=ended,
        steered=() if decided is None else decided.steered,
        rare=None if decided is None else decided.rare,
        many_keys=None if decided is None else decided.many_keys,
        where=() if decided is None else decided.where,
        reproduce=shlex.join([*request.command(name, promise), *drawn]),
        live=request.live,
    )


def _would_take(
    request: MechanismRequest,
    command: Callable[[MechanismRequest], list[str]],
    sampler: Sampler,
    decided: Decided | None,
) -> WouldTake | None:
    """Return the audit that is expected to decide where this one is undecided; None if more time does not help."""
    longer: dict[str, Any] = {"budget": MUCH_MORE * request.budget}
    if request.wall is not None:
        longer["wall"] = MUCH_MORE * request.wall
    if decided is None:
        return would_take(request, command, **longer) if sampler.pace.over() else None
    test, rare, result = decided.suspected, decided.rare, decided.result
    suspect = test.exposed.pair if test is not None else rare.pair if rare is not None and rare.suspicion else None
    if suspect is not None and not isinstance(suspect.left, Rows):
        sides = {"left": dict(suspect.left), "right": dict(suspect.right)}
        return would_take(request, command, **longer, pair=sides)
    if not result.lacking:
        return None
    more = SURELY * result.lacking
    seconds = float(real(sampler.pace.clock() + 2 * BETTING * more * sampler.release_seconds, down=False, digits=2))
    longer = {"budget": max(request.budget, seconds)}
    if request.samples is not None:
        longer["samples"] = min(MOST_SAMPLES, int(float(real(result.samples + more, down=False, digits=2))))
    return would_take(request, command, result.lacking, **longer)


def _check_one_run(request: MechanismRequest, promise: Promise) -> None:
    """Raise UsageError if `--one-run` has fewer keys than one user may change, or if a pair is given."""
    most = promise.adjacency.most_changed
    if (request.one_run or 0) < most or request.pair is not None:
        raise UsageError(f"expected --one-run N >= {most} and no --pair, got --one-run {request.one_run}")


@dataclass(frozen=True)
class Decided:
    """Outcome of an audit: the deciding result and its pair, the pairs tested, further tests, and reasons for doubt."""

    result: BlackBoxResult
    pair: Neighbours
    tried: tuple[Neighbours, ...]
    steered: tuple[SteeredTest, ...] = ()
    where: tuple[str, ...] = ()
    suspected: SteeredTest | None = None
    beyond: str | None = None
    uncovered: str | None = None
    last_bits: bool = False
    """Whether the last bits of released numbers alone refute the claim."""
    rare: Explored | None = None
    counted: float = 0.0
    """Delta that counting was required to detect."""
    many_keys: ManyKeysTest | None = None

    @property
    def leak(self) -> SteeredTest | None:
        """Return the importance-sampling test that refutes the claim; None if there is none."""
        return next((test for test in self.steered if test.rejected), None)


@dataclass(frozen=True)
class Before:
    """Outcome of the tests before counting: refutation, tests with tilted draws (None if these fail), suspicion."""

    leak: Decided | None = None
    tests: tuple[SteeredTest, ...] | None = ()
    suspected: SteeredTest | None = None
    many_keys: ManyKeysTest | None = None


def _before_counting(
    sampler: Sampler,
    pairs: Sequence[Neighbours],
    given: bool,
    promise: Promise,
    request: MechanismRequest,
    alphas: tuple[float, float],
    notes: list[str],
) -> Before:
    """Test keys that the neighbour lacks, on one sample and by importance sampling, each at its share of alpha."""
    key_alpha, steer_alpha = alphas
    exposed = one_sample.exposed(pairs, request.directions) if key_alpha else []
    if exposed:
        exposed = exposed if given else one_sample.most_telling(exposed)
        notes.append(
            f"assumed: {one_sample.ASSUMPTION}; keys that the neighbour lacks are tested on one sample, at "
            "half of alpha"
        )
        most = request.samples or SAMPLES
        tested = one_sample.keys_test(sampler, exposed, promise.never, key_alpha, request.seed, most)
        leak = next((found for found in tested if found[0].verdict is Verdict.REFUTED), None)
        if leak is not None:
            return Before(Decided(*leak, tuple(pairs)))
        silent = min((found for found, _pair in tested), key=lambda found: found.detectable_delta)
        notes.append(
            f"keys that the neighbour lacks do not give it away: {silent.samples} releases would have caught a "
            f"true delta >= {real(silent.detectable_delta, down=False)} with probability 0.95"
        )
    if not steer_alpha:
        return Before()
    with sampler.doing("steering draws"):
        tests = _steered(sampler, pairs, promise, request, steer_alpha / 2, notes)
        shown = next((test for test in tests or () if test.rejected), None)
        if shown is None:
            return Before(None, tests, _suspected(sampler, pairs, promise, request, steer_alpha / 2))
        result = steered.result_of_test(shown, _smallest(promise))
        return Before(Decided(result, shown.exposed.pair, (*pairs, shown.exposed.pair), tests or ()))


def _with_many_keys(
    before: Before,
    sampler: Sampler,
    pairs: Sequence[Neighbours],
    promise: Promise,
    request: MechanismRequest,
    alpha: float,
    notes: list[str],
) -> Before:
    """Test single-user keys in releases of many, unless importance sampling refuted or has the required power."""
    wanted = max(request.wanted(promise.never.delta), request.wanted(steered.SMALLEST))
    if before.leak is not None or not alpha or (before.tests and all(t.power <= wanted for t in before.tests)):
        return before
    with sampler.doing("releasing many keys at once"):
        test = many_keys.many_keys_test(sampler, promise, request, alpha, notes)
    if test is None or not test.rejected:
        return replace(before, many_keys=test)
    pair = test.neighbours
    return Before(Decided(test.result(), pair, (*pairs, pair), before.tests or (), many_keys=test), many_keys=test)


@dataclass(frozen=True)
class Stage:
    """Tests at one level of the claim: the level, its index among the levels, and the options of all its tests."""

    sampler: Sampler
    request: MechanismRequest
    level: Level
    place: int
    options: dict[str, Any]

    def looked(
        self, pairs: Sequence[Neighbours], weights: Sequence[float], seconds: float
    ) -> tuple[BlackBoxResult | None, Explored | None]:
        """Return a refutation by the screening phase, or else the exploration of rare events."""
        most = min(GLANCED, self.request.samples or SAMPLES)
        glance = paced(
            self.sampler, pairs, self.level, most, GLANCE_SHARE * seconds, weights=weights,
            claim_id=f"glance {self.place}", **self.options,
        )  # fmt: skip
        if glance.verdict is Verdict.REFUTED:
            return glance, None
        wanted, own = self.request.wanted(self.level.delta), seed_of(self.request.seed, "rare", self.place)
        with self.sampler.doing("looking for what is rare"):
            rare = explored.explored(self.sampler, pairs, self.level, wanted, own, explored.SHARE * seconds)
        return None, rare

    def counted(
        self,
        pairs: Sequence[Neighbours],
        weights: Sequence[float],
        seconds: float,
        counted: float,
        rare: Explored | None,
    ) -> BlackBoxResult:
        """Return the result of counting down to a delta of `counted`; undecided if the power is too small."""
        if rare is not None and rare.suspicion:  # found on separate randomness: all later releases may test it
            pairs, weights = (rare.pair,), (1.0,)
        sampler, request, enough = self.sampler, self.request, counted
        if rare is not None:
            enough = _enough(sampler, rare, request.wanted(self.level.delta), counted, self.options["alpha"])
        evenly = counted > request.wanted(self.level.delta) and rare is None  # each pair soon gets those it lacks
        samples = request.samples or (GLANCED // 4 if evenly else SAMPLES)
        result = paced(
            sampler, pairs, self.level, samples, seconds, detect=enough,
            most=request.samples or MOST_SAMPLES, weights=weights, claim_id=f"decide {self.place}",
            extended=request.samples is None, **self.options,
        )  # fmt: skip
        lacks = result.verdict is Verdict.CONSISTENT and result.power > counted
        return replace(result, verdict=Verdict.UNDECIDED) if lacks else result


@dataclass(frozen=True)
class Chosen:
    """Rule that chooses the pairs of each level: the given pairs, pairs searched at the level, and ranked datasets."""

    sampler: Sampler
    promise: Promise
    request: MechanismRequest
    given: tuple[Neighbours, ...]
    inputs: Inputs | None

    def pairs(self, place: int, level: Level, seconds: float) -> tuple[tuple[Neighbours, ...], tuple[float, ...]]:
        """Return the pairs of a level and the initial capital of each."""
        given, request = self.given, self.request
        if not request.searches:
            return given, (1.0 / max(1, len(given)),) * len(given)
        hypotheses = hypothesis(level.epsilon, level.delta, request.directions)
        own, hunt = seed_of(request.seed, "search", place), request.claim is None
        with self.sampler.doing("searching neighbours"):
            found = searched(self.sampler, self.promise.adjacency, hypotheses, own, seconds, hunt=hunt)
        pairs, weights = beside(given, found)
        if self.inputs is None:
            return pairs, weights
        kept = {pair.id for pair in (*given, *pairs[:1], *found[:1], *self.promise.pairs)}
        return with_ranked(self.sampler, pairs, weights, self.inputs, level, kept)

    def smaller(
        self, level: Level, pair: Neighbours, result: BlackBoxResult, options: dict[str, Any]
    ) -> tuple[Neighbours, BlackBoxResult]:
        """Return the smallest refuted pair found and its result; a given pair stays unchanged."""
        if result.verdict is not Verdict.REFUTED or pair in self.given:
            return pair, result
        ranked = self.inputs is not None and pair in self.inputs.pairs and isinstance(pair.left, Rows)
        together = pair.left.together if isinstance(pair.left, Rows) else 1
        allowed = partial(usable, sampler=self.sampler, adjacency=self.promise.adjacency, each=together)
        with self.sampler.doing("looking for smaller neighbours"):
            if ranked:
                return shrunk_pair(self.sampler, pair, level, result, options, lambda smaller: smaller, without_users)
            return shrunk_pair(self.sampler, pair, level, result, options, allowed, shrunk)


def _inputs(
    sampler: Sampler, promise: Promise, given: Sequence[Neighbours], request: MechanismRequest, data: Data | None
) -> Inputs | None:
    """Return the datasets searched, None if the caller names the pairs; record whether the given pairs differ."""
    for pair in given:
        sampler.compared(pair, seed_of(request.seed, "look"))
    if not request.searches:
        return None
    with sampler.doing("searching data sets"):
        return search_inputs(sampler, promise, request, data, seed_of(request.seed, "inputs"))


def _decide(
    sampler: Sampler,
    promise: Promise,
    given: tuple[Neighbours, ...],
    request: MechanismRequest,
    data: Data | None,
    notes: list[str],
) -> Decided | None:
    """Return the strongest result over the levels, None if no pair is left; note the assumptions of one-sample tests.

    The one-sample tests get their share of alpha if the target declares that it releases only input keys. Importance
    sampling and the test of many keys have shares of their own. The levels divide the rest of alpha and the time
    evenly. Half of each level's alpha is reserved for the bounds of the whole curve.
    """
    bits_alpha = 0.0 if request.floating_point == "ignore" else floating_point.SHARE * request.level
    alpha, seed = request.level - bits_alpha, request.seed
    key_alpha = one_sample.SHARE * alpha if sampler.target.releases_only_input_keys else 0.0
    steer_alpha = steered.SHARE * alpha if _steerable(sampler, promise, request, notes) else 0.0
    many_alpha = many_keys.ALPHA_SHARE * alpha if many_keys.applies(sampler, promise, request) else 0.0
    before = Before()
    best: Decided | None = None
    chosen = Chosen(sampler, promise, request, given, _inputs(sampler, promise, given, request, data))
    grid = tuple(sorted({*PROFILE_EPSILONS, *(each.epsilon for each in promise.levels)}))
    share = (alpha - key_alpha - steer_alpha - many_alpha) / (2 * len(promise.levels))
    for place, level in enumerate(promise.levels):
        seconds = sampler.pace.seconds() / (len(promise.levels) - place)
        pairs, weights = chosen.pairs(place, level, seconds)
        if not pairs:
            return None
        if place == 0:
            before = _before_counting(sampler, pairs, bool(given), promise, request, (key_alpha, steer_alpha), notes)
            before = _with_many_keys(before, sampler, pairs, promise, request, many_alpha, notes)
            if before.leak is not None:
                return before.leak
        explores = bool(steer_alpha) and request.wanted(level.delta) < NOTHING_CLAIMED
        alpha = share / 2 if explores else share
        options: dict[str, Any] = {"alpha": alpha, "seed": seed, "directions": request.directions, "profile": grid}
        stage, rare, result = Stage(sampler, request, level, place, options), None, None
        if explores:
            result, rare = stage.looked(pairs, weights, seconds)
        counted = _counted_down_to(request.wanted(level.delta), before, rare, request)
        if result is None:
            left = sampler.pace.seconds() / (len(promise.levels) - place)
            left *= 1 - BEYOND_SHARE * tries_beyond(sampler, request)
            result = stage.counted(pairs, weights, left, counted, rare)
        result = _held_to_curve(result, promise)
        named = next(pair for pair in pairs if pair.id == result.pair)
        named, result = chosen.smaller(level, named, result, options)
        if best is None or _rank(result, rare) > _rank(best.result, best.rare):
            tests, suspected = before.tests or (), before.suspected
            best = Decided(
                result, named, tuple(pairs), tests, suspected=suspected, rare=rare, counted=counted,
                many_keys=before.many_keys,
            )  # fmt: skip
        if result.verdict is Verdict.REFUTED:
            break
    return None if best is None else _after_levels(chosen, best, bits_alpha, grid, notes)


def _after_levels(chosen: Chosen, best: Decided, alpha: float, grid: tuple[float, ...], notes: list[str]) -> Decided:
    """Return the outcome with the later tests: last bits, lines that never ran, and data beyond the declared.

    Args:
        chosen: rule that chose the pairs.
        best: the strongest result over the levels.
        alpha: false-alarm probability of the test of last bits; 0 skips the test.
        grid: epsilons at which delta is bounded.
        notes: notes of the audit; the function appends to them.
    """
    sampler, promise, request, inputs = chosen.sampler, chosen.promise, chosen.request, chosen.inputs
    if best.result.verdict is not Verdict.REFUTED and alpha > 0:
        level, options = promise.levels[-1], {"seed": request.seed, "directions": request.directions, "profile": grid}
        result = floating_point.last_bits(sampler, best.tried, level, {**options, "alpha": alpha})
        if result is not None:
            pair = next(pair for pair in best.tried if pair.id == result.pair)
            pair, result = chosen.smaller(level, pair, result, {**options, "alpha": alpha})
            return replace(best, result=result, pair=pair, last_bits=True)
    if inputs is None or best.result.verdict is Verdict.REFUTED:
        return best
    coverage = coverage_of(inputs.search.steps, suspect.began_with(sampler.target))
    notes += [note] if (note := coverage.note()) else []
    best = replace(best, uncovered=coverage.doubt())
    if not tries_beyond(sampler, request) or best.result.verdict is not Verdict.CONSISTENT:
        return best
    candidates = [one.candidate for one in inputs.beyond if one.loss > 0]
    return replace(best, beyond=beyond_doubt(sampler, candidates, _smallest(promise), request, notes))


def _held_to_curve(result: BlackBoxResult, promise: Promise) -> BlackBoxResult:
    """Return the result; refuted if a lower bound of the profile exceeds the claimed delta at its epsilon.

    The bounds hold simultaneously, at a separate level alpha.
    """
    if result.verdict is Verdict.REFUTED:
        return result
    over = [(bound - promise.curve(epsilon), epsilon, bound) for epsilon, bound in result.profile if bound > 0]
    excess, epsilon, bound = max(over, default=(0.0, 0.0, 0.0))
    if excess <= 0:
        return result
    claimed = promise.curve(epsilon)
    return replace(
        result, verdict=Verdict.REFUTED, epsilon=epsilon, delta_claimed=claimed, delta_lower=bound, lacking=0,
        epsilon_lower=max(result.epsilon_lower, epsilon),
    )  # fmt: skip


def _located(sampler: Sampler, decided: Decided, promise: Promise, request: MechanismRequest) -> Decided:
    """Return the outcome with the lines that draw noise; a failure of the target here does not change the verdict.

    The recorded block counts include whether there was time for this step. A replay therefore reports no line that the
    audit did not reach.
    """
    refuted = decided.result if decided.result.verdict is Verdict.REFUTED else None
    pair, leak = decided.pair, decided.leak
    if refuted is None and decided.suspected is not None:
        leak = decided.suspected
        refuted, pair = steered.result_of_test(leak, _smallest(promise)), leak.exposed.pair
    pace = sampler.pace
    logs = 2 * RELEASES * (sampler.steered_seconds or sampler.release_seconds)
    if pace.limit() != 0 if pace.planned is not None else logs <= max(pace.seconds(), pace.share_of(QUICK)):
        with suppress(BudgetSpentError, MisbehavedError):
            decided = replace(decided, where=suspect.where(sampler, pair, refuted, leak, promise, request.seed))
            pace.drawn.append(1)
            return decided
    pace.drawn.append(0)
    return decided


def _smallest(promise: Promise) -> Level:
    """Return the level of smallest delta: an event that is impossible on the neighbour refutes it first."""
    return min(promise.levels, key=lambda level: level.delta)


def _steerable(sampler: Sampler, promise: Promise, request: MechanismRequest, notes: list[str]) -> bool:
    """Return whether to use importance sampling: counting is too slow, and the target's draws can be tilted."""
    claimed = _smallest(promise).delta
    if not request.steer or claimed <= NEXT_TO_NOTHING or request.wanted(claimed) >= steered.RARE:
        return False
    if not sampler.sees_draws:
        notes.append(NOT_STEERED)
        return False
    return True


def _steered(
    sampler: Sampler,
    pairs: Sequence[Neighbours],
    promise: Promise,
    request: MechanismRequest,
    alpha: float,
    notes: list[str],
) -> tuple[SteeredTest, ...] | None:
    """Return the tests of the smallest exposed pair and of the one with most keys; None if importance sampling fails.

    The tests share alpha evenly. Keys that may not be renamed are tested only if the target declares to release no
    others.
    """
    declared = bool(sampler.target.releases_only_input_keys)
    level, found = _smallest(promise), []
    wanted = request.wanted(level.delta)
    named = request.keys or sampler.target.public_partitions or promise.keys or sampler.fixed_keys
    free = request.searches and not named
    exposed = one_sample.most_telling(one_sample.exposed(pairs, request.directions)) if free or declared else []
    for target in exposed:
        share = alpha / len(exposed)
        try:
            test = steered.steered_test(sampler, target, level, share, request.seed, wanted, declared=declared)
        except steered.UnsteeredError as error:
            notes.append(f"{error}: what has probability delta is seen in about 1/delta releases")
            return None
        if test is None:
            continue
        found.append(test)
        if test.rejected:
            return tuple(found)
        notes.append(
            f"steered draws ({test.tilted}): a key that the neighbour lacks is released with a probability of about "
            f"{test.estimate:.2g}, and of at least {real(test.lower, down=True, digits=2)} (pair {target.pair.id})"
        )
    return tuple(found)


def _suspected(
    sampler: Sampler, pairs: Sequence[Neighbours], promise: Promise, request: MechanismRequest, alpha: float
) -> SteeredTest | None:
    """Return a test of a value that both sides release; it refutes only under an unproved assumption."""
    same = gaussian_value.most_telling(pairs)
    if same is None:
        return None
    direction, level = request.directions[0], _smallest(promise)
    test = gaussian_value.gaussian_value_test(sampler, same, direction, level, alpha, request.seed)
    return test if test is not None and test.rejected else None


def _counted_down_to(wanted: float, before: Before, rare: Explored | None, request: MechanismRequest) -> float:
    """Return the delta that counting must detect: relaxed to `NOTHING_CLAIMED` if other tests cover smaller deltas.

    Importance sampling covers them if it explored every pair, and the release of keys that a neighbour lacks, down to
    the required delta. If draws cannot be tilted, releases of many single-user keys test the release of a key, and
    counting tests likelier events. Other rare events then remain untested; the verdict states both powers.
    """
    many, tests = before.many_keys, before.tests
    if rare is None and many is not None and many.level.delta > 0 and many.power <= wanted < steered.RARE:
        return many_keys.COUNTED
    shown = rare is not None and rare.least <= wanted and tests is not None
    least = max(wanted, request.wanted(steered.SMALLEST))
    return max(wanted, NOTHING_CLAIMED) if shown and all(test.power <= least for test in tests or ()) else wanted


def _enough(sampler: Sampler, rare: Explored, wanted: float, counted: float, alpha: float) -> float:
    """Return the delta at which counting ends: the required delta, or the default if there is too little time.

    Fewer than -log(alpha) / `wanted` releases cannot distinguish an event of probability `wanted` from an impossible
    one. The recorded block counts include whether there was time.
    """
    pace = sampler.pace
    takes = 2 * sampler.release_seconds * -math.log(alpha) / wanted
    hopeless = bool(pace.limit()) if pace.planned is not None else bool(rare.why) and takes > pace.seconds()
    pace.drawn.append(int(hopeless))
    return max(counted, NOTHING_CLAIMED) if hopeless else counted


def _band(sampler: Sampler, pair: Neighbours, result: BlackBoxResult, request: MechanismRequest) -> Band | None:
    """Return bounds on the trade-off function from the tested releases of all pairs; None without any.

    A refutation takes too few releases for these bounds. Fresh releases of its pair follow if there is time.
    """
    epsilons = tuple(sorted({*PROFILE_EPSILONS, result.epsilon}))
    of_bets = None
    if result.tradeoff:
        fpr, fnr = np.array(result.tradeoff).T
        of_bets = Band(TradeoffBand(fpr, fnr, result.alpha), result.samples, epsilons)
    n, pace = min(BAND_SAMPLES, 4 * result.pair_samples), sampler.pace
    if result.verdict is not Verdict.REFUTED or result.view is None:
        return of_bets
    if pace.limit() == 0 or pace.over():
        pace.drawn.append(0)
        return of_bets
    try:
        left, right = (
            sampler(pair, side, n, block_generator(request.seed, "trade-off", pair.id, str(side))) for side in Side
        )
    except (BudgetSpentError, MisbehavedError) as error:
        sampler.trouble = error.what.detail if isinstance(error, MisbehavedError) else sampler.trouble
        pace.drawn.append(0)
        return of_bets
    pace.drawn.append(1)
    return Band(band_of_cells(result.view.counts(left, right), request.level), n, epsilons)


def _one_run(sampler: Sampler, promise: Promise, request: MechanismRequest, notes: list[str]) -> Decided:
    """Return the result of one release of many single-user keys, with the pair of one trial.

    The single release may take the whole budget.
    """
    target, keys, level = sampler.target, request.one_run or 0, promise.never
    if target.releases_only_input_keys is False:
        raise UsageError(f"--one-run is not valid: {target.name} declares releases_only_input_keys = False")
    target.limits = replace(target.limits, answer_seconds=max(target.limits.answer_seconds, request.budget))
    notes.append(f"assumed: {one_sample.INDEPENDENT_KEYS}; not valid otherwise")
    alpha, most = request.level, promise.adjacency.most_changed
    result, named, foreign = one_sample.one_run(sampler, keys, most, level, alpha, request.seed)
    if foreign:
        detail = f"{foreign} of the keys it releases are not keys of its input: a one-run audit is not valid"
        raise MisbehavedError(Misbehaved("foreign keys", detail))
    if result.verdict is Verdict.CONSISTENT and result.power > request.wanted(level.delta):
        result = replace(result, verdict=Verdict.UNDECIDED)
    return Decided(result, named, (named,))


def _rank(result: BlackBoxResult, rare: Explored | None) -> tuple[bool, bool, int, float]:
    """Return the sort key of a level: refuted, then undecided, then no violation found; then samples and wealth."""
    refuted = result.verdict is Verdict.REFUTED
    silent = result.verdict is Verdict.CONSISTENT and not (rare is not None and rare.suspicion)
    return (refuted, not silent, result.samples, result.log_wealth)


def _sentence(decided: Decided, promise: Promise, request: MechanismRequest) -> str:
    result = decided.result
    counted = counted_text(result) if request.one_run is None else f"one release of {request.one_run} keys"
    if result.verdict is Verdict.REFUTED:
        if decided.leak is not None:
            counted = f"{decided.leak.samples} releases with steered draws, {decided.leak.tilted}"
        named = "event" if result.event_status is EventStatus.CONFIRMED else "likely event"
        return (
            f"refutes {promise}: at epsilon={result.epsilon:g} "
            f"delta is at least {real(result.delta_lower, down=True)}, "
            f"{named}: {result.event} ({result.direction.value}, pair {result.pair}, {counted})"
            + (f"; {floating_point.REMEDY}" if decided.last_bits else "")
        )
    silence = f"no violation seen in {counted}; {_power(decided, promise, request)}"
    if result.verdict is Verdict.CONSISTENT:
        return silence
    least = request.wanted(result.delta_claimed)
    counting = decided.counted
    wanted = real(least, down=False)
    of_epsilon = not result.delta_claimed and least < NOTHING_CLAIMED and request.detect.endswith("x")
    wanted += ", as that multiple of epsilon takes" if of_epsilon else ""
    wanted += f", of counting {real(counting, down=False)}" if counting > least else ""
    if result.power >= 1:
        each = "" if len(decided.tried) == 1 else f" on each of {len(decided.tried)} pairs"
        few = f"undecided: {counted} are too few to see any violation{each}"
        few += "" if decided.many_keys is None else f"; {decided.many_keys.power_text}"
        countable = math.exp(result.epsilon) < MOST_SAMPLES
        remedy = "draw more" if countable else (
            f"no number of releases shows that the neighbour gives an event less than e^-{result.epsilon:g}; state "
            "what is claimed at a smaller epsilon too, with --profile"
        )  # fmt: skip
        return f"{few}; --detect {request.detect} asks for {wanted}: {remedy}"
    more = ""
    if result.lacking:
        more = f"; that takes about {result.lacking:.2g} more releases a side; or ask for less with --detect"
    if decided.rare is not None and decided.rare.why:
        more += f"; steered draws would do where they say what is rare, but {decided.rare.why}"
    return f"undecided: {silence}, but --detect {request.detect} asks for {wanted}{more}"


def _power(decided: Decided, promise: Promise, request: MechanismRequest) -> str:
    """Return the text on the power of counting, importance sampling, the test of many keys and the exploration."""
    told = _power_of_counting(decided, promise, request)
    if decided.steered:
        power, drawn = max(test.power for test in decided.steered), sum(test.samples for test in decided.steered)
        told += (
            f"; and {drawn} releases with steered draws one >= {real(power, down=False, digits=2)} in the release of a "
            "key that the neighbour lacks"
        )
    if decided.many_keys is not None:
        told += f"; and {decided.many_keys.power_text}"
    rare = decided.rare
    if rare is not None and rare.least < 1:
        told += (
            f"; and {rare.releases} releases with tilted draws, on all {rare.pairs} pairs, showed nothing of one "
            f"neighbour alone down to a probability of about {real(rare.least, down=False, digits=2)} (no level of "
            f"confidence), in a tail of the first numbers of each line that draws ({rare.lines}) or behind a branch"
        )
    return told


def _power_of_counting(decided: Decided, promise: Promise, request: MechanismRequest) -> str:
    """Return the text on the power of counting and, for a claimed curve, its epsilon."""
    result, claimed = decided.result, real(decided.result.delta_claimed, down=False)
    each = "" if len(decided.tried) == 1 else f" on each of {len(decided.tried)} pairs"
    at = f" at epsilon={result.epsilon:g}" if promise.measure else ""
    power = real(result.power, down=False)
    told = f"would have caught a true delta >= {power}{at} with probability 0.95 (claimed {claimed})"
    rare = f"{told} in an event that the neighbour never shows{each}"
    if result.delta_claimed <= NEXT_TO_NOTHING and not promise.measure and request.one_run is None:
        shown = real(epsilon_shown(result.power, result.epsilon), down=False, digits=3)
        rare = (
            f"would have found epsilon >= {shown} (claimed {promise.epsilon}) with probability 0.95 in an event of "
            f"probability 1/2, and a delta >= {power} in one that the neighbour never shows{each}"
        )
    if result.detectable_delta >= 1 or request.one_run is not None:
        return rare
    return f"{rare}, and >= {real(result.detectable_delta, down=False)} in the likeliest event"
