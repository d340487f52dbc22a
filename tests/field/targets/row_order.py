"""Pages and their visitors. Promise: epsilon 1, delta 0.01; a user visits one page."""

import math

THRESHOLD = 1 + math.log(1 / (2 * 0.01)) + 0.01


def noisy_pages(rows, rng):
    """Return noisy counts above the threshold, in the order in which pages appear in the data."""
    visits = {}
    for _user, page, *_ in rows:
        visits[page] = visits.get(page, 0) + 1
    noisy = {page: round(count + rng.laplace(0, 1.0), 2) for page, count in visits.items()}
    return [[page, count] for page, count in noisy.items() if count > THRESHOLD]


def wrong(rows, rng):
    """Release pages in that order."""
    return noisy_pages(rows, rng)


def right(rows, rng):
    """Sort pages by name."""
    return sorted(noisy_pages(rows, rng))
