"""Names of partitions alone, by the optimal probability of keeping one."""

import math

EPSILON, DELTA = 1.0, 0.01


def keep(users):
    """Return the probability that a partition of so many users is kept."""
    kept = 0.0
    for _ in range(users):
        kept = min(math.exp(EPSILON) * kept + DELTA, 1 - math.exp(-EPSILON) * (1 - kept - DELTA), 1.0)
    return kept


TABLE = [keep(users) for users in range(64)]


def release(histogram, rng):
    """Return the names that are kept."""
    return [name for name, users in sorted(histogram.items()) if rng.random() < TABLE[min(users, 63)]]
