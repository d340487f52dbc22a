"""White box: the privacy loss of declared pairs under exponential tilting, to delta = 1e-12, against other statements.

For a pair with a declared loss there are up to five statements about delta(epsilon): the claim of the theorem, the
report of the accountant, the certified ball of the pair's exact profile, the interval from tilted losses, and a lower
bound from releases. If they contradict one another, `disagreement` names the wrong part: theorem, accountant, sampler
or numerics.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from auditor.black_box.audit import BlackBoxResult, Budget, audit_pairs
from auditor.black_box.pair_audit import histogram_sampler
from auditor.checks import show
from auditor.checks.check import Check, Context, Subject, finding
from auditor.checks.empirical import INDEPENDENT, Setting
from auditor.checks.pair_profile import FEW_BITS, enclose_profile
from auditor.checks.promise import float_above, least_epsilon, promised_delta
from auditor.findings.evidence import Enclosed, ReasonEvidence, SamplingEvidence
from auditor.findings.finding import Finding
from auditor.profile import RunProfile
from auditor.statistics.seeds import block_generator
from auditor.statistics.tilting import AnyLoss, TiltedInterval, chernoff_log_bound, tilted_interval
from mechanisms.mechanism import Releasing
from mechanisms.pair import Pair
from proofs_numeric.arithmetic import Exact
from proofs_numeric.arithmetic.enclosure import Enclosure, decimal_string
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.statements.verdict import Verdict

NAME = "empirical.white_box"
LARGEST_EPSILON = 700.0
EPSILON_DIGITS = 4
ENOUGH = Fraction(1, 10**6)
"""Relative width of a ball that is compared with tilted intervals."""
ROUNDING = Fraction(1, 10**9)
"""Relative margin for double rounding in the ends of a tilted interval."""
_DECLARED_LOSS = "the law of the privacy loss is as declared by the pair"
_DIGITS = 5


class Culprit(StrEnum):
    """The wrong part when statements about one delta contradict one another."""

    THEOREM = "theorem"
    ACCOUNTANT = "accountant"
    SAMPLER = "sampler"
    NUMERICS = "numerics"


@dataclass(frozen=True)
class Range:
    """Closed interval that contains a number."""

    lower: Fraction
    upper: Fraction


@dataclass(frozen=True)
class Statements:
    """Statements about delta(epsilon) of one pair and direction.

    Attributes:
        claimed: enclosure of the theorem's delta.
        tilted: interval from tilted losses.
        exact: certified ball of the pair's profile; None without a formula.
        lower: lower bound from releases of the mechanism; 0 without releases.
        reported: accountant id -> (its delta, relative tolerance).
    """

    claimed: Range
    tilted: Range
    exact: Range | None = None
    lower: Fraction = Fraction(0)
    reported: Mapping[str, tuple[Fraction, Fraction]] = field(default_factory=dict)


@dataclass(frozen=True)
class Disagreement:
    """One contradiction and its culprit."""

    culprit: Culprit
    why: str


def disagreement(statements: Statements) -> tuple[Disagreement, ...]:
    """Return the contradictions between statements; empty if all can be true together.

    The ball and the tilted interval describe the mechanism by two routes that share no formula. If they are disjoint,
    one of them is wrong, and releases above one of them identify it. Otherwise their intersection contains the delta of
    the analysed mechanism: a theorem below it understates delta, releases above it come from another mechanism, and an
    accountant below its theorem is unsafe.
    """
    tilted, exact = statements.tilted, statements.exact or statements.tilted
    off = [_accountant(name, *reported, statements.claimed) for name, reported in statements.reported.items()]
    differences = [wrong for wrong in off if wrong is not None]
    lower, upper = max(tilted.lower, exact.lower), min(tilted.upper, exact.upper)
    if lower > upper:
        blame = "one of the two is wrong"
        if statements.lower > upper:
            blame = "releases refute the " + ("profile's formula" if exact.upper < tilted.lower else "declared loss")
        why = f"the certified profile {_text(exact)} and the tilted losses {_text(tilted)} are disjoint; {blame}"
        return (*differences, Disagreement(Culprit.NUMERICS, why))
    if lower > statements.claimed.upper:
        why = f"the claimed delta {_text(statements.claimed)} is below the mechanism's {_text(Range(lower, upper))}"
        differences.append(Disagreement(Culprit.THEOREM, why))
    if statements.lower > upper:
        why = f"releases show delta >= {show.real(statements.lower, 4, -1)}, the mechanism analysed has {_text(exact)}"
        differences.append(Disagreement(Culprit.SAMPLER, why))
    return tuple(differences)


def _accountant(name: str, reported: Fraction, tolerance: Fraction, claimed: Range) -> Disagreement | None:
    if reported >= claimed.lower * (1 - tolerance):
        return None
    why = f"{name} reports {show.real(reported, 6)}, its theorem gives {_text(claimed)}"
    return Disagreement(Culprit.ACCOUNTANT, why)


def _text(values: Range) -> str:
    return f"[{show.real(values.lower, 6, -1)}, {show.real(values.upper, 6, 1)}]"


def epsilon_for(loss: AnyLoss, delta: float) -> Fraction:
    """Return the least epsilon >= 0 (to four digits, rounded up) with a Chernoff bound of at most delta.

    The bound covers the part of delta that comes from finite losses, and needs no formula of the profile.
    """
    from scipy.optimize import brentq

    def excess(epsilon: float) -> float:
        return chernoff_log_bound(loss, epsilon) - math.log(delta)

    if excess(0.0) <= 0:
        return Fraction(0)
    low, high = 0.0, 1.0
    while excess(high) > 0:
        if high == LARGEST_EPSILON:
            return Fraction(int(LARGEST_EPSILON))
        low, high = high, min(2.0 * high, LARGEST_EPSILON)
    return Fraction(decimal_string(Fraction(brentq(excess, low, high, xtol=1e-7, rtol=1e-7)), EPSILON_DIGITS, 1))


@dataclass(frozen=True)
class Case:
    """One pair, direction and epsilon."""

    pair: Pair
    direction: Direction
    loss: AnyLoss
    epsilon: Fraction
    first: bool
    """Whether releases are compared, too."""

    @property
    def name(self) -> str:
        """Text with pair, direction and epsilon."""
        return f"{self.pair.id} ({self.direction.value}) at epsilon {show.exact_text(self.epsilon)}"


def cases(
    pairs: Sequence[Pair], directions: Sequence[Direction], profile: RunProfile, least: Fraction = Fraction(0)
) -> list[Case]:
    """Return the cases of every pair with a declared loss, in every direction, at the epsilon of every target.

    Releases are compared at the first epsilon, in the first `released_directions` of the profile.

    Args:
        pairs: the pairs.
        directions: the directions.
        profile: profile of the run, with the target deltas.
        least: least epsilon in the claim's domain.
    """
    result = []
    for pair in pairs:
        if pair.loss is None:
            continue
        for direction in directions:
            loss = pair.loss(direction)
            epsilons = dict.fromkeys(max(least, epsilon_for(loss, float(target))) for target in profile.tilted_targets)
            released = direction in directions[: profile.released_directions]
            result += [Case(pair, direction, loss, eps, released and place == 0) for place, eps in enumerate(epsilons)]
    return result


def check_white_box(subject: Subject, context: Context) -> Sequence[Finding]:
    """Compare theorem, accountant, ball, tilted losses and releases with one another on every declared pair."""
    setting = Setting(subject, context)
    todo = cases(setting.pairs, setting.directions, context.profile, least_epsilon(setting.claim))
    if not todo:
        why = "no declared pair knows the law of its privacy loss"
        reason = ReasonEvidence(text=why, remedy="the black-box test covers it")
        return [finding(subject, NAME, context, Verdict.NOT_APPLICABLE, why, [reason])]
    # Half of the level is for tilted intervals, half for releases, each split evenly.
    tilted_share = setting.unit_level / 2 / len(todo)
    release_share = setting.unit_level / 2 / sum(case.first for case in todo)
    evidence, contradictions, least = [], [], Fraction(1)
    for case in todo:
        rng = block_generator(context.seed, NAME, subject.id, case.pair.id, case.direction.value, str(case.epsilon))
        interval = tilted_interval(
            case.loss, float(case.epsilon), context.profile.tilted_samples, float(tilted_share), rng
        )
        exact = enclose_profile(case.pair, case.epsilon, case.direction, ENOUGH, FEW_BITS)
        claimed = promised_delta(setting.claim, setting.parameters, case.epsilon)
        released = _released(setting, case, exact or claimed, release_share, context) if case.first else None
        statements = Statements(
            claimed=Range(claimed.lower, claimed.upper),
            tilted=_widen(interval),
            exact=None if exact is None else Range(exact.lower, exact.upper),
            lower=Fraction(0) if released is None else Fraction(released.delta_lower),
            reported=reports(context, setting.claim, setting.parameters, case.epsilon),
        )
        contradictions += [(case, wrong) for wrong in disagreement(statements)]
        evidence.append(_tilted_evidence(setting, case, statements, exact, interval, tilted_share))
        if released is not None:
            evidence.append(_release_evidence(case, statements, exact, released, release_share))
        if interval.lower > 0:
            least = min(least, statements.tilted.upper)
    verdict, headline = _conclusion(contradictions, len(todo), least)
    scope = f"{len({case.pair.id for case in todo})} of {len(setting.pairs)} pairs at the audited parameters"
    return [finding(subject, NAME, context, verdict, headline, evidence, scope=scope)]


def _conclusion(
    contradictions: Sequence[tuple[Case, Disagreement]], count: int, least: Fraction
) -> tuple[Verdict, str]:
    if contradictions:
        case, first = contradictions[0]
        culprits = " and ".join(dict.fromkeys(wrong.culprit.value for _case, wrong in contradictions))
        return Verdict.REFUTED, f"off: {culprits}; {case.name}: {first.why}"
    return Verdict.CONSISTENT, (
        f"{count} tilted intervals, down to delta {show.real(least, 2)}: theorem, accountant, certified profile, "
        "tilted losses and releases agree"
    )


def _widen(interval: TiltedInterval) -> Range:
    return Range(Fraction(interval.lower) * (1 - ROUNDING), min(Fraction(1), Fraction(interval.upper) * (1 + ROUNDING)))


def reports(
    context: Context, claim: Claim, parameters: Mapping[str, Exact], epsilon: Exact
) -> dict[str, tuple[Fraction, Fraction]]:
    """Return the deltas of this project's accountants for the claim, with their tolerances, by id."""
    values = {**parameters, "epsilon": epsilon}
    point = claim.domain.parse({name: value for name, value in values.items() if name in claim.domain.names})
    numbers = {name: value if isinstance(value, int) else float(value) for name, value in point.items()}
    result = {}
    for identifier in context.registry.where("accountants", {"against": claim.id, "library": ""}):
        accountant = context.registry.accountants[identifier]
        module, _, attribute = accountant.function.partition(":")
        reported = getattr(importlib.import_module(module), attribute)(**numbers)
        result[accountant.id] = Fraction(reported), max(Fraction(accountant.tolerance), ROUNDING)
    return result


def _released(setting: Setting, case: Case, analysed: Enclosure, share: Fraction, context: Context) -> BlackBoxResult:
    """Return a test of releases against the delta of the analysed mechanism, at which the test has power."""
    return audit_pairs(
        histogram_sampler(setting.mechanism),
        [case.pair],
        float(case.epsilon),
        float_above(analysed.upper),
        alpha=float(share),
        seed=context.seed,
        budget=Budget(samples=context.profile.tilted_samples),
        claim_id=f"{NAME}:{setting.subject.id}:{case.direction.value}",
        directions=(case.direction,),
    )


def _round_enclosure(exact: Enclosure | None) -> Enclosed | None:
    return None if exact is None else show.enclosure_text(exact, 12)


def _tilted_evidence(
    setting: Setting,
    case: Case,
    statements: Statements,
    exact: Enclosure | None,
    interval: TiltedInterval,
    share: Fraction,
) -> SamplingEvidence:
    return SamplingEvidence(
        method=f"tilted privacy loss, theta = {interval.theta:.4g}",
        pair=f"{case.pair.id}: {dict(case.pair.left)} against {dict(case.pair.right)}",
        direction=case.direction.value,
        parameters=show.parameters(setting.exact_parameters),
        epsilon=show.real(case.epsilon, EPSILON_DIGITS),
        delta_claimed=show.real(statements.claimed.upper, _DIGITS, 1),
        delta_lower=show.real(statements.tilted.lower, _DIGITS, -1),
        delta_upper=show.real(statements.tilted.upper, _DIGITS, 1),
        delta_exact=_round_enclosure(exact),
        level=show.real(share, 12, 1),
        samples=interval.samples,
        assumptions=[_DECLARED_LOSS],
    )


def _release_evidence(
    case: Case, statements: Statements, exact: Enclosure | None, result: BlackBoxResult, share: Fraction
) -> SamplingEvidence:
    return SamplingEvidence(
        method="betting e-process on releases against the exact profile of the pair",
        pair=f"{case.pair.id}: {dict(case.pair.left)} against {dict(case.pair.right)}",
        direction=case.direction.value,
        event=result.event,
        event_status=result.event_status.value,
        epsilon=show.real(case.epsilon, EPSILON_DIGITS),
        delta_claimed=show.real(statements.claimed.upper, _DIGITS, 1),
        delta_tested=show.real(Fraction(result.delta_claimed), _DIGITS, 1),
        delta_lower=show.real(statements.lower, 4, -1),
        delta_exact=_round_enclosure(exact),
        level=show.real(share, 12, 1),
        samples=result.samples,
        blocks=result.blocks,
        detectable_delta=show.real(Fraction(result.detectable_delta), 4, 1),
        assumptions=[INDEPENDENT],
    )


def _applies(subject: Subject, _catalogue: object) -> bool:
    if not isinstance(subject, Releasing) or not subject.answers_to(NAME):
        return False
    return subject.subject_kind != "control" or any(pair.loss is not None for pair in subject.audited_pairs)


CHECKS = (
    Check(
        name=NAME, title="White box: tilted privacy loss",
        explain="Samples the declared law of the privacy loss under exponential tilting, at epsilons with delta from "
        "1e-1 down to 1e-12. Encloses delta by a betting interval. Compares the interval with the certified profile "
        "of the pair, with the claim, with this suite's accountant and with a lower bound from releases. A "
        "contradiction names the wrong part: theorem, accountant, sampler or numerics.",
        assumes="The declared law is the law of the mechanism, which law.sampling and empirical.black_box test.",
        of="Mechanisms, controls, and faults that name this check, with a declared law of the privacy loss.",
        applies=_applies, run=check_white_box,
    ),
)  # fmt: skip
