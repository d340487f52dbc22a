"""Sentences of an audit: the verdict with its power, reasons for doubt, and the audit that would decide."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from auditor.black_box.audit import EventStatus
from auditor.inputs.data import Rows
from auditor.mechanism_audit import draws, many_keys, shared_keys
from auditor.mechanism_audit.request import NEXT_TO_NOTHING, NOTHING_CLAIMED, is_beyond_counting
from auditor.mechanism_audit.result import WouldTake, about, counted_text, real, would_take
from auditor.mechanism_audit.sampler import LOOKS
from auditor.statistics.pure_epsilon import epsilon_shown
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from auditor.mechanism_audit.outcome import Outcome
    from auditor.mechanism_audit.promise import Promise
    from auditor.mechanism_audit.request import MechanismRequest
    from auditor.mechanism_audit.sampler import Sampler

YOUR_STRATEGY = "FILE.py:STRATEGY"
"""Name of a strategy that the user has to write, in a proposed command."""
MUCH_MORE = 10
"""Multiple of the budget that is proposed where the needed one is unknown."""
SURELY = 1.5
"""Multiple of the releases that an audit lacks by estimate: the proposed audit must decide."""
SLOW_RELEASES = 10_000
"""Releases that are proposed for a slow target: they decide a gross violation."""
BETTING = 2.0
"""CPU seconds of a release and the bets on it, as a multiple of the target's own."""


def verdict_sentence(outcome: Outcome, promise: Promise, request: MechanismRequest) -> str:
    """Return the verdict in one line, with the event of a refutation or with the power."""
    result = outcome.result
    releases = counted_text(result) if request.one_run is None else f"one release of {request.one_run} keys"
    if result.verdict is Verdict.REFUTED:
        if outcome.leak is not None:
            releases = f"{outcome.leak.samples} importance-sampled releases, {outcome.leak.tilted}"
        what = "event" if result.event_status is EventStatus.CONFIRMED else "likely event"
        return (
            f"{'' if outcome.alone is None else f'{outcome.alone.name} alone: '}refutes {promise}: "
            f"at epsilon={result.epsilon:g} "
            f"delta is at least {real(result.delta_lower, down=True)}, "
            f"{what}: {result.event} ({result.direction.value}, pair {result.pair}, {releases})"
            + ("" if outcome.alone is None else f"; {outcome.alone.remedy}")
        )
    if result.verdict is not Verdict.CONSISTENT and result.power >= 1:
        return _too_few(outcome, promise, request, releases)
    text = f"no violation seen in {releases}; {_power(outcome, promise, request)}"
    text += "" if outcome.counts_lines else "; coverage unknown: no line of the target was counted"
    if result.verdict is Verdict.CONSISTENT:
        return text
    more = ""
    if result.lacking:
        more = f"; that takes about {about(result.lacking)} more releases per dataset; or ask for less with --detect"
    if outcome.rare is not None and outcome.rare.why:
        more += f"; importance sampling would need fewer, but {outcome.rare.why}"
    return f"undecided: {text}, but --detect {request.detect} asks for {_delta_text(outcome, promise, request)}{more}"


def _too_few(outcome: Outcome, promise: Promise, request: MechanismRequest, releases: str) -> str:
    """Return the verdict without any power."""
    result = outcome.result
    text = f"undecided: {releases} are too few to see any violation{_each(outcome)}"
    text += "".join(f"; {test.power_text}" for test in (outcome.many_keys, outcome.shared_keys) if test is not None)
    remedy = "draw more"
    if is_beyond_counting(result.epsilon):
        remedy = (
            "no number of releases can prove that an event of the neighbour is less likely than "
            f"e^-{result.epsilon:g}; state the claim at a smaller epsilon too, with --privacy-profile"
        )
    return f"{text}; --detect {request.detect} asks for {_delta_text(outcome, promise, request)}: {remedy}"


def _delta_text(outcome: Outcome, promise: Promise, request: MechanismRequest) -> str:
    """Return the delta that the audit was required to detect, and that of counting if it is larger."""
    claimed = promise.never.delta
    least = request.required_delta(claimed)
    of_epsilon = not claimed and least < NOTHING_CLAIMED and request.detect.endswith("x")
    text = real(least, down=False) + (", the delta for that multiple of epsilon" if of_epsilon else "")
    return text + (f", of counting {real(outcome.counted, down=False)}" if outcome.counted > least else "")


def _each(outcome: Outcome) -> str:
    return "" if len(outcome.pairs) == 1 else f" on each of {len(outcome.pairs)} pairs"


def _power(outcome: Outcome, promise: Promise, request: MechanismRequest) -> str:
    """Return the power of counting, importance sampling, the test of many keys and the exploration."""
    beyond = is_beyond_counting(outcome.result.epsilon)
    counts = outcome.result.power < 1 or not (beyond or outcome.shared_keys is not None)
    parts = [_power_of_counting(outcome, promise, request)] if counts else []
    if outcome.steered:
        power, releases = max(test.power for test in outcome.steered), sum(test.samples for test in outcome.steered)
        parts.append(
            f"{releases} importance-sampled releases would have found >= {real(power, down=False, digits=2)} in the "
            "release of a key that the neighbour lacks"
        )
    parts += [test.power_text for test in (outcome.many_keys, outcome.shared_keys) if test is not None]
    rare = outcome.rare
    if rare is not None and rare.least < 1:
        parts.append(
            f"{rare.releases} importance-sampled releases on all {rare.pairs} pairs found no event of one neighbour "
            f"alone down to a probability of about {real(rare.least, down=False, digits=2)} (without a confidence "
            f"level), in a tail of the first numbers of each line that draws ({rare.lines}) or behind a branch"
        )
    if not counts and not beyond:
        parts.append("it is too slow for counting: events of several keys, or of other data, are not tested")
    if not counts and beyond:
        parts.append(f"counting detects nothing: no number of releases outweighs e^{outcome.result.epsilon:g}")
    return "; ".join(parts)


def _power_of_counting(outcome: Outcome, promise: Promise, request: MechanismRequest) -> str:
    """Return the power of counting and, for a claimed curve, its epsilon."""
    result, claimed = outcome.result, real(outcome.result.delta_claimed, down=False)
    at = f" at epsilon={result.epsilon:g}" if promise.measure else ""
    power = real(result.power, down=False)
    text = (
        f"would have found a delta >= {power}{at} with probability 0.95 (claimed {claimed}) in an event that is "
        f"impossible on the neighbour{_each(outcome)}"
    )
    if result.delta_claimed <= NEXT_TO_NOTHING and not promise.measure and request.one_run is None:
        least = real(epsilon_shown(result.power, result.epsilon), down=False, digits=3)
        text = (
            f"would have found epsilon >= {least} (claimed {promise.epsilon}) with probability 0.95 in an event of "
            f"probability 1/2, and a delta >= {power} in an event that is impossible on the neighbour{_each(outcome)}"
        )
    if result.detectable_delta >= 1 or request.one_run is not None:
        return text
    return f"{text}, and >= {real(result.detectable_delta, down=False)} in the likeliest event"


def doubt_sentence(sampler: Sampler, outcome: Outcome) -> str | None:
    """Return the reason why 'no violation found' is undecided; None if there is no reason."""
    test, rare = outcome.suspected, outcome.rare
    if test is not None:
        return (
            f"suspected of delta >= {real(test.delta_lower, down=True)} at epsilon={test.epsilon:g}, event: "
            f"{test.event} (pair {test.exposed.pair.id}, {test.samples} importance-sampled releases, {test.tilted}), "
            f"if {draws.ASSUMPTION}; this is not proved"
        )
    if rare is not None and rare.suspicion:
        return f"suspected of a rare event of one neighbour alone: {rare.suspicion}; {draws.UNPROVED}"
    return sampler.nothing_seen() or outcome.beyond or outcome.coverage_doubt


def exhausted_sentence(sampler: Sampler, request: MechanismRequest) -> str:
    """Return why an audit without a release for any test is undecided: CPU budget or wall-clock limit exhausted."""
    by_wall = sampler.pace.is_late or (sampler.few and request.wall is not None)
    within = f"--wall {request.wall:g} seconds" if by_wall else f"the budget of {request.budget:g} CPU seconds"
    few = f"fewer than {LOOKS} releases" if sampler.release_count < LOOKS else "too few releases to bet on"
    slow = ""
    if sampler.few:
        takes = f"{about(1 / sampler.speed)} s" if by_wall else f"{about(sampler.expected_seconds)} CPU s"
        slow = f" (a release takes about {takes})"
    return f"undecided: makes {few} within {within}{slow}; allow more with {'--wall' if by_wall else '--budget'}"


def deciding_audit(
    request: MechanismRequest,
    command: Callable[[MechanismRequest], list[str]],
    sampler: Sampler,
    outcome: Outcome | None,
) -> WouldTake | None:
    """Return the audit that is expected to decide where this one is undecided; None if more time does not help."""
    longer: dict[str, Any] = {"budget": MUCH_MORE * request.budget}
    if request.wall is not None:
        longer["wall"] = MUCH_MORE * request.wall
    reaching: dict[str, Any] = {"strategy": YOUR_STRATEGY} if request.searches and request.strategy is None else {}
    if outcome is None and sampler.refusals and reaching:
        return would_take(request, command, budget=request.budget, **reaching)
    if outcome is None or not outcome.result.samples:
        if sampler.few and request.wall is None:
            seconds = float(real(SLOW_RELEASES * sampler.expected_seconds, down=False, digits=2))
            longer["budget"] = max(longer["budget"], seconds)
        return would_take(request, command, **longer) if sampler.few or sampler.pace.over() else None
    test, rare, result = outcome.suspected, outcome.rare, outcome.result
    suspect = test.exposed.pair if test is not None else rare.pair if rare is not None and rare.suspicion else None
    if suspect is not None and not isinstance(suspect.left, Rows):
        sides = {"left": dict(suspect.left), "right": dict(suspect.right)}
        return would_take(request, command, **longer, pair=sides)
    if outcome.beyond is not None and outcome.bounds:  # the verdict if data never exceed those of the user
        return replace(would_take(request, command, budget=request.budget, **outcome.bounds), bounded=True)
    nothing = outcome.coverage_doubt is not None or sampler.nothing_seen() is not None
    reaching = reaching if nothing and outcome.beyond is None else {}
    if reaching and not result.lacking:
        return would_take(request, command, budget=request.budget, **reaching)
    many, shared = outcome.many_keys, outcome.shared_keys
    if many is not None and shared is not None and 0 < many.lacking_seconds + shared.lacking_seconds < math.inf:
        takes = many.lacking_seconds / many_keys.TIME_SHARE + shared.lacking_seconds / shared_keys.TIME_SHARE
        longer["budget"] = float(real(2 * sampler.pace.clock() + SURELY * takes, down=False, digits=2))
        return would_take(request, command, **longer, **reaching)
    counted = many is None or request.required_delta(many.level.delta) >= draws.RARE
    if many is not None and many.lacking and rare is None and not counted and many.lacking_seconds < math.inf:
        seconds = sampler.pace.clock() + SURELY * many.lacking_seconds / many_keys.TIME_SHARE
        longer["budget"] = max(request.budget, float(real(seconds, down=False, digits=2)))
        return would_take(request, command, **longer, **reaching)
    if not result.lacking or is_beyond_counting(result.epsilon):
        return None
    more = SURELY * result.lacking
    seconds = float(real(sampler.pace.clock() + 2 * BETTING * more * sampler.release_seconds, down=False, digits=2))
    longer = {"budget": max(request.budget, seconds)}
    if request.samples is not None:  # an audit without a limit draws until it has the power
        longer["samples"] = None
    return would_take(request, command, result.lacking, **longer, **reaching)
