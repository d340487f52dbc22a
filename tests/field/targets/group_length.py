"""A group is cut to three rows. Promise: epsilon 1; a user has at most three rows, clipped to [-10, 10]."""

MOST_ROWS, BOUND = 3, 10.0


def cut_sum(rows):
    """Sum the first three rows of the group, clipped."""
    return sum(max(-BOUND, min(BOUND, value)) for _user, _ward, value in rows[:MOST_ROWS])


def wrong(rows, rng):
    """Take three rows for the most that can change."""
    return round(cut_sum(rows) + rng.laplace(0, MOST_ROWS * BOUND), 1)


def right(rows, rng):
    """Three rows leave and three others come in: six change."""
    return round(cut_sum(rows) + rng.laplace(0, 2 * MOST_ROWS * BOUND), 1)
