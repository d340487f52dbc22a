"""Callables that misbehave in every way a target can; each test names one."""

# ruff: noqa: D103, T201 - the names say what each does, and one of them prints

import asyncio
import ctypes
import os
import sys
import time

import numpy as np


def hangs(**_):
    time.sleep(1000)


def leaves(**_):
    os._exit(7)


def exits(**_):
    sys.exit(3)


def is_cancelled(**_):
    raise asyncio.CancelledError("by its task")


def crashes(**_):
    return ctypes.string_at(0)


def hogs(**_):
    return float(len(bytearray(10**11)))


def raises(**_):
    raise ValueError("bad\nvalue")


def chats(**_):
    print("{}" * 1000)
    os.write(1, b"\x00" * 100)
    os.write(2, b"noise")
    return 0.5


def nan(**_):
    return float("nan")


def text(**_):
    return "0.5"


def boolean(**_):
    return True


def nothing(**_):
    return None


def array(**_):
    return np.array([0.5, 0.5])


def complex_number(**_):
    return 1j


def single(**_):
    return np.float32(0.1)


def whole(**_):
    return np.int64(3)


def endless(**_):
    return float("inf")


def quotient(x, y):
    return x / y


NOT_CALLABLE = 5


def release(histogram, rng):
    return {key: count + rng.laplace() for key, count in histogram.items()}


def release_integer_keys(histogram, rng):
    return {1: 2.0}


def release_records(histogram, rng):
    """Numbers by name: a list of them would lose the names."""
    return np.rec.fromarrays([[count] for count in histogram.values()], names=list(histogram))


class Series:
    """Numbers by name, as pandas has them."""

    def __init__(self, named):
        self.named = named

    def keys(self):
        """Return the names."""
        return self.named.keys()

    def tolist(self):
        """Return the numbers alone."""
        return list(self.named.values())


def release_named(histogram, rng):
    """The same, in a type that is no NumPy's."""
    return Series(histogram)


def release_book(histogram, rng):
    """More text than anybody can learn from."""
    return "x" * 20_000_000


def release_dies(histogram, rng):
    os._exit(9)


def release_is_cancelled(histogram, rng):
    raise asyncio.CancelledError("by its task")


def release_hangs(histogram, rng):
    time.sleep(1000)


def release_sometimes_raises(histogram, rng):
    if rng.random() < 0.2:
        raise RuntimeError(f"lost {rng.integers(10)} rows")
    return release(histogram, rng)


def release_mutates(histogram, rng):
    released = release(histogram, rng)
    histogram.clear()
    return released


def release_ignores_rng(histogram, rng):
    return release(histogram, np.random.default_rng())


_STATE = np.random.default_rng(1)


def release_not_deterministic(histogram, rng):
    rng.random()
    return release(histogram, _STATE)


def release_slowly(histogram, rng):
    time.sleep(0.02)
    return release(histogram, rng)


def release_stream(histogram, rng):
    return [["start", {"n": len(histogram)}], None, [True, 2.5, float("nan")]]


class Vectorised:
    """Releases keys of the input only."""

    releases_only_input_keys = True

    def release_many(self, histogram, n, rng):
        keys = tuple(histogram)
        values = np.array(list(histogram.values()), dtype=float) + rng.standard_normal((n, len(keys)))
        values[values < 1] = np.nan
        return keys, values


class WrongShape:
    """Answers one row whatever is asked."""

    def release_many(self, histogram, n, rng):
        return tuple(histogram), np.zeros((1, len(histogram)))
