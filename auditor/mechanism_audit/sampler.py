"""Sampler of an audited target, its observations beside the outputs, and the pace of the blocks."""

import json
import math
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from auditor.black_box.pair_audit import Side
from auditor.inputs.data import Rows, as_rows
from auditor.mechanism_audit.options import BUDGET_SECONDS
from auditor.mechanism_audit.progress import Progress
from auditor.statistics.independence import permutation_p_value
from auditor.statistics.sample import Sample
from auditor.statistics.seeds import block_generator
from auditor.target.target import (
    RELEASE_MANY_RAISES,
    Batch,
    BudgetSpentError,
    Misbehaved,
    MisbehavedError,
    Survey,
    Target,
    printing,
)
from auditor.target.worker import EXCEPTION_PREFIX
from proofs_numeric.statements.neighbours import Neighbours

T = TypeVar("T")

LOOKS, FEWEST_LOOKS = 16, 4
"""Releases of a first look at an input, and smallest number of releases if a release has many numbers."""
FEW_RELEASES = 400
"""Releases that the budget holds, below which every look takes the smallest number of releases."""
NO_RELEASES = 20
"""Releases that the budget holds, below which no test can decide anything."""
PACED = 2
"""Releases by which the speed of a target is measured."""
NUMBERS_IN_LOOK = 2**18
"""Largest number of numbers in a look with more than the fewest releases."""
SEEDED = 512
"""Releases per seed in the comparison of two seeds, made if the first looks of both are equal."""
LOG_ORDERS = 28.0
"""Natural logarithm of the number of orders from which equal orders under two seeds are no coincidence."""
PROBES = (10**2, 10**4, 10**6)
"""Counts at which a target that ignores its generator is tried again; the last exceeds any usual threshold."""
PROBE_STEP = 100
"""Ratio of consecutive counts."""
MOST_CALLS = 8
"""Largest number of times that a target gets an input with the keys it looked up before."""
OTHER_COUNTS = (1, 3, 100)
"""Counts at which keys are tried again if the target raises on them."""
GRID = 2.0**-20
"""Rounding step as a share of the standard deviation of released numbers: far below any event over real numbers, far
above the last bits of doubles."""
USUAL = 0.9
"""Share of equal releases of an input from which its output is usual; a single other release may be a rare one."""
KEYS_REMEDY = "name the keys that it knows with --keys, or give neighbours with --pair"
LONG = 1.0
"""Seconds of a few releases beyond which larger counts are not probed: one record per user could take days."""
LOGGING = {"shares": [1.0], "tilts": [[]], "log": True}
"""Plan of a generator that logs draws and tilts none."""
COUNTS = re.compile(r'\{(?:"(?:[^"\\]|\\.)*":#,?)*\}')
"""Shape of numbers by key."""
SLOW = 200.0
"""Releases per second below which a mechanism is reported as slow."""
SILENT = 1.0
"""Seconds without a release after which the notes report it."""
PATIENCE = 10.0
"""Seconds of waiting that count as one CPU second, without waits for a core. Within one request, the wait is cut off
when the budget is exhausted."""
BATCHES = ((64, 32), (8, 128))
"""Numbers of batches, and releases in each, of the tests for independence: many small batches, few large ones."""
FEWEST_BATCHES, SMALLEST_BATCH = 4, 8
NUMBERS_TESTED = 2**22
"""Numbers in one of these tests above which batches and releases are reduced, down to these minima."""
DEPENDENCE_ALPHA = 1e-3
"""Level of each of the at most four tests. A false alarm costs only time: verdicts from single draws are equally
valid."""
MOST_COLUMNS = 50
"""Largest number of keys of a release in a test for independence."""
MOST_LEFT = 256
"""Processes that a target may leave running; a process per release would exhaust the machine."""
CROWD = ", users of several keys"
"""Suffix of the name of neighbours as rows in which other users have several keys."""
LISTED = 6
"""Largest number of keys in a message."""
MOST_CHARACTERS = 60
"""Largest number of characters of an input in a message."""


class DependentError(Exception):
    """Releases depend on one another even if drawn one by one. Cause: the target keeps earlier draws."""


@dataclass
class Pace:
    """Number of blocks in each stage of an audit: by CPU seconds, or as in a finished audit.

    Seconds decide only this number, and only between blocks. An audit with given block counts draws equal releases at
    any speed.

    Attributes:
        budget: CPU seconds of the auditor and the target.
        wall: wall-clock limit in seconds; None for no limit. Its elapsed share counts as the share of the budget spent.
        planned: blocks of each stage of the replayed audit; None if the budget decides.
        blocks: blocks of each stage so far.
        of_target: CPU seconds of the target so far, with a share of its waiting time.
        computed: CPU seconds of releases so far, without waiting time.
    """

    budget: float
    planned: tuple[int, ...] | None = None
    wall: float | None = None
    blocks: list[int] = field(default_factory=list)
    of_target: float = 0.0
    computed: float = 0.0
    _started: float = field(default_factory=time.process_time)
    _start: float = field(default_factory=time.monotonic)

    def clock(self) -> float:
        """Return the CPU seconds of the audit so far, or the elapsed share of the wall-clock limit if larger."""
        computed = time.process_time() - self._started + self.of_target
        if self.wall is None or self.planned is not None:
            return computed
        return max(computed, self.budget * (time.monotonic() - self._start) / self.wall)

    @property
    def waits_share(self) -> float:
        """Return the seconds that a second of waiting counts for: a tenth, or its share of the wall-clock limit."""
        return 1 / PATIENCE if self.wall is None else max(1 / PATIENCE, self.budget / self.wall)

    @property
    def deadline(self) -> float:
        """Return the time, by `time.monotonic`, of the wall-clock limit; infinity in a replay."""
        return math.inf if self.wall is None or self.planned is not None else self._start + self.wall

    @property
    def is_late(self) -> bool:
        """Return whether the wall-clock limit is reached."""
        return time.monotonic() >= self.deadline

    def limit(self, ahead: int = 0) -> int | None:
        """Return the blocks of the next stage, or of a later one; None if the budget decides."""
        if self.planned is None:
            return None
        place = len(self.blocks) + ahead
        return self.planned[place] if place < len(self.planned) else 0

    def decide(self, number: int) -> int:
        """Return the number of a stage, or the replayed audit's, and record it."""
        limit = self.limit()
        self.blocks.append(number if limit is None else limit)
        return self.blocks[-1]

    def decide_whether(self, answer: bool) -> bool:
        """Return whether a stage takes place, or did in the replayed audit, and record it."""
        return bool(self.decide(int(answer)))

    def within(self, items: Iterable[T], seconds: float, fewest: int = 0) -> Iterator[T]:
        """Yield the items for which there is time, at least the fewest, or as many as in the replayed audit.

        Record the number once the items are exhausted: a stage that breaks off records nothing.
        """
        limit, until, count = self.limit(), self.clock() + seconds, 0
        for item in items:
            if count >= limit if limit is not None else count >= fewest and self.clock() >= until:
                break
            count += 1
            yield item
        self.blocks.append(count)

    def seconds(self) -> float:
        """Return the remaining CPU seconds, more than 0."""
        return max(self.budget - self.clock(), 0.01)

    def share_of(self, seconds: float) -> float:
        """Return CPU seconds of the default budget, scaled down to a smaller budget."""
        return seconds * min(1.0, self.budget / BUDGET_SECONDS)

    def over(self) -> bool:
        """Return whether there is no time for a further stage."""
        if self.planned is not None:
            return len(self.blocks) >= len(self.planned)
        return self.clock() > self.budget


@dataclass(frozen=True)
class Standing:
    """State of the tests of a stage: see `Progress`."""

    samples: int = 0
    log10_wealth: float | None = None
    log10_needed: float | None = None
    power: float | None = None


@dataclass
class Sampler:
    """Source of a target's releases, with a record of its observations."""

    target: Target
    pace: Pace
    mutated: bool = False
    tests: int = 0
    exceptions: int = 0
    """Number of tested releases, and number of them that raised."""
    error: str = ""
    """Last exception of the target."""
    errors: dict[str, str] = field(default_factory=dict)
    """First exception of the target by file and line."""
    raised_at: dict[str, str] = field(default_factory=dict)
    """File and line of the target in which an exception was raised first, by its shape."""
    refusals: list[str] = field(default_factory=list)
    """Exceptions on searched inputs, with their inputs; these inputs were left out."""
    release_count: int = 0
    few: bool = False
    """Whether the budget holds few releases of a slow target."""
    slow: bool = False
    """Whether counting lacks the time, and releases of many keys decide."""
    width: int = 1
    """Largest number of numbers in a release so far."""
    seconds: float = 0.0
    trouble: str = ""
    """Failure after the verdict, or a long time without an answer before the budget was exhausted."""
    usual_output: object = None
    """Most frequent output of the first input."""
    constant: bool = True
    varies: bool = False
    """Whether an input had another usual output, or a share of equal releases below `USUAL`, without exceptions."""
    bounded: bool = True
    """Whether the caller's data, pair, claim, keys or largest count limit the inputs."""
    keys: tuple[str, ...] = ()
    """Keys that the target accepts; empty if it accepts any."""
    looked_up: tuple[str, ...] = ()
    """Keys that the target looks up in its input, if no keys are declared."""
    rows: bool = False
    """Whether the target takes rows of users instead of a histogram."""
    one_record: bool = False
    """Whether each record of the data is one user."""
    fixed_keys: bool = False
    """Whether keys are cells of the user's data, which cannot be renamed."""
    largest: int = PROBES[-1]
    """Largest number of users of an invented input in the search for thresholds."""
    most_users: int | None = None
    """Declared largest number of users of an invented input; None if there is no declaration."""
    values: tuple[float, float] = (1.0, 1.0)
    """Range of the values of rows; invented rows have the last, which has the larger magnitude."""
    grid: dict[str, float] = field(default_factory=dict)
    """Rounding step of the numbers of each column before the test; 0 for no rounding."""
    has_last_bits: bool = False
    """Whether rounding to the grid may have merged released numbers."""
    exact: bool = False
    """Whether numbers are tested without rounding."""
    foreign: bool = False
    """Whether a release contained anything but numbers of input keys."""
    steered_seconds: float = 0.0
    """CPU seconds of a tilted release in the last batch."""
    moved: bool = False
    """Whether neighbours gave different releases with equal randomness, or their randomness cannot be replayed."""
    ignores_rng: bool = False
    draws_elsewhere: bool = False
    """Whether the target draws from other generators, which are replaced while it is tilted."""
    watch: Callable[[Progress], object] | None = None
    """Callback for the progress after each batch."""
    pair_seconds: dict[str, float] = field(default_factory=dict)
    """CPU seconds of a release of both sides, by the id of a pair."""
    stage: str = "calling the target"
    standing: Standing | None = None
    _patience: float = 0.0
    """Remaining seconds of the target, without waits for a core."""

    def __post_init__(self) -> None:
        """Set the time after which a waiting target is abandoned."""
        self.target.deadline = self.pace.deadline
        self._patience = math.inf if self.pace.planned is not None else PATIENCE * self.pace.budget

    @property
    def sees_draws(self) -> bool:
        """Return whether draws can be logged and tilted."""
        return self.target.steerable and (self.draws_elsewhere or not self.ignores_rng)

    @property
    def speed(self) -> float:
        """Return the releases per second of the target's own time so far."""
        return self.release_count / max(self.seconds, 1e-9)

    @property
    def release_seconds(self) -> float:
        """Return the CPU seconds of a release so far; 0 before any."""
        return self.pace.computed / max(1, self.release_count)

    @property
    def expected_seconds(self) -> float:
        """Return the seconds of a release in the budget, with a share of its waiting time."""
        return max(self.release_seconds, self.seconds / max(1, self.release_count) * self.pace.waits_share)

    @property
    def looks(self) -> int:
        """Return the number of releases in a look; fewer for wide releases."""
        return FEWEST_LOOKS if self.few else min(LOOKS, max(FEWEST_LOOKS, NUMBERS_IN_LOOK // self.width))

    def batch(
        self,
        histogram: Mapping[str, int],
        n: int,
        seed: int,
        path: Sequence[int] = (),
        plan: Mapping[str, Any] | None = None,
        *,
        listen: bool = False,
    ) -> Batch:
        """Return `n` releases, tilted if there is a plan, and record observations.

        Errors:
            MisbehavedError: the target hangs, dies, or returns no JSON value; the message names the input.
            BudgetSpentError: the target waited until the budget was exhausted.
        """
        dataset = as_rows(histogram, histogram, self.values[1])[0] if self._needs_rows(histogram) else histogram
        try:
            rows = dataset.rows if isinstance(dataset, Rows) else dataset
            batch = self.target.sample(rows, n, seed, path, self._patience, plan, listen=listen)
        except MisbehavedError as error:
            detail = f"{error.what.detail}, given {_format_input(histogram)}"
            raise MisbehavedError(replace(error.what, detail=detail)) from None
        except BudgetSpentError as error:
            self._patience = 0.0
            if error.silent > SILENT:
                self.trouble = f"did not respond for {error.silent:.1f} s, given {_format_input(histogram)}"
            raise
        if (running := self.target.left_running) > MOST_LEFT:
            detail = f"leaves {running} started processes running, more than {MOST_LEFT}"
            raise MisbehavedError(Misbehaved("leaves processes", f"{detail}; wait for each of them"))
        self.foreign = (
            self.foreign
            or any(column not in histogram for column in batch.columns)
            or any(
                not COUNTS.fullmatch(shape) for shape in batch.shapes or () if not shape.startswith(EXCEPTION_PREFIX)
            )
        )
        self.width = max(self.width, len(batch.columns))
        self.mutated |= batch.mutated
        self._patience -= batch.seconds
        self.pace.of_target += max(batch.cpu_seconds, batch.seconds / PATIENCE)  # waiting time counts in part
        if plan is not None:
            self.steered_seconds = batch.cpu_seconds / n
        else:
            self.release_count += n
            self.pace.computed += batch.cpu_seconds
            self.seconds += batch.seconds
            self._compare(batch)
        if self.watch is not None:
            bets = self.standing or Standing()
            self.watch(
                Progress(
                    self.stage, self.release_count, self.speed, bets.samples, bets.log10_wealth, bets.log10_needed,
                    bets.power, self.pace.clock(), self.pace.budget,
                )
            )  # fmt: skip
        return batch

    def survey(self, inputs: Sequence[Mapping[str, int]], n: int, seed: int, seconds: float) -> Survey:
        """Return `n` releases of each dataset with an equal generator, for as many datasets as `seconds` allow.

        Errors:
            MisbehavedError, BudgetSpentError: as for `batch`.
        """
        datasets = [as_rows(one, one, self.values[1])[0] if self._needs_rows(one) else one for one in inputs]
        raw = [one.rows if isinstance(one, Rows) else one for one in datasets]
        try:
            clock = seconds / self.pace.waits_share
            survey = self.target.survey(raw, n, seed, seconds, self._patience, clock=clock, cover=True)
        except BudgetSpentError:
            self._patience = 0.0
            raise
        batch = survey.batch
        self.raises(batch)  # records the exception
        self._patience -= batch.seconds
        self.pace.of_target += max(batch.cpu_seconds, batch.seconds / PATIENCE)
        return survey

    def slow_at_the_next(self, batch: Batch) -> bool:
        """Return whether a few releases at the next of `PROBES` take longer than `LONG`; rows grow with the count."""
        return batch.seconds * (PROBE_STEP if self.rows else 1) > LONG

    def _needs_rows(self, histogram: Mapping[str, int]) -> bool:
        return self.rows and not isinstance(histogram, Rows)

    def record_failure(self, error: MisbehavedError) -> None:
        """Record a failure of the target that leaves the verdict as it is."""
        self.trouble = error.what.detail

    def record_difference(self, *, has_difference: bool) -> None:
        """Record whether neighbours gave different releases with equal randomness."""
        self.moved = self.moved or has_difference

    def set_rounding(self, *, on: bool) -> None:
        """Round numbers before the test, or keep their last bits."""
        self.exact = not on

    def set_standing(self, standing: Standing) -> None:
        """Set the state of the tests that the progress reports."""
        self.standing = standing

    @contextmanager
    def doing(self, stage: str) -> Iterator[None]:
        """Set the stage that the progress reports."""
        before, self.stage, self.standing = self.stage, stage, None
        try:
            yield
        finally:
            self.stage, self.standing = before, None

    def formed(self, pair: Neighbours, each: int = 1) -> Neighbours:
        """Return the pair in the form that the target takes; as rows, with users of up to `each` keys."""
        if not self.rows or isinstance(pair.left, Rows):
            return pair
        name = pair.id.removesuffix(CROWD) + (CROWD if each > 1 else "")
        return Neighbours(name, *as_rows(pair.left, pair.right, self.values[1], each), pair.description)

    def raises(self, batch: Batch) -> int:
        """Return the number of releases of a batch that raised; record the last exception, and the first by place."""
        if batch.shapes is None or batch.shape_index is None:
            return 0
        errors = [i for i, shape in enumerate(batch.shapes) if shape.startswith(EXCEPTION_PREFIX)]
        rows = np.flatnonzero(np.isin(batch.shape_index, errors))
        if rows.size:
            self.error = _error(batch, int(rows[-1]))
        for shape, place in batch.raised_at.items():
            self.raised_at.setdefault(shape, place)
            if place not in self.errors:
                self.errors[place] = _error(batch, int(np.argmax(batch.shape_index == batch.shapes.index(shape))))
        return int(rows.size)

    def add_places(self, event: str) -> str:
        """Return the text of an event in which each exception is followed by the file and line that raised it."""
        shapes = sorted((shape for shape in self.raised_at if shape in event), key=len, reverse=True)
        longest_first = "|".join(map(re.escape, shapes)) or "(?!)"
        places = {shape: f" at {place}" if place else "" for shape, place in self.raised_at.items()}
        return re.sub(longest_first, lambda match: match[0] + places[match[0]], event)

    def limited(self, count: int) -> int:
        """Return a count of users, at most the largest that the caller declared."""
        return min(count, self.most_users or count)

    @property
    def first_key(self) -> str:
        """Return a key that the target accepts, as far as known."""
        return (*self.keys, *self.looked_up, "k0")[0]

    def accepted(self, pair: Neighbours) -> Neighbours | None:
        """Return the pair with keys that the target accepts; None if there are too few.

        If keys were only looked up, other keys may follow them.
        """
        if self.keys:
            return pair.with_keys(self.keys)
        other_keys = sorted({*pair.left, *pair.right} - {*self.looked_up})
        return pair.with_keys((*self.looked_up, *other_keys)) if self.looked_up else pair

    def listen(self, seed: int) -> list[str]:
        """Record the keys that the target looks up in its input, until it looks up no more; return a note on them."""
        for _ in range(MOST_CALLS):
            histogram = dict.fromkeys(self.looked_up or (self.first_key,), 2)
            batch = self.batch(histogram, self.looks, seed, listen=True)
            new_keys = [key for key in batch.looked_up if key]  # a target that asks for the empty key refuses it
            if not new_keys:
                break
            self.looked_up = (*self.looked_up, *new_keys)
        if not self.looked_up:
            return []
        return [f"looks up {_listed(self.looked_up)} in its input: searched neighbours have these keys"]

    def compared(self, pair: Neighbours, seed: int, looks: int | None = None) -> tuple[Batch, Batch]:
        """Return a few releases of both neighbours with equal randomness; record time and whether they differ."""
        looks = looks or self.looks
        first, last = (self.batch(histogram, looks, seed) for histogram in (pair.left, pair.right))
        self.pair_seconds[pair.id] = (first.cpu_seconds + last.cpu_seconds) / looks
        self.moved = self.moved or not _same(first, last)
        return first, last

    def look_at(self, histogram: Mapping[str, int], seed: int, looks: int | None = None) -> Batch | None:
        """Return a few releases of an input; None if `release_many` raises on it."""
        try:
            return self.batch(histogram, looks or self.looks, seed)
        except MisbehavedError as error:
            if error.what.name != RELEASE_MANY_RAISES:
                raise
            return None

    def accepts(self, pair: Neighbours, seed: int) -> bool:
        """Return whether the target accepts both neighbours, and record whether equal randomness distinguishes them.

        A target refuses keys if it raises on them for every count and value, or if it always raises on the empty input.
        These failures are no outputs. An exception that depends on counts, values or chance is an output.
        """
        try:
            batches = self.compared(pair, seed)
        except MisbehavedError as error:
            if error.what.name != RELEASE_MANY_RAISES:
                raise
            self.error = error.what.detail
            self.refusals.append(f"{error.what.detail}, given {_format_input(pair.left)}")
            return False
        before = len(self.refusals)
        for histogram, batch in zip((pair.left, pair.right), batches, strict=True):
            if self.raises(batch) == len(batch.values):
                refusal = f"{self.error}, given {_format_input(histogram)}"
                if not histogram or self._refuses_keys(histogram, seed):
                    self.refusals.append(refusal)
        return len(self.refusals) == before

    def refuses(self, histogram: Mapping[str, int], seed: int) -> bool:
        """Return whether the target raises in each of a few releases of an input."""
        return self.raises(self.batch(histogram, self.looks, seed)) == self.looks

    def _refuses_keys(self, histogram: Mapping[str, int], seed: int) -> bool:
        others: list[Mapping[str, int]] = [dict.fromkeys(histogram, self.limited(count)) for count in OTHER_COUNTS]
        if self.rows:  # rows of the other end of the range of values
            others.append(as_rows(others[0], others[0], self.values[0])[0])
        return all(self.refuses(other, seed) for other in others)

    def _compare(self, batch: Batch) -> None:
        """Record whether any two outputs, for any input, have differed, and whether usual outputs have."""
        if self.varies:
            return
        equal = {place: int(_equal_to(batch, place).sum()) for place in (0, -1)}  # one of them may be rare
        place, n = max(equal, key=lambda place: equal[place]), len(batch.values)
        shape = "" if batch.shapes is None or batch.shape_index is None else batch.shapes[batch.shape_index[place]]
        if shape.startswith(EXCEPTION_PREFIX):
            self.constant = self.constant and self.usual_output is None
            return
        numbers = dict(zip(batch.columns, batch.values[place].tolist(), strict=True))
        output = shape, {key: value for key, value in numbers.items() if not math.isnan(value)}
        self.usual_output = output if self.usual_output is None else self.usual_output
        self.constant = self.constant and equal[place] == n and output == self.usual_output
        self.varies = equal[place] < min(USUAL * n, n - 1) or output != self.usual_output

    def __call__(self, pair: Neighbours, side: Side, n: int, rng: np.random.Generator) -> Sample:
        """Return the sample of a block, from the seed path of its generator."""
        seeds = rng.bit_generator.seed_seq
        assert isinstance(seeds, np.random.SeedSequence)  # noqa: S101 - block generators are made from one
        histogram = pair.left if side is Side.LEFT else pair.right
        batch = self.batch(histogram, n, int(seeds.entropy), seeds.spawn_key)  # type: ignore[arg-type]
        self.tests, self.exceptions = self.tests + n, self.exceptions + self.raises(batch)
        values = batch.values if self.exact else self._on_grid(batch)
        return Sample(batch.columns, values, batch.shapes, batch.shape_index)

    def _on_grid(self, batch: Batch) -> NDArray[np.float64]:
        """Return the numbers of a batch, rounded to the grid that earlier batches set for each column."""
        fallback = min((step for step in self.grid.values() if step), default=0.0)
        steps = np.array([self.grid.get(column, fallback) for column in batch.columns])
        self._set_grid(batch)
        if not steps.any():
            return batch.values
        used = np.where(steps > 0, steps, 1.0)
        with np.errstate(over="ignore", invalid="ignore"):
            self.has_last_bits = self.has_last_bits or has_last_bits(batch.values, steps)
            rounded = np.round(batch.values / used) * used
        return np.where((steps > 0) & np.isfinite(rounded), rounded, batch.values)

    def _set_grid(self, batch: Batch) -> None:
        """Set the grid of new columns: the largest power of two up to `GRID` times the standard deviation."""
        if len(batch.values) < FEWEST_LOOKS:
            return
        for column, values in zip(batch.columns, batch.values.T, strict=True):
            if column not in self.grid:
                numbers = values[~np.isnan(values)]
                spread = float(numbers.std()) if len(numbers) >= FEWEST_LOOKS else 0.0
                fractions = bool((numbers != np.round(numbers)).any())
                self.grid[column] = 2.0 ** math.floor(math.log2(GRID * spread)) if spread > 0 and fractions else 0.0

    def check_speed(self, histogram: Mapping[str, int], seed: int) -> None:
        """Record how many releases a look takes at the target's speed.

        Errors:
            BudgetSpentError: the budget holds too few releases for any test.
            MisbehavedError: the target hangs or dies.
        """
        looks = self.pace.limit()
        if not looks:  # an audit that ended here states the speed, and so does its replay
            affordable = self._affordable_releases(histogram, seed)
            if affordable < FEW_RELEASES:  # the first call may compile or load
                affordable = self._affordable_releases(histogram, seed)
        if looks is None:
            looks = LOOKS if affordable >= FEW_RELEASES else FEWEST_LOOKS if affordable >= NO_RELEASES else 0
        self.pace.blocks.append(looks)
        self.few = looks < LOOKS
        if not looks:
            raise BudgetSpentError

    def _affordable_releases(self, histogram: Mapping[str, int], seed: int) -> float:
        """Return the number of releases that the budget holds at the speed of the next releases."""
        before = self.pace.clock()
        self.batch(histogram, PACED, seed)
        return self.pace.budget * PACED / max(self.pace.clock() - before, 1e-9)

    def look(self, histogram: Mapping[str, int], seed: int) -> list[str]:
        """Return one-line notes on determinism, use of the generator and failures, from a few releases.

        Errors:
            MisbehavedError: the target hangs or dies, or requests repeat one sample whatever the seed.
        """
        looked_at, looks = histogram, self.looks
        first, again = (self.batch(histogram, looks, seed) for _ in range(2))
        ignored, same = not (first.rng_used or again.rng_used), _same(first, again)
        always_raises = self.raises(first) == looks
        probes = (count for count in (1, *PROBES) if count * len(histogram) <= self.largest)
        for count in probes if ignored else ():  # every count may be on one side of a threshold
            looked_at = dict.fromkeys(histogram, count)
            first, again = (self.batch(looked_at, looks, seed) for _ in range(2))
            ignored, same = not (first.rng_used or again.rng_used), same and _same(first, again)
            always_raises = always_raises and self.raises(first) == looks
            if not ignored or max(first.seconds, again.seconds) > LONG:
                break
        ignored = ignored and not always_raises  # an early exception leaves no time to draw
        if same and _same(first, self.batch(histogram, looks, seed + 1)):
            self._check_seeds(histogram, seed)
        self.moved = self.moved or ignored or not same  # the effect of equal randomness is unknown
        self.ignores_rng = ignored
        if ignored and self.target.steerable:
            self.draws_elsewhere = self.batch(looked_at, 1, seed, plan=LOGGING).rng_used
        notes = []
        if ignored:
            how = f"its first {looks} releases were equal" if same else "its randomness cannot be replayed"
            notes.append(f"ignores its rng: {how}")
        elif not same:
            notes.append("is not deterministic given its rng: equal seeds gave different releases")
        if not (self.target.steerable or self.target.command):
            notes.append("its rng is a random.Random: its interpreter has no NumPy")
        return notes

    def check_batches(self, histogram: Mapping[str, int], seed: int) -> list[str]:
        """Return a note if releases of one batch depend on one another; the audit then draws them one by one.

        Each release of a batch may be private, but every test requires independent releases. A batch with a shared draw
        could be refuted although the claim holds.

        Errors:
            DependentError: releases depend on one another even if drawn one by one.
        """
        if not self.target.vectorised or self.independent(histogram, seed):
            return []
        self.target.singly = True
        if not self.independent(histogram, seed):
            raise DependentError
        alarms = f"{2 * len(BATCHES) * DEPENDENCE_ALPHA:g}"
        tested = f"releases of one call of release_many are not independent (false-alarm probability at most {alarms})"
        return [f"cannot be audited in batches: {tested}; drawn one by one instead"]

    def independent(self, histogram: Mapping[str, int], seed: int) -> bool:
        """Return whether no test finds dependence between releases of one batch, or of consecutive batches.

        If the input gives only one outcome, larger counts are tried.
        """
        for place, dataset in enumerate((histogram, dict.fromkeys(histogram, self.limited(PROBES[1])))):
            varies = False
            for design, (batches, size) in enumerate(map(self._fitting, BATCHES)):
                try:
                    blocks = [self.batch(dataset, size, seed, (place, design, k)) for k in range(batches)]
                except MisbehavedError as error:
                    if place == 0 or error.what.name != RELEASE_MANY_RAISES:
                        raise
                    return True
                values = _table(blocks)
                varies = varies or bool(
                    (np.nan_to_num(values, nan=-np.inf) != np.nan_to_num(values[0, 0], nan=-np.inf)).any()
                )
                if (
                    permutation_p_value(values, block_generator(seed, "independence", place, design))
                    <= DEPENDENCE_ALPHA
                ):
                    return False
            if varies:
                return True
        return True

    def _fitting(self, design: tuple[int, int]) -> tuple[int, int]:
        """Return the batches, and the releases in each, that a test may draw at this width."""
        share = min(1.0, math.sqrt(NUMBERS_TESTED / (math.prod(design) * self.width)))
        return max(FEWEST_BATCHES, int(share * design[0])), max(SMALLEST_BATCH, int(share * design[1]))

    def _check_seeds(self, histogram: Mapping[str, int], seed: int) -> None:
        """Raise if releases come in equal order whatever the seed: requests then repeat one sample.

        Independent releases have all orders with equal probability.
        """
        first, other = (self.batch(histogram, SEEDED, seed + more) for more in range(2))
        index = np.zeros(SEEDED) if first.shape_index is None else first.shape_index
        _, counts = np.unique(np.column_stack([index, np.nan_to_num(first.values)]), axis=0, return_counts=True)
        orders = math.lgamma(SEEDED + 1) - sum(math.lgamma(count + 1) for count in counts.tolist())
        if _same(first, other) and orders > LOG_ORDERS:
            what = "returns equal releases for every seed, so requests repeat one sample"
            detail = f"{what}, given {_format_input(histogram)}"
            raise MisbehavedError(Misbehaved("repeats itself", detail))

    def notes(self, *, many: bool) -> list[str]:
        """Return the notes of the whole audit; with `many`, the speed of the target matters."""
        notes = []
        if self.mutated:
            notes.append("mutates its input: each release was given a fresh copy")
        if 0 < self.exceptions < self.tests:
            notes.append(
                f"is random in its failure or fails on some inputs: {self.exceptions} of {self.tests} releases raised "
                f"({_listed([*self.errors.values()] or [self.error])})"
            )
        if self.refusals:
            notes.append(
                f"refuses {len(self.refusals)} of the searched inputs, which were left out: raises "
                f"{self.refusals[0]}; --keys names the keys that it takes"
            )
        if self.release_count and self.constant:
            notes.append("is constant: every release of every input was equal")
        if (running := self.target.left_running) > 0:
            notes.append(f"leaves {running} started processes running at the end: they were ended with it")
        notes += self.console()
        if self.trouble:
            notes.append(self.trouble)
        if many and self.seconds > 0.1 and self.speed < SLOW:
            more = "" if self.target.jobs or self.target.vectorised else "; with --jobs N processes draw"
            notes.append(f"is slow: {self.speed:.3g} releases a second; a small budget detects little{more}")
        return notes

    def console(self) -> list[str]:
        """Return the note on the target's standard output; empty without output."""
        note = f"{printing(self.target.printed)}: printed text is not part of the releases and is not audited"
        return [note] if self.target.printed else []

    def remedy_for_exceptions(self) -> str:
        """Return how the caller makes a target run that raises on every input."""
        if module := self.target.remedy_for(self.error):
            return module.removeprefix("; ")
        if self.rows:
            form = "rows of (user, partition, value)" if self.target.form is None else self.target.form["kind"]
            return f"its input has the form {form}; --input names another form, such as tuples of (user, partition)"
        rows = "" if self.keys else ", or, where it takes rows, --dataset with columns user, partition and value"
        return KEYS_REMEDY + rows

    def nothing_seen(self) -> str | None:
        """Return why the releases give no evidence, whatever their values; None if they do."""
        if self.tests and self.exceptions > self.tests / 2:
            every = "every release" if self.exceptions == self.tests else f"{self.exceptions} of {self.tests} releases"
            return f"{every} raised ({self.error}), so nothing was tested; {self.remedy_for_exceptions()}"
        if self.release_count and (self.constant or not (self.varies or self.bounded)):
            what = "nothing was released" if self.released_nothing else "only one outcome was ever seen"
            every = "every release of every tried input was equal"
            rare = f"in over {USUAL:.0%} of the releases of each input, whatever its counts; give --input rows for rows"
            return f"{what}: {every}; {KEYS_REMEDY}" if self.constant else f"{what} {rare}, or {KEYS_REMEDY}"
        if not self.moved:
            what = "it seems to ignore its input" if self.keys else "no key was found to which it responds"
            equal = "with equal randomness both neighbours of every tried pair gave equal releases"
            return f"{what}: {equal}; {KEYS_REMEDY}"
        return None

    @property
    def released_nothing(self) -> bool:
        """Return whether every release so far was empty."""
        return self.usual_output in [("", {}), ("{}", {}), ("[]", {})]


def has_key(batch: Batch, keys: Sequence[str], *, within: bool = False) -> NDArray[np.bool_]:
    """Return for each release whether it holds one of the keys anywhere, (n,); False for an exception.

    Args:
        batch: the releases.
        keys: keys to find.
        within: whether a longer text counts as holding a key, for names that are part of no other text.
    """
    if batch.shapes is None or batch.shape_index is None:
        columns = [place for place, column in enumerate(batch.columns) if column in keys]
        return np.asarray((~np.isnan(batch.values[:, columns])).any(axis=1))
    texts = keys if within else [json.dumps(key) for key in keys]
    holds = [not shape.startswith(EXCEPTION_PREFIX) and any(text in shape for text in texts) for shape in batch.shapes]
    return np.array(holds, dtype=bool)[batch.shape_index]


_STRING = re.compile(r'"(?:[^"\\]|\\.)*"(?!:null)')


def strings_of(shape: str) -> set[str]:
    """Return the keys and labels anywhere in a release; empty for an exception, without keys of null."""
    return set() if shape.startswith(EXCEPTION_PREFIX) else {json.loads(text) for text in _STRING.findall(shape)}


def releases_key(batch: Batch, key: str) -> NDArray[np.bool_]:
    """Return for each release whether it releases the key, (n,): with a number, or as a string anywhere."""
    columns = [place for place, column in enumerate(batch.columns) if column == key]
    has_number = (~np.isnan(batch.values[:, columns])).any(axis=1)
    if batch.shapes is None or batch.shape_index is None:
        return np.asarray(has_number)
    return np.asarray(has_number | np.array([key in strings_of(shape) for shape in batch.shapes])[batch.shape_index])


def released(batch: Batch) -> set[str]:
    """Return the keys and labels in the first release of a batch: with a number, or as strings anywhere."""
    row = batch.values[0].tolist()
    numbers = {key for key, value in zip(batch.columns, row, strict=True) if not math.isnan(value)}
    if batch.shapes is None or batch.shape_index is None:
        return numbers
    return numbers | strings_of(batch.shapes[batch.shape_index[0]])


def _listed(keys: Sequence[str]) -> str:
    """Return keys as text for a message."""
    more = f" and {len(keys) - LISTED} more" if len(keys) > LISTED else ""
    return ", ".join(keys[:LISTED]) + more


def _format_input(histogram: Mapping[str, int]) -> str:
    """Return the input of a release as text for a message."""
    text = str(dict(histogram))
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}… ({len(histogram)} keys)"


def _error(batch: Batch, row: int) -> str:
    """Return the exception of a release and its place, with the numbers inserted into the message."""
    assert batch.shapes is not None  # noqa: S101 - the caller found the error among them
    assert batch.shape_index is not None  # noqa: S101 - as above
    shape = batch.shapes[int(batch.shape_index[row])]
    words = shape.removeprefix(EXCEPTION_PREFIX).split("#")
    columns = [batch.columns.index(name) for name in (f"!{i}" for i in range(len(words))) if name in batch.columns]
    numbers = [f"{batch.values[row, column]:g}" for column in columns[: len(words) - 1]]
    place = f" at {batch.raised_at[shape]}" if batch.raised_at.get(shape) else ""
    return "".join(word + number for word, number in zip_longest(words, numbers, fillvalue="")) + place


def _table(batches: Sequence[Batch]) -> NDArray[np.float64]:
    """Return the numbers of releases, (batches, releases, columns); the last column is the index of the shape."""
    columns = sorted({column for batch in batches for column in batch.columns})[:MOST_COLUMNS]
    shapes = sorted({shape for batch in batches for shape in batch.shapes or ()})
    table = np.full((len(batches), len(batches[0].values), len(columns) + 1), np.nan)
    for batch, rows in zip(batches, table, strict=True):
        for place, column in enumerate(columns):
            if column in batch.columns:
                rows[:, place] = batch.values[:, batch.columns.index(column)]
        if batch.shapes is not None and batch.shape_index is not None:
            rows[:, -1] = np.array([shapes.index(shape) for shape in batch.shapes])[batch.shape_index]
    return table


def _equal_to(batch: Batch, place: int) -> NDArray[np.bool_]:
    """Return for each release of a batch whether it equals one of them, (n,)."""
    one = batch.values[place]
    same: NDArray[np.bool_] = ((batch.values == one) | (np.isnan(batch.values) & np.isnan(one))).all(axis=1)
    return same if batch.shape_index is None else same & np.equal(batch.shape_index, batch.shape_index[place])


def _same(first: Batch, again: Batch) -> bool:
    if first.columns != again.columns or first.shapes != again.shapes:
        return False
    indices = [batch.shape_index for batch in (first, again) if batch.shape_index is not None]
    same_shapes = len(indices) < 2 or np.array_equal(indices[0], indices[1])
    return same_shapes and bool(np.array_equal(first.values, again.values, equal_nan=True))


def has_last_bits(values: NDArray[np.float64], steps: NDArray[np.float64]) -> bool:
    """Return whether rounding to the steps of the columns may merge numbers, (n, k) and (k,).

    Multiples of a step stay as they are. Decimal numbers twice a step apart stay distinct.
    """
    for column, step in zip(values.T, steps.tolist(), strict=True):
        finite_values = column[np.isfinite(column)] if step else column[:0]
        if (np.round(finite_values / (step or 1.0)) * step != finite_values).any():
            decimals = np.round(finite_values, math.floor(-math.log10(2 * step)))
            if (decimals != finite_values).any():
                return True
    return False
