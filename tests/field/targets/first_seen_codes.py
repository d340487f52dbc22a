"""Bins get codes, and codes are summed. Promise: epsilon 1; a code is 0 or 1, and a user has one row."""

EDGE = 18.0


def wrong(rows, rng):
    """Number bins in the order in which rows show them."""
    codes, total = {}, 0
    for _user, _clinic, age in rows:
        total += codes.setdefault(age >= EDGE, len(codes))
    return round(total + rng.laplace(0, 1), 2)


def right(rows, rng):
    """Number bins by their edges."""
    return round(sum(int(age >= EDGE) for _user, _clinic, age in rows) + rng.laplace(0, 1), 2)
