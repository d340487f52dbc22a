"""A tree of counts over four leaves. Promise: epsilon 1; a user is in one leaf, so in one node of three levels."""

import numpy as np

LEAVES = ("q1", "q2", "q3", "q4")


def levels(histogram, kind):
    """Return root, halves and leaves, all added in one type."""
    leaves = np.array([histogram.get(leaf, 0) for leaf in LEAVES]).astype(kind)
    halves = leaves.reshape(2, 2).sum(axis=1, dtype=kind)
    return np.concatenate([[halves.sum(dtype=kind)], halves, leaves]).astype(float)


def wrong(histogram, rng):
    """Add in 16 bits, which wrap around at 32,768."""
    return np.round(levels(histogram, np.int16) + rng.laplace(0, 3, size=7), 2)


def right(histogram, rng):
    """Add in 64 bits."""
    return np.round(levels(histogram, np.int64) + rng.laplace(0, 3, size=7), 2)
