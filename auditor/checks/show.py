"""Evidence from enclosures: exact rationals as decimal strings, with bounds rounded outward."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from proofs_numeric.arithmetic import MpReal
from proofs_numeric.arithmetic.enclosure import LAST_BITS, UNDERFLOW, Comparison, Enclosure, decimal_string
from proofs_numeric.arithmetic.formula import Formula, Value, evaluate_in
from proofs_numeric.kernel.boxes import Range
from proofs_numeric.statements.box import Box

if TYPE_CHECKING:
    from auditor.findings.evidence import Box as BoxEvidence
    from auditor.findings.evidence import Enclosed, WitnessEvidence

WITNESS_DIGITS = 20
LAST_DIGITS = int(LAST_BITS * 0.30103)
"""Decimal digits of the last precision."""
NOT_FINITE = frozenset({"infinity", "-infinity", "nan"})


def parameters(values: Mapping[str, Value]) -> dict[str, str]:
    """Return exact parameters as text: integers, short decimals, fractions."""
    return {name: exact_text(value) for name, value in values.items()}


def exact_text(value: Value) -> str:
    """Return an exact value as text: ``1e-8`` or ``0.349`` if the decimal terminates soon, otherwise ``a/b``."""
    if not isinstance(value, Fraction):
        return str(value)
    rest, places = value.denominator, 0
    for prime in (2, 5):
        times = 0
        while rest % prime == 0:
            rest, times = rest // prime, times + 1
        places = max(places, times)
    if rest == 1:
        digits = len(str(abs(value.numerator) * 10**places // value.denominator))
        if digits <= 60:
            return decimal_string(value, digits, 0)
    return f"{value.numerator}/{value.denominator}"


def case(value: Any) -> str:
    """Return a case of an enumeration as text; fractions are ``a/b``, also inside tuples, sets and records."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, tuple | list):
        inside = ", ".join(map(case, value))
        return f"({inside})" if isinstance(value, tuple) else f"[{inside}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{case(key)}: {case(item)}" for key, item in value.items()) + "}"
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(map(case, value))) + "}"
    if is_dataclass(value) and not isinstance(value, type):
        return f"({', '.join(f'{field.name}: {case(getattr(value, field.name))}' for field in fields(value))})"
    if value is None or isinstance(value, bool):
        return {None: "nothing", False: "no", True: "yes"}[value]
    return str(value)


def enclosure_text(enclosure: Enclosure, digits: int, value: Any | None = None) -> Enclosed:
    """Return an enclosure as decimal strings; ``value`` is mpmath's value, if computed."""
    from auditor.findings.evidence import Enclosed

    middle, lower, upper = enclosure.decimal(digits)
    return Enclosed(lower=lower, upper=upper, value=middle if value is None else value, bits=enclosure.bits)


def format_computed(value: Fraction, digits: int = 17) -> Enclosed:
    """Return a number without bounds as the decimals around it; 17 digits distinguish all doubles."""
    from auditor.findings.evidence import Enclosed

    below, middle, above = (decimal_string(value, digits, direction) for direction in (-1, 0, 1))
    return Enclosed(lower=below, upper=above, value=middle)


def real(value: Fraction, digits: int = 6, direction: int = 0) -> str:
    """Return a rational as a decimal string, rounded down (-1), to nearest (0) or up (1)."""
    return decimal_string(value, digits, direction)


def rational(value: Any) -> Fraction:
    """Return the exact value of an mpmath number; magnitudes below ``UNDERFLOW`` count as zero."""
    mantissa, exponent = value.man_exp
    if mantissa == 0 or int(mantissa).bit_length() + exponent < -UNDERFLOW.denominator.bit_length():
        return Fraction(0)
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent) * (-1 if value < 0 and mantissa > 0 else 1)


def mp_text(value: Any, digits: int) -> str:
    """Return an mpmath value as a decimal string."""
    if value == 0:
        return "0"
    return (
        str(MpReal(digits).context.nstr(value, digits, strip_zeros=True))
        .replace("+inf", "infinity")
        .replace("-inf", "-infinity")
    )


def mpmath_inside(formula: Formula, point: Mapping[str, Value], enclosure: Enclosure, digits: int) -> str | None:
    """Return mpmath's value to ``digits`` digits, at the least precision at which it lies in the ball; None if never.

    A miss by one unit in the last digit is allowed. Precision is doubled up to that of ``LAST_BITS``, which recovers
    digits lost by cancellation; every returned digit is consistent with the ball. A nonzero value with constant digits
    over two doublings is the value of the formula in mpmath, outside the ball: the result is None.
    """
    precision, earlier = digits, ["", ""]
    while precision <= LAST_DIGITS:
        value = evaluate_in(MpReal(precision), formula, point)
        text = mp_text(value, digits)
        if text not in NOT_FINITE:
            number = rational(value)
            unit = abs(number) / Fraction(10) ** (digits - 1)
            if enclosure.lower - unit <= number <= enclosure.upper + unit:
                return text
            if number and earlier == [text, text]:
                return None
        precision, earlier = 2 * precision, [earlier[1], text]
    return None


def witness(
    values: Mapping[str, Value], comparison: Comparison, relation: str, left: str, right: str, explanation: str = ""
) -> WitnessEvidence:
    """Return a point with both sides enclosed."""
    from auditor.findings.evidence import WitnessEvidence

    return WitnessEvidence(
        parameters=parameters(values),
        left=None if comparison.left is None else enclosure_text(comparison.left, WITNESS_DIGITS),
        left_name=left,
        relation=relation,
        right=None if comparison.right is None else enclosure_text(comparison.right, WITNESS_DIGITS),
        right_name=right,
        explanation=explanation,
    )


def ranges(values: Mapping[str, Range]) -> BoxEvidence:
    """Return exact closed ranges as text."""
    from auditor.findings.evidence import Ends

    return {n: Ends(lower=exact_text(lo), upper=exact_text(hi)) for n, (lo, hi) in values.items()}


def domain(box: Box) -> BoxEvidence:
    """Return the declared domain as intervals; an enumeration as its first and last word."""
    from auditor.findings.evidence import Ends

    return {
        p.name: Ends(
            lower=p.choices[0] if p.choices else exact_text_bound(p.lower),
            upper=p.choices[-1] if p.choices else exact_text_bound(p.upper),
        )
        for p in box.parameters
    }


def exact_text_bound(bound: int | Fraction | str) -> str:
    """Return a parameter's bound as text."""
    return bound if isinstance(bound, str) else exact_text(bound)
