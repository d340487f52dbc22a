"""Mechanisms that are wrong only on data that nobody lists, each with its right version."""

import math
from collections import Counter

import numpy as np

SHOPS = ("mall", "kiosk")


def first_rows(rows, rng):
    """Wrong: 50 rows are counted, so a row at the front pushes another one out."""
    return {shop: round(sum(row[1] == shop for row in rows[:50]) + rng.laplace(0, 1.0), 2) for shop in SHOPS}


def all_rows(rows, rng):
    """Right: every row is counted."""
    return {shop: round(sum(row[1] == shop for row in rows) + rng.laplace(0, 1.0), 2) for shop in SHOPS}


def wraps(histogram, rng):
    """Wrong: the sum of two counts is held in 16 bits."""
    total = sum(histogram.get(key, 0) for key in ("a", "b"))
    return round((total + 2**15) % 2**16 - 2**15 + rng.laplace(0, 1.0), 2)


def in_single_precision(histogram, rng):
    """Wrong: above 2^24 the total is rounded to a multiple of 2, 4, ..."""
    return round(float(np.float32(sum(histogram.values()))) + rng.laplace(0, 1.0), 2)


def adds(histogram, rng):
    """Right: the sum is an integer of any size."""
    return round(sum(histogram.get(key, 0) for key in ("a", "b")) + rng.laplace(0, 1.0), 2)


def unbounded(rows, rng):
    """Wrong where a value may lie above 5: nothing clips it."""
    return round(sum(value for _user, _key, value in rows) + rng.laplace(0, 5.0), 2)


def bounded(rows, rng):
    """Right: values are clipped, and those that are missing left out."""
    kept = (min(5.0, max(-5.0, value)) for _user, _key, value in rows if not math.isnan(value))
    return round(sum(kept) + rng.laplace(0, 5.0), 2)


def mean_in_tenths(ages: list[float], rng):
    """Wrong: the mean of many ages jumps by more than the share of one person, for which the noise is."""
    return round(round(_mean(ages), 1) + rng.laplace(0, 100.0 / max(1, len(ages))), 6)


def mean(ages: list[float], rng):
    """Right: one person of a public number moves the mean by at most their share."""
    return round(_mean(ages) + rng.laplace(0, 100.0 / max(1, len(ages))), 6)


def _mean(ages):
    return sum(min(max(age, 0.0), 100.0) for age in ages) / max(1, len(ages))


def unreachable(rows, rng):
    """Nobody knows: what is released of a user named root is never seen."""
    total = len(rows)
    if any(user == "root" for user, _key, _value in rows):
        total = 2 * total
    if rng.laplace(0, 1.0) > 1e6:
        total = -1
    return round(total + rng.laplace(0, 1.0), 2)


def full(rows, rng):
    """Wrong: the 37th row is refused, which no noise hides."""
    if len(rows) >= 37:
        raise OverflowError("full")
    return all_rows(rows, rng)


def exempt(histogram, rng):
    """Wrong: keys of one prefix are counted without noise."""
    if any(key.startswith("test_") for key in histogram):
        return float(sum(histogram.values()))
    return total(histogram, rng)


def noisy_up_to_ten(histogram, rng):
    """Wrong: noise is drawn for ten keys."""
    return total(histogram, rng) if len(histogram) <= 10 else float(sum(histogram.values()))


def hundreds(histogram, rng):
    """Wrong: one more user moves the rounded total by a hundred."""
    return round(round(sum(histogram.values()), -2) + rng.laplace(0, 1.0), 2)


def total(histogram, rng):
    """Right: noise is added to the total of any keys."""
    return round(sum(histogram.values()) + rng.laplace(0, 1.0), 2)


def textbook(histogram, rng):
    """Right of real numbers; the last bits of doubles give counts away."""
    return {key: histogram.get(key, 0) + rng.laplace(0, 1.0) for key in ("a", "b")}


DISCOUNTS = {f"member {i}": (1.0, 0.9)[i % 2] for i in range(12)}


def textbook_by_index(histogram, rng):
    """Wrong in its last bits; raises on the empty input."""
    return histogram["a"] + rng.laplace(0, 1.0)


def members_only(rows, rng):
    """Right: unknown users raise, and no user outside the table can be in the data."""
    total = sum(min(max(value, 0.0), 4.0) * DISCOUNTS[user] for user, _key, value in rows)
    return round(total + rng.laplace(0, 4.0), 1)


def members_twice(rows, rng):
    """Wrong: half of the noise."""
    total = sum(min(max(value, 0.0), 4.0) * DISCOUNTS[user] for user, _key, value in rows)
    return round(total + rng.laplace(0, 2.0), 1)


def up_to_five_thousand(histogram, rng):
    """Wrong: above 5000 users nothing is added."""
    total = sum(histogram.values())
    if total > 5000:
        return float(total)
    return round(total + rng.laplace(0, 1.0), 1)


def _noisy(histogram, rng):
    """Release the noisy total with Laplace noise of scale 1, whatever its size."""
    return round(min(sum(histogram.values()), 2**20) + rng.laplace(0, 1.0), 1)


def in_32_bits(histogram, rng):
    """Right below its precondition: raises whenever a count does not fit in 32 bits."""
    for count in histogram.values():
        if count >= 2**31:
            raise OverflowError(f"{count} does not fit")
    return _noisy(histogram, rng)


def not_at_one_count(histogram, rng):
    """Wrong: raises at exactly one count, which reveals one user."""
    if 2**31 in histogram.values():
        raise OverflowError("does not fit")
    return _noisy(histogram, rng)


def not_between(histogram, rng):
    """Wrong: raises at counts below others at which it does not raise."""
    if any(2**31 <= count < 2**32 for count in histogram.values()):
        raise OverflowError("does not fit")
    return _noisy(histogram, rng)


def not_above_two_hundred(histogram, rng):
    """Wrong: raises from a count on that any data may have."""
    if max(histogram.values(), default=0) >= 200:
        raise OverflowError("does not fit")
    return _noisy(histogram, rng)


def of_six_at_most(rows, rng):
    """Wrong: a value above 6 is refused, which no noise hides."""
    if any(value > 6.0 for _user, _key, value in rows):
        raise ValueError("out of range")
    return round(sum(min(max(value, 0.0), 8.0) for _user, _key, value in rows) + rng.laplace(0, 8.0), 1)


def tidied(rows, rng):
    """Wrong where keys may differ in case: they are merged after the bound of one row of a user in a key."""
    kept = {(user, key) for user, key, _value in rows}
    merged = [key.lower() for _user, key in kept]
    return round(max(merged.count(key) for key in ("inner harbour", "quay")) + rng.laplace(0, 1.0), 1)


def tidied_first(rows, rng):
    """Right: keys are merged before."""
    kept = {(user, key.lower()) for user, key, _value in rows}
    merged = [key for _user, key in kept]
    return round(max(merged.count(key) for key in ("inner harbour", "quay")) + rng.laplace(0, 1.0), 1)


def names_of_ten_letters(histogram, rng):
    """Wrong: of two keys that begin alike, the last count stays."""
    return names_of_any_length(dict(zip((key[:10] for key in histogram), histogram.values(), strict=True)), rng)


def names_of_any_length(histogram, rng):
    """Right: a new key passes the threshold with probability 1e-3."""
    noisy = {key: round(count + rng.laplace(0, 1.0), 2) for key, count in sorted(histogram.items())}
    return {key: value for key, value in noisy.items() if value > 7.3}


def unlabelled(histogram, rng):
    """Wrong: users without a key are counted without noise."""
    named = sum(count for key, count in histogram.items() if key.strip())
    return [round(named + rng.laplace(0, 1.0), 1), sum(histogram.values()) - named]


def less_noise_for_ten_keys(histogram, rng):
    """Wrong: with ten keys or more, half of the noise."""
    return _above_threshold(histogram, lambda: rng.laplace(0, 1.0 if len(histogram) < 10 else 0.5))


def less_noise_for_ten_partitions(rows, rng):
    """The same for rows."""
    return less_noise_for_ten_keys(_sizes(rows), rng)


def one_draw_for_all_keys(histogram, rng):
    """Wrong: the difference of two counts has no noise."""
    noise = rng.laplace()
    return _above_threshold(histogram, lambda: noise)


def same_noise_for_all_keys(histogram, rng):
    """Right: noisy counts on a grid, above a threshold of delta 3e-6."""
    return _above_threshold(histogram, rng.laplace)


def same_noise_for_all_partitions(rows, rng):
    """The same for rows."""
    return same_noise_for_all_keys(_sizes(rows), rng)


def _sizes(rows):
    return dict(sorted(Counter(key for _, key, _ in rows).items()))


def _above_threshold(histogram, draw):
    noisy = {key: round(1024 * (count + draw())) / 1024 for key, count in histogram.items()}
    return {key: value for key, value in noisy.items() if value > 13}


def _above_thirteen(histogram, rng, of_zero):
    p = 1 - math.exp(-1)
    for key, count in histogram.items():
        if count > 0:
            noisy = int(count + rng.geometric(p) - rng.geometric(p))
            if noisy >= 13:
                yield key, noisy
        else:
            yield from of_zero(key)


def skips_zeros(histogram, rng):
    """Release noisy counts above a threshold; a key without users is left out."""
    return dict(_above_thirteen(histogram, rng, lambda _key: ()))


def releases_zeros(histogram, rng):
    """A key without users is released as it is."""
    return dict(_above_thirteen(histogram, rng, lambda key: [(key, 0)]))


def refuses_zeros(histogram, rng):
    """A key without users is no input."""
    return dict(_above_thirteen(histogram, rng, _refuse))


def _refuse(key):
    raise ValueError(f"expected a positive count of {key}")
