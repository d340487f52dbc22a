"""How an accountant does on points that nobody searched for: its typical looseness, and the time of a call."""

from __future__ import annotations

import contextlib
import math
import time
from dataclasses import dataclass
from random import Random
from statistics import median

from auditor.accountant_audit.judge import Kind
from auditor.accountant_audit.log import Call, normal
from auditor.accountant_audit.request import AccountantRequest
from auditor.accountant_audit.search import Caller, PatienceError

ENOUGH, MOST = 25, 400
"""Practical points that are wanted, and points that are drawn for them."""


@dataclass(frozen=True)
class Survey:
    """Points drawn from the box, on logarithmic scales, at which the truth is practical.

    Args:
        points: how many.
        factor: median of returned/truth (of delta asked for/achieved) over those that are not below the truth; None
            where none is.
        milliseconds: median time of a call, of the target alone; NaN without one.

    """

    points: int
    factor: float | None
    milliseconds: float


def survey(request: AccountantRequest) -> Survey:
    """Call at drawn points until enough are practical; the search's own calls lie where answers are worst.

    Errors:
        as `audit_accountant`.

    """
    random, met, spent = Random(request.seed), list[Call](), list[float]()  # noqa: S311 - points, no secret
    with request.located() as target, contextlib.suppress(PatienceError):
        box = request.searched(target)
        caller = Caller(target, request.judge, box, float(request.budget))
        caller.phase(1)
        for _ in range(MOST):
            point = {axis.parameter.name: axis.draw(random) for axis in box.axes}
            if len(met) < ENOUGH and box.contains(point) and (call := caller(point)).practical and call.telling:
                met.append(call)
                started = time.perf_counter()
                target.call(point)
                spent.append(1000 * (time.perf_counter() - started))
    safe = [call.excess for call in met if call.kind in {Kind.RIGHT, Kind.LOOSE} and normal(call)]
    factor = math.exp(min(700.0, median(safe))) if safe else None
    return Survey(len(met), factor, median(spent) if spent else math.nan)
