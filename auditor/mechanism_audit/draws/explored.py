"""Exploration of rare branches and tails at delta = 1e-12 by importance sampling, on every pair.

Counting needs about 1/delta releases to detect an event of probability delta. Tilted draws need few releases if the
event depends on the tail of a draw. On each pair and both neighbours, the exploration tilts the numbers drawn by each
source line. It tilts them one at a time, with the numbers of another line, and all at once, into both tails. The
strengths go up to the neighbour's share of an event of probability delta. The target's operations are watched for
results that depend on draws (`auditor.target.draws.watching`).

The exploration searches for events of one neighbour that are absent from as many releases of the other: a shape, a
recurring value, a value beyond all of the other's. It searches all releases, and separately the releases that took a
rare branch, whether or not their outputs reveal the branch. One half of the releases selects the event, and both halves
must contain it. The mean of the weights estimates its probability. The result is a suspicion and never refutes. If no
event is found, the smallest delta that would have raised a suspicion is the requested one. The exploration makes no
statement

- if a line draws noise that cannot be tilted, or keeps it for another release, or if noise is drawn elsewhere;
- if, on any pair, a condition never or hardly ever took one of its ways, or an operation hardly ever gave another
  result, unless this other result is itself too unlikely;
- if tilts reach a condition only by unlikely draws, while likelier releases come close to it: several close numbers, or
  a divisible number;
- if the source cannot be read or watched, or if there was no time for all pairs.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.mechanism_audit.draws.steered import MOST_STRENGTH, Address, Plan, Shot
from auditor.mechanism_audit.result import real
from auditor.mechanism_audit.sampler import has_key
from auditor.statistics.seeds import seed_of
from auditor.target.draws.steering import ORDERS
from auditor.target.target import BudgetSpentError, Watch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from auditor.mechanism_audit.promise import Level
    from auditor.mechanism_audit.sampler import Sampler
    from auditor.target.target import Batch
    from proofs_numeric.statements.neighbours import Neighbours

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]
    Step = tuple[list[Any], list[int]]

EXPLORATION_SHARE = 0.75
"""Share of the remaining CPU seconds that the exploration may take: about five times its need for a Python function, so
that a busy machine explores as many pairs as an idle one."""
LOOKS = 16
"""Releases per dataset in which the exploration searches for the lines that draw."""
STRENGTHS = (3.0, 9.0, 24.0, 64.0)
"""Strengths of the tilts; the last exceeds the reach of guards of single draws, for example 1 - u > 0."""
FOR_TWO = 24.0
"""Tilt from which lines are tilted together: counting covers joint events of weaker tilts."""
FROM_A_LINE, IN_ALL = 5, 20
"""Largest number of tilted numbers, of one line by one method and of one release."""
EACH = 24
"""Releases per dataset for each tilt of a number, up and down: half select the event, half confirm it."""
FRESH = 8
"""Number of fresh releases that must confirm a suspicion or a hidden outcome, as a multiple of those that raised it."""
FEWEST = 2 * EACH * 2 * len(STRENGTHS)
"""Smallest number of releases of a pair, over both sides."""
AGAIN = 4
"""Period of the control: one in so many releases is drawn again and must equal the release recorded."""
DEPTH = 3
"""Number of rounds, each of which tilts the draws that only occur under the tilts of the round before."""
HITS = 8
"""Smallest number of releases in each half that contain the event."""
RARE = 0.01
"""Probability above which an event is left to counting."""
COLUMNS, VALUES = 16, 8
"""Largest numbers of columns whose values are examined, and of recurring values of each."""
FEW_LINES = 4
"""Number of lines up to which each line is tilted with every other line; beyond, only with the next line."""
MOST_FILES = 32
"""Largest number of watched files; the report names the first file beyond it."""
TWICE = 2
"""Number of times a file is listed as watched; the second listing searches its functions wherever they are."""
_PACKAGE = re.compile(r".*[/\\](?:site|dist)-packages[/\\][^/\\]+")


@dataclass(frozen=True)
class Explored:
    """Result of the exploration of rare events on all pairs.

    Attributes:
        pairs: number of pairs explored.
        releases: number of releases of both sides.
        lines: lines of the target that draw numbers; the first few numbers of each are tilted.
        least: probability down to which no event of one neighbour alone was found, without a confidence level; 1 if no
            statement is made.
        why: reason for making no statement; "" otherwise.
        suspicion: event of one neighbour that the other lacks; "" if there is none.
        pair: the last pair explored, to which the suspicion refers.
    """

    pairs: int
    releases: int
    lines: int
    least: float
    why: str
    suspicion: str
    pair: Neighbours

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON, with the probability rounded up."""
        fields = {"pairs": self.pairs, "samples": self.releases, "lines": self.lines, "why": self.why}
        return {**fields, "least": real(self.least, down=False), "suspicion": self.suspicion}


UNPROVED = "it is not proved that the neighbour never does; more --samples may refute the claim"
"""Missing part of a refutation."""


class UnexploredError(Exception):
    """The exploration makes no statement: draws cannot be tilted, or conditions were not decided."""


def strengths(required_delta: float, epsilon: float) -> tuple[float, ...]:
    """Return the tilts, up to the neighbour's share of an event of probability `required_delta` at the claimed epsilon.

    Errors:
        UnexploredError: the largest tilt exceeds `MOST_STRENGTH`.
    """
    most = 1.0 + epsilon - math.log(required_delta)
    if most > MOST_STRENGTH:
        raise UnexploredError(f"delta={required_delta:g} at epsilon={epsilon:g} is beyond the largest tilt of draws")
    return (*STRENGTHS, most) if most > STRENGTHS[-1] else STRENGTHS


@dataclass
class Exploration:
    """Explorer that draws tilted releases of pairs and records the draws and conditions met.

    Attributes:
        sampler: source of the releases.
        level: claimed level.
        required_delta: delta that must be detectable.
        seed: seed of separate streams.
        until: end of the exploration, in seconds of the audit's clock.
        releases: number of releases drawn so far.
        met: (site, method) of draws -> whether they can be tilted.
        files: watched files; listed twice if all functions must be searched.
        unwatched: files whose functions cannot be watched.
        unsteady: values that changed when a release was drawn again.
        hidden: for each pair, the first condition or operation that was not covered.
    """

    sampler: Sampler
    level: Level
    required_delta: float
    seed: int
    until: float = math.inf
    releases: int = 0
    met: dict[tuple[str, str], bool] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    unwatched: list[str] = field(default_factory=list)
    unsteady: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)

    def pair(self, pair: Neighbours) -> str:
        """Return the suspicion on a pair; "" if there is none.

        Errors:
            UnexploredError: some draws cannot be covered.
        """
        tilts = strengths(self.required_delta, self.level.epsilon)
        start: Mapping[Address, float] = {}
        addresses, every = self._numbers_to_tilt(pair)
        hidden: tuple[dict[str, str], dict[str, str]] = {}, {}
        for depth in range(DEPTH):
            signed = [sign * t for t in tilts for sign in (1.0, -1.0)]
            strong = [t for t in signed if abs(t) >= FOR_TWO]
            designs = [
                {address: sign * t / len(each) for address, sign in each.items()}
                for each in together(addresses)
                for t in (signed if len(_by_line(each)) == 1 else strong)
            ]
            plan = Plan.of([{**start, **design} for design in designs])
            n = EACH * max(1, len(designs))
            sides = [self._shot(pair, side, plan, n, depth) for side in (pair.left, pair.right)]
            for side, each in zip(sides, hidden, strict=True):
                watch_of(side.batch).note({}, each)
            least = math.sqrt(self.required_delta * max(self.level.delta, self.required_delta / 9))
            suspect = functools.partial(suspicious, pair, least=least, every=every and depth == 0)
            if suspect(sides):  # possibly by chance: more releases must confirm it
                n *= FRESH
                sides = [self._shot(pair, side, plan, n, DEPTH + depth) for side in (pair.left, pair.right)]
                if suspicion := suspect(sides):
                    return f"{suspicion} (pair {pair.id}, {n} releases per dataset by importance sampling)"
            start, addresses = _new(sides, plan)
            if not addresses:
                if any(map(_complaints, hidden)) and not self.hidden:  # possibly by chance: more releases may show it
                    for data, each in zip((pair.left, pair.right), hidden, strict=True):
                        watch_of(self._shot(pair, data, plan, n * FRESH, 2 * DEPTH + depth).batch).note({}, each)
                self.hidden += [
                    f"{complaint}, on pair {pair.id}" for each in hidden for complaint in _complaints(each)
                ][:1]
                return ""
        raise UnexploredError(
            f"{addresses[0].method} at {addresses[0].site} depends on draws that depend on draws, through more levels "
            "than the audit explores"
        )

    def _numbers_to_tilt(self, pair: Neighbours) -> tuple[list[Address], bool]:
        """Return the numbers to tilt, and whether most releases of both sides draw no others."""
        addresses: dict[Address, None] = {}
        most = 0
        for side in (pair.left, pair.right):
            often: Counter[tuple[str, str]] = Counter()
            batch = self._batch(side, LOOKS, seed_of(self.seed, "look", pair.id), Plan.of([]))
            assert batch.steered is not None  # noqa: S101 - a plan was given
            for draws in batch.steered.logged:
                often.update({(site, method) for site, method, *_ in draws})
            usual = {place for place, times in often.items() if 2 * times >= LOOKS}
            for draws in batch.steered.logged:
                common = [draw for draw in draws if (draw[0], draw[1]) in usual]
                addresses.update(dict.fromkeys(numbers(common)))
                most = max(most, sum(draw[3] for draw in common))
        tilted = fewest(addresses)
        return tilted, len(tilted) >= most

    def _batch(self, side: Mapping[str, int], n: int, seed: int, plan: Plan) -> Batch:
        """Return releases, with a watch on every file that they enter."""
        while True:
            options = {**plan.to_json(), "every": AGAIN, "watched": self.files, "least": self.required_delta}
            batch = self.sampler.batch(side, n, seed, plan=options)
            watch = watch_of(batch)
            watch.note(self.met, {})
            files = [file for file in watch.unwatched if self._concerns(file)]
            new = [file for file in files if self.files.count(file) < TWICE]
            if not new or len(self.files) > MOST_FILES:
                self.unwatched += files
                self.unsteady += watch.unsteady
                return batch
            self.files += new

    def _concerns(self, file: str) -> bool:
        """Return whether a file belongs to the target; an installed package does if it draws."""
        package = _PACKAGE.match(file)
        return package is None or any(site.startswith(package.group()) for site, _method in self.met)

    def _shot(self, pair: Neighbours, side: Mapping[str, int], plan: Plan, n: int, depth: int) -> Side:
        if self.sampler.pace.clock() + n * self.sampler.steered_seconds > self.until:
            raise BudgetSpentError
        name = "left" if side is pair.left else "right"
        batch = self._batch(side, n, seed_of(self.seed, "explore", pair.id, name, depth), plan)
        assert batch.steered is not None  # noqa: S101 - a plan was given
        if not batch.steered.valid.all():
            raise UnexploredError(
                "some releases differ from releases of the same draws that are made one by one and unwatched"
            )
        self.releases += n
        return Side(name, batch, Shot.of(plan, batch, np.ones(n, dtype=bool)))

    def summarize(self) -> tuple[int, int, str]:
        """Return the number of releases so far, the number of lines that draw, and the first gap of the exploration."""
        return self.releases, sum(method not in ORDERS for _site, method in self.met), self.find_gap()

    def find_gap(self) -> str:
        """Return the first gap: an untilted draw, or an effect of draws that was not covered; "" if there is none."""
        for (site, method), is_tilted in self.met.items():
            if not is_tilted:
                return f"{method} at {site} is not tilted"
        if not self.met:
            return "it has no draw that can be tilted"
        if self.unwatched:
            return f"{self.unwatched[0]} uses draws and has no source in Python, so it cannot be watched"
        if self.unsteady:
            return f"{self.unsteady[0]} changes when a release is repeated, so it is not tilted"
        return f"{self.hidden[0]}: too few releases to test this case" if self.hidden else ""


def _complaints(hidden: Mapping[str, str]) -> list[str]:
    """Return the places with hidden outcomes, each with its outcomes."""
    return [f"{place} {what}" for place, what in hidden.items() if what]


@dataclass(frozen=True, eq=False)
class Side:
    """Tilted releases of one neighbour, (n,)."""

    name: str
    batch: Batch
    shot: Shot

    @property
    def weights(self) -> Floats:
        """Return the likelihood ratio of each release, (n,)."""
        return self.shot.weights

    def of(self, pair: Neighbours) -> Mapping[str, int]:
        """Return the neighbour whose releases these are."""
        return pair.left if self.name == "left" else pair.right

    def shapes(self) -> list[str]:
        """Return the shape of each release, or the list of its present columns."""
        if self.batch.shapes is not None and self.batch.shape_index is not None:
            return [self.batch.shapes[place] for place in self.batch.shape_index.tolist()]
        return [", ".join(self.batch.columns[i] for i in np.flatnonzero(row)) for row in ~np.isnan(self.batch.values)]

    def column(self, name: str) -> Floats:
        """Return a column of each release; NaN if the release lacks it."""
        if name not in self.batch.columns:
            return np.full(len(self.weights), np.nan)
        return np.asarray(self.batch.values[:, self.batch.columns.index(name)])


def watch_of(batch: Batch) -> Watch:
    """Return the record of the watch over the releases; their plan must request it."""
    assert batch.steered is not None  # noqa: S101 - a plan was given
    assert batch.steered.watch is not None  # noqa: S101 - that watches
    return batch.steered.watch


def like(pair: Neighbours) -> bool:
    """Return whether both neighbours have users of equal keys."""
    left, right = ({key for key, count in side.items() if count} for side in (pair.left, pair.right))
    return left == right


def together(addresses: Sequence[Address]) -> list[dict[Address, int]]:
    """Return the sets of numbers to tilt at once, with signs: a number, a line, two lines, and all."""
    lines = _by_line(addresses)
    designs = [{address: 1} for address in addresses]
    designs += [dict.fromkeys(line, 1) for line in lines if len(line) > 1]
    for line, other in itertools.combinations(lines, 2) if len(lines) <= FEW_LINES else itertools.pairwise(lines):
        for one, two in {(1, 1): (line[:1], other[:1]), (len(line), len(other)): (line, other)}.values():
            designs += [{**dict.fromkeys(one, 1), **dict.fromkeys(two, sign)} for sign in (1, -1)]
    return [*designs, dict.fromkeys(addresses, 1)] if len(lines) > 2 else designs


def numbers(draws: Sequence[Sequence[Any]]) -> Iterator[Address]:
    """Yield the first numbers that a release draws from each line."""
    for site, method, order, size, _parameters in draws:
        for position in range(min(size, FROM_A_LINE)):
            yield Address(site, method, order, position)


def fewest(addresses: Mapping[Address, None]) -> list[Address]:
    """Return the first numbers of each line and method, evenly many of each within the limits."""
    by_line = _by_line(sorted(addresses, key=lambda each: (each.order, each.position)))
    each = min(FROM_A_LINE, IN_ALL // max(1, len(by_line)))
    if each == 0:
        raise UnexploredError(f"it draws from {len(by_line)} lines, more than {IN_ALL}")
    return [address for line in by_line for address in line[:each]]


def _by_line(addresses: Iterable[Address]) -> list[list[Address]]:
    lines: dict[tuple[str, str], list[Address]] = {}
    for address in addresses:
        lines.setdefault((address.site, address.method), []).append(address)
    return [*lines.values()]


def _new(sides: Sequence[Side], plan: Plan) -> tuple[Mapping[Address, float], list[Address]]:
    """Return the tilt under which most untilted draws occur, and their numbers; both empty if there are none."""
    addresses: dict[Address, None] = {}
    under: Counter[int] = Counter()
    for side in sides:
        assert side.batch.steered is not None  # noqa: S101 - a plan was given
        for place, draws in enumerate(side.batch.steered.logged):
            if draws:
                addresses.update(dict.fromkeys(numbers(draws)))
                under[int(side.shot.parts[place].argmax())] += 1
    if not addresses:
        return {}, []
    return plan.tilts[under.most_common(1)[0][0]], fewest(addresses)


def suspicious(pair: Neighbours, sides: Sequence[Side], least: float, *, every: bool) -> str:
    """Return an event of one side of probability about `least` or more that the other side lacks; "" if there is none.

    If the sides have different keys and not every number is tilted, only the release of a key that the other side lacks
    is considered. Other events then depend on untilted draws of the same lines.

    Args:
        pair: neighbouring pair.
        sides: equally many releases of each.
        least: smallest probability of the event.
        every: whether all draws are tilted.
    """
    n = len(sides[0].weights)
    half = np.arange(n) < n // 2
    whole = every or like(pair)
    for mine, other in ((sides[0], sides[1]), (sides[1], sides[0])):
        lacking = [key for key, count in mine.of(pair).items() if count and not other.of(pair).get(key)]
        for context, mask, others in _contexts(mine, other, branches=whole):
            events = _events(mine, other, mask & half, others & half) if whole else _releases(mine, other, lacking)
            for text, event, also in events:
                here, there = event & mask, also & others
                if there.any() or min((here & half).sum(), (here & ~half).sum()) < HITS:
                    continue
                mass = float(mine.weights[here].sum()) / n
                if least < mass <= RARE:
                    return (
                        f"{text}{context}: {int(here.sum())} times on the {mine.name} and never on the {other.name}, "
                        f"with a probability of about {mass:.2g}"
                    )
    return ""


def _contexts(mine: Side, other: Side, *, branches: bool) -> Iterator[tuple[str, Mask, Mask]]:
    """Yield the set of all releases, and the sets of releases that took a rare branch."""
    n = len(mine.weights)
    yield "", np.ones(n, dtype=bool), np.ones(n, dtype=bool)
    if not branches:
        return
    paths = [watch_of(side.batch).taken for side in (mine, other)]
    for branch in dict.fromkeys(branch for path in dict.fromkeys(paths[0]) for branch in sorted(path)):
        mask, others = (np.array([branch in path for path in each]) for each in paths)
        if mask.sum() >= 2 * HITS and float(mine.weights[mask].sum()) / n <= RARE:
            where = f"{Path(branch[0]).name}:{branch[1]}"
            yield f" where {where} is {'true' if branch[-1] else 'false'}", mask, others


def _events(mine: Side, other: Side, mask: Mask, others: Mask) -> Iterator[tuple[str, Mask, Mask]]:
    """Yield candidate events from some releases of one side: a text, and the releases of both sides in the event."""
    shapes = np.array(mine.shapes()), np.array(other.shapes())
    for shape in np.unique(shapes[0][mask]):
        yield f"releases of the form {shape}", shapes[0] == shape, shapes[1] == shape
    for column in mine.batch.columns[:COLUMNS]:
        here, there = mine.column(column), other.column(column)
        values_here = here[mask & ~np.isnan(here)]
        if not values_here.size:
            continue
        values, times = np.unique(values_here, return_counts=True)
        often = np.argsort(-times)[:VALUES]
        for value in values[often[times[often] >= HITS]].tolist():
            yield f"{column} = {value:g}", here == value, there == value
        values_there = there[others & ~np.isnan(there)]
        if values_there.size:
            high, low = float(values_there.max()), float(values_there.min())
            yield f"{column} > {high:g}", here > high, there > high
            yield f"{column} < {low:g}", here < low, there < low


def _releases(mine: Side, other: Side, keys: Sequence[str]) -> Iterator[tuple[str, Mask, Mask]]:
    """Yield the releases that name a key which the input of the other side lacks."""
    for key in keys:
        yield f"releases {key}", has_key(mine.batch, (key,)), has_key(other.batch, (key,))


def explore(
    sampler: Sampler, pairs: Sequence[Neighbours], level: Level, required_delta: float, seed: int, seconds: float
) -> Explored:
    """Return the exploration of all pairs: pairs with a new key first, the fewest keys first among them.

    Args:
        sampler: source of the releases.
        pairs: pairs that are tested.
        level: claimed level.
        required_delta: delta that must be detectable.
        seed: seed of separate streams.
        seconds: largest number of CPU seconds.
    """
    pace = sampler.pace
    limit, until = pace.limit(), pace.clock() + seconds
    exploration = Exploration(sampler, level, required_delta, seed, until if limit is None else math.inf)
    done, why, suspicion, pair = 0, "", "", pairs[0]
    summary = 0, 0, ""  # of complete pairs: a replay starts no other pair
    least = FEWEST * sampler.release_seconds
    with contextlib.suppress(BudgetSpentError):
        try:
            for pair in sorted(pairs, key=lambda pair: (like(pair), len(pair.left.keys() | pair.right.keys()))):
                if done >= limit if limit is not None else pace.clock() + least >= until:
                    break
                suspicion = exploration.pair(pair)
                done, summary = done + 1, exploration.summarize()
                if suspicion:
                    break
        except UnexploredError as error:
            done, why, summary = done + 1, str(error), exploration.summarize()
    pace.blocks.append(done)
    releases, lines, gap = summary
    if not (why or suspicion):  # no other pair fills the gap of one
        late = f"the time sufficed for {done} of {len(pairs)} pairs: give a larger --budget"
        why = gap or (late if done < len(pairs) else "")
    return Explored(done, releases, lines, 1.0 if why or suspicion else required_delta, why, suspicion, pair)
