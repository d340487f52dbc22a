"""Speed of the reference mechanisms and accountants, as ratios measured in one run.

Each ratio compares medians taken alternately, so that a busy machine slows both sides alike.
"""

import math
import statistics
import time

import numpy as np
import pytest
from scipy.special import ndtr

from mechanisms.gaussian_sparse_histogram import accountant
from mechanisms.gaussian_sparse_histogram.mechanism import build
from mechanisms.histogram import Counts, validate

CASE_STUDY = {"c_u": 51914, "sigma": 2228.0, "gap": 13947.0, "mu_o": 0.0}
EPSILON = 0.349


def _linear_scan(epsilon, *, c_u, sigma, gap, mu_o):
    """Theorem 5.4 term by term in NumPy, the formulas as printed."""
    equal = np.arange(c_u)
    p = ndtr(gap / sigma)
    mu = np.sqrt(c_u - equal) * math.hypot(1 / sigma, mu_o)
    beta = p**equal
    second_epsilon, third_epsilon = epsilon - equal * math.log(p), epsilon + equal * math.log(p)

    def profile(level):
        return ndtr(mu / 2 - level / mu) - np.exp(level) * ndtr(-mu / 2 - level / mu)

    second = 1 - beta + beta * profile(second_epsilon)
    return max(1 - p**c_u, float(second.max()), float(profile(third_epsilon).max()))


def _seconds(call, repeats):
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - start) / repeats


def _ratio(slow, fast, *, slow_repeats, fast_repeats, rounds=7):
    """Median over rounds of seconds(slow) / seconds(fast)."""
    return statistics.median(_seconds(slow, slow_repeats) / _seconds(fast, fast_repeats) for _ in range(rounds))


def test_delta_against_the_linear_scan(benchmark):
    """At C_u = 51914 delta, validation counted in, is at least 2000 times faster than a vectorised linear scan."""
    expected = _linear_scan(EPSILON, **CASE_STUDY)
    assert benchmark(accountant.delta, EPSILON, **CASE_STUDY) == pytest.approx(expected, rel=1e-6)
    ratio = _ratio(
        lambda: _linear_scan(EPSILON, **CASE_STUDY),
        lambda: accountant.delta(EPSILON, **CASE_STUDY),
        slow_repeats=3,
        fast_repeats=5000,
    )
    benchmark.extra_info["times faster than the linear scan"] = round(ratio)
    assert ratio >= 2000


def test_delta_is_no_slower_at_a_billion_rows(benchmark):
    """At the same distance and tail, C_u = 1e9 costs what C_u = 1 does, up to a tenth."""
    one = {"c_u": 1, "sigma": 10.0, "gap": 60.0}
    many = {"c_u": 10**9, "sigma": 10.0 * math.sqrt(1e9), "gap": 60.0 * math.sqrt(1e9)}
    benchmark(accountant.delta, EPSILON, **many)
    ratio = _ratio(
        lambda: accountant.delta(EPSILON, **many),
        lambda: accountant.delta(EPSILON, **one),
        slow_repeats=5000,
        fast_repeats=5000,
    )
    benchmark.extra_info["C_u = 1e9 over C_u = 1"] = round(ratio, 3)
    assert ratio <= 1.1


@pytest.mark.parametrize("shape", [(200_000, 2), (20_000, 50), (200, 10_000), (10, 100_000), (1, 1_000_000)], ids=str)
def test_release_many_against_raw_normals(benchmark, shape):
    """Of counts that were looked at once, at 60 % or more of the rate at which NumPy draws the same normals alone."""
    n, keys = shape
    histogram = Counts({f"k{i}": 50 for i in range(keys)})
    mechanism = build(c_u=1, sigma=2, gap=6)
    rng = np.random.default_rng(1)
    benchmark.pedantic(mechanism.release_many, args=(histogram, n, rng), rounds=5, warmup_rounds=1)
    ratio = _ratio(
        lambda: rng.normal(0.0, 2.0, shape),
        lambda: mechanism.release_many(histogram, n, rng),
        slow_repeats=3,
        fast_repeats=3,
        rounds=15,
    )
    benchmark.extra_info["share of the rate of raw normals"] = round(ratio, 3)
    assert ratio >= 0.6


def test_a_million_keys_are_looked_at_in_less_time_than_their_names_are_sorted(benchmark):
    """A release puts keys in the order of their names: that is what it takes, and not the check of the mapping."""
    histogram = {f"group {place * 7919 % 1_000_003}": place % 100 for place in range(1_000_000)}

    def share():
        return _seconds(lambda: validate(histogram), 3) / _seconds(lambda: sorted(histogram), 3)

    assert benchmark.pedantic(share, rounds=1) < 1
