"""Power in epsilon: which larger epsilon is seen by the releases that show a delta, where pure epsilon is claimed.

A delta is seen in an event that the neighbour never gives (p = delta, q = 0). A larger epsilon' is seen in an event of
probability p = 1/2, as Laplace noise on a count has (q = e^-epsilon' / 2). Both powers are those of bets on one frozen
event (`auditor.statistics.power`) with the same number of releases, at a usual threshold for the capital.
"""

import math
from functools import lru_cache

from auditor.statistics.power import betting_power, detectable_delta

HALF = 0.5
POWER = 0.95
THRESHOLD = 20.0
"""Logarithm of the capital that decides: false alarms of 1e-6, shared by tens of neighbours and events."""
LARGEST_EXCESS = 40.0
"""Most by which the larger epsilon exceeds the claimed one."""
MOST_RELEASES = 2**24
"""Releases a side beyond which nothing is computed: what takes more counts as taking so many."""
NEVER = 1e-12
"""Probability from which the neighbour counts as never giving the event."""
PRECISION = 1e-3
"""Relative, of all bisections."""


def shows_epsilon(n: int, larger: float, epsilon: float) -> bool:
    """Return whether n releases a side show a larger epsilon with probability .95."""
    rarer = HALF * math.exp(-larger)
    return betting_power(n, HALF, rarer if rarer > NEVER else 0.0, epsilon, 0.0, THRESHOLD) >= POWER


def _fewest(epsilon: float, larger: float | None, delta: float) -> int:
    """Return the fewest releases that show the larger epsilon, or the delta where there is none."""

    def suffices(n: int) -> bool:
        if larger is None:
            return betting_power(n, delta, 0.0, epsilon, 0.0, THRESHOLD) >= POWER
        return shows_epsilon(n, larger, epsilon)

    low, high = 0, 16
    while high < MOST_RELEASES and not suffices(high):
        low, high = high, 4 * high
    while high - low > max(1.0, PRECISION * high):
        middle = (low + high) // 2
        low, high = (low, middle) if suffices(middle) else (middle, high)
    return high


@lru_cache(maxsize=64)
def epsilon_shown(delta: float, epsilon: float) -> float:
    """Return the smallest epsilon that is seen by the releases that show `delta`; infinity where none is."""
    if delta >= 1:
        return math.inf
    n = _fewest(epsilon, None, delta)
    low, high = epsilon, epsilon + LARGEST_EXCESS
    if not shows_epsilon(n, high, epsilon):
        return math.inf
    while high - low > PRECISION * max(low, PRECISION):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if shows_epsilon(n, middle, epsilon) else (middle, high)
    return high


@lru_cache(maxsize=64)
def delta_that_shows(larger: float, epsilon: float) -> float:
    """Return the delta that is seen by the fewest releases that show a larger epsilon."""
    return detectable_delta(_fewest(epsilon, larger, 0.0), 0.0, epsilon, 0.0, THRESHOLD)
