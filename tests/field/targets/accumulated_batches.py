"""One update of two accumulated batches. Promise: the profile of Poisson sampling at 1/4, Gaussian noise 1."""

import math

from scipy.special import ndtr

RATE, BATCHES, SIGMA = 0.25, 2, 1.0


def update(rows, rng, rate):
    """Return the noisy sum of a Poisson batch of clipped gradients."""
    total = sum(min(1.0, max(-1.0, value)) for _user, _task, value in rows if rng.random() < rate)
    return round(total + rng.normal(0, SIGMA), 3)


def wrong(rows, rng):
    """Sample two batches for one update, and account for one of them."""
    return update(rows, rng, RATE * BATCHES)


def right(rows, rng):
    """Account for what is sampled."""
    return update(rows, rng, RATE)


def promised(epsilon):
    """Return the larger delta of a record removed and a record added, sampled at 1/4."""

    def mixed(x):
        return RATE * ndtr((x - 1) / SIGMA) + (1 - RATE) * ndtr(x / SIGMA)

    cut = 0.5 + SIGMA**2 * math.log((math.exp(epsilon) - 1 + RATE) / RATE)
    removed = 1 - mixed(cut) - math.exp(epsilon) * ndtr(-cut / SIGMA)
    lift = (math.exp(-epsilon) - 1 + RATE) / RATE
    if lift <= 0:
        return max(0.0, removed)
    cut = 0.5 + SIGMA**2 * math.log(lift)
    return max(0.0, removed, ndtr(cut / SIGMA) - math.exp(epsilon) * mixed(cut))
