"""Rare branches and tails at delta = 1e-12: every line that draws tilted, on every pair, and what hides draws watched.

Counting shows no event of probability delta in fewer than 1/delta releases. Steered ones do, where the event hangs on
the tail of a draw. So on each pair, both neighbours alike, each line that draws has its numbers tilted, one at a time,
with one of another line, and all at once, into both tails, at strengths up to where the neighbour's own share of an
event of probability delta lies; and of each operation of the source that something drawn reaches it is seen whether its
results tell of it (`auditor.target.watching`).

What is looked for is what one neighbour shows and the other does not, in as many releases: a shape, a value that comes
again, a value beyond all of the other's; of all releases, and of those alone that took a branch that is seldom taken,
whether or not what is released says that they did. It is chosen on one half of the releases, and is held to the other.
Its probability is about the mean of its weights: this suspects, and never refutes; and where there is nothing, the
delta that would have been suspected is that asked for. It says nothing

- where a line draws what cannot be tilted, or keeps it for another release, or anything is drawn elsewhere;
- where, on any pair, a condition never went one way or hardly ever, or an operation hardly ever gave another result,
  whatever was drawn, if that is not too unlikely itself: what lies there was not seen; or where tilts lead to it by
  what is unlikely, and releases are near it that are likelier by far: several numbers that are close, one that is
  divisible;
- where the source cannot be read or watched, or there was no time for all pairs.
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

from auditor.mechanism_audit.result import real
from auditor.mechanism_audit.sampler import has_key
from auditor.mechanism_audit.steered import MOST_STRENGTH, Address, Plan, Shot
from auditor.statistics.seeds import seed_of
from auditor.target.steering import ORDERS
from auditor.target.target import BudgetSpentError, Watched

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

SHARE = 0.75
"""Of the CPU seconds left that it may take: of a function in Python some five times what it does take, so that a busy
machine explores as many pairs as an idle one."""
LOOKS = 16
"""Releases of either side in which the lines that draw are looked for."""
STRENGTHS = (3.0, 9.0, 24.0, 64.0)
"""The last one is beyond what guards of single draws, such as 1 - u > 0, wait for."""
FOR_TWO = 24.0
"""Strengths from which on lines are tilted together: what weaker ones show of both is seen by counting."""
FROM_A_LINE, IN_ALL = 5, 20
"""Numbers that are tilted of one line by one method, and of a release, at most."""
EACH = 24
"""Releases a side for each tilt of a number, up and down: half to choose by, half to hold it to."""
FRESH = 8
"""Times as many fresh releases that have to show what is suspected."""
FEWEST = 2 * EACH * 2 * len(STRENGTHS)
"""Releases of a pair, at least, of both sides."""
AGAIN = 4
"""One of so many releases is drawn again: all must be those of the draws that they make."""
DEPTH = 3
"""Draws that are only made where another is tilted are tilted too, so many times over."""
HITS = 8
"""Releases of each half that show what the other side does not."""
RARE = 0.01
"""What is likelier is left to counting."""
COLUMNS, VALUES = 16, 8
"""Numbers of a release whose values are looked at, and values of each that come again, at most."""
FEW_LINES = 4
"""Lines up to which each is tilted with each other one, and not with the next alone."""
MOST_FILES = 32
"""Watched at the most: what enters more is not watched throughout, and told."""
TWICE = 2
"""A file is named to the watch: the second time its functions are looked for wherever they are."""
_PACKAGE = re.compile(r".*[/\\](?:site|dist)-packages[/\\][^/\\]+")


@dataclass(frozen=True)
class Explored:
    """What steered releases say of what is rare on every pair.

    Attributes:
        pairs: that were explored.
        releases: of both sides.
        lines: of the target that draw numbers; the first few of each are tilted.
        least: the probability down to which they were tilted and nothing of one neighbour alone was seen, with no level
            of confidence; 1 where nothing is said.
        why: why nothing is said; "" otherwise.
        suspicion: what one neighbour shows, and the other does not; "" where nothing.
        pair: explored last: that of the suspicion.
    """

    pairs: int
    releases: int
    lines: int
    least: float
    why: str
    suspicion: str
    pair: Neighbours

    def to_json(self) -> dict[str, Any]:
        """Return the same; the probability as powers are told."""
        told = {"pairs": self.pairs, "samples": self.releases, "lines": self.lines, "why": self.why}
        return {**told, "least": real(self.least, down=False), "suspicion": self.suspicion}


UNPROVED = "that the neighbour never does is not proved: more --samples may refute it"
"""What is missing of a refutation."""


class UnexploredError(Exception):
    """Steered releases do not say what is rare. Causes: draws that cannot be tilted, conditions not decided."""


def strengths(wanted: float, epsilon: float) -> tuple[float, ...]:
    """Return the tilts up to where the neighbour shows an event of probability `wanted` at the claimed epsilon.

    Errors:
        UnexploredError: further out than draws are tilted.
    """
    most = 1.0 + epsilon - math.log(wanted)
    if most > MOST_STRENGTH:
        raise UnexploredError(f"delta={wanted:g} at epsilon={epsilon:g} is further out than draws are tilted")
    return (*STRENGTHS, most) if most > STRENGTHS[-1] else STRENGTHS


@dataclass
class Exploration:
    """Draws steered releases of pairs, and keeps what was met.

    Attributes:
        sampler: draws.
        level: claimed.
        wanted: the delta that a silence has to be able to see.
        seed: of streams of its own.
        until: when it has to end, by the clock of the pace.
        releases: drawn so far.
        met: draws that were met, and whether they can be tilted.
        files: that are watched, twice where that takes a look at all functions.
        unwatched: files whose functions cannot be.
        unsteady: what is drawn elsewhere.
        hidden: what was not seen of a pair: the first of each.
    """

    sampler: Sampler
    level: Level
    wanted: float
    seed: int
    until: float = math.inf
    releases: int = 0
    met: dict[tuple[str, str], bool] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    unwatched: list[str] = field(default_factory=list)
    unsteady: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)

    def pair(self, pair: Neighbours) -> str:
        """Return what is suspected on a pair, "" for nothing.

        Errors:
            UnexploredError: something drawn escapes.
        """
        tilts = strengths(self.wanted, self.level.epsilon)
        begun: Mapping[Address, float] = {}
        addresses, every = self._drawn(pair)
        hidden: tuple[dict[str, str], dict[str, str]] = {}, {}
        for depth in range(DEPTH):
            signed = [sign * t for t in tilts for sign in (1.0, -1.0)]
            strong = [t for t in signed if abs(t) >= FOR_TWO]
            designs = [
                {address: sign * t / len(own) for address, sign in own.items()}
                for own in together(addresses)
                for t in (signed if len(_by_line(own)) == 1 else strong)
            ]
            plan = Plan.of([{**begun, **design} for design in designs])
            n = EACH * max(1, len(designs))
            sides = [self._shot(pair, side, plan, n, depth) for side in (pair.left, pair.right)]
            for side, own in zip(sides, hidden, strict=True):
                watched_of(side.batch).note({}, own)
            least = math.sqrt(self.wanted * max(self.level.delta, self.wanted / 9))
            told = functools.partial(suspicious, pair, least=least, every=every and depth == 0)
            if told(sides):  # perhaps by chance: more of them are held to it
                n *= FRESH
                sides = [self._shot(pair, side, plan, n, DEPTH + depth) for side in (pair.left, pair.right)]
                if found := told(sides):
                    return f"{found} (pair {pair.id}, {n} releases a side with steered draws)"
            begun, addresses = _new(sides, plan)
            if not addresses:
                both = [f"{place} {what}, on pair {pair.id}" for own in hidden for place, what in own.items() if what]
                self.hidden += both[:1]
                return ""
        raise UnexploredError(f"{_place(addresses[0])} is drawn by others only that are drawn by others in turn")

    def _drawn(self, pair: Neighbours) -> tuple[list[Address], bool]:
        """Return the numbers that are tilted, and whether they are all that most releases of either side draw."""
        found: dict[Address, None] = {}
        most = 0
        for side in (pair.left, pair.right):
            often: Counter[tuple[str, str]] = Counter()
            batch = self._batch(side, LOOKS, seed_of(self.seed, "look", pair.id), Plan.of([]))
            assert batch.steered is not None  # noqa: S101 - a plan was given
            for draws in batch.steered.logged:
                often.update({(site, method) for site, method, *_ in draws})
            usual = {place for place, times in often.items() if 2 * times >= LOOKS}
            for draws in batch.steered.logged:
                own = [draw for draw in draws if (draw[0], draw[1]) in usual]
                found.update(dict.fromkeys(numbers(own)))
                most = max(most, sum(draw[3] for draw in own))
        tilted = fewest(found)
        return tilted, len(tilted) >= most

    def _batch(self, side: Mapping[str, int], n: int, seed: int, plan: Plan) -> Batch:
        """Return releases, watched in all files that they enter."""
        while True:
            given = {**plan.to_json(), "every": AGAIN, "watched": self.files, "least": self.wanted}
            batch = self.sampler.batch(side, n, seed, plan=given)
            watched = watched_of(batch)
            watched.note(self.met, {})
            entered = [file for file in watched.unwatched if self._concerns(file)]
            new = [file for file in entered if self.files.count(file) < TWICE]
            if not new or len(self.files) > MOST_FILES:
                self.unwatched += entered
                self.unsteady += watched.unsteady
                return batch
            self.files += new

    def _concerns(self, file: str) -> bool:
        """Return whether a file is the target's: of packages that are installed those count that draw."""
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
                "some of its releases are not those of the draws that they make, each by itself and unwatched"
            )
        self.releases += n
        return Side(name, batch, Shot.of(plan, batch, np.ones(n, dtype=bool)))

    def told(self) -> tuple[int, int, str]:
        """Return how many releases were drawn so far, by how many lines, and what escapes."""
        return self.releases, sum(method not in ORDERS for _site, method in self.met), self.escaped()

    def escaped(self) -> str:
        """Return which draw escapes, or what hides some of what was drawn; "" for nothing."""
        for (site, method), known in self.met.items():
            if not known:
                return f"{method} at {site} is not tilted"
        if not self.met:
            return "it draws nothing that could be tilted"
        if self.unwatched:
            return f"what {self.unwatched[0]} does with draws cannot be watched: that takes its source in Python"
        if self.unsteady:
            return f"{self.unsteady[0]} is another where a release is drawn again: that is not tilted"
        return f"{self.hidden[0]}: too few to see what happens there" if self.hidden else ""


@dataclass(frozen=True, eq=False)
class Side:
    """Steered releases of one neighbour, (n,)."""

    name: str
    batch: Batch
    shot: Shot

    @property
    def weights(self) -> Floats:
        """Of each release."""
        return self.shot.weights

    def of(self, pair: Neighbours) -> Mapping[str, int]:
        """Return the neighbour that released."""
        return pair.left if self.name == "left" else pair.right

    def shapes(self) -> list[str]:
        """Return the shape of each release, or which numbers it has."""
        if self.batch.shapes is not None and self.batch.shape_index is not None:
            return [self.batch.shapes[place] for place in self.batch.shape_index.tolist()]
        return [", ".join(self.batch.columns[i] for i in np.flatnonzero(row)) for row in ~np.isnan(self.batch.values)]

    def column(self, name: str) -> Floats:
        """Return a number of each release; NaN of those that lack it."""
        if name not in self.batch.columns:
            return np.full(len(self.weights), np.nan)
        return np.asarray(self.batch.values[:, self.batch.columns.index(name)])


def watched_of(batch: Batch) -> Watched:
    """Return what was watched of releases whose plan asks for it."""
    assert batch.steered is not None  # noqa: S101 - a plan was given
    assert batch.steered.watched is not None  # noqa: S101 - that watches
    return batch.steered.watched


def like(pair: Neighbours) -> bool:
    """Return whether both neighbours have the same keys."""
    return pair.left.keys() == pair.right.keys()


def together(addresses: Sequence[Address]) -> list[dict[Address, int]]:
    """Return what is tilted at once, with signs: a number, a line, of which noise may be a sum, two lines, and all."""
    lines = _by_line(addresses)
    found = [{address: 1} for address in addresses]
    found += [dict.fromkeys(own, 1) for own in lines if len(own) > 1]
    for own, other in itertools.combinations(lines, 2) if len(lines) <= FEW_LINES else itertools.pairwise(lines):
        for one, two in {(1, 1): (own[:1], other[:1]), (len(own), len(other)): (own, other)}.values():
            found += [{**dict.fromkeys(one, 1), **dict.fromkeys(two, sign)} for sign in (1, -1)]
    return [*found, dict.fromkeys(addresses, 1)] if len(lines) > 2 else found


def numbers(draws: Sequence[Sequence[Any]]) -> Iterator[Address]:
    """Yield the first numbers that a release draws from each line."""
    for site, method, order, size, _parameters in draws:
        for position in range(min(size, FROM_A_LINE)):
            yield Address(site, method, order, position)


def fewest(found: Mapping[Address, None]) -> list[Address]:
    """Return the first numbers of each line and method, as many of each as there is room for."""
    by_line = _by_line(sorted(found, key=lambda each: (each.order, each.position)))
    each = min(FROM_A_LINE, IN_ALL // max(1, len(by_line)))
    if each == 0:
        raise UnexploredError(f"it draws from {len(by_line)} lines, more than {IN_ALL}")
    return [address for own in by_line for address in own[:each]]


def _by_line(addresses: Iterable[Address]) -> list[list[Address]]:
    found: dict[tuple[str, str], list[Address]] = {}
    for address in addresses:
        found.setdefault((address.site, address.method), []).append(address)
    return [*found.values()]


def _place(address: Address) -> str:
    return f"{address.method} at {address.site}"


def _new(sides: Sequence[Side], plan: Plan) -> tuple[Mapping[Address, float], list[Address]]:
    """Return the tilt under which draws are made that the plan does not tilt, and their numbers; none: none."""
    found: dict[Address, None] = {}
    under: Counter[int] = Counter()
    for side in sides:
        assert side.batch.steered is not None  # noqa: S101 - a plan was given
        for place, draws in enumerate(side.batch.steered.logged):
            if draws:
                found.update(dict.fromkeys(numbers(draws)))
                under[int(side.shot.parts[place].argmax())] += 1
    if not found:
        return {}, []
    return plan.tilts[under.most_common(1)[0][0]], fewest(found)


def suspicious(pair: Neighbours, sides: Sequence[Side], least: float, *, every: bool) -> str:
    """Return what one side shows, with a probability of about `least` or more, and the other does not; "" for nothing.

    Of a pair of unlike keys it is the release of a key that the other lacks, unless every number is tilted: all else is
    drawn by other turns of the same lines, of which the first ones are.

    Args:
        pair: of neighbours.
        sides: as many releases of each.
        least: probability.
        every: whether all that is drawn is tilted.
    """
    n = len(sides[0].weights)
    half = np.arange(n) < n // 2
    whole = every or like(pair)
    for mine, other in ((sides[0], sides[1]), (sides[1], sides[0])):
        lacking = [key for key in mine.of(pair) if key not in other.of(pair)]
        for context, own, others in _contexts(mine, other, branches=whole):
            events = _events(mine, other, own & half, others & half) if whole else _releases(mine, other, lacking)
            for text, shown, also in events:
                here, there = shown & own, also & others
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
    """Yield all releases, and those that took a branch which is seldom taken."""
    n = len(mine.weights)
    yield "", np.ones(n, dtype=bool), np.ones(n, dtype=bool)
    if not branches:
        return
    paths = [watched_of(side.batch).taken for side in (mine, other)]
    for branch in dict.fromkeys(branch for path in dict.fromkeys(paths[0]) for branch in sorted(path)):
        own, others = (np.array([branch in path for path in each]) for each in paths)
        if own.sum() >= 2 * HITS and float(mine.weights[own].sum()) / n <= RARE:
            where = f"{Path(branch[0]).name}:{branch[1]}"
            yield f" where {where} is {'true' if branch[-1] else 'false'}", own, others


def _events(mine: Side, other: Side, own: Mask, others: Mask) -> Iterator[tuple[str, Mask, Mask]]:
    """Yield what some releases of one side show and none of the other does: a text, and which releases show it."""
    shapes = np.array(mine.shapes()), np.array(other.shapes())
    for shape in np.unique(shapes[0][own]):
        yield f"releases of the form {shape}", shapes[0] == shape, shapes[1] == shape
    for column in mine.batch.columns[:COLUMNS]:
        here, there = mine.column(column), other.column(column)
        seen = here[own & ~np.isnan(here)]
        if not seen.size:
            continue
        values, times = np.unique(seen, return_counts=True)
        often = np.argsort(-times)[:VALUES]
        for value in values[often[times[often] >= HITS]].tolist():
            yield f"{column} = {value:g}", here == value, there == value
        known = there[others & ~np.isnan(there)]
        if known.size:
            high, low = float(known.max()), float(known.min())
            yield f"{column} > {high:g}", here > high, there > high
            yield f"{column} < {low:g}", here < low, there < low


def _releases(mine: Side, other: Side, keys: Sequence[str]) -> Iterator[tuple[str, Mask, Mask]]:
    """Yield which releases name a key that the input of the other side lacks."""
    for key in keys:
        yield f"releases {key}", has_key(mine.batch, (key,)), has_key(other.batch, (key,))


def explored(
    sampler: Sampler, pairs: Sequence[Neighbours], level: Level, wanted: float, seed: int, seconds: float
) -> Explored:
    """Explore what is rare on every pair; those of a new key first, and of them those with the fewest keys.

    Args:
        sampler: draws.
        pairs: that are bet on.
        level: claimed.
        wanted: the delta that a silence has to be able to see.
        seed: of streams of its own.
        seconds: CPU seconds that it may take.
    """
    pace = sampler.pace
    limit, until = pace.limit(), pace.clock() + seconds
    exploration = Exploration(sampler, level, wanted, seed, until if limit is None else math.inf)
    done, why, suspicion, pair = 0, "", "", pairs[0]
    told = 0, 0, ""  # of whole pairs: a replay begins no other
    least = FEWEST * sampler.release_seconds
    with contextlib.suppress(BudgetSpentError):
        try:
            for pair in sorted(pairs, key=lambda pair: (like(pair), len(pair.left.keys() | pair.right.keys()))):
                if done >= limit if limit is not None else pace.clock() + least >= until:
                    break
                suspicion = exploration.pair(pair)
                done, told = done + 1, exploration.told()
                if suspicion:
                    break
        except UnexploredError as error:
            done, why, told = done + 1, str(error), exploration.told()
    pace.drawn.append(done)
    releases, lines, escaped = told
    if not (why or suspicion):  # what was not seen of one pair, no other makes good
        late = f"there was time for {done} of {len(pairs)} pairs: give more with --budget"
        why = escaped or (late if done < len(pairs) else "")
    return Explored(done, releases, lines, 1.0 if why or suspicion else wanted, why, suspicion, pair)
