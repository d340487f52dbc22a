"""Power and optimality: exact sums against simulation, brackets against known values."""

import math

import numpy as np
import pytest
from scipy.stats import binom, laplace

from auditor.statistics import power
from auditor.statistics.betting import STAKE_SHARES, STAKES, boundary_centre
from proofs_numeric.statements.neighbours import Direction
from tests.known_violations.test_known_violations import BROKEN


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
    result = power.detectable_delta(n, q, epsilon, delta, threshold)

    def reached(excess: float) -> float:
        return power.betting_power(n, math.exp(epsilon) * q + excess, q, epsilon, delta, threshold)

    assert reached(result) >= 0.95
    assert reached(delta + 0.99 * (result - delta)) < 0.95


@pytest.mark.parametrize("q", [0.37, 0.9, 1.0])
def test_an_event_that_is_too_frequent_on_the_other_side_shows_nothing(q: float) -> None:
    """Where e^epsilon q + delta >= 1 no probability violates the claim, however many releases there are."""
    assert power.detectable_delta(10**6, q, 1.0, 0.01, 10.0) == 1.0


@pytest.mark.slow
def test_detectable_delta_shrinks_with_the_number_of_releases() -> None:
    """More releases catch smaller violations; none catch nothing."""
    results = [power.detectable_delta(n, 0.05, 1.0, 1e-5, 10.0) for n in (0, 1000, 10_000, 100_000)]
    assert results[0] == 1.0
    assert results == sorted(results, reverse=True)
    assert results[-1] < 0.02


def test_optimum_where_one_side_never_shows_a_cell() -> None:
    """P has mass x where Q has none, else both are even: an (epsilon, 0) claim gives Q mass there, and P less.

    With P' = e^epsilon Q' on the cell the divergence is that of one Bernoulli pair from the boundary: both ends of the
    bracket find it.
    """
    x = 0.3
    bracket = power.kl_inf(np.array([x, 1 - x]), np.array([0.0, 1.0]), 1.0, 0.0, 1.0)
    p0 = np.linspace(1e-6, 0.9, 400_000)
    q0 = p0 / math.e
    single = x * np.log(x / p0) + (1 - x) * np.log((1 - x) / (1 - p0)) - np.log1p(-q0)
    assert math.isclose(bracket.lower, single.min(), rel_tol=1e-4)
    assert math.isclose(bracket.upper, single.min(), rel_tol=1e-2)
    assert bracket.lower <= bracket.upper * (1 + 1e-9)


def laplace_profile(scale: float):
    """Delta of Laplace noise on counts one apart, in either direction."""
    return lambda epsilon, _way: max(0.0, 1.0 - math.exp((epsilon - 1.0 / scale) / 2.0))


@pytest.mark.parametrize(("scale", "rel"), [(0.5, 0.15), (0.8, 0.15)])
def test_laws_of_a_profile_dominate_and_are_close(scale: float, rel: float) -> None:
    """KL_inf by the laws read off the profile is at least the exact one, and nearly as small."""
    exact = power.kl_inf(*two_laplace(scale, cells=200), 1.0, 0.0, 0.0)
    laws = power.laws_of_profile(laplace_profile(scale), 1.0)
    assert laws is not None
    assert all(math.isclose(law.sum(), 1.0, rel_tol=1e-6) for law in laws)
    value = power.kl_inf(*laws, 1.0, 0.0, 0.0)
    assert exact.lower <= value.upper <= exact.upper * (1 + rel)


def test_what_is_no_profile_has_no_laws() -> None:
    """Not convex, not defined in one direction, or not a number."""

    def forward_only(epsilon, way):
        if way is Direction.BACKWARD:
            raise ValueError("expected the forward direction")
        return laplace_profile(1.0)(epsilon, way)

    assert power.laws_of_profile(lambda epsilon, _way: 0.5 * (epsilon < 1), 1.0) is None
    assert power.laws_of_profile(forward_only, 1.0) is None
    assert power.laws_of_profile(lambda _epsilon, _way: math.nan, 1.0) is None


def test_the_bracket_is_narrow_where_a_cell_of_next_to_no_mass_is_missed():
    """Without delta each cell has to keep the claim: what misses it by dust costs dust."""
    laws = BROKEN["histogram with inverted scale"].laws(0.7)
    for left, right in (laws, power.laws_of_profile(laplace_profile(0.8), 1.0)):
        value = power.kl_inf(left, right, 0.7, 0.0, 0.0)
        assert 0 < value.lower <= value.upper <= 1.01 * value.lower
