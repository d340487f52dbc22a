"""Draws from an audited target, keeps what is noticed beside the outputs, and the pace at which blocks are drawn."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np

from auditor.statistics.pair_audit import Side
from auditor.statistics.sample import Sample
from auditor.target.target import BudgetSpentError, MisbehavedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from auditor.target.target import Batch, Target
    from proofs_numeric.statements.neighbours import Neighbours

LOOKS = 16
"""Releases in the first look."""
LARGE = 10**6
"""A count above any threshold that one would choose."""
RAISED = "raised "
"""How the shape of an exception begins."""
SLOW = 200.0
"""Releases a second below which a mechanism is called slow."""
SILENT = 1.0
"""Seconds without a release after which it is said that none came; more, where more of the budget may be overrun."""
SHOWN = 60
"""Characters of an input in a message."""


@dataclass
class Pace:
    """How many blocks each stage of an audit draws: until a deadline, or as many as a finished audit drew.

    The clock decides nothing else, and only between blocks: an audit that is given the numbers of blocks draws the same
    samples at any speed.

    Attributes:
        deadline: monotonic time at which to stop; infinite in a replay.
        planned: blocks of each stage of the audit that is replayed; None: the clock decides.
        drawn: blocks of each stage so far.

    """

    deadline: float
    planned: tuple[int, ...] | None = None
    drawn: list[int] = field(default_factory=list)

    def limit(self, ahead: int = 0) -> int | None:
        """Return the blocks of the next stage (or of a later one); None where the clock decides."""
        if self.planned is None:
            return None
        place = len(self.drawn) + ahead
        return self.planned[place] if place < len(self.planned) else 0

    def seconds(self) -> float:
        """Return the time left, more than 0."""
        return max(self.deadline - time.monotonic(), 0.01)

    def over(self) -> bool:
        """Return whether there is no time for a further stage."""
        if self.planned is not None:
            return len(self.drawn) >= len(self.planned)
        return time.monotonic() > self.deadline


@dataclass
class Sampler:
    """Draws from the target, and keeps what it noticed."""

    target: Target
    pace: Pace
    grace: float = 0.0
    mutated: bool = False
    raised: int = 0
    error: str = ""
    """What the target raised last."""
    drawn: int = 0
    seconds: float = 0.0
    trouble: str = ""
    """What it did after there was a verdict, or of what nothing had been heard for long when the budget was over."""
    alive: bool = False
    """It gave releases in a batch that the budget cut short."""
    only_output: object = None
    constant: bool = True

    @property
    def speed(self) -> float:
        """Releases a second so far, of the target's own time."""
        return self.drawn / max(self.seconds, 1e-9)

    def batch(self, histogram: Mapping[str, int], n: int, seed: int, path: Sequence[int] = ()) -> Batch:
        """Return `n` releases and keep the notes.

        Errors:
            MisbehavedError: the target hangs, dies, or returns no JSON value; told with the input.
            BudgetSpentError: the deadline passed first.

        """
        try:
            batch = self.target.sample(histogram, n, seed, path, self.pace.deadline + self.grace)
        except MisbehavedError as error:
            detail = f"{error.what.detail}, given {_shown(histogram)}"
            raise MisbehavedError(replace(error.what, detail=detail)) from None
        except BudgetSpentError as error:
            self.alive |= error.alive
            if error.silent > max(SILENT, self.grace):
                self.trouble = f"gave no sign of life for {error.silent:.1f} s, given {_shown(histogram)}"
            raise
        self.mutated |= batch.mutated
        self.drawn += n
        self.seconds += batch.seconds
        self._compare(batch)
        if batch.shapes is not None and batch.shape_index is not None:
            errors = [i for i, shape in enumerate(batch.shapes) if shape.startswith(RAISED)]
            rows = np.flatnonzero(np.isin(batch.shape_index, errors))
            if rows.size:
                self.raised += rows.size
                self.error = _error(batch, int(rows[-1]))
        return batch

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
        return Sample(batch.columns, batch.values, batch.shapes, batch.shape_index)

    def look(self, histogram: Mapping[str, int], seed: int) -> list[str]:
        """Return one-line notes about determinism, input and failures, from a few releases.

        Errors:
            MisbehavedError: every release raises: there is nothing to audit.

        """
        first, again = (self.batch(histogram, LOOKS, seed) for _ in range(2))
        ignored, same = not first.rng_used, _same(first, again)
        if ignored:  # perhaps because every count is below a threshold: look where none is
            large = dict.fromkeys(histogram or ("k0",), LARGE)
            first, again = (self.batch(large, LOOKS, seed) for _ in range(2))
            ignored, same = not first.rng_used, same and _same(first, again)
        notes = []
        if ignored:
            how = f"its first {LOOKS} releases were the same" if same else "its randomness cannot be replayed"
            notes.append(f"ignores its rng: {how}")
        elif not same:
            notes.append("is not deterministic given its rng: the same seed gave different releases")
        return notes

    def notes(self, *, many: bool) -> list[str]:
        """Return the notes of the whole audit; `many`: it rests on many releases, so their speed matters."""
        notes = []
        if self.mutated:
            notes.append("mutates its input: each release was given a fresh copy")
        if 0 < self.raised < self.drawn:
            notes.append(
                f"is random in its failure or fails on some inputs: {self.raised} of {self.drawn} releases raised"
            )
        if self.drawn and self.constant:
            notes.append("is constant: every release of every input it was given was the same")
        if self.trouble:
            notes.append(self.trouble)
        if many and self.seconds > 0.1 and self.speed < SLOW:
            notes.append(f"is slow: {self.speed:.3g} releases a second; a small budget detects little")
        return notes


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


def _same(first: Batch, again: Batch) -> bool:
    if first.columns != again.columns or first.shapes != again.shapes:
        return False
    indices = [batch.shape_index for batch in (first, again) if batch.shape_index is not None]
    same_shapes = len(indices) < 2 or np.array_equal(indices[0], indices[1])
    return same_shapes and bool(np.array_equal(first.values, again.values, equal_nan=True))
