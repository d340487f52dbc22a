"""How many answered. Promise: epsilon 1; one user is replaced by another, and the number of users is public."""

import numpy as np


def answered(rows):
    """Bin answers, which makes NaN a missing value, and count those that are not missing."""
    return int((~np.isnan(np.array([answer for _user, _question, answer in rows], dtype=float))).sum())


def wrong(rows, rng):
    """Take the count for the public number of rows, and add no noise."""
    return answered(rows)


def right(rows, rng):
    """Add noise: a replaced user changes the count by 1."""
    return round(answered(rows) + rng.laplace(0, 1.0), 2)
