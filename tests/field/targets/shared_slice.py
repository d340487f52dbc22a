"""Centred totals for a regression. Promise: epsilon 1; a user has x in [0, 10] and y = x^2 / 10."""

HIGH, TUPLES = 10.0, 20.0


def fitted(rows, rng, epsilon_of_each_mean, epsilon_of_rest):
    """Return both means and the product of the values."""
    values = [min(HIGH, max(0.0, value)) for _user, _column, value in rows]
    scale = HIGH / TUPLES / epsilon_of_each_mean
    return {
        "mean of x": round(sum(values) / TUPLES + rng.laplace(0, scale), 3),
        "mean of y": round(sum(value**2 / HIGH for value in values) / TUPLES + rng.laplace(0, scale), 3),
        "product": round(sum(value**3 / HIGH for value in values) + rng.laplace(0, HIGH**2 / epsilon_of_rest), 1),
    }


def wrong(rows, rng):
    """Pay once for the slice of the means, and spend it on both."""
    return fitted(rows, rng, 0.5, 0.5)


def right(rows, rng):
    """Pay for each mean."""
    return fitted(rows, rng, 0.25, 0.5)
