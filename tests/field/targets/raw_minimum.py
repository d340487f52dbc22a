"""Impressions of known campaigns, suppressed below a minimum. Promise: epsilon 1; a user has one impression."""

CAMPAIGNS, MINIMUM = ("spring", "autumn"), 12


def wrong(histogram, rng):
    """Compare the raw number with the minimum, and release a noisy number."""
    numbers = {name: histogram.get(name, 0) for name in CAMPAIGNS}
    return {name: 0.0 if n < MINIMUM else round(n + rng.laplace(0, 1.0), 2) for name, n in numbers.items()}


def right(histogram, rng):
    """Compare the noisy number."""
    noisy = {name: round(histogram.get(name, 0) + rng.laplace(0, 1.0), 2) for name in CAMPAIGNS}
    return {name: 0.0 if n < MINIMUM else n for name, n in noisy.items()}
