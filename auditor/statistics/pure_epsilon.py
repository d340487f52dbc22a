"""Conversion between detectable deltas and detectable epsilons for claims of pure epsilon.

A delta is detected on an event that is impossible on the neighbour (p = delta, q = 0). A larger epsilon' is detected on
an event of probability p = 1/2, as Laplace noise on a count has (q = e^-epsilon' / 2). Both powers are powers of bets
on one frozen event (`auditor.statistics.power`) with equal numbers of releases, at a usual threshold for the capital.
"""

import math
from functools import lru_cache

from auditor.statistics.power import betting_power, detectable_delta

HALF = 0.5
POWER = 0.95
THRESHOLD = 20.0
"""Log-capital that refutes: a false-alarm probability of 1e-6, shared by tens of neighbours and events."""
LARGEST_EXCESS = 40.0
"""Largest difference of the larger epsilon and the claimed one."""
MOST_RELEASES = 2**24
"""Releases per dataset at which the search stops; larger numbers count as this one."""
NEVER = 1e-12
"""Probability below which an event counts as impossible on the neighbour."""
PRECISION = 1e-3
"""Relative precision of all bisections."""


def detects_epsilon(n: int, larger: float, epsilon: float) -> bool:
    """Return whether n releases per dataset detect a larger epsilon with probability .95."""
    rarer = HALF * math.exp(-larger)
    return betting_power(n, HALF, rarer if rarer > NEVER else 0.0, epsilon, 0.0, THRESHOLD) >= POWER


def _fewest(epsilon: float, larger: float | None, delta: float) -> int:
    """Return the fewest releases per dataset that detect the larger epsilon, or delta if `larger` is None."""

    def suffices(n: int) -> bool:
        if larger is None:
            return betting_power(n, delta, 0.0, epsilon, 0.0, THRESHOLD) >= POWER
        return detects_epsilon(n, larger, epsilon)

    low, high = 0, 16
    while high < MOST_RELEASES and not suffices(high):
        low, high = high, 4 * high
    while high - low > max(1.0, PRECISION * high):
        middle = (low + high) // 2
        low, high = (low, middle) if suffices(middle) else (middle, high)
    return high


@lru_cache(maxsize=64)
def epsilon_shown(delta: float, epsilon: float) -> float:
    """Return the smallest epsilon that the fewest releases detecting `delta` also detect; infinity if none."""
    if delta >= 1:
        return math.inf
    n = _fewest(epsilon, None, delta)
    low, high = epsilon, epsilon + LARGEST_EXCESS
    if not detects_epsilon(n, high, epsilon):
        return math.inf
    while high - low > PRECISION * max(low, PRECISION):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if detects_epsilon(n, middle, epsilon) else (middle, high)
    return high


@lru_cache(maxsize=64)
def delta_that_shows(larger: float, epsilon: float) -> float:
    """Return the smallest delta that the fewest releases detecting a larger epsilon also detect."""
    return detectable_delta(_fewest(epsilon, larger, 0.0), 0.0, epsilon, 0.0, THRESHOLD)
