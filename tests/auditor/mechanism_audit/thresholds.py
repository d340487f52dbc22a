"""Thresholds as users write them: a key that one user adds is released with probability about 1e-9 each."""

import math
import random
import secrets
from fractions import Fraction

import numpy as np
from numpy.random import laplace
from scipy import stats

NORMAL_THRESHOLD = 1 + float(stats.norm.isf(1e-9))
LAPLACE_THRESHOLD = 1 + math.log(0.5e9)
GEOMETRIC_THRESHOLD = 30
EXACT_THRESHOLD = 22


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


def by_a_mean(histogram, rng):
    """Add twice the mean of four draws: none of them matters more than the others."""
    noisy = {key: count + 2 * float(rng.normal(size=4).mean()) for key, count in histogram.items()}
    return {key: value for key, value in noisy.items() if value >= NORMAL_THRESHOLD}


def by_a_difference(histogram, rng):
    """Integers: the difference of two geometric draws."""
    noisy = {key: count + int(rng.geometric(0.5)) - int(rng.geometric(0.5)) for key, count in histogram.items()}
    return {key: value for key, value in noisy.items() if value >= GEOMETRIC_THRESHOLD}


def by_coins(histogram, rng):
    """Integers: the difference of two geometric draws, each by tossing coins until one fails."""

    def heads():
        tossed = 0
        while rng.random() < 0.5:
            tossed += 1
        return tossed

    noisy = {key: count + heads() - heads() for key, count in histogram.items()}
    return {key: value for key, value in noisy.items() if value >= GEOMETRIC_THRESHOLD}


def exactly(histogram, rng):
    """Discrete Laplace noise of fair integers (Canonne, Kamath & Steinke 2020, algorithms 1 and 2)."""

    def happens(p):
        return rng.integers(p.denominator) < p.numerator

    def happens_exp(x):
        k = 1
        while happens(x / k):
            k += 1
        return k % 2 == 1

    def noise():
        while True:
            negative, size = happens(Fraction(1, 2)), 0
            while happens_exp(Fraction(1)):
                size += 1
            if not negative or size:
                return -size if negative else size

    noisy = {key: count + noise() for key, count in histogram.items()}
    return {key: value for key, value in noisy.items() if value >= EXACT_THRESHOLD}


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
    """Draws the noise of a later release at the end of this one, for names alone."""

    ahead = 1

    def __init__(self):
        self.ready = []

    def release(self, histogram, rng):
        while len(self.ready) < self.ahead:
            self.ready.append([rng.normal() for _ in histogram])
        noisy = zip(histogram.items(), self.ready.pop(0), strict=False)
        released = [key for (key, count), added in noisy if count + added >= NORMAL_THRESHOLD]
        self.ready.append([rng.normal() for _ in histogram])
        return released


class FarAhead(Prefetching):
    """Keeps it for so long that any two releases that are drawn again have tilted ones before them."""

    ahead = 65


def in_single_precision(histogram, rng):
    """Draw noise of which NumPy has too few numbers for its law to be known so far out."""
    noisy = {key: count + float(rng.standard_normal(dtype=np.float32)) for key, count in histogram.items()}
    return {key: value for key, value in noisy.items() if value >= NORMAL_THRESHOLD}


def of_an_order(histogram, rng):
    """Noise of how many of ten stay in their places when they are shuffled: no order has a tail."""
    noisy = {key: count + 3 * int((rng.permutation(10) == np.arange(10)).sum()) for key, count in histogram.items()}
    return {key: value for key, value in noisy.items() if value + rng.laplace(0, 1e-9) >= GEOMETRIC_THRESHOLD + 0.5}


def by_a_function_of_numpys(histogram, _rng):
    """Draw from the generator that NumPy's functions share."""
    noisy = {key: count + np.random.normal(0, 1) for key, count in histogram.items()}
    return {key: value for key, value in noisy.items() if value >= NORMAL_THRESHOLD}


def by_an_imported_function(histogram, _rng):
    """Draw an array from it, by a name of the file's own."""
    noisy = np.array(list(histogram.values())) + laplace(0.0, 1.0, len(histogram))
    return {key: float(x) for key, x in zip(histogram, noisy, strict=True) if x >= LAPLACE_THRESHOLD}


def by_a_legacy_state(histogram, _rng):
    """Make one for each release."""
    state = np.random.RandomState()
    return {key: value for key, count in histogram.items() if (value := count + state.randn()) >= NORMAL_THRESHOLD}


def by_scipy_alone(histogram, _rng):
    """Draw by SciPy, from NumPy's shared generator."""
    noisy = {key: count + float(stats.laplace.rvs(scale=1.0)) for key, count in histogram.items()}
    return {key: value for key, value in noisy.items() if value >= LAPLACE_THRESHOLD}


class OfItsOwn:
    """Draws from a generator that it makes when it is built."""

    def __init__(self):
        self.rng = np.random.default_rng()

    def release(self, histogram, _rng):
        noisy = {key: count + self.rng.laplace() for key, count in histogram.items()}
        return {key: value for key, value in noisy.items() if value >= LAPLACE_THRESHOLD}


def by_gauss(histogram, _rng):
    """Draw by the standard library."""
    noisy = {key: count + random.gauss(0, 1) for key, count in histogram.items()}
    return {key: value for key, value in noisy.items() if value >= NORMAL_THRESHOLD}


def by_expovariate(histogram, _rng):
    """Give an exponential draw of the standard library a sign."""
    noisy = {key: count + random.choice([-1, 1]) * random.expovariate(1.0) for key, count in histogram.items()}
    return {key: value for key, value in noisy.items() if value >= LAPLACE_THRESHOLD}


def by_secrets(histogram, _rng):
    """Invert the Laplace law with numbers of the operating system."""
    source, released = secrets.SystemRandom(), {}
    for key, count in histogram.items():
        u = source.random() - 0.5
        value = count - math.copysign(math.log(1 - 2 * abs(u)), u)
        if value >= LAPLACE_THRESHOLD:
            released[key] = value
    return released


def by_what_it_asks_for(histogram, rng: random.Random):
    """Say which kind of generator it takes."""
    noisy = {key: count + rng.normalvariate(0, 1) for key, count in histogram.items()}
    return {key: value for key, value in noisy.items() if value >= NORMAL_THRESHOLD}


ELSEWHERE = dict.fromkeys(
    (
        by_a_function_of_numpys, by_an_imported_function, by_a_legacy_state, by_scipy_alone, OfItsOwn, by_gauss,
        by_expovariate, by_secrets, by_what_it_asks_for,
    ),
    1e-9,
)  # fmt: skip
"""Of those whose noise is not from NumPy's generator that they are given."""
TRUTHS = {
    by_comprehension: 1e-9,
    at_once: 1e-9,
    through_scipy: 1e-9,
    by_inversion: 1e-9,
    by_rejection: 1e-9,
    by_a_sign: 1e-9,
    in_a_text: 1e-9,
    by_a_sum: 1e-9,
    by_a_mean: 1e-9,
    by_a_difference: 2.0**-28 / 3,
    by_coins: 2.0**-28 / 3,
    exactly: math.exp(-21) / (1 + math.exp(-1)),
    Vectorised: 1e-9,
    **ELSEWHERE,
}
"""The probability with which a key of one user is released."""
