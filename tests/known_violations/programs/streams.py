"""Running totals of a week, at epsilon = 1: one user comes on one day."""

import math

DAYS = ("mon", "tue", "wed", "thu", "fri")


def totals(counts):
    """Return running totals."""
    return [sum(counts[: i + 1]) for i in range(len(counts))]


def running(histogram, rng):
    """Right: noise for each day, then totals."""
    return totals([histogram.get(day, 0) + round(rng.laplace(0, 1)) for day in DAYS])


def one_noise(histogram, rng):
    """Wrong: one noise for the whole stream."""
    noise = round(rng.laplace(0, 1))
    return [total + noise for total in totals([histogram.get(day, 0) for day in DAYS])]


def noise_for_each_total(histogram, rng):
    """Wrong: a user of Monday is in five totals."""
    return [total + round(rng.laplace(0, 1)) for total in totals([histogram.get(day, 0) for day in DAYS])]


def noise_for_all_totals(histogram, rng):
    """Right: five times the noise."""
    return [total + round(rng.laplace(0, 5)) for total in totals([histogram.get(day, 0) for day in DAYS])]


def differences(histogram, rng):
    """Wrong: each day with the noise of the day before as well, which cancels in the sum."""
    noise = [round(rng.laplace(0, 1)) for _ in DAYS]
    return [histogram.get(day, 0) + noise[i] - noise[i - 1] for i, day in enumerate(DAYS)]


def first_alarm(histogram, rng):
    """Wrong: the day on which the true total passes ten."""
    return next(
        (day for day, total in zip(DAYS, totals([histogram.get(d, 0) for d in DAYS]), strict=True) if total >= 10),
        "none",
    )


def first_alarm_noisy(histogram, rng):
    """Right: a noisy bar, and noisy totals."""
    bar = 10 + rng.laplace(0, 2)
    for day, total in zip(DAYS, totals([histogram.get(day, 0) for day in DAYS]), strict=True):
        if total + rng.laplace(0, 4) >= bar:
            return day
    return "none"


def tree(histogram, rng):
    """Right: a day is in three nodes at most."""
    counts = [histogram.get(day, 0) for day in DAYS]
    noise = [round(rng.laplace(0, 3)) for _ in range(8)]
    halves = [sum(counts[:2]) + noise[5], sum(counts[2:4]) + noise[6], sum(counts[:4]) + noise[7]]
    return [*(count + z for count, z in zip(counts, noise[:5], strict=True)), *halves]


def tree_too_little(histogram, rng):
    """Wrong: noise as if a day were in one node."""
    counts = [histogram.get(day, 0) for day in DAYS]
    halves = [sum(counts[:2]), sum(counts[2:4]), sum(counts[:4])]
    return [node + round(rng.laplace(0, 1)) for node in [*counts, *halves]]


def fading(histogram, rng):
    """Wrong: the noise of a day fades with its age."""
    return [histogram.get(day, 0) + round(rng.laplace(0, math.exp(-i))) for i, day in enumerate(DAYS)]
