"""Direction of the answers of this suite's accountants in each parameter, with the deciding argument."""

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
"""Precision, in bits, of the enclosures that certify a change point."""
DIGITS = 3


def directions(
    catalogue: Registry, accountants: Iterable[str], verdicts: Mapping[str, Verdict] | None
) -> dict[str, list[Direction]]:
    """Return the direction of every parameter, in order of declaration, of this suite's accountants.

    Args:
        catalogue: all registered items.
        accountants: ids of accountants; those of libraries are skipped.
        verdicts: verdicts of the run's claims, which arguments use; None to check no argument.
    """
    ours = (catalogue.accountants[name] for name in accountants if not catalogue.accountants[name].library)
    claims = {one.id: catalogue.claim(one.against) for one in ours}
    return {
        name: [_direction(catalogue, one, each, verdicts) for each in one.domain.names] for name, one in claims.items()
    }


def _direction(catalogue: Registry, claim: Claim, parameter: str, verdicts: Mapping[str, Verdict] | None) -> Direction:
    """Return the declared direction with the deciding claims; a change point counts only if enclosures certify it."""
    deciding = tuple(
        one.id
        for one in catalogue.claims.values()
        if isinstance(one.kind, Monotonicity) and one.kind.formula is claim.formula and one.kind.parameter == parameter
    )
    if parameter in claim.falls or parameter in claim.rises:
        way: Way = "falls" if parameter in claim.falls else "rises"
        decided = None if verdicts is None else decide(catalogue, claim, parameter, verdicts)
        return Direction(parameter, way, deciding, decided="" if decided is None else WORDS[decided])
    certified = "; ".join(filter(None, (certify(claim, turn) for turn in claim.turns if turn.parameter == parameter)))
    return Direction(parameter, "turns" if certified else "open", deciding, certified)


def decide(catalogue: Registry, claim: Claim, parameter: str, verdicts: Mapping[str, Verdict]) -> Verdict | None:
    """Return the verdict of the claim's argument for a declared direction; NOT_APPLICABLE without SymPy.

    Returns: None without an argument for the whole domain.
    """
    if claim.formula is None:
        return None
    context = Context(profile("quick"), 0, Fraction(1, 10**6), catalogue, verdicts=verdicts)
    try:
        finding = check_argument(claim, parameter, context)
    except ImportError as error:  # the kernel's SymPy is optional
        if missing(error) is None:
            raise
        return Verdict.NOT_APPLICABLE
    return None if finding is None else finding.verdict


def certify(claim: Claim, turn: Turn) -> str:
    """Return the claim's values at three points around a change point; empty if enclosures do not certify it."""
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
    texts = (
        f"{show.enclosure_text(value, DIGITS).value} at {at}" for value, at in zip(values, turn.places, strict=True)
    )
    return f"{', '.join(texts)} where {', '.join(f'{name} = {value}' for name, value in turn.at.items())}"
