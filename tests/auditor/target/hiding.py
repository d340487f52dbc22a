"""What hides draws, and what users write that hides none, in a file of their own: all of it is watched."""

import bisect
import contextlib
import math
import operator
import random
import re

import numpy as np
from scipy import stats

THRESHOLD = 22.0
GRID = np.ones((300, 300))
SCALES = [1.0] * 10**5 + [0.0] + [1.0] * 10**5


def released(noise, histogram):
    """A threshold."""
    return {key: count + noise for key, count in histogram.items() if count + noise >= THRESHOLD}


class Point:
    """A number, and a question that is asked of it in C."""

    def __init__(self, x):
        self.x = x

    @property
    def middle(self):
        return abs(self.x - 0.5) < 1e-6


def of_cases(k):
    """One case of a million."""
    match k:
        case 777:
            return 0.0
        case _:
            return 1.0


def of_an_exception(k):
    """An exception, once in a million."""
    try:
        return k / (k - 777) * 0.0 + 1.0
    except ZeroDivisionError:
        return 0.0


def of_a_called_function(k):
    """Likewise, where a function is called for nothing."""

    def checked(k):
        return 1 / (k - 777)

    try:
        checked(k)
    except ZeroDivisionError:
        return 0.0
    return 1.0


def suppressed(k):
    """Likewise, where nobody handles it."""
    with contextlib.suppress(ZeroDivisionError):
        _ = 1 / (k - 777)
        return 1.0
    return 0.0


def of_trials(rng):
    """Twenty trials fail once in a million."""
    for _ in range(20):
        if rng.random() < 0.5:
            return 1.0
    return 0.0


def of_a_case(k):
    """One case is for what a million divides."""
    match k % 10**6:
        case 0:
            return 0.0
        case _:
            return 1.0


def of_a_quotient(k):
    """An exception where it does."""
    try:
        _ = 1 / (k % 10**6)
    except ZeroDivisionError:
        return 0.0
    return 1.0


PASSED = {
    "four close numbers": lambda rng: float(np.ptp(rng.random(4)) >= 0.005),
    "a divisible number": lambda rng: float(rng.integers(2**31) % 10**6 > 0),
    "no remainder": lambda rng: 1.0 if int(rng.integers(2**31)) % 10**6 else 0.0,
    "one of few remainders": lambda rng: 1.0 - (int(1e9 * rng.random()) % 10**6 in {0, 777}),
    "a case": lambda rng: of_a_case(int(rng.integers(2**31))),
    "an exception of what divides": lambda rng: of_a_quotient(int(1e9 * rng.random())),
    "numbers that are close": lambda rng: 0.0 if math.isclose(rng.random(), rng.random(), rel_tol=1e-6) else 1.0,
    "a sine": lambda rng: min(1.0, abs(math.sin(rng.uniform(0, 100 * math.pi))) / 1.6e-6),
    "the size of a set": lambda rng: len({int(rng.integers(2**20)) for _ in range(2)}) - 1.0,
    "as many that differ": lambda rng: float(np.unique(rng.integers(2**20, size=2)).size - 1),
}
"""Tilts lead to them, by what is much unlikelier than another way to the same."""
HIDING = {
    "the middle of an array": lambda rng: 1.0 - np.any(rng.laplace(size=300)[200:] > 20),
    "a sum of truths": lambda rng: 1.0 - sum(abs(u - 0.5) < 1e-6 for u in rng.random(3)),
    "an entry of a list": lambda rng: SCALES[int(rng.integers(len(SCALES)))],
    "an entry of a dictionary": lambda rng: {7: 0.0}.get(int(rng.integers(10**5)), 1.0),
    "a choice": lambda rng: rng.choice([1.0, 0.0, 1.0], p=[0.5, 1e-6, 0.5 - 1e-6]),
    "a choice of the standard library": lambda rng: random.choice(SCALES),
    "a place in a table": lambda rng: [1.0, 0.0, 1.0][bisect.bisect([0.5, 0.500001], rng.random())],
    "where": lambda rng: float(np.where(abs(rng.random() - 0.5) < 1e-6, 0.0, 1.0)),
    "a callback": lambda rng: 1.0 - any(map(operator.lt, [abs(rng.random() - 0.5)], [1e-6])),
    "a property": lambda rng: 1.0 - Point(rng.random()).middle,
    "a minimum": lambda rng: min(1.0, 1e6 * abs(rng.random() - 0.5)),
    "a quotient": lambda rng: float(np.sign(abs(rng.random() - 0.5) // 1e-6)),
    "a power": lambda rng: 1.0 - 0.0 ** abs(int(rng.integers(10**6)) - 777),
    "a saturated function": lambda rng: math.tanh(1e8 * abs(rng.random() - 0.5)),
    "a text": lambda rng: 1.0 - str(int(rng.integers(10**7))).startswith("77777"),
    "a match": lambda rng: 1.0 - bool(re.match("77777", str(int(rng.integers(10**7))))),
    "SciPy": lambda rng: float(stats.uniform(0.5, 1e-6).pdf(rng.random()) == 0),
    "cases": lambda rng: of_cases(int(rng.integers(10**6))),
    "an exception": lambda rng: of_an_exception(int(rng.integers(10**6))),
    "an entry of two numbers": lambda rng: GRID[rng.integers(300), rng.integers(300)],
    "an exception of a function": lambda rng: of_a_called_function(int(rng.integers(10**6))),
    "an exception that is suppressed": lambda rng: suppressed(int(rng.integers(10**6))),
    "trials that fail": of_trials,
    "an empty list": lambda rng: 1.0 if [u for u in rng.random(20) if u < 0.5] else 0.0,
    **PASSED,
    "an order": lambda rng: 1.0 - (rng.permutation(9) == np.arange(9)).all(),
}


def of_an_inverse(rng):
    """Laplace noise of two uniform numbers, with a guard."""
    u = rng.random()
    while u == 0.0:
        u = rng.random()
    return -math.log(u) if rng.random() < 0.5 else math.log(u)


def of_arrays(histogram, rng):
    """A mask, and what it leaves."""
    values = np.array([*histogram.values()]) + rng.laplace(size=len(histogram))
    mask = values >= THRESHOLD
    return {key: value for key, value, kept in zip(histogram, values.tolist(), mask, strict=True) if kept}


def step_by_step(histogram, rng, scale=1.0):
    """What users write: checks, rounding, an early return."""
    if scale <= 0:
        raise ValueError(scale)
    found = {}
    for key, count in sorted(histogram.items()):
        value = max(0, round(count + rng.laplace(0, scale)))
        if value < THRESHOLD:
            continue
        found[key] = min(value, 10**9)
    if not found:
        return {}
    return found


def in_two_steps(histogram, rng):
    """Keys are selected, then counted."""
    keys = [key for key in histogram if histogram[key] + rng.laplace(0, 2) > 30]
    return {key: histogram[key] + rng.laplace(0, 2) for key in keys}


def filtered(histogram, rng):
    """By a function."""
    values = ((key, count + rng.laplace()) for key, count in histogram.items())
    return dict(filter(lambda pair: pair[1] >= THRESHOLD, values))


def checked(histogram, rng):
    """What no draw raises is handled, a loop is left early, nothing may be left, keys are counted."""
    found = {}
    for key, count in histogram.items():
        try:
            value = float(count) + rng.laplace()
            if math.isnan(value):
                raise ValueError(key)
        except (ValueError, OverflowError):
            continue
        if value >= THRESHOLD:
            found[key] = value
        if len(found) == 2:
            break
    return {"keys": len({*found}), "counts": found}


def returning_early(histogram, rng):
    """Where nothing is left, which is too unlikely for as many releases as show other ways."""
    found = kept({**histogram, "k2": 22}, rng.laplace)
    if not found:
        return {}
    return found


def kept(histogram, noise):
    """A threshold, and noise of its own for each key."""
    noisy = {key: count + noise() for key, count in histogram.items()}
    return {key: value for key, value in noisy.items() if value >= THRESHOLD}


RIGHT = {
    "an inverse": lambda histogram, rng: kept(histogram, lambda: of_an_inverse(rng)),
    "arrays": of_arrays,
    "step by step": step_by_step,
    "two steps": in_two_steps,
    "a filter": filtered,
    "checks": checked,
    "an early return": returning_early,
    "the standard library": lambda histogram, _rng: kept(
        histogram, lambda: random.expovariate(1) - random.expovariate(1)
    ),
    "SciPy": lambda histogram, _rng: kept(histogram, lambda: stats.laplace(0, 1).rvs()),
}
"""Each (1, 1e-6)-private where a user has one key."""


def beside(name):
    """Return a threshold of noise that something hides."""

    def mechanism(histogram, rng):
        return released(HIDING[name](rng) * rng.laplace(), histogram)

    return mechanism
