"""Check of a declared number of releases: delta of twice as many is at least the profile composed with itself."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction

import numpy as np

from auditor.accountant_audit.doubling import twice_at_least
from auditor.accountant_audit.relations import DOUBLING_SLACK
from auditor.checks import show
from auditor.checks.check import Check, Context, Subject, finding
from auditor.checks.witness import is_exact_delta, named_places
from auditor.errors import counted
from auditor.findings.evidence import EnclosureRow, EnclosuresEvidence, ReasonEvidence, WitnessEvidence
from auditor.findings.finding import Finding
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.enclosure import NotEnclosedError
from proofs_numeric.arithmetic.formula import Value, evaluate_in
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import DeltaBound
from proofs_numeric.statements.verdict import Verdict

NAME = "numeric.counts"
_SAMPLES = 16
_LEVELS = (Fraction(1, 10), Fraction(1, 2))
"""Values of epsilon (nats) at which each point is compared, beside its own."""
_MOST_POINTS = 4
_POINTS_COST = 40
"""Named points compared, times the claim's cost; at least one, at most `_MOST_POINTS`."""


def check_counts(subject: Subject, context: Context) -> Sequence[Finding]:
    """Compare delta of 2k releases, in float64, with a lower bound from samples of the profile of k releases."""
    if not isinstance(subject, Claim) or not isinstance(subject.kind, DeltaBound):
        raise TypeError(f"expected a delta bound, got {subject.id}")
    rows, many = list[tuple[Fraction, EnclosureRow]](), f"twice the {subject.counts}"
    for point in _points(subject):
        least, value = _doubled(subject, point)
        if not 0 < least < 1:
            continue
        at = show.parameters(point)
        decimals = show.format_computed(least), show.format_computed(value)
        ratio = least / value if value > 0 else None
        if value < least * (1 - DOUBLING_SLACK):
            evidence = WitnessEvidence(
                parameters=at, left=decimals[0], left_name="profile composed with itself, at least", relation="<=",
                right=decimals[1], right_name=f"delta at {many}",
                explanation=f"{_SAMPLES} values of delta at {subject.counts}={at[subject.counts]}, in float64",
            )  # fmt: skip
            text = f"delta at {many} is below that of the profile composed with itself"
            return [finding(subject, NAME, context, Verdict.REFUTED, text, [evidence])]
        assert ratio is not None  # noqa: S101 - above the bound, which is above 0
        row = EnclosureRow(parameters=at, quantity=decimals[1], against=decimals[0], ratio=show.real(ratio, 3, -1))
        rows.append((ratio, row))
    if not rows:
        text = f"no point with a delta between 0 and 1 at which {subject.counts} can be doubled"
        return [finding(subject, NAME, context, Verdict.UNDECIDED, text, [ReasonEvidence(text=text)])]
    rows.sort(key=lambda row: row[0], reverse=True)
    closest = EnclosuresEvidence(
        quantity=f"delta at {many}", relation="at least",
        against="the profile composed with itself, from samples", digits=15, cases=len(rows),
        rows=[row for _ratio, row in rows],
    )  # fmt: skip
    headline = f"delta at {many} is at least the profile composed with itself at {counted(len(rows), 'point')}"
    return [finding(subject, NAME, context, Verdict.CONSISTENT, headline, [closest])]


def _points(claim: Claim) -> Iterator[dict[str, Value]]:
    """Yield points of k releases, the k of a named point, or half of it where 2k is outside the domain."""
    counts = claim.domain[claim.counts]
    for place in named_places(claim)[: min(_MOST_POINTS, max(1, _POINTS_COST // claim.cost))]:
        point = claim.domain.parse(place)
        number = Fraction(point[claim.counts])
        fits = [n for n in (number, Fraction(int(number) // 2)) if counts.contains(n) and counts.contains(2 * n)]
        for epsilon in dict.fromkeys((Fraction(point["epsilon"]), *_LEVELS)) if fits else ():
            moved = {**point, claim.counts: counts.coerce(fits[0]), "epsilon": epsilon}
            if epsilon > 0 and claim.domain["epsilon"].contains(2 * epsilon) and claim.domain.admits(moved):
                yield moved


def _doubled(claim: Claim, point: dict[str, Value]) -> tuple[Fraction, Fraction]:
    """Return the lower bound for twice as many releases, and delta there; 0 for a bound that is no number."""
    epsilon, counts = Fraction(point["epsilon"]), claim.domain[claim.counts]
    grid = [2 * epsilon * n / (_SAMPLES - 1) for n in range(_SAMPLES)]
    sampled = [_double(claim, {**point, "epsilon": each}) for each in grid]
    value = _double(claim, {**point, claim.counts: counts.coerce(Fraction(point[claim.counts]) * 2)})
    if not np.isfinite([*sampled, value]).all():
        return Fraction(0), Fraction(0)
    least = twice_at_least([float(each) for each in grid], sampled, float(epsilon))
    return (Fraction(least), Fraction(value)) if np.isfinite(least) else (Fraction(0), Fraction(0))


def _double(claim: Claim, point: dict[str, Value]) -> float:
    if claim.formula is None:
        raise TypeError(f"expected a claim with a value, got {claim.id}")
    with np.errstate(all="ignore"), suppress(NotEnclosedError):
        return float(evaluate_in(Float64(), claim.formula, point))
    return math.nan


def _applies(subject: Subject, _catalogue: object) -> bool:
    return isinstance(subject, Claim) and is_exact_delta(subject) and bool(subject.counts)


CHECKS = (
    Check(
        name=NAME, title="Twice as many releases",
        explain="Composes samples of the claim's own delta at k releases with themselves. The result is a lower bound "
        "for 2k releases. Delta at 2k must not be below it, for k the parameter that the claim declares as the number "
        "of releases.",
        assumes="One pair of neighbours is the worst at every epsilon. Float64 evaluates the formula. Other points are "
        "not covered.",
        of="Exact deltas that declare a number of releases.", applies=_applies, run=check_counts,
    ),
)  # fmt: skip
