"""Orders; of each customer at most two are counted."""

from collections import Counter


def release(rows, rng):
    """Return the noisy number of orders that are counted."""
    orders = Counter(customer for customer, *_ in rows)
    return round(sum(min(2, number) for number in orders.values()) + rng.laplace(0, 2.0), 2)
