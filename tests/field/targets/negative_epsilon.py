"""Epsilon at delta of zero-concentrated differential privacy, at the best of many orders."""

import math

ORDERS = tuple(1 + 2.0**power for power in range(-20, 21))


def converted(order, rho, delta):
    """Convert the Renyi divergence at one order."""
    return rho * order + math.log1p(-1 / order) - math.log(delta * order) / (order - 1)


def wrong(delta, rho):
    """Return the least number, which is negative at a large delta."""
    return min(converted(order, rho, delta) for order in ORDERS)


def right(delta, rho):
    """Return the least number that is an epsilon."""
    return max(0.0, wrong(delta, rho))
