"""Distinct products by store. Promise: epsilon 1; a user counts with one product in one store."""

STORES = ("mall", "kiosk")


def first_of_each_user(pairs):
    """Keep the first (store, product) of each user."""
    kept = {}
    for user, store, product in pairs:
        kept.setdefault(user, (store, product))
    return kept.values()


def noisy_counts(pairs, rng):
    """Count distinct products by store."""
    distinct = set(pairs)
    return {name: round(sum(s == name for s, _ in distinct) + rng.laplace(0, 1.0), 2) for name in STORES}


def wrong(rows, rng):
    """Remove duplicates of all users before users are bounded: another user may own a product of mine."""
    owners = {}
    for user, store, product in rows:
        owners.setdefault((store, product), user)
    return noisy_counts(first_of_each_user((user, *pair) for pair, user in owners.items()), rng)


def right(rows, rng):
    """Bound users first."""
    return noisy_counts(first_of_each_user(rows), rng)
