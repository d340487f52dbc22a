"""Impressions of a campaign. Promise: epsilon 1; a user has at most two impressions."""

from collections import Counter

UNCAPPED, MINIMUM = -1, 10


def impressions(rows, cap, rng):
    """Return the number of impressions: capped for each user and noisy, or uncapped."""
    if cap == UNCAPPED:
        return len(rows) if len(rows) >= MINIMUM else 0
    total = sum(min(cap, n) for n in Counter(user for user, *_ in rows).values())
    return round(total + rng.laplace(0, cap), 2)


def wrong(rows, rng):
    """Ask for the uncapped number, which gets no noise."""
    return impressions(rows, UNCAPPED, rng)


def right(rows, rng):
    """Cap a user at two impressions."""
    return impressions(rows, 2, rng)
