"""Sign-ups up to each day, added up from noisy days."""

from itertools import accumulate

DAYS = ("mon", "tue", "wed", "thu")


def release(histogram, rng):
    """Return sums of noisy counts, which cost no more than the counts."""
    return list(accumulate(round(histogram.get(day, 0) + rng.laplace(0, 1.0)) for day in DAYS))
