"""A median of zeros and ones by the exponential mechanism. Promise: epsilon 1; a user has one value."""

import numpy as np


def median(histogram, rng, *, shifted):
    """Choose the interval below, between or above the values, by its distance in rank from the middle."""
    zeros, ones = histogram.get("0", 0), histogram.get("1", 0)
    below = np.array([0, zeros, zeros + ones])
    scores = -np.abs(below - (zeros + ones) / 2)
    lengths = np.array([0.0, 1.0, 0.0])
    lengths[[0, 2]] = 1e-3
    weights = np.exp((scores - scores.max() if shifted else scores) * 0.5) * lengths
    with np.errstate(invalid="ignore"):
        return int(rng.choice(3, p=weights / weights.sum()))


def wrong(histogram, rng):
    """Take exponents of scores as they are: all underflow where there are many equal values."""
    return median(histogram, rng, shifted=False)


def right(histogram, rng):
    """Subtract the largest score first."""
    return median(histogram, rng, shifted=True)
