"""Randomised response by each of a few voters; the number of yes. Promise: epsilon log 3; a voter changes sides."""

TRUTH = 0.75


def wrong(histogram, rng):
    """Else answer by a coin, which may tell the truth as well."""
    yes = 0
    for vote in (True, False):
        for _ in range(histogram.get("yes" if vote else "no", 0)):
            yes += vote if rng.random() < TRUTH else rng.random() < 0.5
    return int(yes)


def right(histogram, rng):
    """Else lie."""
    return int(rng.binomial(histogram.get("yes", 0), TRUTH) + rng.binomial(histogram.get("no", 0), 1 - TRUTH))
