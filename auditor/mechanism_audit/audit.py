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
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.black_box.pair_audit import Side
from auditor.errors import UsageError
from auditor.inputs.data import OTHER_USER, Rows, ends_of, left_out
from auditor.inputs.search import has_other
from auditor.inputs.shrinking import without_users
from auditor.inputs.sources import yielded_neighbours
from auditor.inputs.tables import ALL, Table
from auditor.mechanism_audit import draws, many_keys, one_sample, plain_pairs, representation
from auditor.mechanism_audit.beyond import BEYOND_SHARE, beyond_doubt, beyond_to_try
from auditor.mechanism_audit.early_tests import IMPORTANCE_SAMPLING, EarlyTests, Evidence, evidence_of, smallest
from auditor.mechanism_audit.input_search import AGAIN_SECONDS, search_inputs, with_ranked
from auditor.mechanism_audit.outcome import Outcome
from auditor.mechanism_audit.pair_search import FEW_USERS, LARGEST_COUNT, QUICK, beside, searched, usable
from auditor.mechanism_audit.pair_shrinking import shrunk
from auditor.mechanism_audit.promise import PROFILE_EPSILONS, Level
from auditor.mechanism_audit.request import NEXT_TO_NOTHING, NOTHING_CLAIMED, SAMPLES, is_beyond_counting
from auditor.mechanism_audit.result import Band, MechanismAudit, inputs_text, real, stopped
from auditor.mechanism_audit.sampler import DependentError, Pace, Sampler
from auditor.mechanism_audit.sentences import deciding_audit, doubt_sentence, exhausted_sentence, verdict_sentence
from auditor.mechanism_audit.stages import affordable, bet, concluded, first_releases, new_bets, refutation, shrunk_pair
from auditor.settings import MOST_SAMPLES
from auditor.statistics.betting import hypothesis
from auditor.statistics.seeds import block_generator, seed_of
from auditor.statistics.tradeoff import BAND_SAMPLES, TradeoffBand, band_of_cells
from auditor.target.target import CANNOT, BudgetSpentError, Misbehaved, MisbehavedError, Target, printing
from proofs_numeric.statements.neighbours import Neighbours
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from auditor.black_box.audit import BlackBoxResult, Run
    from auditor.inputs.data import Data
    from auditor.mechanism_audit.draws import Explored
    from auditor.mechanism_audit.input_search import Inputs
    from auditor.mechanism_audit.progress import Progress
    from auditor.mechanism_audit.promise import Promise
    from auditor.mechanism_audit.request import MechanismRequest

SCREENED = 1 << 15
"""Releases per dataset, over all pairs, after which bets pause for the exploration of rare events."""
SCREENING_SHARE = 0.1
"""Share of the remaining time for these releases."""
SUSPICION_SHARE = 0.25
"""Share of alpha for bets on the one pair of which an exploration suspects a rare event."""
PAIR_HITS = 20.0
"""Releases up to which a pair of the required delta shows the event until its interim analysis, at epsilon 0."""
RELEASES_AGAIN = 1 << 14
"""Releases with equal randomness that show whether a target ignores its input, if a few were equal."""
MORE_SECONDS = 1.0
"""CPU seconds, at the default budget, that the second pass of the search for the suspected line takes at most."""
GIVEN_DATA = "the data are given: no other data are tried, and the lines that run are not counted"
"""Note of an audit on pairs that the caller names."""
USUAL_DELTA = 1 / 16
"""Delta of a claimed curve at whose epsilon the privacy loss counts as usual: for 1-GDP, at epsilon 1.5."""
ONE_KEY = ("numbers", "numpy")
"""Forms of input without a column of keys, if the caller gives no data."""


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
    pairs = request.pairs_to_try(promise, data, kind)
    request.required_delta(promise.never.delta)
    if request.one_run is not None:
        _check_one_run(request, promise)
    notes = _strays(request, promise)
    notes += [note] if isinstance(data, Table) and (note := data.note()) else []
    notes += [note] if request.searches and (note := left_out(data, promise.adjacency)) else []
    with located:
        outcome: Outcome | None
        sampler = _sampler(request, located, data, kind, promise, watch)
        strategy_pairs = yielded_neighbours(yielded, promise.adjacency, request.values) if yielded else []
        of_strategy = tuple(map(sampler.formed, strategy_pairs))
        pairs = tuple(map(sampler.formed, pairs))
        conclude = partial(_conclude, request, promise, located.name, sampler)
        try:
            if request.one_run is None:
                sampler.check_speed(pairs[0].left if pairs else {sampler.first_key: 2}, seed_of(request.seed, "speed"))
            if not (pairs or sampler.keys or sampler.rows or located.command):  # the accepted keys are not declared
                notes += sampler.listen(seed_of(request.seed, "listen"))
            first = pairs[0].left if pairs else {sampler.first_key: 2}
            notes += sampler.look(first, seed_of(request.seed, "look"))
            notes += sampler.check_batches(first, seed_of(request.seed, "batches"))
            if request.one_run is not None:
                outcome, band = _one_run(sampler, promise, request, notes), None
            else:
                outcome = _decide(sampler, promise, pairs, of_strategy, request, data, notes)
                band = None if outcome is None else _band(sampler, outcome.pair, outcome.result, request)
                outcome = None if outcome is None else _located(sampler, outcome, promise, request)
                _look_again(sampler, outcome, request.seed)
        except MisbehavedError as error:
            has_note = printing(located.printed) in error.what.detail
            return conclude(
                Verdict.ERROR, f"{CANNOT}: {error.what.detail}", notes if has_note else notes + sampler.console()
            )
        except DependentError:
            text = "its releases depend on one another, drawn one by one as well: every test needs independent ones"
            remedy = "draw all noise of a release in its own call"
            return conclude(Verdict.UNDECIDED, f"undecided: {text}; {remedy}", notes + sampler.console())
        except BudgetSpentError:
            notes += sampler.notes(many=request.one_run is None)
            return conclude(Verdict.UNDECIDED, exhausted_sentence(sampler, request), notes)
        notes += sampler.notes(many=request.one_run is None)
    if outcome is None and not sampler.error:  # no pair was tried: no time was left
        return conclude(Verdict.UNDECIDED, exhausted_sentence(sampler, request), notes)
    if outcome is None:
        refusal = f"undecided: it refuses every tried input: raises {sampler.error}"
        return conclude(Verdict.UNDECIDED, f"{refusal}; {sampler.remedy_for_exceptions()}", notes)
    result = replace(outcome.result, event=sampler.add_places(outcome.result.event))
    outcome = replace(outcome, result=result)
    if not located.releases_only_input_keys:
        notes += one_sample.hint(sampler, outcome.pairs, request.directions)
    if result.verdict is not Verdict.REFUTED and (doubt := doubt_sentence(sampler, outcome)) is not None:
        return conclude(Verdict.UNDECIDED, f"undecided: {doubt}", notes, outcome, band)
    sentence = verdict_sentence(outcome, promise, request) if result.samples else exhausted_sentence(sampler, request)
    return conclude(result.verdict, sentence, notes, outcome, band)


def _sampler(
    request: MechanismRequest,
    located: Target,
    data: Data | None,
    kind: str,
    promise: Promise,
    watch: Callable[[Progress], object] | None,
) -> Sampler:
    """Return the sampler of the target's releases, for data in the form that the target takes."""
    if data is None and kind == "histogram" and request.input is None:
        kind = located.input or kind
    if (form := request.form(data, kind)) is not None:
        located.take(form)
    table = data.layout if isinstance(data, Table) else None
    users = LARGEST_COUNT if data is None else max(FEW_USERS, sum(data.values()))
    own_keys = data.keys_to_try if isinstance(data, Table) else (ALL,) if kind in ONE_KEY else tuple(data or ())
    return Sampler(
        located,
        Pace(request.budget, request.blocks, request.wall),
        rows=kind != "histogram",
        values=ends_of(data, request.values),
        fixed_keys=not table.names_keys if table is not None else kind in ONE_KEY,
        one_record=table.user is None if table is not None else kind in ONE_KEY,
        largest=request.largest_count or users,
        most_users=request.largest_count,
        bounded=data is not None
        or not request.searches
        or bool(request.claim or request.largest_count or request.keys or located.public_partitions),
        keys=tuple(request.keys) or located.public_partitions or own_keys or promise.keys,
        watch=watch,
    )


def _strays(request: MechanismRequest, promise: Promise) -> list[str]:
    """Return a warning if the caller's pair is no neighbouring pair of the claim; otherwise no warning."""
    if request.pair is None or request.claim is not None:
        return []
    try:
        promise.adjacency.check(request.pair["left"], request.pair["right"])
    except ValueError as error:
        return [f"--pair is no neighbouring pair ({error}): its result does not apply to the promise"]
    return []


def _differs(result: BlackBoxResult) -> bool:
    """Return whether the event's shares differ by five standard deviations: the releases then depend on the input."""
    left, right, n = result.event_left, result.event_right, max(1, result.event_samples)
    return abs(left - right) > 5 * math.sqrt((left * (1 - left) + right * (1 - right) + 1 / n) / n)


def _look_again(sampler: Sampler, outcome: Outcome | None, seed: int) -> None:
    """Compare many releases of the tried pairs with equal randomness if a few were equal, until a pair differs.

    The data may change the probability of a rare output only. The recorded block counts include the number of pairs.
    """
    if outcome is None or outcome.result.verdict is Verdict.REFUTED:
        return
    sampler.record_difference(has_difference=_differs(outcome.result))
    equal = takewhile(lambda _pair: not sampler.moved, () if sampler.constant else outcome.pairs)
    for pair in sampler.pace.within(equal, sampler.pace.share_of(AGAIN_SECONDS)):
        with suppress(BudgetSpentError, MisbehavedError), sampler.doing("comparing neighbours"):
            sampler.compared(pair, seed_of(seed, "look again"), RELEASES_AGAIN)


def _conclude(
    request: MechanismRequest,
    promise: Promise,
    name: str,
    sampler: Sampler,
    verdict: Verdict,
    detail: str,
    notes: Sequence[str],
    outcome: Outcome | None = None,
    band: Band | None = None,
) -> MechanismAudit:
    """Return the outcome of the audit, with its texts and numbers."""
    result = None if outcome is None else outcome.result
    epsilon, delta = promise.epsilon, promise.delta
    if promise.measure and result is not None:  # level of the curve at which the result was found
        epsilon, delta = f"{result.epsilon:.17g}", real(result.delta_claimed, down=False)
    stop = None if result is None else stopped(result, request, by_wall=sampler.pace.is_late)
    relation = str(promise.adjacency) if request.searches or request.relation_said else ""
    block_options = ["--blocks", ",".join(map(str, sampler.pace.blocks))] if sampler.pace.blocks else []
    if outcome is not None and verdict is not Verdict.REFUTED:
        notes = [*notes, inputs_text(outcome.pairs, relation)]
    return MechanismAudit(
        target=name,
        verdict=verdict,
        detail=detail,
        epsilon=epsilon,
        delta_claimed=delta,
        measure=promise.measure,
        result=result,
        pair=None if outcome is None else outcome.pair,
        tried=() if outcome is None else outcome.pairs,
        neighbours=relation,
        detect=None if result is None else request.required_delta(promise.never.delta),
        would_take=deciding_audit(request, lambda one: one.command(name, promise), sampler, outcome)
        if verdict is Verdict.UNDECIDED
        else None,
        alpha=request.alpha,
        seed=request.seed,
        notes=tuple(notes),
        band=band,
        stopped=stop,
        steered=() if outcome is None else outcome.steered,
        rare=None if outcome is None else outcome.rare,
        many_keys=None if outcome is None else outcome.many_keys,
        shared_keys=None if outcome is None else outcome.shared_keys,
        where=() if outcome is None else outcome.where.texts,
        suspect="" if outcome is None else outcome.where.suspect,
        reproduce=shlex.join([*request.command(name, promise), *block_options]),
        live=request.live,
    )


def _check_one_run(request: MechanismRequest, promise: Promise) -> None:
    """Raise UsageError if `--one-run` has fewer keys than one user may change, or if a pair is given."""
    most = promise.adjacency.most_changed
    if (request.one_run or 0) < most or request.pair is not None:
        raise UsageError(f"expected --one-run N >= {most} and no --pair, got --one-run {request.one_run}")


@dataclass(frozen=True)
class Stage:
    """Tests by counting, at all levels of the claim together.

    Attributes:
        sampler: source of the releases.
        request: options of the audit.
        promise: the claim.
        alpha: false-alarm probability.
        profile: epsilons at which delta is bounded.
    """

    sampler: Sampler
    request: MechanismRequest
    promise: Promise
    alpha: float
    profile: tuple[float, ...]

    def screened(self, run: Run[Neighbours]) -> BlackBoxResult | None:
        """Return a refutation by the first releases, which find gross violations; None if there is none."""
        most = min(SCREENED, self.request.samples or SAMPLES)
        return refutation(self.sampler, run, most, SCREENING_SHARE * self.sampler.pace.seconds(), self.profile)

    def explored(self, pairs: Sequence[Neighbours], required_delta: float) -> Explored:
        """Return the exploration of rare events down to the delta `required_delta`, on separate randomness."""
        rare_seed, seconds = seed_of(self.request.seed, "rare"), draws.EXPLORATION_SHARE * self.sampler.pace.seconds()
        with self.sampler.doing("exploring rare events"):
            return draws.explore(self.sampler, pairs, smallest(self.promise), required_delta, rare_seed, seconds)

    def bets(self, pairs: Sequence[Neighbours], weights: Sequence[float], alpha: float) -> Run[Neighbours]:
        """Return new bets."""
        request = self.request
        return new_bets(
            self.sampler, pairs, self.promise.levels, alpha=alpha, seed=request.seed, directions=request.directions,
            claim_id="decide", weights=weights,
        )  # fmt: skip

    def counted(
        self, run: Run[Neighbours], seconds: float, counted: float, rare: Explored | None, aim: float | None
    ) -> BlackBoxResult:
        """Return the result of counting down to a delta of `counted`; undecided if the power is too small.

        Bets on the pair of a suspicion are new, because the releases so far are on many pairs. Other bets go on.

        Args:
            run: the bets so far.
            seconds: time for the bets.
            counted: delta that counting must detect.
            rare: result of the exploration; None without one.
            aim: delta that counting detects if there is time, where another test covers new keys and a pair gets only
                the releases that it lacks; None otherwise.
        """
        sampler, request, enough = self.sampler, self.request, counted
        if rare is not None and rare.suspicion:  # found on separate randomness: all later releases may test it
            run = self.bets((rare.pair,), (1.0,), SUSPICION_SHARE * self.alpha)
        if rare is not None:
            enough = _enough(sampler, rare, request.required_delta(self.promise.never.delta), counted, run.alpha)
        evenly = aim is not None
        shares = run.shares.tolist()
        usual = request.samples or SCREENED
        if counted < 1 and request.samples is None:
            usual = first_releases(sampler, [audit.pair for audit in run.audits], shares)
        samples = SCREENED // 4 if evenly and request.samples is None else usual
        detect = aim or (enough if counted < 1 else None)
        budget = bet(
            sampler, run, samples, seconds, detect=detect, most=request.samples or MOST_SAMPLES,
            interim=detect is not None, extended=request.samples is None,
        )  # fmt: skip
        result = concluded(sampler, run, budget, self.profile)
        if result.verdict is Verdict.UNDECIDED and result.power <= counted:
            return replace(result, verdict=Verdict.CONSISTENT, lacking=0)
        lacks = result.verdict is Verdict.CONSISTENT and enough > counted < result.power
        return replace(result, verdict=Verdict.UNDECIDED) if lacks else result


@dataclass(frozen=True)
class Chosen:
    """Rule that chooses the pairs: the given pairs, pairs searched against the claim, and ranked datasets."""

    sampler: Sampler
    promise: Promise
    request: MechanismRequest
    given_pairs: tuple[Neighbours, ...]
    inputs: Inputs | None

    def pairs(self) -> tuple[tuple[Neighbours, ...], tuple[float, ...]]:
        """Return the pairs and the initial capital of each."""
        given_pairs, request, levels = self.given_pairs, self.request, self.promise.levels
        if not request.searches:
            return given_pairs, (1.0 / max(1, len(given_pairs)),) * len(given_pairs)
        epsilons, deltas = [level.epsilon for level in levels], [level.delta for level in levels]
        hypotheses = hypothesis(epsilons, deltas, request.directions)
        search_seed, hunt, seconds = seed_of(request.seed, "search"), request.claim is None, self.sampler.pace.seconds()
        with self.sampler.doing("searching neighbours"):
            searched_pairs = searched(self.sampler, self.promise.adjacency, hypotheses, search_seed, seconds, hunt=hunt)
        pairs, weights = beside(given_pairs, searched_pairs)
        if self.inputs is None:
            return pairs, weights
        ids = {pair.id for pair in (*given_pairs, *pairs[:1], *searched_pairs[:1], *self.promise.pairs)}
        usual = next((level for level in levels if level.delta <= USUAL_DELTA), levels[-1])
        first, pure = given_pairs[0].id if given_pairs else "", self.promise.never.delta <= NEXT_TO_NOTHING
        releases = self._releases()
        return with_ranked(self.sampler, pairs, weights, self.inputs, usual.epsilon, ids, first, releases, pure=pure)

    def _releases(self) -> float:
        """Return the releases per dataset that a pair takes, at least, for the required power."""
        delta = max(NOTHING_CLAIMED, self.request.required_delta(self.promise.never.delta))
        costs = (math.exp(one.epsilon) / (delta - one.delta) for one in self.promise.levels if one.delta < delta)
        return PAIR_HITS * min(costs, default=math.inf)

    def smaller(
        self, pair: Neighbours, result: BlackBoxResult, options: dict[str, Any]
    ) -> tuple[Neighbours, BlackBoxResult]:
        """Return the smallest pair refuted at the level of the result, and its result; a given pair stays unchanged."""
        if result.verdict is not Verdict.REFUTED or pair in self.given_pairs:
            return pair, result
        is_ranked = self.inputs is not None and pair in self.inputs.pairs and isinstance(pair.left, Rows)
        level = Level(result.epsilon, result.delta_claimed)
        together = pair.left.together if isinstance(pair.left, Rows) else 1
        sampler, seed = self.sampler, seed_of(self.request.seed, "shrink")

        def allowed(smaller: Neighbours) -> Neighbours | None:
            candidate = smaller if is_ranked else usable(smaller, sampler, self.promise.adjacency, together)
            # a refused empty input is no output elsewhere
            sides = () if candidate is None else (candidate.left, candidate.right)
            return None if any(not side and sampler.refuses(side, seed) for side in sides) else candidate

        with sampler.doing("looking for smaller neighbours"):
            return shrunk_pair(sampler, pair, level, result, options, allowed, without_users if is_ranked else shrunk)


def _inputs(
    sampler: Sampler,
    promise: Promise,
    given_pairs: Sequence[Neighbours],
    yielded: Sequence[Neighbours],
    request: MechanismRequest,
    data: Data | None,
) -> Inputs | None:
    """Return the datasets searched, None if the caller names the pairs; record whether the given pairs differ."""
    for pair in given_pairs:
        sampler.compared(pair, seed_of(request.seed, "look"))
    if not request.searches:
        return None
    with sampler.doing("searching data sets"):
        return search_inputs(sampler, promise, request, data, yielded, seed_of(request.seed, "inputs"))


def _of_known_users(
    sampler: Sampler, pairs: Sequence[Neighbours], inputs: Inputs | None, request: MechanismRequest, notes: list[str]
) -> tuple[Neighbours, ...]:
    """Return the pairs without those that the target refuses because of an invented user, and note the reason.

    A target that looks up users refuses every user outside its data. It then raises on the invented user alone, too.
    """
    if inputs is None or inputs.search.takes_others:
        return tuple(pairs)
    seed, accepted_pairs = seed_of(request.seed, "look"), list[Neighbours]()
    for pair in pairs:
        sides = [side for side in (pair.left, pair.right) if isinstance(side, Rows) and has_other(side)]
        alone = [Rows([row for row in side.rows if row[0] == OTHER_USER]) for side in sides]
        if not sides or not all(sampler.refuses(side, seed) for side in (*sides, *alone)):
            accepted_pairs.append(pair)
    if len(accepted_pairs) < len(pairs):
        notes.append(f"refuses users outside your data ({sampler.error}): tested with the users of your data alone")
    return tuple(accepted_pairs)


def _all_refused(sampler: Sampler, pairs: Sequence[Neighbours], seed: int) -> bool:
    """Return whether the target raises in each of a few releases of every side of every pair."""
    return all(sampler.refuses(side, seed_of(seed, "look")) for pair in pairs for side in (pair.left, pair.right))


def _decide(
    sampler: Sampler,
    promise: Promise,
    given_pairs: tuple[Neighbours, ...],
    yielded: tuple[Neighbours, ...],
    request: MechanismRequest,
    data: Data | None,
    notes: list[str],
) -> Outcome | None:
    """Return the outcome, None if no pair is left; note the assumptions of one-sample tests.

    The one-sample tests get their share of alpha if the target declares that it releases only input keys. Importance
    sampling and the test of many keys have shares of their own. All levels of the claim share the rest, and bet on the
    same releases.
    """
    details_alpha = representation.share(request) * request.level
    alpha, seed = request.level - details_alpha, request.seed
    grid = tuple(sorted({*PROFILE_EPSILONS, *(each.epsilon for each in promise.levels)}))
    if request.searches:
        plain_alpha = plain_pairs.ALPHA_SHARE * alpha
        alpha -= plain_alpha
        gross = _gross(Chosen(sampler, promise, request, given_pairs, None), plain_alpha, grid)
        if gross is not None:
            return gross
    early = EarlyTests(sampler, promise, request, bool(given_pairs), notes).tests(alpha)
    inputs = _inputs(sampler, promise, given_pairs, yielded, request, data)
    notes += () if inputs is None else inputs.notes
    chosen = Chosen(sampler, promise, request, _of_known_users(sampler, given_pairs, inputs, request, notes), inputs)
    pairs, weights = chosen.pairs()
    if not pairs or (sampler.refusals and _all_refused(sampler, pairs, seed)):
        return None
    evidence = evidence_of(early, sampler, pairs)
    if evidence.refutation is not None:
        return evidence.refutation
    required_delta = request.required_delta(promise.never.delta)
    explores = required_delta < NOTHING_CLAIMED and any(test.name == IMPORTANCE_SAMPLING for test in early)
    stage = Stage(sampler, request, promise, alpha - sum(test.alpha for test in early), grid)
    rare, result = None, None
    many = None if explores else evidence.many_keys
    covers_keys = many is not None and many.level.delta > NEXT_TO_NOTHING and many.power <= required_delta
    aim = affordable(sampler, len(pairs), required_delta) if covers_keys else None
    weights = weights if aim is None else (1.0 / len(pairs),) * len(pairs)
    run = stage.bets(pairs, weights, (1 - SUSPICION_SHARE * explores) * stage.alpha)
    if explores:
        result = stage.screened(run)
        rare = None if result is not None else stage.explored(pairs, required_delta)
    covered = _counted_down_to(promise, required_delta, evidence, rare, request)
    counted = covered if aim is None else max(required_delta, many_keys.COUNTED)
    if result is None:
        left = sampler.pace.seconds() * (1 - BEYOND_SHARE * bool(beyond_to_try(chosen.inputs, request)))
        left *= 1 - bool(representation.details(sampler, request)) * representation.SHARE
        result = stage.counted(run, left, counted, rare, aim)
    result_pair = next(pair for pair in pairs if pair.id == result.pair)
    options = {"alpha": stage.alpha, "seed": seed, "directions": request.directions, "profile": grid}
    result_pair, result = chosen.smaller(result_pair, result, options)
    shared = evidence.shared_keys
    if covers_keys and shared is not None and shared.power <= counted and result.verdict is Verdict.UNDECIDED:
        result = replace(result, verdict=Verdict.CONSISTENT, lacking=0)
    outcome = Outcome(
        result, result_pair, tuple(pairs), evidence.steered or (), suspected=evidence.suspected, rare=rare,
        counted=counted, many_keys=evidence.many_keys, shared_keys=shared,
    )  # fmt: skip
    return _after_counting(chosen, outcome, details_alpha, grid, notes)


def _gross(chosen: Chosen, alpha: float, grid: tuple[float, ...]) -> Outcome | None:
    """Return the refutation on plain pairs, with a smaller pair if one is refuted as well; None if there is none."""
    sampler, promise, request = chosen.sampler, chosen.promise, chosen.request
    with sampler.doing("testing plain neighbours"):
        pairs = plain_pairs.plain_pairs(sampler, promise, chosen.given_pairs, seed_of(request.seed, "plain"))
    if not pairs:
        return None
    options: dict[str, Any] = {"alpha": alpha, "seed": request.seed, "directions": request.directions}
    run = new_bets(sampler, pairs, promise.levels, claim_id="plain", **options)
    result = refutation(sampler, run, plain_pairs.RELEASES, plain_pairs.TIME_SHARE * sampler.pace.budget, grid)
    if result is None:
        return None
    result_pair = next(pair for pair in pairs if pair.id == result.pair)
    result_pair, result = chosen.smaller(result_pair, result, {**options, "profile": grid})
    return Outcome(result, result_pair, tuple(pairs))


def _after_counting(chosen: Chosen, best: Outcome, alpha: float, grid: tuple[float, ...], notes: list[str]) -> Outcome:
    """Return the outcome with the later tests: details of releases, lines that never ran, and data beyond the declared.

    Args:
        chosen: rule that chose the pairs.
        best: outcome of counting.
        alpha: false-alarm probability of the test of details.
        grid: epsilons at which delta is bounded.
        notes: notes of the audit; the function appends to them.
    """
    sampler, promise, request, inputs = chosen.sampler, chosen.promise, chosen.request, chosen.inputs
    if best.result.verdict is not Verdict.REFUTED:
        options = {"seed": request.seed, "directions": request.directions, "profile": grid, "alpha": alpha}
        tested = representation.details(sampler, request)
        details_result = representation.details_test(sampler, best.pairs, promise.levels, tested, **options)
        if details_result is not None:
            result, alone = details_result
            pair = next(pair for pair in best.pairs if pair.id == result.pair)
            pair, result = chosen.smaller(pair, result, options)
            return replace(best, result=result, pair=pair, alone=alone)
    if best.result.verdict is Verdict.REFUTED:
        return best
    if inputs is None:
        notes.append(GIVEN_DATA)
        return best
    coverage = draws.coverage_of(inputs.search.steps, draws.began_with(sampler.target))
    notes += [coverage.note()] if coverage.missed else []
    best = replace(best, coverage_doubt=coverage.doubt(), counts_lines=bool(coverage.missed))
    if best.result.verdict is not Verdict.CONSISTENT:
        return best
    candidates = beyond_to_try(inputs, request)
    doubt = beyond_doubt(sampler, candidates, promise, request, notes)
    return replace(best, beyond=doubt, bounds=inputs.bounds)


def _located(sampler: Sampler, outcome: Outcome, promise: Promise, request: MechanismRequest) -> Outcome:
    """Return the outcome with the lines that draw noise; a failure of the target here does not change the verdict.

    The recorded block counts include for how many passes there was time, so a replay reports the same lines.
    """
    refuted = outcome.result if outcome.result.verdict is Verdict.REFUTED else None
    refuted = None if outcome.alone is representation.ORDER else refuted  # no line that draws is at fault
    pair, leak = outcome.pair, outcome.leak
    if refuted is None and outcome.suspected is not None:
        leak = outcome.suspected
        refuted, pair = draws.result_of_test(leak, smallest(promise)), leak.exposed.pair
    pace = sampler.pace
    seconds = 2 * (sampler.steered_seconds or sampler.release_seconds)
    has_time = draws.RELEASES * seconds <= max(pace.seconds(), pace.share_of(QUICK))
    more = (draws.RELEASES + draws.MORE_RELEASES) * seconds <= pace.share_of(MORE_SECONDS)
    passes = pace.limit() if pace.planned is not None else has_time * (1 + more)
    if passes:
        with suppress(BudgetSpentError, MisbehavedError), sampler.doing("looking for the lines that draw"):
            where = draws.where(sampler, pair, refuted, leak, promise, request.seed, passes)
            pace.blocks.append(passes)
            return replace(outcome, where=where)
    pace.blocks.append(0)
    return outcome


def _counted_down_to(
    promise: Promise, required_delta: float, evidence: Evidence, rare: Explored | None, request: MechanismRequest
) -> float:
    """Return the delta that counting must detect: relaxed to `NOTHING_CLAIMED` if other tests cover smaller deltas.

    Importance sampling covers them if it explored every pair, and the release of keys that a neighbour lacks, down to
    the required delta. At an epsilon beyond counting, counting then need not detect anything (delta 1).
    """
    tests = evidence.steered
    is_covered = rare is not None and rare.least <= required_delta and tests is not None
    least = max(required_delta, request.required_delta(draws.SMALLEST))
    if not (is_covered and all(test.power <= least for test in tests or ())):
        return required_delta
    return 1.0 if is_beyond_counting(promise.levels[0].epsilon) else max(required_delta, NOTHING_CLAIMED)


def _enough(sampler: Sampler, rare: Explored, required_delta: float, counted: float, alpha: float) -> float:
    """Return the delta at which counting ends: the required delta, or the default if there is too little time.

    Fewer than -log(alpha) / `required_delta` releases cannot distinguish an event of probability `required_delta` from
    an impossible one. The recorded block counts include whether there was time.
    """
    pace = sampler.pace
    takes = 2 * sampler.release_seconds * -math.log(alpha) / required_delta
    hopeless = pace.decide_whether(bool(rare.why) and takes > pace.seconds())
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
        pace.blocks.append(0)
        return of_bets
    try:
        left, right = (
            sampler(pair, side, n, block_generator(request.seed, "trade-off", pair.id, str(side))) for side in Side
        )
    except (BudgetSpentError, MisbehavedError) as error:
        if isinstance(error, MisbehavedError):
            sampler.record_failure(error)
        pace.blocks.append(0)
        return of_bets
    pace.blocks.append(1)
    return Band(band_of_cells(result.view.counts(left, right), request.level), n, epsilons)


def _one_run(sampler: Sampler, promise: Promise, request: MechanismRequest, notes: list[str]) -> Outcome:
    """Return the result of one release of many single-user keys, with the pair of one trial.

    The single release may take the whole budget.
    """
    target, keys, level = sampler.target, request.one_run or 0, promise.never
    if target.releases_only_input_keys is False:
        raise UsageError(f"--one-run is not valid: {target.name} declares releases_only_input_keys = False")
    target.limits = replace(target.limits, answer_seconds=max(target.limits.answer_seconds, request.budget))
    notes.append(f"assumed: {one_sample.INDEPENDENT_KEYS}; not valid otherwise")
    alpha, most = request.level, promise.adjacency.most_changed
    result, result_pair, foreign = one_sample.one_run(sampler, keys, most, level, alpha, request.seed)
    if foreign:
        detail = f"{foreign} of the keys it releases are not keys of its input: a one-run audit is not valid"
        raise MisbehavedError(Misbehaved("foreign keys", detail))
    if result.verdict is Verdict.CONSISTENT and result.power > request.required_delta(level.delta):
        result = replace(result, verdict=Verdict.UNDECIDED)
    sampler.record_difference(has_difference=_differs(result))
    return Outcome(result, result_pair, (result_pair,))
