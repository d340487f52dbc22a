"""Lower bounds on delta and epsilon, valid at every time, from the bets that were placed against a claim.

The bets are evaluated against other hypotheses (see `auditor.statistics.betting`). The rejected hypotheses are a lower
set; its upper end is bracketed and rounded down.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from auditor.statistics.betting import Hypotheses, log_sum_exp
from auditor.statistics.bracketing import bracket_of_zero
from auditor.statistics.e_process import BetBlocks, Trajectory, initial_accounts, stack

RESOLUTION = 2.0**-15
"""Width of the final bracket, as a share of the first one."""
IMMATERIAL = 8.0
"""Nats below the rejection threshold at which a pair's wealth is ignored; it only falls for weaker hypotheses."""
LARGEST_EPSILON = 50.0
SMALLEST_DELTA = 1e-12


class Bound(NamedTuple):
    """Lower bound over several pairs.

    Attributes:
        value: the bound.
        pair: index of the pair with the largest share of the wealth against the value.
    """

    value: float
    pair: int


def log_wealth_against(bet_blocks: Sequence[BetBlocks], claim: Hypotheses, probe: Hypotheses) -> float:
    """Return the log-wealth, against the one hypothesis of `probe`, of the bets placed against `claim`."""
    total, _idle = initial_accounts(claim)
    for piece in bet_blocks:
        total = total + piece.gains(np.exp(probe.epsilon), probe.forward, probe.backward).sum(axis=0)
    return float(log_sum_exp(total))


def largest_rejected(
    plays: Sequence[Sequence[BetBlocks]],
    claims: Sequence[Hypotheses],
    log_weights: Sequence[float],
    probe: Callable[[Hypotheses, float], Hypotheses],
    low: float,
    high: float,
    alpha: float,
) -> Bound:
    """Return the largest value on [low, high] whose hypothesis is rejected at alpha, rounded down; `low` if none is.

    Args:
        plays: the blocks of each pair; wealth is averaged over pairs.
        claims: for each pair the claim that its bets were placed against.
        log_weights: for each pair the logarithm of its share of the capital.
        probe: (claim, value) -> nested hypotheses, weaker for larger values.
        low: start of the search.
        high: end of the search.
        alpha: error probability.

    """
    threshold, material, leaders = -math.log(alpha), [*range(len(plays))], dict[float, int]()

    def excess(value: float) -> float:
        """Return the log-wealth minus the threshold; pairs immaterial here are immaterial for larger values too."""
        nonlocal material
        wealths = [log_weights[i] + log_wealth_against(plays[i], claims[i], probe(claims[i], value)) for i in material]
        above = float(log_sum_exp(np.array(wealths))) - threshold
        leaders[value] = material[int(np.argmax(wealths))]
        if above >= 0:
            material = [i for i, wealth in zip(material, wealths, strict=True) if wealth > threshold - IMMATERIAL]
        return above

    at_low = excess(low)
    width = RESOLUTION * (high - low)
    root = low if at_low < 0 else bracket_of_zero(excess, low, high, width, at_low, -math.inf)[0]
    return Bound(root, leaders[root])


def delta_lower(
    plays: Sequence[Sequence[BetBlocks]], claims: Sequence[Hypotheses], log_weights: Sequence[float], alpha: float
) -> Bound:
    """Return a lower bound on the largest delta(epsilon) over pairs and directions, valid at any time.

    Args:
        plays: the blocks of each pair.
        claims: for each pair the one hypothesis that its bets were placed against; all at one epsilon.
        log_weights: for each pair the logarithm of its share of the capital.
        alpha: probability that the bound fails; shared with the verdict on the claims.

    Returns: 0 if no delta is rejected.

    """

    def probe(claim: Hypotheses, value: float) -> Hypotheses:
        delta = np.exp([value])
        return Hypotheses(claim.epsilon, delta, delta, claim.directions)

    low, high = math.log(SMALLEST_DELTA), math.log1p(-1e-6)
    largest = largest_rejected(plays, claims, log_weights, probe, low, high, alpha)
    return Bound(math.exp(largest.value) if largest.value > low else 0.0, largest.pair)


def epsilon_lower(
    plays: Sequence[Sequence[BetBlocks]], claims: Sequence[Hypotheses], log_weights: Sequence[float], alpha: float
) -> Bound:
    """Return a lower bound on the largest epsilon(delta) over pairs and directions; see `delta_lower`."""

    def probe(claim: Hypotheses, value: float) -> Hypotheses:
        return Hypotheses(np.array([value]), claim.forward, claim.backward, claim.directions)

    highest = max(LARGEST_EPSILON, 2 * float(claims[0].epsilon[0]))
    return largest_rejected(plays, claims, log_weights, probe, 0.0, highest, alpha)


def profile_lower(
    trajectories: Sequence[Trajectory], claims: Hypotheses, log_weights: Sequence[float], alpha: float
) -> list[Bound]:
    """Return a lower bound on delta at each of the H epsilons of `claims`, simultaneous at level alpha at any time.

    Each epsilon has the share alpha / H and bets against its own claim, placed afterwards from the stored counts. A
    bound at a larger epsilon also bounds delta at every smaller one.
    """
    all_blocks = [trajectory.coarse().play(claims) for trajectory in trajectories]
    bounds = []
    for place in range(len(claims)):
        claim = claims.at(place)
        plays = [stack([block.against(place) for block in blocks]) for blocks in all_blocks]
        bounds.append(delta_lower(plays, [claim] * len(plays), log_weights, alpha / len(claims)))
    return [
        max(
            (bound for bound, larger in zip(bounds, claims.epsilon, strict=True) if larger >= epsilon),
            key=lambda bound: bound.value,
        )
        for epsilon in claims.epsilon
    ]
