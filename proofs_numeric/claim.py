"""A claim: one checkable statement of a paper as data, apart from the checks that decide it.

A claim says where it stands (:class:`Source`), over which parameters (:class:`Box` of :class:`Parameter`), of what
kind it is, and what it is expected to be.  Its verdict is computed when the suite runs.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, ClassVar

from proofs_numeric.arithmetic import Arithmetic, Exact, exact
from proofs_numeric.guarantee import Guarantee
from proofs_numeric.verdict import Expectation

Formula = Callable[..., Any]
"""``formula(A, **parameters)``: the value in arithmetic ``A``; parameters by their names in the claim's domain."""

Value = Exact | str
"""An exact number, or a word: an enumeration's choice or ``"infinity"``."""


class ParameterError(ValueError):
    """A parameter is missing, unknown, not exact, or outside its domain."""


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


@dataclass(frozen=True)
class Parameter:
    """One parameter of a claim: name, meaning, unit and closed domain (open where said)."""

    name: str
    description: str
    unit: str = "no unit"
    lower: int | Fraction | str = 0
    upper: int | Fraction | str = "infinity"
    integer: bool = False
    log: bool = False
    """Search and plot on a logarithmic scale."""
    open_lower: bool = False
    open_upper: bool = False
    choices: tuple[str, ...] = ()
    """The words of an enumeration; bounds are then ignored."""
    default: Value | None = None

    @property
    def allowed(self) -> str:
        """The domain in words, as error messages print it."""
        if self.choices:
            return f"{self.name} in {{{', '.join(self.choices)}}}"
        left = f"{self.lower} {'<' if self.open_lower else '<='} "
        right = f" {'<' if self.open_upper or self.upper == 'infinity' else '<='} {self.upper}"
        kind = ", an integer" if self.integer else ""
        if self.lower == "-infinity":
            return f"{self.name}{right}{kind}" if self.upper != "infinity" else f"any real {self.name}{kind}"
        return f"{left}{self.name}{'' if self.upper == 'infinity' else right}{kind} ({self.unit})"

    def parse(self, value: int | Fraction | str) -> Value:
        """Return the exact value; raise ParameterError with one line: expected domain, value."""
        if self.choices:
            if value not in self.choices:
                raise ParameterError(f"expected {self.allowed}, got {self.name}={value}")
            return str(value)
        try:
            number = exact(value)
        except (TypeError, ValueError) as error:
            raise ParameterError(f"{self.name}: {error}") from None
        if (self.integer and not isinstance(number, int)) or not self.contains(number):
            raise ParameterError(f"expected {self.allowed}, got {self.name}={value}")
        if abs(Fraction(number)) > sys.float_info.max:
            largest = f"{sys.float_info.max:.3g}, the largest double"
            raise ParameterError(f"expected {self.allowed}, of size at most {largest}; got {self.name}={value}")
        return self.coerce(number)

    def coerce(self, number: Exact) -> Exact:
        """``int`` for an integer parameter (formulas loop over it), ``Fraction`` for a real one."""
        return int(number) if self.integer else Fraction(number)

    def contains(self, number: Exact) -> bool:
        """Whether the number lies in the domain."""
        if self.lower != "-infinity":
            lower = exact(self.lower)
            if number < lower or (self.open_lower and number == lower):
                return False
        if self.upper != "infinity":
            upper = exact(self.upper)
            if number > upper or (self.open_upper and number == upper):
                return False
        return True


@dataclass(frozen=True)
class Box:
    """The domain of a claim: a product of parameters, cut by an optional constraint between them."""

    parameters: tuple[Parameter, ...] = ()
    constraint: Callable[..., bool] | None = None
    """Called with exact values by keyword."""
    constraint_text: str = ""

    def __getitem__(self, name: str) -> Parameter:
        return next(parameter for parameter in self.parameters if parameter.name == name)

    @property
    def names(self) -> tuple[str, ...]:
        """Parameter names in order."""
        return tuple(parameter.name for parameter in self.parameters)

    def parse(self, values: Mapping[str, int | Fraction | str]) -> dict[str, Value]:
        """Return exact values for every parameter (defaults filled in); raise ParameterError in one line."""
        unknown = [name for name in values if name not in self.names]
        if unknown:
            raise ParameterError(f"unknown parameter {unknown[0]}; allowed: {', '.join(self.names) or 'none'}")
        parsed: dict[str, Value] = {}
        for parameter in self.parameters:
            if parameter.name in values:
                parsed[parameter.name] = parameter.parse(values[parameter.name])
            elif parameter.default is not None:
                parsed[parameter.name] = parameter.parse(parameter.default)
            else:
                raise ParameterError(f"missing parameter {parameter.name}; expected {parameter.allowed}")
        if not self.admits(parsed):
            raise ParameterError(f"expected {self.constraint_text}, got {format_parameters(parsed)}")
        return parsed

    def admits(self, values: Mapping[str, Value]) -> bool:
        """Whether parsed values satisfy the constraint between parameters."""
        return self.constraint is None or bool(self.constraint(**values))


def format_parameters(values: Mapping[str, Value]) -> str:
    """``a=1, b=1/3`` in the order given."""
    return ", ".join(f"{name}={value}" for name, value in values.items())


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


# --- proofs -----------------------------------------------------------------------------------------------------------


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


# --- kinds ------------------------------------------------------------------------------------------------------------


class Relation(StrEnum):
    """Relation between the sides of an inequality."""

    LESS = "<"
    LESS_EQUAL = "<="


@dataclass(frozen=True)
class DeltaBound:
    """A delta, or any bound on a hockey stick: exact, or an upper or lower bound, by the claim's role."""

    formula: Formula
    oracle: Formula | None = None
    """The same number from the definition, sharing no code with ``formula`` (quadrature, enumeration, brute force)."""
    oracle_points: tuple[Mapping[str, Value], ...] = ()
    exact: Formula | None = None
    """For an upper or lower bound: the exact value it bounds, over the same parameters."""
    proof: Proof | None = None
    title: ClassVar[str] = "delta bound"


@dataclass(frozen=True)
class Calibration:
    """A threshold, scale or epsilon chosen to meet a target: ``achieved`` is the exact delta at the chosen value.

    ``achieved(A, value=..., **parameters)``; the claim says ``achieved <= target``, with equality when ``tight``.
    """

    formula: Formula
    achieved: Formula
    target: str = "delta"
    tight: bool = True
    oracle: Formula | None = None
    proof: Proof | None = None
    """That the target is met."""
    title: ClassVar[str] = "calibration"


@dataclass(frozen=True)
class Inequality:
    """``left relation right`` over the domain."""

    left: Formula
    right: Formula
    relation: Relation = Relation.LESS_EQUAL
    proof: Proof | None = None
    title: ClassVar[str] = "inequality"


@dataclass(frozen=True)
class Identity:
    """``left == right`` over the domain; ``tolerance_digits`` digits are compared where no proof decides."""

    left: Formula
    right: Formula
    proof: Proof | None = None
    digits: int = 30
    title: ClassVar[str] = "identity"


@dataclass(frozen=True)
class Monotonicity:
    """``formula`` moves in ``direction`` as ``parameter`` grows, strictly when ``strict``."""

    formula: Formula
    parameter: str
    increasing: bool
    strict: bool = True
    proof: Proof | None = None
    title: ClassVar[str] = "monotonicity"


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
class FiniteStatement:
    """A statement over a finite set, decided by exact enumeration (integers, rationals, balls).

    ``cases(size)`` enumerates the set for a size (universe, bound on counts ...); ``holds(case)`` decides one case
    exactly; ``sizes`` maps a profile name to the size used.  ``complete`` says that the largest size is the whole
    statement (else the verdict states the sizes covered).  ``rigorous = False``: ``holds`` compares floating-point
    numbers, and a case fails only by more than ``tolerance`` (in words); such an enumeration proves nothing.
    """

    cases: Callable[[int], Iterable[Any]]
    holds: Callable[[Any], bool]
    sizes: Mapping[str, int]
    size_text: str = "size"
    complete: bool = False
    rigorous: bool = True
    tolerance: str = ""
    title: ClassVar[str] = "finite statement"

    def __post_init__(self) -> None:
        if self.rigorous == bool(self.tolerance):
            raise ValueError(
                "expected a tolerance exactly where an enumeration is not rigorous, got "
                f"rigorous={self.rigorous} and tolerance={self.tolerance!r}"
            )


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
    | Quantity
    | Law
    | FiniteStatement
    | Definition
    | Editorial
)


@dataclass(frozen=True)
class SpecialValue:
    """A claim's value that is no number: ``"infinity"`` or ``"undefined"``, with the reason."""

    value: str
    reason: str


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
    role: Role = Role.EXACT
    guarantee: Guarantee | None = None
    corrected_by: str | None = None
    loose: str = ""
    """Where and by how much the statement is loose."""
    note: str = ""
    evaluates: Formula | None = None
    """What ``evaluate`` answers, when the kind does not say."""
    special_value: Callable[..., SpecialValue | None] | None = None
    """Called with the exact parameters: tells where the value is infinite or undefined, and why."""
    remark: Callable[..., str | None] | None = None
    """Called with the exact parameters: what ``evaluate`` says beside the value there, in one line."""
    promise: Callable[..., tuple[Any, Any]] | None = None
    """``promise(A, **parameters)``: delta and rho of the approximate concentrated privacy behind a profile."""
    points: tuple[Mapping[str, Value], ...] = ()
    """Hard corners and published parameter sets, always evaluated."""
    bracketed: str = ""
    """Where the value is known only between two bounds, and why; ``evaluate`` then prints the bracket."""
    cost: int = 1
    """How many times dearer an evaluation is than a closed formula's; points and examples are divided by it."""

    @property
    def formula(self) -> Formula | None:
        """The evaluator, if the claim has a value."""
        if self.evaluates is not None:
            return self.evaluates
        if isinstance(self.kind, DeltaBound | Calibration | Monotonicity | Quantity):
            return self.kind.formula
        return None


def evaluate_in(A: Arithmetic, formula: Formula, parameters: Mapping[str, Value]) -> Any:
    """Evaluate ``formula`` in ``A`` at exact parameters; words and integers pass as they are, fractions as numbers."""
    with A:
        return formula(
            A,
            **{
                name: A.number(v) if isinstance(v, Fraction) or v == "infinity" else v for name, v in parameters.items()
            },
        )


def grid(box: Box, per_parameter: int) -> Iterator[dict[str, Value]]:
    """Yield a deterministic grid of exact points of ``box``: ends (nudged where open) and ``per_parameter`` inside.

    An unbounded side is cut at 10^12 (logarithmic) or 10^3 (linear).  Points outside the constraint are left out.
    """
    axes = [_axis(parameter, per_parameter) for parameter in box.parameters]

    def product(index: int, chosen: dict[str, Value]) -> Iterator[dict[str, Value]]:
        if index == len(axes):
            if box.admits(chosen):
                yield dict(chosen)
            return
        for value in axes[index]:
            yield from product(index + 1, {**chosen, box.parameters[index].name: value})

    yield from product(0, {})


def _axis(parameter: Parameter, count: int) -> list[Value]:
    if parameter.choices:
        return list(parameter.choices)
    cut = 10**12 if parameter.log else 1000
    lower = -Fraction(cut) if parameter.lower == "-infinity" else Fraction(exact(parameter.lower))
    upper = Fraction(cut) if parameter.upper == "infinity" else Fraction(exact(parameter.upper))
    steps = max(count + 1, 1)
    if parameter.log:
        start = lower if lower > 0 else min(Fraction(1, 10**12), upper / 2)
        low, high = math.log(start), math.log(upper)
        inner = [Fraction(f"{math.exp(low + (high - low) * i / steps):.3g}") for i in range(steps + 1)]
        inner = [min(max(value, start), upper) for value in inner]
    else:
        inner = [lower + (upper - lower) * i / steps for i in range(steps + 1)]
    values = [lower, *inner, upper]
    if parameter.integer:
        values = [Fraction(round(value)) for value in values]
    return [parameter.coerce(v) for v in sorted({v for v in values if parameter.contains(v)})]
