"""Counts by shop of at most 30 rows. Promise: epsilon 1; a user has one row, first, last or in the middle."""

SHOPS, MOST_ROWS = ("mall", "kiosk", "online"), 30


def noisy_counts(rows, rng, scale):
    """Count the first rows by shop."""
    kept = [shop for _user, shop, *_ in rows[:MOST_ROWS]]
    return {shop: round(kept.count(shop) + rng.laplace(0, scale), 2) for shop in SHOPS}


def wrong(rows, rng):
    """Forget that a row at the front pushes another out."""
    return noisy_counts(rows, rng, 1.0)


def right(rows, rng):
    """One row comes in and another goes out."""
    return noisy_counts(rows, rng, 2.0)
