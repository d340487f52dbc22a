"""A missing score is filled by a value that is NaN itself. Promise: epsilon 1; scores clipped to [0, 1]."""

import numpy as np

FILLER = float("nan")


def clipped_sum(scores, rng):
    """Return the noisy sum of scores clipped to [0, 1]."""
    return round(float(np.clip(scores, 0.0, 1.0).sum() + rng.laplace(0, 1.0)), 2)


def wrong(rows, rng):
    """Fill missing scores, and assume that no NaN is left."""
    scores = np.array([score for _user, _course, score in rows], dtype=float)
    return clipped_sum(np.where(np.isnan(scores), FILLER, scores), rng)


def right(rows, rng):
    """Fill missing scores by a number."""
    scores = np.array([score for _user, _course, score in rows], dtype=float)
    return clipped_sum(np.where(np.isnan(scores), 0.5, scores), rng)
