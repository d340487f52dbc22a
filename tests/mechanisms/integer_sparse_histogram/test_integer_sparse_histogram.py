"""The integer sparse histogram: its exact profile, accountant, release, faults and controls."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import ndtri

from mechanisms.gaussian_sparse_histogram.ledger import Schedule
from mechanisms.integer_sparse_histogram import accountant, sums
from mechanisms.integer_sparse_histogram.mechanism import MECHANISM, build
from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.statements.concentrated import BudgetError
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.thresholds.integer import gaussian_integer
from proofs_numeric.thresholds.integer_profile import BETWEEN_THE_ENDS, exact_profile, pair_profiles, two_ends
from proofs_numeric.thresholds.integer_sums import exact_with_sums

REALS = {"epsilon", "sigma", "sigma_s"}


def at(A, **point):
    """The point's numbers in an arithmetic; integers stay integers."""
    return {name: A.number(Fraction(x)) if name in REALS else x for name, x in point.items()}


def test_one_new_key_beside_three_that_move_beats_both_ends():
    """Certified: the maximum rule of Theorem 5.4 is wrong on the integers."""
    with Ball(128) as A:
        exact, ends = (formula(A, **at(A, **BETWEEN_THE_ENDS)) for formula in (exact_profile, two_ends))
        assert exact > ends * A.number(Fraction("1.0018"))


def test_the_profile_at_a_large_epsilon_is_what_new_keys_leak():
    """Delta of thresholds.gaussian.integer: no epsilon buys it away."""
    with Ball(128) as A:
        point = {"sigma": 2, "threshold": 9, "c_u": 3, "per_key": 2}
        assert exact_profile(A, **at(A, epsilon=60, **point)).overlaps(gaussian_integer(A, **at(A, **point)))


@pytest.mark.parametrize("sigma", [3.0, 10.0])
def test_wide_noise_is_as_private_as_continuous_noise_of_half_a_step_less_threshold(sigma):
    """Shared keys: Poisson summation makes the sum's law Gaussian up to e^(-2 pi^2 sigma^2), read on the integers."""
    value = accountant.delta(1.0, sigma=sigma, threshold=10**4, c_u=4)
    mu = 2 / sigma
    continuous = 0.5 * math.erfc((1 / mu - mu / 2) / math.sqrt(2)) - math.e * 0.5 * math.erfc(
        (1 / mu + mu / 2) / math.sqrt(2)
    )
    assert value == pytest.approx(continuous, rel=0.1)
    assert value <= continuous * (1 + 1e-9)


def test_the_least_noise_and_threshold_keep_the_promise_and_nothing_less_does():
    """Epsilon 1, delta 1e-5, three keys: one hundredth less noise, or one count less, is too little."""
    sigma, threshold = accountant.least(1.0, 1e-5, c_u=3)
    assert accountant.delta(1.0, sigma=float(sigma), threshold=threshold, c_u=3) <= 1e-5
    assert accountant.delta(1.0, sigma=float(sigma), threshold=threshold - 1, c_u=3) > 1e-5
    assert accountant.delta(1.0, sigma=float(sigma) - 0.01, threshold=1000, c_u=3) > 1e-5


def test_least_noise_beside_sums():
    """Epsilon 1, delta 1e-5, one key with a wide sum: a hundredth less, or one count less, is too little."""
    wide = {"sigma_s": 20.0, "per_sum": 1}
    sigma, threshold = accountant.least(1.0, 1e-5, c_u=1, sums=(20.0, 1))
    assert sigma > accountant.least(1.0, 1e-5, c_u=1)[0]
    assert accountant.delta_with_sums(1.0, sigma=float(sigma), threshold=threshold, c_u=1, **wide) <= 1e-5
    assert accountant.delta_with_sums(1.0, sigma=float(sigma), threshold=threshold - 1, c_u=1, **wide) > 1e-5
    assert accountant.delta_with_sums(1.0, sigma=float(sigma) - 0.01, threshold=999, c_u=1, **wide) > 1e-5


@pytest.mark.slow
def test_one_release_is_drawn_from_the_law_of_many():
    """Both samplers against the exact masses of one key: chi-square, 1e-9."""
    mechanism, rng, n = build(sigma="3/2", threshold=3), np.random.default_rng(8), 4000
    one = [mechanism.release({"a": 3}, rng).get("a", 0.0) for _release in range(n)]
    many = np.nan_to_num(mechanism.release_many({"a": 3}, n, rng)[1][:, 0])
    weights = {x: math.exp(-((x - 3) ** 2) / 4.5) for x in range(-20, 27)}
    total = sum(weights.values())
    expected = np.array([sum(w for x, w in weights.items() if x < 3), *(weights[x] for x in (3, 4, 5, 6))]) / total
    expected = n * np.append(expected, 1 - expected.sum())
    for drawn in (one, many):
        observations = np.array([np.sum(np.equal(drawn, x)) for x in (0, 3, 4, 5, 6)])
        assert (
            np.sum((np.append(observations, n - observations.sum()) - expected) ** 2 / expected) < 51
        )  # chi^2 of 5, p = 1e-9


@pytest.mark.parametrize("spec", [MECHANISM, sums.MECHANISM])
def test_a_declared_loss_has_the_hockey_stick_of_its_profile(spec):
    """E[(1 - e^(epsilon - L))_+] over every value of its parts, and what is infinite."""
    for pair in spec.pairs(spec.parameters):
        for way in Direction:
            atom, *totals = pair.loss(way).parts
            losses, weights = np.array([atom.value]), np.array([math.exp(atom.log_finite)])
            for total in totals:
                losses = np.add.outer(losses, np.array(total.values)).ravel()
                weights = np.multiply.outer(weights, np.array(total.probabilities)).ravel()
            found = 1 - weights.sum() + weights @ np.maximum(0, -np.expm1(np.minimum(1 - losses, 1)))
            with Ball(96) as A:
                assert float(pair.profile(A, A.number(1), way).mid()) == pytest.approx(found, abs=1e-13)


def test_sums_cost_what_the_pair_of_a_key_and_its_sum_costs():
    """One key far above the threshold: counts and sums of equal noise and move are two counts, at every epsilon."""
    for epsilon in (0.3, 1.0, 2.5):
        both = accountant.delta_with_sums(epsilon, sigma=2.0, threshold=60, c_u=1, sigma_s=2.0, per_sum=1)
        assert both == pytest.approx(accountant.delta(epsilon, sigma=2.0, threshold=60, c_u=2), rel=1e-12)


def test_the_accountant_of_sums_is_the_certified_number():
    """Doubles against balls, at three keys with wide sums."""
    point = {"threshold": 30, "c_u": 3, "per_key": 1, "per_sum": 3}
    with Ball(128) as A:
        exact = exact_with_sums(A, epsilon=A.number(1), sigma=A.number(5), sigma_s=A.number(20), **point)
        assert exact.rel_accuracy_bits() > 60
    value = accountant.delta_with_sums(1.0, sigma=5.0, sigma_s=20.0, **point)
    assert value == pytest.approx(float(exact.mid()), rel=1e-11)


@pytest.mark.parametrize(
    "far",
    [
        {"epsilon": 7, "sigma": "6", "threshold": 100, "c_u": 3, "per_key": 2},
        {"epsilon": 7, "sigma": "6", "threshold": 480, "c_u": 3, "per_key": 2},
        {"epsilon": 1000, "sigma": "1/20", "threshold": 30, "c_u": 3, "per_key": 1},
        {"epsilon": 710, "sigma": "5", "threshold": 30, "c_u": 3, "per_key": 1},
    ],
)
def test_a_least_delta_and_one_beyond_the_levels_of_doubles_are_the_certified_number(far):
    """Deltas from 1e-8 to 1e-174."""
    with Ball(1536) as A:
        exact = exact_profile(A, **at(A, **far))
        assert exact.rel_accuracy_bits() > 60
    value = accountant.delta(**{**far, "sigma": float(Fraction(far["sigma"]))})
    assert value == pytest.approx(float(exact.mid()), rel=1e-11, abs=0)


@pytest.mark.parametrize(
    ("sigma", "c_u", "epsilon"), [(0.4, 60, 100.0), (0.68, 40, 30.0), (1.0, 100, 2.0), (0.05, 50, 0)]
)
def test_the_search_over_new_keys_finds_the_worst_of_all_of_them(sigma, c_u, epsilon):
    """Against every pair, one by one."""
    point = {"epsilon": np.float64(epsilon), "sigma": np.float64(sigma), "threshold": 4, "c_u": c_u, "per_key": 1}
    result = exact_profile(Float64(), **point)
    assert result == pytest.approx(max(pair_profiles(Float64(), **point)), rel=1e-12, abs=0)


def test_a_million_keys_beside_noise_that_is_none_tell_everything_below_their_loss_and_nothing_above():
    """A key's loss is 1/(2 sigma^2) = 5e9 but for a chance of e^(-5e9)."""
    at = {"sigma": 1e-5, "threshold": 30, "c_u": 10**6}
    assert accountant.delta(4.9e15, **at) == 1
    assert 0 < accountant.delta(5.1e15, **at) < 1e-298


def test_more_noise_on_the_sums_can_tell_more():
    """One key at epsilon = 3: sigma_s = 0.55 gives more away than 0.45, by enclosures."""
    with Ball(128) as A:
        point = {"epsilon": A.number(3), "sigma": A.number(2), "threshold": 40, "c_u": 1, "per_key": 1, "per_sum": 1}
        less, more = (exact_with_sums(A, **point, sigma_s=A.number(Fraction(x, 20))) for x in (9, 11))
        assert less * A.number(Fraction("1.06")) < more


def test_the_accountant_is_the_certified_number():
    """Doubles against balls."""
    assert accountant.delta(0.7, sigma=4.0, threshold=25, c_u=3, per_key=2) == pytest.approx(
        float(exact_profile(Float64(), epsilon=0.7, sigma=4.0, threshold=25, c_u=3, per_key=2)), rel=1e-15
    )
    with Ball(128) as A:
        exact = exact_profile(A, epsilon=A.number("7/10"), sigma=A.number(4), threshold=25, c_u=3, per_key=2)
        assert accountant.delta(0.7, sigma=4.0, threshold=25, c_u=3, per_key=2) == pytest.approx(
            float(exact.mid()), rel=1e-12
        )


@pytest.mark.parametrize(("sigma", "per_key"), [(0.2, 1), (0.7, 1), (1.0, 3), (2.5, 2), (9.0, 7), (40.0, 1)])
def test_no_half_line_tells_more_than_the_gaussian_pair_of_a_release(sigma, per_key):
    """Masses summed here, to thirty deviations; and near 0 the distance is hardly above the largest that is needed."""
    x = np.arange(-int(37 * sigma), int(37 * sigma) + 1)
    masses = np.exp(-0.5 * (x / sigma) ** 2)
    tail = np.cumsum(masses[::-1])[::-1] / masses.sum()
    places = dict(zip(x.tolist(), -ndtri(tail), strict=True))
    needed = max(places[j] - places[j - per_key] for j in range((per_key + 2) // 2, int(30 * sigma)))
    row = accountant.release(sigma=sigma, threshold=per_key + 1, c_u=1, per_key=per_key).square ** 0.5
    assert needed <= row <= needed * 1.01


def test_a_schedule_takes_integer_releases_and_refuses_one_too_many():
    """Above the exact delta of data fixed in advance, by a few parts in a hundred; adaptively by what costs there."""
    one = accountant.release(sigma=20.0, threshold=105, c_u=3)
    exact = accountant.delta(1.0, sigma=20.0, threshold=105, c_u=9)
    schedule = Schedule(1.0, exact * 1.05, releases=(one, one)).spend(one)
    assert exact <= schedule.spent <= exact * 1.05
    with pytest.raises(BudgetError, match="of 4 releases together"):
        schedule.spend(one)
    assert schedule.spent < accountant.releases_delta(1.0, releases=3, sigma=20.0, threshold=105, c_u=3)


@pytest.mark.slow
def test_sums_and_counts_of_a_release_are_no_worse_than_its_gaussian_one():
    """Wide sums and narrow ones, at three epsilons."""
    for wide in ((60.0, 5), (3.0, 2)):
        one = accountant.release(sigma=7.67, threshold=37, c_u=3, sums=wide)
        for epsilon in (0.0, 1.0, 3.0):
            exact = accountant.delta_with_sums(
                epsilon, sigma=7.67, threshold=37, c_u=3, sigma_s=wide[0], per_sum=wide[1]
            )
            assert exact <= Schedule(epsilon, 0.999, releases=(one,)).spent <= exact * 1.1
