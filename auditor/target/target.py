"""Audited callables, run in a child process with a time limit and a memory limit.

A target is `package.module:callable` or `path/to/file.py:callable` (in this or another interpreter), `exec:COMMAND` (a
program that answers JSON lines), or a live callable or object (then the child is a fork). Every call ends in a value of
a sum type: a number, or a named misbehaviour. A target cannot hang the auditor, write into its answers or crash it. No
misbehaviour counts as a pass.
"""

from __future__ import annotations

import functools
import importlib
import json
import math
import os
import re
import shlex
import shutil
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from auditor.errors import TargetError
from auditor.extras import missing, remedy
from auditor.printable import printable
from auditor.target.process import (
    MEBIBYTE,
    PACKAGE_ROOT,
    Connection,
    describe_exit,
    fork_after_imports,
    fork_with,
    spawn_script,
)
from auditor.target.worker import EXCEPTION_PREFIX, attribute_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Limits:
    """Limits of a target: seconds to import and per answer, bytes of address space beyond the interpreter's own."""

    startup_seconds: float = 60.0
    answer_seconds: float = 10.0
    memory_bytes: int = 2048 * MEBIBYTE

    @classmethod
    def answering(cls, seconds: float | None) -> Self | None:
        """Return limits for a maximum time per answer, in seconds; the import gets as long, but at least a minute."""
        return None if seconds is None else cls(max(seconds, cls.startup_seconds), seconds)


@dataclass(frozen=True)
class Returned:
    """A finite real number, exact."""

    value: Fraction


@dataclass(frozen=True)
class Infinite:
    """Plus or minus infinity."""

    positive: bool


@dataclass(frozen=True)
class Misbehaved:
    """A result that is no real number: `name` is a label of a word or two, `detail` one line of description."""

    name: str
    detail: str
    returned: str = "nothing"
    """The returned value as text."""

    def __str__(self) -> str:
        return self.detail


CANNOT = "cannot be audited"
"""Label of a target that hangs, dies or gives no release: no check crashed and no claim was refuted."""
PARTS = 16
"""Number of parts of a request; constant, so that the draws do not depend on the number of processes."""
LAST_WAIT = 1.0
"""Seconds to wait for an answer after a target's time is spent, as a busy machine answers late."""
HANGS = "hangs"
"""Name of a call without an answer in time."""
DECLINES, MEMORY = "declines", "memory"
"""Names of a call that the target refuses, and of a call that needs more memory than allowed."""
RELEASE_MANY_RAISES = "release_many raises"
"""Label of a vectorised target that raises: it raises for the whole batch, so single outputs cannot be compared."""


@dataclass(frozen=True)
class Several:
    """A pair, a bracket or a tuple of real numbers, in order."""

    parts: tuple[Returned | Infinite, ...]
    returned: str


Answer = Returned | Infinite | Several | Misbehaved


class MisbehavedError(Exception):
    """Raised if a mechanism gives no output. Causes: it hangs, dies, or returns a value that is no JSON value."""

    def __init__(self, what: Misbehaved) -> None:
        super().__init__(what.detail)
        self.what = what


class BudgetSpentError(Exception):
    """Raised if the caller's time limit ended while the target was drawing; the batch is discarded.

    Attributes:
        silent: seconds since the last sign of life.
        alive: whether the target gave a sign of life in this batch.
    """

    def __init__(self, silent: float = 0.0, *, alive: bool = False) -> None:
        super().__init__(silent)
        self.silent = silent
        self.alive = alive


Branch = tuple[str, int, int, int]
"""File, line and column of a condition or a case, and its truth value or the index of the case."""


@dataclass(frozen=True)
class Watch:
    """Observations of how the target computed its releases.

    Args:
        met: whether draws can be tilted, by (file:line, method).
        taken: branches of each release.
        hidden: by place whose operands vary between releases, the outcomes that it hides; "" for none.
        unwatched: files of functions that ran without a watch.
        unsteady: places that differed when a release was drawn again.
    """

    met: Mapping[tuple[str, str], bool]
    taken: list[frozenset[Branch]]
    hidden: Mapping[str, str]
    unwatched: tuple[str, ...]
    unsteady: tuple[str, ...]

    def note(self, met: dict[tuple[str, str], bool], hidden: dict[str, str]) -> None:
        """Merge these observations into earlier ones; a place counts as hidden only if all observations hide it."""
        met |= {place: always and met.get(place, True) for place, always in self.met.items()}
        hidden |= {place: always and hidden.get(place, always) for place, always in self.hidden.items()}


@dataclass(frozen=True)
class Steered:
    """Results of the tilting generator for a batch of releases, see `auditor.target.draws.steering`.

    Args:
        log_ratios: (n, M), log(q_m / f) of the draws of each release, for each component of the plan.
        levels: (n, 2 C), about -log of the upper and the lower tail probability of each coordinate; NaN if not drawn.
        valid: (n,), whether the release drew a coordinate and depends on no draws but its own.
        logged: draws of each release as [site, method, order, size, parameters], if the plan asks for them.
        alike: for each release the kinds of its draws, with the cells of the draws of each kind; if the plan has
            tables.
        watch: observations of branches, if the plan watches them.
    """

    log_ratios: NDArray[np.float64]
    levels: NDArray[np.float64]
    valid: NDArray[np.bool_]
    logged: list[list[list[Any]]]
    alike: list[list[tuple[list[Any], list[int]]]]
    watch: Watch | None = None


@dataclass(frozen=True)
class Batch:
    """Releases of one histogram.

    Args:
        shapes: texts of the distinct output shapes (JSON with `#` for each number, or `raised Type: message`); None if
            the target's `release_many` answered: then the pattern of NaN is the shape.
        shape_index: (n,), index into `shapes` for each release; None if `shapes` is None.
        columns: place of each number in the output: the key of a flat dictionary, otherwise a path such as `[2]` or
            `counts.k0`.
        values: float64 (n, len(columns)), NaN if a release lacks the number.
        mutated: whether the target changed its input.
        rng_used: whether the target advanced its generator.
        seconds: wall-clock seconds of the target, without waits for a core if the system counts them.
        cpu_seconds: CPU seconds of the target, which do not depend on the load of the machine.
        steered: likelihood ratios of tilted releases; None otherwise.
        looked_up: absent keys that the target looked up in its input; empty unless the input listened.
        raised_at: file and line of the target in which an exception was raised first, by its shape.
    """

    shapes: tuple[str, ...] | None
    shape_index: NDArray[np.int64] | None
    columns: tuple[str, ...]
    values: NDArray[np.float64]
    mutated: bool
    rng_used: bool
    seconds: float
    cpu_seconds: float
    steered: Steered | None = None
    looked_up: tuple[str, ...] = ()
    raised_at: Mapping[str, str] = field(default_factory=dict)


_NO_MODULE = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")
TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|[#0]')
"""Texts and numbers of a shape."""
MOST_ORDERS, LONGEST_STORED = 1 << 14, 2_000
"""Largest number of shapes whose order of keys is stored, and most characters of each. Otherwise an order that is not
sorted counts as one that varies."""


@dataclass
class KeyOrder:
    """The order of the keys of dictionaries in releases.

    Attributes:
        is_released: whether it is part of a release; otherwise keys are sorted.
        varies: whether releases differed in this order alone, as far as orders are stored.
        first: first shape of releases, by the shape with sorted keys.
    """

    is_released: bool = False
    varies: bool = False
    first: dict[str, str] = field(default_factory=dict)

    def applied(self, shapes: tuple[str, ...], index: NDArray[np.int64]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
        """Return shapes and their index, with sorted keys unless the order is kept; note whether it varies."""
        import numpy as np

        ordered = [sorted_shape(shape) for shape in shapes]
        for shape, one in zip(shapes, ordered, strict=True) if not self.varies else ():
            if len(shape) > LONGEST_STORED or len(self.first) >= MOST_ORDERS:
                self.varies = self.varies or shape != one
            else:
                self.varies = self.varies or self.first.setdefault(one, shape) != shape
        if self.is_released:
            return shapes, index
        places = {shape: place for place, shape in enumerate(dict.fromkeys(ordered))}
        return tuple(places), np.array([places[shape] for shape in ordered], dtype=np.int64)[index]


def sorted_shape(shape: str) -> str:
    """Return a shape whose dictionaries have sorted keys."""
    if "{" not in shape or shape.startswith(EXCEPTION_PREFIX):
        return shape
    return _sorted_json(shape) if len(shape) <= LONGEST_STORED else _sorted_json.__wrapped__(shape)


@functools.lru_cache(MOST_ORDERS)
def _sorted_json(shape: str) -> str:
    value = json.loads(TOKENS.sub(lambda token: "0" if token.group() == "#" else token.group(), shape))
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return TOKENS.sub(lambda token: "#" if token.group() == "0" else token.group(), text)


Step = tuple[str, int, int, int]
"""File, first line of the function, a line, and the next line; -1 marks the end of the call."""


@dataclass(frozen=True)
class Survey:
    """A few releases of each of several inputs, all drawn with the same generator.

    Args:
        batch: all releases, ordered by input.
        n: releases per input.
        steps: for each input drawn, the steps between lines of the target's own source.
    """

    batch: Batch
    n: int
    steps: list[list[Step]]

    def __len__(self) -> int:
        return len(self.steps)

    def rows(self, place: int) -> slice:
        """Return the slice of the releases of one input."""
        return slice(place * self.n, (place + 1) * self.n)

    def shapes(self, place: int) -> list[str]:
        """Return the shape of each release of one input."""
        shapes, index = self.batch.shapes or (), self.batch.shape_index
        return [] if index is None else [shapes[i] for i in index[self.rows(place)].tolist()]


def number(header: Mapping[str, str]) -> Returned | Infinite:
    """Return the number that a worker encoded."""
    if "infinity" in header:
        return Infinite(positive=header["infinity"] == "+")
    return Returned(Fraction(int(header["numerator"], 16), int(header["denominator"], 16)))


def exact_argument(value: float | str | Fraction) -> dict[str, str]:
    """Encode an argument exactly: hexadecimal floats, decimal integers, words."""
    if isinstance(value, float):
        return {"float": value.hex()}
    if isinstance(value, int):
        return {"integer": str(value)}
    return {"word": str(value)}


@dataclass(frozen=True)
class Part:
    """A public method of a class: keywords accepted with the constructor (None: any), required names, own names."""

    accepts: frozenset[str] | None
    needs: frozenset[str]
    own_names: frozenset[str]


@dataclass
class Target:
    """An audited callable. Use as a context manager. The child starts when first needed and restarts after a death.

    Args:
        name: printed and imported: `package.module:callable` or `path/to/file.py:callable`, or the name of
            `live_object`.
        kind: `accountant` (called with keyword arguments) or `mechanism` (asked for releases).
        limits: time and memory.
        live_object: a live callable or object, run in a fork; None imports `name`.
        search_path: directories put first on the child's `sys.path`.
        python: the interpreter that imports `name`.
        imports_kept: run the imports of `name`'s file once for all its targets, whose processes are forks.
        command: words of the program to run instead.
        inside: function whose return values take the place of the output, see `inside`; empty: none.
        vectorised: whether the loaded target has `release_many`.
        singly: ask `release_many` for one release at a time.
        releases_only_input_keys: whether the target releases keys of its input only, as the caller or the target
            declares; None if neither declares it.
        steerable: whether the loaded target gets a NumPy generator, so that its draws can be tilted.
        public_partitions: keys that the loaded target declares as public.
        accepts: keyword names that the loaded target accepts; None: any.
        needs: required argument names of the loaded target, if its signature shows them.
        parts: the public methods of a loaded class; for a program, the caller's declaration; None for
            any other target.
        jobs: number of processes that share the releases of one request, or the calls, each with its own copy of the
            target. The draws do not depend on the number. None: one process answers everything and draws with one
            generator.
        form: `kind` and `layout` of the rows passed to the target, see `forms`; None: tuples.
        input: the kind of input in the annotation of the loaded target; None if it has none.
        deadline: time of `time.monotonic` after which no answer is awaited, in seconds.
        branches: conditions of the source of the loaded accountant, see `call_branches`.
        numbers: numbers in conditions and tables of that source.
        lookups: keys of tables that the source looks up, as numbers by parameter.
        ways: (index of a condition, truth value) pairs that occurred in a call; shared with the helpers.
        order: whether the order of the keys of dictionaries is part of a release; shared with the helpers.

    Errors:
        TargetError: the target does not import or is not callable.
    """

    name: str
    kind: str
    limits: Limits = field(default_factory=Limits)
    live_object: object | None = None
    search_path: tuple[str, ...] = ()
    python: str = sys.executable
    imports_kept: bool = False
    command: tuple[str, ...] = ()
    inside: str = ""
    vectorised: bool = False
    singly: bool = False
    releases_only_input_keys: bool | None = None
    steerable: bool = False
    public_partitions: tuple[str, ...] = ()
    accepts: frozenset[str] | None = None
    needs: frozenset[str] = frozenset()
    parts: Mapping[str, Part] | None = None
    jobs: int | None = None
    form: Mapping[str, Any] | None = None
    input: str | None = None
    deadline: float = math.inf
    branches: Sequence[Mapping[str, Any]] = ()
    numbers: Sequence[float] = ()
    lookups: Sequence[Mapping[str, float]] = ()
    ways: set[tuple[int, bool]] = field(default_factory=set)
    order: KeyOrder = field(default_factory=KeyOrder)
    _connection: Connection | None = None
    _helpers: list[Target] = field(default_factory=list)
    """The other processes that share requests."""
    _printed: int = 0
    """Bytes written to standard output by earlier children."""

    def __enter__(self) -> Self:
        self._connected()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the child, if any, and the helpers."""
        for helper in self._helpers:
            helper.close()
        if self._connection is not None:
            self._connection.kill()
            self._printed, self._connection = self.printed, None

    @property
    def printed(self) -> int:
        """Bytes written to standard output; a program writes its answers there, so its bytes are not counted."""
        count = self._printed + (0 if self._connection is None else self._connection.printed)
        return count + sum(helper.printed for helper in self._helpers)

    @property
    def cpu_seconds(self) -> float:
        """CPU seconds of the running child and its helpers; 0 without a child."""
        seconds = 0.0 if self._connection is None else self._connection.cpu_seconds()
        return seconds + sum(helper.cpu_seconds for helper in self._helpers)

    @property
    def left_running(self) -> int:
        """Number of processes that the target started and left running; 0 for a program, which is a process itself."""
        count = 0 if self._connection is None or self.command else self._connection.left_running()
        return count + sum(helper.left_running for helper in self._helpers)

    def call(self, arguments: Mapping[str, float | str]) -> Answer:
        """Call once by keyword; floats are passed as floats, ints as ints."""
        return self.call_many([arguments])[0]

    def call_many(self, calls: Sequence[Mapping[str, float | str]]) -> list[Answer]:
        """Call once per mapping in one round trip; the answers end after the first call that hangs or dies."""
        self._ask_for_calls(calls)
        return self._answers(len(calls))

    def call_apart(self, calls: Sequence[Mapping[str, float | str]]) -> list[Answer | None]:
        """Call once per mapping, alternating between processes; None for calls after a hang or death of a process."""
        crew = self._crew(self.jobs or 1)
        for place, one in enumerate(crew):
            one._ask_for_calls(calls[place :: len(crew)])  # noqa: SLF001 - another of this class
        answers: list[Answer | None] = [None] * len(calls)
        for place, one in enumerate(crew):
            answers_of_one = one._answers(len(calls[place :: len(crew)]))  # noqa: SLF001 - as above
            for number, answer in enumerate(answers_of_one):
                answers[place + number * len(crew)] = answer
        return answers

    def _ask_for_calls(self, calls: Sequence[Mapping[str, float | str]]) -> None:
        encoded = [{name: exact_argument(value) for name, value in call.items()} for call in calls]
        self._ask({"do": "call", "calls": encoded})

    def _answers(self, number: int) -> list[Answer]:
        """Read the answers to the calls sent; the last answer may be of a call on which the child hung or died."""
        connection, answers = self._connected(), list[Answer]()
        try:
            while len(answers) < number and self._connection is connection:  # an answer may end the connection
                answers.append(self._read_answer(connection))
        except (TimeoutError, EOFError, OSError, ValueError, KeyError, TypeError, ArithmeticError) as error:
            answers.append(self._ended(connection, error))
        return answers

    def _crew(self, jobs: int) -> list[Target]:
        """Return the processes that share a request: this one and helpers."""
        self._helpers += [replace(self, _connection=None, _helpers=[]) for _ in range(jobs - 1 - len(self._helpers))]
        return [self, *self._helpers]

    def sample(
        self,
        dataset: Mapping[str, int] | Sequence[tuple[str, str, float]],
        n: int,
        seed: int,
        spawn_key: Sequence[int] = (),
        patience: float = math.inf,
        plan: Mapping[str, Any] | None = None,
        *,
        listen: bool = False,
    ) -> Batch:
        """Draw `n` releases with the generator PCG64(SeedSequence(seed, spawn_key)).

        Args:
            dataset: the input, a histogram or rows, in the order to pass on.
            n: number of releases.
            seed: entropy of the seed sequence.
            spawn_key: path of the seed sequence.
            patience: time limit of the target, in wall-clock seconds less its waits for a core.
            plan: the plan of the tilting generator, which draws one release at a time; None: no tilts.
            listen: whether a histogram records lookups of absent keys.

        Errors:
            MisbehavedError: the target hangs, dies or returns no JSON value.
            BudgetSpentError: the time limit ended first.
        """
        request = {
            "do": "sample",
            **({"histogram": dict(dataset)} if isinstance(dataset, Mapping) else {"rows": list(dataset)}),
            "n": n,
            "seed": str(seed),
            "spawn_key": list(spawn_key),
            "plan": plan,
            "singly": self.singly,
            "listen": listen,
        }
        if self.jobs is None or (self.vectorised and not self.singly):
            self._ask(request)
            return self._read_batch(n, patience)
        return joined(self._in_parts(self.jobs, request, patience))

    def survey(
        self,
        datasets: Sequence[Mapping[str, int] | Sequence[tuple[str, str, float]]],
        n: int,
        seed: int,
        seconds: float,
        patience: float = math.inf,
        *,
        clock: float = math.inf,
        cover: bool = False,
    ) -> Survey:
        """Draw `n` releases of each input, all with the same generator, in one round trip.

        Args:
            datasets: the inputs, histograms or rows.
            n: releases per input.
            seed: entropy of the seed sequence of every input's generator.
            seconds: CPU seconds after which no further input is drawn.
            clock: wall-clock seconds after which no further input is drawn.
            patience: as in `sample`.
            cover: whether to record the lines of the target's own source that run.

        Errors:
            MisbehavedError: the target hangs, dies, or returns no JSON value.
            BudgetSpentError: the time limit ended first.
        """
        inputs = [{"histogram": dict(one)} if isinstance(one, Mapping) else {"rows": list(one)} for one in datasets]
        request = {"do": "survey", "inputs": inputs, "n": n, "seed": str(seed), "seconds": seconds, "cover": cover}
        request["clock"] = clock
        self._ask(request)
        header, payload, connection = self._answer(patience)
        try:
            steps = [[(str(file), *map(int, lines)) for file, *lines in each] for each in header.get("steps", ())]
            return Survey(self._batch(header, payload, n * len(steps)), n, steps)  # type: ignore[arg-type]
        except (KeyError, TypeError, ValueError, EOFError, OSError) as error:
            raise MisbehavedError(self._ended(connection, ValueError(str(error)))) from None

    def _in_parts(self, jobs: int, request: Mapping[str, Any], patience: float) -> list[Batch]:
        """Draw a request in parts, each with its own generator, alternating between processes."""
        jobs = min(jobs, PARTS)
        crew, n = self._crew(jobs), request["n"]
        sizes = [(n + place) // PARTS for place in range(PARTS) if n + place >= PARTS]

        def ask(place: int) -> None:
            part = {**request, "n": sizes[place], "spawn_key": [*request["spawn_key"], place]}
            crew[place % jobs]._ask(part)  # noqa: SLF001 - another of this class

        batches = []
        try:
            for place in range(min(jobs, len(sizes))):
                ask(place)
            for place, size in enumerate(sizes):
                batches.append(crew[place % jobs]._read_batch(size, patience))  # noqa: SLF001 - as above
                if place + jobs < len(sizes):
                    ask(place + jobs)
        except BaseException:
            self.close()  # the other processes' answers are not read any more
            raise
        return batches

    def _ask(self, request: Mapping[str, Any]) -> None:
        """Send a request; if the child is gone, reading the answer reports it."""
        with suppress(OSError):
            self._connected().send(request)

    def _read_batch(self, n: int, patience: float) -> Batch:
        """Read the answer to a request for `n` releases; raises as `sample` does."""
        header, payload, connection = self._answer(patience)
        try:
            return self._batch(header, payload, n)
        except (KeyError, TypeError, ValueError, EOFError, OSError) as error:  # NumPy raises these on a malformed array
            raise MisbehavedError(self._ended(connection, ValueError(str(error)))) from None

    def _answer(self, patience: float) -> tuple[dict[str, Any], bytearray, Connection]:
        """Read the answer to a request for releases; return it with its connection."""
        connection = self._connected()
        last_beat, spent = time.monotonic(), 0.0
        try:
            while spent <= patience and (left := self.deadline - time.monotonic()) > 0:
                wait = min(self.limits.answer_seconds, max(LAST_WAIT, patience - spent), left)
                header, payload = connection.receive(wait, computing=True)
                if "beat" not in header:
                    break
                last_beat, spent = time.monotonic(), float(header["beat"])
            else:
                raise TimeoutError
        except (TimeoutError, EOFError, OSError, ValueError, TypeError) as error:
            late = self.limits.answer_seconds > patience - spent or time.monotonic() >= self.deadline
            if isinstance(error, TimeoutError) and late:
                self.close()
                raise BudgetSpentError(time.monotonic() - last_beat, alive=spent > 0) from None
            raise MisbehavedError(self._ended(connection, error)) from None
        return header, payload, connection

    def make(self, arguments: Sequence[Any], seed: int, times: int, *, strategy: bool = False) -> list[Any]:
        """Call repeatedly with JSON arguments and a generator; return the JSON values.

        A Hypothesis strategy is not called; its examples are returned.

        Args:
            arguments: JSON values, the positional arguments.
            seed: entropy of the generator.
            times: number of calls or examples.
            strategy: whether the target is a Hypothesis strategy, or a function that returns one.

        Errors:
            TargetError: the target hangs, dies, raises, or returns no JSON value.
        """
        connection = self._connected()
        try:
            request = {"arguments": list(arguments), "seed": str(seed), "times": times, "strategy": strategy}
            connection.send({"do": "make", **request})
            header, _ = connection.receive(self.limits.startup_seconds)
            if "made" in header:
                return list(header["made"])
            if "unusable" in header:
                what = header["unusable"]
            else:
                error = header.get("exception")
                what = f"raises {error}{self.remedy_for(error)}" if error else str(self._death(header["death"]))
        except (TimeoutError, EOFError, OSError, ValueError, KeyError, TypeError) as error:
            what = str(self._ended(connection, error))
        raise TargetError(f"{self.name} {printable(what)}")

    def part(self, path: str) -> Target:
        """Return the target of a method of this class: `delta`, or `compose.delta` of the result of `compose`.

        For a program, it is the command with the method as an additional word.
        """
        if self.command:
            return replace(
                self, name=f"{self.name} {path}", command=(*self.command, path), parts=None, _connection=None
            )
        live_object = None if self.live_object is None else attribute_of(self.live_object, path.split("."))
        return replace(self, name=f"{self.name}.{path}", live_object=live_object, _connection=None)

    def _batch(self, header: dict[str, Any], payload: bytearray, n: int) -> Batch:
        if "death" in header:
            raise MisbehavedError(self._death(header["death"]))
        if "unusable" in header:
            raise MisbehavedError(Misbehaved("unusable output", f"{self.name} {printable(str(header['unusable']))}"))
        if "exception" in header:
            what = (RELEASE_MANY_RAISES, f"release_many of {self.name}") if self.vectorised else ("raises", self.name)
            raise MisbehavedError(Misbehaved(what[0], f"{what[1]} raises {printable(str(header['exception']))}"))
        shapes = None if header["shapes"] is None else tuple(map(str, header["shapes"]))
        steered = None
        if "steered" in header:
            steered, payload = steered_of(header, payload, n)
        index, values = arrays(header, payload, n)
        if shapes is not None and index is not None:
            shapes, index = self.order.applied(shapes, index)
        return Batch(
            shapes,
            index,
            tuple(map(str, header["columns"])),
            values,
            bool(header["mutated"]),
            bool(header["rng_used"]),
            float(header["seconds"]),
            float(header["cpu_seconds"]),
            steered,
            tuple(map(str, header.get("looked_up", ()))),
            {shape: printable(place) for shape, place in header.get("raised_at", {}).items()},
        )

    def _connected(self) -> Connection:
        if self._connection is None:
            self._connection = self._start()
        return self._connection

    def _start(self) -> Connection:
        if self.live_object is not None:
            connection = fork_with(self.live_object)
        elif self.imports_kept:
            connection = fork_after_imports(self.python, self.name.rpartition(":")[0], self.limits.startup_seconds)
        else:
            connection = spawn_script(self.python)
        request = {"do": "load", "target": self.name, "kind": self.kind, "memory_bytes": self.limits.memory_bytes}
        request["inside"] = self.inside
        request["foreign"] = bool(self.command) or self.python != sys.executable
        fallback = [entry for entry in sys.path if entry] if self.python == sys.executable else []
        paths = {"search_path": list(self.search_path), "fallback_path": fallback, "command": list(self.command)}
        try:
            connection.send({**request, **paths})
            header, _ = connection.receive(self.limits.startup_seconds)
        except TimeoutError:
            connection.kill()
            raise TargetError(f"{self.name} does not import within {self.limits.startup_seconds:g} s") from None
        except (EOFError, OSError, ValueError):
            raise TargetError(
                f"{self.name} does not import: the process is {describe_exit(connection.end())}"
            ) from None
        except BaseException:
            connection.kill()
            raise
        if "unusable" in header:
            connection.kill()
            raise TargetError(f"{self.name} {header['unusable']}")
        if "failed" in header:
            connection.kill()
            reason = self._memory() if header["failed"] == "memory" else header["failed"]
            raise TargetError(f"{self.name} does not import: {reason}{self.remedy_for(reason)}")
        try:
            self.vectorised = bool(header["vectorised"])
            if self.releases_only_input_keys is None:
                self.releases_only_input_keys = header["releases_only_input_keys"]
            self.steerable = bool(header["steerable"])
            self.input = header["input"]
            self.public_partitions = tuple(map(str, header["public_partitions"]))
            self.accepts = _names(header["accepts"])
            self.needs = frozenset(map(str, header["needs"]))
            self.branches = tuple(header["branches"])
            self.numbers = tuple(map(float, header["numbers"]))
            self.lookups = tuple({str(name): float(key) for name, key in keys} for keys in header["lookups"])
            if not self.command:
                self.parts = None if header["parts"] is None else _parts(header["parts"])
        except (KeyError, TypeError, ValueError, AttributeError):
            connection.kill()
            raise TargetError(f"{self.name} does not import: it writes over the auditor's own pipe") from None
        self._send_form(connection)
        return connection

    def take(self, form: Mapping[str, Any]) -> None:
        """Pass rows to the target in this form from now on.

        Errors:
            TargetError: the target's interpreter lacks the package of the form.
        """
        self.form = form
        if self._connection is not None:
            self._send_form(self._connection)

    def remedy_for(self, error: str) -> str:
        """Return how to provide the module that an error of the target lacks, after a semicolon; empty for others."""
        absent = _NO_MODULE.match(error)
        if absent is None:
            return ""
        extra = missing(ImportError(name=absent[1])) if self.python == sys.executable else None
        return f"; {extra.remedy if extra else '--python names the interpreter that has it, PYTHONPATH the folder'}"

    def _send_form(self, connection: Connection) -> None:
        if self.form is None:
            return
        connection.send({"do": "form", "form": self.form})
        header, _ = connection.receive(self.limits.startup_seconds)
        if (library := header["lacks"]) is not None:
            self.close()
            connection.kill()
            is_same = self.python == sys.executable
            raise TargetError(
                f"{self.name} takes its input as {self.form['kind']}, and {library} is not installed in its "
                f"interpreter: {remedy(library) if is_same else f'pip install {library}'}"
            )

    @property
    def guessed_input(self) -> str | None:
        """The kind of input in the target's annotation; starts the target if necessary."""
        self._connected()
        return self.input

    def _read_answer(self, connection: Connection) -> Answer:
        header, _ = connection.receive(self.limits.answer_seconds, computing=True)
        self.ways.update((int(place), bool(way)) for place, way in header.get("ways", ()))
        if "parts" in header:
            return Several(tuple(map(number, header["parts"])), printable(str(header["shown"])))
        if "numerator" in header or "infinity" in header:
            return number(header)
        if "malformed" in header:
            kind, text = printable(str(header["malformed"])), printable(str(header["shown"]))
            return Misbehaved(f"returns {kind}", f"returns {text} ({kind})", text)
        if "exception" in header or "refusal" in header:
            name, key = ("raises", "exception") if "exception" in header else (DECLINES, "refusal")
            return Misbehaved(name, f"raises {printable(str(header[key]))}")
        self.close()
        return self._death(header["death"])

    def _memory(self) -> str:
        return f"it needs more than {self.limits.memory_bytes // MEBIBYTE} MiB of memory"

    def _death(self, cause: str) -> Misbehaved:
        if cause == "memory":
            return Misbehaved(MEMORY, f"dies: {self._memory()}")
        return Misbehaved("dies", f"dies: {printable(str(cause))}")

    def _ended(self, connection: Connection, error: Exception) -> Misbehaved:
        self._printed, self._connection = self.printed, None
        chatty = f"; it {printing(self.printed)}" if self.printed else ""
        if isinstance(error, TimeoutError):
            connection.kill()
            flush = "; a program has to flush its output after each request" if self.command else ""
            return Misbehaved(HANGS, f"gives no answer within {self.limits.answer_seconds:g} s{flush}{chatty}")
        status = connection.end()
        if not isinstance(error, EOFError | OSError):
            return Misbehaved("dies", f"dies: it writes over the auditor's own pipe{chatty}")
        return Misbehaved("dies", f"dies: {describe_exit(status)}{chatty}")


def printing(length: int) -> str:
    """Describe how much a target prints."""
    return f"wrote {length:,} bytes to standard output"


def _names(names: Sequence[str] | None) -> frozenset[str] | None:
    return None if names is None else frozenset(map(str, names))


def _parts(parts: Mapping[str, Any]) -> dict[str, Part]:
    return {
        str(name): Part(_names(accepts), frozenset(needs), frozenset(methods))
        for name, (accepts, needs, methods) in parts.items()
    }


def arrays(
    header: Mapping[str, Any], payload: bytearray, n: int
) -> tuple[NDArray[np.int64] | None, NDArray[np.float64]]:
    """Return the shape index (n,), None without shapes, and the values (n, columns) of a worker's answer.

    Errors:
        ValueError: the payload does not hold one shape and one row of doubles per release.
        KeyError, TypeError: the header is not a worker's answer.
    """
    import numpy as np

    width = len(header["columns"])
    if header["shapes"] is None:
        return None, np.frombuffer(payload, np.float64).reshape(n, width)
    groups = [(int(shape), np.array(places, dtype=np.int64)) for shape, places in header["groups"]]
    kinds, begin = np.frombuffer(payload, np.int64, n), 8 * n
    if kinds.min() < 0 or kinds.max() >= len(groups):
        raise ValueError("expected one kind for each release")
    releases = np.split(np.argsort(kinds, kind="stable"), np.bincount(kinds, minlength=len(groups)).cumsum()[:-1])
    values = np.full((n, width), np.nan)
    for (shape, places), alike in zip(groups, releases, strict=True):
        if not 0 <= shape < len(header["shapes"]):
            raise ValueError(f"expected a shape below {len(header['shapes'])}, got {shape}")
        rows = np.frombuffer(payload, np.float64, len(alike) * len(places), begin)
        values[np.ix_(alike, places)] = rows.reshape(len(alike), len(places))
        begin += rows.nbytes
    if begin != len(payload):
        raise ValueError("expected one row of doubles for each release")
    return np.array([shape for shape, _places in groups], dtype=np.int64)[kinds], values


def joined(batches: Sequence[Batch]) -> Batch:
    """Return several batches of one input as one batch, in order."""
    import numpy as np

    columns = tuple(dict.fromkeys(column for batch in batches for column in batch.columns))
    shapes = tuple(dict.fromkeys(shape for batch in batches for shape in batch.shapes or ()))
    places = {shape: place for place, shape in enumerate(shapes)}
    column_places = {column: place for place, column in enumerate(columns)}
    values = np.full((sum(len(batch.values) for batch in batches), len(columns)), np.nan)
    index, begin = np.empty(len(values), dtype=np.int64), 0
    for batch in batches:
        rows = slice(begin, begin := begin + len(batch.values))
        values[rows, [column_places[column] for column in batch.columns]] = batch.values
        index[rows] = np.array([places[shape] for shape in batch.shapes or ()])[batch.shape_index]
    steered = [batch.steered for batch in batches if batch.steered is not None]
    return Batch(
        shapes,
        index,
        columns,
        values,
        any(batch.mutated for batch in batches),
        any(batch.rng_used for batch in batches),
        math.fsum(batch.seconds for batch in batches),
        math.fsum(batch.cpu_seconds for batch in batches),
        Steered(
            np.concatenate([one.log_ratios for one in steered]),
            np.concatenate([one.levels for one in steered]),
            np.concatenate([one.valid for one in steered]),
            [draws for one in steered for draws in one.logged],
            [draws for one in steered for draws in one.alike],
            _joined_watches([one.watch for one in steered if one.watch is not None]),
        )
        if steered
        else None,
        tuple(dict.fromkeys(key for batch in batches for key in batch.looked_up)),
        {shape: place for batch in batches for shape, place in batch.raised_at.items()},
    )


def steered_of(header: Mapping[str, Any], payload: bytearray, n: int) -> tuple[Steered, bytearray]:
    """Return the tilting results of an answer and the payload before them; raises ValueError if sizes differ."""
    import numpy as np

    widths = [int(width) for width in header["steered"]]
    end = len(payload) - 8 * n * sum(widths)
    numbers = np.frombuffer(payload[end:], np.float64).reshape(n, sum(widths))
    log_ratios, levels, valid = np.split(numbers, np.cumsum(widths)[:-1], axis=1)
    watch = _watch_of(header) if "met" in header else None
    return Steered(log_ratios, levels, valid[:, 0] > 0, header["logged"], header["alike"], watch), payload[:end]


def _watch_of(header: Mapping[str, Any]) -> Watch:
    branches: list[Branch] = [tuple(branch) for branch in header["branches"]]
    return Watch(
        {(site, method): bool(always) for site, method, always in header["met"]},
        [frozenset(branches[place] for place in path) for path in header["taken"]],
        dict(header["hidden"]),
        tuple(header["unwatched"]),
        tuple(header["unsteady"]),
    )


def _joined_watches(watches: Sequence[Watch]) -> Watch | None:
    if not watches:
        return None
    met: dict[tuple[str, str], bool] = {}
    hidden: dict[str, str] = {}
    for one in watches:
        one.note(met, hidden)
    return Watch(
        met,
        [path for one in watches for path in one.taken],
        hidden,
        tuple(dict.fromkeys(file for one in watches for file in one.unwatched)),
        tuple(dict.fromkeys(place for one in watches for place in one.unsteady)),
    )


PROGRAM = "exec:"
"""Prefix of the name of a target that is a command."""


def locate(text: str, kind: str, limits: Limits | None = None, python: str | None = None) -> Target:
    """Return the target of a text without importing or starting it.

    Args:
        text: `package.module:callable`, `path/to/file.py:callable`, or `exec:COMMAND`.
        kind: `accountant` or `mechanism`.
        limits: time and memory.
        python: the interpreter to import it in, a path or a name on the search path; None: this one.

    Errors:
        TargetError: the text has no `:callable`, or the file, interpreter or command does not exist.
    """
    interpreter = sys.executable if python is None else shutil.which(os.fspath(python))
    if interpreter is None:
        raise TargetError(f"expected --python with the path of an interpreter, such as venv/bin/python, got '{python}'")
    if text.startswith(PROGRAM):
        return _program(text, kind, limits or Limits(), python)
    location, separator, attribute = text.rpartition(":")
    if not (separator and location and attribute):
        raise TargetError(f"expected package.module:callable or path/to/file.py:callable, got '{text}'")
    search_path = [os.getcwd()]  # noqa: PTH109 - a string for sys.path
    if location.endswith(".py"):
        file = Path(location).resolve()
        try:
            exists = file.is_file()
        except OSError:  # not a valid file name
            exists = False
        if not exists:
            raise TargetError(
                f"no such file: {location} (target '{text}'); paths are relative to the working directory"
            )
        search_path.insert(0, str(file.parent))
        text = f"{file}:{attribute}"
    return Target(text, kind, limits or Limits(), search_path=tuple(search_path), python=interpreter)


def shorten_path(name: str) -> str:
    """Return the name of a target, or another file:word, with the path relative to the working folder if below it."""
    path, colon, word = name.rpartition(":")
    if colon and Path(path).is_absolute() and Path(path).is_relative_to(Path.cwd()):
        return f"{Path(path).relative_to(Path.cwd()).as_posix()}:{word}"
    return name


def _program(text: str, kind: str, limits: Limits, python: str | None) -> Target:
    try:
        command = shlex.split(text.removeprefix(PROGRAM))
    except ValueError as error:
        raise TargetError(f"expected {PROGRAM}COMMAND, got '{text}': {error}") from None
    if python is not None:
        raise TargetError(f"expected --python or {PROGRAM}COMMAND, got both: name the interpreter in the command")
    if not command or shutil.which(command[0]) is None:
        raise TargetError(f"no such command: '{command[0] if command else ''}' (target '{text}')")
    return Target(text, kind, limits, command=tuple(command))


def locate_own(module: str, attribute: str, kind: str, limits: Limits | None = None) -> Target:
    """Return a target of this project (an adapter).

    The child is a fork of this process, which takes a tenth of the time of a fresh interpreter. Without fork, a fresh
    interpreter imports the target, with this project's packages first on its path.
    """
    live = getattr(importlib.import_module(module), attribute) if hasattr(os, "fork") else None
    return Target(f"{module}:{attribute}", kind, limits or Limits(), live_object=live, search_path=(PACKAGE_ROOT,))


def as_target(
    target: str | Callable[..., Any] | object, kind: str, limits: Limits | None = None, python: str | None = None
) -> Target:
    """Return the target of a text, see `locate`, or of a live callable or object (in this interpreter only)."""
    if isinstance(target, str):
        return locate(target, kind, limits, python)
    if python is not None:
        raise TargetError("expected a target by name or file, which another interpreter can import, got a live object")
    name = getattr(target, "__qualname__", type(target).__qualname__)
    return Target(printable(str(name)), kind, limits or Limits(), live_object=target)
