"""A price at which most would buy, by the exponential mechanism."""

import numpy as np

PRICES = (2, 4, 6, 8, 10)


def release(rows, rng):
    """Choose a price by the number of users who would pay it."""
    buyers = np.array([sum(amount >= price for _user, _shop, amount in rows) for price in PRICES])
    weights = np.exp((buyers - buyers.max()) / 2)
    return PRICES[int(rng.choice(len(PRICES), p=weights / weights.sum()))]
