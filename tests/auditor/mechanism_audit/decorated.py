"""Mechanisms with a branch that no small data set takes, in functions under decorators and in methods."""

import contextlib
import functools
from dataclasses import dataclass

LARGE = 10**13


def noisy(total, rng, scale=1.0):
    """Laplace noise."""
    return round(total + scale * rng.laplace(0, 1.0), 1)


@functools.cache
def factor(total):
    """Wrong: no noise for a large total."""
    width = 1.0
    if total > LARGE:
        width = 0.0
    return width


def cached(histogram, rng):
    """A factor from a cache."""
    total = sum(histogram.values())
    return noisy(total, rng, factor(total))


def logged(function):
    """Return the function in another."""

    @functools.wraps(function)
    def inner(*arguments):
        return function(*arguments)

    return inner


@logged
def wrapped(histogram, rng):
    """Below a decorator of the file."""
    total = sum(histogram.values())
    return noisy(total, rng) if total < LARGE else float(total)


def scaled(histogram, rng, scale):
    """With an option."""
    total = sum(histogram.values())
    return noisy(total, rng, scale) if total < LARGE else float(total)


bound = functools.partial(scaled, scale=1.0)


@contextlib.contextmanager
def opened(total, rng):
    """Yield a release."""
    yield float(total) if total > LARGE else noisy(total, rng)


def context(histogram, rng):
    """A context manager."""
    with opened(sum(histogram.values()), rng) as released:
        return released


@dataclass
class Shop:
    """Its methods return factors of noise."""

    counts: dict

    def __post_init__(self):
        self.total = sum(self.counts.values())

    @property
    def by_property(self):
        """A factor."""
        if self.total > LARGE:
            return 0.0
        return 1.0

    @functools.cached_property
    def by_cached_property(self):
        """A factor."""
        if self.total > LARGE:
            return 0.0
        return 1.0

    @staticmethod
    def by_static(total):
        """Return a factor."""
        if total > LARGE:
            return 0.0
        return 1.0

    @classmethod
    def by_class(cls, total):
        """Return a factor."""
        if total > LARGE:
            return 0.0
        return 1.0

    def by_method(self):
        """Return a factor."""
        if self.total > LARGE:
            return 0.0
        return 1.0


def property_(histogram, rng):
    """A property."""
    shop = Shop(histogram)
    return noisy(shop.total, rng, shop.by_property)


def cached_property(histogram, rng):
    """A cached property."""
    shop = Shop(histogram)
    return noisy(shop.total, rng, shop.by_cached_property)


def static(histogram, rng):
    """A static method."""
    shop = Shop(histogram)
    return noisy(shop.total, rng, Shop.by_static(shop.total))


def of_class(histogram, rng):
    """A class method."""
    shop = Shop(histogram)
    return noisy(shop.total, rng, Shop.by_class(shop.total))


def method(histogram, rng):
    """A method of an object."""
    shop = Shop(histogram)
    return noisy(shop.total, rng, shop.by_method())


class Caller:
    """An object that can be called."""

    def __call__(self, histogram, rng):
        """Return the total, without noise if it is large."""
        total = sum(histogram.values())
        return noisy(total, rng) if total < LARGE else float(total)


called = Caller()


@logged
def exactly(total, _rng):
    """Wrong: no noise."""
    return float(total)


@logged
def plainly(total, rng):
    """Right."""
    return noisy(total, rng)


def entry(histogram, rng):
    """An entry of a tuple of decorated functions."""
    total = sum(histogram.values())
    return (plainly, exactly)[total == LARGE](total, rng)


@functools.cache
def half(total):
    """Right: all branches run."""
    if total > 3:
        return 0.5 + 0.5
    return 1.0


def right_cached(histogram, rng):
    """Right: both branches of a cached function run."""
    total = sum(histogram.values())
    return noisy(total, rng, half(total))


@logged
def right_wrapped(histogram, rng):
    """Right: both branches below a decorator run."""
    total = sum(histogram.values())
    return noisy(total, rng) if total > 3 else noisy(min(total, 3), rng)


def floor(released):
    """Right: what is compared is a release."""
    if released > LARGE:
        return released
    return max(released, 0.0)


def right_floor(histogram, rng):
    """Right: a function of one argument, which is noisy."""
    return floor(noisy(sum(histogram.values()), rng))


def clipped(amount):
    """Right: the clip leaves a constant."""
    if amount > LARGE:
        return LARGE
    return amount


def right_clip(histogram, rng):
    """Right: no data reach the ends of a clip."""
    return noisy(clipped(sum(histogram.values())), rng)
