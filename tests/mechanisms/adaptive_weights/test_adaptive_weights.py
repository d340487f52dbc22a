"""The set union with adaptive weights: its two steps by hand, and how far one user moves the weights."""

import math
from dataclasses import replace

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
        right_one = replace(build(**AT), level=rng.uniform(0.1, 6))
        for name, mechanism in (("right", right_one), ("lightest", ToLightest(**vars(right_one)))):
            largest[name] = max(largest.get(name, 0), distance(mechanism, left, right))
    assert 0.99 < largest["right"] <= 1 + 1e-12
    assert largest["lightest"] > 1.05


def test_new_keys_take_their_share_of_the_distance_from_the_other_keys():
    """At 3,000 random records, users of new keys and of others: the others move by at most the root of their share."""
    rng, closest = np.random.default_rng(47), 0.0
    for _case in range(3000):
        right = records(rng, rng.integers(1, 40), 5, 3)
        new, shared = int(rng.integers(1, 3)), int(rng.integers(1, 3))
        keys = [f"k{i}" for i in rng.choice(5, size=shared, replace=False)] + [f"new{i}" for i in range(new)]
        mechanism = build(**{**AT, "c_u": 4, "beta": f"{rng.uniform(-1, 4):.3f}"})
        left = right | {f"u/{key}": 1 for key in keys}
        most = math.sqrt(sum(key in {k.partition("/")[2] for k in right} for key in keys) / len(keys))
        moved = distance(mechanism, left, right)
        assert moved <= most + 1e-12
        closest = max(closest, moved / most if most else 0)
        after = mechanism.weights(left)
        for key in {*after} - {*mechanism.weights(right)}:
            assert 1 / math.sqrt(len(keys)) - 1e-12 <= after[key] <= 1 / math.sqrt(len(keys)) + mechanism.share / 4
    assert closest > 0.999


def test_a_level_below_one_is_refused():
    """There new keys lose weight to other keys of their user."""
    with pytest.raises(ValueError, match=r"expected a level T \+ beta sigma of at least 1, got 0\.9"):
        build(**{**AT, "beta": "-1.1"})


def test_a_cap_on_the_shares_alone_is_no_cap():
    """The user of two keys that others have moves both by one."""
    pair = next(pair for pair in MECHANISM.pairs(MECHANISM.parameters) if pair.id == "moved")
    right = build(**MECHANISM.parameters)
    assert distance(LateCap(**vars(right)), pair.left, pair.right) == pytest.approx(math.sqrt(2))
    assert distance(right, pair.left, pair.right) == pytest.approx(1)
