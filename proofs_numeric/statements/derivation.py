"""A written derivation: an argument that nothing checks, with the steps of it that are checked.  It proves nothing."""

from dataclasses import dataclass

from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.classical import ClassicalTheorem


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
class Premise:
    """The step is another claim, whose computed verdict is used."""

    claim: str
    argument: str


@dataclass(frozen=True)
class Trusted:
    """A classical theorem that nothing here proves; ``argument`` says what it gives."""

    theorem: ClassicalTheorem
    argument: str


@dataclass(frozen=True)
class Unchecked:
    """A step that no program checks; the finding's headline names it, and the report lists it."""

    name: str
    argument: str


DerivedBy = PositiveOnBox | SymbolicIdentity | Premise | Trusted | Unchecked
"""A step of a derivation."""


@dataclass(frozen=True)
class Derivation:
    """Numbered steps of an argument for a claim: DERIVED at best, as only the kernel's tactics prove a statement."""

    steps: tuple[DerivedBy, ...]


def derived(*steps: DerivedBy) -> Derivation:
    """Return the argument of these steps."""
    return Derivation(steps)
