"""Engines of rows (user, club, hours), at epsilon = 1, for two clubs of their own."""

from collections import Counter

CLUBS = ("chess", "rowing")
MOST = 5
"""Hours of a user that count."""


def users_clipped(rows, rng):
    """Right: of each user in one club no more than so many hours count."""
    hours = Counter()
    for user, club, value in rows:
        hours[user, club] += value
    return {
        c: round(sum(min(h, MOST) for (_, of), h in hours.items() if of == c) + rng.laplace(0, MOST)) for c in CLUBS
    }


def rows_clipped(rows, rng):
    """Wrong: each row is clipped, and a user has several."""
    return {c: round(sum(min(h, 1) for _, of, h in rows if of == c) + rng.laplace(0, 1)) for c in CLUBS}


def users_twice(rows, rng):
    """Wrong: users are counted by their rows, up to five."""
    return {c: sum(of == c for _, of, _ in rows) + round(rng.laplace(0, 1)) for c in CLUBS}


def users_once(rows, rng):
    """Right."""
    return {c: len({user for user, of, _ in rows if of == c}) + round(rng.laplace(0, 1)) for c in CLUBS}


def largest_kept(rows, rng):
    """Wrong: a user counts in the larger of his clubs, which one more user makes another for all who are in both."""
    sizes, clubs = Counter(club for _, club, _ in rows), clubs_of(rows)
    kept = Counter(max(held, key=lambda club: (sizes[club], club)) for held in clubs.values())
    return {club: kept[club] + round(rng.laplace(0, 1)) for club in CLUBS}


def one_kept(rows, rng):
    """Right: a user counts in one of his clubs, whoever else is there."""
    kept = Counter(min(held) for held in clubs_of(rows).values())
    return {club: kept[club] + round(rng.laplace(0, 1)) for club in CLUBS}


def clubs_of(rows):
    """Return the clubs of each user."""
    clubs = {}
    for user, club, _ in rows:
        clubs.setdefault(user, set()).add(club)
    return clubs
