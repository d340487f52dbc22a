"""The most popular of two dishes. Promise: rho 1/2 under replacement, the price of the exponential mechanism at 2."""

import numpy as np

DISHES, EPSILON = ("soup", "salad"), 2.0


def votes(histogram):
    """Return the votes of each dish."""
    return np.array([histogram.get(dish, 0) for dish in DISHES])


def wrong(histogram, rng):
    """Permute and flip, which is epsilon-DP and has no smaller zCDP price."""
    scores = votes(histogram)
    for i in rng.permutation(len(DISHES)):
        if rng.random() < np.exp(EPSILON / 2 * (scores[i] - scores.max())):
            return DISHES[i]
    return None


def right(histogram, rng):
    """Exponential mechanism, by Gumbel noise."""
    return DISHES[int(np.argmax(EPSILON / 2 * votes(histogram) + rng.gumbel(size=len(DISHES))))]
