"""A count of a sample: each user is kept by a coin, so noise of a larger epsilon is enough."""

import math

RATE = 0.5
EPSILON_OF_NOISE = math.log(1 + math.expm1(1.0) / RATE)


def release(histogram, rng):
    """Return the noisy size of the sample."""
    kept = rng.binomial(histogram.get("visitors", 0), RATE)
    return round(kept + rng.laplace(0, 1 / EPSILON_OF_NOISE), 2)
