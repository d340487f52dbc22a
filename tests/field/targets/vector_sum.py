"""Sums by city. Promise: epsilon 1; a user is in one city, and adds at most 5 to its sum."""

CITIES, CAP = ("Bonn", "Ulm"), 5.0


def clip(total, most):
    """Clip to [-most, most]."""
    return max(-most, min(most, total))


def by_user(rows):
    """Return city -> user -> total."""
    totals = {city: {} for city in CITIES}
    for user, city, value in rows:
        if city in totals:
            totals[city][user] = totals[city].get(user, 0.0) + value
    return totals


def wrong(rows, rng):
    """Clip what all users add together."""
    return {
        city: round(clip(sum(users.values()), 20 * CAP) + rng.laplace(0, CAP), 2)
        for city, users in by_user(rows).items()
    }


def right(rows, rng):
    """Clip what each user adds."""
    return {
        city: round(sum(clip(total, CAP) for total in users.values()) + rng.laplace(0, CAP), 2)
        for city, users in by_user(rows).items()
    }
