"""Joint counts of two attributes in 100 tuples, released as shares. Promise: epsilon 1; a tuple is replaced."""

VALUES = ("young,low", "young,high", "old,low", "old,high")
EPSILON, TUPLES = 1.0, 100


def shares(histogram, rng, scale):
    """Add noise to the counts, and divide them by their sum."""
    noisy = {key: max(0.0, histogram.get(key, 0) + rng.laplace(0, scale)) for key in VALUES}
    total = sum(noisy.values()) or 1.0
    return {key: round(count / total, 4) for key, count in noisy.items()}


def wrong(histogram, rng):
    """Take the sensitivity of the shares for that of the counts."""
    return shares(histogram, rng, 2 / (TUPLES * EPSILON))


def right(histogram, rng):
    """Take the sensitivity of the counts."""
    return shares(histogram, rng, 2 / EPSILON)
