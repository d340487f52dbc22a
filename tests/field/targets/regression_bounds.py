"""The coefficient of a regression: a sum of squares. Promise: epsilon 1; a user has one value in [2, 10]."""

LOW, HIGH = 2.0, 10.0


def squares(rows, rng, sensitivity):
    """Return the noisy sum of squares of clipped values."""
    return round(sum(min(HIGH, max(LOW, x)) ** 2 for _user, _column, x in rows) + rng.laplace(0, sensitivity), 2)


def wrong(rows, rng):
    """Take the lower bound twice."""
    return squares(rows, rng, max(abs(LOW), abs(LOW)) ** 2)


def right(rows, rng):
    """Take the larger of both bounds."""
    return squares(rows, rng, max(abs(LOW), abs(HIGH)) ** 2)
