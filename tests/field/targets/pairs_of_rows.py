"""A sum over pairs of rows. Promise: epsilon 1; a user has one row, and a pair adds a product in [-1, 1]."""

import numpy as np


def products(values):
    """Sum the products of neighbouring rows; an odd row at the end is cut off."""
    even = values[: len(values) // 2 * 2]
    return float((even[0::2] * even[1::2]).sum())


def clipped(rows):
    """Return the values, clipped to [-1, 1]; missing ones are 0."""
    return np.nan_to_num(np.clip(np.array([value for _user, _study, value in rows], dtype=float), -1.0, 1.0))


def wrong(rows, rng):
    """Pair rows as they come: one more row moves all pairs."""
    return round(products(clipped(rows)) + rng.laplace(0, 1.0), 2)


def right(rows, rng):
    """Pair rows at random, so that one row changes one pair, by at most 2."""
    return round(products(rng.permutation(clipped(rows))) + rng.laplace(0, 2.0), 2)
