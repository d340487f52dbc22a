"""Request of a mechanism audit: one object for the command line, the API and the plugin."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Self

from auditor.errors import UsageError
from auditor.inputs.data import Data, Rows, own_neighbours
from auditor.inputs.sources import Example, custom_neighbours, dataset, examples
from auditor.inputs.tables import Table
from auditor.inputs.values import Values
from auditor.mechanism_audit.options import DETECT, MechanismOptions
from auditor.mechanism_audit.promise import ADJACENCIES, Promise, Stated, given_pair, promise_of
from auditor.settings import MOST_SAMPLES
from auditor.statistics.betting import BOTH_DIRECTIONS
from auditor.statistics.pure_epsilon import delta_that_shows
from auditor.target.forms import KINDS
from auditor.target.target import Limits, Target, as_target, shorten_path
from auditor.target.worker import is_strategy
from proofs_numeric.arithmetic import exact
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.neighbours import Direction, Neighbours

Number = int | Fraction | str
OF_CLAIM = ("epsilon", "delta", "rho", "mu", "c_u")
"""Options that become parameters of the claim, if a claim is given."""
SAMPLES = 100_000
"""Releases per dataset of a test without `--samples`; the requested power may require more."""
NOTHING_CLAIMED = 0.01
"""Delta to detect if delta 0 is claimed, unless a multiple of the claimed epsilon requires a smaller delta."""
PURE_FACTOR = 2.0
"""Multiple of a claimed pure epsilon to detect by default."""
SEEN_EXCESS = 0.3
"""Excess of epsilon, at any epsilon up to 5, that is detected with the releases for a delta of `NOTHING_CLAIMED`."""
NEXT_TO_NOTHING = 1e-60
"""Claimed delta below which it is treated as 0, for example of a concentrated claim at large epsilon."""
_MULTIPLE = re.compile(r"(\d+(?:\.\d+)?)x")


@dataclass(frozen=True, kw_only=True)
class MechanismRequest(MechanismOptions):
    """An audit of a mechanism by its releases alone, with the options of `MechanismOptions`.

    Attributes:
        target: `package.module:callable`, `path/to/file.py:callable`, `exec:COMMAND` (docs/protocol.md), a live
            callable `release(histogram, rng)`, an object with `release_many(histogram, n, rng)`, or a located target.
        claim: claim to audit at `parameters`; without it, the options state the claim.
        parameters: exact values by the claim's names, and by the further names of its neighbours (`tau`).
        registered_pairs: neighbouring pairs to try besides the claim's, from a registered fault or control.

    Errors:
        UsageError: a value that cannot be used, in one line.
    """

    target: str | Callable[..., Any] | object
    claim: Claim | None = None
    parameters: Mapping[str, Number] = field(default_factory=dict)
    registered_pairs: tuple[Neighbours, ...] = ()

    def __post_init__(self) -> None:
        """Treat a strategy given as the dataset as the strategy, and raise if no audit is possible."""
        super().__post_init__()
        if is_strategy(self.dataset):
            object.__setattr__(self, "strategy", self.dataset)
            object.__setattr__(self, "dataset", None)
        if self.rows and self.input not in (None, "rows"):
            raise UsageError(f"expected --rows or --input, got --rows and --input {self.input}")
        if self.inside is not None and (self.only_input_keys or self.one_run is not None):
            other = "--one-run" if self.one_run is not None else "--only-input-keys"
            raise UsageError(f"expected --inside without {other}: what a function returns has no released keys")
        self.required_delta(0.0)

    @classmethod
    def of(
        cls,
        target: str | Callable[..., Any] | object,
        claim: Claim | None,
        parameters: Mapping[str, Number],
        **options: Any,
    ) -> Self:
        """Return the request in which numbers and c_u are parameters of the claim, if there is one."""
        of_claim = {name: options[name] for name in OF_CLAIM if options.get(name) is not None}
        if claim is None:
            exactly = {name: _text(name, value) for name, value in of_claim.items() if name != "c_u"}
            return cls(target=target, parameters=parameters, **{**options, **exactly})
        rest = {name: value for name, value in options.items() if name not in OF_CLAIM}
        return cls(target=target, claim=claim, parameters={**parameters, **of_claim}, **rest)

    @property
    def stated(self) -> Stated:
        """Return the claim that the options state."""
        numbers = {"epsilon": self.epsilon, "delta": self.delta, "rho": self.rho, "mu": self.mu}
        exactly = {name: None if number is None else str(number) for name, number in numbers.items()}
        return Stated(**exactly, privacy_profile=self.privacy_profile)

    @property
    def live(self) -> bool:
        """Return whether the target is an object of the caller's, which no command can import."""
        return not isinstance(self.target, str | Target)

    @property
    def limits(self) -> Limits | None:
        """Return the limit on the time of one answer of the target, if it is given."""
        return Limits.answering(self.answer_seconds)

    def at(self, **change: Any) -> Self:
        """Return the request with some attributes changed."""
        return replace(self, **change)

    @property
    def directions(self) -> tuple[Direction, ...]:
        """Return the audited directions."""
        return BOTH_DIRECTIONS if self.direction == "both" else (Direction(self.direction),)

    @property
    def relation_said(self) -> bool:
        """Return whether a claim or an adjacency defines the neighbouring relation, rather than the caller's pairs."""
        return self.claim is not None or self.adjacency is not None

    @property
    def searches(self) -> bool:
        """Return whether the audit tries neighbours beyond the caller's, and beyond records of the claim's users."""
        if self.claim is not None and self.claim.privacy is not None and self.claim.privacy.records:
            return False
        return self.pair is None and (self.neighbours is None or self.relation_said)

    @property
    def level(self) -> float:
        """Return the false-alarm probability of the whole audit."""
        return float(Fraction(self.alpha))

    def required_delta(self, delta: float) -> float:
        """Return the delta that the audit must detect before it reports no violation, where `delta` is claimed.

        A multiple beyond the middle between delta and 1 is replaced by that middle. A multiple of a pure epsilon is
        converted to the delta that equally many releases detect, at most `NOTHING_CLAIMED`.

        Errors:
            UsageError: `detect` is no multiple above 1 and no number in (0, 1), or not above the claimed delta.
        """
        multiple = _MULTIPLE.fullmatch(self.detect)
        if multiple is not None:
            factor = float(multiple[1])
            if factor <= 1:
                raise UsageError(f"expected --detect above 1x, got {self.detect}: a smaller delta is within the claim")
            return min(factor * delta, (1 + delta) / 2) if delta > NEXT_TO_NOTHING else self._required_of_pure(factor)
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

    def _required_of_pure(self, factor: float) -> float:
        """Return the delta that is detected with the releases for a multiple of the stated pure epsilon."""
        stated = self.stated
        if stated.epsilon is None or stated.delta not in (None, "0"):
            return NOTHING_CLAIMED
        try:
            epsilon = float(Fraction(stated.epsilon))
        except (ValueError, ZeroDivisionError):  # the construction of the promise refuses it
            return NOTHING_CLAIMED
        larger = epsilon * (PURE_FACTOR if self.detect == DETECT else factor)
        if epsilon <= 0 or larger - epsilon >= SEEN_EXCESS:
            return NOTHING_CLAIMED
        return min(NOTHING_CLAIMED, delta_that_shows(larger, epsilon))

    def promise(self, data: Data | None = None) -> Promise:
        """Return the claim with its neighbours; without a claim, the relation covers the largest user of the data.

        A target of rows bounds each user's contribution itself. Its claim therefore covers every user in the data with
        all rows.
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
        if self.inside is not None and target.command:
            raise UsageError("expected --inside with a target in Python, got a program")
        declared = True if self.only_input_keys else target.releases_only_input_keys
        return replace(target, releases_only_input_keys=declared, jobs=self.jobs, inside=self.inside or "")

    def read(self, *, tables: bool = False) -> Data | None:
        """Return the user's data; as a table whatever its columns if `tables`; None without a dataset."""
        if self.strategy is not None and not self.searches:
            raise UsageError("expected --strategy without --pair, and with --adjacency if with --neighbours")
        if self.dataset is None and (self.neighbours is not None or (self.columns and self.strategy is None)):
            option = "--columns" if self.neighbours is None else "--neighbours, which are made of it"
            raise UsageError(f"expected --dataset with {option}, got none")
        if self.dataset is None:
            return None
        return dataset(self.dataset, self.python, self.seed, columns=self.columns or {}, tables=tables)

    def read_for(self, target: Target) -> tuple[Data | None, str, list[Example]]:
        """Return the user's data, the form of the target's input, and the examples of the user's strategy.

        The data are None if there are none. Without a dataset, the largest example of the strategy is used.

        Errors:
            UsageError: neighbours without data, columns without data, data of an undeclared form, or values outside the
                declared range.
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
        self._check_values(data)
        if isinstance(data, Rows) and kind == "histogram" and self.input == "histogram":
            return dict(data), kind, yielded
        form = (
            ("rows" if isinstance(data, Rows) else "histogram") if not isinstance(data, Table) else data.layout.source
        )
        kind = form if kind == "histogram" and isinstance(data, Rows) else kind or form
        if kind is None:
            raise UsageError(
                f"expected --input {', '.join(KINDS)} for data with columns of their own, got none: annotate the first "
                "argument of the target or give --input; rows have the columns user, partition and value"
            )
        return data, kind, yielded

    def _check_values(self, data: Data) -> None:
        """Raise if a value of the data lies outside the declared range."""
        if self.values is None or not isinstance(data, Rows):
            return
        low, high, *special = self.values
        declared = Values(low, high, tuple(special))
        outside = next((value for *_, value in data.rows if not declared.holds(value)), None)
        if outside is None:
            return
        least, most = data.value_ends
        wider = [f"{min(low, least)!r}:{max(high, most)!r}", *map(str, dict.fromkeys((*special, *data.special_values)))]
        raise UsageError(
            f"expected --values that hold all values of the data, got {outside:g} outside {low:g}:{high:g}: give "
            f"--values={','.join(wider)}, or leave it out"
        )

    @staticmethod
    def form(data: Data | None, kind: str) -> dict[str, Any] | None:
        """Return the form of rows before the call of the target; None for a histogram and for tuples."""
        if kind in ("rows", "histogram"):
            return None
        return {"kind": kind, "layout": data.layout.to_json() if isinstance(data, Table) else None}

    def pairs_to_try(
        self, promise: Promise, data: Data | None = None, kind: str = "histogram"
    ) -> tuple[Neighbours, ...]:
        """Return the pairs to try in any case: the caller's, or the pairs of data, `registered_pairs` and claim.

        The claim's pairs get the caller's keys, or the keys of the data, if any name is valid and there are enough
        keys.
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
            pairs = tuple(each for pair in pairs for each in (pair.with_keys(keys), _of_last(pair, keys)) if each)
        return tuple({neighbours.id: neighbours for neighbours in (*of_data, *self.registered_pairs, *pairs)}.values())

    def command(self, name: str, promise: Promise) -> list[str]:
        """Return the command line of the audit, without the block counts."""
        bounds = {"--c-u": self.c_u, "--per-key": self.per_key} if self.claim is None else {}
        added = {option: bound for option, bound in bounds.items() if bound and option not in promise.arguments}
        more = [word for option, bound in added.items() for word in (option, str(bound))]
        return ["auditor", "mechanism", shorten_path(name), *promise.arguments, *more, *self.words]


def _of_last(pair: Neighbours, keys: Sequence[str]) -> Neighbours | None:
    """Return the pair with the last of the keys, under a separate id, so that the whole universe is covered."""
    return replace(pair, id=f"{pair.id}, last keys").with_keys(keys[::-1])


def _text(name: str, value: Number) -> str:
    try:
        exact(value)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{name}: {error}") from None
    return str(value)


def is_beyond_counting(epsilon: float) -> bool:
    """Return whether no number of releases shows that an event of the neighbour is as unlikely as epsilon demands."""
    return math.exp(epsilon) >= MOST_SAMPLES
