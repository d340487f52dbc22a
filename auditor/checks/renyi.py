"""Check of concentrated privacy by Renyi divergences on a grid of orders, for every failure of probability delta."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from auditor.checks import show
from auditor.checks.check import Check, Context, Subject, finding
from auditor.checks.pair_profile import RENYI as NAME
from auditor.errors import counted
from auditor.findings.evidence import EnclosureRow, EnclosuresEvidence, ReasonEvidence, WitnessEvidence
from auditor.findings.finding import Finding
from mechanisms.mechanism import Releasing
from mechanisms.pair import Pair
from proofs_numeric.arithmetic import Ball, Exact
from proofs_numeric.arithmetic.enclosure import Enclosure, bounds
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import DeltaBound
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
    if isinstance(subject, Claim):
        return _check_claim(subject, context)
    if not isinstance(subject, Releasing):
        raise TypeError(f"expected a mechanism, a fault, a control or a claim, got {subject.id}")
    claim, parameters, pairs = context.registry.claim(subject.held_to), dict(subject.parameters), subject.audited_pairs
    steps = LEVELS["standard" if subject.expected is Expectation.REFUTED else context.profile.name]
    rows: list[tuple[Fraction, EnclosureRow]] = []
    for pair in pairs:
        if pair.profile is None:
            continue
        for direction, order, divergence, bound in divergences(pair.profile, claim, parameters, steps):
            row = _row({"pair": pair.id, "direction": direction.value}, order, divergence, bound)
            if divergence.lower > bound.upper:
                return [_refuted_finding(subject, context, pair, row)]
            rows.append((divergence.lower / bound.upper, row))
    if not rows:
        text = "no declared pair has a known profile"
        return [finding(subject, NAME, context, Verdict.NOT_APPLICABLE, text, [ReasonEvidence(text=text)])]
    return [_consistent_finding(subject, context, rows, f"{len(pairs)} pairs at the audited parameters")]


def _check_claim(claim: Claim, context: Context) -> Sequence[Finding]:
    """The same of a claim whose promise no proof compares: its own number is the profile, in both directions."""
    formula = claim.formula
    if formula is None or not isinstance(claim.kind, DeltaBound):
        raise TypeError(f"expected a claim of a profile behind a promise, got {claim.id}")
    rows = []
    for oracle_point in claim.kind.oracle_points:
        point = {name: value for name, value in claim.domain.parse(oracle_point).items() if name != "epsilon"}

        def profile(A: Any, level: Any, _direction: Direction, point: Any = point) -> Any:
            return formula(A, epsilon=level, **_numbers(A, point))

        for direction, order, divergence, bound in divergences(profile, claim, point, LEVELS["standard"]):
            at = {**show.parameters(point), "direction": direction.value}
            row = _row(at, order, divergence, bound)
            if divergence.lower > bound.upper:
                evidence = WitnessEvidence(
                    parameters={**show.parameters(point), "alpha": show.exact_text(order)},
                    left=row.quantity, left_name="divergence of any good parts, at least", relation="<=",
                    right=row.against, right_name="alpha rho promised",
                    explanation="the claim's own number, as the profile of a pair, exceeds the promise behind it",
                )  # fmt: skip
                headline = f"the claim's own profile exceeds its promise: {row.ratio} times alpha rho at least"
                return [finding(claim, NAME, context, Verdict.REFUTED, headline, [evidence])]
            rows.append((divergence.lower / bound.upper, row))
    scope = f"the claim's own profile at {counted(len(claim.kind.oracle_points), 'point')}"
    return [_consistent_finding(claim, context, rows, scope)]


def _consistent_finding(
    subject: Subject, context: Context, rows: list[tuple[Fraction, EnclosureRow]], where: str
) -> Finding:
    """The finding of divergences that are all within the promise."""
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
    at = ", ".join(
        text if name in {"pair", "direction"} else f"{name}={text}" for name, text in worst.parameters.items()
    )
    says = f"the largest is {worst.ratio} of it ({at})" if largest > 0 else "none is certified above 0"
    headline = f"{len(rows)} divergences of good parts, none above alpha rho; {says}"
    scope = f"{where}, alpha in {{{', '.join(map(show.exact_text, ORDERS))}}}"
    return finding(subject, NAME, context, Verdict.CONSISTENT, headline, [evidence], scope=scope)


def _row(at: Mapping[str, str], order: Exact, divergence: Enclosure, bound: Enclosure) -> EnclosureRow:
    return EnclosureRow(
        parameters={**at, "alpha": show.exact_text(order)},
        quantity=show.enclosure_text(divergence, 8),
        against=show.enclosure_text(bound, 8),
        ratio=show.real(divergence.lower / bound.upper, 6, -1),
    )


def _numbers(A: Any, values: Mapping[str, Value]) -> dict[str, Any]:
    return {name: A.number(v) if isinstance(v, Fraction) else v for name, v in values.items()}


def divergences(
    profile: Callable[..., Any], claim: Claim, parameters: Mapping[str, Any], steps: int
) -> list[tuple[Direction, Exact, Enclosure, Enclosure]]:
    """Return (direction, order, enclosure of the divergence's lower bound, enclosure of alpha rho) for one pair.

    Args:
        profile: arithmetic, level and direction -> the pair's delta.
        claim: which promises.
        parameters: of the claim.
        steps: intervals of the profile.
    """
    if claim.promise is None:
        raise ValueError(f"expected a claim with a promise, got {claim.id!r}")
    names = [name for name in claim.domain.names if name != "epsilon"]
    values = {name: claim.domain[name].parse(parameters[name]) for name in names}
    result = []
    with Ball(BITS) as A:
        delta, rho = claim.promise(A, **_numbers(A, values))
        reach = levels_reach(rho)
        # A finer grid near zero, for bounded losses.
        levels = [A.number(reach * Fraction(i, steps) ** 2) for i in range(steps + 1)]
        ratios = [A.exp(level) for level in levels]
        good = {
            direction: good_profile_lower(A, [A.number(profile(A, level, direction)) for level in levels], delta)
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
    if isinstance(subject, Claim):  # a proof compares the promise with its pairs
        return subject.promise is not None and isinstance(subject.kind, DeltaBound) and subject.kind.pairs is None
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
        "pairs have an exact profile. Claims with a promise and no pairs in a proof: their own number is the profile.",
        applies=_applies, run=check_renyi,
    ),
)  # fmt: skip
