"""Which way the answers of our accountants move in each of their parameters, and what decides it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from auditor.checks import show
from auditor.checks.check import Context
from auditor.checks.direction import check_argument
from auditor.extras import missing
from auditor.findings.card import WORDS
from auditor.profile import profile
from auditor.report.chapters.chapter import Direction, Way
from proofs_numeric.arithmetic import exact
from proofs_numeric.arithmetic.enclosure import enclosed_at
from proofs_numeric.statements.claim import Claim, Turn
from proofs_numeric.statements.kinds import Monotonicity
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from auditor.engine.registry import Registry

BITS = 96
"""Precision of the enclosures that show a turn."""
DIGITS = 3


def directions(
    known: Registry, accountants: Iterable[str], verdicts: Mapping[str, Verdict] | None
) -> dict[str, list[Direction]]:
    """Every parameter of those accountants that are this suite's own, in order of declaration.

    ``verdicts``: of the claims of the run, which arguments rest on; None where no argument is to be checked.
    """
    ours = (known.accountants[name] for name in accountants if not known.accountants[name].library)
    claims = {one.id: known.claim(one.against) for one in ours}
    return {name: [_direction(known, one, each, verdicts) for each in one.domain.names] for name, one in claims.items()}


def _direction(known: Registry, claim: Claim, parameter: str, verdicts: Mapping[str, Verdict] | None) -> Direction:
    """As declared, with what decides it; a turn that its enclosures do not show is none."""
    deciding = tuple(
        one.id
        for one in known.claims.values()
        if isinstance(one.kind, Monotonicity) and one.kind.formula is claim.formula and one.kind.parameter == parameter
    )
    if parameter in claim.falls or parameter in claim.rises:
        way: Way = "falls" if parameter in claim.falls else "rises"
        decided = None if verdicts is None else decide(known, claim, parameter, verdicts)
        return Direction(parameter, way, deciding, decided="" if decided is None else WORDS[decided])
    certified = "; ".join(filter(None, (certify(claim, turn) for turn in claim.turns if turn.parameter == parameter)))
    return Direction(parameter, "turns" if certified else "open", deciding, certified)


def decide(known: Registry, claim: Claim, parameter: str, verdicts: Mapping[str, Verdict]) -> Verdict | None:
    """What the claim's argument for a declared direction comes to: without SymPy NOT_APPLICABLE; None: it has none.

    One for a part of the domain is none: the direction is declared on all of it.
    """
    if claim.formula is None:
        return None
    context = Context(profile("quick"), 0, Fraction(1, 10**6), known, verdicts=verdicts)
    try:
        found = check_argument(claim, parameter, context)
    except ImportError as error:  # the kernel's SymPy is optional
        if missing(error) is None:
            raise
        return Verdict.NOT_APPLICABLE
    return None if found is None else found.verdict


def certify(claim: Claim, turn: Turn) -> str:
    """What the claim's value is at the three places; empty where enclosures do not show that it turns."""
    formula = claim.formula
    if formula is None:
        return ""
    points = [{name: exact(value) for name, value in {**turn.at, turn.parameter: at}.items()} for at in turn.places]
    values = [each for point in points if (each := enclosed_at(formula, point, BITS)) is not None]
    if len(values) < len(points):
        return ""
    first, second, third = values
    if not (second.upper < min(first.lower, third.lower) or max(first.upper, third.upper) < second.lower):
        return ""
    told = (f"{show.enclosed(value, DIGITS).value} at {at}" for value, at in zip(values, turn.places, strict=True))
    return f"{', '.join(told)} where {', '.join(f'{name} = {value}' for name, value in turn.at.items())}"
