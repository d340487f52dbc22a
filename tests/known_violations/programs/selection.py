"""The largest of several, at epsilon = 1; users in up to five of five keys unless said."""

import math

CITIES = ("Oslo", "Bergen", "Narvik", "Molde", "Alta")


def noisy_max(histogram, rng):
    """Right: the name alone."""
    noisy = {city: histogram.get(city, 0) + rng.laplace(0, 2) for city in CITIES}
    return max(noisy, key=noisy.get)


def noisy_max_value(histogram, rng):
    """Wrong: the value of the largest as well."""
    return round(max(histogram.get(city, 0) + rng.laplace(0, 2) for city in CITIES), 1)


def noisy_max_value_exponential(histogram, rng):
    """Wrong: the same with exponential noise."""
    return round(max(histogram.get(city, 0) + rng.exponential(2) for city in CITIES), 1)


def largest_with_its_count(histogram, rng):
    """Wrong: the name is noisy, the count is not."""
    city = noisy_max(histogram, rng)
    return {"city": city, "visitors": histogram.get(city, 0)}


def largest_with_a_noisy_count(histogram, rng):
    """Right: half of epsilon each."""
    noisy = {city: histogram.get(city, 0) + rng.laplace(0, 4) for city in CITIES}
    city = max(noisy, key=noisy.get)
    return {"city": city, "visitors": round(histogram.get(city, 0) + rng.laplace(0, 2))}


def largest(histogram, rng):
    """Wrong: noise breaks ties only."""
    return max(CITIES, key=lambda city: (histogram.get(city, 0), rng.random()))


def gumbel_too_small(histogram, rng):
    """Wrong: Gumbel noise of a third of the scale."""
    noisy = {city: histogram.get(city, 0) + rng.gumbel(0, 1 / 3) for city in CITIES}
    return max(noisy, key=noisy.get)


def gumbel(histogram, rng):
    """Right: counts only grow, so that a half is saved."""
    noisy = {city: histogram.get(city, 0) + rng.gumbel(0, 1) for city in CITIES}
    return max(noisy, key=noisy.get)


def exponential_too_sharp(histogram, rng):
    """Wrong, where a user may move: exp(epsilon u) in place of exp(epsilon u / 2)."""
    counts = [histogram.get(city, 0) for city in CITIES]
    weights = [math.exp(count - max(counts)) for count in counts]
    return CITIES[rng.choice(len(CITIES), p=[w / sum(weights) for w in weights])]


def exponential(histogram, rng):
    """Right."""
    counts = [histogram.get(city, 0) for city in CITIES]
    weights = [math.exp((count - max(counts)) / 2) for count in counts]
    return CITIES[rng.choice(len(CITIES), p=[w / sum(weights) for w in weights])]


def ranking(histogram, rng):
    """Wrong: the true order, by name and without counts."""
    return sorted(CITIES, key=lambda city: -histogram.get(city, 0))


def noisy_ranking(histogram, rng):
    """Right: the order of noisy counts."""
    noisy = {city: histogram.get(city, 0) + rng.laplace(0, 5) for city in CITIES}
    return sorted(CITIES, key=lambda city: -noisy[city])


def two_winners(histogram, rng):
    """Wrong: two draws, each with the whole epsilon."""
    return [gumbel(histogram, rng), gumbel(histogram, rng)]


def two_winners_right(histogram, rng):
    """Right: half of epsilon each."""
    noisy = [{city: histogram.get(city, 0) + rng.gumbel(0, 2) for city in CITIES} for _ in range(2)]
    return [max(each, key=each.get) for each in noisy]


def ties_by_the_count(histogram, rng):
    """Wrong: whole noise gives ties, and the true count breaks them (users in one of two cities)."""
    noisy = whole(histogram, rng)
    return max(noisy, key=lambda city: (noisy[city], histogram.get(city, 0)))


def ties_by_name(histogram, rng):
    """Right."""
    noisy = whole(histogram, rng)
    return max(noisy, key=lambda city: (noisy[city], city))


def whole(histogram, rng):
    """Return the counts of two cities with two-sided geometric noise: they only grow, so that a half is saved."""
    p = 1 - math.exp(-1)
    return {c: histogram.get(c, 0) + int(rng.geometric(p)) - int(rng.geometric(p)) for c in CITIES[:2]}
