"""The most popular dish, by the largest noisy count."""

DISHES = ("soup", "salad", "pasta", "rice")


def release(histogram, rng):
    """Return the name of the dish with the largest noisy count."""
    noisy = {dish: histogram.get(dish, 0) + rng.laplace(0, 2.0) for dish in DISHES}
    return max(noisy, key=noisy.get)
