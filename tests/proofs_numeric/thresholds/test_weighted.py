"""The weighted Gaussian set union: the worst user, and what the rule in use asks for, against SciPy."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import norm

from proofs_numeric.arithmetic import Float64
from proofs_numeric.thresholds.weighted import delta_weighted, least_threshold


def gaussian(sigma, epsilon):
    """Delta of unit distance."""
    return norm.cdf(1 / (2 * sigma) - epsilon * sigma) - math.exp(epsilon) * norm.sf(1 / (2 * sigma) + epsilon * sigma)


def named(sigma, threshold, keys):
    """Chance that a user of so many new keys is named."""
    return -np.expm1(keys * norm.logcdf((threshold - keys**-0.5) / sigma))


def test_no_user_leaks_more_than_one_of_one_key_or_of_all():
    """At 4,000 settings, over every number of keys up to 60: either end is the worst at times."""
    rng, keys, worst = np.random.default_rng(46), np.arange(1, 61), set()
    for _setting in range(4000):
        sigma = math.exp(rng.uniform(-4, 2))
        threshold = rng.uniform(-1, 3) + 8 * sigma * rng.uniform()
        each = named(sigma, threshold, keys)
        assert max(each) <= max(each[0], each[-1]) * (1 + 1e-12)
        worst.add(0 if each[0] > each[-1] else 59)
        exact = delta_weighted(
            Float64(), epsilon=np.float64(1), sigma=np.float64(sigma), threshold=np.float64(threshold), c_u=60
        )
        assert exact == pytest.approx(max(*each, gaussian(sigma, 1)), rel=1e-9, abs=1e-290)
    assert worst == {0, 59}


@pytest.mark.parametrize(
    ("keys", "exact", "printed"), [(1, 16.9107, 18.1569), (10, 18.0495, 19.3160), (100, 19.4968, 20.7897)]
)
def test_the_least_threshold_at_epsilon_1_and_delta_1e_5_and_that_of_the_rule(keys, exact, printed):
    """Thresholds of the issue's table, each with the least noise for its share of delta, by SciPy."""
    for delta, expected in ((1e-5, exact), (5e-6, printed)):
        sigma = brentq(lambda s, delta=delta: gaussian(s, 1) - delta, 0.5, 50, xtol=1e-12)
        t = np.arange(1, keys + 1)
        needed = max(t**-0.5 + sigma * norm.isf(-np.expm1(np.log1p(-delta) / t)))
        assert needed == pytest.approx(expected, abs=1e-4)
        found = least_threshold(Float64(), sigma=np.float64(sigma), delta=np.float64(delta), c_u=keys)
        assert found == pytest.approx(needed, rel=1e-9)
