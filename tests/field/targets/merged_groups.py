"""Visits to stores, merged into one region. Promise: rho 1/2; a user counts once in each of at most four stores."""

import math

STORES = 4


def bounded(rows):
    """Return the stores of each user, at most four."""
    seen = {}
    for user, store, *_ in rows:
        stores = seen.setdefault(user, [])
        if store not in stores and len(stores) < STORES:
            stores.append(store)
    return seen


def regional(rows, rng, sigma):
    """Return the noisy number of visits to the region."""
    visits = sum(len(stores) for stores in bounded(rows).values())
    return {"region": round(visits + rng.normal(0, sigma), 2)}


def wrong(rows, rng):
    """Use the L2 bound of four separate counts."""
    return regional(rows, rng, math.sqrt(STORES))


def right(rows, rng):
    """All four visits of a user are in one count."""
    return regional(rows, rng, STORES)
