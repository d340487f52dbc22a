"""Conclusions from a log of calls: verdict, classes with their worst calls, and counterexample."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from auditor.accountant_audit.excess import shortfalls
from auditor.accountant_audit.judge import Kind
from auditor.accountant_audit.log import (
    BAD,
    FEWEST,
    Call,
    Disorder,
    disorders,
    ignored,
    loosest,
    of_kind,
    relative_error,
    simplest,
    telling_share,
    verdict,
    worst,
)
from auditor.accountant_audit.request import AccountantRequest
from auditor.accountant_audit.result import (
    INCONSISTENT,
    LEAST_SHARE,
    AccountantAudit,
    ClassOfAnswers,
    point_of,
    text_of,
)
from auditor.accountant_audit.untaken import Untaken
from auditor.errors import UsageError
from auditor.findings.evidence import AccountantPoint
from auditor.search.parameter_points import SearchBox, exact_values
from auditor.target.target import shorten_path
from proofs_numeric.statements.kinds import Calibration
from proofs_numeric.statements.verdict import Verdict

ADMITTED = 0.5
"""Share of a smaller box that the claim's constraint admits, if it is proposed instead of one that it hardly admits."""


def concluded(
    request: AccountantRequest,
    name: str,
    box: SearchBox,
    log: Sequence[Call],
    cut: int = 0,
    open_branches: Sequence[Untaken] = (),
) -> AccountantAudit:
    """Return the audit result for a log of calls.

    Args:
        request: the request.
        name: name of the target.
        box: the searched box.
        log: every call.
        cut: number of searches that the budget ended.
        open_branches: branches that no call took.

    Errors:
        UsageError: the log is empty.
    """
    if not log:
        raise UsageError("the box holds no point of the claim's domain; widen it")
    constants = {key: text_of(value) for key, value in box.constants.items()}
    claim = request.judge.claim
    broken = disorders(claim, log, request.judge.rounding)
    log = _with_shortfalls(request, box, log)
    simple = {kind: _point(simplest(of_kind(log, kind)), constants) for kind in (*BAD, Kind.DIFFERS)}
    unsafe, invalid = simple[Kind.UNSAFE], simple[Kind.INVALID]
    beside, contradicts = _disordered(broken, constants)
    telling = [call for call in log if call.telling]
    called = len({repr(sorted(call.point.items())) for call in log})
    admitted = float(box.admitted(Random(request.seed)))  # noqa: S311 - a search, not a secret
    unbiased = float(telling_share(log))
    broad = len(telling) >= FEWEST and admitted * unbiased >= LEAST_SHARE
    covered = bool(telling) and (broad or (box.size is not None and called >= box.size))
    covered = covered and not any(one.decides for one in open_branches)
    conclusion = verdict(log, broken, covered=covered, strict=request.strict)
    refuting = log if conclusion is Verdict.REFUTED else []
    counterexample = simplest(of_kind(refuting, Kind.UNSAFE)) or simplest(of_kind(refuting, *BAD))
    error = relative_error(log)
    words = [
        "auditor",
        "accountant",
        shorten_path(name),
        "--against",
        request.against or request.claim.id,
        *request.form(),
        "--tolerance",
        request.tolerance,
    ]
    hardly = (
        admitted < ADMITTED and ADMITTED * unbiased >= LEAST_SHARE and not any(one.decides for one in open_branches)
    )
    narrow = hardly and not covered and verdict(log, broken, covered=True, strict=request.strict) is Verdict.CONSISTENT
    smaller = _smaller(request, box, telling) if narrow else None
    return AccountantAudit(
        target=name,
        claim=request.claim.id,
        verdict=conclusion,
        unsafe=unsafe,
        invalid=invalid or contradicts,
        beside=None if unsafe or invalid else beside,
        differs=simple[Kind.DIFFERS],
        loosest=_point(loosest(log), constants),
        worst_relative_error=None if error is None else f"{error:.3g}",
        examples=len(log),
        judged=len(telling),
        practical=sum(call.practical for call in telling),
        admitted=f"{admitted:g}",
        telling=f"{unbiased:.3g}",
        cut=cut,
        achieves=claim.kind.target if isinstance(claim.kind, Calibration) else "",
        sees=f"{min(call.judgement.sees for call in telling):.3g}" if telling else None,
        classes=_classes(log, broken, constants),
        ignored=tuple(ignored(log, [axis.parameter.name for axis in box.axes])),
        box=box.text(),
        constants=constants,
        untaken=tuple(open_branches),
        tolerance=request.tolerance,
        seed=request.seed,
        decides=_command(words, smaller, live=":" not in name) if smaller else "",
        reproduce=shlex.join([*words, *(request.words() if counterexample is None else _at(counterexample))]),
        calls=tuple(log),
        live=":" not in name,
    )


def _smaller(request: AccountantRequest, box: SearchBox, telling: Sequence[Call]) -> AccountantRequest | None:
    """Return the request for a smaller box, most of which the claim's constraint admits; None if none is found."""
    cut = box.cut_to([call.point for call in telling], ADMITTED, request.seed)
    if cut is None:
        return None
    ranges = {name: ends for name, ends in cut.text().items() if name in request.box or ends != box.text()[name]}
    return replace(request, box={**request.box, **ranges})


def _command(words: Sequence[str], request: AccountantRequest, *, live: bool) -> str:
    """Return the command line of a request; of a live object the option of the same call."""
    return f"the same call with box={dict(request.box)}" if live else shlex.join([*words, *request.words()])


def _with_shortfalls(request: AccountantRequest, box: SearchBox, log: Sequence[Call]) -> list[Call]:
    """Return the log with what the simplest and the worst practical unsafe answers lack, in their reasons."""
    bad = of_kind(log, Kind.UNSAFE)
    extremes = [simplest(bad), worst([call for call in bad if call.practical])]
    changed: dict[int, Call] = {}
    for call in extremes:
        if call is None or id(call) in changed:
            continue
        lacks = shortfalls(request.judge, exact_values({**box.constants, **call.point}), call.answer)
        if lacks:
            text = ", or ".join(one.text for one in lacks)
            judgement = replace(call.judgement, reason=f"{call.judgement.reason}: {text}", lacks=text)
            changed[id(call)] = replace(call, judgement=judgement)
    return [changed.get(id(call), call) for call in log]


def _classes(
    log: Sequence[Call], broken: Sequence[Disorder], constants: Mapping[str, str]
) -> dict[str, ClassOfAnswers]:
    classes = {}
    for kind in Kind:
        if calls := of_kind(log, kind):
            pick = loosest if kind is Kind.LOOSE else worst
            practical = [call for call in calls if call.practical]
            extreme, inside = (_point(pick(some) or simplest(some), constants) for some in (calls, practical))
            classes[kind.value] = ClassOfAnswers(
                len(calls), len(practical), _point(simplest(calls), constants), extreme, inside
            )
    if broken:
        pairs = [pair for pair in broken if pair.first.practical or pair.second.practical]
        plainest, used = (_disordered(some, constants)[1] for some in (broken, pairs))
        classes[INCONSISTENT] = ClassOfAnswers(len(broken), len(pairs), plainest, plainest, used)
    return classes


def _disordered(
    broken: Sequence[Disorder], constants: Mapping[str, str]
) -> tuple[AccountantPoint, AccountantPoint] | tuple[None, None]:
    """Return both calls of the simplest contradiction; the reason of the second has both answers."""
    pair = min(broken, key=lambda pair: pair.reading, default=None)
    if pair is None:
        return None, None
    second = point_of(pair.second, constants).model_copy(update={"reason": pair.reason, "ratio": None})
    return point_of(pair.first, constants), second


def _point(call: Call | None, constants: Mapping[str, str]) -> AccountantPoint | None:
    return None if call is None else point_of(call, constants)


def _at(call: Call) -> list[str]:
    return [word for name, value in call.point.items() for word in ("--box", f"{name}={text_of(value)}")]
