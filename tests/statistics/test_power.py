"""Power and optimality: exact sums against simulation, brackets against known values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom, laplace

from auditor.statistics import power
from auditor.statistics.betting import STAKE_SHARES, STAKES, boundary_centre


def two_laplace(scale: float, cells: int = 10) -> tuple[np.ndarray, np.ndarray]:
    """Laws of counts 0 and 1 plus Laplace noise, on cells that are exact for every hockey stick at the kinks."""
    cuts = np.linspace(0.0, 1.0, cells + 1)
    return tuple(np.diff(np.concatenate([[0.0], laplace(c, scale).cdf(cuts), [1.0]])) for c in (0, 1))


@pytest.mark.parametrize(("scale", "samples"), [(0.5, 33.80), (0.8, 398.99), (0.99, 219_622)])
def test_optimum_for_laplace_noise_too_small(scale: float, samples: float) -> None:
    """Optimum at epsilon 1: 34 for half the noise, 399 for four fifths of it, 2.2e5 for ratio .99."""
    bracket = power.kl_inf(*two_laplace(scale), 1.0, 0.0, 0.0)
    assert bracket.lower <= bracket.upper <= bracket.lower * (1 + 1e-4)
    assert math.isclose(math.log(20) / bracket.upper, samples, rel_tol=1e-3)


def test_one_threshold_on_half_the_gaussian_noise_needs_at_most_7533() -> None:
    """Sigma / 2 at (1, 1e-5): a single threshold, forward only, has KL_inf of log 20 / 7533 or more."""
    from scipy.stats import norm

    sigma = 3.7306316348159436 / 2
    cut = -3.6123 + 0.0
    p, q = norm.cdf(cut, 0, sigma), norm.cdf(cut, 1, sigma)
    bracket = power.kl_inf(np.array([p, 1 - p]), np.array([q, 1 - q]), 1.0, 1e-5, 1.0)
    assert math.isclose(math.log(20) / bracket.lower, 7532.5, rel_tol=1e-3)


def test_a_mechanism_within_its_claim_has_no_divergence_from_it() -> None:
    """KL_inf is 0 where the claim holds."""
    bracket = power.kl_inf(*two_laplace(1.0), 1.1, 0.0, 0.0)
    assert abs(bracket.lower) < 1e-9
    assert abs(bracket.upper) < 1e-9


def test_power_is_what_simulation_finds() -> None:
    """The exact sum agrees with the frequency of success of the same accounts over 20000 simulated runs."""
    n, p, q, epsilon, delta = 400, 0.35, 0.07, 1.0, 0.0
    exact = power.betting_power(n, p, q, epsilon, delta, 5.0)
    rng = np.random.default_rng(2)
    x, y = rng.binomial(n, p, (20_000, 1)), rng.binomial(n, q, (20_000, 1))
    p0, q0 = (float(v) for v in boundary_centre(np.array(p), np.array(q), np.array(math.e), np.array(delta)))
    bets = STAKES / max(p0, math.e * (1 - q0))
    wealth = x * np.log1p(bets * (1 - p0)) + (n - x) * np.log1p(-bets * p0)
    wealth += y * np.log1p(-bets * math.e * (1 - q0)) + (n - y) * np.log1p(bets * math.e * q0)
    hits = int((np.exp(wealth) @ STAKE_SHARES[1:] >= math.exp(5.0)).sum())
    assert binom.sf(hits - 1, 20_000, exact) > 1e-9
    assert binom.cdf(hits, 20_000, exact) > 1e-9
    assert 0.05 < exact < 0.999


def test_detectable_delta_is_caught_with_the_stated_power_and_less_is_not() -> None:
    """At the detectable delta the power is .95; one per cent below the excess it is less."""
    n, q, epsilon, delta, threshold = 2000, 0.1, 1.0, 0.01, 8.0
    found = power.detectable_delta(n, q, epsilon, delta, threshold)

    def reached(excess: float) -> float:
        return power.betting_power(n, math.exp(epsilon) * q + excess, q, epsilon, delta, threshold)

    assert reached(found) >= 0.95
    assert reached(delta + 0.99 * (found - delta)) < 0.95


@pytest.mark.parametrize("q", [0.37, 0.9, 1.0])
def test_an_event_that_is_too_frequent_on_the_other_side_shows_nothing(q: float) -> None:
    """Where e^epsilon q + delta >= 1 no probability violates the claim, however many releases there are."""
    assert power.detectable_delta(10**6, q, 1.0, 0.01, 10.0) == 1.0


def test_detectable_delta_shrinks_with_the_number_of_releases() -> None:
    """More releases catch smaller violations; none catch nothing."""
    found = [power.detectable_delta(n, 0.05, 1.0, 1e-5, 10.0) for n in (0, 1000, 10_000, 100_000)]
    assert found[0] == 1.0
    assert found == sorted(found, reverse=True)
    assert found[-1] < 0.02
