"""What a ledger charges for Gaussian noise: epsilon at delta, for noise of sigma on a sum of sensitivity 1."""

import math


def spent(rho, delta):
    """Convert zCDP to epsilon at delta."""
    return rho + 2 * math.sqrt(rho * math.log(1 / delta))


def wrong(delta, sigma):
    """Charge more for more noise."""
    return spent(sigma**2 / 2, delta)


def right(delta, sigma):
    """Charge less for more noise."""
    return spent(1 / (2 * sigma**2), delta)
