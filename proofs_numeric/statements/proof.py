"""Numbered steps that decide a claim."""

from __future__ import annotations

from dataclasses import dataclass

from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.statements.box import Box


@dataclass(frozen=True)
class PositiveOnBox:
    """``formula > 0`` on the compact ``box``, by interval branch and bound; ``argument`` says how the claim follows."""

    name: str
    formula: Formula
    box: Box
    argument: str
    bits: int = 96
    max_boxes: int = 50_000


@dataclass(frozen=True)
class SymbolicIdentity:
    """``left == right`` identically, decided by SymPy on expressions built by the same formulas.

    ``left(A, **symbols)`` and ``right(A, **symbols)`` are evaluated in the symbolic arithmetic; symbols carry the
    assumptions real or positive from ``positive``.
    """

    name: str
    left: Formula
    right: Formula
    symbols: tuple[str, ...]
    positive: tuple[str, ...] = ()
    argument: str = ""


@dataclass(frozen=True)
class ByClaim:
    """The step is another claim, whose computed verdict is used."""

    claim: str
    argument: str


@dataclass(frozen=True)
class Trusted:
    """A step nobody checks by machine; listed in the report."""

    argument: str


Step = PositiveOnBox | SymbolicIdentity | ByClaim | Trusted


@dataclass(frozen=True)
class Proof:
    """Numbered steps and the scope they cover.

    ``scope`` is empty when the steps cover the declared domain; else it names the box.  A proof whose steps are all
    machine-checked here gives PROVED; one that rests on claims or on trusted steps gives DERIVED.
    """

    steps: tuple[Step, ...]
    scope: str = ""
    fraction: str = "1"
    """Fraction of the declared domain that the scope covers, as a decimal or a word ("unbounded domain")."""
