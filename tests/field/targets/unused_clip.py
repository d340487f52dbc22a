"""A sum of gradients. Promise: epsilon 1; a user has one gradient, clipped to [-5, 5]."""

LIMIT = 5.0


def clipped(value):
    """Clip one gradient."""
    return min(LIMIT, max(-LIMIT, value))


def wrong(rows, rng):
    """Clip, and sum what was not clipped."""
    gradients = [clipped(value) for _user, _layer, value in rows]
    del gradients
    return round(sum(value for _user, _layer, value in rows) + rng.laplace(0, LIMIT), 2)


def right(rows, rng):
    """Sum what was clipped."""
    return round(sum(clipped(value) for _user, _layer, value in rows) + rng.laplace(0, LIMIT), 2)
