"""Keys of at least five noisy users. Promise: epsilon 1, delta 0.004927 = P[noise > 4]; a user is in one key."""

import math

THRESHOLD, EPSILON = 5, 1.0
STOP = 1 - math.exp(-EPSILON)


def two_sided_geometric(rng):
    """Draw a difference of two geometric variables: P[k] falls by e^-epsilon a step."""
    return int(rng.geometric(STOP)) - int(rng.geometric(STOP))


def noisy(histogram, rng):
    """Return a noisy count for each key of the input."""
    return {key: count + two_sided_geometric(rng) for key, count in sorted(histogram.items())}


def wrong(histogram, rng):
    """Release a count at the threshold, which the tail bound leaves out."""
    return {key: count for key, count in noisy(histogram, rng).items() if count >= THRESHOLD}


def right(histogram, rng):
    """Release counts above the threshold."""
    return {key: count for key, count in noisy(histogram, rng).items() if count > THRESHOLD}
