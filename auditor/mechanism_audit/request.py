"""What is asked of an audit of somebody's mechanism: one object, filled by the command line, the API and the plugin."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Self

from auditor.errors import UsageError
from auditor.inputs.data import Data, Rows, own_neighbours
from auditor.inputs.sources import Example, custom_neighbours, dataset, examples, is_strategy
from auditor.inputs.tables import Table
from auditor.mechanism_audit.options import DETECT, MechanismOptions
from auditor.mechanism_audit.promise import ADJACENCIES, Promise, Stated, given_pair, promise_of
from auditor.statistics.betting import BOTH_DIRECTIONS
from auditor.statistics.pure_epsilon import delta_that_shows
from auditor.target.forms import KINDS
from auditor.target.target import Limits, Target, as_target
from proofs_numeric.arithmetic import exact
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.neighbours import Direction, Neighbours

Number = int | Fraction | str
OF_CLAIM = ("epsilon", "delta", "rho", "mu", "c_u")
"""Options that are parameters of the claim, where there is one."""
SAMPLES = 100_000
"""Releases a side of a test that is not told how many: more only where the power that is asked for takes more."""
NOTHING_CLAIMED = 0.01
"""What has to be seen where delta 0 is claimed, or less where a multiple of the claimed epsilon takes it."""
PURE_FACTOR = 2.0
"""Multiple of a pure epsilon that has to be seen where nobody gives one."""
SEEN_EXCESS = 0.3
"""Excess of epsilon that is seen, at any epsilon up to 5, where a delta of NOTHING_CLAIMED is."""
NEXT_TO_NOTHING = 1e-60
"""A claimed delta below it is as good as 0: of a concentrated claim far out, for one."""
_MULTIPLE = re.compile(r"(\d+(?:\.\d+)?)x")


@dataclass(frozen=True, kw_only=True)
class MechanismRequest(MechanismOptions):
    """An audit of a mechanism by its releases alone, with the options of `MechanismOptions`.

    Attributes:
        target: `package.module:callable`, `path/to/file.py:callable`, `exec:COMMAND` (docs/protocol.md), a live
            callable `release(histogram, rng)`, an object with `release_many(histogram, n, rng)`, or a target that is
            located already.
        claim: the claim it should keep, at `parameters`; without one the promise is that of the options.
        parameters: exact values by the claim's names, and by those that its neighbours take besides (`tau`).
        own: neighbours to try besides the claim's: those that a registered fault or control names.

    Errors:
        UsageError: a value that cannot be used, in one line.
    """

    target: str | Callable[..., Any] | object
    claim: Claim | None = None
    parameters: Mapping[str, Number] = field(default_factory=dict)
    own: tuple[Neighbours, ...] = ()

    def __post_init__(self) -> None:
        """Take a strategy in the place of the data as the strategy, and refuse what no audit can be made of."""
        super().__post_init__()
        if is_strategy(self.dataset):
            object.__setattr__(self, "strategy", self.dataset)
            object.__setattr__(self, "dataset", None)
        if self.rows and self.input not in (None, "rows"):
            raise UsageError(f"expected --rows or --input, got --rows and --input {self.input}")
        self.wanted(0.0)

    @classmethod
    def of(
        cls,
        target: str | Callable[..., Any] | object,
        claim: Claim | None,
        parameters: Mapping[str, Number],
        **options: Any,
    ) -> Self:
        """Return the request in which numbers and c_u are parameters of the claim, where there is one."""
        given = {name: options[name] for name in OF_CLAIM if options.get(name) is not None}
        if claim is None:
            exactly = {name: _text(name, value) for name, value in given.items() if name != "c_u"}
            return cls(target=target, parameters=parameters, **{**options, **exactly})
        rest = {name: value for name, value in options.items() if name not in OF_CLAIM}
        return cls(target=target, claim=claim, parameters={**parameters, **given}, **rest)

    @property
    def stated(self) -> Stated:
        """What is promised without a claim."""
        numbers = {"epsilon": self.epsilon, "delta": self.delta, "rho": self.rho, "mu": self.mu}
        exactly = {name: None if number is None else str(number) for name, number in numbers.items()}
        return Stated(**exactly, profile=self.profile)

    @property
    def limits(self) -> Limits | None:
        """Time of one answer of the target, where it is given."""
        return Limits.answering(self.answer_seconds)

    def at(self, **change: Any) -> Self:
        """Return the request with some attributes changed."""
        return replace(self, **change)

    @property
    def directions(self) -> tuple[Direction, ...]:
        """The directions that are audited."""
        return BOTH_DIRECTIONS if self.direction == "both" else (Direction(self.direction),)

    @property
    def relation_said(self) -> bool:
        """Whether a claim or an adjacency says who is a neighbour of whom; else the caller's own neighbours do."""
        return self.claim is not None or self.adjacency is not None

    @property
    def searches(self) -> bool:
        """Whether neighbours are tried that are not the caller's own."""
        return self.pair is None and (self.neighbours is None or self.relation_said)

    @property
    def level(self) -> float:
        """The false-alarm probability of the whole audit."""
        return float(Fraction(self.alpha))

    def wanted(self, delta: float) -> float:
        """Return the delta that a silence has to be able to see, where `delta` is claimed.

        A multiple that reaches beyond the middle between delta and 1 means that middle. A multiple of a pure epsilon
        means the delta that is seen by as many releases as that epsilon takes, and `NOTHING_CLAIMED` at most.

        Errors:
            UsageError: `detect` is no multiple above 1 and no number in (0, 1), or not above the claimed delta.
        """
        multiple = _MULTIPLE.fullmatch(self.detect)
        if multiple is not None:
            factor = float(multiple[1])
            if factor <= 1:
                raise UsageError(f"expected --detect above 1x, got {self.detect}: less is what is claimed")
            return min(factor * delta, (1 + delta) / 2) if delta > NEXT_TO_NOTHING else self._wanted_of_pure(factor)
        try:
            value = float(Fraction(self.detect))
        except (ValueError, ZeroDivisionError):
            raise UsageError(
                f"expected --detect as a multiple of the claimed delta (3x) or a delta (1e-4), got {self.detect!r}"
            ) from None
        if not delta < value < 1:
            raise UsageError(
                f"expected --detect between the claimed delta {delta:.6g} and 1, got {self.detect}: nothing smaller "
                "than the claim is a violation"
            )
        return value

    def _wanted_of_pure(self, factor: float) -> float:
        """Return the delta that is seen by the releases that show a multiple of a pure epsilon that is stated."""
        stated = self.stated
        if stated.epsilon is None or stated.delta not in (None, "0"):
            return NOTHING_CLAIMED
        try:
            epsilon = float(Fraction(stated.epsilon))
        except (ValueError, ZeroDivisionError):  # refused where the promise is made
            return NOTHING_CLAIMED
        larger = epsilon * (PURE_FACTOR if self.detect == DETECT else factor)
        if epsilon <= 0 or larger - epsilon >= SEEN_EXCESS:
            return NOTHING_CLAIMED
        return min(NOTHING_CLAIMED, delta_that_shows(larger, epsilon))

    def promise(self, data: Data | None = None) -> Promise:
        """Return what is promised, with the claim's neighbours; without a claim they reach as far as users of the data.

        A target of rows bounds what a user adds itself: so its promise is about whoever is in the data, all of him.
        """
        options = {"adjacency": self.adjacency, "c-u": self.c_u, "per-key": self.per_key}
        words = (w for name, value in options.items() if value is not None for w in (f"--{name}", str(value)))
        partitions, rows = data.reach if isinstance(data, Rows) else (1, 1)
        relation = ADJACENCIES[self.adjacency or "add-remove"](self.c_u or partitions, self.per_key or rows)
        return promise_of(self.claim, self.parameters, self.stated, relation, tuple(words), self.python)

    def located(self) -> Target:
        """Return the target, located but not started."""
        target = self.target
        if not isinstance(target, Target):
            target = as_target(target, "mechanism", self.limits, self.python)
        elif self.limits is not None:
            target = replace(target, limits=self.limits)
        declared = True if self.only_input_keys else target.releases_only_input_keys
        return replace(target, releases_only_input_keys=declared, jobs=self.jobs)

    def read(self, *, tables: bool = False) -> Data | None:
        """Return the user's data, with `tables` as a table whatever their columns; None where there are none."""
        if self.strategy is not None and not self.searches:
            raise UsageError("expected --strategy without --pair, and with --adjacency if with --neighbours")
        if self.dataset is None and (self.neighbours is not None or (self.columns and self.strategy is None)):
            option = "--columns" if self.neighbours is None else "--neighbours, which are made of it"
            raise UsageError(f"expected --dataset with {option}, got none")
        if self.dataset is None:
            return None
        return dataset(self.dataset, self.python, self.seed, columns=self.columns or {}, tables=tables)

    def read_for(self, target: Target) -> tuple[Data | None, str, list[Example]]:
        """Return the user's data, the form in which the target takes its input, and what the user's strategy yields.

        Data are None if there are none. Without a dataset the largest one that the strategy yields is it.

        Errors:
            UsageError: neighbours without data, columns without data, or data whose form nobody names.
        """
        kind = "rows" if self.rows else self.input
        program = bool(target.command)
        if program and kind not in (None, "rows", "histogram"):
            raise UsageError(f"expected --input rows or histogram for a program, got {kind}: see docs/protocol.md")
        if not (self.dataset is None and self.strategy is None) and not program:
            kind = kind or target.guessed_input
        tables = kind not in (None, "rows", "histogram")
        data = self.read(tables=tables)
        yielded: list[Example] = []
        if self.strategy is not None:
            yielded = examples(self.strategy, data, self.python, self.seed, self.columns or {}, tables=tables)
            largest = max((side for one in yielded for side in one), key=lambda side: sum(side.values()))
            data = largest if data is None else data
        if data is None:
            return None, kind or "histogram", yielded
        if isinstance(data, Rows) and kind == "histogram" and self.input == "histogram":
            return dict(data), kind, yielded
        own = ("rows" if isinstance(data, Rows) else "histogram") if not isinstance(data, Table) else data.layout.source
        kind = own if kind == "histogram" and isinstance(data, Rows) else kind or own
        if kind is None:
            raise UsageError(
                f"expected --input {', '.join(KINDS)} for data with columns of their own, got none: annotate the first "
                "argument of the target or give --input; rows have the columns user, partition and value"
            )
        return data, kind, yielded

    @staticmethod
    def form(data: Data | None, kind: str) -> dict[str, Any] | None:
        """Return the form that rows take before the target is called; None of a histogram and of tuples."""
        if kind in ("rows", "histogram"):
            return None
        return {"kind": kind, "layout": data.layout.to_json() if isinstance(data, Table) else None}

    def pairs_to_try(
        self, promise: Promise, data: Data | None = None, kind: str = "histogram"
    ) -> tuple[Neighbours, ...]:
        """Return the neighbours that are tried whatever is searched: the caller's, or the claim's and one's own.

        The claim's have the caller's keys, or those of the data, where any name will do, as far as there are as many.
        """
        if self.pair is not None:
            relation = promise.adjacency if self.relation_said else None
            return (given_pair(self.pair, relation),)
        of_data: tuple[Neighbours, ...] = ()
        if data is not None and self.neighbours is not None:
            of_data = custom_neighbours(self.neighbours, data, self.python, self.seed, self.form(data, kind))
        elif data is not None:
            of_data = own_neighbours(data, promise.adjacency, self.values)
        pairs, keys = promise.pairs, tuple(self.keys) or tuple(data or ())
        if keys and not promise.keys:
            pairs = tuple(named for pair in pairs for named in (pair.named(keys), _of_last(pair, keys)) if named)
        return tuple({neighbours.id: neighbours for neighbours in (*of_data, *pairs, *self.own)}.values())

    def command(self, name: str, promise: Promise) -> list[str]:
        """Return the command line of the audit, but for the blocks it draws."""
        return ["auditor", "mechanism", name, *promise.arguments, *self.words]


def _of_last(pair: Neighbours, keys: Sequence[str]) -> Neighbours | None:
    """Return the neighbours with the last of the keys, under an id of their own: of a universe none is left out."""
    return replace(pair, id=f"{pair.id}, last keys").named(keys[::-1])


def _text(name: str, value: Number) -> str:
    try:
        exact(value)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{name}: {error}") from None
    return str(value)
