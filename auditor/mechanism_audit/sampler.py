"""Draws from an audited target, keeps what is noticed beside the outputs, and the pace at which blocks are drawn."""

import json
import math
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

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
from proofs_numeric.statements.neighbours import Neighbours

LOOKS, FEWEST_LOOKS = 16, 4
"""Releases in the first look, and in the next ones where many numbers make a release."""
NUMBERS_IN_LOOK = 2**18
"""Numbers of a look at more than the fewest releases."""
SEEDED = 512
"""Releases of two seeds that are held against each other where fewer were the same."""
LOG_ORDERS = 28.0
"""Natural logarithm of so many orders of the same releases that two seeds do not give one by chance."""
PROBES = (10**2, 10**4, 10**6)
"""Counts at which a target that ignores its generator is looked at again; the last is above any usual threshold."""
PROBE_STEP = 100
"""Times by which each is larger than the one before."""
ASKED = 8
"""Times that an input is given to a target with the keys that it looked up before."""
OTHER_COUNTS = (1, 3, 100)
"""Counts at which keys are tried again that the target raises on."""
GRID = 2.0**-20
"""Share of the standard deviation of released numbers to which they are rounded: far below any event of real numbers,
far above the last bits of doubles."""
LONG = 1.0
"""Seconds of a few releases after which larger counts are not probed: a record for each user is a release of days."""
LOGGING = {"shares": [1.0], "tilts": [[]], "log": True}
"""The plan of a steered generator that logs draws and tilts none."""
RAISED = "raised "
"""How the shape of an exception begins."""
COUNTS = re.compile(r'\{(?:"(?:[^"\\]|\\.)*":#,?)*\}')
"""The shape of numbers by key."""
SLOW = 200.0
"""Releases a second below which a mechanism is called slow."""
SILENT = 1.0
"""Seconds without a release after which it is said that none came."""
PATIENCE = 10.0
"""Seconds of a target that waits that count as one that it computes, its waits for a core left out; within one request
it is given up when the budget is over."""
BATCHES = ((64, 32), (8, 128))
"""Batches and releases in each on which a vectorised target is tested for independence: many small ones, few large."""
FEWEST_BATCHES, SMALLEST_BATCH = 4, 8
NUMBERS_TESTED = 2**22
"""Numbers of one of these tests, beyond which there are fewer batches, and fewer releases in each, down to these."""
DEPENDENCE_ALPHA = 1e-3
"""Level of each of these tests, four at most: a false alarm costs time, since one by one every verdict is as right."""
MOST_COLUMNS = 50
"""Keys of a release that are looked at for independence."""
MOST_LEFT = 256
"""Processes that a target may leave running: one that starts a process for each release is no use to go on with."""
CROWD = ", users of several keys"
"""What ends the name of neighbours as rows that others than the one who differs have several of."""
LISTED = 6
"""Keys in a message."""
SHOWN = 60
"""Characters of an input in a message."""


class DependentError(Exception):
    """Releases that depend on one another even when drawn one by one. Causes: the target keeps what it drew before."""


@dataclass
class Pace:
    """How many blocks each stage of an audit draws: until CPU seconds are spent, or as many as a finished audit drew.

    Seconds decide nothing else, and only between blocks: an audit that is given the numbers of blocks draws the same
    samples at any speed.

    Attributes:
        budget: CPU seconds of the auditor and the target.
        wall: seconds by the clock on the wall; None for no limit. The share of them that is over counts as spent.
        planned: blocks of each stage of the audit that is replayed; None: the budget decides.
        drawn: blocks of each stage so far.
        of_target: CPU seconds of the target so far, with a share of those that it waited.
        computed: those that releases took, without waits.
    """

    budget: float
    planned: tuple[int, ...] | None = None
    wall: float | None = None
    drawn: list[int] = field(default_factory=list)
    of_target: float = 0.0
    computed: float = 0.0
    _started: float = field(default_factory=time.process_time)
    _begun: float = field(default_factory=time.monotonic)

    def clock(self) -> float:
        """Return the CPU seconds that the audit has taken so far; the share of the wall clock's, if it is larger."""
        computed = time.process_time() - self._started + self.of_target
        if self.wall is None or self.planned is not None:
            return computed
        return max(computed, self.budget * (time.monotonic() - self._begun) / self.wall)

    @property
    def waits_share(self) -> float:
        """What a second by the clock counts for: a tenth, or its share of the limit of the clock on the wall."""
        return 1 / PATIENCE if self.wall is None else max(1 / PATIENCE, self.budget / self.wall)

    @property
    def deadline(self) -> float:
        """When the limit of the clock on the wall is reached, by `time.monotonic`; never in a replay."""
        return math.inf if self.wall is None or self.planned is not None else self._begun + self.wall

    def limit(self, ahead: int = 0) -> int | None:
        """Return the blocks of the next stage (or of a later one); None where the budget decides."""
        if self.planned is None:
            return None
        place = len(self.drawn) + ahead
        return self.planned[place] if place < len(self.planned) else 0

    def seconds(self) -> float:
        """Return the CPU seconds left, more than 0."""
        return max(self.budget - self.clock(), 0.01)

    def share_of(self, seconds: float) -> float:
        """Return what so many CPU seconds of a usual audit are in this one, where it has less time."""
        return seconds * min(1.0, self.budget / BUDGET_SECONDS)

    def over(self) -> bool:
        """Return whether there is no time for a further stage."""
        if self.planned is not None:
            return len(self.drawn) >= len(self.planned)
        return self.clock() > self.budget


@dataclass(frozen=True)
class Standing:
    """Where the bets of a stage stand: see `Progress`."""

    samples: int = 0
    log10_wealth: float | None = None
    log10_needed: float | None = None
    power: float | None = None


@dataclass
class Sampler:
    """Draws from the target, and keeps what it noticed."""

    target: Target
    pace: Pace
    mutated: bool = False
    asked: int = 0
    raised: int = 0
    """Releases that were bet on, and those of them that raised."""
    error: str = ""
    """What the target raised last."""
    refused: list[str] = field(default_factory=list)
    """What it raises, given which searched input, of those that it raises on: they were left out."""
    drawn: int = 0
    width: int = 1
    """Most numbers of a release so far."""
    seconds: float = 0.0
    trouble: str = ""
    """What it did after there was a verdict, or of what nothing had been heard for long when the budget was over."""
    only_output: object = None
    constant: bool = True
    keys: tuple[str, ...] = ()
    """Keys that the target knows; none: any will do."""
    looked_up: tuple[str, ...] = ()
    """Keys that it asks its input for, where nobody names those that it knows."""
    rows: bool = False
    """It takes rows of users, not a histogram."""
    yielded: tuple[Neighbours, ...] = ()
    """Neighbours that the user's strategy yields."""
    one_record: bool = False
    """Each record of the data is one user."""
    fixed_keys: bool = False
    """Keys are cells of the user's data, and can have no other names."""
    largest: int = PROBES[-1]
    """Most users of an input that is made up to look for thresholds."""
    values: tuple[float, float] = (1.0, 1.0)
    """Ends of the values that rows have; those that are made up have the last, which is further from 0."""
    grid: dict[str, float] = field(default_factory=dict)
    """Step to which the numbers of each column are rounded before they are bet on; 0 where they are not."""
    exact: bool = False
    """Whether numbers are bet on as they are."""
    foreign: bool = False
    """Something was released that is no count of a key of its input."""
    steered_seconds: float = 0.0
    """CPU seconds of a steered release, as the last batch had them."""
    moved: bool = False
    """Neighbours have given different releases with the same randomness, or their randomness cannot be replayed."""
    ignores_rng: bool = False
    draws_elsewhere: bool = False
    """It draws from generators that are stood in for while it is steered."""
    watch: Callable[[Progress], object] | None = None
    """Told of each batch."""
    stage: str = "looking at it"
    standing: Standing | None = None
    _patience: float = 0.0
    """Seconds that the target may still take, its waits for a core left out."""

    def __post_init__(self) -> None:
        """Set the time after which a target that waits is given up."""
        self.target.deadline = self.pace.deadline
        self._patience = math.inf if self.pace.planned is not None else PATIENCE * self.pace.budget

    @property
    def sees_draws(self) -> bool:
        """Whether draws can be logged and tilted."""
        return self.target.steerable and (self.draws_elsewhere or not self.ignores_rng)

    @property
    def speed(self) -> float:
        """Releases a second so far, of the target's own time."""
        return self.drawn / max(self.seconds, 1e-9)

    @property
    def release_seconds(self) -> float:
        """CPU seconds of a release so far; 0 before any."""
        return self.pace.computed / max(1, self.drawn)

    @property
    def expected_seconds(self) -> float:
        """Seconds of the pace that a release takes, with a share of those that it waits."""
        return max(self.release_seconds, self.seconds / max(1, self.drawn) * self.pace.waits_share)

    @property
    def looks(self) -> int:
        """Releases in a look: fewer of wide ones."""
        return min(LOOKS, max(FEWEST_LOOKS, NUMBERS_IN_LOOK // self.width))

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
        """Return `n` releases, steered where there is a plan, and keep the notes.

        Errors:
            MisbehavedError: the target hangs, dies, or returns no JSON value; told with the input.
            BudgetSpentError: the target waited until the budget was over.
        """
        given = as_rows(histogram, histogram, self.values[1])[0] if self._needs_rows(histogram) else histogram
        try:
            rows = given.rows if isinstance(given, Rows) else given
            batch = self.target.sample(rows, n, seed, path, self._patience, plan, listen=listen)
        except MisbehavedError as error:
            detail = f"{error.what.detail}, given {_shown(histogram)}"
            raise MisbehavedError(replace(error.what, detail=detail)) from None
        except BudgetSpentError as error:
            self._patience = 0.0
            if error.silent > SILENT:
                self.trouble = f"gave no sign of life for {error.silent:.1f} s, given {_shown(histogram)}"
            raise
        if (running := self.target.left_running) > MOST_LEFT:
            detail = f"leaves processes running that it has started, {running} so far, more than {MOST_LEFT}"
            raise MisbehavedError(Misbehaved("leaves processes", f"{detail}; wait for each of them"))
        self.foreign = (
            self.foreign
            or any(column not in histogram for column in batch.columns)
            or any(not COUNTS.fullmatch(shape) for shape in batch.shapes or () if not shape.startswith(RAISED))
        )
        self.width = max(self.width, len(batch.columns))
        self.mutated |= batch.mutated
        self._patience -= batch.seconds
        self.pace.of_target += max(batch.cpu_seconds, batch.seconds / PATIENCE)  # one that waits is not for nothing
        if plan is not None:
            self.steered_seconds = batch.cpu_seconds / n
        else:
            self.drawn += n
            self.pace.computed += batch.cpu_seconds
            self.seconds += batch.seconds
            self._compare(batch)
        if self.watch is not None:
            bets = self.standing or Standing()
            self.watch(
                Progress(
                    self.stage, self.drawn, self.speed, bets.samples, bets.log10_wealth, bets.log10_needed,
                    bets.power, self.pace.clock(), self.pace.budget,
                )
            )  # fmt: skip
        return batch

    def survey(self, inputs: Sequence[Mapping[str, int]], n: int, seed: int, seconds: float) -> Survey:
        """Return `n` releases of each data set with the same generator, of those that `seconds` suffice for.

        Errors:
            MisbehavedError, BudgetSpentError: as of `batch`.
        """
        given = [as_rows(one, one, self.values[1])[0] if self._needs_rows(one) else one for one in inputs]
        raw = [one.rows if isinstance(one, Rows) else one for one in given]
        try:
            clock = seconds / self.pace.waits_share
            survey = self.target.survey(raw, n, seed, seconds, self._patience, clock=clock, cover=True)
        except BudgetSpentError:
            self._patience = 0.0
            raise
        batch = survey.batch
        self.raises(batch)  # remembers the exception
        self._patience -= batch.seconds
        self.pace.of_target += max(batch.cpu_seconds, batch.seconds / PATIENCE)
        return survey

    def slow_at_the_next(self, batch: Batch) -> bool:
        """Return whether a few releases at the next of `PROBES` take longer than `LONG`: rows grow with the count."""
        return batch.seconds * (PROBE_STEP if self.rows else 1) > LONG

    def _needs_rows(self, histogram: Mapping[str, int]) -> bool:
        return self.rows and not isinstance(histogram, Rows)

    @contextmanager
    def doing(self, stage: str) -> Iterator[None]:
        """Name what the releases are drawn for, for whoever watches."""
        before, self.stage, self.standing = self.stage, stage, None
        try:
            yield
        finally:
            self.stage, self.standing = before, None

    def formed(self, pair: Neighbours, each: int = 1) -> Neighbours:
        """Return the pair as the target takes it; of rows with users of up to `each` keys."""
        if not self.rows or isinstance(pair.left, Rows):
            return pair
        name = pair.id.removesuffix(CROWD) + (CROWD if each > 1 else "")
        return Neighbours(name, *as_rows(pair.left, pair.right, self.values[1], each), pair.description)

    def raises(self, batch: Batch) -> int:
        """Return how many releases of a batch raised, and remember what."""
        if batch.shapes is None or batch.shape_index is None:
            return 0
        errors = [i for i, shape in enumerate(batch.shapes) if shape.startswith(RAISED)]
        rows = np.flatnonzero(np.isin(batch.shape_index, errors))
        if rows.size:
            self.error = _error(batch, int(rows[-1]))
        return int(rows.size)

    @property
    def first_key(self) -> str:
        """A key that the target knows, as far as anybody can tell."""
        return (*self.keys, *self.looked_up, "k0")[0]

    def named(self, pair: Neighbours) -> Neighbours | None:
        """Return the pair with keys that the target knows; None where there are too few.

        With keys that were only looked up, others follow: it may take any.
        """
        if self.keys:
            return pair.named(self.keys)
        own = sorted({*pair.left, *pair.right} - {*self.looked_up})
        return pair.named((*self.looked_up, *own)) if self.looked_up else pair

    def listen(self, seed: int) -> list[str]:
        """Keep the keys that the target asks its input for, until it asks for no others; return a note of them."""
        for _ in range(ASKED):
            given = dict.fromkeys(self.looked_up or (self.first_key,), 2)
            batch = self.batch(given, LOOKS, seed, listen=True)
            if not batch.looked_up:
                break
            self.looked_up = (*self.looked_up, *batch.looked_up)
        if not self.looked_up:
            return []
        return [f"asks its input for {_listed(self.looked_up)}: searched neighbours have these keys"]

    def compared(self, pair: Neighbours, seed: int) -> tuple[Batch, Batch]:
        """Return a few releases of both neighbours with the same randomness, and note whether they differ."""
        looks = self.looks
        first, last = (self.batch(histogram, looks, seed) for histogram in (pair.left, pair.right))
        self.moved = self.moved or not _same(first, last)
        return first, last

    def accepts(self, pair: Neighbours, seed: int) -> bool:
        """Return whether the target takes both neighbours, and note whether the same randomness tells them apart.

        Keys that it raises on whatever their counts are none of its keys, and one that always raises on the empty input
        takes none: what it refuses says nothing about what it takes. An exception that depends on counts, or on chance,
        is one of its outputs.
        """
        try:
            batches = self.compared(pair, seed)
        except MisbehavedError as error:
            if error.what.name != RELEASE_MANY_RAISES:
                raise
            self.error = error.what.detail
            self.refused.append(f"{error.what.detail}, given {_shown(pair.left)}")
            return False
        before = len(self.refused)
        for histogram, batch in zip((pair.left, pair.right), batches, strict=True):
            if self.raises(batch) == len(batch.values):
                said = f"{self.error}, given {_shown(histogram)}"
                if not histogram or self._refuses_keys(histogram, seed):
                    self.refused.append(said)
        return len(self.refused) == before

    def _refuses_keys(self, histogram: Mapping[str, int], seed: int) -> bool:
        others = (dict.fromkeys(histogram, count) for count in OTHER_COUNTS)
        looks = self.looks
        return all(self.raises(self.batch(other, looks, seed)) == looks for other in others)

    def _compare(self, batch: Batch) -> None:
        """Remember whether any two outputs, of whatever input, have ever differed."""
        if not self.constant:
            return
        first = batch.values[0]
        same = (batch.values == first) | (np.isnan(batch.values) & np.isnan(first))
        shape = ""
        if batch.shapes is not None and batch.shape_index is not None:
            shape = batch.shapes[batch.shape_index[0]]
            same = same & (batch.shape_index == batch.shape_index[0])[:, None]
        found = dict(zip(batch.columns, first.tolist(), strict=True))
        output = shape, {key: value for key, value in found.items() if not math.isnan(value)}
        self.only_output = output if self.only_output is None else self.only_output
        self.constant = bool(same.all()) and output == self.only_output

    def __call__(self, pair: Neighbours, side: Side, n: int, rng: np.random.Generator) -> Sample:
        """Return the sample of a block, by the seed path of its generator."""
        seeds = rng.bit_generator.seed_seq
        assert isinstance(seeds, np.random.SeedSequence)  # noqa: S101 - block generators are made from one
        histogram = pair.left if side is Side.LEFT else pair.right
        batch = self.batch(histogram, n, int(seeds.entropy), seeds.spawn_key)  # type: ignore[arg-type]
        self.asked, self.raised = self.asked + n, self.raised + self.raises(batch)
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
            rounded = np.round(batch.values / used) * used
        return np.where((steps > 0) & np.isfinite(rounded), rounded, batch.values)

    def _set_grid(self, batch: Batch) -> None:
        """Set the grid of columns that have none: a power of two, `GRID` times the standard deviation or less."""
        if len(batch.values) < FEWEST_LOOKS:
            return
        for column, values in zip(batch.columns, batch.values.T, strict=True):
            if column not in self.grid:
                known = values[~np.isnan(values)]
                spread = float(known.std()) if len(known) >= FEWEST_LOOKS else 0.0
                fractions = bool((known != np.round(known)).any())
                self.grid[column] = 2.0 ** math.floor(math.log2(GRID * spread)) if spread > 0 and fractions else 0.0

    def look(self, histogram: Mapping[str, int], seed: int) -> list[str]:
        """Return one-line notes about determinism, input and failures, from a few releases.

        Errors:
            MisbehavedError: every release raises: there is nothing to audit.
        """
        looked_at, looks = histogram, self.looks
        first, again = (self.batch(histogram, looks, seed) for _ in range(2))
        ignored, same = not (first.rng_used or again.rng_used), _same(first, again)
        raised = self.raises(first) == looks
        probes = (count for count in (1, *PROBES) if count * len(histogram) <= self.largest)
        for count in probes if ignored else ():  # perhaps because every count is on one side of a threshold
            looked_at = dict.fromkeys(histogram, count)
            first, again = (self.batch(looked_at, looks, seed) for _ in range(2))
            ignored, same = not (first.rng_used or again.rng_used), same and _same(first, again)
            raised = raised and self.raises(first) == looks
            if not ignored or max(first.seconds, again.seconds) > LONG:
                break
        ignored = ignored and not raised  # what raises at once has had no time to draw
        if same and _same(first, self.batch(histogram, looks, seed + 1)):
            self._check_seeds(histogram, seed)
        self.moved = self.moved or ignored or not same  # nobody can tell what the same randomness would have done
        self.ignores_rng = ignored
        if ignored and self.target.steerable:
            self.draws_elsewhere = self.batch(looked_at, 1, seed, plan=LOGGING).rng_used
        notes = []
        if ignored:
            how = f"its first {looks} releases were the same" if same else "its randomness cannot be replayed"
            notes.append(f"ignores its rng: {how}")
        elif not same:
            notes.append("is not deterministic given its rng: the same seed gave different releases")
        if not (self.target.steerable or self.target.command):
            notes.append("its rng is a random.Random: its interpreter has no NumPy")
        return notes

    def check_batches(self, histogram: Mapping[str, int], seed: int) -> list[str]:
        """Return a note where releases that are drawn together depend on one another; then they are drawn one by one.

        Private is each release of a batch, and every test here rests on independent ones: a batch that shares a draw
        would be refuted without being wrong.

        Errors:
            DependentError: they depend on one another when drawn one by one as well.
        """
        if not self.target.vectorised or self.independent(histogram, seed):
            return []
        self.target.singly = True
        if not self.independent(histogram, seed):
            raise DependentError
        alarms = f"{2 * len(BATCHES) * DEPENDENCE_ALPHA:g}"
        tested = f"what release_many draws together is not independent (tested with false alarms of {alarms} at most)"
        return [f"cannot be audited in batches: {tested}; drawn one by one instead"]

    def independent(self, histogram: Mapping[str, int], seed: int) -> bool:
        """Return whether no test sees releases of one batch, or of one batch and the next, depend on one another.

        Where the input gives one outcome only, larger counts are looked at.
        """
        for place, given in enumerate((histogram, dict.fromkeys(histogram, PROBES[1]))):
            told = False
            for design, (batches, size) in enumerate(map(self._fitting, BATCHES)):
                try:
                    drawn = [self.batch(given, size, seed, (place, design, k)) for k in range(batches)]
                except MisbehavedError as error:
                    if place == 0 or error.what.name != RELEASE_MANY_RAISES:
                        raise
                    return True
                values = _table(drawn)
                told = told or bool(
                    (np.nan_to_num(values, nan=-np.inf) != np.nan_to_num(values[0, 0], nan=-np.inf)).any()
                )
                if (
                    permutation_p_value(values, block_generator(seed, "independence", place, design))
                    <= DEPENDENCE_ALPHA
                ):
                    return False
            if told:
                return True
        return True

    def _fitting(self, design: tuple[int, int]) -> tuple[int, int]:
        """Return as many batches and releases in each as a test of so wide releases may draw."""
        share = min(1.0, math.sqrt(NUMBERS_TESTED / (math.prod(design) * self.width)))
        return max(FEWEST_BATCHES, int(share * design[0])), max(SMALLEST_BATCH, int(share * design[1]))

    def _check_seeds(self, histogram: Mapping[str, int], seed: int) -> None:
        """Refuse a target whose releases come in the same order whatever the seed: requests repeat one sample.

        Of independent releases every order is as likely.
        """
        first, other = (self.batch(histogram, SEEDED, seed + more) for more in range(2))
        index = np.zeros(SEEDED) if first.shape_index is None else first.shape_index
        _, counts = np.unique(np.column_stack([index, np.nan_to_num(first.values)]), axis=0, return_counts=True)
        orders = math.lgamma(SEEDED + 1) - sum(math.lgamma(count + 1) for count in counts.tolist())
        if _same(first, other) and orders > LOG_ORDERS:
            detail = f"gives the same releases whatever its seed: requests repeat one sample, given {_shown(histogram)}"
            raise MisbehavedError(Misbehaved("repeats itself", detail))

    def notes(self, *, many: bool) -> list[str]:
        """Return the notes of the whole audit; `many`: it rests on many releases, so their speed matters."""
        notes = []
        if self.mutated:
            notes.append("mutates its input: each release was given a fresh copy")
        if 0 < self.raised < self.asked:
            notes.append(
                f"is random in its failure or fails on some inputs: {self.raised} of {self.asked} releases raised"
            )
        if self.refused:
            notes.append(
                f"refuses {len(self.refused)} of the inputs that were thought of, which were left out: raises "
                f"{self.refused[0]}; --keys names the keys that it takes"
            )
        if self.drawn and self.constant:
            notes.append("is constant: every release of every input it was given was the same")
        if (running := self.target.left_running) > 0:
            notes.append(f"leaves processes running that it has started, {running} at the end: they were ended with it")
        notes += self.console()
        if self.trouble:
            notes.append(self.trouble)
        if many and self.seconds > 0.1 and self.speed < SLOW:
            more = "" if self.target.jobs or self.target.vectorised else "; with --jobs N processes draw"
            notes.append(f"is slow: {self.speed:.3g} releases a second; a small budget detects little{more}")
        return notes

    def console(self) -> list[str]:
        """Return the note of what the target writes to standard output; none where it writes nothing."""
        told = f"{printing(self.target.printed)}: what is printed is no part of its releases, and not audited"
        return [told] if self.target.printed else []

    def nothing_seen(self) -> str | None:
        """Return why the releases are no audit, whatever they show; None where they are one."""
        remedy = "name the keys that it knows with --keys, or give neighbours with --pair"
        if self.asked and self.raised > self.asked / 2:
            every = "every release" if self.raised == self.asked else f"{self.raised} of {self.asked} releases"
            if self.rows:
                form = "rows of (user, partition, value)" if self.target.form is None else self.target.form["kind"]
                remedy = f"it is given its input as {form}; --input names another form"
            elif not self.keys:
                remedy += ", or, where it takes rows, --dataset with columns user, partition and value"
            return f"{every} raised ({self.error}): there is too little to see; {remedy}"
        if self.drawn and self.constant:
            what = "nothing was released" if self.released_nothing else "only one outcome was ever seen"
            return f"{what}: every release of every input tried was the same; {remedy}"
        if not self.moved:
            return (
                "its input seems to be ignored: with the same randomness both neighbours of every pair tried gave the "
                f"same releases; {remedy}"
            )
        return None

    @property
    def released_nothing(self) -> bool:
        """Whether every release so far was empty."""
        return self.only_output in [("", {}), ("{}", {})]


def has_key(batch: Batch, keys: Sequence[str], *, within: bool = False) -> NDArray[np.bool_]:
    """Return for each release whether it holds one of the keys anywhere, (n,); an exception holds none.

    Args:
        batch: the releases.
        keys: to look for.
        within: whether a longer text holds a key too: of names that are part of no other.
    """
    if batch.shapes is None or batch.shape_index is None:
        columns = [place for place, column in enumerate(batch.columns) if column in keys]
        return np.asarray((~np.isnan(batch.values[:, columns])).any(axis=1))
    texts = keys if within else [json.dumps(key) for key in keys]
    holds = [not shape.startswith(RAISED) and any(text in shape for text in texts) for shape in batch.shapes]
    return np.array(holds, dtype=bool)[batch.shape_index]


_STRING = re.compile(r'"(?:[^"\\]|\\.)*"(?!:null)')


def strings_of(shape: str) -> set[str]:
    """Return the keys and labels that a release holds anywhere; none of an exception, no key of null."""
    return set() if shape.startswith(RAISED) else {json.loads(text) for text in _STRING.findall(shape)}


def releases_key(batch: Batch, key: str) -> NDArray[np.bool_]:
    """Return for each release whether it releases the key, (n,): with a number, or as a string anywhere."""
    columns = [place for place, column in enumerate(batch.columns) if column == key]
    found = (~np.isnan(batch.values[:, columns])).any(axis=1)
    if batch.shapes is None or batch.shape_index is None:
        return np.asarray(found)
    return np.asarray(found | np.array([key in strings_of(shape) for shape in batch.shapes])[batch.shape_index])


def released(batch: Batch) -> set[str]:
    """Return the keys and labels that the first release of a batch releases: with a number, or as strings anywhere."""
    row = batch.values[0].tolist()
    numbers = {key for key, value in zip(batch.columns, row, strict=True) if not math.isnan(value)}
    if batch.shapes is None or batch.shape_index is None:
        return numbers
    return numbers | strings_of(batch.shapes[batch.shape_index[0]])


def _listed(keys: Sequence[str]) -> str:
    """Keys in a message."""
    more = f" and {len(keys) - LISTED} more" if len(keys) > LISTED else ""
    return ", ".join(keys[:LISTED]) + more


def _shown(histogram: Mapping[str, int]) -> str:
    """The input of a release in a message."""
    text = str(dict(histogram))
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}… ({len(histogram)} keys)"


def _error(batch: Batch, row: int) -> str:
    """The error of a release, with the numbers of its message in their places."""
    assert batch.shapes is not None  # noqa: S101 - the caller found the error among them
    assert batch.shape_index is not None  # noqa: S101 - as above
    words = batch.shapes[int(batch.shape_index[row])].removeprefix(RAISED).split("#")
    columns = [batch.columns.index(name) for name in (f"!{i}" for i in range(len(words))) if name in batch.columns]
    numbers = [f"{batch.values[row, column]:g}" for column in columns[: len(words) - 1]]
    return "".join(word + number for word, number in zip_longest(words, numbers, fillvalue=""))


def _table(batches: Sequence[Batch]) -> NDArray[np.float64]:
    """Numbers of releases, (batches, releases, columns): what a release is besides its numbers is one of them."""
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


def _same(first: Batch, again: Batch) -> bool:
    if first.columns != again.columns or first.shapes != again.shapes:
        return False
    indices = [batch.shape_index for batch in (first, again) if batch.shape_index is not None]
    same_shapes = len(indices) < 2 or np.array_equal(indices[0], indices[1])
    return same_shapes and bool(np.array_equal(first.values, again.values, equal_nan=True))
