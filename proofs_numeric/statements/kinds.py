"""The kinds of statements: what a check evaluates, compares, searches or enumerates."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from proofs_numeric.arithmetic.enclosure import Order, compare
from proofs_numeric.arithmetic.formula import Formula, OfFormulas, Value
from proofs_numeric.statements.box import Box, Parameter

if TYPE_CHECKING:  # a claim without a proof starts without the language of proofs
    from proofs_numeric.statements.adaptive import Budgets
    from proofs_numeric.statements.cuts import Reduced
    from proofs_numeric.statements.derivation import Derivation
    from proofs_numeric.statements.gaussians import Relabelled, Streams, Tops, Truncated
    from proofs_numeric.statements.noise import Passing, SharedNoise
    from proofs_numeric.statements.pairs import GoodParts
    from proofs_numeric.statements.profiles import ConcentratedRows, Pairs
    from proofs_numeric.statements.races import Conditioned, InRange, Lists
    from proofs_numeric.statements.shared import SharedCounters
    from proofs_numeric.statements.tactics import Tactic


class Relation(StrEnum):
    """Relation between the sides of an inequality."""

    LESS = "<"
    LESS_EQUAL = "<="


@dataclass(frozen=True)
class Achieved(OfFormulas):
    """The number of another claim: what a calibration meets its target by, or what a delta is compared with.

    ``at`` says parameters of that claim by this claim's own, and by the calibrated ``value``; others are this claim's
    of the same name.  The value is at least ``lower``, or, ``open_lower``, above it, which the check of calibrations
    tests.
    """

    claim: str
    at: Mapping[str, Formula] = field(default_factory=dict)
    lower: Value = "-infinity"
    open_lower: bool = False

    @property
    def range(self) -> Parameter:
        """The value as a parameter."""
        return Parameter("value", "", lower=self.lower, open_lower=self.open_lower)


@dataclass(frozen=True)
class DeltaBound:
    """A delta, or any bound on a hockey stick: exact, or an upper or lower bound, by the claim's role."""

    formula: Formula
    oracle: Formula | None = None
    """The same number from the definition, sharing no code with ``formula`` (quadrature, enumeration, brute force)."""
    oracle_points: tuple[Mapping[str, Value], ...] = ()
    exact: Formula | None = None
    """For a bound: the exact value over the same parameters; of an upper one also a number that this is not below."""
    by: Achieved | None = None
    """Whose number ``exact`` is; the kernel proves no delta without laws that does not say it."""
    budgets: Budgets | None = None
    """Of steps chosen as one goes: tactics prove that ``formula`` bounds the delta of all that they cover."""
    pairs: Pairs | None = None
    """The pairs of laws of which ``formula`` is the largest hockey stick, or bounds it: tactics prove that."""
    noise: SharedNoise | Passing | None = None
    """Noise that is below its threshold with probability ``formula``, or that passes it: tactics prove that."""
    proof: Tactic | Derivation | None = None
    title: ClassVar[str] = "delta bound"


@dataclass(frozen=True)
class AtMost:
    """``left <= right`` at parameters: a certified order decides, and one that is not known counts as equality."""

    left: Formula
    right: Formula
    strict: bool = False
    """``left < right``."""

    def __call__(self, **parameters: Value) -> bool:
        """Whether it holds there."""
        order = compare(self.left, self.right, parameters).order
        return order is Order.LESS if self.strict else order is not Order.GREATER


@dataclass(frozen=True)
class AllOf:
    """That each of these holds."""

    parts: tuple[AtMost, ...]

    def __call__(self, **parameters: Value) -> bool:
        """Whether they hold there."""
        return all(part(**parameters) for part in self.parts)


@dataclass(frozen=True)
class Calibration:
    """A threshold, scale or epsilon chosen to meet a target: ``achieved`` is the delta at the chosen value.

    ``achieved(A, value=..., **parameters)``; the claim says ``achieved <= target``, with equality when ``tight``.
    """

    formula: Formula
    achieved: Formula
    target: str = "delta"
    tight: bool = True
    achieved_at_least: Formula | None = None
    """Where ``achieved`` is an upper bound: a delta that is exceeded or attained there, so that a smaller value is held
    against this one; None: ``achieved`` is exact."""
    by: Achieved | None = None
    """Whose number ``achieved`` is; the kernel proves no calibration that does not say it."""
    oracle: Formula | None = None
    answered: AtMost | None = None
    """Where there is an answer; None: everywhere.  The claim's special value is told elsewhere."""
    proof: Tactic | Derivation | None = None
    """That the target is met, where there is an answer."""
    title: ClassVar[str] = "calibration"


@dataclass(frozen=True)
class Inequality:
    """``left relation right`` over the domain."""

    left: Formula
    right: Formula
    relation: Relation = Relation.LESS_EQUAL
    proof: Tactic | Derivation | None = None
    pair: SharedCounters | None = None
    """The pair of which the left side is the reverse hockey stick, the right the forward one: tactics prove that."""
    title: ClassVar[str] = "inequality"


@dataclass(frozen=True)
class Identity:
    """``left == right`` over the domain; ``tolerance_digits`` digits are compared where no proof decides."""

    left: Formula
    right: Formula
    proof: Tactic | Derivation | None = None
    digits: int = 30
    title: ClassVar[str] = "identity"


@dataclass(frozen=True)
class Monotonicity:
    """``formula`` moves in ``direction`` as ``parameter`` grows, strictly when ``strict``."""

    formula: Formula
    parameter: str
    increasing: bool
    strict: bool = True
    proof: Tactic | Derivation | None = None
    title: ClassVar[str] = "monotonicity"


@dataclass(frozen=True)
class Levels:
    """Trees: every node takes one step for each child, given the child's value as ``below``, a formula of less levels.

    ``count`` is the domain's integer parameter that says how many levels there are, at least 1; ``left`` is a node's
    value, ``right`` its bound and ``leaf`` the value below the last level, where no level is left.
    """

    count: str
    below: str
    leaf: Formula


@dataclass(frozen=True)
class Recurrence(OfFormulas):
    """``left relation right`` of a state after any number of steps, whatever the inputs of each step.

    ``start`` and ``step`` say each part of the ``state``: formulas of the domain's parameters, of a step also those of
    the state before it and of its ``inputs``.  With ``levels`` that is said of every node of every tree.
    """

    state: Box
    inputs: Box
    start: Mapping[str, Formula]
    step: Mapping[str, Formula]
    left: Formula
    right: Formula
    relation: str = "<="
    """``<``, ``<=`` or ``=``."""
    levels: Levels | None = None
    proof: Tactic | Derivation | None = None
    title: ClassVar[str] = "recurrence"

    def after(self, A: Any, steps: Iterable[Mapping[str, Any]], **parameters: Any) -> dict[str, Any]:
        """The state after the steps, each with its inputs."""
        state = {name: formula(A, **parameters) for name, formula in self.start.items()}
        for values in steps:
            state = {name: formula(A, **parameters, **state, **values) for name, formula in self.step.items()}
        return state


class Reading(StrEnum):
    """How a printed number was obtained from the exact one."""

    NEAREST = "rounded to nearest"
    TRUNCATED = "truncated"
    ROUNDED_UP = "rounded up"
    ORDER = "order of magnitude"


@dataclass(frozen=True)
class Quantity:
    """A printed number, the formula behind it (no parameters) and the reading that gives the printed digits."""

    formula: Formula
    printed: str
    reading: Reading = Reading.NEAREST
    title: ClassVar[str] = "printed number"


@dataclass(frozen=True)
class Law:
    """The probability of an event under a reference mechanism, tested by sampling.

    ``mechanism`` and ``settings`` name a registered mechanism; ``event(keys, values)`` maps a batch (keys, float array
    of shape (n, len(keys)), NaN where not released) to n booleans; ``probability(A)`` is its exact probability.
    """

    mechanism: str
    settings: Mapping[str, Value]
    histogram: Mapping[str, int]
    event: Callable[[tuple[str, ...], Any], Any]
    probability: Formula
    title: ClassVar[str] = "law"


@dataclass(frozen=True)
class Mean:
    """A number as a known factor times the mean of draws in [0, 1], tested by sampling however small the number is.

    ``draws(n, rng)`` are n independent such values, made without the formula under test; ``factor(A)`` and ``value(A)``
    are exact, and the statement is ``value = factor * mean``.
    """

    draws: Callable[[int, Any], Any]
    factor: Formula
    value: Formula
    title: ClassVar[str] = "mean"


@dataclass(frozen=True)
class Instance(OfFormulas):
    """A case as an instance of a recurrence: its parameters, the inputs of each step, and the case's own two sides.

    ``left``, ``right`` and the parts of the ``state`` after all steps are computed by the enumeration's code, without
    the recurrence.  A statement whose sides are equal in every case needs all parts of the state.
    """

    at: Mapping[str, Formula]
    inputs: tuple[Mapping[str, Fraction], ...]
    left: Fraction
    right: Fraction
    state: Mapping[str, Fraction] = field(default_factory=dict)


RELATIONS: Mapping[str, Callable[[Any, Any], bool]] = {"<": operator.lt, "<=": operator.le, "=": operator.eq}
"""Each relation of a recurrence, between numbers."""


@dataclass(frozen=True)
class Instances:
    """That a case holds: the relation between both sides of each of its instances, of which it has at least one."""

    of: Callable[[Any], Iterable[Instance]]
    relation: str = "<="

    def __call__(self, case: Any) -> bool:
        """Whether it holds."""
        results = [RELATIONS[self.relation](one.left, one.right) for one in self.of(case)]
        return bool(results) and all(results)


def sizes(quick: int, standard: int, deep: int) -> dict[str, int]:
    """Return the size that each profile enumerates."""
    return {"quick": quick, "standard": standard, "deep": deep}


@dataclass(frozen=True)
class FiniteStatement:
    """A statement over a finite set, decided by exact enumeration (integers, rationals, balls).

    ``cases(size)`` enumerates the set for a size (universe, bound on counts ...); ``holds(case)`` decides one case
    exactly; ``sizes`` maps a profile name to the size used.  ``complete`` says that the largest size is the whole
    statement (else the verdict states the sizes covered).  ``rigorous = False``: ``holds`` compares floating-point
    numbers, and a case fails only by more than ``tolerance`` (in words); such an enumeration proves nothing.
    ``describe(case)`` names the parts of a case and both sides there, in the words of the statement, for a witness;
    required of a statement that is expected to fail.
    """

    cases: Callable[[int], Iterable[Any]]
    holds: Callable[[Any], bool]
    sizes: Mapping[str, int]
    size_text: str = "size"
    complete: bool = False
    rigorous: bool = True
    tolerance: str = ""
    describe: Callable[[Any], Mapping[str, Any]] | None = None
    every: (
        Recurrence
        | Conditioned
        | InRange
        | Reduced
        | Lists
        | Truncated
        | Relabelled
        | Tops
        | Streams
        | ConcentratedRows
        | GoodParts
        | None
    ) = None
    """The same of every size, in the words of the kernel; of a recurrence ``holds`` are `Instances`."""
    proof: Tactic | Derivation | None = None
    """That it holds at every size; tactics prove ``every``."""
    title: ClassVar[str] = "finite statement"

    def __post_init__(self) -> None:
        if self.rigorous == bool(self.tolerance):
            raise ValueError(
                "expected a tolerance exactly where an enumeration is not rigorous, got "
                f"rigorous={self.rigorous} and tolerance={self.tolerance!r}"
            )

    def covered(self, profile: str) -> str:
        """The sizes that a profile decides, in words; empty where they are the whole statement."""
        size = self.sizes[profile]
        if self.complete and size == max(self.sizes.values()):
            return ""
        return f"by enumeration, {self.size_text} <= {size}"


@dataclass(frozen=True)
class Definition:
    """A definition as an executable predicate, with members and non-members that fix its meaning."""

    accepts: Callable[[Any], bool]
    members: tuple[Any, ...]
    non_members: tuple[Any, ...]
    title: ClassVar[str] = "definition"


@dataclass(frozen=True)
class Editorial:
    """A misprint or a remark with nothing to evaluate: what is printed, what it should read, and why."""

    printed: str
    corrected: str
    reason: str
    title: ClassVar[str] = "editorial"


Kind = (
    DeltaBound
    | Calibration
    | Inequality
    | Identity
    | Monotonicity
    | Recurrence
    | Quantity
    | Law
    | Mean
    | FiniteStatement
    | Definition
    | Editorial
)
