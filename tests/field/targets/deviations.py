"""A sum of squared deviations from the mean. Promise: epsilon 1; a user has one value in [M, M + 1], M = 2^50."""

import numpy as np

BASE = 2.0**50


def data(rng):
    """Return one value, and 255 that are a quarter larger."""
    return [("u0", "clock", BASE), *((f"u{i}", "clock", BASE + 0.25) for i in range(1, 256))]


def values(rows):
    """Return the values, clipped; missing ones are left out."""
    found = np.array([value for _user, _clock, value in rows], dtype=float)
    return np.clip(found[~np.isnan(found)], BASE, BASE + 1)


def wrong(rows, rng):
    """Round the mean as doubles do: the rounding is in every deviation."""
    numbers = values(rows)
    mean = sum(numbers.tolist()[1:], numbers[0]) / len(numbers) if len(numbers) else 0.0
    return round(float(np.square(numbers - mean).sum()) + rng.laplace(0, 1.0), 2)


def right(rows, rng):
    """Subtract the base first, which is exact."""
    numbers = values(rows) - BASE
    mean = numbers.sum() / max(1, len(numbers))
    return round(float(np.square(numbers - mean).sum()) + rng.laplace(0, 1.001), 2)
