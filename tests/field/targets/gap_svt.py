"""A sparse vector that tells the gap of the first answer above 5. Promise: epsilon 1; each answer moves by 1."""

NAMES = tuple(f"q{i}" for i in range(6))


def first_above(histogram, rng, *, noisy_gap):
    """Return the first query above the noisy threshold, and its gap to the threshold."""
    threshold = 5 + rng.laplace(0, 2)
    for name in NAMES:
        answer = histogram.get(name, 0)
        noisy = answer + rng.laplace(0, 4)
        if noisy >= threshold:
            return {"first": name, "gap": round(float((noisy if noisy_gap else answer) - threshold), 1)}
    return {"first": "none", "gap": 0}


def wrong(histogram, rng):
    """Release the gap of the answer without its noise."""
    return first_above(histogram, rng, noisy_gap=False)


def right(histogram, rng):
    """Release the gap of the noisy answer."""
    return first_above(histogram, rng, noisy_gap=True)
