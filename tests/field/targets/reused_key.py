"""Two components of a gradient. Promise: epsilon 1; a user is in one component, with a count of 1."""

import numpy as np

LAYERS = ("bias", "weight")


def wrong(histogram, rng):
    """Draw noise for each layer from the same key."""
    key = int(rng.integers(2**32))
    return {layer: round(histogram.get(layer, 0) + np.random.default_rng(key).laplace(0, 1.0), 2) for layer in LAYERS}


def right(histogram, rng):
    """Split the key: each layer gets one of its own."""
    keys = rng.integers(2**32, size=len(LAYERS))
    return {
        layer: round(histogram.get(layer, 0) + np.random.default_rng(int(key)).laplace(0, 1.0), 2)
        for layer, key in zip(LAYERS, keys, strict=True)
    }
