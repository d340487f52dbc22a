"""A mean age from a noisy sum and a noisy count."""


def release(rows, rng):
    """Return the noisy sum over the noisy count, half of epsilon each, clipped to the range of ages."""
    ages = [min(100.0, max(0.0, age)) for _user, _clinic, age in rows]
    total = sum(ages) + rng.laplace(0, 200.0)
    count = len(ages) + rng.laplace(0, 2.0)
    return round(min(100.0, max(0.0, total / max(1.0, count))), 1)
