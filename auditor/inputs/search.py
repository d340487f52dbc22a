"""Search of neighbouring pairs for a mechanism: it ranks a catalogue, then drawn pairs.

The search keeps the best pairs of different families. It keeps pairs beyond the user's data and declarations apart, one
of each kind.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol

from auditor.inputs.candidates import Candidate
from auditor.inputs.data import OTHER_USER, Rows
from auditor.inputs.ranking import Coupled, raises
from auditor.inputs.values import FINITE
from auditor.target.target import MisbehavedError, Step, Survey
from auditor.target.worker import EXCEPTION_PREFIX

FIRST_RELEASES, SECOND_RELEASES = 8, 64
"""Releases per dataset of the first ranking, and of the second ranking of the best pairs."""
CONTENDERS = 24
"""Number of pairs of the second ranking, besides the best two of each family."""
BEST_PAIRS = 3
"""Number of pairs that are kept, besides the best of each family."""
SMALLEST_CHUNK, LARGEST_CHUNK = 2, 64
"""Smallest and largest number of pairs in one round trip: few until the speed of the target is known."""
MOST_ROWS = 20_000
"""Largest number of rows in one round trip."""


Side = Mapping[str, int] | str
"""Identity of a dataset: the rows themselves, or a histogram as text."""


class Surveyor(Protocol):
    """Source of a few releases of each of many datasets, with equal generators."""

    def survey(self, inputs: Sequence[Mapping[str, int]], n: int, seed: int, seconds: float) -> Survey:
        """Return `n` releases of each dataset, of as many datasets as `seconds` of CPU allow."""


@dataclass(frozen=True)
class EstimatedPair:
    """A pair and its estimated privacy loss."""

    candidate: Candidate
    loss: float


@dataclass
class Search:
    """A search of pairs.

    Attributes:
        surveyor: source of the releases.
        seed: seed of all draws.
        clock: returns the CPU seconds so far.
        until: time of the clock at which this stage ends.
        limit: number of pairs to rank in this stage of a replay; None: the clock decides.
        count: number of pairs ranked in this stage.
        estimates: pairs with their estimated loss, within and beyond the data and the declarations.
        steps: steps between lines of the target's own source that any dataset ran.
        reached: datasets that ran new steps.
        second: releases per dataset of the second ranking; 0: there is none.
        order: of the norm by which the estimated losses of several numbers add.
        release_seconds: time of a release by the clock; a pair that would exceed the time is not begun.
        refused_pairs: pairs with a side whose every release raised: both sides alike, or a side that is empty, that is
            beyond the data by more than a finite value, or that has the invented user if the target never accepts that
            user.
        raising_pairs: other pairs with a side whose every release raised.
        preconditions: property beyond the data on which alone the target raises -> exception and remedy.
        takes_others: whether the target gave an output for a dataset with the invented user.
    """

    surveyor: Surveyor
    seed: int
    clock: Callable[[], float]
    until: float = 0.0
    limit: int | None = None
    count: int = 0
    estimates: list[EstimatedPair] = field(default_factory=list)
    steps: set[Step] = field(default_factory=set)
    reached: list[Mapping[str, int]] = field(default_factory=list)
    refused_pairs: list[Candidate] = field(default_factory=list)
    raising_pairs: list[Candidate] = field(default_factory=list)
    preconditions: dict[str, tuple[str, str]] = field(default_factory=dict)
    takes_others: bool = False
    second: int = SECOND_RELEASES
    order: int = 1
    release_seconds: float = 0.0

    @property
    def over(self) -> bool:
        """Return whether the stage is over."""
        if self.limit is not None:
            return self.count >= self.limit
        return self.clock() + 2 * FIRST_RELEASES * self.release_seconds >= self.until

    def rank(self, candidates: Iterable[Candidate]) -> None:
        """Estimate the loss of pairs until the time is over."""
        rest, size = iter(candidates), SMALLEST_CHUNK
        while not self.over and (chunk := [*islice(rest, self._room(size))]):
            self.estimates += self._estimated(chunk, FIRST_RELEASES, self.seed)
            size = min(LARGEST_CHUNK, 2 * size)

    def leave_out_above(self, users: int) -> None:
        """Leave out pairs and datasets of more users, which break a precondition of the target."""
        self.estimates = [
            one for one in self.estimates if all(sum(side.values()) <= users for side in _sides(one.candidate))
        ]
        self.reached = [side for side in self.reached if sum(side.values()) <= users]

    def best(self) -> list[EstimatedPair]:
        """Return the best pairs within the data and the declarations, of all and of each family, ranked twice."""
        contenders = self.contenders()
        again = self.estimate_again([one.candidate for one in contenders]) if self.second else contenders
        return [
            *{one.candidate.pair.id: one for one in (*again[:BEST_PAIRS], *_of_families(again, len(again), 1))}.values()
        ]

    def best_beyond(self) -> list[EstimatedPair]:
        """Return the best pair of each kind beyond the data and the declarations, the fewest users among equals."""
        beyond = (one for one in self.estimates if one.candidate.beyond)
        first = sorted(beyond, key=lambda one: (-round(one.loss, 1), sum(one.candidate.pair.left.values())))
        return _of_families(first, len(first), 1)

    def estimate_again(self, candidates: Sequence[Candidate]) -> list[EstimatedPair]:
        """Return the pairs with estimates from more and other draws, the largest first."""
        again = self._estimated(candidates, self.second, self.seed + 1) if self.second else []
        return sorted(again, key=lambda one: -one.loss)

    def contenders(self) -> list[EstimatedPair]:
        """Return the best pairs within the data and the declarations: the best, and the best two of each family."""
        first = sorted((one for one in self.estimates if not one.candidate.beyond), key=lambda one: -one.loss)
        best = (*_of_families(first, len(first), 2), *first[:CONTENDERS])
        return [*{one.candidate.pair.id: one for one in best}.values()]

    def _room(self, size: int) -> int:
        return size if self.limit is None else min(size, self.limit - self.count)

    def _estimated(self, candidates: Sequence[Candidate], n: int, seed: int) -> list[EstimatedPair]:
        """Return the pairs with their estimates; pairs that the target refuses or that took too long are left out."""
        pairs: list[EstimatedPair] = []
        for chunk in _chunks(candidates):
            inputs = {_identity(side): side for one in chunk for side in (one.pair.left, one.pair.right)}
            try:
                survey = self._survey([*inputs.values()], n, seed)
                self._record(chunk, inputs, survey)
            except MisbehavedError:
                if len(chunk) > 1:
                    pairs += [one for alone in chunk for one in self._estimated([alone], n, seed)]
                    continue
                if not chunk[0].beyond:
                    raise
                self.refused_pairs += chunk
                self.count += seed == self.seed
                continue
            places = {side: place for place, side in enumerate(inputs)}
            estimates = [self._estimate_of(one, survey, places) for one in chunk]
            self.count += seed == self.seed and len(estimates)
            pairs += [one for one in estimates if one is not None]
            if len(survey) < len(inputs):
                break
        return pairs

    def _survey(self, inputs: list[Mapping[str, int]], n: int, seed: int) -> Survey:
        """Return releases of datasets."""
        limited = seed == self.seed and self.limit is None
        return self.surveyor.survey(inputs, n, seed, max(0.05, self.until - self.clock()) if limited else math.inf)

    def _record(self, chunk: Sequence[Candidate], inputs: Mapping[Side, Mapping[str, int]], survey: Survey) -> None:
        """Record the datasets within the declarations that ran new lines, and whether invented users are accepted."""
        within = {_identity(side) for one in chunk if not one.beyond for side in _sides(one)}
        for (name, side), steps in zip(inputs.items(), survey.steps, strict=False):
            if name in within and not self.steps.issuperset(steps):
                self.reached.append(side)
            self.steps.update(steps)
        self.takes_others = self.takes_others or any(
            has_other(side) and not raises(survey, place)
            for place, side in enumerate([*inputs.values()][: len(survey)])
        )

    def _estimate_of(self, candidate: Candidate, survey: Survey, places: Mapping[Side, int]) -> EstimatedPair | None:
        """Return a pair with its estimate; None if the target refuses it or a side took too long."""
        left, right = (places[_identity(side)] for side in (candidate.pair.left, candidate.pair.right))
        if max(left, right) >= len(survey):
            return None
        coupled = Coupled(survey, left, right)
        loss, failures = coupled.loss(self.order), coupled.raises
        empty = any(failed and not side for failed, side in zip(failures, _sides(candidate), strict=True))
        unknown = not self.takes_others and any(map(has_other, _sides(candidate)))
        outside = bool(candidate.beyond) and candidate.family != FINITE
        refuses = empty or (any(failures) and (outside or unknown))
        if outside and any(failures) and not (all(failures) or empty or unknown):
            shape = survey.shapes(left if failures[0] else right)[0]
            error, place = shape.removeprefix(EXCEPTION_PREFIX).partition(":")[0], survey.batch.raised_at.get(shape)
            error += f" at {place}" if place else ""
            self.preconditions.setdefault(candidate.beyond, (error, candidate.remedy))
        if refuses or (all(failures) and not loss):
            self.refused_pairs.append(candidate)
            return None
        self.raising_pairs += [candidate] if any(failures) else []
        return EstimatedPair(candidate, loss)


def _identity(side: Mapping[str, int]) -> Side:
    return side if isinstance(side, Rows) else repr(side)


def has_other(side: Mapping[str, int]) -> bool:
    """Return whether a dataset has the user that the audit invented."""
    return isinstance(side, Rows) and OTHER_USER in side.shares


def _sides(candidate: Candidate) -> tuple[Mapping[str, int], Mapping[str, int]]:
    return candidate.pair.left, candidate.pair.right


def _chunks(candidates: Sequence[Candidate]) -> Iterator[list[Candidate]]:
    """Yield the pairs in order, in lists of at most `MOST_ROWS` rows."""
    chunk: list[Candidate] = []
    rows = 0
    for candidate in candidates:
        size = sum(len(side.rows) for side in (candidate.pair.left, candidate.pair.right) if isinstance(side, Rows))
        if chunk and rows + size > MOST_ROWS:
            yield chunk
            chunk, rows = [], 0
        chunk.append(candidate)
        rows += size
    if chunk:
        yield chunk


def _of_families(estimates: Sequence[EstimatedPair], most: int, of_family: int) -> list[EstimatedPair]:
    """Return the first `most` pairs, at most `of_family` of each family."""
    taken: dict[str, int] = {}
    pairs: list[EstimatedPair] = []
    for one in estimates:
        family = one.candidate.family
        if taken.get(family, 0) < of_family:
            taken[family] = taken.get(family, 0) + 1
            pairs.append(one)
    return pairs[:most]
