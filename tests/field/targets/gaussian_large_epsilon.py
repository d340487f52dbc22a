"""A count with Gaussian noise. Promise: epsilon 10, delta 0.01; a user counts once."""

import math

from scipy.optimize import brentq
from scipy.special import ndtr

EPSILON, DELTA = 10.0, 0.01


def delta_of(sigma):
    """Return the exact delta of Gaussian noise at epsilon."""
    return ndtr(0.5 / sigma - EPSILON * sigma) - math.exp(EPSILON) * ndtr(-0.5 / sigma - EPSILON * sigma)


CLASSICAL = math.sqrt(2 * math.log(1.25 / DELTA)) / EPSILON
EXACT = brentq(lambda sigma: delta_of(sigma) - DELTA, CLASSICAL, 10.0)


def wrong(histogram, rng):
    """Use the formula of the textbook, which holds for epsilon below 1."""
    return round(histogram.get("visitors", 0) + rng.normal(0, CLASSICAL), 3)


def right(histogram, rng):
    """Solve the exact formula."""
    return round(histogram.get("visitors", 0) + rng.normal(0, EXACT), 3)
