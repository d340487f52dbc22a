"""Test of a value with Gaussian noise that both neighbours release, at delta = 1e-12, by importance sampling.

The sum T of the numbers of a release depends linearly on its normal draws z: T = <a, z> + r. A pilot stream gives a and
r by least squares. P(T >= v) is the mean of w 1{T >= v} over tilted releases. An e-process bounds it from below, for
every a and r. If the neighbour's T reaches v only with <a, z> >= edge, then

    Q(T >= v) <= Q(<a, z> >= edge) = 1 - Phi(edge / |a|).

The condition on the neighbour is not proved, so the result is a suspicion and no refutation. For example, noise that is
replaced once in a million releases has other tails, which a thousand releases do not reveal. The test checks the
condition on fresh releases of the neighbour. They are as many as the releases of the other side, and tilted to the
edge. If one of them violates the condition, the test makes no statement.
"""

import contextlib
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from auditor.mechanism_audit.draws.steered import (
    BLOCK,
    SLACK,
    SMALLEST,
    TIME_SHARE,
    Address,
    OverError,
    Plan,
    Shot,
    SteeredTest,
    Steering,
    played,
)
from auditor.mechanism_audit.one_sample import Exposed
from auditor.mechanism_audit.promise import Level
from auditor.mechanism_audit.sampler import Sampler
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
    """

    shape: str
    sign: float
    coordinates: tuple[Address, ...]
    slopes: Floats

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
        return self.sign * sums(batch, self.shape)

    def added(self, batch: Batch) -> Floats:
        """Return <a, z> of each release, (n,)."""
        return np.asarray(normals(batch) @ self.slopes)

    def rest(self, batch: Batch) -> Floats:
        """Return r of each release, (n,); NaN if T is NaN."""
        return self.sums(batch) - self.added(batch)

    def edges(self, batch: Batch, levels: Floats) -> Floats:
        """Return for each v the least <a, z> with which T is assumed to reach it; -inf if no release did."""
        rest = self.rest(batch)
        least, most = float(np.nanmin(rest)), float(np.nanmax(rest))
        if most - least < ROUNDED * self.scale:
            return levels - most - ROUNDED * self.scale
        total, added = self.sums(batch), self.added(batch)
        reached = [added[total >= v] for v in levels]
        return np.array([values.min() - GAP * self.scale if len(values) else -math.inf for values in reached])


def sums(batch: Batch, shape: str) -> Floats:
    """Return the sum of the numbers of each release of a shape, (n,); NaN for other shapes."""
    assert batch.shapes is not None  # noqa: S101 - steered releases have shapes
    masks = [each == shape for each in batch.shapes]
    return np.where(np.array(masks)[batch.shape_index], np.nansum(batch.values, axis=1), np.nan)


def normals(batch: Batch) -> Floats:
    """Return the standard normal draws of a plan's coordinates, (n, C); 0 if a coordinate was not drawn."""
    assert batch.steered is not None  # noqa: S101 - a plan was given
    levels = np.nan_to_num(batch.steered.levels.reshape(len(batch.values), -1, 2))
    roots: Floats = np.sqrt(2.0 * levels)
    return roots[:, :, 0] - roots[:, :, 1]


def fitted(batch: Batch, coordinates: Sequence[Address], sign: float = 1.0) -> Fit | None:
    """Return the fit of T to the draws, on releases of the commonest shape; None if T does not depend on them."""
    if batch.shapes is None:
        return None
    shape = batch.shapes[Counter(np.asarray(batch.shape_index).tolist()).most_common(1)[0][0]]
    total = sign * sums(batch, shape)
    present = ~np.isnan(total)
    if present.sum() <= 2 * len(coordinates) or not np.isfinite(total[present]).all():
        return None
    design = np.column_stack([np.ones(int(present.sum())), normals(batch)[present]])
    slopes = np.linalg.lstsq(design, total[present], rcond=None)[0][1:]
    plays = np.abs(slopes) > NEGLIGIBLE * np.abs(slopes).max(initial=0.0)
    if not plays.any():
        return None
    addresses = tuple(address for address, part in zip(coordinates, plays, strict=True) if part)
    return Fit(shape, sign, addresses, slopes[plays])


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
    sides = (first, second)
    coordinates = [address for address in first.coordinates()[0] if address.method in METHODS]
    if not coordinates:
        return None
    pilot = fitted(first.batch(Plan.of([dict.fromkeys(coordinates, 0.0)]).to_json(), BLOCK), coordinates)
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
    fit = fitted(tilted[0], pilot.coordinates, sign)
    if fit is None or (fit.shape, fit.coordinates) != (pilot.shape, pilot.coordinates):
        return None
    levels = np.unique(fit.sums(tilted[0]))
    near, far = (sign * middle + pilot.scale * end for end in (start, LEVELS[-1]))
    levels = levels[(levels >= near) & (levels <= far)]  # below, too few releases locate an edge
    near_edges, edges = (fit.edges(batch, levels) for batch in tilted)
    gains = ndtr(-near_edges / fit.scale) / held_to(level, ndtr(-edges / fit.scale))
    if gains.max(initial=0.0) < WORTH:
        return None
    best = int(np.argmax(gains))
    v, edge, plan = float(levels[best]), float(edges[best]), fit.plan(float(near_edges[best]) / fit.scale)
    around_edge = fit.plan(edge / fit.scale - BEFORE)  # few pilot releases came near the edge of a large v
    edge = min(edge, float(fit.edges(second.batch(around_edge.to_json(), PILOT), levels[best : best + 1])[0]))
    is_valid = True

    def shoot() -> Floats:
        nonlocal is_valid
        batch = second.batch(around_edge.to_json(), BLOCK)
        is_valid = is_valid and not ((fit.sums(batch) >= v) & (fit.added(batch) < edge)).any()
        if not is_valid:
            raise OverError
        return Shot.of(plan, batch := first.batch(plan.to_json(), BLOCK), fit.sums(batch) >= v).values

    other = float(ndtr(-edge / fit.scale))
    allowed = float(held_to(level, np.asarray(other)))
    bets = played(shoot, allowed, alpha, 0.0)  # a promising test runs while there is time
    if not is_valid or bets is None:
        return None
    if bets.rejected and not first.stands_alone(plan, bets.values, lambda batch: fit.sums(batch) >= v):
        return None
    minus = "" if fit.sign > 0 else "minus "
    event = f"{minus}the sum of the released numbers >= {v:.6g}"
    return bets.test(first.exposed, event, level, other, first.blocks + second.blocks, plan)
