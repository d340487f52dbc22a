"""What is asked of an audit of somebody's mechanism: one object, filled by the command line, the API and the plugin."""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal, Self

from auditor.errors import UsageError
from auditor.inputs.data import Data, Rows, own_neighbours
from auditor.inputs.sources import Example, Source, custom_neighbours, dataset, examples, is_strategy
from auditor.inputs.tables import Table
from auditor.mechanism_audit.promise import ADJACENCIES, Promise, Stated, given_pair, promise_of
from auditor.settings import MOST_SAMPLES, checked_jobs, checked_probability, checked_seed
from auditor.statistics.betting import BOTH_DIRECTIONS
from auditor.statistics.pure_epsilon import delta_that_shows
from auditor.target.forms import KINDS
from auditor.target.target import Limits, Target, as_target
from proofs_numeric.arithmetic import exact
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.neighbours import Direction, Neighbours

Number = int | Fraction | str
Directions = Literal["both", "forward", "backward"]
FloatingPoint = Literal["report", "ignore"]

BUDGET_SECONDS = 60.0
SAMPLES = 100_000
"""Releases a side of a test that is not told how many: more only where the power that is asked for takes more."""
DETECT = "3x"
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
class MechanismRequest:
    """An audit of a mechanism by its releases alone.

    Attributes:
        target: `package.module:callable`, `path/to/file.py:callable`, `exec:COMMAND` (docs/protocol.md), a live
            callable `release(histogram, rng)`, an object with `release_many(histogram, n, rng)`, or a target that is
            located already.
        claim: the claim it should keep, at `parameters`; or say in `stated` what it should keep.
        parameters: exact values by the claim's names, and by those that its neighbours take besides (`tau`).
        stated: without a claim: what it should keep: epsilon, (epsilon, delta), rho, (rho, delta), mu or a profile.
        adjacency: without a claim: add-remove (one user), replace (one user by another) or each-answer (each moves by
            at most `per_key`, any way); a given pair is checked against it where it is given.
        c_u: without a claim: most keys one user changes; None: 1, or as many as a user of the dataset's rows has.
        per_key: without a claim: most by which one user changes a key; None: 1, or as many rows as a user has in one.
        values: least and largest value of a row, then NaN and infinities that rows may have; None: those of the data,
            or 1 if there are none.
        pair: `{"left": histogram, "right": histogram}`; then nothing else is tried.
        dataset: the user's own data, a file, a callable or the data themselves (see `auditor.inputs.data`):
            neighbours are made of them, and no probe is larger.
        strategy: a strategy of Hypothesis, a function that returns one, or its name, which yields data sets, or pairs
            as tuples of two: they are tried with the others. Without `dataset` its largest data set is the dataset.
        custom: the user's own `neighbours(dataset, rng)` -> (left, right): a callable or its name; then nothing else is
            tried, unless a claim or `adjacency` says which others are neighbours.
        input: the form in which the target takes its input, one of `KINDS`; None: the one that the annotation of its
            first argument names, else the one of the data.
        columns: names of the columns `user` and `value` of the data, if they are a table.
        rows: the target takes rows of (user, partition, value): `input` rows.
        own: neighbours to try besides the claim's: those that a registered fault or control names.
        keys: names of keys that the target knows; neighbours have no others. Empty: its own `public_partitions`, or
            those of the data, or of the claim's worst cases where they are told to be all, or k0, k1, ...
        direction: both, forward (left first) or backward.
        detect: the delta that a silence must have been able to see with probability .95, as a multiple of the claimed
            one (`3x`) or as a number (`1e-4`); a silence of less power is undecided. Of a claimed delta of 0 a multiple
            is one of epsilon, in an event of probability 1/2: twice it by default; and a delta of .01 is seen besides.
        budget: CPU seconds of target and auditor together. The clock on the wall only ends what hangs.
        samples: releases per dataset of each test; None: 100,000, and as many more as `detect` takes, or as a pair that
            promises to decide.
        alpha: false-alarm probability of the whole audit, in (0, 1).
        seed: seed of everything.
        one_run: instead of many releases of neighbours, one release of so many keys of one user each; valid only
            where keys get independent noise and only input keys are released.
        blocks: blocks of each stage, as the command of a finished audit lists them: replays it whatever the clock says.
        steer: whether draws of the generator may be tilted where counting is too slow.
        floating_point: report, or ignore what the last bits of released doubles give away.
        only_input_keys: whether it releases keys of its input only, where it does not declare it: then keys that the
            neighbour lacks are tested on one sample.
        largest_count: most users of an input that the audit makes up to look for thresholds; None: as many as the
            dataset has, and a thousand at least; of none a million.
        limits: time of one answer and memory of the target.
        python: the interpreter that imports the target: a path, or a name on the search path; None: this one.
        jobs: processes that draw releases of a slow target together; its releases, and what is said of them, are those
            of any other number. None: one, which draws each request with one generator.

    Errors:
        UsageError: a value that cannot be used, in one line.
    """

    target: str | Callable[..., Any] | object
    claim: Claim | None = None
    parameters: Mapping[str, Number] = field(default_factory=dict)
    stated: Stated = field(default_factory=Stated)
    adjacency: str | None = None
    c_u: int | None = None
    per_key: int | None = None
    values: tuple[float, ...] | None = None
    pair: Mapping[str, Any] | None = None
    dataset: Source | None = None
    strategy: Any = None
    custom: str | Callable[..., Any] | None = None
    input: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    rows: bool = False
    own: tuple[Neighbours, ...] = ()
    keys: tuple[str, ...] = ()
    direction: Directions = "both"
    detect: str = DETECT
    budget: float = BUDGET_SECONDS
    samples: int | None = None
    alpha: str = "1e-6"
    seed: int = 0
    one_run: int | None = None
    blocks: tuple[int, ...] | None = None
    steer: bool = True
    floating_point: FloatingPoint = "report"
    only_input_keys: bool = False
    largest_count: int | None = None
    limits: Limits | None = None
    python: str | None = None
    jobs: int | None = None

    def __post_init__(self) -> None:
        """Refuse what no audit can be made of."""
        self._check_input()
        checked_probability(self.alpha, "alpha")
        checked_seed(self.seed)
        checked_jobs(1 if self.jobs is None else self.jobs)
        if self.direction not in ("both", *Direction):
            raise UsageError(f"expected --direction both, forward or backward, got '{self.direction}'")
        if not 0 < self.budget < math.inf:
            raise UsageError(f"expected a finite budget > 0 (CPU seconds), got {self.budget}")
        if self.floating_point not in ("report", "ignore"):
            raise UsageError(f"expected --floating-point report or ignore, got '{self.floating_point}'")
        if self.adjacency not in (None, *ADJACENCIES):
            raise UsageError(f"expected --adjacency {', '.join(ADJACENCIES)}, got '{self.adjacency}'")
        for name, most in {"c_u": self.c_u, "per_key": self.per_key}.items():
            if most is not None and most < 1:
                raise UsageError(f"expected {name} >= 1, got {name}={most}")
        if self.values is not None:
            _check_values(self.values)
        if self.samples is not None and not 1 <= self.samples <= MOST_SAMPLES:
            raise UsageError(f"expected 1 <= samples <= {MOST_SAMPLES}, got samples={self.samples}")
        if len(set(self.keys)) < len(self.keys) or "" in self.keys:
            raise UsageError(f"expected distinct keys with names, got {', '.join(map(repr, self.keys))}")
        self.wanted(0.0)

    def _check_input(self) -> None:
        """Take a strategy in the place of the data as the strategy, and refuse a form that is none."""
        if is_strategy(self.dataset):
            object.__setattr__(self, "strategy", self.dataset)
            object.__setattr__(self, "dataset", None)
        if self.input not in (None, *KINDS):
            raise UsageError(f"expected --input {', '.join(KINDS)}, got '{self.input}'")
        if self.rows and self.input not in (None, "rows"):
            raise UsageError(f"expected --rows or --input, got --rows and --input {self.input}")

    @classmethod
    def of(
        cls,
        target: str | Callable[..., Any] | object,
        claim: Claim | None,
        parameters: Mapping[str, Number],
        *,
        epsilon: Number | None = None,
        delta: Number | None = None,
        rho: Number | None = None,
        mu: Number | None = None,
        profile: str | Callable[..., Any] | None = None,
        c_u: int | None = None,
        **rest: Any,
    ) -> Self:
        """Return the request in which numbers and c_u are parameters of the claim, where there is one."""
        numbers = {"epsilon": epsilon, "delta": delta, "rho": rho, "mu": mu}
        named = {name: value for name, value in {**numbers, "c_u": c_u}.items() if value is not None}
        if claim is not None:
            return cls(
                target=target, claim=claim, parameters={**parameters, **named}, stated=Stated(profile=profile), **rest
            )
        exactly = {name: None if value is None else _text(name, value) for name, value in numbers.items()}
        stated = Stated(**exactly, profile=profile)
        return cls(target=target, parameters=parameters, c_u=c_u, stated=stated, **rest)

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
        return self.pair is None and (self.custom is None or self.relation_said)

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
        if self.dataset is None and (self.custom is not None or (self.columns and self.strategy is None)):
            option = "--columns" if self.custom is None else "--neighbours, which are made of it"
            raise UsageError(f"expected --dataset with {option}, got none")
        if self.dataset is None:
            return None
        return dataset(self.dataset, self.python, self.seed, columns=self.columns, tables=tables)

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
            yielded = examples(self.strategy, data, self.python, self.seed, self.columns, tables=tables)
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

    def neighbours(self, promise: Promise, data: Data | None = None, kind: str = "histogram") -> tuple[Neighbours, ...]:
        """Return the neighbours that are tried whatever is searched: the caller's, or the claim's and one's own.

        The claim's have the caller's keys, or those of the data, where any name will do, as far as there are as many.
        """
        if self.pair is not None:
            relation = promise.adjacency if self.relation_said else None
            return (given_pair(self.pair, relation),)
        of_data: tuple[Neighbours, ...] = ()
        if data is not None and self.custom is not None:
            of_data = custom_neighbours(self.custom, data, self.python, self.seed, self.form(data, kind))
        elif data is not None:
            of_data = own_neighbours(data, promise.adjacency, self.values)
        pairs, keys = promise.pairs, self.keys or tuple(data or ())
        if keys and not promise.keys:
            pairs = tuple(named for pair in pairs for named in (pair.named(keys), _of_last(pair, keys)) if named)
        return tuple({neighbours.id: neighbours for neighbours in (*of_data, *pairs, *self.own)}.values())

    def words(self, name: str, promise: Promise) -> list[str]:
        """Return the command line of the audit, but for the blocks it draws."""
        words = ["auditor", "mechanism", name, *promise.arguments, "--direction", self.direction]
        words += ["--detect", self.detect, "--budget", f"{self.budget:g}"]
        words += [] if self.samples is None else ["--samples", str(self.samples)]
        words += ["--keys", ",".join(self.keys)] if self.keys else []
        words += [] if self.steer else ["--no-steer"]
        words += [] if self.floating_point == "report" else ["--floating-point", self.floating_point]
        named: dict[str, Any] = {"dataset": self.dataset, "neighbours": self.custom, "python": self.python}
        named["largest-count"] = self.largest_count
        named["values"] = None if self.values is None else values_text(self.values)
        named["input"] = self.input
        named["strategy"] = self.strategy
        named["columns"] = ",".join(f"{role}={name}" for role, name in self.columns.items()) or None
        words += [word for name, value in named.items() if value is not None for word in (f"--{name}", _word(value))]
        words += ["--rows"] * self.rows + ["--only-input-keys"] * self.only_input_keys
        words += [] if self.jobs is None else ["--jobs", "1"]  # any number draws the same
        words += [] if self.limits is None else ["--answer-seconds", f"{self.limits.answer_seconds:g}"]
        words += ["--alpha", self.alpha, "--seed", str(self.seed)]
        words += [] if self.one_run is None else ["--one-run", str(self.one_run)]
        return words + ([] if self.pair is None else ["--pair", json.dumps(self.pair)])


def _check_values(values: Sequence[float]) -> None:
    if len(values) < 2 or not -math.inf < values[0] <= values[1] < math.inf or any(map(math.isfinite, values[2:])):
        got = ", ".join(map(str, values))
        raise UsageError(f"expected --values LOW:HIGH, finite and in order, then only nan, inf and -inf, got {got}")


def values_text(values: Sequence[float]) -> str:
    """Return values as `--values` takes them."""
    low, high, *special = values
    return ",".join((f"{low!r}:{high!r}", *map(str, special)))


def _word(value: Any) -> str:
    """Return a value as a word of a command line; of a live object its type."""
    return str(value) if isinstance(value, str | int | float) else f"<{type(value).__name__}>"


def _of_last(pair: Neighbours, keys: Sequence[str]) -> Neighbours | None:
    """Return the neighbours with the last of the keys, under an id of their own: of a universe none is left out."""
    return replace(pair, id=f"{pair.id}, last keys").named(keys[::-1])


def _text(name: str, value: Number) -> str:
    try:
        exact(value)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{name}: {error}") from None
    return str(value)
