"""Evaluate one claim at exact parameters in a chosen arithmetic."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction

import numpy as np

from auditor.checks import show
from auditor.engine.registry import registry
from auditor.errors import UsageError, article
from proofs_numeric.arithmetic import Float64, MpReal
from proofs_numeric.arithmetic.enclosure import (
    BRACKET_BITS,
    LAST_BITS,
    START_BITS,
    NotEnclosedError,
    enclose,
    enclosed_at,
)
from proofs_numeric.arithmetic.formula import Value, evaluate_in
from proofs_numeric.statements.box import ParameterError
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.verdict import Expectation

ARITHMETICS = ("mpmath", "ball", "float64")
MAX_DIGITS = 1000
DOUBLE_DIGITS = 15
"""Decimal digits that every double holds."""
_SPARE_DIGITS = 2


@dataclass(frozen=True)
class Evaluation:
    """A claim's value as decimal strings; ``lower`` and ``upper`` enclose it for balls and are None otherwise.

    ``digits`` are those asked for, in double precision those that a double can be trusted for at best; ``held`` are the
    parameters that were left out, at their defaults; ``certified`` says whether the digits are proved.
    """

    claim: str
    value: str
    lower: str | None
    upper: str | None
    digits: int
    parameters: dict[str, str]
    arithmetic: str
    held: dict[str, str]
    certified: bool
    reason: str | None = None
    """Why the value is ``infinity`` or ``undefined``."""
    remark: str | None = None
    """What a reader of the value must know: that the statement is false as printed, or says nothing there."""

    def document(self) -> dict[str, object]:
        """The JSON document of the command line; ``reason`` and ``remark`` only where there is one."""
        return {
            key: value for key, value in asdict(self).items() if key not in {"reason", "remark"} or value is not None
        }


def evaluate(
    claim_id: str, parameters: Mapping[str, int | Fraction | str], arithmetic: str = "mpmath", digits: int = 30
) -> Evaluation:
    """Evaluate a claim's formula.

    Args:
        claim_id: id of a claim that has a value.
        parameters: exact values by the claim's own names; a float is refused.
        arithmetic: ``mpmath`` (a value), ``ball`` (certified to ``digits`` digits) or ``float64``.
        digits: significant decimal digits, 1 to 1000; double precision has its own.

    Raises:
        UnknownIdError, UsageError: each with one line: what, value, allowed, remedy.

    """
    claim = registry().claim(claim_id)
    if arithmetic not in ARITHMETICS:
        raise UsageError(f"expected an arithmetic of {', '.join(ARITHMETICS)}, got '{arithmetic}'")
    if not 1 <= digits <= MAX_DIGITS:
        raise UsageError(f"expected 1 <= digits <= {MAX_DIGITS}, got digits={digits}")
    if claim.formula is None:
        title = claim.kind.title
        raise UsageError(
            f"claim '{claim_id}' is {article(title)} {title} and has no value; see: auditor explain {claim_id}"
        )
    try:
        point = claim.domain.parse(parameters)
    except ParameterError as error:
        raise UsageError(f"{claim_id}: {error}") from None
    shown = show.parameters(point)
    held = {name: value for name, value in shown.items() if name not in parameters}
    special = None if claim.special_value is None else claim.special_value(**point)
    remark = _remark(claim, point)
    lower: str | None
    upper: str | None
    reason: str | None
    if special is not None:
        value, lower, upper, reason, certified = special.value, None, None, special.reason, True
    elif arithmetic == "float64":
        (value, reason), lower, upper, certified = _double(claim, point), None, None, False
        digits = DOUBLE_DIGITS
    else:
        (value, lower, upper), reason = _value(claim, point, arithmetic, digits), None
        certified = arithmetic == "ball"
    return Evaluation(claim_id, value, lower, upper, digits, shown, arithmetic, held, certified, reason, remark)


def _remark(claim: Claim, point: Mapping[str, Value]) -> str | None:
    """What the claim says of its value at the point; else whether the statement is expected to be refuted."""
    said = claim.remark(**point) if claim.remark is not None else None
    if said is None and claim.expected is Expectation.REFUTED:
        said = f"as printed, which is expected to be refuted; corrected: {claim.corrected_by or 'nowhere'}"
    return said


def _double(claim: Claim, point: Mapping[str, Value]) -> tuple[str, str | None]:
    """The value in double precision, and why it is none."""
    formula = claim.formula
    if formula is None:
        raise TypeError(f"expected a claim with a formula, got {claim.id}")
    with np.errstate(all="ignore"):
        value = float(evaluate_in(Float64(), formula, point))
    if math.isfinite(value):
        return repr(value), None
    word = "undefined" if math.isnan(value) else "infinity" if value > 0 else "-infinity"
    return word, "double precision cannot hold it; --arithmetic ball can"


def _value(
    claim: Claim, point: Mapping[str, Value], arithmetic: str, digits: int
) -> tuple[str, str | None, str | None]:
    formula = claim.formula
    if formula is None:
        raise TypeError(f"expected a claim with a formula, got {claim.id}")
    if arithmetic == "mpmath":
        return show.mp_text(evaluate_in(MpReal(digits), formula, point), digits), None, None
    try:
        last = BRACKET_BITS if claim.bracketed else LAST_BITS
        return enclose(formula, point, digits + _SPARE_DIGITS, last).decimal(digits + _SPARE_DIGITS)
    except NotEnclosedError as error:
        bracket = enclosed_at(formula, point, START_BITS) if claim.bracketed else None
        if bracket is None:
            raise UsageError(f"{claim.id}: {error}") from None
        return bracket.decimal(digits + _SPARE_DIGITS)
