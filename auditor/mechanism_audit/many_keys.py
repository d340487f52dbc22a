"""Releases of many keys of one user each: delta of a threshold or a partition selection, for code that draws anywhere.

Each release of G users, each alone in his keys, gives G chances to release the key of a single user. The statistics
and the proof are in `auditor.statistics.many_keys`: keys may depend on one another in any way. Names of keys are
random (`random_names`), so nothing is assumed of the keys that the target releases.

G starts at 1, so that gross faults give small neighbours and a cap on released keys shows. It grows until a release
takes about a second, or the claim allows a twentieth of a released key: beyond, keys that are released at once count
for less. Bets on all sizes are one e-process.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.inputs.data import Rows, as_rows
from auditor.mechanism_audit import one_sample
from auditor.mechanism_audit.one_sample import Exposed
from auditor.mechanism_audit.options import BUDGET_SECONDS
from auditor.mechanism_audit.random_names import PAID_SHARE, largest_probability, random_name
from auditor.mechanism_audit.result import real
from auditor.mechanism_audit.sampler import PROBES, RAISED
from auditor.statistics.exact_tests import OneSampleTest
from auditor.statistics.many_keys import ManyKeysBets
from auditor.statistics.seeds import block_generator, seed_of
from auditor.target.target import BudgetSpentError, MisbehavedError
from proofs_numeric.statements.adjacency import Adjacency, EachAnswer
from proofs_numeric.statements.neighbours import MOST_CHANGED_KEYS, Direction, Neighbours

if TYPE_CHECKING:
    from auditor.black_box.audit import BlackBoxResult
    from auditor.mechanism_audit.promise import Level, Promise
    from auditor.mechanism_audit.request import MechanismRequest
    from auditor.mechanism_audit.sampler import Sampler
    from auditor.target.target import Batch

ALPHA_SHARE = 0.25
"""Share of alpha of this test, where it applies; fixed before its releases are drawn."""
TIME_SHARE = 0.65
"""Share of the CPU seconds left that it may take, where they suffice for the power asked for."""
SHORT_TIME_SHARE = 0.1
"""The same where they do not suffice."""
GROWTH = 4
"""Factor from one number of users to the next."""
EXPECTED_KEYS = 0.05
"""Number of released keys, as the claim allows it, from which the number of users grows no more."""
RELEASE_SECONDS = 1.0
"""CPU seconds of a release at most, beyond those of a release of one user."""
MOST_KEYS = 4**8
MOST_RELEASES = 2**20
HOPEFUL = 4.0
"""Times the time at hand that the power asked for may take, by which more than a short time is spent on it."""
MORE_SECONDS = BUDGET_SECONDS
"""CPU seconds that the usual budget grows by where the power asked for takes them."""
COUNTED = 0.05
"""Delta that counting must be able to see on each pair, where draws cannot be tilted and this test has the power asked
for: .01 on each of 21 pairs takes 460,000 releases, and engines give a few thousand a second. The verdict states it."""
LOOK = 1.05
"""The power is computed again when there are so many times the releases."""
BATCH, BATCHES_WHILE_GROWING = 4, 2
"""Releases of one request, and requests at each number of users but the last."""
BATCH_OF_JOBS = 16
"""Releases of one request that several processes share: one each of the parts of a request."""
PROBE_RELEASES = 4
TIGHTER = 0.5
"""Releases beyond those that refute, as a share of them: they raise the lower bound on delta."""
ROUNDING = 1e-9
"""Relative slack for float64."""
NOT_RELEASED = (
    "releases no key of a name that it cannot know, whatever its count: keys of one user are not tested by random names"
)


@dataclass(frozen=True)
class ManyKeysTest:
    """What releases of many keys of one user each say.

    Attributes:
        level: (epsilon, delta) that is tested.
        alpha: false-alarm probability, that of the names included.
        neighbours: the data of the last releases, with a user and without.
        direction: the side that has the user.
        keys: keys of that user.
        users: users of each of the last releases.
        releases: number of all releases.
        shown: users whose keys were released, of `chances`.
        chances: users of all releases together.
        lower: lower bound on the mean probability that a user's key is released.
        other: largest probability of this on the neighbour.
        power: about the smallest delta that is refuted with probability .95; 1 where none.
        together: more keys are released at once than independent keys would be.
        rejected: the level is refuted.
        log_capital: of the bets.
        lacking: releases of `users` users, beyond those drawn, that the power asked for takes; 0 for none.
    """

    level: Level
    alpha: float
    neighbours: Neighbours
    direction: Direction
    keys: tuple[str, ...]
    users: int
    releases: int
    shown: int
    chances: int
    lower: float
    other: float
    power: float
    together: bool
    rejected: bool
    log_capital: float
    lacking: int

    @property
    def delta_lower(self) -> float:
        """Lower bound on delta at epsilon."""
        return max(0.0, self.lower - math.exp(self.level.epsilon) * self.other)

    @property
    def power_text(self) -> str:
        """The power, and what it assumes of wrong mechanisms."""
        drawn = f"{self.releases} releases of up to {self.users:,} keys of one user each"
        if self.power >= 1:
            return f"{drawn} show nothing of the release of such a key: they are too few"
        law = "scaled from the keys seen" if self.together else "where keys are released independently"
        power = real(self.power, down=False, digits=2)
        return f"{drawn} one >= {power} in the release of such a key ({law})"

    def to_json(self) -> dict[str, Any]:
        """Return the numbers, each rounded to its own side."""
        return {
            "users": self.users,
            "releases": self.releases,
            "chances": self.chances,
            "released": self.shown,
            "delta_lower": real(self.delta_lower, down=True),
            "power": real(self.power, down=False),
            "alpha": f"{self.alpha:.6g}",
            "released_together": self.together,
        }

    def result(self) -> BlackBoxResult:
        """Return the result of a refutation: its neighbours differ by the keys of one user."""
        test = OneSampleTest(math.exp(-self.log_capital), self.delta_lower, self.power, self.rejected)
        which = "the key" if len(self.keys) == 1 else f"one of the {len(self.keys)} keys"
        event = (
            f"releases {which} of one user: {self.shown} of {self.chances:,} in {self.releases} releases of up to "
            f"{self.users:,} users, each alone in his"
        )
        exposed = Exposed(self.neighbours, self.direction, self.keys)
        return one_sample.result_of(
            test, self.level, self.alpha, exposed, event, self.shown / self.chances, self.releases, 0
        )


def applies(sampler: Sampler, promise: Promise, request: MechanismRequest) -> bool:
    """Return whether the audit may make up keys and users, and the relation lets one user leave or change keys."""
    named = request.keys or sampler.target.public_partitions or promise.keys or sampler.looked_up or sampler.fixed_keys
    return request.searches and not named and _relation(promise.adjacency) is not None


def _relation(adjacency: Adjacency) -> tuple[int, bool] | None:
    """Return the keys of one user, and whether he changes them instead of leaving; None where he can do neither."""
    if isinstance(adjacency, EachAnswer):
        return None
    most = min(adjacency.most_changed, MOST_CHANGED_KEYS)
    for each, replaces in ((most, False), (1, False), (max(1, most // 2), True)):
        first, second, third = ({f"{user} {key}": adjacency.per_key for key in range(each)} for user in range(3))
        if _are_neighbours(adjacency, first | second, second | third if replaces else second):
            return each, replaces
    return None


def _are_neighbours(adjacency: Adjacency, left: Mapping[str, int], right: Mapping[str, int]) -> bool:
    try:
        adjacency.check(left, right)
    except ValueError:
        return False
    return True


class Crowd:
    """Users who are each alone in their keys.

    Attributes:
        each: keys of one user.
        replaces: the neighbour has another user in his place.
    """

    def __init__(self, sampler: Sampler, adjacency: Adjacency, epsilon: float, seed: int) -> None:
        relation = _relation(adjacency)
        assert relation is not None  # noqa: S101 - the test applies
        self.each, self.replaces = relation
        self._sampler, self._adjacency, self._epsilon = sampler, adjacency, epsilon
        self._rng = block_generator(seed, "names of many keys")
        self._owner: dict[str, int] = {}

    def names(self, users: range) -> list[str]:
        """Return the names of the keys of some users, in their order."""
        while len(self._owner) < users.stop * self.each:  # distinct, as the proof has it
            self._owner.setdefault(random_name(self._rng, self._epsilon), len(self._owner) // self.each)
        return list(self._owner)[users.start * self.each : users.stop * self.each]

    def data(self, users: range) -> Mapping[str, int]:
        """Return the data of some users."""
        names, count = self.names(users), self._adjacency.per_key
        if not self._sampler.rows:
            return dict.fromkeys(names, count)
        value = self._sampler.values[1]
        return Rows([(f"user {self._owner[name]}", name, value) for name in names for _ in range(count)])

    def popular(self, count: int) -> Mapping[str, int]:
        """Return data in which `count` users share one key."""
        histogram = dict.fromkeys(self.names(range(1))[:1], count)
        return as_rows(histogram, histogram, self._sampler.values[1])[0] if self._sampler.rows else histogram

    def neighbours(self, users: int, direction: Direction) -> Neighbours:
        """Return the data of so many users, and those without the first of them."""
        has, lacks = self.data(range(users)), self.data(range(1, users + self.replaces))
        name = f"{users:,} keys of one user each, one key fewer" if self.each == 1 else (
            f"{users:,} users of {self.each} keys each, one user fewer"
        )  # fmt: skip
        return Neighbours(name, has, lacks) if direction is Direction.FORWARD else Neighbours(name, lacks, has)

    def fits(self, users: int) -> bool:
        """Return whether data of so many users are within what the audit may make up, and have neighbours."""
        if users * self.each > MOST_KEYS or users > self._sampler.largest:
            return False
        pair = self.neighbours(users, Direction.FORWARD)
        return _are_neighbours(self._adjacency, pair.left, pair.right)

    def shown(self, batch: Batch) -> list[int]:
        """Return of how many users each release has a key: as a name anywhere in it; of none where it raised."""
        if batch.shapes is None or batch.shape_index is None:
            places = [(place, self._owner[key]) for place, key in enumerate(batch.columns) if key in self._owner]
            present = ~np.isnan(batch.values)
            return [len({owner for place, owner in places if row[place]}) for row in present]
        length = len(next(iter(self._owner)))
        runs = re.compile(rf"[a-z2-7]{{{length},}}")

        def owners(shape: str) -> int:
            texts = (run[i : i + length] for run in runs.findall(shape) for i in range(len(run) - length + 1))
            return 0 if shape.startswith(RAISED) else len({self._owner[text] for text in texts if text in self._owner})

        found = list(map(owners, batch.shapes))
        return [found[place] for place in batch.shape_index.tolist()]


@contextmanager
def _small_releases_only(sampler: Sampler) -> Iterator[None]:
    """Keep large releases out of what the sampler knows of the speed and the width of usual ones."""
    pace = sampler.pace
    before = sampler.drawn, sampler.seconds, sampler.width, pace.computed
    try:
        yield
    finally:
        sampler.drawn, sampler.seconds, sampler.width, pace.computed = before


class Run:
    """The releases of one test: probes, growing numbers of users, and as many as the power asked for takes."""

    def __init__(self, sampler: Sampler, promise: Promise, request: MechanismRequest, alpha: float) -> None:
        self.sampler, self.level = sampler, promise.never
        self.wanted = request.wanted(self.level.delta)
        self.seed = seed_of(request.seed, "many keys")
        self.crowd = Crowd(sampler, promise.adjacency, self.level.epsilon, self.seed)
        self.direction, self.alpha = request.directions[0], alpha
        self.other = largest_probability(self.crowd.each, self.level.epsilon, PAID_SHARE * alpha)
        allowed = (self.level.delta + math.exp(self.level.epsilon) * self.other) * (1 + ROUNDING)
        self.bets = ManyKeysBets(min(allowed, 1 - ROUNDING), (1 - PAID_SHARE) * alpha)
        self.most_releases = request.samples or MOST_RELEASES
        self.batch_size = BATCH_OF_JOBS if sampler.target.jobs else BATCH
        self.batches = self.users = 0
        self.release_seconds = 0.0

    def releases_popular_keys(self) -> bool:
        """Return whether a key of many users is released under its name; counts grow until an answer is slow."""
        pace, sampler = self.sampler.pace, self.sampler
        limit, probes, found = pace.limit(), 0, False
        counts = sorted({min(count, sampler.largest) for count in PROBES})
        for count in counts if limit is None else counts[:limit]:
            batch = sampler.batch(self.crowd.popular(count), PROBE_RELEASES, self.seed, (0, count))
            probes, found = probes + 1, any(self.crowd.shown(batch))
            if found or (limit is None and sampler.slow_at_the_next(batch)):
                break
        pace.drawn.append(probes)
        return found

    def draw(self, users: int) -> None:
        """Bet on one request of releases of so many users."""
        clock = self.sampler.pace.clock
        begun, data = clock(), self.crowd.data(range(users))
        batch = self.sampler.batch(data, self.batch_size, self.seed, (1, self.batches))
        for shown in self.crowd.shown(batch):
            self.bets.add(users, shown)
        self.batches, self.users = self.batches + 1, users
        self.release_seconds = (clock() - begun) / self.batch_size

    def grow(self) -> None:
        """Draw releases of more and more users."""
        pace = self.sampler.pace
        limit, step, first = pace.limit(), 0, 0.0
        try:
            while True:
                for _ in range(BATCHES_WHILE_GROWING):
                    self.draw(GROWTH**step)
                first = first or self.release_seconds
                seconds = first + GROWTH * max(0.0, self.release_seconds - first)
                larger = seconds <= first + RELEASE_SECONDS if limit is None else step < limit
                if not larger or self._enough() or not self.crowd.fits(GROWTH ** (step + 1)):
                    break
                step += 1
        finally:
            pace.drawn.append(step)

    def _enough(self) -> bool:
        """Return whether more users in a release would tell no more."""
        bets = self.bets
        return bets.rejected or len(bets.users) >= self.most_releases or self.users * bets.allowed > EXPECTED_KEYS

    def go_on(self) -> None:
        """Draw releases of as many users until the bets decide, suffice for the power asked for, or time is over."""
        pace, bets = self.sampler.pace, self.bets
        limit, before, checked = pace.limit(), self.batches, 0
        needed = self.lacking() * self.release_seconds
        more = MORE_SECONDS if pace.budget == BUDGET_SECONDS and needed > TIME_SHARE * pace.seconds() else 0.0
        hopeful = needed <= HOPEFUL * TIME_SHARE * (pace.seconds() + more)
        pace.budget += more if hopeful else 0.0
        share = TIME_SHARE if hopeful else SHORT_TIME_SHARE
        until, most, decided = pace.clock() + share * pace.seconds(), self.most_releases, bets.rejected
        most = self._tightened(most) if decided else most
        try:
            while len(bets.users) < most:
                if self.batches - before >= limit if limit is not None else pace.clock() >= until:
                    break
                if not decided and len(bets.users) >= LOOK * checked:
                    checked = len(bets.users)
                    if bets.detectable_mean() - self.excess <= self.wanted:
                        break
                self.draw(self.users)
                if not decided and bets.rejected:
                    decided, most = True, self._tightened(most)
        finally:
            pace.drawn.append(self.batches - before)

    def _tightened(self, most: int) -> int:
        return min(most, math.ceil((1 + TIGHTER) * len(self.bets.users)))

    @property
    def excess(self) -> float:
        """Probability of the event that the claim allows beside delta."""
        return math.exp(self.level.epsilon) * self.other

    def lacking(self) -> int:
        """Return how many releases more the power asked for takes; `MOST_RELEASES` where they do not suffice."""
        low, high = 0, 1
        while high < MOST_RELEASES and not self._suffices(high):
            low, high = high, 2 * high
        while high - low > max(1, high // 16):
            middle = (low + high) // 2
            low, high = (low, middle) if self._suffices(middle) else (middle, high)
        return high

    def _suffices(self, more: int) -> bool:
        return self.bets.detectable_mean(more) - self.excess <= self.wanted

    def test(self) -> ManyKeysTest:
        """Return what the releases say."""
        bets = self.bets
        power = max(bets.detectable_mean() - self.excess, self.level.delta)
        pair = self.crowd.neighbours(self.users, self.direction)
        return ManyKeysTest(
            level=self.level,
            alpha=self.alpha,
            neighbours=pair,
            direction=self.direction,
            keys=tuple(self.crowd.names(range(1))),
            users=self.users,
            releases=len(bets.users),
            shown=sum(bets.shown),
            chances=sum(bets.users),
            lower=bets.mean_lower(),
            other=self.other,
            power=power,
            together=bets.together,
            rejected=bets.rejected,
            log_capital=bets.largest_log_capital,
            lacking=0 if power <= self.wanted else self.lacking(),
        )


def many_keys_test(
    sampler: Sampler, promise: Promise, request: MechanismRequest, alpha: float, notes: list[str]
) -> ManyKeysTest | None:
    """Test the claim on releases of many keys of one user each; None where no key of many users is released.

    Args:
        sampler: draws; a target that fails on many keys ends the test, not the audit.
        promise: the claim, read at the level of an event that the neighbour never shows.
        request: directions, seed, releases at most, and the power asked for.
        alpha: false-alarm probability.
        notes: gets a line where the test does not apply, or is cut short.
    """
    run = Run(sampler, promise, request, alpha)
    with _small_releases_only(sampler):
        try:
            if not run.releases_popular_keys():
                notes.append(NOT_RELEASED)
                return None
            run.grow()
            run.go_on()
        except MisbehavedError as error:
            notes.append(f"with many keys it {error.what.name}: {error.what.detail}")
            if not run.batches:
                return None
        except BudgetSpentError:
            if not run.batches:
                return None
    return run.test()
