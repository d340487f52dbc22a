"""Correlated noise for users of few counters: least noise, exact delta, faults and control."""

import math
from fractions import Fraction

import numpy as np
import pytest

from auditor.engine.evaluation import evaluate
from mechanisms.correlated_gaussian.sparse_users import build, calibrated, delta
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.lebeda2025.sparse_users import best_gamma, least_noise, stationary, total_noise, worst_square
from proofs_numeric.lebeda2025.sparse_users import delta as exact_delta

GRID = np.concatenate([np.exp(np.linspace(math.log(1e-3), math.log(1e5), 800)), np.arange(1.0, 40.0)])


@pytest.mark.parametrize("k", [2, 3, 4, 5, 9, 10, 11, 16, 17, 36, 100])
def test_no_gamma_of_a_grid_needs_less_noise(k):
    """Every m from 2 to k; the maximum over every j, as it stands."""
    for m in range(2, k + 1):
        j = np.arange(1, m + 1)[:, None]
        grid = np.min((1 + 1 / GRID) * np.max(j - j * j / (k + GRID), axis=0))
        assert float(least_noise(Float64(), k=k, m=m)) <= grid * (1 + 1e-12)


def test_few_counters_have_the_closed_form_and_beat_both_choices():
    """For m = 3 of k = 10, 3.3 % less deviation than the better of independent noise and gamma = sqrt(k)."""
    A = Float64()
    gamma = best_gamma(A, k=10, m=3)
    assert gamma == stationary(A, k=10, j=3)
    least = float(total_noise(A, k=10, m=3, gamma=gamma))
    known = min(3.0, float(total_noise(A, k=10, m=3, gamma=np.sqrt(10))))
    assert 1 - math.sqrt(least / known) == pytest.approx(0.0331, abs=1e-4)


def test_two_counters_have_a_ratio_of_one():
    """The erratum to gamma = sqrt(d): variance 4/3 and not sqrt(2) at k = m = 2."""
    assert best_gamma(Float64(), k=2, m=2) == 1
    assert float(least_noise(Float64(), k=2, m=2)) == pytest.approx(4 / 3, rel=1e-15)


@pytest.mark.parametrize(("k", "m"), [(2, 2), (10, 3), (100, 10), (100, 100)])
def test_the_calibrated_mechanism_keeps_its_promise_and_no_less_noise_does(k, m):
    """Delta is met from below, to a part in a million."""
    calibration = calibrated(1.0, 1e-5, k=k, m=m)
    assert delta(1.0, k=k, m=m, sigma=calibration.sigma, gamma=calibration.gamma) <= 1e-5
    assert delta(1.0, k=k, m=m, sigma=calibration.sigma * 0.999999, gamma=calibration.gamma) > 1e-5
    assert calibration.shared_scale == pytest.approx(calibration.sigma / math.sqrt(calibration.gamma))


def test_released_noise_has_the_covariance_that_was_declared():
    """Variances sigma^2 (1 + 1/gamma) and covariances sigma^2/gamma of 40,000 releases, within six deviations."""
    mechanism = build(k=3, m=2, sigma=2, gamma=4)
    values = mechanism.release_many({"k0": 5}, 40_000, np.random.default_rng(2))[1] - [5, 0, 0]
    result = np.cov(values.T)
    assert np.allclose(result, 4 * (np.eye(3) + 0.25), atol=6 * 5 * math.sqrt(2 / 40_000))


def test_a_distance_that_is_small_beside_one_counter_keeps_its_digits():
    """Delta 8.9467811182681209e-223 at gamma = 0.001 (Arb), and at corners: 1500 times the distance's rounding."""
    assert delta(1, k=1, m=1, sigma=1, gamma=0.001) == pytest.approx(8.9467811182681209e-223, rel=1e-12, abs=0)
    random = np.random.default_rng(1)
    seen = 0
    for _point in range(300):
        k = int(random.choice([1, 2, 3, 10, 10**5]))
        m = int(random.choice([1, k, max(1, k // 2)]))
        gamma = float(random.choice([1e-3, 0.7, 1e6]) * (1 + random.random()))
        epsilon = float(10 ** random.uniform(-6, 2))
        away = float(random.uniform(1, 37))  # deviations from the middle of the loss to its level
        square = float(worst_square(Float64(), k=k, m=m, gamma=gamma))
        sigma = math.sqrt(square) * (away + math.sqrt(away**2 + 2 * epsilon)) / (2 * epsilon)
        exact = {name: Fraction(x) for name, x in (("epsilon", epsilon), ("sigma", sigma), ("gamma", gamma))}
        truth = float(enclose(exact_delta, {**exact, "k": k, "m": m}, 15).lower)
        if truth > 1e-300:
            assert delta(epsilon, k=k, m=m, sigma=sigma, gamma=gamma) == pytest.approx(truth, rel=1e-12, abs=0)
            seen += 1
    assert seen > 200


@pytest.mark.parametrize(("k", "m"), [(100, 10), (2, 2), (10**5, 3)])
def test_the_claim_and_the_accountant_have_the_same_least_noise(k, m):
    """The claim's ball and the calibration in doubles; the claim states the accountant's gamma."""
    calibration = calibrated(1.0, 1e-6, k=k, m=m)
    evaluation = evaluate("lebeda2025.sparse.sigma", {"epsilon": 1, "delta": "1e-6", "k": k, "m": m}, "ball", 20)
    assert calibration.sigma == pytest.approx(float(evaluation.value), rel=1e-12)
    assert f"gamma = {calibration.gamma:.12g}"[:16] in evaluation.remark
