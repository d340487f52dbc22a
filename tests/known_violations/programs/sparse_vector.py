"""Sparse vectors and their variants (Lyu, Su and Li 2017), at epsilon = 1: each of ten answers moves by 1."""

QUERIES = tuple(f"q{i}" for i in range(10))
BAR = 5


def answers(histogram, rng, bar_scale, query_scale, most, *, again=False):
    """Return yes or no for each query until there were enough of yes."""
    bar, found = BAR + rng.laplace(0, bar_scale), []
    for query in QUERIES:
        noise = rng.laplace(0, query_scale) if query_scale else 0
        found.append(bool(histogram.get(query, 0) + noise >= bar))
        if found[-1] and again:
            bar = BAR + rng.laplace(0, bar_scale)
        if sum(found) == most:
            break
    return found


def variant_1(histogram, rng):
    """Right: half of epsilon for the bar, half for one answer (Lyu et al., Algorithm 1)."""
    return answers(histogram, rng, 2, 4, 1)


def variant_2(histogram, rng):
    """Right: the bar is drawn anew after each yes, and has noise for it (Dwork and Roth 2014)."""
    return answers(histogram, rng, 4, 8, 2, again=True)


def variant_3(histogram, rng):
    """Wrong: the noisy query itself is released (Roth 2011)."""
    bar = BAR + rng.laplace(0, 2)
    shown = []
    for query in QUERIES:
        noisy = round(histogram.get(query, 0) + rng.laplace(0, 2), 1)
        shown.append(noisy if noisy >= bar else None)
        if noisy >= bar:
            break
    return shown


def variant_4(histogram, rng):
    """Wrong: noise of a query does not grow with the number of answers (Lee and Clifton 2014)."""
    return answers(histogram, rng, 4, 4 / 3, 5)


def variant_5(histogram, rng):
    """Wrong: queries have no noise (Stoddard et al. 2014)."""
    return answers(histogram, rng, 2, 0, len(QUERIES))


def variant_6(histogram, rng):
    """Wrong: any number of answers (Chen et al. 2015)."""
    return answers(histogram, rng, 2, 2, len(QUERIES))


def above(histogram, rng):
    """Wrong: the count that passes is released exactly."""
    bar = BAR + rng.laplace(0, 2)
    return next(([q, histogram.get(q, 0)] for q in QUERIES if histogram.get(q, 0) + rng.laplace(0, 4) >= bar), None)


def above_name(histogram, rng):
    """Right: its name alone."""
    bar = BAR + rng.laplace(0, 2)
    return next((q for q in QUERIES if histogram.get(q, 0) + rng.laplace(0, 4) >= bar), None)
