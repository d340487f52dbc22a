"""Customers, however many orders each has."""


def release(rows, rng):
    """Return the noisy number of customers."""
    return round(len({customer for customer, *_ in rows}) + rng.laplace(0, 1.0), 2)
