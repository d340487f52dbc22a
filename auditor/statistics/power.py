"""Power of the tests, and their efficiency relative to an optimal test, by exact sums without asymptotics."""

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
"""Width of the final bracket of the detectable delta, as a share of the first one; the result is rounded up."""
DUAL_SCALES = (0.3, 0.03, 0.003)
"""Sizes of the multipliers, tried in order; near-violations have small ones."""
DUAL_STEPS = 150
NARROW_BRACKET = 1e-4
"""Width of a bracket, as a share of its upper end, at which no further multipliers are tried."""
LEVEL, NARROW = 1e-12, 4e-4
"""Early end of a search: largest difference of its values, and size as a share of its first size."""
PROFILE_POINTS = np.concatenate([[0.0], 0.05 * 1.34 ** np.arange(20), [16.0]])
"""Values of epsilon, for both directions, that carry the chords of a profile; the profile lies below the chords."""
ROUNDING = 1e-6
"""Largest error of the slopes of a valid profile, and of the mass of its law."""
UNSEEN = 1e-200
"""Probability below which a cell counts as impossible on one side."""
NEGLIGIBLE = 1e-12
"""Probability omitted from a sum over a binomial law; counted as no detection."""


@lru_cache(maxsize=16)  # a bisection over p reuses one law of q
def binomial_window(n: int, p: float) -> tuple[Floats, Floats]:
    """Return the counts that carry all but NEGLIGIBLE of Binomial(n, p), increasing, and their masses."""
    if p == 0.0:
        return np.zeros(1), np.ones(1)
    counts = np.arange(fewest_above(n, p, NEGLIGIBLE / 2), fewest_below(n, p, NEGLIGIBLE / 2), dtype=np.float64)
    return counts, masses(counts, n, p)


@lru_cache(maxsize=4096)  # computed for every pair after each block, which changes one pair
def betting_power(n: int, p: float, q: float, epsilon: float, delta: float, threshold: float) -> float:
    """Return the probability that the accounts of one frozen event have wealth >= exp(threshold) after n rounds.

    The accounts have constant stakes, their shares of the capital, and the growth-optimal centre for (p, q); see
    `auditor.statistics.betting`. The result is exact up to NEGLIGIBLE, which counts as no detection.

    Args:
        n: releases per dataset.
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
    log_loss, spare = np.log1p(-stakes * e * (1 - q0)), np.log1p(stakes * e * q0)
    hits, shares = binomial_window(n, q)
    start = np.log(STAKE_SHARES[1:]) + n * (lose + spare) + hits[:, None] * (log_loss - spare)
    # Wealth grows with the hits of P. For each number of hits of Q, bisect for the fewest sufficient hits: above, one
    # account alone suffices; below, no account has its share of the threshold.
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
    """Return the smallest true delta of a frozen event that n releases per dataset refute with a given power.

    The power is the exact power of the accounts that bet on the event from the first release with constant stakes;
    `threshold` contains their share of the capital. The auditor has to learn the event, but it adapts its stakes and
    bets much of its capital on both directions. In an experiment with 2000 releases per dataset (alpha 1e-6, 60 runs,
    one event), the excess over the claim that the whole auditor refuted with power .95 was the value of this function
    divided by 1.8 (randomised response) and by 1.0 (a key that the other side lacks).

    Args:
        n: releases per dataset.
        q: probability of the event under Q.
        epsilon: claimed privacy loss.
        delta: claimed delta.
        threshold: log(1 / alpha) - log(share of the event).
        power: probability of refuting.

    Returns: delta* = p - e^epsilon q for the smallest sufficient p, bracketed and rounded up; 1 if p = 1 does not
        suffice.

    """
    least = math.exp(epsilon) * q + delta

    def excess(p: float) -> float:
        """Return the difference of the two powers as normal quantiles; it is nearly linear in p."""
        return float(ndtri(betting_power(n, p, q, epsilon, delta, threshold)) - ndtri(power))

    largest = 1.0 - 1e-12
    if n == 0 or least >= 1.0 or (most := excess(largest)) < 0:
        return 1.0
    resolution = DETECTION * (largest - least)
    return bracket_of_zero(excess, least, largest, resolution, -math.inf, most)[1] - math.exp(epsilon) * q


Laws = tuple[Floats, Floats]
"""Probabilities of m cells on the left and on the right, (m,) each."""


@dataclass(frozen=True)
class Efficiency:
    """Efficiency of a refutation: the least expected number of releases divided by the releases used.

    Every test of level alpha that always ends in a refutation needs on average at least log(1 / alpha) / KL_inf
    releases per dataset, even if it knows the laws. For the expected log-likelihood ratio against the nearest laws that
    satisfy the claim is at most KL_inf per release, and at least log(1 / alpha) in total. So
    log(1 / alpha) / (KL_inf E[n]) is at most 1. A single run may exceed 1 by chance.

    Attributes:
        share: log(1 / alpha) / (KL_inf n) of one run.
        law: `exact`: KL_inf is an upper bound on the value for the exact laws, so `share` is not too large.
            `estimated`: KL_inf is computed from frequencies in the tested cells. For the cells it is too large on
            average (KL_inf is convex), and it ignores differences within a cell.

    """

    share: float
    law: Literal["exact", "estimated"]


def laws_of_profile(profile: Callable[[float, Direction], float], epsilon: float) -> Laws | None:
    """Return two laws on few cells that dominate the pair of a privacy profile.

    The profile of the pair is sup P - t Q, a convex function of t = e^epsilon. The chords between some of its points
    are the profile of a pair of laws on finitely many cells. This pair dominates the original pair, which is a
    post-processing of it, so its KL_inf is at least that of the original pair.

    Args:
        profile: (epsilon, direction) -> exact delta, for epsilon >= 0.
        epsilon: a point at which the chords are exact.

    Returns: laws on the left and on the right, (m,) each; None if the profile is undefined, or invalid in float64, in
        either direction.

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
    """Two-sided bound on KL_inf, in nats per release of each side."""

    lower: float
    upper: float


def kl_inf(p: Floats, q: Floats, epsilon: float, delta_forward: float, delta_backward: float) -> Bracket:
    """Bracket the divergence of (P, Q) from the nearest pair of laws that satisfies the claim in both directions.

    KL_inf = min { KL(P|P') + KL(Q|Q') : (P', Q') with hockey sticks <= delta }. No test of level alpha decides in fewer
    than (1 - o(1)) log(1 / alpha) / KL_inf releases per dataset on average. Lower end: the value of the Lagrangian dual
    at the computed multipliers, which is the growth of an admissible product bet. Upper end: a feasible (P', Q').

    Args:
        p: (m,), law on the left over m cells.
        q: (m,), law on the right.
        epsilon: claimed privacy loss.
        delta_forward: claimed delta with P = left; 1 or more if the direction is not claimed.
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
        """Return an upper bound on KL_inf: the divergence from laws, made of factors, that satisfy the claim."""
        left, right = p / pair[0], q / pair[1]
        # Missing mass goes to cells that are impossible on that side, where it adds no divergence.
        left, right = completed(left, p, q), completed(right, q, p)
        # A claim with delta = 0 holds in each cell; raise a cell that misses it by rounding.
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
            minimum = lowest(loss, start, scale / 4)
            best = min(best, minimum, key=loss)
            pair = factors(minimum)
            upper = upper if pair is None else min(upper, above(pair))
    return Bracket(max(0.0, -loss(best)), upper)


def lowest(loss: Callable[[Floats], float], start: Floats, size: float) -> Floats:
    """Return approximately the minimiser of a convex loss, by at most DUAL_STEPS steps of a simplex.

    Nelder & Mead (1965); SciPy's version would import all of `scipy.optimize`.

    Args:
        loss: (m,) -> value.
        start: (m,), a corner of the first simplex.
        size: length of its edges from `start`.
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


def completed(law: Floats, reference: Floats, other: Floats) -> Floats:
    """Return the law with sum 1: cells that are impossible under `reference` get the missing mass, shared as `other`.

    Args:
        law: (m,), weights of any sum.
        reference: (m,), the law whose divergence from the result is computed.
        other: (m,), the law on the other side.

    """
    free = np.where(reference < UNSEEN, other, 0.0)
    missing = 1.0 - law.sum()
    if missing > 0 and free.sum() > UNSEEN:
        law = law + missing * free / free.sum()
    return np.asarray(law / law.sum())


def divergence(p: Floats, q: Floats, left: Floats, right: Floats) -> float:
    """Return KL(p | left) + KL(q | right), in nats."""
    return float(np.sum(xlogy(p, p / left)) + np.sum(xlogy(q, q / right)))
