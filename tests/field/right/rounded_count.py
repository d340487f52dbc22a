"""Visitors, with Laplace noise, rounded."""


def release(histogram, rng):
    """Return the noisy number of visitors as a whole number."""
    return round(histogram.get("visitors", 0) + rng.laplace(0, 1.0))
