"""The correlated stability histogram for users of few counters: delta, least noise and threshold, faults, control."""

import math
from fractions import Fraction

import numpy as np
import pytest

from mechanisms.correlated_stability_histogram import accountant as plain
from mechanisms.correlated_stability_histogram.sparse_users import MECHANISM, build, calibrated, delta
from mechanisms.gaussian_sparse_histogram import accountant as independent
from proofs_numeric.arithmetic import Ball
from proofs_numeric.lebeda2025 import sparse_users_histogram as exact


def at(A, parameters):
    """Parameters as numbers of an arithmetic, k and m as they are."""
    return {name: value if name in {"k", "m"} else A.number(Fraction(value)) for name, value in parameters.items()}


def total(release):
    """Deviation of a released counter."""
    return math.hypot(release.sigma, release.shared_scale)


@pytest.mark.parametrize(
    ("k", "m", "noise", "gap"), [(10, 3, 6.248, 28.14), (100, 10, 11.509, 54.71), (100, 50, 20.425, 103.53)]
)
def test_the_default_has_less_noise_and_a_lower_threshold_than_both_known_choices(k, m, noise, gap):
    """At epsilon = 1, delta = 1e-5: independent noise for m keys, and the paper's gamma = sqrt(k) for any number."""
    calibration = calibrated(1.0, 1e-5, k=k, m=m)
    assert (round(total(calibration), 3), round(calibration.tau_star - 1, 2)) == (noise, gap)
    alone = independent.sigma(1.0, 1e-5, c_u=m)
    paper = plain.sigma(1.0, 1e-5, k=k)
    assert total(calibration) < min(alone, paper * math.sqrt(1 + k**-0.5))
    assert calibration.tau_star - 1 < independent.threshold(1e-5, c_u=m, sigma=alone)
    assert calibration.tau_star - 1 < plain.gap(1.0, 1e-5, k=k, sigma=paper)


@pytest.mark.slow
@pytest.mark.parametrize(("k", "m"), [(2, 2), (10, 3), (100, 100), (1000, 30)])
def test_the_calibrated_mechanism_keeps_its_promise_and_no_lower_threshold_does(k, m):
    """Delta is met from below; balls say so too."""
    calibration = calibrated(1.0, 1e-5, k=k, m=m)
    arguments = {
        "k": k,
        "m": m,
        "sigma": calibration.sigma,
        "gamma": calibration.gamma,
        "gap": calibration.tau_star - 1,
    }
    assert delta(1.0, **arguments) <= 1e-5 < delta(1.0, **{**arguments, "gap": arguments["gap"] - 1e-4})
    with Ball(96) as A:
        assert exact.delta(A, epsilon=A.number(1), **at(A, arguments)) <= A.number(Fraction(1, 10**5))


@pytest.mark.slow
@pytest.mark.parametrize(("k", "m"), [(10, 3), (10, 7), (100, 10)])
def test_no_other_ratio_of_a_grid_has_a_lower_threshold(k, m):
    """The ratio of least noise, at the noise that each ratio needs."""
    calibration = calibrated(1.0, 1e-5, k=k, m=m)
    unit = calibration.sigma / math.sqrt(
        float(exact.worst_square(exact.Float64(), k=k, m=m, gamma=np.float64(calibration.gamma)))
    )
    for ratio in calibration.gamma * np.exp(np.linspace(-1.5, 1.5, 13)):
        sigma = unit * math.sqrt(float(exact.worst_square(exact.Float64(), k=k, m=m, gamma=ratio)))
        lower = calibration.tau_star - 1 - 1e-9
        assert delta(1.0, k=k, m=m, sigma=sigma, gamma=ratio, gap=lower) > 1e-5


@pytest.mark.parametrize(
    ("epsilon", "k", "sigma", "gap", "open_above"),
    [(0.349, 10, 17.74, 96.75, 1e-5), (0.0, 20, 1e5, 5e5, 0.01), (2.0, 3, 1.0, 4.0, 1e-5)],
)
def test_for_users_of_all_counters_it_is_the_paper_s_mechanism(epsilon, k, sigma, gap, open_above):
    """At m = k and gamma = sqrt(k) the accountant is Algorithm 2's, or above it by what its certificate leaves open."""
    value = delta(epsilon, k=k, m=k, sigma=sigma, gamma=math.sqrt(k), gap=gap)
    assert 1 - 1e-5 <= value / plain.delta(epsilon, k=k, sigma=sigma, gap=gap) <= 1 + open_above


@pytest.mark.slow
@pytest.mark.parametrize("point", [(0.3, 3, 2, 1.0, 4.0, 2.0), (0.1, 3, 3, 2.0, 1.0, 4.0), (2.0, 2, 2, 0.7, 3.0, 2.5)])
def test_no_pair_of_the_definition_is_above_it(point):
    """Every pair in both directions, by densities alone, the mixed ones too."""
    epsilon, k, m, sigma, gamma, gap = point
    arguments = {"k": k, "m": m, "sigma": sigma, "gamma": gamma, "gap": gap}
    worst = float(exact.delta_by_definition(exact.Float64(), epsilon=epsilon, **arguments))
    assert worst <= delta(epsilon, **arguments) * (1 + 1e-11)


def test_released_noise_has_the_covariance_that_was_declared():
    """Variances sigma^2 (1 + 1/gamma) and covariances sigma^2/gamma of 40,000 releases, within six deviations."""
    mechanism = build(k=3, m=2, sigma=2, gamma=4, gap=0)
    values = mechanism.release_many(dict.fromkeys("abc", 1000), 40_000, np.random.default_rng(2))[1]
    assert np.allclose(np.cov(values.T), 4 * (np.eye(3) + 0.25), atol=6 * 5 * math.sqrt(2 / 40_000))


def test_a_mixed_pair_has_no_formula():
    """Some counters new, some shared."""
    assert [pair.id for pair in MECHANISM.pairs(MECHANISM.parameters) if pair.profile is None] == ["mixed"]


def test_one_counter_a_user_is_sent_elsewhere():
    """Noise is not worth sharing at m = 1."""
    with pytest.raises(ValueError, match="m = 1"):
        calibrated(1.0, 1e-5, k=10, m=1)


@pytest.mark.parametrize("gamma", [1e-12, 1e-100, 5e-324])
def test_all_but_one_noise_of_all_counters_has_the_delta_of_one_counter_s_coin(gamma):
    """All counters pass together, or none: P = 1/2 at a gap of 0, far above what the shared ones tell."""
    value = delta(20.0, k=10, m=3, sigma=2.0, gamma=gamma, gap=0.0)
    assert value == pytest.approx(1 / 2, rel=1e-5)
    assert value >= 1 / 2


@pytest.mark.parametrize("target", [0.0, -0.5, 1.0, math.nan])
def test_a_delta_that_no_noise_keeps_is_refused(target):
    """In one line."""
    with pytest.raises(ValueError, match="expected 0 < delta < 1"):
        calibrated(1.0, target, k=10, m=2)


@pytest.mark.parametrize("target", [2e-323, 1e-300])
def test_the_least_targets_are_kept_or_refused(target):
    """The accounted delta is above the truth by the least double: from 1.5e-323 on there is noise that keeps it."""
    calibration = calibrated(1.0, target, k=10**5, m=50)
    assert (
        delta(1.0, k=10**5, m=50, sigma=calibration.sigma, gamma=calibration.gamma, gap=calibration.tau_star - 1)
        <= target
    )
    with pytest.raises(ValueError, match=r"expected 1\.5e-323 <= delta < 1"):
        calibrated(1.0, 1e-323, k=10**5, m=50)


def test_counters_that_no_double_holds_are_refused():
    """In one line, and so is a target that takes more noise than a double holds."""
    with pytest.raises(ValueError, match="expected k of size at most"):
        calibrated(1.0, 1e-5, k=10**400, m=2)
    with pytest.raises(ValueError, match="that some sigma keeps"):
        calibrated(0.0, 2e-323, k=10**6, m=10**6)
