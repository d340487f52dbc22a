"""Empirical checks of a claimed (epsilon, delta) by fresh releases of a mechanism."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from auditor.black_box.audit import BlackBoxResult, Budget, EventStatus, audit_pairs
from auditor.black_box.pair_audit import Side, histogram_sampler
from auditor.checks import show
from auditor.checks.accumulated import combine_runs
from auditor.checks.check import Check, Context, Subject, family_of, finding, releasing
from auditor.checks.pair_profile import enclose_profile
from auditor.checks.promise import float_above, promised_delta
from auditor.checks.watched import WatchedMechanism, watch_mechanism
from auditor.findings.evidence import ReasonEvidence, SamplingEvidence, TradeoffPoint
from auditor.findings.finding import Finding
from auditor.statistics.error_budget import level
from auditor.statistics.exact_tests import OneSampleTest, impossible_event_test
from auditor.statistics.power import Laws, laws_of_profile
from auditor.statistics.seeds import block_generator
from auditor.statistics.tradeoff import BAND_SAMPLES, band_of_cells
from mechanisms.mechanism import Releasing
from mechanisms.pair import Pair
from proofs_numeric.arithmetic import Exact, Float64, exact
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.statements.verdict import Expectation, Verdict

BLACK_BOX, IMPOSSIBLE_KEY = "empirical.black_box", "empirical.impossible_key"
SHARING = 3
"""Parts of a subject's level: for black box, impossible key and white box, even if one does not apply."""
FAULT_PATIENCE = 4
"""Releases for a planted fault as a multiple of the profile's; the test stops at the refutation."""
_RELEASED_ONLY_INPUT_KEYS = "the mechanism releases only keys of its input (declared by it)"
INDEPENDENT = "releases are independent draws of the mechanism's generator"


class Setting:
    """A mechanism under audit, with its claim and pairs.

    Raises:
        TypeError: the subject releases nothing.
    """

    def __init__(self, subject: Subject, context: Context) -> None:
        if not isinstance(subject, Releasing):
            raise TypeError(f"expected a mechanism, a fault or a control, got {subject.id}")
        self.claim, self.pairs = context.registry.claim(subject.held_to), subject.audited_pairs
        self.epsilons = tuple(exact(e) for e in subject.audited_epsilons or context.profile.epsilons)
        self.directions = subject.audited_directions
        self.family = family_of(subject.id, subject.subject_kind, context.registry)
        self.subject = subject
        self.parameters: dict[str, Any] = dict(subject.parameters)
        self.mechanism = watch_mechanism(subject.build, subject.parameters, subject.id)
        self.unit_level = level(context.alpha, self.family, SHARING * len(getattr(context.registry, self.family)))
        self.alpha = self.unit_level / len(self.epsilons)
        patience = FAULT_PATIENCE if subject.expected is Expectation.REFUTED else 1
        self.samples = patience * context.profile.samples // len(self.epsilons)

    @property
    def exact_parameters(self) -> dict[str, Exact]:
        """Exact values of the parameters."""
        return {name: exact(value) for name, value in self.parameters.items()}

    def pair(self, identifier: str) -> Pair:
        """Return the pair with an id."""
        return next(pair for pair in self.pairs if pair.id == identifier)

    def delta(self, epsilon: Exact) -> float:
        """Return the claimed delta at an epsilon, rounded up."""
        return float_above(promised_delta(self.claim, self.parameters, epsilon).upper)


def check_black_box(subject: Subject, context: Context) -> Sequence[Finding]:
    """Test all pairs and directions by a betting e-process at each epsilon, multiplied by earlier runs' wealth."""
    setting = Setting(subject, context)
    continued = context.continued
    if continued is not None and continued.subject != subject.id:
        continued = None
    alpha = float(setting.alpha) if continued is None else continued.alpha / len(setting.epsilons)
    run = "" if continued is None else f":run {continued.number}"
    seed = context.seed if continued is None else continued.seed
    results, evidence = [], []
    for epsilon in setting.epsilons:
        delta = setting.delta(epsilon)
        result = audit_pairs(
            histogram_sampler(setting.mechanism),
            setting.pairs,
            float(epsilon),
            delta,
            alpha=alpha,
            seed=seed,
            budget=Budget(samples=setting.samples),
            claim_id=(claim_id := f"{BLACK_BOX}:{subject.id}:{epsilon}{run}"),
            directions=setting.directions,
            prior=0.0 if continued is None else continued.log_wealth,
            profile=sorted({float(e) for e in context.profile.elsewhere} - {float(epsilon)}),
            laws=partial(_laws, epsilon=float(epsilon)),
        )
        results.append((result, epsilon))
        tradeoff = _tradeoff(setting, result, alpha, partial(block_generator, seed, claim_id))
        number = None if continued is None else continued.number
        evidence.append(_sampling_evidence(setting, epsilon, delta, alpha, result, tradeoff, number))
    verdict, headline = _conclusion(results)
    headline = setting.mechanism.add_notes(headline)
    if continued is not None:
        refuted, sentence = combine_runs(continued, evidence)
        verdict, headline = (Verdict.REFUTED if refuted else Verdict.CONSISTENT), f"{sentence}; this run: {headline}"
    return [finding(subject, BLACK_BOX, context, verdict, headline, evidence, scope=_scope(setting))]


def _scope(setting: Setting) -> str:
    epsilons = ", ".join(show.exact_text(e) for e in setting.epsilons)
    return f"{len(setting.pairs)} pair{'s' if len(setting.pairs) > 1 else ''}, epsilon in {{{epsilons}}}"


def _conclusion(results: Sequence[tuple[BlackBoxResult, Exact]]) -> tuple[Verdict, str]:
    refuted = next((pair for pair in results if pair[0].verdict is Verdict.REFUTED), None)
    if refuted is not None:
        result, epsilon = refuted
        likelihood = "" if result.event_status is EventStatus.CONFIRMED else "likely "
        return Verdict.REFUTED, (
            f"delta({show.exact_text(epsilon)}) >= {_round_down(result.delta_lower)} on {likelihood}{result.pair} "
            f"({result.direction.value}), claimed {result.delta_claimed:.3g}; event: {result.event}; "
            f"{result.samples} releases per dataset"
        )
    few = next((result for result, _epsilon in results if result.verdict is Verdict.UNDECIDED), None)
    if few is not None:
        return Verdict.UNDECIDED, (
            f"{few.samples} releases per dataset are too few to detect any violation in the likely event "
            f"(claimed {few.delta_claimed:.3g} at epsilon {few.epsilon:g})"
        )
    result = max((result for result, _epsilon in results), key=lambda r: r.detectable_delta)
    return Verdict.CONSISTENT, (
        f"no violation seen; would have found a delta >= {_up(result.detectable_delta)} with probability 0.95 "
        f"on the likely event (claimed {result.delta_claimed:.3g} at epsilon {result.epsilon:g})"
    )


def _round_down(value: float) -> str:
    return show.real(Fraction(value), 4, -1)


def _up(value: float) -> str:
    return show.real(Fraction(value), 4, 1)


def _laws(pair: Pair, epsilon: float) -> Laws | None:
    """Return laws that dominate the pair, from its exact profile; None if it has none."""
    profile, A = pair.profile, Float64()
    if profile is None:
        return None
    return laws_of_profile(lambda e, way: float(profile(A, A.number(e), way)), epsilon)


def _tradeoff(
    setting: Setting, result: BlackBoxResult, alpha: float, generator: Callable[..., np.random.Generator]
) -> list[TradeoffPoint]:
    """Return the corners of the bound on the trade-off function of the reported pair.

    The bound uses the releases that were bet on. After a refutation they are too few, so fresh releases are drawn.
    """
    corners: Sequence[tuple[float, float]] = result.tradeoff
    if result.verdict is Verdict.REFUTED and result.view is not None:
        pair = setting.pair(result.pair)
        sampler = histogram_sampler(setting.mechanism)
        left, right = (sampler(pair, side, BAND_SAMPLES, generator(pair.id, str(side), "trade-off")) for side in Side)
        corners = band_of_cells(result.view.counts(left, right), alpha).corners()
    return [TradeoffPoint(fpr=_up(x), fnr=_up(y)) for x, y in corners]


def _sampling_evidence(
    setting: Setting,
    epsilon: Exact,
    delta: float,
    alpha: float,
    result: BlackBoxResult,
    tradeoff: list[TradeoffPoint],
    run: int | None,
) -> SamplingEvidence:
    pair = setting.pair(result.pair)
    profile = enclose_profile(pair, epsilon, result.direction)
    return SamplingEvidence(
        method="betting e-process on events learnt from earlier releases; wealth averaged over pairs and directions",
        pair=f"{pair.id}: {dict(pair.left)} against {dict(pair.right)}",
        direction=result.direction.value,
        event=result.event,
        event_status=result.event_status.value,
        parameters=show.parameters(setting.exact_parameters),
        epsilon=show.exact_text(epsilon) if "/" not in show.exact_text(epsilon) else repr(float(epsilon)),
        delta_claimed=_up(delta),
        delta_lower=_round_down(result.delta_lower),
        delta_exact=None if profile is None else show.enclosure_text(profile, 12),
        epsilon_lower=_round_down(result.epsilon_lower) if math.isfinite(result.epsilon_lower) else "infinity",
        level=show.real(Fraction(alpha), 12, 1),
        samples=result.samples,
        blocks=result.blocks,
        log10_wealth=show.real(Fraction(result.log_wealth / math.log(10)), 6, -1),
        wealth=result.wealth(),
        detectable_delta=_up(result.detectable_delta),
        efficiency=None if result.efficiency is None else show.real(Fraction(result.efficiency.share), 2, -1),
        efficiency_law=None if result.efficiency is None else result.efficiency.law,
        profile_lower={f"{e:g}": _round_down(bound) for e, bound in result.profile},
        tradeoff=tradeoff,
        run=run,
        notes=setting.mechanism.notes(),
        assumptions=[INDEPENDENT],
    )


# --- impossible keys --------------------------------------------------------------------------------------------------


def impossible_keys(pair: Pair, direction: Direction) -> tuple[str, ...]:
    """Return the keys in P's histogram alone, which Q cannot release if only input keys are released."""
    p, q = (pair.left, pair.right) if direction is Direction.FORWARD else (pair.right, pair.left)
    return tuple(key for key, count in p.items() if count and not q.get(key, 0))


def check_impossible_key(subject: Subject, context: Context) -> Sequence[Finding]:
    """Test the release of a key that the neighbour lacks, by an exact one-sample binomial test."""
    setting = Setting(subject, context)
    exposed = [(pair, way) for pair in setting.pairs for way in setting.directions if impossible_keys(pair, way)]
    if not setting.mechanism.releases_only_input_keys or not exposed:
        why = "no declared pair has a key on one side only" if not exposed else "it may release keys outside its input"
        reason = ReasonEvidence(text=why, remedy="the black-box test covers it")
        return [finding(subject, IMPOSSIBLE_KEY, context, Verdict.NOT_APPLICABLE, why, [reason])]
    n = context.profile.samples // len(exposed)
    share = float(setting.alpha / len(exposed))
    evidence, outcomes = [], []
    for pair, direction in exposed:
        keys = impossible_keys(pair, direction)
        hits = _released(setting.mechanism, pair, direction, keys, n, context.seed, subject.id)
        for epsilon in setting.epsilons:
            delta = setting.delta(epsilon)
            test = impossible_event_test(hits, n, delta, share)
            outcomes.append((test, pair, direction, epsilon, delta, hits))
            evidence.append(_one_sample_evidence(setting, outcomes[-1], keys, n, share))
    refuted = next((outcome for outcome in outcomes if outcome[0].rejected), None)
    if refuted is not None:
        test, pair, direction, epsilon, delta, hits = refuted
        headline = (
            f"{hits} of {n} releases on {pair.id} ({direction.value}) hold a key the neighbour cannot release: "
            f"delta >= {_round_down(test.delta_lower)}, claimed {delta:.3g} at epsilon {show.exact_text(epsilon)}"
        )
        headline = setting.mechanism.add_notes(headline)
        return [finding(subject, IMPOSSIBLE_KEY, context, Verdict.REFUTED, headline, evidence, scope=_scope(setting))]
    test, pair, _direction, epsilon, delta, _hits = min(outcomes, key=lambda outcome: outcome[0].detectable_delta)
    headline = (
        f"no violation seen; would have found a delta >= {_up(test.detectable_delta)} with probability 0.95 on "
        f"{pair.id} (claimed {delta:.3g} at epsilon {show.exact_text(epsilon)})"
    )
    headline = setting.mechanism.add_notes(headline)
    return [finding(subject, IMPOSSIBLE_KEY, context, Verdict.CONSISTENT, headline, evidence, scope=_scope(setting))]


def _released(
    mechanism: WatchedMechanism, pair: Pair, direction: Direction, keys: Sequence[str], n: int, seed: int, subject: str
) -> int:
    histogram = pair.left if direction is Direction.FORWARD else pair.right
    hits, done, block = 0, 0, 0
    while done < n:
        size = min(n - done, 65_536)
        names, values = mechanism.release_many(
            histogram, size, block_generator(seed, IMPOSSIBLE_KEY, subject, pair.id, direction.value, block)
        )
        columns = [names.index(key) for key in keys if key in names]
        hits += int((~np.isnan(values[:, columns])).any(axis=1).sum())
        done, block = done + size, block + 1
    return hits


def _one_sample_evidence(
    setting: Setting,
    outcome: tuple[OneSampleTest, Pair, Direction, Exact, float, int],
    keys: Sequence[str],
    n: int,
    share: float,
) -> SamplingEvidence:
    test, pair, direction, epsilon, delta, hits = outcome
    profile = enclose_profile(pair, epsilon, direction)
    return SamplingEvidence(
        method="one-sample exact binomial",
        pair=f"{pair.id}: {dict(pair.left)} against {dict(pair.right)}",
        direction=direction.value,
        event=f"releases {' or '.join(keys)}",
        event_status="confirmed",
        parameters=show.parameters(setting.exact_parameters),
        epsilon=repr(float(epsilon)),
        delta_claimed=_up(delta),
        delta_lower=_round_down(test.delta_lower),
        delta_exact=None if profile is None else show.enclosure_text(profile, 12),
        level=show.real(Fraction(share), 12, 1),
        samples=n,
        hits=hits,
        detectable_delta=_up(test.detectable_delta),
        assumptions=[INDEPENDENT, _RELEASED_ONLY_INPUT_KEYS],
    )


CHECKS = (
    Check(
        name=BLACK_BOX, title="Black-box betting test",
        explain="Draws releases of both neighbours in blocks and bets against 'P(event) <= e^epsilon Q(event) + "
        "delta'. Only earlier blocks select stakes and events. The wealth is averaged over pairs and directions. If "
        "the claim holds, the wealth reaches 1/alpha with probability at most alpha, at any stopping time. The same "
        "releases give lower bounds on delta, on epsilon and on the profile delta(epsilon). They also give an upper "
        "bound on the f-DP trade-off function.",
        assumes="Releases are independent. The chosen events cannot distinguish the seeded generators from random "
        "numbers.",
        of="Mechanisms, controls, and faults that the test must refute.", applies=releasing(BLACK_BOX),
        run=check_black_box,
    ),
    Check(
        name=IMPOSSIBLE_KEY, title="Keys the neighbour cannot release",
        explain="Counts releases of keys that are in one histogram of a pair only, and tests delta with an exact "
        "one-sample binomial test.",
        assumes="Releases are independent. The mechanism releases keys of its input only, which empirical.input_keys "
        "tests.",
        of="Mechanisms, controls, and faults that name this check, if they declare that they release input keys only.",
        applies=releasing(IMPOSSIBLE_KEY), run=check_impossible_key,
    ),
)  # fmt: skip
