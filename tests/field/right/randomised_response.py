"""How many answered yes, each by randomised response."""

import math

TRUTH = math.e / (1 + math.e)


def release(histogram, rng):
    """Return the number of answers that are yes."""
    return int(rng.binomial(histogram.get("yes", 0), TRUTH) + rng.binomial(histogram.get("no", 0), 1 - TRUTH))
