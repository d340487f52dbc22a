"""Speed of the correlated family: accountant, enclosures, releases; ratios are taken within one run."""

import time
from fractions import Fraction

import numpy as np

from mechanisms.correlated_stability_histogram import accountant, sparse_users
from mechanisms.correlated_stability_histogram import mechanism as correlated_stability_histogram
from mechanisms.discrete_correlated import mechanism as discrete_correlated
from proofs_numeric.arithmetic import MpReal
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.lebeda2025.exact.pair import pair_delta

_POINT = {"epsilon": Fraction(3, 10), "k": 10, "sigma": Fraction(5), "gap": Fraction(20), "l": 4, "j": 3}


def _best(call, repeats: int = 5) -> float:
    call()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def test_one_float64_pair_costs_a_dozen_deltas():
    """Exact delta of one (l, j) in doubles, in deltas of ten counters."""
    pair = _best(lambda: accountant.pair(0.3, k=10, sigma=5.0, gap=20.0, l=4, j=3), 20)
    assert pair <= 15 * _best(lambda: accountant.delta(0.3, k=10, sigma=17.0, gap=100.0), 20)


def test_the_least_gap_at_51914_counters_costs_a_few_deltas():
    """Least gap with its certificate, in deltas of as many counters."""
    gap = _best(lambda: accountant.gap(0.349, 1e-5, k=51914, sigma=1120.0))
    assert gap <= 5 * _best(lambda: accountant.delta(0.349, k=51914, sigma=1120.0, gap=7100.0))


def test_twice_the_certified_digits_of_a_pair_cost_at_most_ten_times_as_much():
    """Rigorous enclosures to 20 digits and to 10, the conditional survival of both remembered."""

    def digits(count):
        return lambda: enclose(pair_delta, {**_POINT, "direction": "forward"}, count)

    assert _best(digits(20), 2) <= 10 * _best(digits(10), 2)


def test_a_kink_too_sharp_for_doubles_costs_mpmath_at_most_thirty_smooth_sticks():
    """Fifteen digits of a reverse pair under noise of 1e160, in those of the same pair under noise of 3."""

    def digits(sigma):
        point = {**_POINT, "epsilon": Fraction(1), "sigma": Fraction(sigma), "gap": Fraction(5)}
        return lambda: evaluate_in(MpReal(15), pair_delta, {**point, "direction": "reverse"})

    assert _best(digits("1e160"), 2) <= 30 * _best(digits(3), 2)


def test_a_noise_that_is_all_but_shared_costs_what_any_does():
    """Delta for users of few counters at gamma = 1e-12, in that at gamma = 1."""

    def at(gamma):
        return lambda: sparse_users.delta(1.0, k=10, m=3, sigma=2.0, gamma=gamma, gap=8.0)

    assert _best(at(1e-12), 20) <= 4 * _best(at(1.0), 20)


def test_release_reaches_forty_percent_of_raw_normal_throughput():
    """Vectorised release against NumPy's standard normal of the same shape."""
    rng = np.random.Generator(np.random.PCG64(1))
    mechanism = correlated_stability_histogram.build(k=64, sigma=8, gap=40)
    histogram = {f"k{i}": 100 for i in range(64)}
    raw = _best(lambda: rng.standard_normal((20_000, 64)))
    assert raw / _best(lambda: mechanism.release_many(histogram, 20_000, rng)) >= 0.4


def test_the_table_sampler_is_fifty_times_the_exact_one():
    """Releases a second, discrete mechanism."""
    rng = np.random.Generator(np.random.PCG64(1))
    mechanism = discrete_correlated.build(k=4, sigma=10, gap=40)
    histogram = {f"k{i}": 100 for i in range(4)}
    exact = _best(lambda: [mechanism.release(histogram, rng) for _ in range(20)], 2) / 20
    fast = _best(lambda: mechanism.release_many(histogram, 20_000, rng), 2) / 20_000
    assert exact / fast >= 50
