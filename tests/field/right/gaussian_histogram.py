"""Visitors by shop with Gaussian noise; a user visits at most two shops."""

import math

SHOPS, RHO, MOST_SHOPS = ("mall", "kiosk", "online"), 0.5, 2


def release(histogram, rng):
    """Return noisy counts; sigma is that of the L2 bound."""
    sigma = math.sqrt(MOST_SHOPS / (2 * RHO))
    return {shop: round(histogram.get(shop, 0) + rng.normal(0, sigma), 2) for shop in SHOPS}
