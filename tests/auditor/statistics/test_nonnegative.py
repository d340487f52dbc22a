"""Bets on nonnegative variables: the bound holds at every time, whatever the tail, and comes near the mean."""

import math

import numpy as np
import pytest

from auditor.statistics.nonnegative import detectable_mean, log_capital, mean_lower, mean_upper

ALPHA = 0.05
LAWS = {
    "rare and large": lambda rng, shape: 50.0 * (rng.random(shape) < 0.02),
    "lognormal": lambda rng, shape: rng.lognormal(-2.0, 2.0, shape),
    "weights of a tilted normal": lambda rng, shape: np.exp(-3.0 * rng.standard_normal(shape) - 4.5),
    "one": lambda _rng, shape: np.ones(shape),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LAWS)
def test_a_true_mean_is_rejected_at_most_at_the_level(name):
    """In 2,000 runs of 300 variables of mean 1, looked at after each of them."""
    values = LAWS[name](np.random.default_rng(8), (2000, 300))
    alarms = sum(bool(log_capital(row, 1.0).max() >= -math.log(ALPHA)) for row in values)
    assert alarms <= 2000 * ALPHA + 6.5 * math.sqrt(2000 * ALPHA)


def test_the_bound_is_the_end_of_what_is_rejected():
    """Means below it are rejected, those above are not; and it is near where there is much to see."""
    values = np.random.default_rng(1).exponential(1e-9, 5000)
    lower = mean_lower(values, 1e-6)
    assert 0.85e-9 < lower < 1e-9
    assert log_capital(values, 0.999 * lower).max() >= math.log(1e6) > log_capital(values, 1.001 * lower).max()


@pytest.mark.slow
def test_the_upper_bound_of_bounded_values_holds_and_comes_near_the_mean():
    """In 1,000 runs of 500 values of mean 1/100 and at most 1/10; 8 alarms are expected at level .008."""
    rng = np.random.default_rng(3)
    bounds = [mean_upper(0.1 * (rng.random(500) < 0.1), 0.1, 0.008) for _ in range(1000)]
    assert sum(bound < 0.01 for bound in bounds) <= 30
    assert 0.01 < mean_upper(0.1 * (rng.random(20000) < 0.1), 0.1, 1e-6) < 0.012


def test_nothing_seen_bounds_nothing():
    """No power either."""
    assert mean_lower(np.zeros(100), 0.05) == 0.0
    assert mean_lower(np.zeros(0), 0.05) == 0.0
    assert detectable_mean(np.zeros(100), 1e-3, 0.05) == 1.0


@pytest.mark.slow
def test_the_power_told_is_reached():
    """Variables with the mean told are refuted about as often as told."""
    rng, claimed = np.random.default_rng(2), 1e-9
    shape = rng.exponential(1.0, 1000) * (rng.random(1000) < 0.3)
    told = detectable_mean(shape * 1e-10, claimed, 1e-6)
    fresh = rng.exponential(1.0, (400, 1000)) * (rng.random((400, 1000)) < 0.3) / 0.3 * told
    refuted = sum(bool(log_capital(row, claimed).max() >= math.log(1e6)) for row in fresh)
    assert refuted >= 0.87 * 400
    assert claimed < told < 2 * claimed


@pytest.mark.parametrize(("values", "mean"), [([1.0, -1.0], 1.0), ([math.nan], 1.0), ([1.0], 0.0)])
def test_what_is_no_bet_is_refused(values, mean):
    """Bets are on nonnegative variables of a positive mean."""
    with pytest.raises(ValueError, match="expected mean > 0"):
        log_capital(np.array(values), mean)
