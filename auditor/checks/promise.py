"""Delta of a claim at a mechanism's parameters."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import exact
from proofs_numeric.arithmetic.enclosure import (
    BRACKET_BITS,
    LAST_BITS,
    Enclosure,
    NotEnclosedError,
    decimal_string,
    enclose,
    enclosed_at,
)
from proofs_numeric.statements.claim import Claim

DIGITS = 15


def promised_delta(claim: Claim, parameters: Mapping[str, Any], epsilon: Any | None = None) -> Enclosure:
    """Return an enclosure of the claim's delta, to `DIGITS` digits or as a bracket.

    Args:
        claim: a claim with a value.
        parameters: exact parameters; those that the claim does not have are ignored.
        epsilon: overrides `parameters`.

    Raises:
        TypeError: the claim has no value.
        NotEnclosedError: neither digits nor a bracket can be certified.
    """
    if claim.formula is None:
        raise TypeError(f"expected a claim with a value, got {claim.id} ({claim.kind.title})")
    values = {**parameters, **({} if epsilon is None else {"epsilon": epsilon})}
    point = claim.domain.parse({name: value for name, value in values.items() if name in claim.domain.names})
    try:
        return enclose(claim.formula, point, DIGITS, BRACKET_BITS if claim.bracketed else LAST_BITS)
    except NotEnclosedError:
        bracket = enclosed_at(claim.formula, point, BRACKET_BITS) if claim.bracketed else None
        if bracket is None:
            raise
        return bracket


def least_epsilon(claim: Claim) -> Fraction:
    """Return the least epsilon >= 0 in the claim's domain; 0 if the claim has no epsilon."""
    lower = claim.domain["epsilon"].lower if "epsilon" in claim.domain.names else 0
    return Fraction(0) if lower == "-infinity" else max(Fraction(0), Fraction(exact(lower)))


def float_above(value: Fraction) -> float:
    """Return a double not below the value, capped below 1 so that tests can refute it; it never raises the level."""
    return min(float(decimal_string(value, 15, 1)) * (1 + 2.0**-50), 1 - 2.0**-53) if value > 0 else 0.0
