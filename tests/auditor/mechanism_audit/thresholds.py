"""Thresholds as users write them: a key that one user adds is released with probability about 1e-9 each."""

import math

import numpy as np
from scipy import stats

NORMAL_THRESHOLD = 1 + float(stats.norm.isf(1e-9))
LAPLACE_THRESHOLD = 1 + math.log(0.5e9)
GEOMETRIC_THRESHOLD = 30


def by_comprehension(histogram, rng):
    """Draw for each key."""
    noisy = {key: count + rng.normal(0, 1) for key, count in histogram.items()}
    return {key: value for key, value in noisy.items() if value >= NORMAL_THRESHOLD}


def at_once(histogram, rng):
    """Draw an array."""
    noisy = np.array(list(histogram.values()), dtype=float) + rng.laplace(scale=1.0, size=len(histogram))
    return {key: float(x) for key, x in zip(histogram, noisy, strict=True) if x >= LAPLACE_THRESHOLD}


def through_scipy(histogram, rng):
    """Draw by random_state."""
    return {
        key: value
        for key, count in histogram.items()
        if (value := count + stats.norm.rvs(scale=1, random_state=rng)) >= NORMAL_THRESHOLD
    }


def by_inversion(histogram, rng):
    """Invert the Laplace law."""
    released = {}
    for key, count in histogram.items():
        u = rng.random() - 0.5
        value = count - math.copysign(math.log(1 - 2 * abs(u)), u)
        if value >= LAPLACE_THRESHOLD:
            released[key] = value
    return released


def by_rejection(histogram, rng):
    """Release names alone; the noise is truncated."""
    released = []
    for key, count in histogram.items():
        noise = rng.standard_normal()
        while abs(noise) > 8:
            noise = rng.standard_normal()
        if count + noise >= NORMAL_THRESHOLD:
            released.append(key)
    return released


def by_a_sign(histogram, rng):
    """Give an exponential draw a sign."""
    noisy = {key: count + rng.choice([-1, 1]) * rng.exponential() for key, count in histogram.items()}
    return {key: value for key, value in noisy.items() if value >= LAPLACE_THRESHOLD}


def in_a_text(histogram, rng):
    """Release one text, in which names stand with a mark of their size."""
    noisy = [(key, count + rng.normal()) for key, count in sorted(histogram.items())]
    return " ".join(f"{key}:{'large' if value > 50 else 'small'}" for key, value in noisy if value >= NORMAL_THRESHOLD)


def by_a_sum(histogram, rng):
    """Add noise that keys share."""
    shared = rng.normal()
    return {
        key: value
        for key, count in histogram.items()
        if (value := count + (shared + rng.normal()) / math.sqrt(2)) >= NORMAL_THRESHOLD
    }


def by_a_difference(histogram, rng):
    """Integers: the difference of two geometric draws."""
    noisy = {key: count + int(rng.geometric(0.5)) - int(rng.geometric(0.5)) for key, count in histogram.items()}
    return {key: value for key, value in noisy.items() if value >= GEOMETRIC_THRESHOLD}


class Vectorised:
    """The same for many releases at once."""

    def release_many(self, histogram, n, rng):
        noisy = np.array(list(histogram.values()), dtype=float) + rng.normal(size=(n, len(histogram)))
        return tuple(histogram), np.where(noisy >= NORMAL_THRESHOLD, noisy, np.nan)


class Buffered:
    """Draws noise for many releases at once."""

    def __init__(self):
        self.noise = []

    def release(self, histogram, rng):
        if len(self.noise) < len(histogram):
            self.noise = rng.normal(size=64).tolist()
        noisy = {key: count + self.noise.pop() for key, count in histogram.items()}
        return {key: value for key, value in noisy.items() if value >= NORMAL_THRESHOLD}


class Prefetching:
    """Draws the noise of the next release at the end of this one, for names alone."""

    def __init__(self):
        self.ready = []

    def release(self, histogram, rng):
        noise = self.ready or [rng.normal() for _ in histogram]
        noisy = zip(histogram.items(), noise, strict=False)
        released = [key for (key, count), added in noisy if count + added >= NORMAL_THRESHOLD]
        self.ready = [rng.normal() for _ in histogram]
        return released


def by_the_polar_method(histogram, rng):
    """Normal noise of two uniform draws (Marsaglia & Bray 1964): large where both are near 0, in no tail of theirs."""

    def normal():
        while True:
            u, v = rng.uniform(-1, 1), rng.uniform(-1, 1)
            s = u * u + v * v
            if 0 < s < 1:
                return u * math.sqrt(-2 * math.log(s) / s)

    return {key: value for key, count in histogram.items() if (value := count + normal()) >= NORMAL_THRESHOLD}


TRUTHS = {
    by_comprehension: 1e-9,
    at_once: 1e-9,
    through_scipy: 1e-9,
    by_inversion: 1e-9,
    by_rejection: 1e-9,
    by_a_sign: 1e-9,
    in_a_text: 1e-9,
    by_a_sum: 1e-9,
    by_a_difference: 2.0**-28 / 3,
    Vectorised: 1e-9,
}
"""The probability with which a key of one user is released."""
