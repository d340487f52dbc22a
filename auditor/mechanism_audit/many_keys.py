"""Releases of many single-user keys: tests delta of a threshold or partition selection for any source of noise.

Each release of G users, each alone in their keys, gives G chances to release a single user's key. The statistics and
the proof are in `auditor.statistics.many_keys`; keys may depend on one another in any way. Key names are random
(`random_names`), so the test assumes nothing about the keys that the target releases.

G starts at 1, so that gross violations give small neighbours and a cap on released keys becomes visible. G grows until
a release takes about a second, or until the claim allows a twentieth of a released key. Beyond this size, keys released
together count for less. The tests of all sizes form one e-process.
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
from auditor.mechanism_audit.sampler import PROBES
from auditor.statistics.exact_tests import OneSampleTest
from auditor.statistics.many_keys import ManyKeysBets
from auditor.statistics.seeds import block_generator, seed_of
from auditor.target.target import BudgetSpentError, MisbehavedError
from auditor.target.worker import EXCEPTION_PREFIX
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
"""Share of the remaining CPU seconds, if they suffice for the requested power."""
SHORT_TIME_SHARE = 0.1
"""Share of the remaining CPU seconds, if they do not suffice."""
GROWTH, GROWTH_OF_SLOW = 4, 16
"""Factor from one number of users to the next, and that of a slow target."""
EXPECTED_KEYS, EXPECTED_KEYS_OF_SLOW = 0.05, 5.0
"""Expected number of released keys under the claim from which the number of users stops growing. A release of a slow
target takes as long for one key as for many."""
RELEASE_SECONDS = 1.0
"""Largest number of CPU seconds of a release, beyond those of a release of one user."""
MOST_KEYS = 4**8
MOST_RELEASES = 2**20
HOPEFUL = 4.0
"""Largest ratio of the time for the requested power to the available time at which the test gets its full share."""
MORE_SECONDS = BUDGET_SECONDS
"""CPU seconds added to the default budget if the requested power requires them."""
COUNTED = 0.05
"""Delta that counting must detect on each pair if draws cannot be tilted and this test has the requested power. For
comparison: .01 on each of 21 pairs takes 460,000 releases, and engines give a few thousand per second. The verdict
states this delta."""
LOOK = 1.05
"""Ratio of releases between two computations of the power."""
BATCH, BATCHES_WHILE_GROWING = 4, 2
"""Releases of one request, and requests at each number of users but the last."""
BATCH_OF_JOBS = 16
"""Releases of one request that several processes share: one for each part of a request."""
PROBE_RELEASES = 4
TIGHTER = 0.5
"""Releases beyond those that refute, as a share of them: they raise the lower bound on delta."""
ROUNDING = 1e-9
"""Relative slack for float64."""
NOT_RELEASED = "never releases a key with a random name, so the test of keys with one user is left out"


@dataclass(frozen=True)
class ManyKeysTest:
    """Result of the test on releases of many single-user keys.

    Attributes:
        level: tested (epsilon, delta).
        alpha: false-alarm probability, with the share for the names.
        neighbours: datasets of the last releases, with a user and without.
        direction: direction, in which P has the user.
        keys: keys of that user.
        users: users in each of the last releases.
        releases: total number of releases.
        hits: number of users whose keys were released, out of `chances`.
        chances: total number of users over all releases.
        lower: lower bound on the mean probability that a user's key is released.
        other: largest probability of this event on the neighbour.
        power: smallest delta, approximately, that is refuted with probability .95; 1 if there is none.
        together: whether more keys are released together than independent keys would be.
        rejected: whether the level is refuted.
        log_capital: natural logarithm of the capital.
        lacking: further releases of `users` users required for the requested power; 0 if none.
        lacking_seconds: CPU seconds of these releases; infinite if they are out of reach.
    """

    level: Level
    alpha: float
    neighbours: Neighbours
    direction: Direction
    keys: tuple[str, ...]
    users: int
    releases: int
    hits: int
    chances: int
    lower: float
    other: float
    power: float
    together: bool
    rejected: bool
    log_capital: float
    lacking: int
    lacking_seconds: float

    @property
    def delta_lower(self) -> float:
        """Return the lower bound on delta at epsilon."""
        return max(0.0, self.lower - math.exp(self.level.epsilon) * self.other)

    @property
    def _size_text(self) -> str:
        return "one key of one user" if self.users == 1 else f"up to {self.users:,} keys of one user each"

    @property
    def power_text(self) -> str:
        """Return the text on the power, with its assumption on wrong mechanisms."""
        releases = f"{self.releases} releases of {self._size_text}"
        if self.power >= 1:
            return f"{releases} are too few to test the release of such a key"
        law = "scaled from the keys seen" if self.together else "where keys are released independently"
        power = real(self.power, down=False, digits=2)
        return f"{releases} would have found >= {power} in the release of such a key ({law})"

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as JSON, each rounded in its conservative direction."""
        return {
            "users": self.users,
            "releases": self.releases,
            "chances": self.chances,
            "released": self.hits,
            "delta_lower": real(self.delta_lower, down=True),
            "power": real(self.power, down=False),
            "alpha": f"{self.alpha:.6g}",
            "released_together": self.together,
        }

    def result(self) -> BlackBoxResult:
        """Return the result of a refutation; its neighbours differ by the keys of one user."""
        test = OneSampleTest(math.exp(-self.log_capital), self.delta_lower, self.power, self.rejected)
        which = "the key" if len(self.keys) == 1 else f"one of the {len(self.keys)} keys"
        event = (
            f"releases {which} of one user: {self.hits} of {self.chances:,} keys in {self.releases} releases, each of "
            f"{self._size_text}"
        )
        exposed = Exposed(self.neighbours, self.direction, self.keys)
        return one_sample.result_of(
            test, self.level, self.alpha, exposed, event, self.hits / self.chances, self.releases, 0
        )


def applies(sampler: Sampler, promise: Promise, request: MechanismRequest) -> bool:
    """Return whether the audit may invent keys and users, and one user may be added, removed or change keys."""
    keys = request.keys or sampler.target.public_partitions or promise.keys or sampler.looked_up or sampler.fixed_keys
    return request.searches and not keys and _relation(promise.adjacency) is not None


def _relation(adjacency: Adjacency) -> tuple[int, bool] | None:
    """Return the keys of one user, and whether they are changed rather than removed; None if neither is possible."""
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
    """Users of whom each is alone in their keys.

    Attributes:
        each: number of keys of one user.
        replaces: whether the neighbour has another user in place of the first.
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
        while len(self._owner) < users.stop * self.each:  # distinct, as the proof requires
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
        """Return the data of `users` users with and without the first user, as neighbours."""
        has, lacks = self.data(range(users)), self.data(range(1, users + self.replaces))
        name = f"{users:,} {'key' if users == 1 else 'keys'} of one user each, one key fewer" if self.each == 1 else (
            f"{users:,} users of {self.each} keys each, one user fewer"
        )  # fmt: skip
        return Neighbours(name, has, lacks) if direction is Direction.FORWARD else Neighbours(name, lacks, has)

    def fits(self, users: int) -> bool:
        """Return whether the audit may invent data of this number of users, and they have neighbours."""
        if users * self.each > MOST_KEYS or users > self._sampler.largest:
            return False
        pair = self.neighbours(users, Direction.FORWARD)
        return _are_neighbours(self._adjacency, pair.left, pair.right)

    def count_users(self, batch: Batch) -> list[int]:
        """Return for each release the number of users with a key anywhere in it; 0 if it raised."""
        if batch.shapes is None or batch.shape_index is None:
            places = [(place, self._owner[key]) for place, key in enumerate(batch.columns) if key in self._owner]
            present = ~np.isnan(batch.values)
            return [len({owner for place, owner in places if row[place]}) for row in present]
        counts = [
            0 if shape.startswith(EXCEPTION_PREFIX) else len({self._owner[name] for name in self.names_in(shape)})
            for shape in batch.shapes
        ]
        return [counts[place] for place in batch.shape_index.tolist()]

    def names_in(self, text: str) -> set[str]:
        """Return the names of keys anywhere in a text."""
        length = len(next(iter(self._owner)))
        runs = re.findall(rf"[a-z2-7]{{{length},}}", text)
        return {run[i : i + length] for run in runs for i in range(len(run) - length + 1)} & self._owner.keys()

    def __contains__(self, name: str) -> bool:
        return name in self._owner


@contextmanager
def small_releases_only(sampler: Sampler) -> Iterator[None]:
    """Restore the sampler's records of speed and width afterwards, so that large releases do not count."""
    pace = sampler.pace
    before = sampler.release_count, sampler.seconds, sampler.width, pace.computed
    try:
        yield
    finally:
        sampler.release_count, sampler.seconds, sampler.width, pace.computed = before


class Run:
    """Releases of one test: probes, growing numbers of users, and as many as the requested power requires."""

    def __init__(self, sampler: Sampler, promise: Promise, request: MechanismRequest, alpha: float) -> None:
        self.sampler, self.level = sampler, promise.never
        self.required_delta = request.required_delta(self.level.delta)
        self.seed = seed_of(request.seed, "many keys")
        self.crowd = Crowd(sampler, promise.adjacency, self.level.epsilon, self.seed)
        self.direction, self.alpha = request.directions[0], alpha
        self.other = largest_probability(self.crowd.each, self.level.epsilon, PAID_SHARE * alpha)
        allowed = (self.level.delta + math.exp(self.level.epsilon) * self.other) * (1 + ROUNDING)
        self.bets = ManyKeysBets(min(allowed, 1 - ROUNDING), (1 - PAID_SHARE) * alpha)
        self.most_releases = request.samples or MOST_RELEASES
        self.batch_size = BATCH_OF_JOBS if sampler.target.jobs else 1 if sampler.slow else BATCH
        self.growth = GROWTH_OF_SLOW if sampler.slow else GROWTH
        self.batches = self.users = 0
        self.release_seconds = 0.0

    def releases_popular_keys(self) -> bool:
        """Return whether a key of many users is released under its name; counts grow until an answer is slow."""
        pace, sampler = self.sampler.pace, self.sampler
        limit, probes, is_released = pace.limit(), 0, False
        counts = sorted({min(count, sampler.largest) for count in PROBES})
        for count in counts if limit is None else counts[:limit]:
            batch = sampler.batch(self.crowd.popular(count), PROBE_RELEASES, self.seed, (0, count))
            probes, is_released = probes + 1, any(self.crowd.count_users(batch))
            if is_released or (limit is None and sampler.slow_at_the_next(batch)):
                break
        pace.blocks.append(probes)
        return is_released

    def draw(self, users: int) -> None:
        """Draw one request of releases of `users` users and add them to the e-process."""
        clock = self.sampler.pace.clock
        start, data = clock(), self.crowd.data(range(users))
        batch = self.sampler.batch(data, self.batch_size, self.seed, (1, self.batches))
        for count in self.crowd.count_users(batch):
            self.bets.add(users, count)
        self.batches, self.users = self.batches + 1, users
        self.release_seconds = (clock() - start) / self.batch_size

    def grow(self) -> None:
        """Draw releases of growing numbers of users."""
        pace = self.sampler.pace
        limit, step, first = pace.limit(), 0, 0.0
        try:
            while True:
                for _ in range(BATCHES_WHILE_GROWING):
                    self.draw(self.growth**step)
                first = first or self.release_seconds
                seconds = first + self.growth * max(0.0, self.release_seconds - first)
                larger = seconds <= first + RELEASE_SECONDS if limit is None else step < limit
                if not larger or self._enough() or not self.crowd.fits(self.growth ** (step + 1)):
                    break
                step += 1
        finally:
            pace.blocks.append(step)

    def _enough(self) -> bool:
        """Return whether more users per release would give no more evidence."""
        bets = self.bets
        enough = EXPECTED_KEYS if not self.sampler.slow else EXPECTED_KEYS_OF_SLOW
        return bets.rejected or len(bets.users) >= self.most_releases or self.users * bets.allowed > enough

    def go_on(self) -> None:
        """Draw releases of equally many users until the test decides, has the requested power, or time is over."""
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
                    if bets.detectable_mean() - self.excess <= self.required_delta:
                        break
                self.draw(self.users)
                if not decided and bets.rejected:
                    decided, most = True, self._tightened(most)
        finally:
            pace.blocks.append(self.batches - before)

    def _tightened(self, most: int) -> int:
        return min(most, math.ceil((1 + TIGHTER) * len(self.bets.users)))

    @property
    def excess(self) -> float:
        """Return the probability of the event that the claim allows in addition to delta."""
        return math.exp(self.level.epsilon) * self.other

    def lacking(self) -> int:
        """Return the further releases required for the power; at least `MOST_RELEASES` if out of reach."""
        low, high = 0, 1
        while high < MOST_RELEASES and not self._suffices(high):
            low, high = high, 2 * high
        while high - low > max(1, high // 16):
            middle = (low + high) // 2
            low, high = (low, middle) if self._suffices(middle) else (middle, high)
        return high

    def _suffices(self, more: int) -> bool:
        return self.bets.detectable_mean(more) - self.excess <= self.required_delta

    def test(self) -> ManyKeysTest:
        """Return the result of the test."""
        bets = self.bets
        power = max(bets.detectable_mean() - self.excess, self.level.delta)
        lacking = 0 if power <= self.required_delta else self.lacking()
        pair = self.crowd.neighbours(self.users, self.direction)
        return ManyKeysTest(
            level=self.level,
            alpha=self.alpha,
            neighbours=pair,
            direction=self.direction,
            keys=tuple(self.crowd.names(range(1))),
            users=self.users,
            releases=len(bets.users),
            hits=sum(bets.released_counts),
            chances=sum(bets.users),
            lower=bets.mean_lower(),
            other=self.other,
            power=power,
            together=bets.together,
            rejected=bets.rejected,
            log_capital=bets.largest_log_capital,
            lacking=lacking,
            lacking_seconds=math.inf if lacking >= MOST_RELEASES else lacking * self.release_seconds,
        )


def many_keys_test(
    sampler: Sampler, promise: Promise, request: MechanismRequest, alpha: float, notes: list[str]
) -> ManyKeysTest | None:
    """Test the claim on releases of many single-user keys; None if not even a key of many users is released.

    Args:
        sampler: source of the releases; a target that fails on many keys ends the test, not the audit.
        promise: the claim, read at the level for an event that is impossible on the neighbour.
        request: directions, seed, largest number of releases, and requested power.
        alpha: false-alarm probability.
        notes: notes of the audit; the function adds a note if the test does not apply or stops early.
    """
    run = Run(sampler, promise, request, alpha)
    with small_releases_only(sampler):
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
