"""The set union with adaptive weights: its two steps by hand, and how far one user moves the weights."""

import math

import numpy as np
import pytest

from mechanisms.adaptive_weights.faults import LateCap, ToLightest
from mechanisms.adaptive_weights.mechanism import MECHANISM, build

AT = {"sigma": 1, "threshold": 2, "c_u": 3, "beta": -1}
"""The level is 1."""


def distance(mechanism, left, right):
    """Return the distance of the weights of keys that both sides have."""
    sides = [mechanism.weights(side) for side in (left, right)]
    return math.dist(*([side[key] for key in sorted({*sides[0]} & {*sides[1]})] for side in sides))


def records(rng, users, keys, most):
    """Return the records of users with some keys each."""
    results = {}
    for user in range(users):
        for key in rng.choice(keys, size=rng.integers(1, most + 1), replace=False):
            results[f"v{user}/k{key}"] = 1
    return results


def test_the_weight_above_the_level_goes_back_and_a_share_of_it_to_the_other_key():
    """Key a has 2 of one-key users and 1/2: 3/2 are taken, 3/5 of each part; the user of both gets 3/10 back."""
    weights = build(**AT).weights({"a": 2, "u/a": 1, "u/b": 1})
    rest = math.sqrt(1 / 2) - 1 / 2
    rho = 2 / 5
    assert weights == pytest.approx({
        "a": 1 + 2 * rho * 0.6 / 3 + rho * 0.3 / 3 + rest, "b": 1 / 2 + rho * 0.3 / 3 + rest,
    })  # fmt: skip


def test_no_user_moves_the_weights_by_more_than_one():
    """At 3,000 random sets of records of up to 40 users over 5 keys; to one key moves them by more at some."""
    rng, largest = np.random.default_rng(46), {}
    for _case in range(3000):
        right = records(rng, rng.integers(1, 40), 5, 3)
        left = right | {f"u/{record.partition('/')[2]}": 1 for record in records(rng, 1, 5, 3)}
        at = {**AT, "beta": float(rng.uniform(-1.9, 4))}
        at["beta"] = f"{at['beta']:.3f}"
        for name, mechanism in (("right", build(**at)), ("lightest", ToLightest(**vars(build(**at))))):
            largest[name] = max(largest.get(name, 0), distance(mechanism, left, right))
    assert 0.99 < largest["right"] <= 1 + 1e-12
    assert largest["lightest"] > 1.05


def test_a_cap_on_the_shares_alone_is_no_cap():
    """The user of two keys that others have moves both by one."""
    pair = next(pair for pair in MECHANISM.pairs(MECHANISM.parameters) if pair.id == "moved")
    right = build(**MECHANISM.parameters)
    assert distance(LateCap(**vars(right)), pair.left, pair.right) == pytest.approx(math.sqrt(2))
    assert distance(right, pair.left, pair.right) == pytest.approx(1)
