"""Statistics of ages, at epsilon = 1: keys are ages, counts are people."""

import math

AGES = ("10", "30", "50", "70")


def people(histogram):
    """Return the ages, one by one."""
    return sorted(int(age) for age in AGES for _ in range(histogram.get(age, 0)))


def mean_over_the_true_number(histogram, rng):
    """Wrong: only the sum is noisy."""
    ages = people(histogram)
    return round((sum(ages) + rng.laplace(0, 70)) / max(1, len(ages)), 2)


def mean(histogram, rng):
    """Right: sum and number, half of epsilon each."""
    ages = people(histogram)
    return round((sum(ages) + rng.laplace(0, 140)) / max(1, len(ages) + rng.laplace(0, 2)), 2)


def median(histogram, rng):
    """Wrong: a value of the data, with noise for a count."""
    ages = people(histogram)
    return round((ages[len(ages) // 2] if ages else 0) + rng.laplace(0, 1))


def median_private(histogram, rng):
    """Right: the exponential mechanism by rank."""
    ages = people(histogram)
    scores = [-abs(sum(a < int(age) for a in ages) - sum(a > int(age) for a in ages)) / 2 for age in AGES]
    weights = [math.exp(score - max(scores)) for score in scores]
    return int(AGES[rng.choice(len(AGES), p=[w / sum(weights) for w in weights])])


def quantile(histogram, rng):
    """Wrong: the noise is in the level, not in the rank."""
    ages = people(histogram)
    level = min(1.0, max(0.0, 0.9 + rng.laplace(0, 0.01)))
    return ages[min(len(ages) - 1, int(level * len(ages)))] if ages else 0


def oldest(histogram, rng):
    """Wrong: an extreme value with noise for a count."""
    return round(max(people(histogram), default=0) + rng.laplace(0, 1))


def shares(histogram, rng):
    """Wrong: noisy counts over the true number."""
    number = max(1, len(people(histogram)))
    return {age: round((histogram.get(age, 0) + rng.laplace(0, 1)) / number, 3) for age in AGES}


def shares_noisy(histogram, rng):
    """Right: of noisy counts."""
    noisy = {age: max(0, round(histogram.get(age, 0) + rng.laplace(0, 1))) for age in AGES}
    return {age: round(count / max(1, sum(noisy.values())), 3) for age, count in noisy.items()}


def variance(histogram, rng):
    """Wrong: the mean within is exact."""
    ages = people(histogram) or [0]
    centre = sum(ages) / len(ages)
    return round(sum((age - centre) ** 2 for age in ages) / len(ages) + rng.laplace(0, 1), 1)


def rarest(histogram, rng):
    """Wrong: exact, as it is thought to be nobody's."""
    return min((histogram.get(age, 0) for age in AGES), default=0)


def rarest_noisy(histogram, rng):
    """Right: of noisy counts."""
    return min(round(histogram.get(age, 0) + rng.laplace(0, 1)) for age in AGES)
