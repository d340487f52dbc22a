"""Check of declared directions: a claim's value never falls, or never rises, in a parameter."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from auditor.checks.check import Check, Context, Subject
from auditor.checks.lemma import check_proof, dependencies_of, search_statement
from auditor.checks.witness import is_exact_delta, named_places, points_of
from auditor.extras import missing
from auditor.findings.finding import Finding
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.statements.box import Box, Parameter, grid
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.derivation import Derivation
from proofs_numeric.statements.kinds import Monotonicity
from proofs_numeric.statements.moves import EPSILON
from proofs_numeric.statements.statement import later_name, statement_of
from proofs_numeric.statements.tactics import Slope, Tactic
from proofs_numeric.statements.verdict import Expectation, Verdict

DIRECTION = "lemma.direction"
"""The check of declared directions."""
_LADDER = 4
"""Interior values of the parameter; each point of the claim's grid is compared at two adjacent values."""
_CHEAPER = 4
"""Divisor of a claim's cost, so that the direction of an expensive formula gets more points than its other checks."""
_NAMED_COST = 1000
"""Named points compared, times the claim's cost; at least one."""


def direction_claim(claim: Claim, parameter: str, proof: Tactic | Derivation | None = None) -> Claim:
    """Return the claim that ``claim`` is monotone in ``parameter`` as declared, with that proof.

    Raises:
        ValueError: the claim has no value.

    """
    if claim.formula is None:
        raise ValueError(
            f"expected a claim with a value where a direction is declared, got {claim.id}, a {claim.kind.title}; "
            f"remove {parameter!r} from rises and falls"
        )
    kind = Monotonicity(claim.formula, parameter, increasing=parameter in claim.rises, strict=False, proof=proof)
    return replace(claim, kind=kind, expected=Expectation.HOLDS, cost=max(1, claim.cost // _CHEAPER))


def check_argument(claim: Claim, parameter: str, context: Context) -> Finding | None:
    """Check the argument of a declared direction; without one, the slope of the formula and the law of all deltas.

    Returns: None if the argument is open, or does not cover the domain.
    """
    for argument in _arguments(claim, parameter):
        try:
            (finding,) = check_proof(direction_claim(claim, parameter, argument), context)
        except ImportError as error:  # the kernel's SymPy is optional
            if parameter in claim.moves or missing(error) is None:
                raise
            continue
        if finding.verdict in {Verdict.PROVED, Verdict.DERIVED} and not finding.scope:
            return finding
    return None


def _arguments(claim: Claim, parameter: str) -> Iterator[Tactic | Derivation]:
    if parameter in claim.moves:
        yield claim.moves[parameter]
        return
    yield Slope()
    holds = claim.expected is Expectation.HOLDS
    if parameter in claim.falls and parameter == "epsilon" and holds and is_exact_delta(claim):
        yield EPSILON


def check_directions(subject: Subject, context: Context) -> Sequence[Finding]:
    """Return one finding for each declared direction: proved, or derived and searched, or searched alone."""
    if not isinstance(subject, Claim):
        raise TypeError(f"expected a claim, got {subject.id}")
    return [_check_direction(subject, parameter, context) for parameter in (*subject.rises, *subject.falls)]


def _check_direction(claim: Claim, parameter: str, context: Context) -> Finding:
    argument = check_argument(claim, parameter, context)
    if argument is None or argument.verdict is not Verdict.PROVED:
        searched = _search_direction(claim, parameter, context)
        argument = searched if argument is None or searched.verdict is Verdict.REFUTED else argument
    way = "rises" if parameter in claim.rises else "falls"
    return argument.model_copy(
        update={
            "id": f"{claim.id}::{DIRECTION}::{parameter}",
            "check": DIRECTION,
            "headline": f"never {'falls' if way == 'rises' else 'rises'} in {parameter}: {argument.headline}",
        }
    )


def _search_direction(claim: Claim, parameter: str, context: Context) -> Finding:
    claim_directed = direction_claim(claim, parameter, claim.moves.get(parameter))
    statement = statement_of(claim_directed)
    if statement is None:
        raise TypeError(f"expected a comparison of two values of {claim.id}, got none")
    points = [point for point in _pairs(claim, parameter, context) if statement.box.admits(point)]
    return search_statement(claim_directed, statement, points, context, seed_for=f"{DIRECTION}::{parameter}")


def _pairs(claim: Claim, parameter: str, context: Context) -> Iterator[dict[str, Value]]:
    """Yield named points with adjacent values of the parameter, then the grid at two ladder values."""
    profile, later = (
        context.profile.at_cost(direction_claim(claim, parameter).cost),
        later_name(claim.domain, parameter),
    )
    parsed = [claim.domain.parse(point) for point in named_places(claim) if set(claim.domain.names) >= set(point)]
    for base in parsed[: max(1, _NAMED_COST // claim.cost)]:
        for lower, upper in _neighbours(claim.domain[parameter], base[parameter]):
            yield {**base, parameter: lower, later: upper}
    ladder = list(dict.fromkeys(point[parameter] for point in grid(Box((claim.domain[parameter],)), _LADDER)))
    steps = list(itertools.pairwise(ladder))
    for number, base in enumerate(points_of(claim.domain, (), profile.grid, profile.points)):
        lower, upper = steps[number % len(steps)]
        yield {**base, parameter: lower, later: upper}


def _neighbours(parameter: Parameter, value: Value) -> Iterator[tuple[Value, Value]]:
    """Yield the pairs of a value with one an eighth below and one an eighth above; at least 1 apart for integers."""
    number = Fraction(value)
    step = max(1, abs(round(number / 8))) if parameter.integer else abs(number / 8) or Fraction(1, 8)
    for lower, upper in ((number - step, number), (number, number + step)):
        if parameter.contains(lower) and parameter.contains(upper):
            yield parameter.coerce(lower), parameter.coerce(upper)


def _premises(subject: Subject) -> frozenset[str]:
    if not isinstance(subject, Claim):
        return frozenset()
    arguments = (argument for way in (*subject.rises, *subject.falls) for argument in _arguments(subject, way))
    return frozenset(name for argument in arguments for name in dependencies_of(argument))


CHECKS = (
    Check(
        name=DIRECTION, title="Declared directions",
        explain="Decides that the value never falls, or never rises, in each parameter that the claim declares. A "
        "direction is proved by the kernel from the formula, or derived from other claims and searched, or searched. "
        "The search looks for two values in the wrong order by certified comparison.",
        assumes="A direction that is searched alone is not proved; its finding says so.",
        of="Claims that declare a direction.",
        applies=lambda subject, _catalogue: isinstance(subject, Claim) and bool(subject.rises or subject.falls),
        run=check_directions, after=_premises,
    ),
)  # fmt: skip
