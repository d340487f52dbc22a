"""How an accountant does on points that nobody searched for: its typical looseness, and the time of a call."""

import contextlib
import itertools
import math
from dataclasses import dataclass
from random import Random
from statistics import median

from auditor.accountant_audit.judge import Kind
from auditor.accountant_audit.log import Call, normal
from auditor.accountant_audit.request import AccountantRequest
from auditor.accountant_audit.search import Caller, PatienceError

ENOUGH, MOST = 25, 400
"""Practical points that are wanted, and points that are drawn for them; of the calls that are timed the most."""
LONG_ENOUGH = 0.3
"""CPU seconds after which no more calls are timed: their clock ticks in hundredths."""


@dataclass(frozen=True)
class Survey:
    """Points drawn from the box, on logarithmic scales, at which the truth is practical.

    Args:
        points: how many.
        factor: median of returned/truth (of delta asked for/achieved) over those that are not below the truth; None
            where none is.
        milliseconds: mean CPU time of a call there, in the process of the target; NaN without one.
    """

    points: int
    factor: float | None
    milliseconds: float


def survey(request: AccountantRequest) -> Survey:
    """Call at drawn points until enough are practical; the search's own calls lie where answers are worst.

    Errors:
        as `audit_accountant`.
    """
    random, met, milliseconds = Random(request.seed), list[Call](), math.nan  # noqa: S311 - points, no secret
    with request.located() as target:
        box = request.searched(target)
        caller = Caller(target, request.judge, box, float(request.budget))
        caller.phase(1)
        points = ({axis.parameter.name: axis.draw(random) for axis in box.axes} for _ in range(MOST))
        with contextlib.suppress(PatienceError):
            drawn = (caller(point) for point in points if box.contains(point))
            met += itertools.islice((call for call in drawn if call.practical and call.telling), ENOUGH)
        start, calls = target.cpu_seconds, 0
        while met and calls < MOST and target.cpu_seconds - start < LONG_ENOUGH:
            target.call(met[calls % len(met)].point)
            calls += 1
        milliseconds = 1000 * (target.cpu_seconds - start) / calls if calls else math.nan
    safe = [call.excess for call in met if call.kind in {Kind.RIGHT, Kind.LOOSE} and normal(call)]
    factor = math.exp(min(700.0, median(safe))) if safe else None
    return Survey(len(met), factor, milliseconds)
