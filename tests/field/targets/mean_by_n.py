"""A mean age. Promise: epsilon 1; a user comes or goes, with one age in [0, 100]."""

LOW, HIGH = 0.0, 100.0


def wrong(rows, rng):
    """Scale the noise by the number of rows of this very data set."""
    ages = [min(HIGH, max(LOW, age)) for _user, _clinic, age in rows] or [0.0]
    return round(sum(ages) / len(ages) + rng.laplace(0, (HIGH - LOW) / len(ages)), 2)


def right(rows, rng):
    """Divide a noisy sum by a noisy count, half of epsilon each."""
    ages = [min(HIGH, max(LOW, age)) for _user, _clinic, age in rows]
    total = sum(ages) + rng.laplace(0, 2 * HIGH)
    return round(total / max(1.0, len(ages) + rng.laplace(0, 2.0)), 2)
