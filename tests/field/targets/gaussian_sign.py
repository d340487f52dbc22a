"""Counts with the analytic Gaussian mechanism. Promise: epsilon 1, delta 0.001; a user is in one shop."""

import math

from scipy.optimize import brentq
from scipy.special import ndtr

SHOPS, EPSILON, DELTA = ("mall", "kiosk"), 1.0, 1e-3


def tail(root, sign):
    """Return delta at a root v, on the side that the sign says."""
    return ndtr(sign * math.sqrt(EPSILON * root)) - math.exp(EPSILON) * ndtr(-math.sqrt(EPSILON * (root + 2)))


ROOT = brentq(lambda root: tail(root, -1) - DELTA, 0.0, 100.0)


def noisy_counts(histogram, rng, sign):
    """Add noise of the calibrated sigma."""
    alpha = math.sqrt(1 + ROOT / 2) + sign * math.sqrt(ROOT / 2)
    sigma = alpha / math.sqrt(2 * EPSILON)
    return {shop: round(histogram.get(shop, 0) + rng.normal(0, sigma), 2) for shop in SHOPS}


def wrong(histogram, rng):
    """Use the sign of the other case: sigma is too small."""
    return noisy_counts(histogram, rng, -1)


def right(histogram, rng):
    """Use the sign of a delta below that of zero noise."""
    return noisy_counts(histogram, rng, 1)
