"""Mechanisms that leak in one place, with the smallest pair that shows it, and right ones; all at (1, 1e-3), c_u = 1.

A key is released when its count plus Laplace noise of scale 1 is at least `THRESHOLD`: for a new key with probability
1e-3. Values are on a grid of tenths.
"""

# ruff: noqa: D103 - the names say what each does

import math

import numpy as np

THRESHOLD = 1 + math.log(1 / (2 * 1e-3)) + 0.05
UNIVERSE = ("k0", "k1", "k2", "k3", "k4", "k5", "s0", "s1", "s2", "t0")


def noisy(count, rng, scale=1.0):
    return round(count + float(rng.laplace(0, scale)), 1)


def kept(histogram, rng, threshold=THRESHOLD, scale=1.0):
    values = {key: noisy(histogram[key], rng, scale) for key in sorted(histogram)}
    return {key: value for key, value in values.items() if value >= threshold}


def rare_key(histogram, rng):
    return {**kept(histogram, rng, 20.0), **{key: noisy(0, rng) for key, count in histogram.items() if count == 1}}


def ties_by_input(histogram, rng):
    released = kept(histogram, rng)
    return [[key, released[key]] for key in sorted(histogram, key=lambda key: -histogram[key]) if key in released]


def emptiness(histogram, rng):
    return {"total": noisy(sum(histogram.values()), rng)} if histogram else {}


def all_counts_equal(histogram, rng):
    flag = len(histogram) >= 3 and len(set(histogram.values())) == 1
    return {**kept(histogram, rng), **({"warning": 1.0} if flag else {})}


def large_counts_equal(histogram, rng):
    flag = len(histogram) >= 2 and len(set(histogram.values())) == 1 and min(histogram.values()) >= 3
    return {**kept(histogram, rng), **({"warning": 1.0} if flag else {})}


def burst_of_new_keys(histogram, rng):
    flag = sum(count == 1 for count in histogram.values()) >= 3
    return {**kept(histogram, rng, 1 + 5 * math.log(1 / (2 * 1e-3 / 5)), 5.0), **({"burst": 1.0} if flag else {})}


def off_by_one(histogram, rng):
    return kept(histogram, rng, THRESHOLD - 2)


def threshold_without_noise(histogram, rng):
    return {key: noisy(count, rng) for key, count in histogram.items() if count >= 10}


def number_of_keys(histogram, rng):
    return {"keys": float(len(histogram)), "total": noisy(sum(histogram.values()), rng)}


def number_of_keys_from_four_on(histogram, rng):
    return {**kept(histogram, rng), **({"many": 1.0} if len(histogram) >= 4 else {})}


def threshold_from_the_largest(histogram, rng):
    largest = max(histogram.values(), default=0)
    return kept({key: count for key, count in histogram.items() if 2 * count >= largest}, rng)


def exactly_seven(histogram, rng):
    return {**kept(histogram, rng), **({"seven": 1.0} if 7 in histogram.values() else {})}


def raises_at_five(histogram, rng):
    if 5 in histogram.values():
        raise ValueError("no bin for this count")
    return kept(histogram, rng)


def right_threshold(histogram, rng):
    return kept(histogram, rng)


def right_order(histogram, rng):
    """Threshold for half the epsilon; the order is that of the noisy values."""
    released = kept(histogram, rng, 1 + 2 * math.log(1 / (2 * 1e-3)) + 0.05, 2.0)
    return sorted(released, key=lambda key: (-released[key], key))


def right_total(histogram, rng):
    return {"total": noisy(sum(histogram.values()), rng)}


def right_universe(histogram, rng):
    return {key: noisy(histogram.get(key, 0), rng) for key in UNIVERSE}


def right_choice(histogram, rng):
    """The exponential mechanism: counts are monotone, so Gumbel noise of scale 1 is enough."""
    scores = [histogram.get(key, 0) + float(rng.gumbel()) for key in UNIVERSE]
    return UNIVERSE[int(np.argmax(scores))]


def right_answer_to_whether_empty(histogram, rng):
    truth = bool(histogram)
    return {"any": truth if rng.random() < math.e / (1 + math.e) else not truth}


def right_and_sometimes_raises(histogram, rng):
    if rng.random() < 0.01:
        raise OSError("disk")
    return kept(histogram, rng)
