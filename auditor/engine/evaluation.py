"""Evaluate one claim at exact parameters in a chosen arithmetic."""

import math
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from decimal import Decimal
from fractions import Fraction
from html import escape
from typing import Any

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
from proofs_numeric.arithmetic.formula import Formula, Value, evaluate_in
from proofs_numeric.arithmetic.ties import enclose_exactly, enclose_tie
from proofs_numeric.statements.box import ParameterError
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.verdict import Expectation

ARITHMETICS = ("mpmath", "ball", "float64")
MAX_DIGITS = 1000
DOUBLE_DIGITS = 15
"""Decimal digits that every double holds."""
_SPARE_DIGITS = 2
_NUMBER = re.compile(r"-?[\d.]+(e[+-]?\d+)?")
_UNDERFLOWS = "the magnitude is too small for the exact ends of a ball"


@dataclass(frozen=True)
class Evaluation:
    """A claim's value as decimal strings; ``lower`` and ``upper`` enclose it for balls and are None otherwise.

    Where only a bracket of it is known, ``value`` is None and ``lower`` and ``upper`` are the bracket. ``digits`` are
    those asked for, in double precision those that a double can be trusted for at best; ``held`` are the parameters
    that were left out, at their defaults; ``certified`` says whether the digits are proved.
    """

    claim: str
    value: str | None
    lower: str | None
    upper: str | None
    digits: int
    parameters: dict[str, str]
    arithmetic: str
    held: dict[str, str]
    certified: bool
    reason: str | None = None
    """Why the value is ``infinity`` or ``undefined``, or known between two bounds only."""
    remark: str | None = None
    """What a reader of the value must know: that the statement is false as printed, or says nothing there."""

    def __repr__(self) -> str:
        return f"<{self.claim} {self._says}>"

    @property
    def _says(self) -> str:
        if self.value is None:
            return f"in [{self.lower}, {self.upper}]"
        return f"= {self.value}" if self.lower is None else f"= {self.value} in [{self.lower}, {self.upper}]"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the value, at what, in which arithmetic, and what a reader must know of it."""
        from auditor.findings.card import format_facts  # a third of a start, for notebooks alone

        text = f"<p><code>{escape(self.claim)}</code> <strong>{escape(self._says)}</strong></p>"
        proved = f"proved, {self.digits} digits" if self.certified else "not proved"
        fixed = {name: f"{value} (left out)" for name, value in self.held.items()}
        facts = [("digits", proved), ("arithmetic", self.arithmetic), *(self.parameters | fixed).items()]
        return f"<div>{text}{format_facts([*facts, ('why', self.reason or ''), ('note', self.remark or '')])}</div>"

    def document(self) -> dict[str, object]:
        """Return the JSON document of the command line; ``reason`` and ``remark`` are omitted if None."""
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
        arithmetic: ``mpmath`` (a value that lies in its ball, or that two precisions agree on where no ball is narrow
            enough), ``ball`` (certified to ``digits`` digits) or ``float64``.
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
    texts = show.parameters(point)
    fixed = {name: value for name, value in texts.items() if name not in parameters}
    special = None if claim.special_value is None else claim.special_value(**point)
    remark = _remark(claim, point)
    common: dict[str, Any] = {
        "digits": digits,
        "parameters": texts,
        "arithmetic": arithmetic,
        "held": fixed,
        "remark": remark,
    }
    if special is not None:
        return Evaluation(claim_id, special.value, None, None, certified=True, reason=special.reason, **common)
    if arithmetic == "float64":
        value, reason = _double(claim.formula, point)
        common |= {"digits": DOUBLE_DIGITS, "remark": remark or _vacuous(claim, value)}
        return Evaluation(claim_id, value, None, None, certified=False, reason=reason, **common)
    result = _value(claim, claim.formula, point, arithmetic, digits)
    common["remark"] = remark or _vacuous(claim, result["value"] or result["lower"])
    return Evaluation(claim_id, **result, **common)


def _remark(claim: Claim, point: Mapping[str, Value]) -> str | None:
    """Return the claim's remark on its value at the point, or a remark that the claim is expected to be refuted."""
    remark = claim.remark(**point) if claim.remark is not None else None
    if remark is None and claim.expected is Expectation.REFUTED:
        remark = f"as printed, which is expected to be refuted; corrected: {claim.corrected_by or 'nowhere'}"
    return remark


def _vacuous(claim: Claim, value: str | None) -> str | None:
    """Return the remark on an upper bound of a probability that is above 1; None for every other value."""
    bounded = claim.quantity in {QuantityKind.DELTA, QuantityKind.PROBABILITY} and claim.role is Role.UPPER
    if not bounded or value is None or not _NUMBER.fullmatch(value) or Decimal(value) <= 1:
        return None
    return f"the bound says nothing here: a {claim.quantity} is at most 1"


def _double(formula: Formula, point: Mapping[str, Value]) -> tuple[str, str | None]:
    """Return the value in double precision, and the reason if it is not finite or has no correct digit."""
    with np.errstate(all="ignore"):
        value = float(evaluate_in(Float64(), formula, point))
    if math.isfinite(value):
        return repr(value), _lost_digits(formula, point) if abs(value) < sys.float_info.min else None
    word = "undefined" if math.isnan(value) else "infinity" if value > 0 else "-infinity"
    with suppress(NotEnclosedError):
        true = enclose(formula, point, 1)
        if max(abs(true.lower), abs(true.upper)) <= sys.float_info.max:
            return word, "a step of the formula leaves the doubles, though the value does not; --arithmetic ball has it"
    return word, "double precision cannot hold it; --arithmetic ball can"


def _lost_digits(formula: Formula, point: Mapping[str, Value]) -> str | None:
    """Return the reason if a double near 0 has underflowed; None if no ball separates the value from 0."""
    with suppress(NotEnclosedError):
        true = enclose_exactly(formula, point, 1 + _SPARE_DIGITS) or enclose(formula, point, 3)
        if true.underflows:
            return f"no digit is known: the magnitude is at most {true.decimal(3)[2].lstrip('-')}"
        if true.lower > 0 or true.upper < 0:
            return f"double precision underflows: the value is {true.decimal(3)[0]}; --arithmetic ball has its digits"
    return None


def _value(claim: Claim, formula: Formula, point: Mapping[str, Value], arithmetic: str, digits: int) -> dict[str, Any]:
    """Return attributes of `Evaluation`: an enclosure, mpmath's value inside one, or a bracket.

    Raises:
        UsageError: neither balls nor mpmath determine a digit.
    """
    try:
        enclosure = enclose(formula, point, digits + _SPARE_DIGITS, BRACKET_BITS if claim.bracketed else LAST_BITS)
    except NotEnclosedError:
        if (tied := enclose_tie(formula, point, digits + _SPARE_DIGITS)) is not None:
            value, lower, upper = tied.decimal(digits + _SPARE_DIGITS)
            digits_text = value if arithmetic == "ball" else tied.decimal(digits)[0]
            return {"value": digits_text, "lower": lower, "upper": upper, "certified": True}
        bracket = enclosed_at(formula, point, START_BITS) if claim.bracketed else None
        if bracket is not None:
            _middle, lower, upper = bracket.decimal(min(digits, DOUBLE_DIGITS))
            return {"value": None, "lower": lower, "upper": upper, "certified": True, "reason": claim.bracketed}
        if arithmetic == "mpmath" and (confirmation := _confirm_value(formula, point, digits)) is not None:
            return {"value": confirmation, "lower": None, "upper": None, "certified": False}
        raise UsageError(
            f"{claim.id}: expected {digits} digits of the value, got none at {LAST_BITS} bits: too near to 0, or a "
            "step of the formula to an integer; give fewer --digits, or --arithmetic float64"
        ) from None
    if enclosure.underflows:
        if arithmetic == "mpmath" and (confirmation := _confirm_value(formula, point, digits)) is not None:
            return {"value": confirmation, "lower": None, "upper": None, "certified": False}
        _none, lower, upper = enclosure.decimal(min(digits, DOUBLE_DIGITS))
        return {"value": None, "lower": lower, "upper": upper, "certified": True, "reason": _UNDERFLOWS}
    if arithmetic == "ball":
        value, lower, upper = enclosure.decimal(digits + _SPARE_DIGITS)
        return {"value": value, "lower": lower, "upper": upper, "certified": True}
    inside = show.mpmath_inside(formula, point, enclosure, digits)
    if inside is None:
        raise RuntimeError(f"expected mpmath's {claim.id} to meet its ball at {point}, got none: a kernel is wrong")
    return {"value": inside, "lower": None, "upper": None, "certified": True}


def _confirm_value(formula: Formula, point: Mapping[str, Value], digits: int) -> str | None:
    """Return mpmath's value if it is finite and equal, to ``digits`` digits, at four times the precision."""
    first, second = (show.mp_text(evaluate_in(MpReal(n), formula, point), digits) for n in (digits, 4 * digits))
    return first if first == second and first not in show.NOT_FINITE else None
