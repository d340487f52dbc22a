"""Which marginal the model fits worst. Promise: epsilon 1; a user is in one cell."""

import math

SEXES, AGES = ("f", "m"), ("young", "old")
MODEL, PUBLIC = {"sex": 40, "age": 0}, {"sex": 0, "age": 40}


def errors(histogram, guess):
    """Return the L1 error of a guess of every count, by marginal."""
    by_sex = [sum(histogram.get(f"{sex}:{age}", 0) for age in AGES) for sex in SEXES]
    by_age = [sum(histogram.get(f"{sex}:{age}", 0) for sex in SEXES) for age in AGES]
    return {
        "sex": sum(abs(count - guess["sex"]) for count in by_sex),
        "age": sum(abs(count - guess["age"]) for count in by_age),
    }


def selected(histogram, rng, sensitivity):
    """Select a marginal by the exponential mechanism, where the model is worse than public data."""
    model, public = errors(histogram, MODEL), errors(histogram, PUBLIC)
    lead = ((model["sex"] - public["sex"]) - (model["age"] - public["age"])) / (2 * sensitivity)
    return "sex" if rng.random() < 1 / (1 + math.exp(-max(-700.0, min(700.0, lead)))) else "age"


def wrong(histogram, rng):
    """Forget that both errors of a score move."""
    return selected(histogram, rng, 1.0)


def right(histogram, rng):
    """Add the sensitivities of both errors."""
    return selected(histogram, rng, 2.0)
