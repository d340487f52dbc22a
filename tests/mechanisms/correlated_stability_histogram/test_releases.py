"""Several releases of the histogram of users of few counters, with sums: its law, its faults and its control."""

import math
from fractions import Fraction

import numpy as np
import pytest

from mechanisms.correlated_stability_histogram.composed_accountant import few_counters_delta
from mechanisms.correlated_stability_histogram.releases import CONTROLS, MECHANISM, build
from proofs_numeric.arithmetic import Ball
from proofs_numeric.lebeda2025 import sparse_users_releases as exact

INTEGERS = {"releases", "k", "m"}
N = 40_000
SIX = 6 * math.sqrt(2 / N)
"""Six relative deviations of a variance, and more than those of a covariance, of that many releases."""
SETTING = {"releases": 2, "k": 3, "m": 2, "sigma": 2, "gamma": 4, "gap": 0, "mu_o": "1/2"}


def at(A, parameters):
    """Parameters as numbers of an arithmetic, integers as they are."""
    return {name: value if name in INTEGERS else A.number(Fraction(value)) for name, value in parameters.items()}


def covariance(mechanism):
    """Keys, and the covariance of what is released of three counters far above the threshold."""
    keys, values = mechanism.release_many(dict.fromkeys("abc", 1000), N, np.random.default_rng(2))
    assert not np.isnan(values).any()
    return keys, np.cov(values.T)


def blocks(keys, shared):
    """Counters: variance 4 (1 + 1/4), covariance 4/4 in a release and `shared` across; sums: variance 4, alone."""
    of = [(key.split("/")[1], key.startswith("value"), key) for key in keys]

    def entry(one, other):
        if one == other:
            return 4.0 if one[1] else 5.0
        if one[1] or other[1]:
            return 0.0
        return 1.0 if one[0] == other[0] else shared

    return np.array([[entry(one, other) for other in of] for one in of])


def test_noise_of_counters_and_sums_is_fresh_in_every_release():
    """Within six deviations, of 40,000 pairs of releases."""
    keys, found = covariance(build(**SETTING))
    assert keys[:3] == ("count/1/a", "value/1/a", "count/1/b")
    assert np.allclose(found, blocks(keys, 0.0), atol=5 * SIX)


def test_the_control_shares_one_noise_among_all_releases():
    """It is that of the covariance, and nothing else differs."""
    (control,) = CONTROLS
    keys, found = covariance(control.build(**SETTING))
    assert sorted(keys) == sorted(covariance(build(**SETTING))[0])
    assert np.allclose(found, blocks(keys, 1.0), atol=5 * SIX)


def test_a_counter_that_is_held_back_takes_its_sum_along():
    """In the release in which it is; new counters at the threshold pass half the time."""
    keys, values = build(**SETTING).release_many({"a": 1}, N, np.random.default_rng(3))
    assert keys == ("count/1/a", "value/1/a", "count/2/a", "value/2/a")
    held = np.isnan(values)
    assert np.array_equal(held[:, 0], held[:, 1])
    assert np.array_equal(held[:, 2], held[:, 3])
    both = float((~held[:, 0] & ~held[:, 2]).mean())
    assert both == pytest.approx(0.25, abs=6 * math.sqrt(3 / 16 / N))


def test_the_accountant_is_no_lower_than_the_claim():
    """Doubles rounded upwards, against the ball."""
    with Ball(96) as A:
        promised = exact.same_data(A, epsilon=A.number(1), **at(A, MECHANISM.parameters))
    arguments = {
        name: value if name in INTEGERS else float(Fraction(value)) for name, value in MECHANISM.parameters.items()
    }
    assert few_counters_delta(1.0, **arguments) >= float(promised)


def test_delta_is_told_where_new_counters_are_all_but_certain_to_be_seen():
    """One release misses 64 of them with a probability of 2e-18; thousands of releases leave next to nothing."""
    many = {"releases": 5725, "k": 64, "m": 64, "sigma": 9, "gamma": 4435, "gap": "0.6", "mu_o": 0}
    with Ball(96) as A:
        assert abs(1 - exact.same_data(A, epsilon=A.number(8), **at(A, many))) < 2.0**-60
