"""Visitors by day, with two-sided geometric noise."""

import math

DAYS = ("mon", "tue", "wed")
STOP = 1 - math.exp(-1.0)


def release(histogram, rng):
    """Return a noisy whole number for each day."""
    noise = rng.geometric(STOP, size=len(DAYS)) - rng.geometric(STOP, size=len(DAYS))
    return {day: int(histogram.get(day, 0) + extra) for day, extra in zip(DAYS, noise, strict=True)}
