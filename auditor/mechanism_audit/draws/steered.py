"""Test of a key that the neighbour lacks, at delta = 1e-12: releases with tilted draws and their likelihood ratios.

The event E is "a key that the neighbour lacks is in the release". Its probability is the mean of the nonnegative w 1_E
over tilted releases (`auditor.target.draws.steering`). An e-process bounds it from below at every time
(`auditor.statistics.nonnegative`), for every choice of tilts. Nothing is estimated on the neighbour. Q(E) is 0 if the
target declares that it releases only keys of its input. Otherwise the key gets a random name (`random_names`) that the
neighbour's input lacks. Q(E) is then at most tau, except with a probability that is taken from alpha. A lower bound on
P(E) above delta + e^epsilon tau refutes (epsilon, delta). The test uses a delta larger by SLACK, and at least SMALLEST,
to cover float64 and the tails of NumPy's generators.

The ratio of a release covers its own draws. A target may keep draws for a later release, whose ratio does not include
them. Before a refutation, the releases of largest weight must therefore recur in a new process, each after untilted
releases. The first of them can meet no tilted draw but its own, however long draws are kept.

A pilot stream finds the tilts by the cross-entropy method (Rubinstein & Kroese 2004). Single coordinates are tilted
with growing strength until the key is released. The successful tilts are refined, each alone (for one of several keys)
and all at once (for sums of noise). Each refinement moves a tilt to the weighted mean level of the hits. If no single
draw releases the key, alike draws share a tilt, learnt at larger counts of the key (`alike`).
This method comes first if the number of draws varies between releases. The decision rests on fresh releases. The test
uses neither released values nor keys that both sides hold.
"""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from auditor.inputs.data import renamed
from auditor.mechanism_audit import one_sample
from auditor.mechanism_audit.draws import alike
from auditor.mechanism_audit.random_names import PAID_SHARE, largest_probability, random_name
from auditor.mechanism_audit.result import real
from auditor.mechanism_audit.sampler import LOGGING, PROBES, has_key
from auditor.statistics.betting import log_sum_exp
from auditor.statistics.exact_tests import OneSampleTest
from auditor.statistics.nonnegative import best_growth, detectable_mean, log_capital, mean_lower
from auditor.statistics.seeds import block_generator, seed_of
from auditor.target.target import BudgetSpentError
from proofs_numeric.statements.neighbours import Direction, Neighbours

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from auditor.black_box.audit import BlackBoxResult
    from auditor.mechanism_audit.draws.alike import Tables
    from auditor.mechanism_audit.one_sample import Exposed
    from auditor.mechanism_audit.promise import Level
    from auditor.mechanism_audit.sampler import Sampler
    from auditor.target.target import Batch

Floats = NDArray[np.float64]

ALPHA_SHARE = 0.1
"""Share of alpha of these tests, if draws can be tilted; fixed before the first draw."""
TIME_SHARE = 0.25
"""Share of the remaining CPU seconds for these tests."""
RARE = 1e-3
"""Delta to detect from which counting suffices."""
SLACK = 0.01
SMALLEST = 1e-13
"""Smallest delta; below it, NumPy's doubles deviate from their law by more than the slack."""

BASE = 0.1
"""Share of releases without a tilt: no weight exceeds its inverse."""
LADDER = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0)
"""Strengths at which single coordinates are tilted until the key is released."""
STRONGER = 2.0
"""Multiple of the successful strength at which the decisive coordinates are identified."""
MOST_COORDINATES = 16
MOST_KEYS = 8
"""Largest number of keys of the event; their draws are among the coordinates."""
LOOKS, FEW = 16, 4
"""Releases in which the draws are logged, and releases that search for a key at a larger count."""
FOR_EACH = 48
"""Releases for each tilt of a coordinate."""
MIN_OUTPUT_SHARE = 0.04
"""Share of releases with the key at which the search ends."""
PROBE, OFTEN = 128, 0.03
"""Releases that search for a key at a larger count, and the share with the key from which tables are learnt."""
LARGE = 8192
"""Releases of a key at a count smaller by 1 if the key is rare there."""
SOME = 3
"""Smallest number of hits among them from which tables are learnt."""
FINELY = 16
"""Divisor of the range of counts that gives the resolution of the bisection over it."""
PATIENCE = 6
"""Largest number of rounds in which a count stays."""
MIN_SHARE_OF_BEST = 0.2
"""Share of the best tilt's hits from which another tilt is kept."""
ROUNDS, ROUND = 5, 512
"""Rounds of the cross-entropy method, and releases in each."""
FEWEST = 8
"""Smallest number of hits from which a tilt is learnt."""
WEAK = 0.05
"""Strength below which a coordinate is not tilted."""
MOST_STRENGTH = 80.0
BLOCK = 512
MOST_RELEASES = 2**16
LOOK = 1.1
"""Ratio of releases between two evaluations of the e-process."""
DRAWS_NOTHING = "draws no number that can be tilted from its generator in most releases"
SHOWS_NOTHING = "releases no key that the neighbour lacks under any tilt that was found"
KEEPS = "keeps draws for later releases, so tilted draws affect releases that did not draw them"
"""Reason why tilted draws give no result."""
ALONE, BETWEEN = 16, 64
"""Releases that are drawn again before a refutation; untilted releases before the first, with one more before each
further."""


class Address(NamedTuple):
    """One number of one draw: place (file:line), method, index of the call from there, position in the array."""

    site: str
    method: str
    order: int
    position: int


@dataclass(frozen=True)
class Plan:
    """A mixture of tilts; the first component has none.

    Attributes:
        shares: weights of the components, sum 1.
        tilts: strength by coordinate, for each component.
        beyond: whether normal variables are tilted beyond a point instead of shifted.
        tables: tables of alike draws in the last component; None if alike draws are not recorded.
    """

    shares: tuple[float, ...]
    tilts: tuple[Mapping[Address, float], ...]
    beyond: bool = False
    tables: Tables | None = None

    @staticmethod
    def by(tables: Tables) -> Plan:
        """Return the plan of a component in which alike draws follow tables."""
        return replace(Plan.of([{}]), tables=tables)

    @staticmethod
    def of(tilts: Sequence[Mapping[Address, float]], shares: Sequence[float] | None = None) -> Plan:
        """Return the plan of these components and an untilted one, weighted by `shares` or evenly."""
        parts = np.ones(len(tilts)) if shares is None else np.asarray(shares)
        weights = (1.0 - BASE) * parts / parts.sum() if len(tilts) else parts
        return Plan((1.0 - float(weights.sum()), *weights.tolist()), ({}, *tilts))

    def stronger(self) -> Plan:
        """Return the plan with tilts of twice the strength."""
        doubled = (
            {a: max(-MOST_STRENGTH, min(2.0 * t, MOST_STRENGTH)) for a, t in each.items()} for each in self.tilts
        )
        return replace(self, tilts=tuple(doubled))

    @property
    def coordinates(self) -> tuple[Address, ...]:
        """Return all coordinates that a component tilts, in the order of the levels that the child reports."""
        return tuple(dict.fromkeys(address for component in self.tilts for address in component))

    def to_json(self) -> dict[str, Any]:
        """Return the plan as JSON for the child."""
        tilts = [[[list(address), t] for address, t in each.items()] for each in self.tilts]
        return {"shares": list(self.shares), "tilts": tilts, "beyond": self.beyond, "tables": self.tables}


@dataclass(frozen=True, eq=False)
class Shot:
    """Tilted releases, and whether each is in the event.

    Attributes:
        plan: plan of the releases.
        hits: (n,), valid releases in the event.
        weights: (n,), likelihood ratios f / q.
        parts: (n, M), posterior probability of each component.
        levels: (n, C, 2), levels of each coordinate, upwards and downwards; NaN if not drawn.
        alike: for each release, the kinds of its draws and their cells, if the plan has tables.
    """

    plan: Plan
    hits: NDArray[np.bool_]
    weights: Floats
    parts: Floats
    levels: Floats
    alike: Sequence[Sequence[tuple[Sequence[Any], Sequence[int]]]] = ()

    @property
    def values(self) -> Floats:
        """Return the variables w 1_E, (n,)."""
        return np.where(self.hits, self.weights, 0.0)

    @staticmethod
    def of(plan: Plan, batch: Batch, hits: NDArray[np.bool_]) -> Shot:
        """Return the releases of a plan, with the event `hits`."""
        assert batch.steered is not None  # noqa: S101 - a plan was given
        logs = batch.steered.log_ratios + np.log(plan.shares)
        total = log_sum_exp(logs, axis=1)
        levels = batch.steered.levels.reshape(len(hits), len(plan.coordinates), 2)
        parts = np.exp(logs - total[:, None])
        return Shot(plan, hits & batch.steered.valid, np.exp(-total), parts, levels, batch.steered.alike)


@dataclass(frozen=True)
class SteeredTest:
    """Result of importance sampling on one pair.

    Attributes:
        exposed: pair with its keys as renamed; no keys if the event concerns none.
        event: predicate of a release.
        epsilon: claimed epsilon.
        lower: lower bound on the probability of the event.
        estimate: unbiased estimate of this probability.
        power: probability of the event, approximately, that is refuted with probability .95; 1 if there is none.
        level: false-alarm probability.
        log_capital: natural logarithm of the capital against the claimed delta.
        rejected: whether the level is refuted.
        samples: number of deciding releases.
        blocks: number of blocks, including the pilot stream.
        other: upper bound on the neighbour's probability of the event.
        plan: tilts.
    """

    exposed: Exposed
    event: str
    epsilon: float
    lower: float
    estimate: float
    power: float
    level: float
    log_capital: float
    rejected: bool
    samples: int
    blocks: int
    other: float
    plan: Plan

    @property
    def delta_lower(self) -> float:
        """Return the lower bound on delta at epsilon."""
        return max(0.0, self.lower - math.exp(self.epsilon) * self.other)

    @property
    def tilted(self) -> str:
        """Return the places of the most frequently tilted draws."""
        if self.plan.tables:
            return ", ".join(dict.fromkeys(f"{method} at {site}" for (site, method, *_), _masses in self.plan.tables))
        shares = zip(self.plan.shares[1:], self.plan.tilts[1:], strict=True)
        _share, tilts = max(shares, key=lambda part: part[0])
        return ", ".join(dict.fromkeys(f"{address.method} at {address.site}" for address in tilts))

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as JSON, each rounded in its conservative direction."""
        return {
            "pair": self.exposed.pair.id,
            "direction": self.exposed.direction.value,
            "event": self.event,
            "delta_lower": real(self.delta_lower, down=True),
            "delta_estimate": f"{self.estimate - math.exp(self.epsilon) * self.other:.3g}",
            "power": real(self.power, down=False),
            "alpha": f"{self.level:.6g}",
            "samples": self.samples,
            "tilted": self.tilted,
        }


def unguessable(exposed: Exposed, seed: int, epsilon: float) -> Exposed:
    """Return the pair with random names for the keys that one side lacks."""
    names = {key: random_name(block_generator(seed, "name", exposed.pair.id, key), epsilon) for key in exposed.keys}
    left, right = (renamed(side, names) for side in (exposed.pair.left, exposed.pair.right))
    return replace(exposed, pair=Neighbours(exposed.pair.id, left, right), keys=tuple(names.values()))


def most_allowed(level: Level, other: float) -> float:
    """Return the upper bound on the event's probability under the level, if the neighbour's is at most `other`."""
    return max(level.delta, SMALLEST) * (1.0 + SLACK) + math.exp(level.epsilon) * other


class UnsteeredError(Exception):
    """Tilted draws give no result for a target. Causes: no draw of a known law, no tail, or kept draws."""


class OverError(Exception):
    """The share of the time is spent, or the blocks of the replayed audit are drawn."""


class Steering:
    """Source of tilted releases of one pair, with a count of its blocks."""

    def __init__(
        self,
        sampler: Sampler,
        exposed: Exposed,
        seed: int,
        seconds: float,
        ahead: int = 0,
        *,
        unguessable: bool = False,
    ) -> None:
        self.sampler, self.exposed, self.seed, self.unguessable = sampler, exposed, seed, unguessable
        self.limit, self.until = sampler.pace.limit(ahead), sampler.pace.clock() + seconds
        self.blocks = 0

    def batch(self, plan: Mapping[str, Any], n: int, count: int | None = None) -> Batch:
        """Return the next block, with `count` as the count of the keys if it is given."""
        sampler = self.sampler
        cost = n * (sampler.steered_seconds or sampler.release_seconds)
        if self.blocks >= self.limit if self.limit is not None else sampler.pace.clock() + cost >= self.until:
            raise OverError
        batch = self._block(self.blocks, plan, n, count)
        self.blocks += 1
        return batch

    def _block(self, number: int, plan: Mapping[str, Any], n: int, count: int | None = None) -> Batch:
        seed = seed_of(self.seed, "steered", self.exposed.pair.id, self.exposed.direction.value, number)
        histogram = self.exposed.histogram
        if count is not None:
            histogram = {**histogram, **dict.fromkeys(self.exposed.keys, count)}
        return self.sampler.batch(histogram, n, seed, plan=plan)

    def find_event(self, batch: Batch) -> NDArray[np.bool_]:
        """Return which releases have a key, (n,); a random name counts inside a longer text too."""
        return has_key(batch, self.exposed.keys, within=self.unguessable)

    def shown_at(self) -> int | None:
        """Return a count at which the target releases the key, None if none; counts grow until one is slow.

        The time of rows grows with their number, so the next count is left out if it would be slow.
        """
        for count in dict.fromkeys(map(self.sampler.limited, PROBES)):
            batch = self.batch(Plan.of([]).to_json(), FEW, count)
            if self.find_event(batch).any():
                return count
            if self.sampler.slow_at_the_next(batch):
                return None
        return None

    def shoot(self, plan: Plan, n: int, count: int | None = None) -> Shot:
        """Return a block of releases under a plan; with another count, they serve for learning only."""
        batch = self.batch({**plan.to_json(), "once": count is not None}, n, count)
        return Shot.of(plan, batch, self.find_event(batch))

    def stands_alone(self, plan: Plan, values: Floats, event: Callable[[Batch], NDArray[np.bool_]]) -> bool:
        """Return whether the releases of largest weight, from a plan's last blocks, recur in a new process.

        Each follows untilted releases there, one more before each. Draws kept for this number of releases are then
        untilted.
        """
        blocks = values.reshape(-1, BLOCK)
        heaviest = int(blocks.sum(axis=1).argmax())
        heaviest_block = blocks[heaviest]
        chosen = [place for place in np.argsort(-heaviest_block)[:ALONE].tolist() if heaviest_block[place] > 0]
        alone = {**plan.to_json(), "alone": chosen, "between": BETWEEN}
        self.sampler.target.close()
        batch = self._block(self.blocks - len(blocks) + heaviest, alone, len(chosen))
        again = Shot.of(plan, batch, event(batch)).values
        return bool((again == heaviest_block[chosen]).all())

    def coordinates(self) -> tuple[list[Address], bool]:
        """Return the first coordinates that most releases draw, and whether all releases draw equally many numbers."""
        batch = self.batch(LOGGING, LOOKS)
        assert batch.steered is not None  # noqa: S101 - as above
        counts: dict[Address, int] = {}
        for draws in batch.steered.logged:
            for site, method, order, size, _parameters in draws:
                for position in range(min(size, MOST_COORDINATES)):
                    address = Address(site, method, order, position)
                    counts[address] = counts.get(address, 0) + 1
        addresses = [address for address, times in counts.items() if 2 * times >= LOOKS][:MOST_COORDINATES]
        return addresses, len({sum(draw[3] for draw in draws) for draws in batch.steered.logged}) <= 1

    def by_levels(self, shown_at: int) -> list[Shot]:
        """Return releases of the key at its own count, under tables that are learnt at decreasing counts.

        Errors:
            UnsteeredError: no draws are alike, or the count cannot be lowered further.
        """
        least = self.exposed.histogram[self.exposed.keys[0]]
        plan, count, failures, shots = Plan.by(()), shown_at, 0, list[Shot]()
        while len(shots) < ROUNDS:
            lower, shot = self.lowered(plan, least, count), None
            if lower == count > least:
                trial = self.shoot(plan, LARGE, count - 1)
                failures += 1
                if trial.hits.sum() >= SOME:
                    lower, shot, failures = count - 1, trial, 0
            count = lower
            if shot is None:
                shot = self.shoot(plan, ROUND, None if count == least else count)
                shots += [shot] if count == least else []
            plan = Plan.by(alike.tables(shot.alike, shot.values))
            if not any(shot.alike):
                raise UnsteeredError(DRAWS_NOTHING)
            if failures > PATIENCE or not (plan.tables or shots):
                raise UnsteeredError(SHOWS_NOTHING)
        return shots

    def lowered(self, plan: Plan, least: int, count: int) -> int:
        """Return about the smallest count from `least` to `count` at which a plan often releases the key."""
        if count == least or self.often(plan, least):
            return least
        low = least + 1
        while count - low > (count - least) // FINELY:
            middle = (low + count) // 2
            low, count = (low, middle) if self.often(plan, middle) else (middle + 1, count)
        return count

    def often(self, plan: Plan, count: int) -> bool:
        """Return whether a plan releases a key of a count often enough for learning."""
        return bool(self.shoot(plan, PROBE, count).hits.mean() >= OFTEN)

    def by_singles(self, coordinates: Sequence[Address]) -> list[Shot]:
        """Return releases under refined tilts of single coordinates and of all at once; empty if no tilt is needed.

        Errors:
            UnsteeredError: no tilt releases the key.
        """
        singles, shots = self.tilts(coordinates), list[Shot]()
        designs = [[dict([single]) for single in singles]] if singles else []
        joint = dict(singles)
        if 1 < len(joint) == len(singles):
            designs.append([{address: t / len(joint) for address, t in joint.items()}])
        for design in designs:
            plan = Plan.of(design)
            for _ in range(ROUNDS):
                shots.append(self.shoot(plan, ROUND))
                plan = refined(shots[-1])
        return shots

    def tilts(self, coordinates: Sequence[Address]) -> list[tuple[Address, float]]:
        """Return the single tilts that release the key; empty if it is released without a tilt.

        Errors:
            UnsteeredError: there is nothing to tilt, or no tilt releases the key.
        """
        if not coordinates:
            raise UnsteeredError(DRAWS_NOTHING)
        for strength in LADDER:
            singles, rates = self.rates(coordinates, strength)
            if rates[0] >= MIN_OUTPUT_SHARE:
                return []
            if rates.max() >= MIN_OUTPUT_SHARE:
                # among draws with joint effect, chance hits come first; a stronger tilt reveals the rest
                _stronger, stronger_rates = self.rates(coordinates, STRONGER * strength)
                return [
                    single
                    for single, rate in zip(singles, stronger_rates[1:], strict=True)
                    if rate >= MIN_SHARE_OF_BEST * stronger_rates.max()
                ]
        raise UnsteeredError(SHOWS_NOTHING)

    def rates(self, coordinates: Sequence[Address], strength: float) -> tuple[list[tuple[Address, float]], Floats]:
        """Return the tilts of single coordinates, up and down, and the share of hits of each, untilted first."""
        singles = [(address, sign * strength) for address in coordinates for sign in (1.0, -1.0)]
        shot = self.shoot(Plan.of([dict([single]) for single in singles]), FOR_EACH * len(singles))
        return singles, shot.parts.T @ shot.hits / np.maximum(shot.parts.sum(axis=0), 1.0)

    def plan(self) -> Plan | None:
        """Return the pilot stream's plan of largest growth; None if the key is not found or needs no tilt.

        Errors:
            UnsteeredError: there is nothing to tilt, or no tilt releases the key.
        """
        shown_at = self.shown_at()
        if shown_at is None:
            return None
        coordinates, same = self.coordinates()
        ways = [partial(self.by_singles, coordinates), partial(self.by_levels, shown_at)]
        error, shots = UnsteeredError(DRAWS_NOTHING), list[Shot]()
        for way in ways if same else reversed(ways):
            try:
                shots = way()
                break
            except UnsteeredError as found:
                error = found if error.args == (DRAWS_NOTHING,) else error
        else:
            raise error
        informative = [shot for shot in shots if shot.hits.sum() >= FEWEST]
        if not informative:
            if shots:
                raise UnsteeredError(SHOWS_NOTHING)
            return None
        against = 0.5 * max(float(shot.values.mean()) for shot in informative)
        return max(informative, key=lambda shot: best_growth(shot.values, against)).plan


def refined(shot: Shot) -> Plan:
    """Return the plan with tilts at the mean levels of the hits: one step of the cross-entropy method.

    With few hits, which may be chance hits of the ladder, the tilts are doubled instead.
    """
    if shot.hits.sum() < FEWEST:
        return shot.plan.stronger()
    places = {address: place for place, address in enumerate(shot.plan.coordinates)}
    masses = shot.values[:, None] * shot.parts
    tilts, shares = [], []
    for component, mass in zip(shot.plan.tilts[1:], masses.T[1:], strict=True):
        moved = {}
        for address, strength in component.items():
            levels = shot.levels[:, places[address], 0 if strength > 0 else 1]
            present = ~np.isnan(levels)
            weights = mass[present]
            level = float(weights @ levels[present] / weights.sum()) if weights.sum() > 0 else abs(strength) + 1.0
            if level - 1.0 > WEAK:
                moved[address] = math.copysign(min(level - 1.0, MOST_STRENGTH), strength)
        if moved:
            tilts.append(moved)
            shares.append(max(float(mass.sum()), WEAK * float(masses.sum())))
    return Plan.of(tilts, shares) if tilts else shot.plan


def steered_test(
    sampler: Sampler, exposed: Exposed, level: Level, alpha: float, seed: int, delta: float, *, declared: bool
) -> SteeredTest | None:
    """Test a level on one exposed pair by importance sampling; None if there is no result.

    Args:
        sampler: source of the releases.
        exposed: pair, direction and the keys that the neighbour lacks.
        level: claimed (epsilon, delta).
        alpha: false-alarm probability, with the share for the name.
        seed: seed of separate streams.
        delta: delta that must be detectable.
        declared: whether the target declares to release only keys of its input; otherwise the keys are renamed.

    Errors:
        UnsteeredError: there is nothing to tilt, or the refuting releases do not depend on their own draws alone.
    """
    pace = sampler.pace
    exposed = replace(exposed, keys=exposed.keys[:MOST_KEYS])
    target = exposed if declared else unguessable(exposed, seed, level.epsilon)
    other = 0.0 if declared else largest_probability(len(exposed.keys), level.epsilon, PAID_SHARE * alpha)
    allowed = most_allowed(level, other)
    share = alpha if declared else (1.0 - PAID_SHARE) * alpha
    steering = Steering(sampler, target, seed, TIME_SHARE * pace.seconds(), unguessable=not declared)
    plan = None
    try:
        with contextlib.suppress(OverError, BudgetSpentError):
            plan = steering.plan()
        bets = None if plan is None else bet_on(lambda: steering.shoot(plan, BLOCK).values, allowed, share, delta)
    finally:
        pace.blocks.append(steering.blocks)
    if plan is None or bets is None:
        return None
    if bets.rejected and not steering.stands_alone(plan, bets.values, steering.find_event):
        raise UnsteeredError(KEEPS)
    event = f"releases {' or '.join(target.keys)}"
    return replace(bets.test(target, event, level, other, steering.blocks, plan), level=alpha)


@dataclass(frozen=True, eq=False)
class Bets:
    """Values w 1_E of fresh releases, and the log-capital against "their mean is at most `allowed`"."""

    values: Floats
    log_capital: float
    allowed: float
    alpha: float

    @property
    def rejected(self) -> bool:
        """Return whether the capital refutes the hypothesis."""
        return self.log_capital >= -math.log(self.alpha)

    def test(self, exposed: Exposed, event: str, level: Level, other: float, blocks: int, plan: Plan) -> SteeredTest:
        """Return the result for an event that the neighbour has with probability at most `other`."""
        most = math.exp(level.epsilon) * other
        return SteeredTest(
            exposed=exposed,
            event=event,
            epsilon=level.epsilon,
            lower=mean_lower(self.values, self.alpha),
            estimate=float(self.values.mean()),
            power=max(detectable_mean(self.values, self.allowed, self.alpha) - most, level.delta),
            level=self.alpha,
            log_capital=self.log_capital,
            rejected=self.rejected,
            samples=len(self.values),
            blocks=blocks,
            other=other,
            plan=plan,
        )


def bet_on(shoot: Callable[[], Floats], allowed: float, alpha: float, required_mean: float) -> Bets | None:
    """Test blocks of values until rejection or until the power suffices; None without a block.

    Args:
        shoot: draws a block.
        allowed: largest mean under the hypothesis.
        alpha: false-alarm probability.
        required_mean: mean that must be detectable.
    """
    values, capital, look_size = np.empty(0), -math.inf, 0
    with contextlib.suppress(OverError, BudgetSpentError):
        while len(values) < MOST_RELEASES:
            values = np.append(values, shoot())
            if len(values) < LOOK * look_size:
                continue
            look_size, capital = len(values), float(log_capital(values, allowed).max())
            if capital >= -math.log(alpha) or detectable_mean(values, allowed, alpha) <= required_mean:
                break
    if look_size < len(values):
        capital = float(log_capital(values, allowed).max())
    return Bets(values, capital, allowed, alpha) if len(values) else None


def result_of_test(test: SteeredTest, level: Level) -> BlackBoxResult:
    """Return the result of a refutation by importance sampling."""
    sampled = OneSampleTest(math.exp(-test.log_capital), test.delta_lower, test.power, test.rejected)
    result = one_sample.result_of(
        sampled, level, test.level, test.exposed, test.event, test.estimate, test.samples, test.blocks
    )
    beyond = test.lower - level.delta
    epsilon = math.log(beyond / test.other) if test.other > 0 and beyond > 0 else result.epsilon_lower
    copy = replace(result, epsilon_lower=epsilon, log_wealth=test.log_capital)
    if test.exposed.direction is Direction.FORWARD:
        return replace(copy, event_right=test.other)
    return replace(copy, event_left=test.other)
