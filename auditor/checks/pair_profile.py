"""Check of exact profiles of worst-case pairs against the claim, without sampling."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from auditor.checks import show
from auditor.checks.check import Check, Context, Subject, finding
from auditor.checks.promise import DIGITS, least_epsilon, promised_delta
from auditor.findings.evidence import EnclosureRow, EnclosuresEvidence, ReasonEvidence, WitnessEvidence
from auditor.findings.finding import Finding
from mechanisms.mechanism import Releasing
from mechanisms.pair import Pair
from proofs_numeric.arithmetic import Ball, exact
from proofs_numeric.arithmetic.enclosure import LAST_BITS, START_BITS, Enclosure, NotEnclosedError, bounds, precisions
from proofs_numeric.statements.box import ParameterError
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.statements.verdict import Expectation, Verdict

NAME = "numeric.pair_profile"
EPSILONS = ("0", "1/2", "1", "2", "5")
FEW_BITS = 64
"""Start precision, in bits, if few digits of a profile are required."""
_ENOUGH = Fraction(1, 10**10)
_FIGURE_WIDTH = Fraction(1, 10**6)
"""Relative width of a profile in a figure, which decides nothing."""


def enclose_profile(
    pair: Pair, epsilon: Any, direction: Direction, enough: Fraction = _ENOUGH, start_bits: int = START_BITS
) -> Enclosure | None:
    """Return an enclosure of the pair's exact profile; None if the pair has no formula.

    Args:
        pair: the pair.
        epsilon: exact epsilon.
        direction: direction of the profile.
        enough: relative width at which precision is not raised further.
        start_bits: first precision in bits.
    """
    if pair.profile is None:
        return None
    best: Enclosure | None = None
    for bits in precisions(LAST_BITS // 8, start_bits):
        with Ball(bits) as ball:
            ends = bounds(ball.number(pair.profile(ball, ball.number(epsilon), direction)))
        if ends is not None and (best is None or ends[1] - ends[0] < best.upper - best.lower):
            best = Enclosure(*ends, bits)
            if ends[1] - ends[0] <= enough * abs(ends[1]):
                return best
    return best


def check_pair_profiles(subject: Subject, context: Context) -> Sequence[Finding]:
    """Compare the exact profile of every declared pair, in both directions, with the claimed delta."""
    if not isinstance(subject, Releasing):
        raise TypeError(f"expected a mechanism, a fault or a control, got {subject.id}")
    claim, parameters = context.registry.claim(subject.held_to), subject.parameters
    pairs, directions = subject.audited_pairs, subject.audited_directions
    epsilons = tuple(e for e in map(exact, subject.audited_epsilons or EPSILONS) if e >= least_epsilon(claim))
    rows: list[tuple[Fraction, EnclosureRow]] = []
    undecided: list[str] = []
    for epsilon in epsilons:
        promised = promised_delta(claim, parameters, epsilon)
        for pair in pairs:
            for direction in directions:
                profile = enclose_profile(pair, epsilon, direction)
                if profile is None:
                    continue
                at = f"{pair.id}, {direction.value}, epsilon={show.exact_text(epsilon)}"
                # The claim may be tight: an excess must be certified beyond the digits of both enclosures.
                if profile.lower > promised.upper * (1 + Fraction(1, 10 ** (DIGITS - 3))):
                    return [_refuted_finding(subject, context, claim, pair, direction, epsilon, profile, promised)]
                if profile.upper > promised.upper * (1 + _ENOUGH):
                    undecided.append(at)
                rows.append(_row(pair, direction, epsilon, profile, promised))
    if not rows:
        text = "no declared pair has a known profile"
        return [finding(subject, NAME, context, Verdict.NOT_APPLICABLE, text, [ReasonEvidence(text=text)])]
    rows.sort(key=lambda row: row[0], reverse=True)
    worst_of = {row.parameters["epsilon"]: row for _ratio, row in reversed(rows)}
    evidence = _profiles(claim, len(rows), [worst_of[show.exact_text(epsilon)] for epsilon in epsilons])
    largest, worst = rows[0]
    where = f"{worst.parameters['pair']}, {worst.parameters['direction']}, epsilon={worst.parameters['epsilon']}"
    says = "the worst attains it" if largest == 1 else f"the worst is {worst.ratio} of it" if largest else ""
    headline = f"{len(rows)} exact profiles; none above the claim; " + (f"{says} ({where})" if says else "all are 0")
    if undecided:
        headline = f"{len(undecided)} of {len(rows)} profiles overlap the claim, first at {undecided[0]}"
    verdict = Verdict.UNDECIDED if undecided else Verdict.CONSISTENT
    scope = f"{len(pairs)} pairs at the audited parameters, epsilon in {{{', '.join(map(show.exact_text, epsilons))}}}"
    return [finding(subject, NAME, context, verdict, headline, [evidence], scope=scope)]


def _row(
    pair: Pair, direction: Direction, epsilon: Any, profile: Enclosure, promised: Enclosure
) -> tuple[Fraction, EnclosureRow]:
    """Return exact / claimed at one epsilon, 1 if the enclosures overlap, and the row of evidence."""
    ratio, rounding = Fraction(profile.upper > 0), 1
    if 0 < profile.upper < promised.lower:
        ratio = profile.upper / promised.lower
    elif profile.lower > promised.upper > 0:
        ratio, rounding = profile.lower / promised.upper, -1
    row = EnclosureRow(
        parameters={"pair": pair.id, "direction": direction.value, "epsilon": show.exact_text(epsilon)},
        quantity=show.enclosure_text(profile, 12),
        against=show.enclosure_text(promised, 12),
        ratio="infinity" if profile.lower > promised.upper == 0 else show.real(ratio, 6, rounding),
    )
    return ratio, row


def _profiles(claim: Claim, cases: int, rows: list[EnclosureRow]) -> EnclosuresEvidence:
    return EnclosuresEvidence(
        quantity="exact profile of the pair",
        relation="at most",
        against=f"delta of {claim.id}",
        digits=10,
        cases=cases,
        rows=rows,
    )


def _refuted_finding(
    subject: Releasing,
    context: Context,
    claim: Claim,
    pair: Pair,
    direction: Direction,
    epsilon: Any,
    profile: Enclosure,
    promised: Enclosure,
) -> Finding:
    left, right = show.enclosure_text(profile, 12), show.enclosure_text(promised, 12)
    evidence = WitnessEvidence(
        parameters={"epsilon": show.exact_text(epsilon)},
        left=left,
        left_name="exact delta on the pair",
        relation="<=",
        right=right,
        right_name="claimed delta",
        pair=f"{pair.id}: {dict(pair.left)} against {dict(pair.right)}",
        direction=direction.value,
        explanation=subject.explained(pair),
    )
    headline = f"exact delta {left.value} on {pair.id} exceeds the claimed {right.value}"
    return finding(
        subject, NAME, context, Verdict.REFUTED, headline, [evidence, _around(subject, claim, pair, direction, epsilon)]
    )


def _around(subject: Releasing, claim: Claim, pair: Pair, direction: Direction, refuted: Any) -> EnclosuresEvidence:
    """Return both sides at further epsilons in the claim's domain, as the extent of the fault."""
    rows = []
    for epsilon in sorted({*map(exact, EPSILONS), refuted}):
        with suppress(ParameterError, NotEnclosedError):
            promised = promised_delta(claim, subject.parameters, epsilon)
            profile = enclose_profile(pair, epsilon, direction, _FIGURE_WIDTH, FEW_BITS)
            if profile is not None:
                rows.append(_row(pair, direction, epsilon, profile, promised)[1])
    return _profiles(claim, len(rows), rows)


RENYI = "numeric.renyi"
"""Check of faults that only a divergence detects: their hockey sticks do not exceed the delta of the promised rho."""


def _applies(subject: Subject, _catalogue: object) -> bool:
    return isinstance(subject, Releasing) and not (
        subject.expected is Expectation.REFUTED and subject.answers_to(RENYI)
    )


CHECKS = (
    Check(
        name=NAME, title="Exact profiles of worst-case pairs",
        explain="Encloses the exact hockey-stick divergence of each declared pair in both directions and compares it "
        "with the claimed delta. A fault must exceed its claim here. A control must not.",
        assumes="The declared pairs are the worst ones. Other pairs are not tested.",
        of="Mechanisms, controls and faults whose pairs have an exact profile.", applies=_applies,
        run=check_pair_profiles,
    ),
)  # fmt: skip
