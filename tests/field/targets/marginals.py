"""Two marginals of sex and age. Promise: epsilon 1; a user is in one cell, so in one bin of each marginal."""

CELLS = [(sex, age) for sex in "fm" for age in ("young", "old")]


def marginals(histogram):
    """Return the counts of both marginals."""
    counts = {}
    for sex, age in CELLS:
        for name in (f"sex={sex}", f"age={age}"):
            counts[name] = counts.get(name, 0) + histogram.get(f"{sex}:{age}", 0)
    return counts


def wrong(histogram, rng):
    """Divide the scale of two marginals by the number of columns."""
    return {name: round(count + rng.laplace(0, 2 / 2), 2) for name, count in marginals(histogram).items()}


def right(histogram, rng):
    """Give each marginal half of epsilon."""
    return {name: round(count + rng.laplace(0, 2), 2) for name, count in marginals(histogram).items()}
