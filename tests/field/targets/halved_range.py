"""A sum around the middle of a range. Promise: epsilon 1; a user has one value in [0, 3]."""

import math

LOW, HIGH = 0, 3


def centred(rows):
    """Sum clipped values less the middle of the range; missing values are left out."""
    values = [value for _user, _room, value in rows if not math.isnan(value)]
    return sum(min(max(value, LOW), HIGH) - (LOW + HIGH) / 2 for value in values)


def wrong(rows, rng):
    """Round half of an odd range down."""
    return round(centred(rows) + rng.laplace(0, (HIGH - LOW) // 2), 2)


def right(rows, rng):
    """Use half of the range."""
    return round(centred(rows) + rng.laplace(0, (HIGH - LOW) / 2), 2)
