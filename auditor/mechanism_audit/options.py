"""The options of an audit of a mechanism, each written once: its type, default, text, check and words.

The command line, the Python API, the pytest plugin and the command that repeats an audit are made from these fields.
Importing this module loads neither NumPy nor the engine.
"""

from __future__ import annotations

import csv
import io
import json
import math
import textwrap
from dataclasses import dataclass, field, fields
from inspect import Parameter, Signature, cleandoc, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from auditor.errors import UsageError
from auditor.reading import text_of
from auditor.settings import MOST_JOBS, MOST_SAMPLES, checked_probability, checked_seed, shortest_decimal
from auditor.target.forms import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from fractions import Fraction

Function = TypeVar("Function", bound="Callable[..., Any]")

BUDGET_SECONDS = 60.0
DETECT = "3x"
LONGEST_NUMBER = 18
PLACE = "    options: see `auditor.mechanism_audit.options`."
"""Line of a docstring that the texts of the options replace."""


@dataclass(frozen=True, kw_only=True)
class Option:
    """What an option says of itself.

    Attributes:
        help: its text, on the command line and in the documentation of the API.
        unset: what no value means; empty: the default says it.
        metavar: the form of its value on the command line; empty: the name of its type.
        choices: all values; empty: any of its type.
        number: int or float; None: a text, a flag or a value of its own form.
        least: smallest number.
        most: largest number.
        read: text of the command line -> value.
        write: value -> word of the command that repeats the audit.
        check: value -> value that is kept; UsageError for one that cannot be used.
        always: whether the command that repeats an audit has it even at its default.
        of_promise: whether it is a part of the promise, which has words of its own in that command.
        api: whether the API has it.
    """

    help: str
    unset: str = ""
    metavar: str = ""
    choices: tuple[str, ...] = ()
    number: type[int | float] | None = None
    least: float = -math.inf
    most: float = math.inf
    read: Callable[[str], Any] | None = None
    write: Callable[[Any], str] | None = None
    check: Callable[[Any], Any] | None = None
    always: bool = False
    of_promise: bool = False
    api: bool = True

    def checked(self, name: str, value: Any) -> Any:
        """Return the value that is kept; UsageError for one that cannot be used."""
        if self.choices and value not in (None, *self.choices):
            *others, last = self.choices
            raise UsageError(f"expected --{dashed(name)} {', '.join(others)} or {last}, got '{value}'")
        if self.number is not None and value is not None and (value < self.least or value > self.most):
            upper = "" if self.most == math.inf else f" <= {self.most:.12g}"
            low = f"{name} >= {self.least:g}" if not upper else f"{self.least:g} <= {name}"
            raise UsageError(f"expected {low}{upper}, got {name}={value}")
        return value if self.check is None else self.check(value)

    def read_from(self, word: Any) -> Any:
        """Return what the command line gave, as a value."""
        return word if self.read is None else self.read(word)

    def word(self, value: Any) -> str:
        """Return a value as a word of a command line; of a live object its type."""
        if self.write is not None:
            return self.write(value)
        return str(value) if isinstance(value, str | int | float) else f"<{type(value).__name__}>"


def option(help: str, default: Any = None, **more: Any) -> Any:  # noqa: A002 - the name of the attribute
    """Return the field of an option."""
    return field(default=default, metadata={Option: Option(help=help, **more)})


def dashed(name: str) -> str:
    """Return the name of an option on the command line, without its two dashes."""
    return name.replace("_", "-")


# --- values with a form of their own ---------------------------------------------------------------------------------


def read_pair(file: str) -> dict[str, Any]:
    """Read `{"left": {...}, "right": {...}}` from a file, or from the text itself where it starts with a brace.

    Raises:
        UsageError: unreadable, not JSON, or other fields.
    """
    inline = file.lstrip().startswith("{")
    try:
        pair = json.loads(file if inline else text_of(Path(file)))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise UsageError(f"cannot read the pair {file}: {reason}") from None
    except (ValueError, RecursionError) as error:
        text = "numbers too long or brackets too deep to read"
        if isinstance(error, json.JSONDecodeError):
            text = f"{error.msg} at line {error.lineno}"
        raise UsageError(f"expected JSON in {'--pair' if inline else file}, got {text}") from None
    if not isinstance(pair, dict) or pair.keys() != {"left", "right"}:
        raise UsageError(f'expected {{"left": {{...}}, "right": {{...}}}} in {file}, got other fields')
    return pair


def read_blocks(text: str) -> tuple[int, ...]:
    """Read `12,3,0`, the blocks of each stage of an audit.

    Raises:
        UsageError: anything but integers >= 0 between commas.
    """
    parts = text.split(",")
    if not all(part.isascii() and part.isdigit() and len(part) <= LONGEST_NUMBER for part in parts):
        raise UsageError(f"expected --blocks as the finished audit gave it, such as 12,3, got {text!r}")
    return tuple(map(int, parts))


def read_values(text: str) -> tuple[float, ...]:
    """Read `LOW:HIGH`, then nan, inf or -inf after commas.

    Raises:
        UsageError: anything else.
    """
    ends, *special = text.split(",")
    try:
        low, high = map(float, ends.split(":"))
        return (low, high, *map(float, special))
    except ValueError:
        raise UsageError(f"expected --values LOW:HIGH or LOW:HIGH,nan,inf,-inf, got '{text}'") from None


def values_text(values: Sequence[float]) -> str:
    """Return values as `--values` takes them."""
    low, high, *special = values
    return ",".join((f"{low!r}:{high!r}", *map(str, special)))


def _checked_values(values: Sequence[float] | None) -> tuple[float, ...] | None:
    if values is None:
        return None
    if len(values) < 2 or not -math.inf < values[0] <= values[1] < math.inf or any(map(math.isfinite, values[2:])):
        text = ", ".join(map(str, values))
        raise UsageError(f"expected --values LOW:HIGH, finite and in order, then only nan, inf and -inf, got {text}")
    return tuple(values)


def _read_columns(text: str) -> dict[str, str]:
    columns = dict(part.partition("=")[::2] for part in text.split(","))
    if not (columns.keys() <= {"user", "value"} and all(columns.values())):
        raise UsageError(f"expected --columns user=NAME,value=NAME, got '{text}'")
    return columns


def _columns_text(columns: Mapping[str, str]) -> str:
    return ",".join(f"{role}={name}" for role, name in columns.items())


def _read_keys(text: str) -> tuple[str, ...]:
    try:
        return tuple(next(csv.reader([text]), ()))
    except csv.Error as error:
        raise UsageError(f"expected --keys A,B,..., got '{text}': {error}") from None


def _keys_text(keys: Sequence[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(keys)
    return text.getvalue()


def _checked_keys(keys: Sequence[str]) -> tuple[str, ...]:
    if len(set(keys)) < len(keys) or "" in keys:
        raise UsageError(f"expected distinct keys with names, got {', '.join(map(repr, keys))}")
    return tuple(keys)


def _checked_budget(seconds: float) -> float:
    if not 0 < seconds < math.inf:
        raise UsageError(f"expected a finite budget > 0 (CPU seconds), got {seconds}")
    return seconds


def _checked_wall(seconds: float | None) -> float | None:
    if seconds is not None and not 0 < seconds < math.inf:
        raise UsageError(f"expected finite --wall > 0 (seconds by the clock), got {seconds}")
    return seconds


# --- the options -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class MechanismOptions:
    """How a mechanism is audited; the text of an option is its field's.

    A number of the promise is exact: an integer, a fraction or a decimal text; of a float its shortest decimal.
    """

    epsilon: float | Fraction | str | None = option("Without a claim: the promised epsilon >= 0.", of_promise=True)
    delta: float | Fraction | str | None = option(
        "Without a claim: the promised delta in [0, 1).", unset="0 if only epsilon is given", of_promise=True
    )
    rho: float | Fraction | str | None = option(
        "Without a claim: the promised rho of zCDP. With --delta the promise is delta-approximate rho-zCDP.",
        of_promise=True,
    )
    mu: float | Fraction | str | None = option("Without a claim: promised mu-GDP.", of_promise=True)
    privacy_profile: str | Callable[..., Any] | None = option(
        "Without a claim: function that returns the promised delta for epsilon=.",
        metavar="FILE:callable",
        of_promise=True,
    )
    adjacency: Literal["add-remove", "replace", "each-answer"] | None = option(
        "Without a claim: one user more or less, one user replaced, or each answer changed.",
        choices=("add-remove", "replace", "each-answer"),
        unset="add-remove",
        of_promise=True,
    )
    c_u: int | None = option(
        "Largest number of keys of one user. A claim with this parameter sets it.",
        number=int,
        least=1,
        unset="1; with rows, the largest number in the data",
        of_promise=True,
    )
    per_key: int | None = option(
        "Without a claim: largest amount that one user adds to a key.",
        number=int,
        least=1,
        unset="1; with rows, the largest number in the data",
        of_promise=True,
    )
    direction: Literal["both", "forward", "backward"] = option(
        "Forward compares left with right; backward compares right with left.",
        default="both",
        choices=("both", "forward", "backward"),
        always=True,
    )
    detect: str = option(
        "Smallest delta that the audit must detect, with probability 0.95, before it may report no violation: a "
        "multiple of the claimed delta, or a number. For pure epsilon a multiple refers to epsilon, and 2x is the "
        "default.",
        default=DETECT,
        metavar="3x|DELTA",
        always=True,
    )
    budget: float = option(
        "CPU seconds of target and auditor together.",
        default=BUDGET_SECONDS,
        metavar="SECONDS",
        number=float,
        check=_checked_budget,
        write="{:g}".format,
        always=True,
    )
    wall: float | None = option(
        "Limit of the wall-clock time, in seconds.",
        metavar="SECONDS",
        number=float,
        check=_checked_wall,
        write="{:g}".format,
        unset="no limit",
    )
    samples: int | None = option(
        "Releases per dataset of each test.",
        metavar="N",
        number=int,
        least=1,
        most=MOST_SAMPLES,
        unset="100,000, or as many as the power asked for requires",
    )
    keys: Sequence[str] = option(
        "Names of the keys that the target knows. The search uses only these keys. Quote a name with a comma.",
        default=(),
        metavar="A,B,...",
        read=_read_keys,
        write=_keys_text,
        check=_checked_keys,
    )
    steer: bool = option(
        "Use importance sampling for small deltas, for which counting needs about 1/delta releases.", default=True
    )
    floating_point: Literal["report", "ignore"] = option(
        "Report violations that only the last bits of released doubles reveal, or ignore them.",
        default="report",
        choices=("report", "ignore"),
    )
    key_order: Literal["report", "ignore"] = option(
        "Report violations that only the order of the keys of a dictionary reveals, or ignore them.",
        default="report",
        choices=("report", "ignore"),
    )
    dataset: Any = option(
        "Your data: .csv, .json or .parquet with user, partition and value, with key and count, or with columns of "
        "their own; or FILE.py:callable of (rng). In Python also a callable, a histogram, a list of rows, a frame of "
        "pandas or polars, an array of NumPy, a list of numbers or of dictionaries.",
        metavar="FILE",
    )
    neighbours: str | Callable[..., Any] | None = option(
        "Function (dataset, rng) -> (left, right). Without a claim or an adjacency no other pairs are tried.",
        metavar="FILE.py:callable",
    )
    python: str | None = option(
        "Interpreter that imports the target. The auditor need not be installed there.", metavar="PATH"
    )
    largest_count: int | None = option(
        "Largest number of users of an invented input.",
        number=int,
        least=1,
        unset="the users in the data, at least 1000; without data up to 2^33, in rows 2^17",
    )
    values: Sequence[float] | None = option(
        "Range of the values in rows. Add nan, inf or -inf if the target must accept them.",
        metavar="LOW:HIGH[,nan]",
        read=read_values,
        write=values_text,
        check=_checked_values,
        unset="the range in the data",
    )
    input: str | None = option(
        "Form of the target's input: a list of tuples, of records (dictionaries) or of numbers, an array, or a frame.",
        choices=(*KINDS,),
        unset="the annotation of the target's first argument; without one, the form of your data",
    )
    strategy: Any = option(
        "Hypothesis strategy, or function that returns one. A tuple of two is a pair of neighbours; anything else is a "
        "data set, from which neighbours are made. The search tries the examples beside its own data. Without "
        "--dataset the largest example is the dataset.",
        metavar="FILE.py:name",
    )
    columns: Mapping[str, str] | None = option(
        "Columns of your data that hold users and values.",
        metavar="user=NAME,value=NAME",
        read=_read_columns,
        write=_columns_text,
        check=lambda columns: dict(columns or {}),
        unset="by their names and types; without a column of users each record is one user",
    )
    rows: bool = option("The target takes rows of (user, partition, value): short for --input rows.", default=False)
    inside: str | None = option(
        "Audit a function inside the target. The list of its returned values replaces the output of the target. The "
        "promise is then the promise of this function.",
        metavar="[MODULE:]FUNCTION",
    )
    only_input_keys: bool = option(
        "Declare that only input keys are released. The test of new keys then needs fewer releases.", default=False
    )
    jobs: int | None = option(
        "Number of processes that draw the releases of a slow target; 16 are used at most. The result does not depend "
        "on N.",
        metavar="N",
        number=int,
        least=1,
        most=MOST_JOBS,
        write=lambda _number: "1",  # any number draws the same
    )
    answer_seconds: float | None = option(
        "Seconds without an answer after which the target counts as hanging.",
        number=float,
        least=0.1,
        write="{:g}".format,
        unset="10",
    )
    alpha: str = option(
        "False-alarm probability of this audit.",
        default="1e-6",
        check=lambda text: checked_probability(text, "alpha"),
        always=True,
    )
    seed: int = option("Seed of all random numbers.", default=0, number=int, check=checked_seed, always=True)
    one_run: int | None = option(
        "Test one release of N single-user keys. Assumes independent noise and only input keys.",
        metavar="N",
        number=int,
        least=1,
    )
    pair: Mapping[str, Any] | None = option(
        "The pair of neighbours to test; on the command line a file or its JSON text.",
        metavar="FILE.json",
        read=read_pair,
        write=json.dumps,
        unset="search",
    )
    blocks: tuple[int, ...] | None = option(
        "Replay the blocks of a finished audit. The time then has no effect.",
        metavar="N,N,...",
        read=read_blocks,
        write=lambda blocks: ",".join(map(str, blocks)),
        api=False,
    )

    def __post_init__(self) -> None:
        """Keep what each option's check returns."""
        for name, (one, _default, _type) in OPTIONS.items():
            object.__setattr__(self, name, one.checked(name, getattr(self, name)))

    @property
    def words(self) -> list[str]:
        """The words that ask for these options on a command line, but for those of the promise and the blocks."""
        words: list[str] = []
        for name, (one, default, _type) in OPTIONS.items():
            value = getattr(self, name)
            if one.of_promise or not one.api or (_is_default(value, default) and not one.always):
                continue
            if isinstance(default, bool):
                words.append(f"--{'' if value else 'no-'}{dashed(name)}")
            else:
                words += [f"--{dashed(name)}", one.word(value)]
        return words


def _is_default(value: Any, default: Any) -> bool:
    plain = isinstance(value, str | int | float | tuple | dict)  # of a frame or an array equality is another frame
    return value is None or (plain and value in (default, (), {}))


OPTIONS: Mapping[str, tuple[Option, Any, str]] = {
    each.name: (each.metadata[Option], each.default, str(each.type)) for each in fields(MechanismOptions)
}
"""Option, default and type by name."""


def split(arguments: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the values by the claim's names, and the options; of floats exact decimals.

    A value whose name is also an option, for example `alpha`, stands in a dict `parameters`.

    Raises:
        UsageError: `parameters` is no dict.
    """
    parameters = arguments.get("parameters", {})
    if not isinstance(parameters, dict):
        raise UsageError(f"expected parameters={{'NAME': VALUE}}, got parameters={parameters!r}")
    values = {name: value for name, value in arguments.items() if name not in {*OPTIONS, "parameters"}} | parameters
    exactly = {name: shortest_decimal(value) for name, value in values.items()}
    options = {name: value for name, value in arguments.items() if name in OPTIONS}
    return exactly, options | {n: shortest_decimal(v) for n, v in options.items() if OPTIONS[n][0].of_promise}


def documented(without: Collection[str] = ()) -> Callable[[Function], Function]:
    """Give a function that takes these options as `**options` their names, defaults and texts.

    Args:
        without: options that the function decides itself.
    """
    options = {name: option for name, option in OPTIONS.items() if option[0].api and name not in without}
    lines = [f"{name}: {one.help}{one.unset and f' Default: {one.unset}.'}" for name, (one, _, _) in options.items()]
    lines.append("parameters: values by the claim's names; a dict `parameters` for names that are options, as `alpha`.")

    def complete(function: Function) -> Function:
        *parameters, rest = signature(function).parameters.values()
        offered_parameters = [
            Parameter(name, Parameter.KEYWORD_ONLY, default=d, annotation=t) for name, (_, d, t) in options.items()
        ]
        values = rest.replace(name="parameters", annotation="float | Fraction | str")
        every = [*sorted([*parameters, *offered_parameters], key=lambda each: each.kind), values]
        function.__signature__ = Signature(every, return_annotation=signature(function).return_annotation)  # type: ignore[attr-defined]
        texts = [
            textwrap.fill(line, 112, initial_indent=" " * 4, subsequent_indent=" " * 8, break_on_hyphens=False)
            for line in lines
        ]
        function.__doc__ = cleandoc(function.__doc__ or "").replace(PLACE, "\n".join(texts))
        return function

    return complete
