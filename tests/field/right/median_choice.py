"""A median age from a fixed grid, by the exponential mechanism."""

import numpy as np

GRID = np.arange(0, 101, 10)


def release(rows, rng):
    """Choose a grid point by how far its rank is from the middle; one user moves that by half."""
    ages = np.array([age for _user, _clinic, age in rows])
    below = np.array([(ages < point).sum() for point in GRID])
    scores = -np.abs(below - len(ages) / 2)
    weights = np.exp(scores - scores.max())
    return int(rng.choice(GRID, p=weights / weights.sum()))
