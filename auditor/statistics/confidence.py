"""Lower bounds on delta and epsilon, valid at every time, from the bets that were placed against a claim.

The bets are held against other hypotheses (see `auditor.statistics.betting`): what is rejected is a lower set, whose
upper end is bracketed and rounded down.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from auditor.statistics.betting import Floats, Hypotheses, log_sum_exp
from auditor.statistics.bracketing import bracket_of_zero
from auditor.statistics.e_process import Played, Trajectory, initial_accounts, stacked

RESOLUTION = 2.0**-15
"""Width of the bracket at the end, as a share of the first one."""
IMMATERIAL = 8.0
"""Nats below what rejects at which the wealth of a pair is left out: it only falls as the hypotheses get weaker."""
LARGEST_EPSILON = 50.0
SMALLEST_DELTA = 1e-12


def log_wealth_against(played: Sequence[Played], claim: Hypotheses, probe: Hypotheses) -> float:
    """Return the log-wealth that the bets placed against `claim` have against the one hypothesis of `probe`."""
    total, _idle = initial_accounts(claim)
    for piece in played:
        total = total + piece.gains(np.exp(probe.epsilon), probe.forward, probe.backward).sum(axis=0)
    return float(log_sum_exp(total))


def largest_rejected(
    plays: Sequence[Sequence[Played]],
    claims: Sequence[Hypotheses],
    log_weights: Sequence[float],
    probe: Callable[[Hypotheses, float], Hypotheses],
    low: float,
    high: float,
    alpha: float,
) -> float:
    """Return the largest value on [low, high] whose hypothesis is rejected at alpha, rounded down; `low` where none is.

    Args:
        plays: the blocks of each pair; wealth is averaged over pairs.
        claims: for each pair what its bets were placed against.
        log_weights: for each pair the logarithm of its share of the capital.
        probe: (claim, value) -> nested hypotheses, weaker for larger values.
        low: start of the search.
        high: end of the search.
        alpha: error probability.

    """
    needed, telling = -math.log(alpha), [*range(len(plays))]

    def excess(value: float) -> float:
        """Return the wealth beyond what rejects; pairs that are not needed here are not for larger values either."""
        nonlocal telling
        found = [log_weights[i] + log_wealth_against(plays[i], claims[i], probe(claims[i], value)) for i in telling]
        gained = float(log_sum_exp(np.array(found))) - needed
        if gained >= 0:
            telling = [i for i, each in zip(telling, found, strict=True) if each > needed - IMMATERIAL]
        return gained

    at_low = excess(low)
    return low if at_low < 0 else bracket_of_zero(excess, low, high, RESOLUTION * (high - low), at_low, -math.inf)[0]


def delta_lower(
    plays: Sequence[Sequence[Played]], claims: Sequence[Hypotheses], log_weights: Sequence[float], alpha: float
) -> float:
    """Return a lower bound on the largest delta(epsilon) over pairs and directions, valid at any time.

    Args:
        plays: the blocks of each pair.
        claims: for each pair the one hypothesis that its bets were placed against; all at the same epsilon.
        log_weights: for each pair the logarithm of its share of the capital.
        alpha: probability that the bound fails; shared with the verdict on the claims.

    Returns: 0 where nothing is rejected.

    """

    def probe(claim: Hypotheses, value: float) -> Hypotheses:
        delta = np.exp([value])
        return Hypotheses(claim.epsilon, delta, delta, claim.directions)

    low, high = math.log(SMALLEST_DELTA), math.log1p(-1e-6)
    found = largest_rejected(plays, claims, log_weights, probe, low, high, alpha)
    return math.exp(found) if found > low else 0.0


def epsilon_lower(
    plays: Sequence[Sequence[Played]], claims: Sequence[Hypotheses], log_weights: Sequence[float], alpha: float
) -> float:
    """Return a lower bound on the largest epsilon(delta) over pairs and directions; see `delta_lower`."""

    def probe(claim: Hypotheses, value: float) -> Hypotheses:
        return Hypotheses(np.array([value]), claim.forward, claim.backward, claim.directions)

    highest = max(LARGEST_EPSILON, 2 * float(claims[0].epsilon[0]))
    return largest_rejected(plays, claims, log_weights, probe, 0.0, highest, alpha)


def profile_lower(
    trajectories: Sequence[Trajectory], claims: Hypotheses, log_weights: Sequence[float], alpha: float
) -> Floats:
    """Return lower bounds on delta at every epsilon of `claims`, (H,), simultaneous at level alpha at any time.

    Each epsilon owns the share alpha / H and the bets of its own claim, which the counts that were kept allow to be
    placed afterwards; a bound at a larger epsilon also bounds delta at every smaller one.
    """
    played = [trajectory.coarse().play(claims) for trajectory in trajectories]
    bounds = np.empty(len(claims))
    for place in range(len(claims)):
        claim = claims.at(place)
        plays = [stacked([block.against(place) for block in blocks]) for blocks in played]
        bounds[place] = delta_lower(plays, [claim] * len(plays), log_weights, alpha / len(claims))
    order = np.argsort(-claims.epsilon)
    bounds[order] = np.maximum.accumulate(bounds[order])
    return bounds
