"""A histogram of magnitudes, from which bounds are read. Promise: epsilon 1; a user has one income."""

import math

EDGES = tuple(2.0**power for power in range(-2, 8))


def noisy_magnitudes(incomes, rng):
    """Count incomes between powers of two, with noise on each count."""
    counts = [0] * len(EDGES)
    for income in incomes:
        found = [i for i, edge in enumerate(EDGES) if income >= edge]
        if not found or income > 2 * EDGES[-1]:
            raise ValueError("an income is outside of the range of the bins")
        counts[found[-1]] += 1
    return [round(count + rng.laplace(0, 1.0), 2) for count in counts]


def wrong(rows, rng):
    """Raise where an income is outside of all bins."""
    return noisy_magnitudes([income for _user, _town, income in rows], rng)


def right(rows, rng):
    """Move incomes into the bins first, and leave NaN out."""
    incomes = [income for _user, _town, income in rows if not math.isnan(income)]
    return noisy_magnitudes([min(EDGES[-1], max(EDGES[0], income)) for income in incomes], rng)
