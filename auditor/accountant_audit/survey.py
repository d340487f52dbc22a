"""Survey of an accountant at random points: typical looseness and time per call."""

import contextlib
import itertools
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import median

from auditor.accountant_audit.conclusion import concluded
from auditor.accountant_audit.excess import excess_epsilon
from auditor.accountant_audit.judge import Kind
from auditor.accountant_audit.log import BAD, Call, normal
from auditor.accountant_audit.practical import PRACTICAL
from auditor.accountant_audit.request import AccountantRequest
from auditor.accountant_audit.result import AccountantAudit
from auditor.accountant_audit.search import Caller, PatienceError, search
from auditor.accountant_audit.solved import DELTA
from auditor.accountant_audit.untaken import untaken
from auditor.search.parameter_points import SearchBox, exact_values
from auditor.target.target import Target
from proofs_numeric.statements.claim import QuantityKind
from proofs_numeric.statements.kinds import Calibration

ENOUGH, MOST = 25, 400
"""Number of practical points wanted, and maximum number of points drawn for them; the latter also limits timed
calls."""
LONG_ENOUGH = 0.3
"""CPU seconds after which timing ends; the CPU clock counts hundredths of a second."""
TOO_LARGE = 10
EXCESS_SHARE = 0.5
"""Share of the budget for computing excess epsilons."""


@dataclass(frozen=True)
class Survey:
    """Results at points drawn from the box on logarithmic scales, restricted to practical truths.

    Args:
        points: number of points.
        factor: median of returned/truth (of delta asked for/achieved) over answers not below the truth; None without
            one.
        excess: median excess epsilon over the same answers; None if the claim has no epsilon or there is no such
            answer.
        worst_excess: the largest excess epsilon.
        smallest_delta: the smallest delta asked for, or exact delta, down to which no answer of the audit was wrong or
            more than `TOO_LARGE` times too large; None without one.
        milliseconds: mean CPU time per call in the target's process, in milliseconds; NaN without a call.
    """

    points: int
    factor: float | None
    excess: float | None
    worst_excess: float | None
    smallest_delta: float | None
    milliseconds: float


def audit_and_survey(request: AccountantRequest) -> tuple[AccountantAudit, Survey]:
    """Audit, then call at random points until enough are practical; the search's calls are biased to the worst answers.

    Survey calls are part of the audit, so no surveyed answer is worse or looser than the audit reports.

    Errors:
        as `audit_accountant`.
    """
    with request.located() as target:
        box = request.searched(target)
        caller = Caller(target, request.judge, box, float(request.budget))
        search(caller, request.max_examples, request.seed)
        met = _call_random_points(caller, request)
        branches = untaken(target.branches, target.ways, box)
        audit = concluded(request, target.name, box, caller.log, len(caller.cut), branches)
        return audit, _survey(request, box, met, smallest_delta(request, caller.log), _milliseconds(target, met))


def _call_random_points(caller: Caller, request: AccountantRequest) -> list[Call]:
    """Call at random points with an additional budget, and return the practical calls."""
    random, met = Random(request.seed), list[Call]()  # noqa: S311 - points, no secret
    caller.budget += float(request.budget)
    caller.phase(1)
    points = ({axis.parameter.name: axis.draw(random) for axis in caller.box.axes} for _ in range(MOST))
    with contextlib.suppress(PatienceError):
        calls = (caller(point) for point in points if caller.box.contains(point))
        met += itertools.islice((call for call in calls if call.practical and call.telling), ENOUGH)
    return met


def _milliseconds(target: Target, met: Sequence[Call]) -> float:
    start, calls = target.cpu_seconds, 0
    while met and calls < MOST and target.cpu_seconds - start < LONG_ENOUGH:
        target.call(met[calls % len(met)].point)
        calls += 1
    return 1000 * (target.cpu_seconds - start) / calls if calls else math.nan


def smallest_delta(request: AccountantRequest, log: Sequence[Call]) -> float | None:
    """Return the smallest delta down to which answers are neither wrong nor much too large; None without one.

    Corners count only if their delta is below the practical range.
    """
    claim = request.judge.claim
    target = claim.kind.target if isinstance(claim.kind, Calibration) else ""
    if claim.quantity is not QuantityKind.DELTA and target != DELTA.name:
        return None
    decisive_calls = [call for call in log if call.telling and not math.isnan(call.excess)]
    deltas = [
        float(call.point[target] if target in call.point else call.judgement.truth.mid()) for call in decisive_calls
    ]
    usable = [call.kind not in BAD and call.excess < math.log(TOO_LARGE) for call in decisive_calls]
    low, high = PRACTICAL[DELTA.name]
    inside = [
        0 < delta < low or (call.practical and delta <= high)
        for call, delta in zip(decisive_calls, deltas, strict=True)
    ]
    falling = sorted(itertools.compress(zip(deltas, usable, strict=True), inside), reverse=True)
    good = [delta for delta, _ in itertools.takewhile(lambda one: one[1], falling)]
    return good[-1] if good else None


def _survey(
    request: AccountantRequest, box: SearchBox, met: Sequence[Call], smallest: float | None, milliseconds: float
) -> Survey:
    safe = [call for call in met if call.kind in {Kind.RIGHT, Kind.LOOSE} and normal(call)]
    factor = math.exp(min(700.0, median(call.excess for call in safe))) if safe else None
    end = time.process_time() + EXCESS_SHARE * request.budget
    excesses = []
    for call in safe:
        if time.process_time() > end:
            break
        excess = excess_epsilon(request.judge, exact_values({**box.constants, **call.point}), call.answer)
        excesses += (
            [] if excess is None else [0.0 if call.kind is Kind.RIGHT else excess]
        )  # delta may not move in epsilon
    return Survey(
        points=len(met),
        factor=factor,
        excess=median(excesses) if excesses else None,
        worst_excess=max(excesses, default=None),
        smallest_delta=smallest,
        milliseconds=milliseconds,
    )
