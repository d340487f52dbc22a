"""Searched words and their users, above a threshold."""

import math

DELTA = 1e-3
THRESHOLD = math.ceil(2 + math.log(1 / (2 * DELTA)))


def release(histogram, rng):
    """Return noisy counts of words that reach the threshold, by name."""
    noisy = {word: round(count + rng.laplace(0, 1.0)) for word, count in sorted(histogram.items())}
    return {word: count for word, count in noisy.items() if count >= THRESHOLD}
