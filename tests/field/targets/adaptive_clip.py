"""A sum of updates, and how many were clipped. Promise: mu 1; a user has one update, clipped to [-1, 1]."""

import math

CLIP = 1.0


def aggregate(rows, rng, sigma):
    """Release the noisy sum, and the noisy share of unclipped updates that the next clip is set by."""
    updates = [update for _user, _round, update in rows]
    total = sum(min(CLIP, max(-CLIP, update)) for update in updates)
    unclipped = sum(abs(update) <= CLIP for update in updates) - len(updates) / 2
    return [round(total + rng.normal(0, sigma), 3), round(unclipped + rng.normal(0, 0.5 * sigma), 3)]


def wrong(rows, rng):
    """Charge for the sum alone."""
    return aggregate(rows, rng, 1.0)


def right(rows, rng):
    """Give both releases more noise: the losses of two add up in squares."""
    return aggregate(rows, rng, math.sqrt(2.0))
