"""A second moment. Promise: epsilon 1; a user has one value, censored to [0, 10]."""

import numpy as np

LOW, HIGH = 0.0, 10.0


def moment(values, rng):
    """Return the noisy sum of squares."""
    return round(float(np.square(values).sum() + rng.laplace(0, HIGH**2)), 2)


def column(rows):
    """Return the values of all rows."""
    return np.array([value for _user, _column, value in rows], dtype=float)


def wrong(rows, rng):
    """Censor the column, and take the moment of the column as it came."""
    values = column(rows)
    np.clip(values, LOW, HIGH)
    return moment(values, rng)


def right(rows, rng):
    """Take the moment of the censored column, in which missing values are 0."""
    return moment(np.nan_to_num(np.clip(column(rows), LOW, HIGH)), rng)
