"""A sum of prices in half precision. Promise: epsilon 1; a user has one price in [0, 64]."""

import numpy as np

HIGH = 64.0


def data(rng):
    """Return a large price at the front, and a thousand that are a little over half of the last place then."""
    return [("u0", "shop", HIGH), *((f"u{i}", "shop", 0.0332) for i in range(1, 1001))]


def prices(rows):
    """Return the prices, clipped."""
    return np.clip(np.array([price for _user, _shop, price in rows]), 0.0, HIGH)


def wrong(rows, rng):
    """Add in half precision: beyond 64 each small price is rounded up to 1/16."""
    total = np.cumsum(prices(rows).astype(np.float16), dtype=np.float16)[-1] if rows else 0.0
    return round(float(total) + rng.laplace(0, HIGH), 2)


def right(rows, rng):
    """Add whole multiples of 1/1024."""
    return round(int(np.rint(prices(rows) * 1024).sum()) / 1024 + rng.laplace(0, HIGH), 2)
