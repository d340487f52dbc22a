"""Datasets outside the declared range of the user's data: tried after all other tests, and never refuting the claim.

The claim does not cover such data. A violation on them leaves the verdict undecided, and the reason names the option
that includes or excludes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.inputs.rows import SPECIAL
from auditor.mechanism_audit.request import is_beyond_counting
from auditor.mechanism_audit.result import counted_text, real
from auditor.mechanism_audit.stages import paced
from auditor.statistics.seeds import seed_of
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.inputs.candidates import Candidate
    from auditor.mechanism_audit.input_search import Inputs
    from auditor.mechanism_audit.promise import Promise
    from auditor.mechanism_audit.request import MechanismRequest
    from auditor.mechanism_audit.sampler import Sampler

BEYOND_RELEASES, BEYOND_SHARE, BEYOND_POWER = 1 << 9, 0.15, 0.1
"""Limits of the test beyond the declared data: releases per dataset, more if the power requires them; share of the
time; and the delta to detect if no larger delta is requested."""


def beyond_to_try(inputs: Inputs | None, request: MechanismRequest) -> list[Candidate]:
    """Return the best pair of each kind of data beyond the declared data; none if claim or user names neighbours."""
    if inputs is None or request.claim is not None or request.neighbours is not None:
        return []
    return [one.candidate for one in inputs.beyond if one.loss > 0]


def beyond_doubt(
    sampler: Sampler, candidates: Sequence[Candidate], promise: Promise, request: MechanismRequest, notes: list[str]
) -> str | None:
    """Return why 'no violation found' is undecided; None, with a note, if no data violate the claim.

    Args:
        sampler: source of the releases.
        candidates: the best pair of each kind of data beyond the declared data.
        promise: claim that the pairs must satisfy.
        request: request with alpha, seed, directions and required power.
        notes: notes of the audit; the function appends to them.
    """
    releases, listed = 0, ", ".join(dict.fromkeys(one.beyond for one in candidates))
    if candidates and is_beyond_counting(promise.levels[0].epsilon):
        notes.append(f"not tried, because counting detects nothing here: data beyond your data and options: {listed}")
        return None
    for special in (False, True):  # report a finite value before NaN and infinity
        some = [one for one in candidates if (one.family in SPECIAL) is special]
        if not some:
            continue
        with sampler.doing("trying data beyond what is declared"):
            result = paced(
                sampler, [one.pair for one in some], promise.levels, BEYOND_RELEASES, sampler.pace.seconds() / 2,
                detect=max(BEYOND_POWER, request.required_delta(promise.never.delta)), alpha=request.level,
                claim_id=f"beyond, {'special' if special else 'finite'}", seed=seed_of(request.seed, "beyond"),
                directions=request.directions,
            )  # fmt: skip
        releases += result.samples
        if result.verdict is Verdict.REFUTED:
            case = next(one for one in some if one.pair.id == result.pair)
            return (
                f"{case.beyond} leads to a violation, and neither your data nor your options allow or exclude it: at "
                f"epsilon={result.epsilon:g} delta is at least {real(result.delta_lower, down=True)}, event: "
                f"{result.event} (pair {result.pair}, {result.direction.value}, {counted_text(result)}); {case.remedy}"
            )
        if result.verdict is Verdict.UNDECIDED:
            listed = ", ".join(dict.fromkeys(one.beyond for one in some))
            remedies = "; ".join(dict.fromkeys(one.remedy for one in some))
            return f"the budget was too small to try {listed}: give --budget, or exclude them: {remedies}"
    if candidates:
        notes.append(f"beyond your data and options, tried without a violation in {releases} releases: {listed}")
    return None
