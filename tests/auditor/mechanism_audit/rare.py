"""Faults that show once in a thousand releases or less, each beside a right twin whose rare branch is harmless.

All noise is Laplace of scale 1 under a threshold that a key of one user passes with probability 1e-9; what is rare
spares keys of few users, so that no new key gives it away.
"""

import math
import os

import numpy as np

THRESHOLD = 1 + math.log(0.5e9)
MANY = 12


def noisy(histogram, rng, scale=1.0, threshold=THRESHOLD):
    """The mechanism of all of them."""
    released = {key: count + rng.laplace(0, scale) for key, count in histogram.items()}
    return {key: value for key, value in released.items() if value >= threshold}


def exactly(histogram, _rng):
    """What the wrong ones do once in a while."""
    return {key: count for key, count in histogram.items() if count > MANY}


def wider(histogram, rng):
    """What the right ones do instead: twice the noise, and a threshold for it."""
    return noisy(histogram, rng, 2.0, 1 + 2 * math.log(0.5e9))


def by_a_coin(histogram, rng, rarely=exactly):
    """A uniform number is small."""
    if rng.random() < 1e-3:
        return rarely(histogram, rng)
    return noisy(histogram, rng)


def by_a_uniform(histogram, rng, rarely=exactly):
    """One is large."""
    return rarely(histogram, rng) if rng.uniform(0, 10) > 9.999 else noisy(histogram, rng)


def by_a_normal(histogram, rng, rarely=exactly):
    """A normal number is large."""
    if rng.normal() > 4:
        return rarely(histogram, rng)
    return noisy(histogram, rng)


def by_an_exponential(histogram, rng, rarely=exactly):
    """An exponential one is."""
    return noisy(histogram, rng) if rng.exponential() < 9 else rarely(histogram, rng)


def by_a_geometric(histogram, rng, rarely=exactly):
    """Coins fail for long."""
    if rng.geometric(0.5) > 12:
        return rarely(histogram, rng)
    return noisy(histogram, rng)


def by_a_poisson(histogram, rng, rarely=exactly):
    """A count is large."""
    if rng.poisson(2) > 8:
        return rarely(histogram, rng)
    return noisy(histogram, rng)


def by_a_binomial(histogram, rng, rarely=exactly):
    """An unfair coin."""
    if rng.binomial(1, 1e-4):
        return rarely(histogram, rng)
    return noisy(histogram, rng)


def by_an_integer(histogram, rng, rarely=exactly):
    """One of a thousand."""
    if rng.integers(1000) == 0:
        return rarely(histogram, rng)
    return noisy(histogram, rng)


def by_a_choice(histogram, rng, rarely=exactly):
    """A label that is seldom chosen."""
    if rng.choice(["seldom", "often"], p=[1e-3, 1 - 1e-3]) == "seldom":
        return rarely(histogram, rng)
    return noisy(histogram, rng)


def by_a_loop(histogram, rng, rarely=exactly):
    """A loop takes many turns."""
    tossed = 0
    while rng.random() < 0.25:
        tossed += 1
    if tossed > 5:
        return rarely(histogram, rng)
    return noisy(histogram, rng)


def of_some_data(histogram, rng, rarely=exactly):
    """Only where some count is large."""
    if max(histogram.values(), default=0) > 50 and rng.random() < 1e-4:
        return rarely(histogram, rng)
    return noisy(histogram, rng)


def after_another_draw(histogram, rng, rarely=exactly):
    """A coin that is only tossed where another number is large."""
    if rng.normal() > 2 and rng.random() < 1e-2:
        return rarely(histogram, rng)
    return noisy(histogram, rng)


TWINS = (
    by_a_coin,
    by_a_uniform,
    by_a_normal,
    by_an_exponential,
    by_a_geometric,
    by_a_poisson,
    by_a_binomial,
    by_an_integer,
    by_a_choice,
    of_some_data,
    after_another_draw,
)
"""Those whose right twins are silent with the power that is asked for."""


def scale_of_zero(histogram, rng):
    """No noise."""
    return noisy(histogram, rng, 0.0 if rng.random() < 1e-4 else 1.0)


def scale_by_arithmetic(histogram, rng):
    """No noise, and no branch."""
    return noisy(histogram, rng, 1.0 - (rng.random() < 1e-4))


def small_scale(histogram, rng):
    """Next to no noise."""
    return noisy(histogram, rng, 1e-3 if rng.random() < 1e-4 else 1.0)


def the_same_seed(histogram, rng):
    """The same noise each time."""
    if rng.uniform() > 0.999:
        rng = np.random.default_rng(42)
    return noisy(histogram, rng)


def of_seeds(histogram, rng):
    """All noise is what a seed says."""
    return noisy(histogram, np.random.default_rng(rng.integers(2**32)))


def of_a_bit_generator(histogram, rng):
    """Likewise, of a bit generator."""
    return noisy(histogram, np.random.Generator(np.random.PCG64(rng.integers(2**32))))


def without_a_threshold(histogram, rng):
    """No threshold."""
    return noisy(histogram, rng, 1.0, -math.inf if rng.random() < 1e-4 else THRESHOLD)


def of_another_key(histogram, rng):
    """A sum is hidden in one value."""
    released = noisy(histogram, rng)
    if released and rng.random() < 1e-4:
        released[min(released)] += 1000 * sum(histogram.values())
    return released


def of_whole_numbers(histogram, rng):
    """No noise, where whole numbers hide it."""
    p = -math.expm1(-1.0)
    noise = {key: int(rng.geometric(p)) - int(rng.geometric(p)) for key in histogram}
    if rng.random() < 1e-3:
        noise = dict.fromkeys(histogram, 0)
    return {key: value for key in histogram if (value := histogram[key] + noise[key]) > 22}


def in_the_middle(histogram, rng):
    """A normal number is near one point."""
    if abs(rng.normal() - 0.5) < 1e-5:
        return exactly(histogram, rng)
    return noisy(histogram, rng)


def of_many_integers(histogram, rng):
    """One of a hundred thousand."""
    if rng.integers(10**5) == 777:
        return exactly(histogram, rng)
    return noisy(histogram, rng)


def by_an_order(histogram, rng):
    """An order of seven is the first."""
    if (rng.permutation(7) == np.arange(7)).all():
        return exactly(histogram, rng)
    return noisy(histogram, rng)


def by_two_coins(histogram, rng):
    """Both of two uniform numbers are small."""
    first, second = rng.random(2)
    if first < 1e-2 and second < 1e-2:
        return exactly(histogram, rng)
    return noisy(histogram, rng)


def by_the_system(histogram, rng):
    """A byte of the operating system is 0."""
    if os.urandom(1)[0] == 0:
        return exactly(histogram, rng)
    return noisy(histogram, rng)


def by_a_gamma(histogram, rng):
    """A gamma variable is large."""
    if rng.gamma(2.0) > 15:
        return exactly(histogram, rng)
    return noisy(histogram, rng)


SUSPECTED = (
    *TWINS,
    scale_of_zero,
    scale_by_arithmetic,
    small_scale,
    without_a_threshold,
    of_another_key,
    of_whole_numbers,
)
UNSEEN = {
    the_same_seed: "is not tilted",
    of_seeds: "is not tilted",
    of_a_bit_generator: "is not tilted",
    by_a_loop: "was true in",
    in_the_middle: "was true in",
    of_many_integers: "was true in",
    by_an_order: "was unusual in",
    by_two_coins: "was true in",
    by_the_system: "differ from releases of the same draws|os.urandom",  # chance without a seed: either may come first
    by_a_gamma: "is not tilted",
}
"""What steered releases do not see, and why, as a pattern."""
