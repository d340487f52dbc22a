"""Delta of subsampled Gaussian steps."""

import math

from scipy.special import ndtr


def gaussian(mu, epsilon):
    """Return delta of mu-GDP."""
    return max(0.0, ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu))


def wrong(epsilon, sigma, rate, k):
    """Take the limit of many steps for the value at a few."""
    return gaussian(rate * math.sqrt(k * math.expm1(1 / sigma**2)), epsilon)


def right(epsilon, sigma, rate, k):
    """Claim nothing from sampling: an upper bound."""
    return gaussian(math.sqrt(k) / sigma, epsilon)
