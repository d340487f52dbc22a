"""Keys above a real threshold, compared as whole numbers. Promise: epsilon 1, delta 0.0055; a user is in one key."""

import math

EPSILON, DELTA = 1.0, 0.0055
STOP = 1 - math.exp(-EPSILON)
THRESHOLD = 1 + math.log(1 / (DELTA * (1 + math.exp(-EPSILON)))) / EPSILON


def released(histogram, rng, threshold):
    """Release noisy counts from the threshold on."""
    noisy = {
        key: count + int(rng.geometric(STOP)) - int(rng.geometric(STOP)) for key, count in sorted(histogram.items())
    }
    return {key: count for key, count in noisy.items() if count >= threshold}


def wrong(histogram, rng):
    """Cut the decimals of the threshold off."""
    return released(histogram, rng, int(THRESHOLD))


def right(histogram, rng):
    """Round the threshold up."""
    return released(histogram, rng, math.ceil(THRESHOLD))
