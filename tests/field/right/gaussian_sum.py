"""A sum of clipped gradients with Gaussian noise."""


def release(rows, rng):
    """Return the noisy sum of gradients in [-1, 1]."""
    return round(sum(min(1.0, max(-1.0, value)) for _user, _layer, value in rows) + rng.normal(0, 1.0), 3)
