"""Reach of two campaigns, with Laplace noise truncated at 8. Promise: epsilon 1, delta 0.001; one campaign a user."""

import zlib

import numpy as np

CAMPAIGNS, BOUND = ("spring", "autumn"), 8.0


def reach(histogram, rng):
    """Return both counts with truncated noise."""
    found = {}
    for name in CAMPAIGNS:
        noise = rng.laplace(0, 1.0)
        while abs(noise) > BOUND:
            noise = rng.laplace(0, 1.0)
        found[name] = round(histogram.get(name, 0) + noise, 2)
    return found


def wrong(histogram, rng):
    """Seed the noise by the data, so that the same data always give the same result."""
    return reach(histogram, np.random.default_rng(zlib.crc32(repr(sorted(histogram.items())).encode())))


def right(histogram, rng):
    """Draw the noise from the generator."""
    return reach(histogram, rng)
