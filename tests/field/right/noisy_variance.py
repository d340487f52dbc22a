"""A variance from three noisy sums."""


def release(rows, rng):
    """Return the mean of squares less the square of the mean, a third of epsilon for each sum."""
    values = [min(10.0, max(0.0, value)) for _user, _shop, value in rows]
    count = max(1.0, len(values) + rng.laplace(0, 3.0))
    mean = (sum(values) + rng.laplace(0, 30.0)) / count
    squares = (sum(value**2 for value in values) + rng.laplace(0, 300.0)) / count
    return round(max(0.0, squares - mean**2), 2)
