"""One step on a sampled batch. Promise: the profile of a Poisson-subsampled Gaussian step; gradients in [-1, 1]."""

import math

import numpy as np
from scipy.special import ndtr

RATE, SIGMA = 0.5, 1.0


def clipped(rows):
    """Return the gradients, clipped."""
    return np.array([min(1.0, max(-1.0, value)) for _user, _task, value in rows])


def wrong(rows, rng):
    """Draw a batch of four records."""
    gradients = clipped(rows)
    chosen = rng.choice(len(rows), size=min(4, len(rows)), replace=False)
    return round(gradients[chosen].sum() + rng.normal(0, SIGMA), 3)


def right(rows, rng):
    """Draw each record by its own coin."""
    gradients = clipped(rows)
    return round(gradients[rng.random(len(rows)) < RATE].sum() + rng.normal(0, SIGMA), 3)


def promised(epsilon):
    """Return the larger delta of a record removed and a record added."""

    def above(cut):  # P - e^epsilon Q right of the cut, of P = N(1) with probability RATE, else N(0), and Q = N(0)
        odds = RATE * ndtr((1 - cut) / SIGMA) + (1 - RATE) * ndtr(-cut / SIGMA)
        return odds - math.exp(epsilon) * ndtr(-cut / SIGMA)

    def below(cut):  # Q - e^epsilon P left of the cut
        odds = RATE * ndtr((cut - 1) / SIGMA) + (1 - RATE) * ndtr(cut / SIGMA)
        return ndtr(cut / SIGMA) - math.exp(epsilon) * odds

    removed = above(0.5 + SIGMA**2 * math.log((math.exp(epsilon) - 1 + RATE) / RATE))
    lift = (math.exp(-epsilon) - 1 + RATE) / RATE
    return removed if lift <= 0 else max(removed, below(0.5 + SIGMA**2 * math.log(lift)))
