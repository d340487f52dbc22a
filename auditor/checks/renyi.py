"""Check of concentrated privacy by Renyi divergences on a grid of orders, for every failure of probability delta."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from auditor.checks import show
from auditor.checks.check import Check, Context, Subject, finding
from auditor.checks.pair_profile import RENYI as NAME
from auditor.findings.evidence import EnclosureRow, EnclosuresEvidence, ReasonEvidence, WitnessEvidence
from auditor.findings.finding import Finding
from mechanisms.mechanism import Releasing
from mechanisms.pair import Pair
from proofs_numeric.arithmetic import Ball, Exact
from proofs_numeric.arithmetic.enclosure import Enclosure, bounds
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.statements.profile_divergence import good_profile_lower, renyi_lower
from proofs_numeric.statements.verdict import Expectation, Verdict

if TYPE_CHECKING:
    from auditor.checks.check import Catalogue

ORDERS: tuple[Exact, ...] = (1, Fraction(3, 2), 2, 4, 8)
BITS = 96
LEVELS = {"quick": 10, "standard": 24, "deep": 48}
"""Intervals of the profile; the single pair of a fault always has the standard number."""
_ROWS = 6


def check_renyi(subject: Subject, context: Context) -> Sequence[Finding]:
    """Bound the Renyi divergence of all good parts from below by exact profiles, and compare it with `alpha rho`."""
    if not isinstance(subject, Releasing):
        raise TypeError(f"expected a mechanism, a fault or a control, got {subject.id}")
    claim, parameters, pairs = context.registry.claim(subject.held_to), dict(subject.parameters), subject.audited_pairs
    steps = LEVELS["standard" if subject.expected is Expectation.REFUTED else context.profile.name]
    rows: list[tuple[Fraction, EnclosureRow]] = []
    for pair in pairs:
        if pair.profile is None:
            continue
        for direction, order, divergence, bound in divergences(pair, claim, parameters, steps):
            at = {"pair": pair.id, "direction": direction.value, "alpha": show.exact_text(order)}
            row = EnclosureRow(
                parameters=at,
                quantity=show.enclosure_text(divergence, 8),
                against=show.enclosure_text(bound, 8),
                ratio=show.real(divergence.lower / bound.upper, 6, -1),
            )
            if divergence.lower > bound.upper:
                return [_refuted_finding(subject, context, pair, row)]
            rows.append((divergence.lower / bound.upper, row))
    if not rows:
        text = "no declared pair has a known profile"
        return [finding(subject, NAME, context, Verdict.NOT_APPLICABLE, text, [ReasonEvidence(text=text)])]
    rows.sort(key=lambda row: row[0], reverse=True)
    evidence = EnclosuresEvidence(
        quantity="lower bound of the Renyi divergence of the good parts",
        relation="at most",
        against="alpha rho",
        digits=8,
        cases=len(rows),
        rows=[row for _ratio, row in rows[:_ROWS]],
    )
    largest, worst = rows[0]
    where = f"{worst.parameters['pair']}, {worst.parameters['direction']}, alpha={worst.parameters['alpha']}"
    says = f"the largest is {worst.ratio} of it ({where})" if largest > 0 else "none is certified above 0"
    headline = f"{len(rows)} divergences of good parts, none above alpha rho; {says}"
    scope = f"{len(pairs)} pairs at the audited parameters, alpha in {{{', '.join(map(show.exact_text, ORDERS))}}}"
    return [finding(subject, NAME, context, Verdict.CONSISTENT, headline, [evidence], scope=scope)]


def divergences(
    pair: Pair, claim: Claim, parameters: dict[str, Any], steps: int
) -> list[tuple[Direction, Exact, Enclosure, Enclosure]]:
    """Return (direction, order, enclosure of the divergence's lower bound, enclosure of alpha rho) for one pair."""
    if pair.profile is None or claim.promise is None:
        text = f"expected a pair with a known profile and a claim with a promise, got {pair.id!r} and {claim.id!r}"
        raise ValueError(text)
    names = [name for name in claim.domain.names if name != "epsilon"]
    values = {name: claim.domain[name].parse(parameters[name]) for name in names}
    result = []
    with Ball(BITS) as A:
        numbers = {name: A.number(v) if isinstance(v, Fraction) else v for name, v in values.items()}
        delta, rho = claim.promise(A, **numbers)
        reach = levels_reach(rho)
        # A finer grid near zero, for bounded losses.
        levels = [A.number(reach * Fraction(i, steps) ** 2) for i in range(steps + 1)]
        ratios = [A.exp(level) for level in levels]
        good = {
            direction: good_profile_lower(A, [A.number(pair.profile(A, level, direction)) for level in levels], delta)
            for direction in Direction
        }
        for direction, other in ((Direction.FORWARD, Direction.BACKWARD), (Direction.BACKWARD, Direction.FORWARD)):
            for order in ORDERS:
                divergence = bounds(A.number(renyi_lower(A, ratios, good[direction], good[other], order)))
                bound = bounds(A.number(order) * rho)
                if divergence is not None and bound is not None:
                    result.append((direction, order, Enclosure(*divergence, BITS), Enclosure(*bound, BITS)))
    return result


def levels_reach(rho: Any) -> Fraction:
    """Return the largest log ratio: the loss of a Gaussian tilted to order 4, plus five standard deviations."""
    at = float(rho.mid())
    return Fraction(f"{7 * at + 5 * (2 * at) ** 0.5:.3g}")


def _refuted_finding(subject: Releasing, context: Context, pair: Pair, row: EnclosureRow) -> Finding:
    evidence = WitnessEvidence(
        parameters={"alpha": row.parameters["alpha"]},
        left=row.quantity,
        left_name="divergence of any good parts, at least",
        relation="<=",
        right=row.against,
        right_name="alpha rho",
        pair=f"{pair.id}: {dict(pair.left)} against {dict(pair.right)}",
        direction=row.parameters["direction"],
        explanation=subject.explained(pair),
    )
    headline = (
        f"Renyi divergence of order {row.parameters['alpha']} on {pair.id} is at least {row.ratio} times alpha rho, "
        "whatever a failure of probability delta hides"
    )
    return finding(subject, NAME, context, Verdict.REFUTED, headline, [evidence])


def _applies(subject: Subject, catalogue: Catalogue) -> bool:
    if not isinstance(subject, Releasing) or not subject.answers_to(NAME):
        return False
    return subject.expected is Expectation.REFUTED or catalogue.claim(subject.held_to).promise is not None


CHECKS = (
    Check(
        name=NAME, title="Renyi divergences against approximate CDP",
        explain="Starts from the exact profile of each declared pair, in both directions. Bounds the Renyi divergence "
        "that remains after a failure of probability delta (the profile less delta, integrated). Compares the bound "
        "with alpha rho on a grid of orders, from Kullback-Leibler up. Mass on impossible outcomes beyond delta "
        "counts at every order.",
        assumes="The declared pairs have the declared exact profile. Orders between the grid points are not covered.",
        of="Mechanisms, controls, and faults that name this check, whose claim is exact or approximate zCDP and whose "
        "pairs have an exact profile.",
        applies=_applies, run=check_renyi,
    ),
)  # fmt: skip
