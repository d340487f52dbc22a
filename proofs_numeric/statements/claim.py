"""A claim: one checkable statement of a paper as data, apart from the checks that decide it.

A claim says where it stands (:class:`Source`), over which parameters (:class:`Box` of :class:`Parameter`), of what
kind it is, and what it is expected to be.  Its verdict is computed when the suite runs.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from proofs_numeric.arithmetic.formula import Formula, Value
from proofs_numeric.statements.box import Box, ParameterError
from proofs_numeric.statements.kinds import Calibration, DeltaBound, Kind, Monotonicity, Quantity, Recurrence
from proofs_numeric.statements.verdict import Expectation

if TYPE_CHECKING:
    from proofs_numeric.statements.derivation import Derivation
    from proofs_numeric.statements.neighbours import Privacy
    from proofs_numeric.statements.tactics import Tactic


@dataclass(frozen=True)
class Source:
    """Where a statement stands: paper slug, locator ("Theorem 5.4"), equation, and whose words it is in."""

    paper: str
    locator: str
    equation: str = ""
    reconstruction: bool = False
    """The paper's text lost the formula; this one is rebuilt from prose and proof."""
    ours: bool = False
    """A statement of this project, not of the paper."""


class QuantityKind(StrEnum):
    """What a claim's number is."""

    DELTA = "delta"
    EPSILON = "epsilon"
    THRESHOLD = "threshold"
    SCALE = "scale"
    RHO = "rho"
    PROBABILITY = "probability"
    RATIO = "ratio"
    NONE = "none"


class Role(StrEnum):
    """How a claim's number stands to the truth."""

    EXACT = "exact"
    UPPER = "upper"
    LOWER = "lower"
    CALIBRATION = "calibration"


@dataclass(frozen=True)
class SpecialValue:
    """A claim's value that is no number: ``"infinity"`` or ``"undefined"``, with the reason."""

    value: str
    reason: str


@dataclass(frozen=True)
class Turn:
    """Where a claim's value falls and then rises, or the other way round: a bisection over ``parameter`` is unsound."""

    parameter: str
    at: Mapping[str, Value]
    """The other parameters."""
    places: tuple[Value, Value, Value]
    """Values of the parameter, ascending: that of the claim at the second is below both others, or above both."""


@dataclass(frozen=True)
class Quoted:
    """A setting that a practitioner asks a claim about."""

    asks: str
    """Who releases what, how often."""
    at: Mapping[str, Value]
    """Every parameter of the claim."""


def _declared_at() -> str:
    """``path:line`` of the statement of a module that declares a claim."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return "" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One checkable statement.

    ``id`` never changes its meaning; a new statement gets a new id.  A statement false in print is two claims:
    ``<id>`` as printed (expected REFUTED) and ``<id>.corrected``, linked by ``corrected_by``.
    """

    id: str
    source: Source
    title: str
    statement: str
    """LaTeX, in the paper's letters."""
    kind: Kind
    domain: Box = field(default_factory=Box)
    expected: Expectation = Expectation.HOLDS
    assumptions: tuple[str, ...] = ()
    quantity: QuantityKind = QuantityKind.NONE
    """Where none is said: of a delta bound a delta, of a calibration, whose role is that, a threshold."""
    rises: tuple[str, ...] = ()
    """Parameters in which the value never falls: an accountant of it whose answers fall there contradicts itself."""
    falls: tuple[str, ...] = ()
    """Parameters in which the value never rises."""
    moves: Mapping[str, Tactic | Derivation] = field(default_factory=dict)
    """Why the value moves as ``rises`` and ``falls`` say, by parameter, where the formula's slope does not prove it."""
    turns: tuple[Turn, ...] = ()
    """Parameters in which it goes both ways, each with values that show it."""
    quoted: tuple[Quoted, ...] = ()
    """Settings that the report computes it at for practitioners."""
    counts: str = ""
    """The parameter that is the number of independent releases: composing as many again doubles it."""
    role: Role = Role.EXACT
    corrected_by: str | None = None
    loose: str = ""
    """Where and by how much the statement is loose."""
    partial: str = ""
    """What of the statement in print its formulas leave out; its verdict is about the rest."""
    note: str = ""
    evaluates: Formula | None = None
    """What ``evaluate`` answers, when the kind does not say."""
    special_value: Callable[..., SpecialValue | None] | None = None
    """Called with the exact parameters: tells where the value is infinite or undefined, and why."""
    remark: Callable[..., str | None] | None = None
    """Called with the exact parameters: what ``evaluate`` says beside the value there, in one line."""
    promise: Callable[..., tuple[Any, Any]] | None = None
    """``promise(A, **parameters)``: delta and rho of the approximate concentrated privacy behind a profile."""
    privacy: Privacy | None = None
    """A claim about the privacy of a mechanism: its adjacency and worst-case neighbours; no audit without them."""
    notation: Mapping[Any, str] = field(default_factory=dict)
    """The paper's LaTeX for symbols and for expressions that it has a letter for."""
    points: tuple[Mapping[str, Value], ...] = ()
    """Hard corners and published parameter sets, always evaluated."""
    bracketed: str = ""
    """Where the value is known only between two bounds, and why; ``evaluate`` then prints the bracket."""
    subject_kind: ClassVar[str] = "claim"
    float64_error: Value = Fraction(1, 10**9)
    """Largest relative error of the formula in float64, where that gives a finite number; a larger one is refuted."""
    float64_lost: Value = Fraction(1, 10**280)
    """Absolute error that is allowed besides: of a difference of nearly equal numbers, or where a step underflows."""
    cost: int = 1
    """How many times dearer an evaluation is than a closed formula's; points and examples are divided by it."""

    def __post_init__(self) -> None:
        if isinstance(self.kind, DeltaBound | Calibration) and self.quantity is QuantityKind.NONE:
            quantity = QuantityKind.DELTA if isinstance(self.kind, DeltaBound) else QuantityKind.THRESHOLD
            object.__setattr__(self, "quantity", quantity)
        if isinstance(self.kind, Calibration):
            object.__setattr__(self, "role", Role.CALIBRATION)
        stated = (self.evaluates, *(getattr(self.kind, name, None) for name in ("formula", "left", "right")))
        symbols = frozenset().union(*(getattr(formula, "symbols", ()) for formula in stated))
        if not isinstance(self.kind, Recurrence) and (unknown := sorted(symbols - set(self.domain.names))):
            raise ParameterError(
                f"{_declared_at()}: claim {self.id}: expected symbols among its parameters "
                f"({', '.join(self.domain.names) or 'none'}), got {', '.join(unknown)}; substitute them or declare them"
            )

    @property
    def computes(self) -> str:
        """What an accountant held against it computes, such as ``delta(epsilon, mu)``; empty where it is no such claim.

        A delta, epsilon, threshold, scale or rho over parameters, that the suite expects to hold.
        """
        usable = self.domain.names and self.formula is not None and self.expected is Expectation.HOLDS
        if not usable or not isinstance(self.kind, DeltaBound | Calibration):
            return ""
        at_most = " at most" if self.role is Role.UPPER else " at least" if self.role is Role.LOWER else ""
        return f"{self.quantity}({', '.join(self.domain.names)}){at_most}"

    @property
    def formula(self) -> Formula | None:
        """The evaluator, if the claim has a value."""
        if self.evaluates is not None:
            return self.evaluates
        if isinstance(self.kind, DeltaBound | Calibration | Monotonicity | Quantity):
            return self.kind.formula
        return None
