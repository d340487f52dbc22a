"""Visitors by day and in all; the total is counted on its own."""

DAYS = ("sat", "sun")


def release(histogram, rng):
    """Return noisy counts, half of epsilon for the days and half for the total."""
    counts = {day: histogram.get(day, 0) for day in DAYS}
    counts["weekend"] = sum(counts.values())
    return {name: round(count + rng.laplace(0, 2.0), 2) for name, count in counts.items()}
