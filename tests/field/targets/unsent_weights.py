"""The largest weights of a model. Promise: epsilon 1; a user changes one weight by 1."""

WEIGHTS, MOST, THRESHOLD = ("w0", "w1", "w2", "w3"), 2, 5.0


def sent(histogram, rng, *, rest_is_zero):
    """Send noisy values of at most two weights that pass a noisy test, half of epsilon for each step."""
    output = {name: float(histogram.get(name, 0)) for name in WEIGHTS}
    accepted = [name for name in WEIGHTS if output[name] + rng.laplace(0, 2.0) >= THRESHOLD]
    chosen = list(rng.permutation(accepted)[:MOST]) if accepted else []
    for name in WEIGHTS:
        if name in chosen:
            output[name] = round(output[name] + rng.laplace(0, 2.0), 2)
        elif rest_is_zero or name not in accepted:
            output[name] = 0.0
    return output


def wrong(histogram, rng):
    """Leave accepted weights that were not chosen as they are."""
    return sent(histogram, rng, rest_is_zero=False)


def right(histogram, rng):
    """Set all that was not chosen to zero."""
    return sent(histogram, rng, rest_is_zero=True)
