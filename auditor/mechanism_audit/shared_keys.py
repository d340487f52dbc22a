"""Guesses of who holds shared keys: tests counts and thresholds of a target too slow for counting.

A release of many shared keys gives as many chances to guess a user's fair coin. The statistics and the proof are in
`auditor.statistics.coin_guesses`; keys may depend on one another in any way. The test assumes only that invented data
are as private as the user's, which the claim says. It does not test events of several keys, of users beyond the
relation, or of data of another form: those need counting on pairs.

A key has one other user, as many as make the target release it, or four times as many. Earlier releases teach the rules
of guesses: a tail, or the values that are much likelier with the user than without.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from auditor.inputs.data import Rows
from auditor.mechanism_audit import one_sample
from auditor.mechanism_audit.many_keys import COUNTED, MORE_SECONDS, RELEASE_SECONDS, Crowd, small_releases_only
from auditor.mechanism_audit.one_sample import Exposed
from auditor.mechanism_audit.options import BUDGET_SECONDS
from auditor.mechanism_audit.result import real
from auditor.statistics.coin_guesses import CoinBets
from auditor.statistics.exact_tests import OneSampleTest
from auditor.statistics.seeds import block_generator, seed_of
from auditor.target.target import BudgetSpentError, MisbehavedError
from auditor.target.worker import EXCEPTION_PREFIX
from proofs_numeric.statements.neighbours import Direction, Neighbours

if TYPE_CHECKING:
    from auditor.black_box.audit import BlackBoxResult
    from auditor.mechanism_audit.promise import Level, Promise
    from auditor.mechanism_audit.request import MechanismRequest
    from auditor.mechanism_audit.sampler import Sampler
    from auditor.target.target import Batch

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Coins = NDArray[np.bool_]

ALPHA_SHARE = 0.1
"""Share of alpha of this test, where it applies; fixed before its releases are drawn."""
TIME_SHARE = 0.9
"""Share of the remaining CPU seconds."""
PROBE_USERS = (3, 10, 30, 100, 300)
"""Numbers of other users that are tried, in one release, for the smallest that makes the target release a key."""
PROBED_KEYS = 16
ABOVE = 4
"""Number of other users of the keys of the last group, as a multiple of the smallest number that releases a key."""
MOSTLY = 0.5
"""Share of the keys of a number of users that must be released."""
FIRST_KEYS, GROWTH = 64, 8
"""Shared keys of a group in the first release, and factor to the next number."""
MOST_ROWS = 2**18
"""Largest number of users over all keys."""
MOST_CELLS = 64
"""Largest number of cells of a released number in the rules of guesses."""
SURE = 2.0
"""Standard deviations by which a value must be likelier than the claim allows before it is guessed by itself."""
MOST_RELEASES = 1 << 12
RULES = 4
"""Rules of guesses of a group: two for a coin of 1, then two for a coin of 0."""
NOT_RELEASED = f"releases no key of {PROBE_USERS[-1]} users, so shared keys are not tested"


@dataclass(frozen=True)
class SharedKeysTest:
    """Result of the test by guesses of who holds shared keys.

    Attributes:
        level: tested (epsilon, delta).
        alpha: false-alarm probability.
        neighbours: data of the last release, with the first user's coin at 1 and at 0.
        others: numbers of other users of a key, one for each group of keys.
        keys: shared keys of a group in the last release.
        releases: number of releases.
        event: group and rule of most evidence, in words.
        direction: direction, in which P has the larger share of the event.
        rates: estimated probabilities of its event with and without the user.
        lower: lower bound on delta.
        power: smallest delta, approximately, that is refuted with probability .95 in an event of one key that is
            impossible on the neighbour; 1 if there is none.
        likely_power: the same for the likeliest event.
        rejected: whether the level is refuted.
        log_capital: natural logarithm of the capital.
        by_key: whether a key names each released number.
        lacking_seconds: CPU seconds of the further releases that the requested power takes; 0 if none.
    """

    level: Level
    alpha: float
    neighbours: Neighbours
    others: tuple[int, ...]
    keys: int
    releases: int
    event: str
    direction: Direction
    rates: tuple[float, float]
    lower: float
    power: float
    likely_power: float
    rejected: bool
    log_capital: float
    by_key: bool
    lacking_seconds: float

    @property
    def power_text(self) -> str:
        """Return the text on the power, with its assumption on wrong mechanisms."""
        releases = (
            f"{self.releases} releases of {len(self.others)} x {self.keys:,} keys shared by {self.users_text} users"
        )
        if not self.by_key:
            return f"{releases} do not name the keys of their numbers, so counts are not tested"
        if self.power >= 1:
            return f"{releases} are too few to test the count of such a key"
        power, likely = (real(number, down=False, digits=2) for number in (self.power, self.likely_power))
        more = "" if self.likely_power >= 1 else f", and >= {likely} in the likeliest event"
        return (
            f"{releases} would have found a delta >= {power} in an event of the count of one such key that is "
            f"impossible on the neighbour{more} (where keys are released independently)"
        )

    @property
    def users_text(self) -> str:
        """Return the numbers of other users as text."""
        *most, last = map(str, self.others)
        return f"{', '.join(most)} or {last}" if most else last

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as JSON, each rounded in its conservative direction."""
        return {
            "others": list(self.others),
            "keys": self.keys,
            "releases": self.releases,
            "delta_lower": real(self.lower, down=True),
            "power": real(self.power, down=False),
            "alpha": f"{self.alpha:.6g}",
        }

    def result(self) -> BlackBoxResult:
        """Return the result of a refutation."""
        test = OneSampleTest(math.exp(-self.log_capital), self.lower, self.power, self.rejected)
        exposed, event = Exposed(self.neighbours, self.direction, ()), f"{self.event} ({self.releases} releases)"
        result = one_sample.result_of(test, self.level, self.alpha, exposed, event, 0.0, self.releases, 0)
        left, right = self.rates
        return replace(result, event_left=left, event_right=right, epsilon_lower=self.level.epsilon)


@dataclass(frozen=True)
class Rules:
    """Rules of guesses in one group of keys.

    Attributes:
        edges: lower ends of the cells of a released number; a missing key has the first cell.
        picked: cells of each rule, (RULES, cells).
    """

    edges: Floats
    picked: Coins

    @classmethod
    def learn(cls, numbers: Floats, coins: Coins, epsilon: float) -> Rules:
        """Return the rules that earlier releases teach; without any, rules that guess nothing.

        For a coin of 1 and for a coin of 0, a rule takes the tail of largest excess, and another one takes the cells of
        clear excess.

        Args:
            numbers: released numbers, nan for a missing key.
            coins: coins of these keys.
            epsilon: claimed epsilon.
        """
        edges = np.unique(numbers[~np.isnan(numbers)])
        if len(edges) > MOST_CELLS:
            edges = np.unique(np.quantile(edges, np.arange(MOST_CELLS) / MOST_CELLS))
        cells = cls._cells(edges, numbers)
        counts = [np.bincount(cells[coins == coin], minlength=len(edges) + 2) for coin in (True, False)]
        picked, places = [], np.arange(len(edges) + 2)
        for side, other in (counts, counts[::-1]):
            excess = side - math.exp(epsilon) * other
            below, above = np.cumsum(excess), np.cumsum(excess[::-1])[::-1]
            tail = places <= below.argmax() if below.max() > above.max() else places >= above.argmax()
            picked += [
                tail & (max(below.max(), above.max()) > 0),
                excess > SURE * np.sqrt(side + math.exp(2 * epsilon) * other),
            ]
        return cls(edges, np.array(picked))

    @staticmethod
    def _cells(edges: Floats, numbers: Floats) -> Ints:
        places: Ints = 1 + np.searchsorted(edges, numbers, side="right")
        return np.where(np.isnan(numbers), 0, places)

    def picks(self, numbers: Floats, rule: int) -> Coins:
        """Return for each number whether a rule guesses its coin."""
        picked: Coins = self.picked[rule, self._cells(self.edges, numbers)]
        return picked

    def guesses(self, numbers: Floats, coins: Coins) -> Ints:
        """Return the guesses and the right guesses of each rule, (RULES, 2)."""
        made = self.picked[:, self._cells(self.edges, numbers)]
        right = np.array([coins, coins, ~coins, ~coins])
        return np.stack([made.sum(axis=1), (made & right).sum(axis=1)], axis=1)

    def event(self, rule: int) -> str:
        """Return the event of a rule in words."""
        if rule % 2:
            return "has one of some numbers"
        picked = self.picked[rule]
        if not picked[0]:
            first = int(picked.argmax())
            return f"is at least {self.edges[first - 2]:g}" if first > 1 else "is released"
        last = int(np.flatnonzero(picked)[-1])
        if last == 0:
            return "is missing"
        return f"is missing or below {self.edges[last - 1]:g}" if last < len(self.edges) + 1 else "is any"


class Run:
    """Releases of one test: a probe, growing numbers of keys, and as many as the requested power requires."""

    def __init__(self, sampler: Sampler, promise: Promise, request: MechanismRequest, alpha: float) -> None:
        (self.level,) = promise.levels
        self.sampler, self.promise, self.alpha = sampler, promise, alpha
        self.seed = seed_of(request.seed, "shared keys")
        self.required_delta = max(request.required_delta(self.level.delta), COUNTED)
        self.most_releases = request.samples or MOST_RELEASES
        self.crowd = Crowd(sampler, promise.adjacency, self.level.epsilon, self.seed)
        self.keys = 0
        self.by_key, self.seconds = True, 0.0
        self.start(())

    def start(self, others: tuple[int, ...]) -> None:
        """Begin bets on groups of keys with these numbers of other users."""
        self.others, self.last = others, np.zeros((0, 0), dtype=bool)
        self.bets = CoinBets(self.level.epsilon, self.level.delta, self.alpha, len(others), RULES)
        self.observations = [(np.zeros(0), np.zeros(0, dtype=bool)) for _ in others]
        self.rules: list[Rules] = []

    def data(self, others: tuple[int, ...], coins: Coins) -> tuple[Mapping[str, int], dict[str, int]]:
        """Return data of groups of shared keys, and the place of the coin of each shared key.

        Args:
            others: numbers of other users of a key, one for each group.
            coins: whether the user of a key holds it, (groups, keys).
        """
        crowd, each, per_key = self.crowd, self.crowd.each, self.promise.adjacency.per_key
        names, value = crowd.names(range(2 * coins.size)), self.sampler.values[1]
        counts: dict[str, int] = {}
        rows: list[tuple[str, str, float]] = []
        for place, coin in enumerate(coins.ravel().tolist()):
            shared = names[place * each : (place + 1) * each]
            others_of_user = (
                names[(coins.size + place) * each : (coins.size + place + 1) * each] if crowd.replaces else []
            )
            users, keys_of_user = others[place // coins.shape[1]], shared if coin else others_of_user
            if self.sampler.rows:
                rows += [(f"other {place} {i} {key}", key, value) for i in range(users) for key in shared]
                rows += [(f"user {place}", key, value) for key in keys_of_user for _ in range(per_key)]
                continue
            counts |= dict.fromkeys(shared, users)
            counts |= {key: counts.get(key, 0) + per_key for key in keys_of_user}
        places = {name: place // each for place, name in enumerate(names[: coins.size * each])}
        return Rows(rows) if self.sampler.rows else counts, places

    def numbers(self, batch: Batch, places: Mapping[str, int], size: int) -> Floats:
        """Return the released number of each coin's keys, their sum; 0 for a text with a key, nan for a missing key."""
        numbers = np.full(size, np.nan)
        shape = "" if batch.shapes is None or batch.shape_index is None else batch.shapes[int(batch.shape_index[0])]
        if shape.startswith(EXCEPTION_PREFIX):
            return numbers
        for name in self.crowd.names_in(shape):
            if name in places:
                numbers[places[name]] = 0.0
        for column, number in zip(batch.columns, batch.values[0].tolist(), strict=True):
            place = places.get(column, places.get(column.partition(".")[0]))
            if place is None:
                self.by_key &= math.isnan(number) or column in self.crowd
            elif not math.isnan(number):
                numbers[place] = number + np.nan_to_num(numbers[place])
        return numbers

    def most_released(self) -> int | None:
        """Return the smallest number of other users of which most keys are released; None if there is none."""
        most = self.sampler.most_users or MOST_ROWS
        others = tuple(users for users in PROBE_USERS if users * PROBED_KEYS <= most / len(PROBE_USERS))
        if not others:
            return None
        coins = np.ones((len(others), PROBED_KEYS), dtype=bool)
        data, places = self.data(others, coins)
        batch = self.sampler.batch(data, 1, self.seed, (0,))
        released = ~np.isnan(self.numbers(batch, places, coins.size)).reshape(coins.shape)
        return next((users for users, each in zip(others, released, strict=True) if each.mean() >= MOSTLY), None)

    def draw(self, keys: int) -> None:
        """Draw one release of `keys` shared keys of each group and add its guesses to the e-process."""
        clock, release = self.sampler.pace.clock, len(self.bets.coins)
        start = clock()
        coins = block_generator(self.seed, "coins", release).random((len(self.others), keys)) < 0.5
        data, places = self.data(self.others, coins)
        batch = self.sampler.batch(data, 1, self.seed, (1, release))
        self.seconds = clock() - start
        numbers = self.numbers(batch, places, coins.size).reshape(coins.shape)
        self.rules = [Rules.learn(*earlier, self.level.epsilon) for earlier in self.observations]
        self.bets.add(
            keys, np.array([rules.guesses(*new) for rules, *new in zip(self.rules, numbers, coins, strict=True)])
        )
        self.observations = [
            (np.concatenate([old, new]), np.concatenate([before, coin]))
            for (old, before), new, coin in zip(self.observations, numbers, coins, strict=True)
        ]
        self.keys, self.last = keys, coins

    def fits(self, keys: int) -> bool:
        """Return whether the audit may invent data of this number of shared keys."""
        rows = keys * sum(users + 1 for users in self.others) * self.crowd.each
        return rows <= (self.sampler.most_users or MOST_ROWS)

    def play(self, others: tuple[int, ...]) -> None:
        """Draw releases until the test decides, has the requested power, or time is over."""
        pace = self.sampler.pace
        pace.budget += MORE_SECONDS if pace.budget == BUDGET_SECONDS else 0.0
        limit, until = pace.limit(), pace.clock() + TIME_SHARE * pace.seconds()
        sizes = pace.limit(1)
        self.start(others)
        keys, step, first = FIRST_KEYS, 0, 0.0
        try:
            while not self.bets.rejected and len(self.bets.coins) < self.most_releases:
                if len(self.bets.coins) >= limit if limit is not None else pace.clock() >= until:
                    break
                self.draw(keys)
                first = first or self.seconds
                larger = first + GROWTH * max(0.0, self.seconds - first) <= first + RELEASE_SECONDS
                if (larger if sizes is None else step < sizes) and self.fits(GROWTH * keys):
                    keys, step = GROWTH * keys, step + 1
                elif limit is None and self.bets.detectable(0.0) <= self.required_delta:
                    break
        finally:
            pace.blocks += [len(self.bets.coins), step]

    def lacking_seconds(self) -> float:
        """Return the CPU seconds of the further releases that the requested power takes; infinite if out of reach."""
        more = 1
        while more < MOST_RELEASES and self.bets.detectable(0.0, more) > self.required_delta:
            more *= 2
        return more * self.seconds if more < MOST_RELEASES else math.inf

    def test(self) -> SharedKeysTest:
        """Return the result of the test."""
        bets = self.bets
        power = bets.detectable(0.0) if self.by_key else 1.0
        group, rule = bets.best
        numbers, coins = self.observations[group]
        picked = self.rules[group].picks(numbers, rule)
        with_user, without = (float(picked[coins == coin].mean()) if (coins == coin).any() else 0.0 for coin in (1, 0))
        return SharedKeysTest(
            level=self.level,
            alpha=self.alpha,
            neighbours=self.neighbours(),
            others=self.others,
            keys=self.keys,
            releases=len(bets.coins),
            event=f"the count of a key of {self.others[group]} other users {self.rules[group].event(rule)}",
            direction=Direction.FORWARD if rule < RULES // 2 else Direction.BACKWARD,
            rates=(with_user, without),
            lower=bets.delta_lower() if bets.rejected else 0.0,
            power=power,
            likely_power=bets.detectable(1.0) if self.by_key else 1.0,
            rejected=bets.rejected,
            log_capital=bets.largest_log_capital,
            by_key=self.by_key,
            lacking_seconds=0.0 if power <= self.required_delta else self.lacking_seconds(),
        )

    def neighbours(self) -> Neighbours:
        """Return the data of the last release with and without the user of the first key."""
        has, lacks = self.last.copy(), self.last.copy()
        has[0, 0], lacks[0, 0] = True, False
        left, right = (self.data(self.others, coins)[0] for coins in (has, lacks))
        return Neighbours(f"{self.last.size:,} shared keys, one user fewer", left, right)


def shared_keys_test(
    sampler: Sampler, promise: Promise, request: MechanismRequest, alpha: float, notes: list[str]
) -> SharedKeysTest | None:
    """Test the claim by guesses of who holds shared keys; None if the target releases no shared key.

    Args:
        sampler: source of the releases; a target that fails on many keys ends the test, not the audit.
        promise: the claim, with one level.
        request: seed, largest number of releases, and requested power.
        alpha: false-alarm probability.
        notes: notes of the audit; the function adds a note if the test does not apply or stops early.
    """
    run = Run(sampler, promise, request, alpha)
    with small_releases_only(sampler):
        try:
            users = run.most_released()
            if users is None:
                notes.append(NOT_RELEASED)
                return None
            run.play((1, users, ABOVE * users))
        except MisbehavedError as error:
            notes.append(f"with many shared keys it {error.what.name}: {error.what.detail}")
        except BudgetSpentError:
            pass
    return run.test() if run.keys else None
