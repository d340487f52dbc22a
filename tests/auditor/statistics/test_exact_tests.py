"""Fixed-sample tests: exact levels by enumeration, published bounds, and what they would have found."""

import math

import numpy as np
import pytest
from scipy.stats import binom
from statsmodels.stats.proportion import proportion_confint

from auditor.statistics import exact_tests
from auditor.statistics.binomial import fewest_below


@pytest.mark.parametrize(("hits", "trials"), [(0, 10), (3, 10), (10, 10), (1, 100_000), (54_321, 100_000)])
def test_clopper_pearson_agrees_with_statsmodels(hits: int, trials: int) -> None:
    """Each one-sided bound is an end of the two-sided interval of statsmodels at twice the level."""
    low, high = proportion_confint(hits, trials, alpha=0.1, method="beta")
    assert math.isclose(exact_tests.clopper_pearson_lower(hits, trials, 0.05), low, rel_tol=1e-9, abs_tol=1e-300)
    assert math.isclose(exact_tests.clopper_pearson_upper(hits, trials, 0.05), high, rel_tol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("trials", "delta"), [(50, 0.1), (200, 0.01), (400, 0.3)])
def test_impossible_event_test_has_its_level_exactly(trials: int, delta: float) -> None:
    """At the claimed delta the probability of rejection, summed over outcomes, is in (alpha / 5, alpha]."""
    alpha = 0.05
    rejected = [exact_tests.impossible_event_test(k, trials, delta, alpha).rejected for k in range(trials + 1)]
    level = binom.pmf(np.arange(trials + 1), trials, delta) @ np.array(rejected)
    assert alpha / 5 < level <= alpha


def test_detectable_delta_of_the_impossible_event_test_has_the_stated_power() -> None:
    """At the smallest violation it claims to catch, the test rejects with probability .95 and not less."""
    trials, delta, alpha = 1484, 0.0049, 0.05
    needed = fewest_below(trials, delta, alpha)
    p = exact_tests.impossible_event_test(0, trials, delta, alpha).detectable_delta
    assert math.isclose(binom.sf(needed - 1, trials, p), 0.95, rel_tol=1e-9)
    assert p < 0.0134


@pytest.mark.parametrize(("trials", "delta"), [(1, 0.3), (60, 0.1), (400, 0.01), (400, 1e-5)])
def test_bets_on_an_impossible_event_win_nothing_at_the_claimed_delta(trials: int, delta: float) -> None:
    """The mean of the wealth is at most 1, exactly: summed over outcomes; it falls as the delta rises."""
    wealth = np.array([exact_tests.impossible_event_wealth(k, trials, delta) for k in range(trials + 1)])
    assert np.logaddexp.reduce(binom.logpmf(np.arange(trials + 1), trials, delta) + wealth) <= 1e-9
    further = np.array([exact_tests.impossible_event_wealth(k, trials, 1.5 * delta) for k in range(trials + 1)])
    assert np.all(further <= wealth)


def test_bets_on_an_impossible_event_bound_it_from_below() -> None:
    """A rejected delta lies below the bound, and the bound at the edge of what is rejected; one hit refutes delta 0."""
    told = exact_tests.impossible_event_bet(40, 1000, 0.01, 1e-3)
    assert told.rejected
    assert 0.01 < told.delta_lower < 0.04 < exact_tests.clopper_pearson_upper(40, 1000, 1e-3)
    needed = -math.log(1e-3)
    assert exact_tests.impossible_event_wealth(40, 1000, told.delta_lower) >= needed
    assert exact_tests.impossible_event_wealth(40, 1000, 1.01 * told.delta_lower) < needed
    assert exact_tests.impossible_event_bet(1, 10, 0.0, 1e-6).rejected
    silent = exact_tests.impossible_event_bet(0, 1000, 0.01, 1e-3)
    assert (silent.rejected, silent.delta_lower, silent.p_value) == (False, 0.0, 1.0)
    assert 0.01 < silent.detectable_delta < 0.06
    assert exact_tests.impossible_event_bet(0, 60_000, 0.25, 1e-6).p_value == 1.0


def test_opendp_threshold_needs_fifteen_hundred_samples() -> None:
    """.0049 claimed, .0134 true: 1500 releases refute it with probability .95 at alpha .05."""
    needed = fewest_below(1500, 0.0049, 0.05)
    assert binom.sf(needed - 1, 1500, 0.0134) >= 0.95


def test_a_delta_of_zero_is_refuted_by_a_single_hit() -> None:
    """An impossible event that happened refutes pure privacy at once."""
    result = exact_tests.impossible_event_test(1, 10, 0.0, 1e-6)
    assert result.rejected
    assert result.p_value == 0.0
    assert result.detectable_delta > 0.2


def test_one_run_of_singletons_sees_a_wrong_threshold() -> None:
    """2e5 single-user keys released at rate .01328 against a reported .00493 are conclusive in one run."""
    result = exact_tests.one_run_test(2656, 200_000, 0.00493, 1e-9)
    assert result.rejected
    assert 0.0115 < result.delta_lower < 0.01328


def test_counts_that_cannot_be_are_refused() -> None:
    """More hits than trials is named, with the allowed range."""
    with pytest.raises(ValueError, match="expected 0 <= hits <= trials"):
        exact_tests.clopper_pearson_lower(3, 2, 0.05)
