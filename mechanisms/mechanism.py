"""What a mechanism is, what is said about one, and the two kinds of deliberate deviation from one."""

from __future__ import annotations

import functools
import inspect
import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from numbers import Real
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    ParamSpec,
    Protocol,
    Required,
    TypedDict,
    TypeVar,
    Unpack,
    runtime_checkable,
)

from mechanisms.histogram import Released, check_mapping, check_releases
from mechanisms.pair import EitherWay, ExactLaw, Pair
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.expression import Expression
from proofs_numeric.statements.neighbours import Direction, Neighbours, Privacy
from proofs_numeric.statements.verdict import Expectation

if TYPE_CHECKING:
    import numpy as np

    from mechanisms.histogram import Histogram
    from mechanisms.pair import Profile
    from proofs_numeric.statements.adjacency import Adjacency

Parameters = Mapping[str, Value]
"""Parameters by the names the claim uses; for sparse histograms c_u, sigma, gap = tau* - tau, mu_o, and tau."""


class Boundary(StrEnum):
    """What happens to a value that equals the threshold."""

    INCLUSIVE = ">="
    EXCLUSIVE = ">"


@runtime_checkable
class Mechanism(Protocol):
    """A randomised release of a histogram. Implementations do not change their input and keep no state."""

    @property
    def releases_only_input_keys(self) -> bool:
        """Whether every released key is a key of the input: what one-sample tests of impossible keys assume."""

    def release(self, histogram: Histogram, rng: np.random.Generator) -> dict[str, float]:
        """One release: the keys that pass and their noisy counts, in the mechanism's own order of keys."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases: the columns' keys and an array of shape (n, len(keys)), NaN where not released."""


class BatchMechanism(ABC):
    """A mechanism whose one release is the first of a batch: subclasses write `release_many` only."""

    releases_only_input_keys: bool = True

    def __init_subclass__(cls, **options: Any) -> None:
        """Let the subclass refuse what is no mapping or no number of releases, in one line, before it does anything."""
        super().__init_subclass__(**options)
        if "release_many" in vars(cls):
            setattr(cls, "release_many", _checking(vars(cls)["release_many"]))  # noqa: B010 - a method, by name

    @abstractmethod
    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """Return n independent releases, as `Mechanism.release_many` says."""

    def release(self, histogram: Histogram, rng: np.random.Generator) -> dict[str, float]:
        """One release: the keys that pass and their noisy counts, in the order of the batch's columns."""
        keys, values = self.release_many(histogram, 1, rng)
        return {key: value for key, value in zip(keys, values[0].tolist(), strict=True) if not math.isnan(value)}


def _checking(release_many: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(release_many)
    def checked(self: BatchMechanism, histogram: Histogram, n: int, rng: np.random.Generator) -> Any:
        check_mapping(histogram)
        check_releases(n)
        return release_many(self, histogram, n, rng)

    return checked


_Arguments = ParamSpec("_Arguments")
_Built = TypeVar("_Built")


def of_numbers(build: Callable[_Arguments, _Built]) -> Callable[_Arguments, _Built]:
    """Let a mechanism's `build` refuse a parameter that is no number, or none that a double can hold, in one line."""

    @functools.wraps(build)
    def checked(*args: _Arguments.args, **parameters: _Arguments.kwargs) -> _Built:
        for name, value in parameters.items():
            _check_number(name, value)
        return build(*args, **parameters)

    return checked


def _check_number(name: str, value: object) -> None:
    expected = f"expected an exact number {name} (3, Fraction(1, 6), '1e-8')"
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction | str):
        raise ValueError(f"{expected}, got {name}={value!r}")  # noqa: TRY004 - refused like any other value
    try:
        size = abs(Fraction(value))
    except (ValueError, OverflowError, ZeroDivisionError):
        raise ValueError(f"{expected}, got {name}={value!r}") from None
    if size and not sys.float_info.min <= size <= sys.float_info.max:
        least, largest = (f"{end:.3g}" for end in (sys.float_info.min, sys.float_info.max))
        raise ValueError(f"{expected}, 0 or of size {least} to {largest}, got a {name} that no double holds")


Build = Callable[..., Mechanism]
"""Module-level callable that takes the parameters by keyword and returns the mechanism (picklable by reference)."""


BOTH_DIRECTIONS = (Direction.FORWARD, Direction.BACKWARD)


class Releasing(ABC):
    """A subject whose releases are audited: a mechanism, a fault, a control."""

    id: str
    title: str
    build: Build
    parameters: Parameters
    subject_kind: ClassVar[str]
    expected: ClassVar[Expectation] = Expectation.HOLDS

    @property
    @abstractmethod
    def held_to(self) -> str:
        """Id of the claim that it is audited against, at its parameters."""

    @property
    @abstractmethod
    def audited_pairs(self) -> tuple[Pair, ...]:
        """Neighbours that its checks look at, with its law on them."""

    @property
    def audited_epsilons(self) -> tuple[Value, ...]:
        """Where its checks compare; none: wherever the run's profile says."""
        return ()

    @property
    def audited_directions(self) -> tuple[Direction, ...]:
        """Directions in which its checks compare."""
        return BOTH_DIRECTIONS

    def answers_to(self, _check: str) -> bool:
        """Whether a check that refutes what is wrong with a mechanism looks at it."""
        return True

    def explained(self, pair: Pair) -> str:
        """What a refutation on the pair shows, one sentence."""
        return pair.description


class Change(TypedDict, total=False):
    """One change of a mechanism, where it shows, and what law it has there.

    Attributes:
        id, title: of the variant; the title says what is changed, one line.
        pair: neighbours that expose it, or their id among the worst cases at `parameters`.
        epsilon: where the claim is compared; 1 if absent.
        at: parameters at which this mechanism has the law of the changed code on the pair, where they are not the
            claim's. Without changed code it is this mechanism built with them.
        subclass, change, build: the changed code, at most one. A subclass of what the mechanism builds, with the same
            fields and other methods; a function of what the mechanism builds; or a function of the claim's parameters.
        profile: exact profile of the changed code on the pair, where the law of this mechanism at `at` is not it. One
            that is the same in both directions may be an expression in epsilon and the parameters.
        parameters: of the claim and the build, where they differ from this mechanism's.
    """

    id: Required[str]
    title: Required[str]
    pair: Required[Neighbours | str]
    epsilon: Value
    at: Parameters | None
    build: Build | None
    subclass: type[Any] | None
    change: Callable[[Any], Mechanism] | None
    profile: Profile | Expression | None
    parameters: Parameters | None


@dataclass(frozen=True)
class MechanismSpec(Releasing):
    """A mechanism as a subject of an audit.

    Attributes:
        id: its name, and that of its folder or module.
        title: one line for people.
        build: parameters by keyword -> Mechanism.
        parameters: default parameters of an audit, by the names of the guarantee's claim (all but epsilon).
        guarantee_claim: id of the claim that states its guarantee.
        source: paper and locator of the algorithm.
        privacy: adjacency and worst-case neighbours; the very object that the claim holds.
        law: (neighbours, parameters) -> exact law of this mechanism, built with the parameters, on the neighbours.
    """

    id: str
    title: str
    build: Build
    parameters: Parameters
    guarantee_claim: str
    source: str
    privacy: Privacy
    law: Callable[[Neighbours, Parameters], ExactLaw]
    subject_kind: ClassVar[str] = "mechanism"
    note: ClassVar[str] = ""

    @property
    def held_to(self) -> str:
        return self.guarantee_claim

    @property
    def audited_pairs(self) -> tuple[Pair, ...]:
        return self.pairs(self.parameters)

    def adjacency(self, parameters: Parameters) -> Adjacency:
        """Who is a neighbour of whom under the guarantee."""
        return self.privacy.adjacency(parameters)

    def pairs(self, parameters: Parameters) -> tuple[Pair, ...]:
        """Worst-case neighbours of the guarantee, each with the law of this mechanism on them."""
        return tuple(self.pair(neighbours, parameters) for neighbours in self.privacy.worst_cases(parameters))

    def pair(self, neighbours: Neighbours | str, parameters: Parameters, *, at: Parameters | None = None) -> Pair:
        """Neighbours, or those of this id among the worst cases, with a law.

        Args:
            neighbours: themselves, or their id.
            parameters: of the claim; they place the worst cases.
            at: parameters of the mechanism whose law it is, where they differ from the claim's.
        """
        if isinstance(neighbours, str):
            pairs = {each.id: each for each in self.privacy.worst_cases(parameters)}
            if neighbours not in pairs:
                raise ValueError(f"expected neighbours of {', '.join(pairs)}, got {neighbours!r} ({self.id})")
            neighbours = pairs[neighbours]
        return Pair.of(neighbours, self.adjacency(parameters), self.law(neighbours, {**parameters, **(at or {})}))

    def broken(
        self,
        *,
        explanation: str,
        caught_by: str = "empirical.black_box",
        direction: Direction = Direction.FORWARD,
        violates: str | None = None,
        **change: Unpack[Change],
    ) -> Fault:
        """Return this mechanism with one thing changed, so that it breaks its guarantee.

        Args:
            explanation: why it leaks, and the event that shows it.
            caught_by: name of the check that must refute it.
            direction: in which the fault shows.
            violates: id of the claim it breaks, where that is not the guarantee.
            change: what is changed, on which neighbours, and the law of the result.
        """
        return Fault(
            violates=violates or self.guarantee_claim, caught_by=caught_by, direction=direction,
            explanation=explanation, **self._changed(**change),
        )  # fmt: skip

    def neutral(
        self, *, proof: str, satisfies: str | None = None, unknown_law: bool = False, **change: Unpack[Change]
    ) -> Control:
        """Return this mechanism with one thing changed that looks wrong and is not.

        Args:
            proof: why the claim is kept, one paragraph.
            satisfies: id of the claim it keeps, where that is not the guarantee.
            unknown_law: whether no formula of the variant's profile is known.
            change: as of `broken`.
        """
        control = Control(satisfies=satisfies or self.guarantee_claim, proof=proof, **self._changed(**change))
        return replace(control, pair=replace(control.pair, profile=None, loss=None)) if unknown_law else control

    def _changed(
        self,
        *,
        id: str,  # noqa: A002 - the field's name
        title: str,
        pair: Neighbours | str,
        epsilon: Value = 1,
        at: Parameters | None = None,
        build: Build | None = None,
        subclass: type[Any] | None = None,
        change: Callable[[Any], Mechanism] | None = None,
        profile: Profile | Expression | None = None,
        parameters: Parameters | None = None,
    ) -> dict[str, Any]:
        """Return the fields of a variant; arguments as of `Change`."""
        claimed = {**self.parameters, **(parameters or {})}
        witness = self.pair(pair, claimed, at=at)
        if isinstance(profile, Expression):
            profile = EitherWay(profile, claimed)
        if subclass is not None:
            build = functools.partial(of_kind, subclass, self.build)
        elif change is not None:
            build = functools.partial(changed_by, change, self.build)
        elif build is None:
            build = functools.partial(built_at, self.build, tuple(at.items())) if at else self.build
        return {
            "id": id, "title": title, "mechanism": self.id, "build": build, "parameters": claimed, "epsilon": epsilon,
            "pair": witness if profile is None else replace(witness, profile=profile, loss=None),
        }  # fmt: skip


def check_doubles(**values: object) -> None:
    """Refuse what is no number, and integers that no double holds."""
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, Real):
            raise ValueError(f"expected a number {name}, got {name}={value!r}")  # noqa: TRY004 - refused like a range
        if isinstance(value, int) and abs(value) > sys.float_info.max:
            raise ValueError(f"expected {name} of size at most {sys.float_info.max:.3g}, got a larger one")


def built_at(build: Build, at: tuple[tuple[str, Value], ...], **parameters: Value) -> Mechanism:
    """Build with some parameters replaced (picklable, as faults travel to worker processes)."""
    return build(**{**parameters, **dict(at)})


def changed_by(change: Callable[[Any], Mechanism], build: Build, **parameters: Value) -> Mechanism:
    """Build, and change what is built (picklable, as `built_at` is)."""
    return change(build(**parameters))


def of_kind(kind: type[_Built], build: Build, **parameters: Value) -> _Built:
    """Build, as a subclass of what is built: a dataclass with the same fields (picklable, as `built_at` is)."""
    return kind(**vars(build(**parameters)))


@dataclass(frozen=True)
class Variant(Releasing):
    """A mechanism with one thing changed, and where that is looked at.

    Attributes:
        id: its name, which starts with the family's.
        title: what differs, one line.
        mechanism: id of the MechanismSpec it deviates from.
        build: parameters by keyword -> the variant.
        parameters: parameters under which the claim is read and the variant is built.
        pair: neighbours on which the change shows, or would be expected to; its profile is the variant's exact one.
        epsilon: where the claim is compared.
    """

    id: str
    title: str
    mechanism: str
    build: Build
    parameters: Parameters
    pair: Pair
    epsilon: Value

    @property
    def audited_pairs(self) -> tuple[Pair, ...]:
        return (self.pair,)

    @property
    def audited_epsilons(self) -> tuple[Value, ...]:
        return (self.epsilon,)


@dataclass(frozen=True)
class Fault(Variant):
    """A mechanism that breaks a claim on purpose, with its exact delta on a named pair.

    Attributes:
        violates: id of the claim it breaks at (parameters, epsilon).
        caught_by: name of the check that must refute it.
        direction: direction in which the fault shows.
        explanation: why it leaks, and the event that shows it.
    """

    violates: str
    caught_by: str
    direction: Direction
    explanation: str
    subject_kind: ClassVar[str] = "fault"
    expected: ClassVar[Expectation] = Expectation.REFUTED

    @property
    def held_to(self) -> str:
        return self.violates

    @property
    def audited_directions(self) -> tuple[Direction, ...]:
        return (self.direction,)

    def answers_to(self, check: str) -> bool:
        """Whether it is the check that must refute it: what another sees of it is not what is planted."""
        return check == self.caught_by

    def explained(self, _pair: Pair) -> str:
        return self.explanation

    def exact_delta(self, A: Arithmetic, epsilon: Number) -> Any:
        """Exact hockey stick of the faulty mechanism on its pair at epsilon, in the arithmetic A."""
        if self.pair.profile is None:
            raise ValueError(f"expected a pair with a known profile for fault {self.id!r}, got {self.pair.id!r}")
        return self.pair.profile(A, epsilon, self.direction)


class InDoubles:
    """A formula as an accountant: it takes the formula's parameters by keyword and returns a float."""

    def __init__(self, formula: Callable[..., Any]) -> None:
        functools.update_wrapper(self, formula)
        _arithmetic, *parameters = inspect.signature(formula).parameters.values()
        self.__signature__ = inspect.Signature(parameters)

    def __reduce__(self) -> str:
        """Pickle by the name that holds it, as functions are."""
        return self.__wrapped__.__qualname__  # type: ignore[attr-defined, no-any-return]

    def formula(self, A: Arithmetic, **parameters: Any) -> Any:
        """Return what the accountant reports, in any arithmetic."""
        return self.__wrapped__(A, **parameters)  # type: ignore[attr-defined]

    def __call__(self, **parameters: float) -> float:
        from proofs_numeric.arithmetic import Float64

        A = Float64()
        return float(self.formula(A, **{n: v if isinstance(v, int) else A.number(v) for n, v in parameters.items()}))


@dataclass(frozen=True)
class AccountantFault:
    """An accountant that is unsafe on purpose, with a point at which it is.

    Attributes:
        id: stem of its module.
        title: what is wrong, one line.
        mechanism: id of the MechanismSpec it claims to account for.
        violates: id of the claim it is compared with.
        caught_by: name of the check that must refute it.
        accountant: takes the claim's parameters by keyword (floats or ints), returns delta as a float.
        parameters: the claim's parameters (epsilon among them) at which it is unsafe.
        explanation: why it is wrong.
        formula: what the accountant reports at `parameters`, over any arithmetic: formula(A, **parameters). That of the
            accountant if it is `InDoubles`.
    """

    id: str
    title: str
    mechanism: str
    violates: str
    accountant: Callable[..., float]
    parameters: Parameters
    explanation: str
    formula: Callable[..., Any] = None  # type: ignore[assignment]  # set below
    caught_by: str = "numeric.accountant"
    subject_kind: ClassVar[str] = "fault"
    expected: ClassVar[Expectation] = Expectation.REFUTED

    def __post_init__(self) -> None:
        if isinstance(self.accountant, InDoubles):
            object.__setattr__(self, "formula", self.accountant.formula)

    @property
    def held_to(self) -> str:
        """Id of the claim that it is compared with."""
        return self.violates


@dataclass(frozen=True)
class Control(Variant):
    """A variant of a mechanism that looks wrong and is not: a check that flags it is wrong itself.

    Attributes:
        satisfies: id of the claim it keeps, with the same parameters.
        proof: why the claim is kept, one paragraph.
    """

    satisfies: str
    proof: str
    subject_kind: ClassVar[str] = "control"

    @property
    def source(self) -> str:
        """What it is a variant of."""
        return f"variant of {self.mechanism}"

    @property
    def note(self) -> str:
        """Why its claim is kept."""
        return self.proof

    @property
    def held_to(self) -> str:
        return self.satisfies
