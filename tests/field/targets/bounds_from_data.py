"""The total age at a clinic. Promise: epsilon 1; a user has one age."""


def total(ages, low, high, rng):
    """Return the noisy sum of ages clipped to the bounds."""
    scale = max(abs(low), abs(high))
    return round(sum(min(high, max(low, age)) for age in ages) + rng.laplace(0, scale), 1)


def wrong(rows, rng):
    """Read the bounds from the data."""
    ages = [age for _user, _clinic, age in rows] or [0.0]
    return total(ages, min(ages), max(ages), rng)


def right(rows, rng):
    """Fix the bounds before anybody sees the data."""
    return total([age for _user, _clinic, age in rows], 0.0, 100.0, rng)
