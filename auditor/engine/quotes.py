"""Certified values of claims at settings that practitioners quote."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from auditor.checks import show
from auditor.report.chapters.chapter import Quote
from proofs_numeric.arithmetic import exact
from proofs_numeric.arithmetic.enclosure import enclosed_at

if TYPE_CHECKING:
    from auditor.engine.registry import Registry

BITS = 128
DIGITS = 4


def quotes(catalogue: Registry, claims: Iterable[str]) -> list[Quote]:
    """Return the quoted settings of claims, in order, each with an upper bound that is rounded up.

    Raises:
        ValueError: a value has no enclosure.
    """
    return [
        _compute_quote(catalogue, name, number)
        for name in claims
        for number in range(len(catalogue.claim(name).quoted))
    ]


def _compute_quote(catalogue: Registry, name: str, number: int) -> Quote:
    claim = catalogue.claim(name)
    quoted = claim.quoted[number]
    point = {parameter: exact(value) for parameter, value in quoted.at.items()}
    enclosure = None if claim.formula is None else enclosed_at(claim.formula, point, BITS)
    if enclosure is None:
        at = ", ".join(f"{parameter}={value}" for parameter, value in show.parameters(point).items())
        raise ValueError(f"expected {name} to have a value at {at}, got none that is enclosed")
    return Quote(name, quoted.asks, show.parameters(point), show.real(enclosure.upper, DIGITS, 1))
