"""A sum of squares, as a covariance of one column. Promise: epsilon 1; a user has one value in [-1, 1]."""


def squares(rows):
    """Return the sum of squares of clipped values."""
    return sum(min(1.0, max(-1.0, value)) ** 2 for _user, _column, value in rows)


def wrong(rows, rng):
    """Add Wishart noise, which is never negative."""
    return round(squares(rows) + 1.5 * (rng.normal() ** 2 + rng.normal() ** 2), 2)


def right(rows, rng):
    """Add Laplace noise."""
    return round(squares(rows) + rng.laplace(0, 1.0), 2)
