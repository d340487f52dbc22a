"""Mechanisms whose noise comes from the system: nobody can tilt it, as of an engine in another language."""

import math
import os


def uniform():
    """A number in (0, 1)."""
    return (int.from_bytes(os.urandom(6), "little") + 0.5) / 2**48


def laplace():
    """Integer Laplace noise of scale 1: P[Z >= k] = e^-k / (1 + 1/e)."""
    return math.floor(-math.log(uniform())) - math.floor(-math.log(uniform()))


def threshold(histogram, rng):
    """Release noisy counts of at least 6: a key of one user with probability P[Z >= 5] = .00493."""
    return {key: noisy for key, count in histogram.items() if (noisy := count + laplace()) >= 6}


def high_threshold(histogram, rng):
    """Release noisy counts of at least 9: a key of one user with probability P[Z >= 8] = .000245."""
    return {key: noisy for key, count in histogram.items() if (noisy := count + laplace()) >= 9}


def one_draw(histogram, rng):
    """Release all keys of at least 6 users, by one draw for all."""
    noise = laplace()
    return [key for key, count in histogram.items() if count + noise >= 6]


def labels(histogram, rng):
    """Release the keys alone, in order, inside a text."""
    return [f"<{key}>" for key in sorted(histogram) if histogram[key] + laplace() >= 6]


def rows_threshold(rows, rng):
    """Count the users of each partition."""
    users = {}
    for user, partition, _value in rows:
        users.setdefault(partition, set()).add(user)
    return threshold({partition: len(own) for partition, own in users.items()}, rng)


def capped(histogram, rng):
    """Release at most two of the keys that pass, the first in order: no key passes more often for it."""
    return dict(sorted(threshold(histogram, rng).items())[:2])


def loudest(histogram, rng):
    """Release the key of the largest noisy count, whatever it is: a new key alone always gives itself away."""
    return max(histogram, key=lambda key: histogram[key] + laplace(), default="")


def fixed(histogram, rng):
    """Release noisy counts of two keys that it knows."""
    return {key: histogram.get(key, 0) + laplace() for key in ("a", "b")}


def refuses_many(histogram, rng):
    """Take at most 20 keys."""
    if len(histogram) > 20:
        raise ValueError("too many keys")
    return threshold(histogram, rng)
