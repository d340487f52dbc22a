"""Test of a value with Gaussian noise that both neighbours release, at delta = 1e-12, by importance sampling.

The sum T of the released numbers of the changed keys, or of all numbers if none has the name of such a key, depends
linearly on the normal draws z of the release: T = <a, z> + r. A pilot stream gives a and r by least squares.
P(T >= v) is the mean of w 1{T >= v} over tilted releases. An e-process bounds it from below, for every a and r. If the
neighbour's T reaches v only with <a, z> >= edge, then

    Q(T >= v) <= Q(<a, z> >= edge) = 1 - Phi(edge / |a|).

If r varies, for example by the rounding of several numbers, this bound may lose too much. The test then bounds
Q(T >= v) by betting at half of the level, on releases of the neighbour tilted by t = edge / |a| standard deviations.
Their weights are at most about exp(-t^2 / 2) where <a, z> >= edge. This edge lies further below v, by half of the range
of r.

The condition on the neighbour is not proved, so the result is a suspicion and no refutation. For example, noise that is
replaced once in a million releases has other tails, which a thousand releases do not reveal. The test checks the
condition on fresh releases of the neighbour. They are as many as the releases of the other side, and tilted to the
edge. If one of them violates the condition, the test makes no statement.
"""

import contextlib
import math
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from auditor.mechanism_audit.draws.steered import (
    BLOCK,
    MOST_RELEASES,
    SLACK,
    SMALLEST,
    TIME_SHARE,
    Address,
    OverError,
    Plan,
    Shot,
    SteeredTest,
    Steering,
    bet_on,
)
from auditor.mechanism_audit.one_sample import Exposed
from auditor.mechanism_audit.promise import Level
from auditor.mechanism_audit.sampler import Sampler
from auditor.statistics.nonnegative import STAKES, mean_upper
from auditor.target.target import Batch, BudgetSpentError
from proofs_numeric.statements.neighbours import Direction, Neighbours

Floats = NDArray[np.float64]

OTHER = {Direction.FORWARD: Direction.BACKWARD, Direction.BACKWARD: Direction.FORWARD}
METHODS = ("normal", "standard_normal")
NEGLIGIBLE = 1e-9
"""Share of the largest coefficient below which a draw is ignored."""
ROUNDED = 1e-9
"""Width of r, in standard deviations of <a, z>, that is attributed to the rounding of sums."""
GAP = 0.002
"""Standard deviations by which the edge lies below the least <a, z> of a pilot release beyond v."""
WORTH = 1.01
"""Smallest ratio of P(T >= v), by the normal law, to its bound at which a test is worth its releases."""
PILOT = 8 * BLOCK
"""Tilted releases per dataset of the pilot stream."""
WORTH_DRAWING = 1.04
"""The same if the neighbour's probability must be estimated."""
OFTEN = PILOT // 16
"""Number of pilot releases of each side beyond v for an estimate of both probabilities."""
MARGIN = 1.5
"""Ratio of the assumed range of r above its least value to the range in pilot releases."""
PRECISION = 5.0
"""Ratio of the logarithm of that gain to the relative precision of the neighbour's bound."""
BEFORE = 0.1
"""Standard deviations below v, and below the edge, at which draws start: integers restrict the choice of v, and the
test must observe values below the edge."""
LEVELS = np.linspace(0.5, 7.5, 281)
"""Candidate positions of v, in standard deviations."""
DOUBLES = 1e-6
"""Relative error of NumPy's normal law, up to the largest v."""
ASSUMPTION = (
    "the neighbour releases such a sum only if its normal draws add at least the amount that the bound assumes; every "
    "drawn release agreed, tilted ones included"
)


@dataclass(frozen=True)
class Fit:
    """Linear fit of the sum of the numbers of a release to its normal draws.

    Attributes:
        shape: shape of the releases in the fit.
        sign: 1 or -1, so that the first neighbour's sum is the larger one.
        coordinates: draws with nonzero slope.
        slopes: slope of each coordinate.
        keys: columns that T adds, where the release has one of them; otherwise T adds all.
    """

    shape: str
    sign: float
    coordinates: tuple[Address, ...]
    slopes: Floats
    keys: frozenset[str]

    @property
    def scale(self) -> float:
        """Return the standard deviation of <a, z>."""
        return float(np.linalg.norm(self.slopes))

    def plan(self, deviations: float) -> Plan:
        """Return the plan that shifts <a, z> upwards by the given number of its standard deviations."""
        shifts = deviations * self.slopes / self.scale
        tilts = {
            address: math.copysign(0.5 * shift * shift, shift)
            for address, shift in zip(self.coordinates, shifts.tolist(), strict=True)
        }
        return replace(Plan.of([tilts]), beyond=len(tilts) == 1)

    def sums(self, batch: Batch) -> Floats:
        """Return T of each release, (n,); NaN for other shapes."""
        return self.sign * sums(batch, self.shape, self.keys)

    def added(self, batch: Batch) -> Floats:
        """Return <a, z> of each release, (n,)."""
        return np.asarray(normals(batch) @ self.slopes)

    def rest(self, batch: Batch) -> Floats:
        """Return r of each release, (n,); NaN if T is NaN."""
        return self.sums(batch) - self.added(batch)

    def varies(self, batch: Batch) -> bool:
        """Return whether r varies by more than the rounding of sums."""
        rest = self.rest(batch)
        return bool(np.nanmax(rest) - np.nanmin(rest) >= ROUNDED * self.scale)

    def edges(self, batch: Batch, levels: Floats) -> Floats:
        """Return for each v the least <a, z> with which T is assumed to reach it; -inf if no release did."""
        if not self.varies(batch):
            return levels - float(np.nanmax(self.rest(batch))) - ROUNDED * self.scale
        total, added = self.sums(batch), self.added(batch)
        reached = [added[total >= v] for v in levels]
        return np.array([values.min() - GAP * self.scale if len(values) else -math.inf for values in reached])


@dataclass(frozen=True)
class Event:
    """Sum T of at least v.

    Attributes:
        fit: fit of T to the draws.
        v: least sum.
        near_edge, edge: least <a, z> with which T of the first and of the second neighbour is assumed to reach v.
    """

    fit: Fit
    v: float
    near_edge: float
    edge: float

    def __str__(self) -> str:
        return f"{'' if self.fit.sign > 0 else 'minus '}the sum of the released numbers >= {self.v:.6g}"

    def of(self, batch: Batch) -> NDArray[np.bool_]:
        """Return whether each release is in the event, (n,)."""
        return np.asarray(self.fit.sums(batch) >= self.v)

    def below_edge(self, batch: Batch) -> NDArray[np.bool_]:
        """Return whether each release of the second neighbour contradicts the assumption, (n,)."""
        return np.asarray(self.of(batch) & (self.fit.added(batch) < self.edge))


def sums(batch: Batch, shape: str, keys: Container[str]) -> Floats:
    """Return the sum of the numbers of these keys, or of all, in each release of a shape, (n,); NaN for others."""
    assert batch.shapes is not None  # noqa: S101 - steered releases have shapes
    masks = [each == shape for each in batch.shapes]
    places = [place for place, column in enumerate(batch.columns) if column in keys]
    totals = np.nansum(batch.values[:, places] if places else batch.values, axis=1)
    return np.where(np.array(masks)[batch.shape_index], totals, np.nan)


def normals(batch: Batch) -> Floats:
    """Return the standard normal draws of a plan's coordinates, (n, C); 0 if a coordinate was not drawn."""
    assert batch.steered is not None  # noqa: S101 - a plan was given
    levels = np.nan_to_num(batch.steered.levels.reshape(len(batch.values), -1, 2))
    roots: Floats = np.sqrt(2.0 * levels)
    return roots[:, :, 0] - roots[:, :, 1]


def fitted(batch: Batch, coordinates: Sequence[Address], keys: frozenset[str], sign: float = 1.0) -> Fit | None:
    """Return the fit of T to the draws, on releases of the commonest shape; None if T does not depend on them."""
    if batch.shapes is None:
        return None
    shape = batch.shapes[Counter(np.asarray(batch.shape_index).tolist()).most_common(1)[0][0]]
    total = sign * sums(batch, shape, keys)
    present = ~np.isnan(total)
    if present.sum() <= 2 * len(coordinates) or not np.isfinite(total[present]).all():
        return None
    design = np.column_stack([np.ones(int(present.sum())), normals(batch)[present]])
    slopes = np.linalg.lstsq(design, total[present], rcond=None)[0][1:]
    plays = np.abs(slopes) > NEGLIGIBLE * np.abs(slopes).max(initial=0.0)
    if not plays.any():
        return None
    addresses = tuple(address for address, part in zip(coordinates, plays, strict=True) if part)
    return Fit(shape, sign, addresses, slopes[plays], keys)


def most_telling(pairs: Sequence[Neighbours]) -> Neighbours | None:
    """Return the pair of equal keys with most changed and fewest unchanged counts, and the largest counts."""
    same = [pair for pair in pairs if pair.left and pair.left.keys() == pair.right.keys()]

    def order(pair: Neighbours) -> tuple[int, int, int]:
        changed = sum(count != pair.right[key] for key, count in pair.left.items())
        return changed, -len(pair.left), min(pair.left.values())

    return max(same, key=order, default=None)


def held_to(level: Level, other: Floats) -> Floats:
    """Return the upper bound on P(T >= v) at a level if the neighbour's probability is at most `other`."""
    return np.asarray(max(level.delta, SMALLEST) * (1.0 + SLACK) + math.exp(level.epsilon) * other * (1.0 + DOUBLES))


def gaussian_value_test(
    sampler: Sampler, pair: Neighbours, direction: Direction, level: Level, alpha: float, seed: int
) -> SteeredTest | None:
    """Test a level on the sum of the numbers that both neighbours release; None if no test is possible or worthwhile.

    Args:
        sampler: source of the releases.
        pair: neighbouring pair with equal keys.
        direction: direction, which selects P.
        level: claimed (epsilon, delta).
        alpha: false-alarm probability.
        seed: seed of separate streams.
    """
    pace = sampler.pace
    seconds = 0.5 * TIME_SHARE * pace.seconds()
    one_way = Exposed(pair, direction, ())
    sides = [
        Steering(sampler, exposed, seed, seconds, ahead)
        for ahead, exposed in enumerate((one_way, replace(one_way, direction=OTHER[direction])))
    ]
    test = None
    with contextlib.suppress(OverError, BudgetSpentError):
        test = _tested(sides[0], sides[1], level, alpha)
    pace.blocks += [side.blocks for side in sides]
    return test


def _tested(first: Steering, second: Steering, level: Level, alpha: float) -> SteeredTest | None:
    sides, keys = (first, second), frozenset(first.exposed.pair.changes)
    coordinates = [address for address in first.coordinates()[0] if address.method in METHODS]
    if not coordinates:
        return None
    pilot = fitted(first.batch(Plan.of([dict.fromkeys(coordinates, 0.0)]).to_json(), BLOCK), coordinates, keys)
    if pilot is None:
        return None
    as_drawn = [pilot.rest(side.batch(pilot.plan(0.0).to_json(), BLOCK)) for side in sides]
    if any(np.isnan(rest).all() for rest in as_drawn):
        return None
    middle, other_middle = (float(np.nanmedian(rest)) for rest in as_drawn)
    sign = 1.0 if middle >= other_middle else -1.0
    pilot = replace(pilot, sign=sign, slopes=sign * pilot.slopes)
    apart = abs(middle - other_middle) / pilot.scale
    gains = ndtr(-LEVELS) / held_to(level, ndtr(-LEVELS - apart))
    start = float(LEVELS[np.argmax(gains)]) - BEFORE
    starts = (start, start + apart)
    tilted = [side.batch(pilot.plan(one).to_json(), PILOT) for side, one in zip(sides, starts, strict=True)]
    fit = fitted(tilted[0], pilot.coordinates, keys, sign)
    if fit is None or (fit.shape, fit.coordinates) != (pilot.shape, pilot.coordinates):
        return None
    levels = np.unique(fit.sums(tilted[0]))
    near, far = (sign * middle + pilot.scale * end for end in (start, LEVELS[-1]))
    levels = levels[(levels >= near) & (levels <= far)]  # below, too few releases locate an edge
    if not len(levels):
        return None
    near_edges, edges = (fit.edges(batch, levels) for batch in tilted)
    gains = ndtr(-near_edges / fit.scale) / held_to(level, ndtr(-edges / fit.scale))
    here, there = _estimates(fit, tilted, [pilot.plan(one) for one in starts], levels)
    estimated = np.where(np.isfinite(edges) & np.isfinite(near_edges), here / held_to(level, there), 0.0)
    gain, most = 0.0, float(estimated.max())
    if gains.max() >= WORTH:  # so the edge is finite
        event, around_edge = _event(second, fit, levels, (near_edges, edges), gains)
        other = float(ndtr(-event.edge / fit.scale))
        gain = float(here[levels == event.v][0] / held_to(level, np.asarray(other)))
    if fit.varies(tilted[1]) and most >= WORTH_DRAWING * max(1.0, gain):
        event, around_edge = _event(second, fit, levels, (near_edges, edges), estimated)
        rest = fit.rest(tilted[1])
        farther = event.v - MARGIN * np.nanmax(rest) + (MARGIN - 1) * np.nanmin(rest)
        event, alpha = replace(event, edge=min(event.edge, float(farther))), alpha / 2
        n = 4.0 * math.log(len(STAKES) / alpha) * (PRECISION / math.log(most)) ** 2
        bound = _upper_bound(second, event, math.ceil(n / BLOCK), alpha)
        if bound is None:
            return None
        other = bound
    elif gain < WORTH:
        return None
    return _tested_event(first, second, event, around_edge, level, other, alpha)


def _event(
    second: Steering, fit: Fit, levels: Floats, edges: tuple[Floats, Floats], gains: Floats
) -> tuple[Event, Plan]:
    """Return the event of the largest gain, with an edge from further releases, and the plan of these."""
    best = int(np.argmax(gains))
    near_edge, edge = (float(each[best]) for each in edges)
    plan = fit.plan(edge / fit.scale - BEFORE)  # few pilot releases came near the edge of a large v
    edge = min(edge, float(fit.edges(second.batch(plan.to_json(), PILOT), levels[best : best + 1])[0]))
    return Event(fit, float(levels[best]), near_edge, edge), plan


def _tested_event(
    first: Steering, second: Steering, event: Event, around_edge: Plan, level: Level, other: float, alpha: float
) -> SteeredTest | None:
    """Test a level on an event whose probability on the neighbour is at most `other`; None if the bound fails."""
    plan = event.fit.plan(event.near_edge / event.fit.scale)
    is_valid = True

    def shoot() -> Floats:
        nonlocal is_valid
        is_valid = is_valid and not event.below_edge(second.batch(around_edge.to_json(), BLOCK)).any()
        if not is_valid:
            raise OverError
        return Shot.of(plan, batch := first.batch(plan.to_json(), BLOCK), event.of(batch)).values

    allowed = float(held_to(level, np.asarray(other)))
    bets = bet_on(shoot, allowed, alpha, 0.0)  # a promising test runs while there is time
    if not is_valid or bets is None:
        return None
    if bets.rejected and not first.stands_alone(plan, bets.values, event.of):
        return None
    return bets.test(first.exposed, str(event), level, other, first.blocks + second.blocks, plan)


def _estimates(fit: Fit, tilted: Sequence[Batch], plans: Sequence[Plan], levels: Floats) -> tuple[Floats, Floats]:
    """Return for each v the estimates of P(T >= v) and Q(T >= v); 0 and 1 if too few pilot releases reach v."""
    reach, estimates = np.ones(len(levels), dtype=bool), []
    for batch, plan in zip(tilted, plans, strict=True):
        total = fit.sums(batch)
        beyond = total[None, :] >= levels[:, None]
        weights = Shot.of(plan, batch, np.ones(len(total), dtype=bool)).values
        estimates.append(beyond @ weights / PILOT)
        reach &= beyond.sum(axis=1) >= OFTEN
    return np.where(reach, estimates[0], 0.0), np.where(reach, estimates[1], 1.0)


def _upper_bound(second: Steering, event: Event, blocks: int, alpha: float) -> float | None:
    """Return the upper bound on Q(T >= v); None if r varies more than v, or if a release reaches v below the edge."""
    deviations = event.edge / event.fit.scale
    if deviations <= 0:
        return None
    plan, values = event.fit.plan(deviations), np.empty(0)
    for _ in range(min(blocks, MOST_RELEASES // BLOCK)):
        batch = second.batch(plan.to_json(), BLOCK)
        if event.below_edge(batch).any():
            return None
        values = np.append(values, Shot.of(plan, batch, event.of(batch)).values)
    untilted, *_ = plan.shares
    largest = 1.0 / (untilted + (1.0 - untilted) * math.exp(deviations * deviations / 2))
    return mean_upper(values, largest * (1.0 + DOUBLES), alpha)
