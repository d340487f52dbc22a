"""Counts with the textbook Laplace mechanism. Promise: epsilon 1; a user is in one shop."""

SHOPS = ("mall", "kiosk")


def wrong(histogram, rng):
    """Release doubles, whose last bits tell the count."""
    return {shop: histogram.get(shop, 0) + rng.laplace(0, 1.0) for shop in SHOPS}


def right(histogram, rng):
    """Round to a grid after the noise."""
    return {shop: round((histogram.get(shop, 0) + rng.laplace(0, 1.0)) * 1024) / 1024 for shop in SHOPS}
