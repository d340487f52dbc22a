"""Power in epsilon of the releases that show a delta."""

import math

import pytest

from auditor.statistics.power import betting_power
from auditor.statistics.pure_epsilon import THRESHOLD, delta_that_shows, epsilon_shown


@pytest.mark.parametrize(("epsilon", "larger"), [(0.1, 0.2), (0.5, 0.6), (1.0, 1.2)])
def test_there_and_back_again(epsilon, larger):
    """The delta that shows a larger epsilon is seen by the releases that show that epsilon."""
    delta = delta_that_shows(larger, epsilon)
    assert 0 < delta < 0.1
    assert epsilon_shown(delta, epsilon) == pytest.approx(larger, rel=5e-3)


def test_both_powers_are_those_of_bets_with_the_same_releases():
    """At epsilon = 0.5: .95 in the event of 1/2, and in that of one side only."""
    n, epsilon = 6000, 0.5
    low, high = 0.0, 1.0
    while high - low > 1e-6:
        middle = 0.5 * (low + high)
        seen = betting_power(n, middle, 0.0, epsilon, 0.0, THRESHOLD) >= 0.95
        low, high = (low, middle) if seen else (middle, high)
    larger = epsilon_shown(high, epsilon)
    assert betting_power(n, 0.5, 0.5 * math.exp(-1.01 * larger), epsilon, 0.0, THRESHOLD) >= 0.95
    assert betting_power(n, 0.5, 0.5 * math.exp(-0.99 * larger), epsilon, 0.0, THRESHOLD) < 0.95


def test_fewer_releases_show_larger_epsilons_alone():
    """And no releases show none; no epsilon of 50 is counted."""
    assert 1 < epsilon_shown(0.001, 1.0) < epsilon_shown(0.01, 1.0) < epsilon_shown(0.1, 1.0)
    assert epsilon_shown(1.0, 1.0) == math.inf
    assert epsilon_shown(0.01, 50.0) == math.inf
