"""The gradient of one batch. Promise: mu 1; a user has one gradient, clipped to [-1, 1]."""


def clip(value):
    """Clip to [-1, 1]."""
    return min(1.0, max(-1.0, value))


def wrong(rows, rng):
    """Clip the gradient of the batch: one user moves it from one end to the other."""
    return round(clip(sum(value for _user, _task, value in rows)) + rng.normal(0, 1.0), 3)


def right(rows, rng):
    """Clip the gradient of each sample."""
    return round(sum(clip(value) for _user, _task, value in rows) + rng.normal(0, 1.0), 3)
