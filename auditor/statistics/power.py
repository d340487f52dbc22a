"""What a test would have caught, and how far it is from the best possible one: exact sums, no asymptotics."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from scipy.special import ndtri, xlogy

from auditor.statistics.betting import BOTH_DIRECTIONS, STAKE_SHARES, STAKES, Floats, boundary_centre, log_sum_exp
from auditor.statistics.binomial import fewest_above, fewest_below, masses, upper_tail
from auditor.statistics.bracketing import bracket_of_zero
from proofs_numeric.statements.neighbours import Direction

BISECTIONS = 40
DETECTION = 2.0**-20
"""Share of the interval in which the detectable delta lies that is left of it; it is rounded up."""
DUAL_SCALES = (0.3, 0.03, 0.003)
"""Sizes of multipliers tried in turn: near-violations have small ones."""
DUAL_STEPS = 150
NARROW_BRACKET = 1e-4
"""Width of a bracket, as a share of its upper end, at which no further multipliers are tried."""
LEVEL, NARROW = 1e-12, 4e-4
"""Where a search ends before: what is left of differences of its values, and of its first size."""
PROFILE_POINTS = np.concatenate([[0.0], 0.05 * 1.34 ** np.arange(20), [16.0]])
"""Where a profile is read for the laws behind it, in both directions; the rest of it lies below the chords."""
ROUNDING = 1e-6
"""Most by which the slopes of a profile, and the mass of its law, may be off for it to be one."""
UNSEEN = 1e-200
"""Mass below which a side never shows a cell."""
NEGLIGIBLE = 1e-12
"""Probability left out of a sum over a binomial law; counted as no detection."""


@lru_cache(maxsize=16)  # a bisection over p asks for the same law of q again and again
def binomial_window(n: int, p: float) -> tuple[Floats, Floats]:
    """Return the counts that carry all but NEGLIGIBLE of Binomial(n, p), as an increasing array, and their masses."""
    if p == 0.0:
        return np.zeros(1), np.ones(1)
    counts = np.arange(fewest_above(n, p, NEGLIGIBLE / 2), fewest_below(n, p, NEGLIGIBLE / 2), dtype=np.float64)
    return counts, masses(counts, n, p)


@lru_cache(maxsize=4096)  # asked again for every pair after each block, which changes one
def betting_power(n: int, p: float, q: float, epsilon: float, delta: float, threshold: float) -> float:
    """Return the probability that the accounts of one frozen event have wealth >= exp(threshold) after n rounds.

    The accounts that keep one stake for ever, with their shares of the capital and the growth-optimal centre for (p,
    q), as in `auditor.statistics.betting`; exact but for NEGLIGIBLE, which counts as no detection.

    Args:
        n: releases a side.
        p: true probability of the event under P.
        q: true probability of the event under Q.
        epsilon: claimed privacy loss.
        delta: claimed delta.
        threshold: log-wealth to be reached.

    """
    e = math.exp(epsilon)
    p0, q0 = (float(x) for x in boundary_centre(np.array(p), np.array(q), np.array(e), np.array(delta)))
    stakes = STAKES / max(p0, e * (1.0 - q0))
    win, lose = np.log1p(stakes * (1 - p0)), np.log1p(-stakes * p0)
    hurt, spare = np.log1p(-stakes * e * (1 - q0)), np.log1p(stakes * e * q0)
    hits, shares = binomial_window(n, q)
    start = np.log(STAKE_SHARES[1:]) + n * (lose + spare) + hits[:, None] * (hurt - spare)
    # Wealth grows with the hits of P: the fewest that suffice, for each number of hits of Q, by bisection between those
    # where one account alone has enough and those where none has its share of it.
    alone = ((threshold - start) / (win - lose)).min(axis=1)
    shared = ((threshold - math.log(len(win)) - start) / (win - lose)).min(axis=1)
    fewest, enough = np.clip(np.floor(shared) - 1.0, -1.0, n), np.clip(np.ceil(alone) + 1.0, 0.0, n + 1.0)
    while (enough - fewest).max() > 1.0:
        middle = np.floor(0.5 * (fewest + enough))
        reached = log_sum_exp(start + middle[:, None] * (win - lose), 1) >= threshold
        enough = np.where(reached & (middle > fewest), middle, enough)
        fewest = np.where(reached, fewest, middle)
    return min(1.0, float(shares @ upper_tail(enough, n, p)))


def detectable_delta(n: int, q: float, epsilon: float, delta: float, threshold: float, power: float = 0.95) -> float:
    """Return the smallest true delta of a frozen event that n releases a side refute with that power; 1 if none.

    The exact power of the accounts that bet on that event from the first release with a fixed stake, with the share of
    the capital in `threshold`. The auditor does not know the event at first, but its stakes follow the past and much of
    its capital bets on both directions. Where 2000 releases a side were refuted by the whole auditor with that power
    (alpha 1e-6, 60 runs, one event), the excess over the claim was this one divided by 1.8 (randomised response) and by
    1.0 (a key that the other side lacks).

    Args:
        n: releases a side.
        q: probability of the event under Q.
        epsilon: claimed privacy loss.
        delta: claimed delta.
        threshold: log(1 / alpha) - log(share of the event).
        power: probability of refuting.

    Returns: delta* = p - e^epsilon q for the smallest such p, bracketed and rounded up; 1 where even p = 1 is not
        caught.

    """
    floor = math.exp(epsilon) * q + delta

    def excess(p: float) -> float:
        """Return by how many standard deviations of a normal law the power is more: next to linear in p."""
        return float(ndtri(betting_power(n, p, q, epsilon, delta, threshold)) - ndtri(power))

    largest = 1.0 - 1e-12
    if n == 0 or floor >= 1.0 or (most := excess(largest)) < 0:
        return 1.0
    resolution = DETECTION * (largest - floor)
    return bracket_of_zero(excess, floor, largest, resolution, -math.inf, most)[1] - math.exp(epsilon) * q


Laws = tuple[Floats, Floats]
"""Probabilities of the same cells on the left and on the right."""


@dataclass(frozen=True)
class Efficiency:
    """How near a refutation came to the fewest releases possible.

    Any test of level alpha that always ends in a refutation needs log(1 / alpha) / KL_inf releases a side or more on
    average, whatever it knows of the pairs: the expected log-likelihood ratio against the nearest laws that keep the
    claim is at most KL_inf for each release, and at least log(1 / alpha) in all. So log(1 / alpha) / (KL_inf E[n]) is
    at most 1. A single run may be luckier than the average.

    Attributes:
        share: log(1 / alpha) / (KL_inf n) of one run.
        law: `exact`: KL_inf is at least that of the exact laws, and `share` is not too large. `estimated`: it is that
            of frequencies in the cells that were bet on, which is too large on average (KL_inf is convex) for the
            cells, and knows nothing of what they do not separate.

    """

    share: float
    law: Literal["exact", "estimated"]


def laws_of_profile(profile: Callable[[float, Direction], float], epsilon: float) -> Laws | None:
    """Return two laws on few cells from which the pair of a privacy profile is made by forgetting: it knows no more.

    The profile of the pair is sup P - t Q as a function of t = e^epsilon, convex; the chords between some of its points
    are the profile of a pair on as many cells. It dominates: KL_inf of the cells is at least that of the pair.

    Args:
        profile: (epsilon, direction) -> exact delta, for epsilon >= 0.
        epsilon: a point where the chords are to be exact.

    Returns: laws on the left and on the right, (m,); None where the profile is not defined, or is no profile in
        float64, in either direction.

    """
    points = np.unique([*PROFILE_POINTS, epsilon])
    try:
        forward, backward = (np.array([profile(float(x), way) for x in points]) for way in BOTH_DIRECTIONS)
    except (ArithmeticError, ValueError):
        return None
    t = np.exp(points)
    ratios = np.concatenate([[0.0], 1.0 / t[:0:-1], t])
    sticks = np.concatenate([[1.0], (backward / t + 1.0 - 1.0 / t)[:0:-1], forward])
    slopes = np.diff(sticks) / np.diff(ratios)
    rising = np.clip(np.maximum.accumulate(slopes), -1.0, 0.0)
    if not np.abs(rising - slopes).max() < ROUNDING:
        return None
    right = np.diff(np.concatenate([[-1.0], rising, [0.0]]))
    left = np.append(ratios * right, max(0.0, forward[-1]))
    return (left, np.append(right, 0.0)) if abs(left.sum() - 1.0) < ROUNDING else None


@dataclass(frozen=True)
class Bracket:
    """Two-sided bound on KL_inf, in nats for one release of each side."""

    lower: float
    upper: float


def kl_inf(p: Floats, q: Floats, epsilon: float, delta_forward: float, delta_backward: float) -> Bracket:
    """Bracket the divergence of (P, Q) from the nearest pair of laws that satisfies the claim in both directions.

    KL_inf = min { KL(P|P') + KL(Q|Q') : (P', Q') with hockey sticks <= delta }; no test of level alpha decides in fewer
    than (1 - o(1)) log(1 / alpha) / KL_inf releases a side on average. Lower end: the value of the Lagrangian dual at
    the multipliers found, which is the growth of an admissible product bet. Upper end: a feasible (P', Q').

    Args:
        p: (m,), law on the left over m cells.
        q: (m,), law on the right.
        epsilon: claimed privacy loss.
        delta_forward: claimed delta with P = left; 1 or more where the direction is not claimed.
        delta_backward: claimed delta with P = right.

    """
    p, q = np.maximum(p, 1e-300), np.maximum(q, 1e-300)
    p, q = p / p.sum(), q / q.sum()
    e = math.exp(epsilon)
    deltas = min(1.0, delta_forward), min(1.0, delta_backward)
    e_p, e_q, e_both = e * p, e * q, e * (p + q)

    def factors(theta: Floats) -> tuple[Floats, Floats] | None:
        mu, forward, backward = theta[0], abs(theta[1]), abs(theta[2])
        nu = 2.0 - mu - forward * deltas[0] - backward * deltas[1]
        if mu <= 0 or nu <= 0:
            return None
        t = np.minimum(np.maximum((p * nu - e_q * mu) / e_both, 0.0), forward)
        s = np.minimum(np.maximum((q * mu - e_p * nu) / e_both, 0.0), backward)
        u, v = mu + t - e * s, nu - e * t + s
        return (u, v) if u.min() > 0 and v.min() > 0 else None

    def loss(theta: Floats) -> float:
        pair = factors(theta)
        return 1e3 if pair is None else -float(p @ np.log(pair[0]) + q @ np.log(pair[1]))

    middle = 0.5 * (p + q)

    def above(pair: tuple[Floats, Floats]) -> float:
        """Return the divergence from laws that keep the claim, made of factors: it is no less than the least."""
        left, right = p / pair[0], q / pair[1]
        # What the multipliers leave over goes where it costs nothing: to the cells that the side itself never shows.
        left, right = completed(left, p, q), completed(right, q, p)
        # A claim without delta holds in each cell: where it is missed by next to nothing, that little is added.
        right = np.maximum(right, left / e) if deltas[0] == 0.0 else right
        left = np.maximum(left, right / e) if deltas[1] == 0.0 else left
        left, right = left / left.sum(), right / right.sum()

        def feasible(share: float) -> bool:
            a, b = (1 - share) * left + share * middle, (1 - share) * right + share * middle
            sticks = np.maximum(a - e * b, 0).sum(), np.maximum(b - e * a, 0).sum()
            return bool(sticks[0] <= deltas[0] and sticks[1] <= deltas[1])

        low, high = 0.0, 1.0
        for _ in range(BISECTIONS):
            share = 0.5 * (low + high)
            low, high = (low, share) if feasible(share) else (share, high)
        return divergence(p, q, (1 - high) * left + high * middle, (1 - high) * right + high * middle)

    best = np.array([1.0, 0.0, 0.0])
    upper = min(divergence(p, q, middle, middle), above((np.ones_like(p), np.ones_like(q))))
    for scale in DUAL_SCALES:
        for start in (np.array([1.0 - scale, scale, scale]), best):
            if upper + loss(best) <= NARROW_BRACKET * upper:
                break
            found = lowest(loss, start, scale / 4)
            best = min(best, found, key=loss)
            pair = factors(found)
            upper = upper if pair is None else min(upper, above(pair))
    return Bracket(max(0.0, -loss(best)), upper)


def lowest(loss: Callable[[Floats], float], start: Floats, size: float) -> Floats:
    """Return where a convex loss is least, about: a simplex of that size at the start, moved DUAL_STEPS times.

    Nelder & Mead (1965); SciPy's would have all of its optimisation imported.
    """
    points: list[Floats] = [start, *(start + size * np.eye(len(start)))]
    values = [loss(point) for point in points]

    def put(place: int, point: Floats, value: float) -> None:
        points[place], values[place] = point, value

    for _ in range(DUAL_STEPS):
        order = np.argsort(values, kind="stable").tolist()
        best, second, worst = order[0], order[-2], order[-1]
        if values[worst] - values[best] <= LEVEL and np.ptp(points, axis=0).max() <= NARROW * size:
            break
        centre = (np.sum(points, axis=0) - points[worst]) / len(start)
        away = centre - points[worst]
        value = loss(centre + away)
        if value < values[best]:
            further = loss(centre + 2 * away)
            put(worst, *((centre + 2 * away, further) if further < value else (centre + away, value)))
        elif value < values[second]:
            put(worst, centre + away, value)
        else:
            inside = centre + (0.5 if value < values[worst] else -0.5) * away
            nearer = loss(inside)
            if nearer < min(value, values[worst]):
                put(worst, inside, nearer)
            else:
                for place in order[1:]:
                    point = 0.5 * (points[best] + points[place])
                    put(place, point, loss(point))
    return points[int(np.argmin(values))]


def completed(law: Floats, own: Floats, other: Floats) -> Floats:
    """Return a law of sum 1: what is missing is put on cells without mass of their own, in proportion to the other's.

    Args:
        law: (m,), weights of any sum.
        own: (m,), the law that divergence from it is counted by.
        other: (m,), the law on the other side.

    """
    free = np.where(own < UNSEEN, other, 0.0)
    missing = 1.0 - law.sum()
    if missing > 0 and free.sum() > UNSEEN:
        law = law + missing * free / free.sum()
    return np.asarray(law / law.sum())


def divergence(p: Floats, q: Floats, left: Floats, right: Floats) -> float:
    """Return KL(p | left) + KL(q | right), natural logarithms."""
    return float(np.sum(xlogy(p, p / left)) + np.sum(xlogy(q, q / right)))
