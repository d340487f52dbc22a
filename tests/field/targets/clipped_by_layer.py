"""Updates of a model of four layers. Promise: mu 1; the update of a user has L2 norm at most 1."""

import numpy as np

LAYERS = ("l0", "l1", "l2", "l3")


def by_user(rows):
    """Return one vector for each user."""
    updates = {}
    for user, layer, value in rows:
        if layer in LAYERS:
            updates.setdefault(user, np.zeros(len(LAYERS)))[LAYERS.index(layer)] += value
    return updates.values()


def noisy(updates, rng):
    """Return the noisy sum, layer by layer."""
    return list(np.round(sum(updates, np.zeros(len(LAYERS))) + rng.normal(0, 1.0, size=len(LAYERS)), 3))


def wrong(rows, rng):
    """Clip each layer to 1."""
    return noisy([np.clip(update, -1.0, 1.0) for update in by_user(rows)], rng)


def right(rows, rng):
    """Clip the norm of all layers together."""
    return noisy([update / max(1.0, float(np.linalg.norm(update))) for update in by_user(rows)], rng)
