"""One private gradient step in eight dimensions. Promise: mu 1/2; gradients in [-1, 1], noise 2."""

import numpy as np

RATE, CLIP, SIGMA, DIMENSION = 0.5, 1.0, 2.0, 8


def noisy_sum(rows, rng):
    """Return the noisy sum of a Poisson batch."""
    batch = [min(CLIP, max(-CLIP, value)) for _user, _task, value in rows if rng.random() < RATE]
    gradient = np.zeros(DIMENSION)
    gradient[0] = sum(batch)
    return gradient + rng.normal(0, SIGMA * CLIP, size=DIMENSION)


def wrong(rows, rng):
    """Divide by the expected batch size, which depends on the number of records."""
    return list(np.round(noisy_sum(rows, rng) / max(1, int(RATE * len(rows))), 3))


def right(rows, rng):
    """Divide by a constant."""
    return list(np.round(noisy_sum(rows, rng) / 4, 3))
