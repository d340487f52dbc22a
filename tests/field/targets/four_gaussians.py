"""A gradient with noise added up from four draws. Promise: mu 1; a user has one gradient in [-1, 1]."""

import numpy as np


def noisy(rows, rng):
    """Return the sum of gradients, with the mean of four normal draws, times two, as noise."""
    total = sum(min(1.0, max(-1.0, value)) for _user, _layer, value in rows)
    return total + float(np.sum(rng.normal(0, 1.0, size=4))) / 2


def wrong(rows, rng):
    """Release the double: the sum still tells how it was added."""
    return noisy(rows, rng)


def right(rows, rng):
    """Round to a grid after the noise."""
    return round(noisy(rows, rng) * 1024) / 1024
