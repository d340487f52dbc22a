"""Synthetic ages from a noisy table of decades. Promise: epsilon 1; a user has one age."""

import numpy as np

DECADES = tuple(range(10))


def synthetic(decades, domain, rng):
    """Draw 20 decades from the noisy counts of a domain."""
    noisy = np.array([decades.count(one) + rng.laplace(0, 1.0) for one in domain]).clip(0.01)
    drawn = rng.choice(len(domain), size=20, p=noisy / noisy.sum())
    return sorted(int(domain[place]) for place in drawn)


def wrong(rows, rng):
    """Take the domain from the data."""
    decades = [min(9, max(0, int(age // 10))) for _user, _clinic, age in rows]
    return synthetic(decades, sorted(set(decades)) or [0], rng)


def right(rows, rng):
    """Fix the domain before anybody sees the data."""
    return synthetic([min(9, max(0, int(age // 10))) for _user, _clinic, age in rows], DECADES, rng)
