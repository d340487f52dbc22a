"""An update of clipped gradients. Promise: mu 1; a user has one gradient, clipped to [-1, 1]."""


def update(rows, rng, start):
    """Add clipped gradients and noise to what is in the buffer."""
    total = sum(min(1.0, max(-1.0, value)) for _user, _task, value in rows)
    return round(start + total + rng.normal(0, 1.0), 3)


def wrong(rows, rng):
    """Leave the mean gradient of the backward pass in the buffer."""
    values = [value for _user, _task, value in rows] or [0.0]
    return update(rows, rng, sum(values) / len(values))


def right(rows, rng):
    """Clear the buffer first."""
    return update(rows, rng, 0.0)
