"""A histogram of hours. Promise: epsilon 1; a user has one hour."""

import numpy as np


def noisy_histogram(hours, bins, rng):
    """Count hours by bin, with noise on each count."""
    counts = np.histogramdd(np.array(hours, dtype=float).reshape(-1, 1), bins=[bins])[0]
    return list(np.round(counts + rng.laplace(0, 1.0, size=counts.shape), 2))


def wrong(rows, rng):
    """One bin for each hour up to the last that the data have."""
    hours = [min(23, max(0, int(hour))) for _user, _shop, hour in rows]
    return noisy_histogram(hours, np.arange(max(hours, default=0) + 2), rng)


def right(rows, rng):
    """One bin for each hour of the day."""
    hours = [min(23, max(0, int(hour))) for _user, _shop, hour in rows]
    return noisy_histogram(hours, np.arange(25), rng)
