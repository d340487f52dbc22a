"""Data beyond what is known of the user's data: tried after everything else, and never refuting.

Nobody promised anything about such data. A violation on them leaves the verdict undecided, with the option that
includes or excludes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.inputs.rows import SPECIAL
from auditor.mechanism_audit.result import counted_text, real
from auditor.mechanism_audit.stages import paced
from auditor.statistics.seeds import seed_of
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.inputs.candidates import Candidate
    from auditor.mechanism_audit.promise import Level
    from auditor.mechanism_audit.request import MechanismRequest
    from auditor.mechanism_audit.sampler import Sampler

BEYOND_RELEASES, BEYOND_SHARE, BEYOND_POWER = 1 << 13, 0.05, 0.1
"""Releases per dataset of data beyond what is known of the user's, the share of the time that is kept for them, and the
delta that they have to detect, where none larger is asked for."""


def tries_beyond(sampler: Sampler, request: MechanismRequest) -> bool:
    """Whether such data are tried: rows, unless a claim or the user names the neighbours."""
    return request.searches and sampler.rows and request.claim is None and request.neighbours is None


def beyond_doubt(
    sampler: Sampler, candidates: Sequence[Candidate], level: Level, request: MechanismRequest, notes: list[str]
) -> str | None:
    """Return why 'no violation found' is undecided; None if no such data show a violation, which a note says.

    Args:
        sampler: draws.
        candidates: the best pair of each kind of data beyond what is known.
        level: that the pairs are held to.
        request: whose alpha and power count.
        notes: of the audit.
    """
    drawn = 0
    for special in (False, True):  # a finite value is reported before NaN and infinity
        some = [one for one in candidates if (one.family in SPECIAL) is special]
        if not some:
            continue
        with sampler.doing("trying data beyond what is declared"):
            result = paced(
                sampler, [one.pair for one in some], level, BEYOND_RELEASES, sampler.pace.seconds() / 2,
                claim_id=f"beyond, {'special' if special else 'finite'}", alpha=request.level,
                seed=seed_of(request.seed, "beyond"), directions=request.directions,
            )  # fmt: skip
        drawn += result.samples
        if result.verdict is Verdict.REFUTED:
            named = next(one for one in some if one.pair.id == result.pair)
            return (
                f"{named.beyond} shows a violation, and neither your data nor your options say whether there can be "
                f"one: at epsilon={level.epsilon:g} delta is at least {real(result.delta_lower, down=True)}, event: "
                f"{result.event} (pair {result.pair}, {result.direction.value}, {counted_text(result)}); {named.remedy}"
            )
        if result.power > max(BEYOND_POWER, request.wanted(level.delta)):
            listed = ", ".join(dict.fromkeys(one.beyond for one in some))
            remedies = "; ".join(dict.fromkeys(one.remedy for one in some))
            return f"the budget was too small to try {listed}: give --budget, or exclude them: {remedies}"
    if candidates:
        listed = ", ".join(dict.fromkeys(one.beyond for one in candidates))
        notes.append(f"beyond your data and options, tried without a violation in {drawn} releases: {listed}")
    return None
