"""A clamp lets NaN pass. Promise: epsilon 1; a user has one amount, clamped to [0, 10]."""

import math

LOW, HIGH = 0.0, 10.0


def clamp(amount):
    """Clamp by two comparisons; both are false for NaN."""
    if amount < LOW:
        return LOW
    if amount > HIGH:
        return HIGH
    return amount


def wrong(rows, rng):
    """Sum clamped amounts, NaN included."""
    return round(sum(clamp(amount) for _user, _shop, amount in rows) + rng.laplace(0, HIGH), 1)


def right(rows, rng):
    """Leave NaN out before the clamp."""
    kept = [clamp(amount) for _user, _shop, amount in rows if not math.isnan(amount)]
    return round(sum(kept) + rng.laplace(0, HIGH), 1)
